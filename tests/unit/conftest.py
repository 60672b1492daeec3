"""What unit tests share: a page of its own for each of them."""

from __future__ import annotations

import sys

import pytest

#: What a page makes once, and keeps.
_ONCE = (
    "bridge.bridge",
    "classroom._bar",
    "classroom.attendance",
    "classroom_page.class_page",
    "course_page.course_page",
    "editor.memory",
    "learner.progress",
)


@pytest.fixture(autouse=True)
def shown() -> list[str]:
    """Sentences of the alert region; whatever another test's page made is forgotten."""
    for one in _ONCE:
        module, name = one.split(".")
        if found := sys.modules.get(f"widgets.{module}"):
            getattr(found, name).cache_clear()
    told: list[str] = []
    if errors := sys.modules.get("widgets.errors"):
        errors._sinks[:] = [told.append]
    return told
