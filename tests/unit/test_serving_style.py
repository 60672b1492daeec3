"""The page's look, as data: contrast in both themes, one palette, nothing from another host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

import widgets
from widgets.board.palette import DARK, LIGHT
from widgets.serving.options import JUPYTER_DATA
from widgets.serving.statics import SHEAVES, Sheaves

TEMPLATE = JUPYTER_DATA / "voila" / "templates" / "ldv"
SOURCES = [file for file in TEMPLATE.rglob("*") if file.suffix in (".css", ".js", ".j2", ".html", ".svg")]
SHEETS = sorted(Path(widgets.__file__).parent.rglob("*.css"))
TEXT_ON = [
    ("ink", "paper"),
    ("ink", "card"),
    ("ink", "sunk"),
    ("ink", "olive-soft"),
    ("ink", "clear-soft"),
    ("ink", "hindered-soft"),
    ("ink", "blocked-soft"),
    ("ink-soft", "paper"),
    ("ink-soft", "card"),
    ("ink-soft", "sunk"),
    ("olive-deep", "paper"),
    ("olive-deep", "card"),
    ("olive-deep", "sunk"),
    ("olive-deep", "olive-soft"),
    ("on-olive", "olive"),
    ("on-olive", "olive-deep"),
    ("clear-ink", "card"),
    ("clear-ink", "clear-soft"),
    ("hindered-ink", "card"),
    ("hindered-ink", "hindered-soft"),
    ("blocked-ink", "card"),
    ("blocked-ink", "blocked-soft"),
    ("paper", "ink"),
]
SHAPE_ON = [("edge", "paper"), ("edge", "card"), ("olive", "paper"), ("clear", "paper"), ("blocked", "paper")]


def tokens(theme: str) -> dict[str, str]:
    """The six-digit colours that colours.css gives to a theme, by name."""
    text = (TEMPLATE / "static" / "colours.css").read_text(encoding="utf-8")
    blocks = {"light": r"^:root \{(.*?)^\}", "dark": r'^:root\[data-theme="dark"\] \{(.*?)^\}'}
    colours: dict[str, str] = {}
    for name in ("light", theme):
        block = re.search(blocks[name], text, re.S | re.M)
        assert block is not None
        colours |= dict(re.findall(r"--ldv-([\w-]+): (#[0-9A-F]{6});", block[1]))
    return colours


def luminance(colour: str) -> float:
    """Relative luminance of `#RRGGBB`, as WCAG defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_contrast_is_aa(theme: str, text: str, ground: str) -> None:
    colours = tokens(theme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPE_ON)
def test_shape_contrast_is_aa(theme: str, shape: str, ground: str) -> None:
    colours = tokens(theme)
    assert contrast(colours[shape], colours[ground]) >= 3.0


@pytest.mark.parametrize(("theme", "palette"), [("light", LIGHT), ("dark", DARK)])
def test_page_and_boards_share_their_colours(theme: str, palette: object) -> None:
    colours = tokens(theme)
    drawn = asdict(palette)  # type: ignore[call-overload]
    shared = ("paper", "ink", "olive", "line", "clear", "hindered", "blocked")
    assert {name: colours[name] for name in shared} == {name: drawn[name] for name in shared}


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.name)
def test_nothing_comes_from_another_host(file: object) -> None:
    text = file.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"')]*", text))
    assert {address for address in addresses if not address.startswith("http://www.w3.org/")} == set()


def test_the_font_comes_with_its_licence() -> None:
    fonts = TEMPLATE / "static" / "fonts"
    assert len(list(fonts.glob("*.woff2"))) == 3
    assert "SIL OPEN FONT LICENSE" in next(fonts.glob("*OFL.txt")).read_text(encoding="utf-8")


def test_used_fonts_exist() -> None:
    text = (TEMPLATE / "static" / "ldv.css").read_text(encoding="utf-8")
    named = re.findall(r'url\("(fonts/[^"]+)"\)', text)
    assert named
    assert all((TEMPLATE / "static" / name).is_file() for name in named)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_style_depends_on_whether_the_whole_page_has_something(sheet: Path) -> None:
    """`html:has(…)` has all style of the page worked out again at each change of it; `data-has` says what is there."""
    whole_page = (
        r"(?:(?<![\w.-])(?:html|body)|:root|#rendered_cells|#ldv-content)(?:\[[^]]*\])*(?::(?:is|not))?\(?:has\("
    )
    assert not re.findall(whole_page, sheet.read_text(encoding="utf-8"))
    used = set(re.findall(r'data-has~="(\w+)"', sheet.read_text(encoding="utf-8")))
    script = (TEMPLATE / "static" / "ldv.js").read_text(encoding="utf-8")
    noted = re.search(r"const PARTS = \{(.*?)\};", script, re.S)
    assert noted
    assert used <= set(re.findall(r'(\w+): "', noted[1]))


def of_some_widths(sheet: str) -> Iterator[str]:
    """What a style sheet says of some widths alone."""
    for opening in re.finditer(r"@(?:media|container)[^{]*width[^{]*\{", sheet):
        depth, end = 1, opening.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(sheet[end], 0)
            end += 1
        yield sheet[opening.end() : end - 1]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_colour_of_some_widths_is_one_of_both_themes(sheet: Path) -> None:
    """So contrasts need not be looked at in each theme at each width (tests/browser/test_accessibility.py)."""
    for said in of_some_widths(re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)):
        assert not re.search(r"data-theme|prefers-color-scheme", said)
        coloured = re.findall(
            r"[{;]\s*(?:[\w-]*color|background[\w-]*|border[\w-]*|outline|fill|stroke)\s*:\s*([^;}]+)", said
        )
        others = {word for value in coloured for word in re.sub(r"var\([^)]*\)|\b[\d.]+(?:px)?", " ", value).split()}
        assert others <= {
            "none",
            "transparent",
            "currentcolor",
            "inherit",
            "solid",
        }  # neither a value nor a name of one


def test_each_sheet_and_script_stands_in_one_of_the_files_that_a_page_asks_for() -> None:
    joined = sorted(part for parts in SHEAVES.values() for part in parts)
    assert joined == sorted(file.name for file in (TEMPLATE / "static").iterdir() if file.suffix in (".css", ".js"))
    asked = (TEMPLATE / "page.macro.html.j2").read_text(encoding="utf-8")
    assert set(re.findall(r"ldv\.assets \}\}/([\w.]+\.(?:css|js))", asked)) == set(SHEAVES)


def test_what_is_joined_is_sent_in_its_order_and_as_it_is_now(tmp_path: Path) -> None:
    for name, text in {"a.css": "a{}", "b.css": "b{}", "c.js": "1", "d.js": "2"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    store = Sheaves([tmp_path], {"page.css": ("b.css", "a.css"), "page.js": ("c.js", "d.js")})
    assert [store.read(store.locate(name))[0] for name in ("page.css", "page.js")] == [b"b{}\na{}", b"1\n;2"]
    assert store.read(store.locate("a.css"))[0] == b"a{}"
    (tmp_path / "a.css").write_text("a{color:red}", encoding="utf-8")
    assert store.read(store.locate("page.css"))[0] == b"b{}\na{color:red}"
    assert store.version != Sheaves([tmp_path], {"page.css": ("a.css", "b.css")}).version
