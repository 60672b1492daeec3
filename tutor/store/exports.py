"""Results of a session, as JSON and as a table that a French spreadsheet opens."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from datetime import datetime
from typing import Any

from sqlalchemy import select

from tutor.store.classes import own_session
from tutor.store.operations import Call, operation
from tutor.store.schema import answers, participants, pushes
from tutor.store.who import Result

BOM = "\ufeff"
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")
#: Texts of which a spreadsheet makes a date, an hour or a number: 1/2, 10.3, 3-4, 12:30, 3 mai, 1E5, 007.
_MONTHS = "janv|févr|fevr|mars|avr|mai|juin|juil|août|aout|sept|oct|nov|déc|dec"
TAKEN = re.compile(
    rf"\s*(\d+((\s?[./:-]\s?|,)\d+)+\s*%?|0\d+|\d+[eE][+-]?\d+|\d+\s?[%€$]|\d{{1,4}}[\s./-]*({_MONTHS}).*|({_MONTHS})\w*[\s./-]*\d+.*)\s*",
    re.IGNORECASE,
)
HEAD = ("question", "posée le", "pseudonyme", "réponse", "juste", "essais", "secondes", "règles à relire")


@operation("class.export", "read", "teacher")
def export(call: Call) -> Result:
    """Everything that was pushed and answered in a session: `session`."""
    row = own_session(call)
    people = call.db.execute(select(participants).where(participants.c.session_id == row.id).order_by("id")).all()
    shown = call.db.execute(select(pushes).where(pushes.c.session_id == row.id).order_by("id")).all()
    given = call.db.execute(
        select(answers).join(pushes).where(pushes.c.session_id == row.id).order_by(answers.c.push_id, answers.c.at)
    )
    return {
        "session": row.id,
        "code": row.code,
        "title": row.title,
        "created": row.created,
        "closed": row.closed,
        "participants": [{"participant": p.id, "nickname": p.nickname, "joined": p.joined} for p in people],
        "pushes": [{"push": p.id, "kind": p.kind, "body": json.loads(p.body), "at": p.at} for p in shown],
        "answers": [
            {
                "push": a.push_id,
                "participant": a.participant_id,
                "answer": json.loads(a.answer),
                "ok": a.ok,
                "missed": json.loads(a.missed),
                "seconds": a.seconds,
                "tries": a.tries,
                "at": a.at,
            }
            for a in given
        ],
    }


@operation("class.csv", "read", "teacher")
def table(call: Call) -> Result:
    """The answers of a session as a table for a spreadsheet: `session`."""
    contents = export(call)
    names = {person["participant"]: person["nickname"] for person in contents["participants"]}
    shown = {push["push"]: push for push in contents["pushes"]}
    number = {push["push"]: at for at, push in enumerate(contents["pushes"], 1)}
    rows = [
        (
            _title(shown[given["push"]], number[given["push"]]),
            _day(shown[given["push"]]["at"]),
            names.get(given["participant"], ""),
            _plain(given["answer"]),
            {True: "oui", False: "non", None: ""}[given["ok"]],
            given["tries"],
            given["seconds"],
            ", ".join(given["missed"]),
        )
        for given in contents["answers"]
    ]
    return {"name": f"seance-{contents['code']}.csv", "text": french_csv([HEAD, *rows])}


def _title(push: dict[str, Any], number: int) -> str:
    body = push["body"] if isinstance(push["body"], dict) else {}
    return f"{number}. {body.get('title') or body.get('question') or push['kind']}"


def _plain(answer: Any) -> Any:
    if answer is None or isinstance(answer, str | int | float):
        return answer
    return json.dumps(answer, ensure_ascii=False)


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%d/%m/%Y %H:%M")


def french_csv(rows: list[Any]) -> str:
    """A table with `;`, a byte order mark, decimal commas, and no text that a spreadsheet would take for something else.

    Args:
        rows: texts, numbers, True, False or None.

    >>> french_csv([["a", 1.5, "=1+1", "1/2"]])
    "\\ufeffa;1,5;'=1+1;'1/2\\r\\n"
    """
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\r\n").writerows([[_cell(value) for value in row] for row in rows])
    return BOM + out.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "oui" if value else "non"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.10g}".replace(".", ",")
    text = "" if value is None else str(value)
    # A spreadsheet looks past what it does not show, and takes full-width signs for ordinary ones.
    first = unicodedata.normalize("NFKC", text.lstrip(" \u00a0\u200b\ufeff"))
    taken = first.startswith(DANGEROUS) or text.startswith(DANGEROUS) or TAKEN.fullmatch(first)
    return f"'{text}" if taken else text
