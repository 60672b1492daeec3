"""The templates of pages, compiled once: Voilà makes an exporter for each page, and nbconvert compiles anew in each."""

from __future__ import annotations

from types import CodeType

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from voila import notebook_renderer
from voila.exporter import VoilaExporter


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


def compile_once() -> None:
    """Have Voilà make every page of this process from templates that are compiled once."""
    compiled = CompiledTemplates()

    class QuickExporter(VoilaExporter):  # type: ignore[misc]
        def _create_environment(self) -> Environment:
            environment: Environment = super()._create_environment()
            environment.bytecode_cache = compiled
            return environment

    notebook_renderer.VoilaExporter = QuickExporter
