"""What a hand writes in YAML is read as it is written, or refused with advice: never as something else."""

from __future__ import annotations

from typing import Any

import pytest

from tutor.core.errors import ContentError
from tutor.core.phrases import NBSP, NNBSP
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.yamlio import parse_yaml

BOARD = "schema: 1\ngame: combat_commander\nid: essai\ngrid: {columns: [A, H], rows: [1, 7]}\n"


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (f"titre{NBSP}: x", {"titre": "x"}),
        (f"titre{NNBSP}:{NBSP}x", {"titre": "x"}),
        (f"titre :{NBSP}x", {"titre": "x"}),
        (f"a: {{D3{NBSP}: 4, E4: 5}}", {"a": {"D3": 4, "E4": 5}}),
        (f"levels:\n  1{NBSP}: [D3]", {"levels": {1: ["D3"]}}),
        (f"a: 'Voici{NBSP}: la suite'", {"a": f"Voici{NBSP}: la suite"}),
        ("a: [0, -5, 0.5, 10]", {"a": [0, -5, 0.5, 10]}),
        ("a: ['010', '12:30']", {"a": ["010", "12:30"]}),
    ],
)
def test_it_is_read_as_it_is_written(text: str, data: Any) -> None:
    assert parse_yaml(text) == data


@pytest.mark.parametrize("value", ["010", "12:30", "1:02:03", "0x10", "0b11", "1_000", "-012", "1:30.5"])
def test_a_number_that_yaml_reads_as_another_is_refused(value: str) -> None:
    with pytest.raises(ContentError, match=r"se lirait autrement.*guillemets"):
        parse_yaml(f"a: {value}")


def test_no_marker_is_no_marker() -> None:
    position = Position.parse(f"{BOARD}markers: {{blaze: {{D3: no}}}}")
    assert position.markers.get("blaze", {}) == {}  # neither drawn nor judged
    assert ask(position, "los", start="D1", end="D5").value.visible


def test_a_marker_with_a_value_is_not_just_there() -> None:
    position = Position.parse(f"{BOARD}markers: {{smoke: {{D3: yes}}}}")
    (said,) = game("combat_commander").faults(position)
    assert "D3" in said
    assert "de 1 à 10" in said
