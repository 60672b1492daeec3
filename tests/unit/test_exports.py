"""A table of a class in a French spreadsheet: what is text there stays text."""

from __future__ import annotations

import pytest

from tutor.store.exports import BOM, french_csv


def cell(value: object) -> str:
    """One cell, as it is written."""
    return french_csv([["a", value]]).removeprefix(BOM + "a;").rstrip("\r\n")


@pytest.mark.parametrize(
    "text",
    [
        "1/2",
        "10.3",
        "3-4",
        "12:30",
        "3 mai",
        "mai 44",
        "1E5",
        "007",
        "10.3.1",
        "1,5",
        "50 %",
        " 1/2",
        "1/2/3",
        "12 déc.",
    ],
)
def test_what_a_spreadsheet_would_turn_into_a_date_or_a_number_stays_text(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["D3", "O20.3", "6", "Non", "10.3, 10.2", "E4-E5", "3 MF", "Ana", "marche", "2 hexs", ""]
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize(("value", "shown"), [(3, "3"), (1.5, "1,5"), (True, "oui"), (None, "")])
def test_numbers_are_numbers(value: object, shown: str) -> None:
    assert cell(value) == shown
