"""``ldv``: what it prints, and the code it ends with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.test_cases import GOOD
from tutor import __version__, cli
from tutor.core.registry import GAMES, game
from tutor.course.where import named_in


@pytest.fixture
def case_file(tmp_path: Path) -> Path:
    path = tmp_path / "distance.yaml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"ldv {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["danser"], ["solve"], ["coverage", "echecs"], ["schema", "carte"], ["check", "--vite"]]
)
def test_what_is_not_understood_is_one_french_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert said.startswith("ldv : ")
    assert said.count("\n") == 1


def test_solve_prints_json(case_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["solve", str(case_file)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["outcome"] == "computed"
    assert data["value"]["visible"] is False
    assert data["refusals"] == []
    assert data["trace"]["children"][-1]["rule"] == "10.2"
    assert data["odds"] is None


def test_solve_gives_odds_and_the_sentences_of_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tir.yaml"
    path.write_text(
        "id: tir\ntitle: Tir\ngame: combat_commander\norigin: imprimé\nposition: livret-tir\nask: fire\n"
        "with: {firers: [peloton-l8, peloton-k8, peloton-j7, peloton-j6, mg-j6], target: M6}\n"
        "odds: {ask: fire_odds, with: {firers: [peloton-l8, peloton-k8, peloton-j7, peloton-j6, mg-j6], target: M6}}\n"
        "expect: {value: {fp: 11}, odds: {any_broken: 1226/1296}}\n",
        encoding="utf-8",
    )
    assert cli.main(["solve", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["odds"]["any_broken"] == "613/648"
    path.write_text(
        path.read_text(encoding="utf-8").replace(
            "ask: fire\nwith: {firers: [peloton-l8, peloton-k8, peloton-j7, peloton-j6, mg-j6], target: M6}\n",
            "ask: fire\nwith: {firers: [peloton-l8], target: J3}\n",
        ),
        encoding="utf-8",
    )
    assert cli.main(["solve", str(path)]) == 0
    refusals = json.loads(capsys.readouterr().out)["refusals"]
    assert refusals
    assert all(refusal["rule"] and refusal["sentence"] for refusal in refusals)


def test_cases_close_with_a_count(case_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cases", str(case_file.parent)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"
    case_file.write_text(GOOD.replace("distance: 4", "distance: 7"), encoding="utf-8")
    assert cli.main(["cases", str(case_file.parent)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "value.distance : attendu 7, obtenu 4" in lines[0]
    assert "distance.yaml" in lines[0]
    assert lines[-1] == "0 passed, 1 failed"


def test_cases_of_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cases", "/nulle/part"]) == 1
    assert "n’existe pas" in capsys.readouterr().err


def test_a_broken_case_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "casse.yaml"
    path.write_text("id: [", encoding="utf-8")
    assert cli.main(["solve", str(path)]) == 1
    said = capsys.readouterr().err
    assert "casse.yaml, ligne" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("game_id", GAMES)
def test_all_content_is_valid(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["check", game_id])
    assert (code, capsys.readouterr().out) == (0, "Tout le contenu est valable.\n")


def test_the_check_lists_the_faults_of_every_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tutor.course.check.faults", lambda game_id: [f"{game_id} : faute"])
    assert cli.main(["check"]) == 1
    assert capsys.readouterr().out.split("\n")[:-1] == [*(f"{one} : faute" for one in GAMES), f"{len(GAMES)} fautes."]
    assert cli.main(["check", "tcs"]) == 1
    assert capsys.readouterr().out.endswith("\n1 faute.\n")


def test_coverage_has_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["coverage", "combat_commander", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["sections"]
    assert [row["id"] for row in rows] == list(game("combat_commander").sections)
    assert all(
        set(row) == {"game", "id", "title", "kind", "lesson", "live_example", "rule", "cases", "state"} for row in rows
    )
    by_id = {row["id"]: row for row in rows}
    assert by_id["10.2"]["lesson"] == "cc-04-ldv"
    assert by_id["10.2"]["live_example"] == "cc-04-ldv/lisiere"
    assert by_id["10.2"]["rule"] == "los"
    assert by_id["10.2"]["cases"]
    assert by_id["10.2"]["state"] == "complet"
    assert by_id["INDEX"]["live_example"] == by_id["INDEX"]["state"] == ""
    assert by_id["TERRAIN"]["state"] == "hérité"
    assert cli.main(["coverage", "combat_commander"]) == 0
    assert "345 entrées" in capsys.readouterr().out.splitlines()[-1]


def test_where_gives_the_function_its_line_its_lesson_and_its_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["where", "11.4", "--game", "tcs", "--json"]) == 0
    (only,) = json.loads(capsys.readouterr().out)
    assert (only["game"], only["rule"]) == ("tcs", "11.4")
    place = only["places"][0]
    line = Path(place["path"]).read_text(encoding="utf-8").splitlines()[place["line"] - 1]
    assert place["question"] == "crossfire"
    assert line.startswith("def crossfire(")
    assert "tcs-07-croise" in [one["id"] for one in only["lessons"]]
    assert only["cases"]
    assert all(Path(one["path"]).is_file() for one in only["lessons"] + only["cases"])
    assert cli.main(["where", "11.4", "--game", "tcs"]) == 0
    said = capsys.readouterr().out
    assert f"{place['path']}:{place['line']}  crossfire" in said


def test_where_looks_in_every_game_that_has_the_rule_or_in_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["where", "1.1", "--json"]) == 0
    games = [one["game"] for one in json.loads(capsys.readouterr().out)]
    assert games == [name for name in GAMES if "1.1" in game(name).sections]
    assert len(games) > 1
    assert cli.main(["where", "1.1", "--game", games[1], "--json"]) == 0
    assert [one["game"] for one in json.loads(capsys.readouterr().out)] == games[1:2]


@pytest.mark.parametrize("given", [["99.99"], ["A32", "--game", "tcs"]])
def test_where_of_an_unknown_rule_says_so(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["where", *given]) == 1
    said = capsys.readouterr().err
    assert given[0] in said
    assert said.count("\n") == 1


def test_where_names_what_declares_a_rule_not_what_only_mentions_it(tmp_path: Path) -> None:
    path = tmp_path / "essai.py"
    path.write_text(
        '''X = {"1.2": "texte"}
@GAME.question("voir", rules=("1.2",), label="?")
def voir(ctx):
    """Doc of 1.2."""
    return 1
def aide(ctx):
    """Rule 1.2."""
    ctx.step("1.3", "code")
def suite(ctx):
    ctx.step("1.2", "code")
''',
        encoding="utf-8",
    )
    assert [(one.name, one.line, one.question) for one in named_in(path, "1.2")] == [
        ("X", 1, ""),
        ("voir", 3, "voir"),
        ("suite", 9, ""),
    ]


@pytest.mark.parametrize("form", ["position", "case", "exercise", "lesson"])
def test_schemas(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", form]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert ("with" in schema["properties"]) == (form in ("case", "exercise"))


def test_serve_forwards_its_options_and_its_exit_code() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tutor.cli", "serve", "--port", "zut"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "--port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_serve_forwards_signals(tmp_path: Path) -> None:
    """A stand-in for the server package, found first, that waits for the signal."""
    package = tmp_path / "widgets" / "serving"
    package.mkdir(parents=True)
    for folder in (tmp_path / "widgets", package):
        (folder / "__init__.py").write_text("")
    (package / "__main__.py").write_text(
        "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\nprint(sys.argv[1:], flush=True)\nsignal.pause()\n"
    )
    root = Path(cli.__file__).resolve().parents[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "tutor.cli", "serve", "--host", "127.0.0.1"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{root}"},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "['--host', '127.0.0.1']\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 7


def test_what_is_declared_to_a_question_has_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["questions", "combat_commander", "fire", "--json"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["required"] == ["firers", "target"]
    assert schema["properties"]["mode"]["enum"] == ["order", "op_fire", "assault"]
    assert cli.main(["questions", "sherman_leader", "--json"]) == 0
    assert "attack_odds" in json.loads(capsys.readouterr().out)


def test_cli_imports_nothing_of_jupyter() -> None:
    code = "import sys, tutor.cli, tutor.course.check; print([m for m in sys.modules if m.split('.')[0] in ('widgets', 'IPython', 'ipywidgets', 'jupyter_server', 'voila')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
