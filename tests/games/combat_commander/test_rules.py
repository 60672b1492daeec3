"""Every rule function of Combat Commander: each of its steps has a sentence and a rule of the index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.course.cases import case_files, position_of, read_cases, solve

GAME = game("combat_commander")
FIRE = GAME.position("livret-tir")
CASES = Path(__file__).parent / "cases"
GROUP = ["peloton-l8", "peloton-k8", "peloton-j7", "peloton-j6", "mg-j6"]


def said(result: Result[Any], position: Position = FIRE) -> list[str]:
    """The sentences of every step of a result."""
    return [GAME.sentence(step, position) for step in result.trace.walk()]


QUESTIONS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("values", {}, {"piece": "peloton-l8"}),
    (
        "values",
        {"piece.peloton-l8.status.suppressed": True, "marker.fortification.L8": "wire"},
        {"piece": "peloton-l8"},
    ),
    ("values", {"piece.equipe.status.suppressed": True}, {"piece": "equipe"}),
    ("values", {"piece.mortier.carrier": "peloton-l8"}, {"piece": "mortier"}),
    ("values", {"piece.mg-l8.carrier": "bolter"}, {"piece": "mg-l8"}),
    ("values", {}, {"piece": "bolter"}),
    ("activation", {}, {"unit": "grein"}),
    ("activation", {}, {"unit": "grein", "units": ["bolter", "mg-j6", "peloton-us", "equipe"]}),
    ("activation", {"piece.equipe.at": "N9"}, {"unit": "grein", "units": ["equipe"]}),
    ("cover", {"marker.fortification.M5": "trench"}, {"cell": "M5", "against": "mortar", "firing_from": ["M9"]}),
    ("cover", {"side.M5/M6": "wall"}, {"cell": "M5", "against": "fire", "firing_from": ["M9", "K5"]}),
    ("cover", {"side.M5/M6": "hedge"}, {"cell": "M5", "against": "mortar", "firing_from": ["M9"]}),
    ("cover", {}, {"cell": "M5", "against": "flame"}),
    ("cover", {}, {"cell": "M5", "against": "mines"}),
    ("stacking", {"piece.peloton-j7.at": "L8"}, {"cell": "L8", "side": "axis"}),
    ("fire", {}, {"firers": GROUP, "target": "M6"}),
    ("fire", {}, {"firers": ["grein", "mortier", "mg-k8", "equipe"], "target": "N4", "actions": ["crossfire"]}),
    ("fire", {"terrain.L8": "marsh"}, {"firers": ["mg-l8"], "target": "M6", "actions": ["sustained_fire", "grenades"]}),
    ("fire", {}, {"firers": ["peloton-l8"], "target": "M6", "also": "M5", "actions": ["spray_fire", "spray_fire"]}),
    (
        "fire",
        {},
        {"firers": ["peloton-l8"], "target": "M6", "also": "N4", "actions": ["bore_sighting", "marksmanship"]},
    ),
    ("fire_order", {}, {"pieces": ["grein"]}),
    ("fire_order", {}, {"pieces": ["grein", "equipe"]}),
    (
        "attack",
        {"piece.bolter.at": "M6", "piece.bolter.side": "allies", "state.defender": "axis"},
        {
            "firers": ["mg-l8"],
            "target": "M6",
            "actions": ["sustained_fire", "bore_sighting"],
            "roll": [3, 3],
            "jammed": True,
            "concealment": 1,
            "defence": {"peloton-us": [1, 2], "bolter": [6, 6]},
        },
    ),
    (
        "attack",
        {},
        {"firers": ["mortier"], "target": "N7", "targeting": [6, 5], "roll": [3, 4], "defence": {"equipe-us": [3, 4]}},
    ),
    (
        "attack",
        {},
        {
            "firers": ["peloton-l8"],
            "target": "M6",
            "roll": [6, 6],
            "wounds": ["peloton-us"],
            "defence": {"peloton-us": [1, 1]},
        },
    ),
    ("targeting", {}, {"weapon": "mortier", "target": "N7", "roll": [6, 1]}),
    ("targeting", {}, {"weapon": "mg-l8", "target": "M6", "smoke": True}),
    ("targeting_odds", {}, {"weapon": "mortier", "target": "N7"}),
    ("fire_odds", {}, {"firers": GROUP, "target": "M6", "then": [{"firers": ["mg-l8"], "target": "M6"}]}),
    ("op_fire", {}, {"firers": ["mortier"], "target": "N7", "entered": "N8", "cause": "move", "already": 1}),
    ("op_fire", {}, {"firers": ["peloton-l8"], "target": "M6", "cause": "transfer"}),
    ("op_fire", {}, {"firers": ["peloton-l8"], "target": "M6", "cause": "retreat"}),
    ("move", {}, {"pieces": ["bolter", "peloton-l8"], "path": ["M8", "M7", "M6"]}),
    ("move", {"marker.fortification.M8": "wire"}, {"pieces": ["bolter"], "path": ["M8", "M7"]}),
    ("move", {"side.L8/M8": "cliff", "marker.blaze.M8": True}, {"pieces": ["bolter"], "path": ["M8"]}),
    ("move", {}, {"pieces": ["bolter", "mg-l8", "grein"], "path": ["M5"]}),
    ("step_cost", {"side.L8/M8": "fence"}, {"start": "L8", "end": "M8"}),
    ("transfer", {}, {"giver": "bolter", "receiver": "peloton-j6"}),
    ("recover", {"state.activated_players": ["allies"]}, {"side": "allies"}),
    ("recover", {"piece.bolter.status.suppressed": True}, {"side": "axis", "rolls": {"peloton-k8": [4, 5]}}),
    ("recover_odds", {}, {"piece": "bolter", "morale": 7}),
    ("rout", {}, {"side": "axis", "rolls": {"peloton-k8": [6, 6]}}),
    ("rout", {}, {"side": "allies"}),
    ("rout_odds", {}, {"piece": "peloton-k8"}),
    ("retreat", {"marker.blaze.J7": True}, {"piece": "peloton-k8", "distance": 2, "edge": "left"}),
    (
        "retreat",
        {"side.J7/K8": "cliff", "terrain.J8": "water_barrier"},
        {"piece": "peloton-k8", "distance": 1, "edge": "left"},
    ),
    ("retreat", {"piece.peloton-us.at": "J7"}, {"piece": "peloton-k8", "distance": 1, "path": ["J7"], "edge": "left"}),
    ("retreat", {}, {"piece": "bolter", "distance": 1, "path": ["M8", "M9"], "edge": "bottom"}),
    ("move", {"state.edges": {"allies": "bottom"}}, {"pieces": ["bolter"], "path": ["L9", "L10", "exit"]}),
    ("smoke_grenades", {"terrain.J9": "marsh"}, {"piece": "grein", "cell": "J9"}),
    ("light_wounds", {}, {"piece": "equipe", "cause": "melee"}),
]


@pytest.mark.parametrize(("question", "changes", "arguments"), QUESTIONS)
def test_every_step_has_a_sentence_and_a_rule_of_the_index(
    question: str, changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    position = FIRE.change(changes)
    result = ask(position, question, **arguments)
    assert all(said(result, position))
    assert [step.rule for step in result.trace.walk() if step.rule not in GAME.sections] == []


@pytest.mark.parametrize("path", case_files(CASES), ids=lambda path: path.stem)
def test_every_golden_case_can_be_told(path: Path) -> None:
    for case in read_cases(path):
        result, _ = solve(case, path)
        assert all(said(result, position_of(case, path))), case.id


def test_a_step_code_without_sentence_would_be_found() -> None:
    """Every code a module of ours writes has a template: none waits for a rare case to be missed."""
    import re

    modules = sorted(GAME.folder.rglob("*.py"))
    code = re.compile(r"""\(\s*"(?:[A-Z]*[0-9][0-9.]*)",\s*"([a-z_]+\.[a-z_.]+)\"""")
    used = {match for path in modules for match in code.findall(path.read_text(encoding="utf-8"))}
    assert len(used) > 100
    assert [c for c in sorted(used) if c not in GAME.phrases.templates] == []


def test_a_line_that_nothing_blocks_names_all_that_could() -> None:
    """The tables say what is an obstacle; hills are another rule's (T88.3)."""
    tables = [GAME.tables[name] for name in ("terrain", "sides", "markers")]
    terms = [table.term(row) for table in tables for row in table.rows if table.get(row, "los", "") == "obstacle"]
    assert len(terms) > 3
    sentence = GAME.phrases.templates["los.no_obstacle"].lower()
    assert [term for term in terms if f"ni {term.lower()}" not in sentence] == []
    assert sentence.count("ni ") == len(terms)
