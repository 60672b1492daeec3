"""What every page of a server has in common, read once: Voilà looks for the extensions on the disk and makes an exporter
for each page, and nbconvert compiles its templates anew in each.
"""

from __future__ import annotations

from copy import deepcopy
from types import CodeType
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from voila import handler, notebook_renderer, voila_kernel_manager
from voila.exporter import VoilaExporter
from voila.utils import get_page_config


class CompiledTemplates(BytecodeCache):
    """Compiled templates in memory; a template whose text has changed is compiled again."""

    def __init__(self) -> None:
        self._compiled: dict[str, tuple[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template that is known, with this text."""
        checksum, code = self._compiled.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        if bucket.code is not None:
            self._compiled[bucket.key] = (bucket.checksum, bucket.code)


class PageConfig:
    """Voilà's configuration of a page, before it is ours: the same for every page."""

    def __init__(self) -> None:
        self._read: dict[str, Any] | None = None

    def __call__(self, **given: Any) -> dict[str, Any]:
        """As Voilà's own function; what it returned first, a copy for each page."""
        if self._read is None:
            self._read = get_page_config(**given)
        return deepcopy(self._read)


def read_once() -> None:
    """Have Voilà make every page of this process from what was read and compiled once."""
    compiled = CompiledTemplates()

    class QuickExporter(VoilaExporter):  # type: ignore[misc]
        def _create_environment(self) -> Environment:
            environment: Environment = super()._create_environment()
            environment.bytecode_cache = compiled
            return environment

    notebook_renderer.VoilaExporter = QuickExporter
    handler.get_page_config = voila_kernel_manager.get_page_config = PageConfig()
