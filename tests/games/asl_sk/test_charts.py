"""ASL Starter Kit: a reader's own charts are checked strictly, then used with their provenance shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tutor.core.errors import ContentError
from tutor.core.registry import ask
from tutor.games.asl_sk import GAME, charts

GAME.load()
READER = GAME.position("ecole").change({"setting.charts": "reader"})


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Every test starts and ends without a reader's chart."""
    charts.withdraw()
    yield
    charts.withdraw()


def filled(name: str) -> dict[str, Any]:
    """A reader's file: our template, filled with the public values."""
    data: dict[str, Any] = yaml.safe_load(charts.template(name))
    for row, cells in data["rows"].items():
        for column in cells:
            if column != "term":
                cells[column] = GAME.tables[name].get(row, column)
    return data


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_filled_template_is_taken_and_an_empty_one_says_what_it_does_not_know(name: str) -> None:
    assert charts.supply(filled(name)).provenance == "aide de jeu publiée"
    empty = yaml.safe_load(charts.template(name))
    assert any(value is None for cells in empty["rows"].values() for value in cells.values())
    assert charts.supply(empty).id == name


def test_the_reader_s_chart_decides_only_where_the_setting_says_so(tmp_path: Path) -> None:
    data = filled("ift")
    data["rows"]["r7"]["c4"] = "NMC"
    file = tmp_path / "ift.yaml"
    file.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    charts.supply_file(file)
    asked = {"fp": 4, "drm": 0, "dice": [3, 4]}
    assert ask(GAME.position("ecole"), "ift", **asked).value == "PTC"
    own = ask(READER, "ift", **asked)
    assert own.value == "NMC"
    assert {step.note for step in own.trace.walk() if step.kind == "table"} == {"aide de jeu publiée"}


def test_a_cell_that_the_reader_left_empty_is_unknown() -> None:
    data = filled("ift")
    data["rows"]["r7"]["c4"] = None
    charts.supply(data)
    result = ask(READER, "ift", fp=4, drm=0, dice=[3, 4])
    assert (result.outcome, result.missing) == ("unknown", "ift.r7.c4")
    assert ask(READER, "ift", fp=4, drm=0, dice=[3, 3]).value == "NMC"


def test_the_environment_names_a_folder_of_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = filled("close_combat")
    data["rows"]["o1-1"]["kill_number"] = 6
    (tmp_path / "cct.yaml").write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    monkeypatch.setenv(charts.VARIABLE, str(tmp_path))
    assert ask(READER, "close_combat", attack=4, defence=4).value["kill_number"] == 6
    assert ask(GAME.position("ecole"), "close_combat", attack=4, defence=4).value["kill_number"] == 5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(id="inft"), "« inft » n’existe pas"),
        (lambda d: d.update(provenance="mon cousin"), "mon cousin"),
        (lambda d: d.update(titre="IFT"), "Clé inconnue : titre"),
        (lambda d: d.pop("rows"), "« rows »"),
        (lambda d: d["rows"].pop("r3"), "la ligne r3 manque"),
        (lambda d: d["rows"].update(r16={"c1": "NE"}), "la ligne r16 est inconnue"),
        (lambda d: d["rows"]["r3"].pop("c8"), "r3.c8 manque"),
        (lambda d: d["rows"]["r3"].update(c7="NE"), "r3.c7 est inconnue"),
        (lambda d: d["rows"]["r3"].update(c8="5MC"), "« 5MC » n’est pas un résultat"),
        (lambda d: d["rows"]["r3"].update(c8=4), "« 4 » n’est pas un résultat"),
        (lambda d: d["rows"]["r3"].update(c8="NE"), "r3.c8 (NE) est moins grave que r4.c8 (2MC)"),
    ],
)
def test_every_fault_of_a_reader_s_ift_is_named(change: Any, said: str) -> None:
    data = filled("ift")
    change(data)
    with pytest.raises(ContentError) as error:
        charts.supply(data, "mon-ift.yaml")
    assert said in str(error.value)
    assert "mon-ift.yaml" in str(error.value)
    assert ask(READER, "ift", fp=4, drm=0, dice=[3, 4]).value == "PTC"


def test_numbers_of_the_other_charts_are_numbers() -> None:
    data = filled("to_hit")
    data["rows"]["itt_black"]["r6"] = "huit"
    with pytest.raises(ContentError, match="« huit » n’est pas un nombre entier"):
        charts.supply(data)
    ladder = filled("calibres")
    ladder["rows"]["mm70"]["least"] = 75
    with pytest.raises(ContentError, match=r"mm70\.least vaut 70, pas 75"):
        charts.supply(ladder)
