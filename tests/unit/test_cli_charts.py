"""``ldv charts``: templates to fill, filled files checked, files found through the environment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tutor import cli
from tutor.cli_charts import charts_of, empty_cells
from tutor.core.yamlio import dump_yaml, parse_yaml
from tutor.games.asl_sk import charts as asl
from tutor.games.tcs import GAME, charts

GAMES_WITH_CHARTS = ["asl_sk", "tcs"]
UNSEEN = {"spotter": "mg", "target": "02.04"}


@pytest.fixture(autouse=True)
def nothing_supplied(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (asl, charts):
        monkeypatch.delenv(module.VARIABLE, raising=False)
        module.withdraw()
    yield
    for module in (asl, charts):
        module.withdraw()


def filled(name: str, row: str, column: str, value: object) -> str:
    data = parse_yaml(charts.template(name), "modèle")
    data["rows"][row][column] = value
    return dump_yaml(data)


@pytest.mark.parametrize("game_id", GAMES_WITH_CHARTS)
def test_every_template_may_be_written_then_checked(
    game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module = charts_of(game_id)
    assert cli.main(["charts", game_id, "--to", str(tmp_path / "tables")]) == 0
    said = capsys.readouterr().out
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == set(module.CHARTS)
    assert f"{module.VARIABLE}={tmp_path / 'tables'}" in said
    assert cli.main(["charts", game_id, "--check", str(tmp_path / "tables")]) == 0
    said = capsys.readouterr().out
    assert all(f"{name}.yaml" in said for name in module.CHARTS)
    assert "vide" in said


@pytest.mark.parametrize("game_id", GAMES_WITH_CHARTS)
def test_the_list_names_every_chart_and_where_files_go(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["charts", game_id]) == 0
    said = capsys.readouterr().out
    module = charts_of(game_id)
    assert all(f"{name} " in said for name in module.CHARTS)
    assert module.VARIABLE in said


def test_one_template_is_printed_as_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["charts", "tcs", "spotting"]) == 0
    data = parse_yaml(capsys.readouterr().out, "modèle")
    assert data["id"] == "spotting"
    assert data["rows"]["0"]["hexes"] == 3
    assert data["rows"]["1"]["hexes"] is None


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "morale.yaml"
    mine.write_text("à moi", encoding="utf-8")
    assert cli.main(["charts", "tcs", "--to", str(tmp_path)]) == 1
    assert "morale" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["morale.yaml"]
    assert mine.read_text(encoding="utf-8") == "à moi"


@pytest.mark.parametrize(
    ("name", "row", "column", "value", "said"),
    [
        ("spotting", "0", "hexes", 4, "contredit le livret\u00a0: 0.hexes"),
        ("spotting", "1", "hexes", "loin", "1.hexes"),
        ("spotting", "1", "metres", 3, "1.metres est inconnue"),
        ("morale", "3", "11", "peur", "un résultat (none"),
        ("fire", "14-16", "65", 2, "contredit le livret\u00a0: 14-16.65"),
    ],
)
def test_a_wrong_cell_is_named(
    name: str, row: str, column: str, value: object, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{name}.yaml"
    path.write_text(filled(name, row, column, value), encoding="utf-8")
    assert cli.main(["charts", "tcs", "--check", str(path)]) == 1
    out = capsys.readouterr().out
    assert said in out
    assert "ldv serve" not in out


@pytest.mark.parametrize(
    "text",
    ["- un\n- deux\n", "id: rien\ntitle: T\nrule: '11.0'\nprovenance: livret\nrows: {}\n", "id: [", "rows: {a: 1}\n"],
)
def test_a_file_that_is_no_chart_is_said_so(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(text, encoding="utf-8")
    assert cli.main(["charts", "tcs", "--check", str(path)]) == 1
    assert str(path) in capsys.readouterr().out


def test_a_missing_file_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["charts", "tcs", "--check", str(tmp_path / "absent.yaml")]) == 1
    assert "absent.yaml" in capsys.readouterr().out


def test_checking_leaves_nothing_supplied(tmp_path: Path) -> None:
    path = tmp_path / "spotting.yaml"
    path.write_text(filled("spotting", "1", "hexes", 5), encoding="utf-8")
    assert cli.main(["charts", "tcs", "--check", str(path)]) == 0
    position = GAME.position("livret-observation").change({"setting.charts": "reader", "piece.mg.status.dug_in": False})
    assert GAME.rules["spotting"](position, **UNSEEN).outcome == "unknown"


def test_the_environment_supplies_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spotting.yaml").write_text(filled("spotting", "1", "hexes", 5), encoding="utf-8")
    monkeypatch.setenv(charts.VARIABLE, str(tmp_path))
    read = GAME.position("livret-observation").change({"setting.charts": "reader", "piece.mg.status.dug_in": False})
    result = GAME.rules["spotting"](read, **UNSEEN)
    assert result.value.hexes == 5
    assert {step.note for step in result.trace.walk() if step.code == "spotting.column"} == {"aide de jeu publiée"}
    assert GAME.rules["spotting"](read.change({"setting.charts": "livret"}), **UNSEEN).outcome == "unknown"


def test_an_empty_column_of_a_supplied_chart_stays_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spotting.yaml").write_text(charts.template("spotting"), encoding="utf-8")
    monkeypatch.setenv(charts.VARIABLE, str(tmp_path / "spotting.yaml"))
    both = {
        "setting.charts": "reader",
        "piece.mg.status.fired": True,
        "piece.mg.status.dug_in": False,
        "piece.mg.status.move": True,
    }
    seen = GAME.rules["spotting"](
        GAME.position("livret-observation").change(both), spotter="compagnie-1", target="08.04"
    )
    assert seen.outcome == "unknown"
    assert seen.missing == "spotting.4.hexes"


def test_columns_may_be_cut_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = parse_yaml(charts.template("fire"), "modèle")
    data["rows"]["17-19"] = data["rows"].pop("17-20")
    path = tmp_path / "fire.yaml"
    path.write_text(dump_yaml(data), encoding="utf-8")
    assert cli.main(["charts", "tcs", "--check", str(path)]) == 0
    assert "Table des tirs" in capsys.readouterr().out


def test_empty_cells_are_counted() -> None:
    table = charts.supply(parse_yaml(charts.template("differential"), "modèle"))
    assert empty_cells(table) == sum(row["shift"] is None for row in table.rows.values())


def test_a_game_that_prints_its_tables_has_none_to_supply(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["charts", "combat_commander"]) == 1
    assert "pas de table à fournir" in capsys.readouterr().err


def test_an_unknown_chart_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["charts", "tcs", "meteo"]) == 1
    assert "meteo" in capsys.readouterr().err
