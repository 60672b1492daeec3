"""Which section of a rulebook has a lesson, a live example, a rule function, golden cases: generated, never written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tutor.core.registry import game
from tutor.course import cases, lessons


def cases_folder(game_id: str) -> Path:
    """Where a checkout keeps the golden cases of a game; a wheel carries none."""
    return Path(__file__).resolve().parents[2] / "tests" / "cases" / game_id


def sections(game_id: str) -> list[dict[str, Any]]:
    """One row for each entry of the index, in its order.

    Returns:
        Rows of game, id, title, kind, lesson (its id), live_example (``lesson/example``), rule (the question that decides
        it), cases (ids); empty text or list where there is none.
    """
    held = game(game_id)
    taught, shown = lessons.teaching(game_id), lessons.showing(game_id)
    decided: dict[str, str] = {}
    for name, rule in held.rules.items():
        for rule_id in rule.ids:
            decided.setdefault(rule_id, name)
    tested = cases.by_rule(cases_folder(game_id))
    rows = []
    for section in held.sections.values():
        example = shown.get(section.id)
        lesson = taught.get(section.id) or (example[0] if example else None)
        rows.append(
            {
                "game": game_id,
                "id": section.id,
                "title": section.title,
                "kind": section.kind,
                "lesson": lesson.id if lesson else "",
                "live_example": f"{example[0].id}/{example[1].id}" if example else "",
                "rule": decided.get(section.id, ""),
                "cases": tested.get(section.id, []),
            }
        )
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as a text table, with totals on the last line."""
    head = ("règle", "titre", "leçon", "exemple", "fonction", "cas")
    lines = [
        (
            row["id"],
            row["title"][:44],
            row["lesson"],
            row["live_example"].partition("/")[2],
            row["rule"],
            str(len(row["cases"]) or ""),
        )
        for row in rows
    ]
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    text = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [head, tuple("-" * w for w in widths), *lines]
    ]
    count = {key: sum(bool(row[key]) for row in rows) for key in ("lesson", "live_example", "rule", "cases")}
    text.append(
        f"{len(rows)} entrées ; leçon : {count['lesson']} ; exemple : {count['live_example']} ; "
        f"fonction : {count['rule']} ; cas : {count['cases']}"
    )
    return "\n".join(text)
