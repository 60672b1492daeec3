"""« Leçon » : an ordered list of parts."""

from __future__ import annotations

from typing import Any

from widgets.editor_state import Workbench
from widgets.lesson_text import box


class LessonPanel:
    """Parts of a lesson."""

    def __init__(self, bench: Workbench, memory: Any) -> None:
        self.widget = box()

    def refresh(self) -> None:
        """Nothing yet."""
