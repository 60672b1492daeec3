"""Which section of a rulebook has a lesson, a live example, a rule function, golden cases: generated, never written."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tutor.core.registry import game
from tutor.course import cases, lessons
from tutor.course.models import Lesson
from tutor.course.showing import showing


def cases_folder(game_id: str) -> Path:
    """Where the golden cases of a game are: its own ``cases/``, else its room in a checkout (a wheel carries none)."""
    own = game(game_id).folder / "cases"
    if own.is_dir():
        return own
    return Path(__file__).resolve().parents[2] / "tests" / "games" / game_id / "cases"


#: What a computational section must have to be covered.
NEEDED = ("lesson", "live_example", "rule", "cases")
COVERED, INHERITED = "complet", "hérité"


def sections(game_id: str) -> list[dict[str, Any]]:
    """One row for each entry of the index, in its order.

    Returns:
        Rows of game, id, title, kind, lesson (its id), live_example (``lesson/example``, or ``family/example`` of the
        articles), rule (the question that decides it: the one that declares it, else the one most cases that name it
        ask), cases (ids), state; empty text or list where there is none. ``state`` of a computational section:
        ``complet`` with all four; of a heading whose computational descendants all are: ``hérité``.
    """
    rulebook = game(game_id)
    taught, shown = lessons.teaching(game_id), showing(game_id)
    decided: dict[str, str] = {}
    for name, rule in rulebook.rules.items():
        for rule_id in rule.ids:
            decided.setdefault(rule_id, name)
    tested = cases.by_rule(cases_folder(game_id))
    rows = []
    for section in rulebook.sections.values():
        example = shown.get(section.id)
        lesson = taught.get(section.id) or (example.place if example and isinstance(example.place, Lesson) else None)
        named = tested.get(section.id, [])
        asked = Counter(case.ask for case in named).most_common(1)
        rows.append(
            {
                "game": game_id,
                "id": section.id,
                "title": section.title,
                "kind": section.kind,
                "lesson": lesson.id if lesson else "",
                "live_example": f"{example.place.id}/{example.example.id}" if example else "",
                "rule": decided.get(section.id, asked[0][0] if asked else ""),
                "cases": [case.id for case in named],
                "state": "",
            }
        )
    set_states(rows, {section.id: section.parent for section in rulebook.sections.values()})
    return rows


def set_states(rows: list[dict[str, Any]], parents: dict[str, str | None]) -> None:
    """Say of each computational section whether it is covered, by itself or by all that it heads.

    >>> full, bare = dict.fromkeys(NEEDED, "x"), dict.fromkeys(NEEDED, "")
    >>> tree = {"A": None, "A1": "A", "A2": "A", "B": None, "B1": "B", "B2": "B"}
    >>> filled = {i: full if i in ("A1", "A2", "B1") else bare for i in tree}
    >>> rows = [{"id": i, "kind": "computational", "state": "", **filled[i]} for i in tree]
    >>> set_states(rows, tree)
    >>> [row["id"] + " " + row["state"] for row in rows]
    ['A hérité', 'A1 complet', 'A2 complet', 'B ', 'B1 complet', 'B2 ']
    """
    computed = [row for row in rows if row["kind"] == "computational"]
    below: dict[str, list[dict[str, Any]]] = {}
    for row in computed:
        if all(row[key] for key in NEEDED):
            row["state"] = COVERED
        parent = parents[row["id"]]
        while parent is not None:
            below.setdefault(parent, []).append(row)
            parent = parents[parent]
    for row in reversed(computed):  # a section comes before those it heads
        if not row["state"] and all(child["state"] for child in below.get(row["id"], [{"state": ""}])):
            row["state"] = INHERITED


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as a text table, with totals on the last line."""
    head = ("règle", "titre", "leçon", "exemple", "fonction", "cas", "calcul")
    lines = [
        (
            row["id"],
            row["title"][:44],
            row["lesson"],
            row["live_example"].partition("/")[2],
            row["rule"],
            str(len(row["cases"]) or ""),
            row["state"] or ("manque" if row["kind"] == "computational" else ""),
        )
        for row in rows
    ]
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    text = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [head, tuple("-" * w for w in widths), *lines]
    ]
    count = {key: sum(bool(row[key]) for row in rows) for key in NEEDED}
    computed = [row["state"] for row in rows if row["kind"] == "computational"]
    text.append(
        f"{len(rows)} entrées ; leçon : {count['lesson']} ; exemple : {count['live_example']} ; "
        f"fonction : {count['rule']} ; cas : {count['cases']} ; "
        f"articles de calcul : {len(computed)}, complets : {computed.count(COVERED)}, hérités : "
        f"{computed.count(INHERITED)}"
    )
    return "\n".join(text)
