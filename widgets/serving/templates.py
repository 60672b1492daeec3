"""What every page of a server has in common, read once: Voilà looks for the extensions on the disk and makes an exporter
for each page, and nbconvert compiles its templates anew in each.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from types import CodeType
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from voila import handler, notebook_renderer, voila_kernel_manager
from voila.exporter import VoilaExporter
from voila.utils import get_page_config

#: Pages that many may ask for at once.
READY = ("waiting.html", "error.html")


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


class Around:
    """What stands around a page of ours that needs no kernel.

    Args:
        environment: of the templates.
        page: what is shown of the page.
    """

    def __init__(self, environment: Environment, page: dict[str, Any]) -> None:
        macros = environment.get_template("page.macro.html.j2").module
        self.page = page
        self.head = cache(lambda title: macros.head(title, page))  # type: ignore[attr-defined]
        self.banner, self.header, self.footer = macros.banner(), macros.header(page), macros.footer(page)  # type: ignore[attr-defined]


class PlainPages:
    """Pages of ours that need no kernel; what stands around each is made once, for a class that comes at once.

    Args:
        environment: of the templates.
        describe: says of a path what is shown around it.
    """

    def __init__(self, environment: Environment, describe: Callable[[str], dict[str, Any]]) -> None:
        self._environment = environment
        for template in READY:
            environment.get_template(template)  # compiled before anyone waits for it
        self._around = cache(lambda path: Around(environment, describe(path)))

    def render(self, template: str, path: str = "", **values: Any) -> str:
        """A page.

        Args:
            template: its name; path: of the notebook that it leads to, one of the catalogue; values: what it shows.
        """
        return self._environment.get_template(template).render(**values, around=self._around(path))


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
