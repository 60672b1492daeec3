"""What a reader types is read as what he means, or not at all: never as another number."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tutor.core.errors import AnswerError
from tutor.core.phrases import NBSP, NNBSP
from tutor.course.answers import read_number, shown
from tutor.course.diagnosis import judge
from tutor.course.exercises import Task
from tutor.course.lessons import exercises


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 1/2", "7/2"),
        ("3½", "7/2"),
        ("3 ½", "7/2"),
        ("½", "1/2"),
        (".5", "1/2"),
        (",5", "1/2"),
        ("−½", "-1/2"),
        ("- 3 1/2", "-7/2"),
        ("1 / 2", "1/2"),
        ("1 000", "1000"),
        (f"1{NNBSP}000{NBSP}000", "1000000"),
        ("33,3 %", "333/1000"),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, value: str) -> None:
    number = read_number(text)
    assert not isinstance(number, str)
    assert number.value == Fraction(value)


@pytest.mark.parametrize(
    "text", ["6 7", "1 00", "12 34", "6 9/8", "3, 5", "1.000,5", "12:30", "1/0", "3-1", ".", "%", "½½", "1e3"]
)
def test_what_could_be_another_number_is_not_read(text: str) -> None:
    with pytest.raises(AnswerError, match="Je ne lis pas"):
        read_number(text)


@pytest.mark.parametrize("unit", ["hexs", "cartes", "PF", "pas", "MF", "m"])
@pytest.mark.parametrize("value", [Fraction(1), Fraction(2), Fraction(7, 2)])
def test_a_number_is_read_as_the_page_writes_it(unit: str, value: Fraction) -> None:
    number = read_number(shown(value, unit), unit)
    assert not isinstance(number, str)
    assert number.value == value


def test_the_booklet_writes_halves_so() -> None:
    task = Task.of("asl_sk", exercises("asl_sk")["asl-10-mf"])
    assert judge(task, "3 1/2").right
