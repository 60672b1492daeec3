"""What pages have in common is read once for a server; a template is compiled again when its text changes."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader
from voila import handler, notebook_renderer, voila_kernel_manager

from widgets.serving import templates
from widgets.serving.headers import HEARTBEAT, page_policy, script_hash
from widgets.serving.templates import CompiledTemplates, PageConfig, read_once

#: Where Voilà asks for the configuration of a page: for a reader, and for a page that is made ready.
READERS = ((handler, "get_page_config"), (voila_kernel_manager, "get_page_config"))


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Names of the templates that were parsed, which comes before they are compiled."""
    names: list[str | None] = []
    parse = Environment._parse

    def count(self: Environment, source: str, name: str | None, filename: str | None) -> object:
        names.append(name)
        return parse(self, source, name, filename)

    monkeypatch.setattr(Environment, "_parse", count)
    return names


def test_every_page_is_made_of_templates_that_were_compiled_for_the_first(
    parsed: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((notebook_renderer, "VoilaExporter"), *READERS):
        monkeypatch.setattr(module, name, getattr(module, name))
    read_once()
    assert all(isinstance(getattr(module, name), PageConfig) for module, name in READERS)
    pages = [notebook_renderer.VoilaExporter(template_name="lab").template for _ in range(2)]
    assert len(parsed) == len(set(parsed)) > 0
    assert pages[0].environment is not pages[1].environment  # each has filters of its own


def test_the_configuration_of_pages_is_read_once_and_each_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def read(base_url: str) -> dict[str, list[str]]:
        asked.append(base_url)
        return {"of": []}

    monkeypatch.setattr(templates, "get_page_config", read)
    config = PageConfig()
    config(base_url="/")["of"].append("ours")
    assert config(base_url="/") == {"of": []}
    assert asked == ["/"]


def test_a_template_that_has_changed_is_compiled_again(tmp_path: Path) -> None:
    compiled = CompiledTemplates()
    for text in ("un", "deux"):
        (tmp_path / "page").write_text(text, encoding="utf-8")
        environment = Environment(loader=FileSystemLoader(tmp_path), bytecode_cache=compiled, autoescape=True)
        assert environment.get_template("page").render() == text


def test_what_a_page_says_while_its_kernel_lets_it_wait_may_be_said() -> None:
    assert f"<script>{HEARTBEAT}</script>" in inspect.getsource(handler)
    assert script_hash(HEARTBEAT) in page_policy("localhost:8866")
