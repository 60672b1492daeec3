"""What a teacher sends to all screens, as data: written by his page, read by those of the learners. No widgets here.

Five forms: ``board`` (an example of a lesson, or a free board), ``exercise`` (the engine answers it), ``choice`` (the
teacher's own question), ``lesson``, ``message``. A body never holds HTML, nor the answer of an exercise;
the right choice of a teacher's question goes to the kernels, that judge with it, and to no browser before it is
revealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tutor.core.errors import ContentError, PositionError, TutorError
from tutor.core.phrases import NBSP, number
from tutor.core.position import MAX_LINK, Position
from tutor.core.registry import GAMES, game
from tutor.core.typography import typography
from tutor.course.answers import Number
from tutor.course.exercises import Task
from tutor.course.lessons import exercises, readable
from tutor.course.lessons import lesson as read_lesson
from tutor.course.links import Link, position_in
from tutor.course.models import Example, Exercise, Lesson, Pick
from tutor.course.prose import rule_number, tokens

if TYPE_CHECKING:
    from tutor.course.teacher_lessons import Sheet

Body = dict[str, Any]
#: Longest text of a question, of a choice, and how many choices there may be.
LONGEST_QUESTION, LONGEST_CHOICE, MOST_CHOICES = 600, 160, 8
FREE = "plateau"


def written(position: Position) -> str:
    """A position as text: that of a link where it is short enough, else its file."""
    text = position.to_link()
    return text if len(text) <= MAX_LINK else position.dump()


def position_of_text(text: str, game_id: str = "") -> Position:
    """A position written by :func:`written`, pasted as YAML, or as a link of the free board.

    Raises:
        PositionError: none of these, or of another game.

    >>> p = game("combat_commander").position("livret-ldv")
    >>> position_of_text(written(p)).id, position_of_text("http://x/y?position=" + p.to_link()).id
    ('livret-ldv', 'livret-ldv')
    """
    text = text.strip()
    if not text:
        raise PositionError("Il n’y a rien à lire.", remedy="Collez un lien du plateau libre, ou une position en YAML.")
    linked = position_in(text)
    position = Position.from_link(linked) if linked else Position.parse(text, "texte")
    if position.game not in GAMES or (game_id and position.game != game_id):
        raise PositionError(f"Cette position est du jeu « {position.game} ».", remedy="Choisissez d’abord ce livret.")
    return position


# -- writing ------------------------------------------------------------------------------------------------------


def example_body(
    game_id: str, lesson: Lesson, example: Example, position: Position, arguments: Mapping[str, Any]
) -> Body:
    """A live example, as it stands on the teacher's board.

    Args:
        game_id: game.
        lesson, example: where it comes from.
        position, arguments: what is on screen.
    """
    return {
        **{"form": "board", "game": game_id, "lesson": lesson.id, "example": example.id, "title": example.title},
        **{"position": written(position), "with": dict(arguments)},
    }


def board_body(position: Position, title: str, arguments: Mapping[str, Any]) -> Body:
    """A free board, with the line of sight that the teacher drew.

    Args:
        position: the situation.
        title: what is said of it.
        arguments: of the question « los ».
    """
    return {
        **{"form": "board", "game": position.game, "title": title or position.title or "Un plateau"},
        **{"position": written(position), "with": dict(arguments)},
    }


def exercise_body(game_id: str, exercise_id: str, seed: int) -> Body:
    """An exercise of a lesson.

    Args:
        game_id: game.
        exercise_id: which.
        seed: of its variant, 0 for the one written.

    Raises:
        ContentError: there is no such exercise.
    """
    task = task_of({"game": game_id, "exercise": exercise_id, "seed": seed})
    return {
        **{"form": "exercise", "game": game_id, "exercise": exercise_id, "seed": seed},
        **{"lesson": task.exercise.lesson, "title": plain_prose(task.question)},
    }


def sheet_body(sheet: Sheet) -> Body:
    """A position made with the editor: its question as an exercise, or the board alone when it has none to answer.

    Args:
        sheet: the position and its question.

    Raises:
        TutorError: the question cannot be asked of the position.
    """
    asked = sheet.asked
    if asked is None or not asked.question or asked.answer is None:
        return board_body(sheet.board, "", asked.with_ if asked and asked.ask == "los" else {})
    body = {"form": "exercise", "game": sheet.board.game, "sheet": sheet.dump(), "seed": 0, "lesson": ""}
    return {**body, "title": plain_prose(task_of(body).question)}


def choice_body(question: str, choices: Iterable[str], right: int | None, why: str = "") -> Body:
    """A question of the teacher's own.

    Args:
        question: its text.
        choices: what may be answered.
        right: index of the right one, None when there is none.
        why: said with the answer; it leaves the server only then.

    Raises:
        ContentError: no question, or not from two to eight different choices.

    >>> choice_body("Qui tire ?", ["Eux", "Nous"], 1)["choices"]
    ['Eux', 'Nous']
    """
    text, labels = typography(question.strip()), [typography(c.strip()) for c in choices if c.strip()]
    if not text or len(text) > LONGEST_QUESTION:
        raise ContentError("Il manque la question.", remedy=f"Écrivez-la, en {LONGEST_QUESTION} caractères au plus.")
    if not 2 <= len(labels) <= MOST_CHOICES or len(set(labels)) < len(labels):
        raise ContentError(
            "Il faut des réponses différentes.", remedy=f"Écrivez-en de 2 à {MOST_CHOICES}, une par ligne."
        )
    if any(len(choice) > LONGEST_CHOICE for choice in labels):
        raise ContentError("Une réponse est trop longue.", remedy=f"{LONGEST_CHOICE} caractères au plus.")
    known = right if right in range(len(labels)) else None
    return {
        "form": "choice",
        "title": text,
        "choices": labels,
        "right": known,
        "secret": {"why": typography(why.strip()[:LONGEST_QUESTION])},
    }


def lesson_body(game_id: str, lesson: Lesson) -> Body:
    """A lesson to open."""
    return {"form": "lesson", "game": game_id, "lesson": lesson.id, "slug": lesson.slug, "title": lesson.title}


def scene_body(body: Body, scene: str, name: str, at: int, event: str = "") -> Body:
    """A lesson at the scene that its teacher is on.

    Args:
        body: of the lesson.
        scene, name: of the scene.
        at: its place in the lesson, from 1.
        event: of its replayed turn, with the decisions that lead there; "" of none.
    """
    return {**body, "scene": scene, "name": name, "at": at, "event": event}


def kept_lesson_body(game_id: str, code: str, title: str, *, read: bool = False) -> Body:
    """A lesson of the editor to open, kept under a code.

    Args:
        game_id: game.
        code: under which it is kept.
        title: its own.
        read: it has no board: each reads it, and nobody leads it.
    """
    body = {"form": "lesson", "game": game_id, "lesson": "", "code": code, "title": title}
    return {**body, "read": True} if read else body


def message_body(text: str) -> Body:
    """A word to all.

    Raises:
        ContentError: there is none, or it is too long.
    """
    if not text.strip() or len(text) > LONGEST_QUESTION:
        raise ContentError(
            "Il manque le mot à envoyer.", remedy=f"Écrivez-le, en {LONGEST_QUESTION} caractères au plus."
        )
    return {"form": "message", "title": typography(text.strip())}


# -- reading ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardShown:
    """A board on all screens.

    Args:
        example: what is asked of it.
        position: the situation.
        arguments: of the question.
        slug: of its lesson, for links.
    """

    game_id: str
    example: Example
    position: Position
    arguments: dict[str, Any] = field(default_factory=dict)
    slug: str = ""


def free_example(position: Position, arguments: Mapping[str, Any]) -> Example:
    """The example that a free board is: a line of sight whose two ends are chosen."""
    cells = list(position.grid.cells)
    ends = {"start": cells[0], "end": cells[-1], **{k: v for k, v in arguments.items() if k in ("start", "end")}}
    picks = [Pick(argument="start", kind="hex", label="De"), Pick(argument="end", kind="hex", label="Vers")]
    return Example.model_construct(
        kind="example", id=FREE, title=position.title or "Plateau libre", text=None, rules=[], position=FREE,
        changes={}, ask="los", with_=ends, picks=picks, tweaks=[], odds=None, question=None, focus=[], panel=None,
    )  # fmt: skip


def board_of(body: Mapping[str, Any]) -> BoardShown:
    """What a body of the form ``board`` shows.

    Raises:
        TutorError: its lesson, example or position cannot be read any more.
    """
    game_id = str(body.get("game"))
    position = position_of_text(str(body.get("position", "")), _known(game_id))
    given = body.get("with")
    arguments = dict(given) if isinstance(given, dict) else {}
    if not body.get("example"):
        example = free_example(position, arguments)
        return BoardShown(game_id, example, position, dict(example.with_))
    lesson = read_lesson(game_id, str(body.get("lesson")))
    of_lesson = lesson.examples.get(str(body["example"]))
    if of_lesson is None:
        raise ContentError("Cet exemple n’est plus dans la leçon.")
    return BoardShown(game_id, of_lesson, position, arguments or dict(of_lesson.with_), lesson.slug)


def task_of(body: Mapping[str, Any]) -> Task:
    """The exercise that a body of the form ``exercise`` names, in its variant.

    Raises:
        ContentError: there is no such exercise any more.
    """
    game_id, seed = _known(str(body.get("game"))), body.get("seed")
    exercise = _of_sheet(str(body["sheet"])) if body.get("sheet") else exercises(game_id).get(str(body.get("exercise")))
    if exercise is None:
        raise ContentError("Cet exercice n’est plus dans le cours.")
    task = Task.of(game_id, exercise)
    return task.variant(seed) if isinstance(seed, int) and seed else task


def _of_sheet(text: str) -> Exercise | None:
    from tutor.course.teacher_lessons import Sheet, exercise_of

    sheet = Sheet.parse(text)
    title = (sheet.board.title or "Exercice")[:80]
    return exercise_of(sheet.board, sheet.asked, "question", title=title) if sheet.asked else None


def lesson_link(body: Mapping[str, Any]) -> Link:
    """Where the lesson is that a body names."""
    if body.get("code"):
        return Link("authored", slug=str(body["code"])[:16])
    return Link("lesson", _known(str(body.get("game"))), slug=str(body.get("slug", ""))[:80])


def lesson_url(body: Mapping[str, Any]) -> str:
    """Address of the lesson that a body names."""
    return lesson_link(body).url


def led_lesson(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """The lesson that the teacher of a session leads, at the scene that he is on; {} when he leads none.

    Args:
        state: of the session.

    >>> led_lesson({"leading": True, "board": {"form": "lesson", "at": 2}})["at"], led_lesson({"leading": False})
    (2, {})
    """
    board = state.get("board") if state.get("leading") else None
    return board if isinstance(board, Mapping) and board.get("form") == "lesson" else {}


def _known(game_id: str) -> str:
    if game_id not in GAMES:
        raise ContentError(f"Le jeu « {game_id} » n’est pas dans la maison.")
    return game_id


def named_hexes(position: Position, arguments: Mapping[str, Any], skipped: Iterable[str] = ()) -> tuple[str, ...]:
    """The hexes a question speaks of, by name or through a piece."""
    hexes: list[str] = []
    for name, value in arguments.items():
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if name not in skipped and isinstance(item, str):
                hex_ = item if item in position.grid else position.hex_of(item) if item in position.by_id else None
                hexes += [hex_] if hex_ else []
    return tuple(dict.fromkeys(hexes))


# -- in words -----------------------------------------------------------------------------------------------------


def plain_prose(text: str) -> str:
    """A prose text without its markup, a rule by the number that its booklet prints.

    >>> plain_prose("La règle [[10.2]] est **claire**.")
    'La règle 10.2 est claire.'
    >>> plain_prose("Un coup au *but* [[3.2.2-longue-portee]].")
    'Un coup au but 3.2.2.'
    """
    return "".join(rule_number(token.text) if token.kind == "rule" else token.text for token in tokens(text))


def answer_text(answer: Any) -> str:
    """An answer as it was kept, in words.

    >>> answer_text(["D3", "E3"]), answer_text("1/3"), answer_text(True)
    ('D3, E3', '1/3', 'oui')
    """
    if isinstance(answer, (list, tuple)):
        return ", ".join(answer_text(item) for item in answer) or "rien"
    if isinstance(answer, bool):
        return "oui" if answer else "non"
    if isinstance(answer, (int, float, Fraction)):
        return number(answer)
    return "—" if answer is None else str(answer)


def kept_answer(read: Any, given: Any) -> Any:
    """An answer as JSON can hold it; the same answer is written the same way, and judged alike when read again.

    Args:
        read: what the exercise made of it.
        given: as it was typed or chosen.

    >>> kept_answer(Number(Fraction(4), 0), "4 hexs"), kept_answer(Number(Fraction(583, 1000), 1, True), " 58,3 %")
    (4, '58,3 %')
    >>> kept_answer(frozenset({"E3", "D3"}), ("E3", "D3"))
    ['D3', 'E3']
    """
    if isinstance(read, Number):
        whole = read.value.denominator == 1 and not read.percent
        return int(read.value) if whole else " ".join(str(given).split())[:40]
    if isinstance(read, (set, frozenset)):
        return sorted(read)
    return list(read) if isinstance(read, tuple) else read


def right_choice(body: Mapping[str, Any]) -> str | None:
    """The right choice of a teacher's own question; None when there is none.

    For kernels: a page shows it once revealed.
    """
    choices, index = body.get("choices"), body.get("right")
    if not isinstance(choices, list) or not isinstance(index, int) or not 0 <= index < len(choices):
        return None
    return str(choices[index])


def place_name(where: Mapping[str, str]) -> str:
    """Where a learner is, in words; "" when he has not said.

    >>> place_name({"lesson": "combat_commander/cc-04-ldv", "exercise": "2", "step": ""})
    'Combat Commander · leçon 3, exercice 2'
    """
    game_id, _, lesson_id = where.get("lesson", "").partition("/")
    if game_id not in GAMES:
        return where.get("lesson", "") or where.get("step", "")
    book = GAMES[game_id].partition(f"{NBSP}:")[0]
    number_ = _lesson_number(game_id, lesson_id)
    parts = [f"leçon {number_}" if number_ else lesson_id]
    if where.get("exercise"):
        parts.append(f"exercice {where['exercise']}")
    elif where.get("step"):
        parts.append(where["step"])
    return f"{book} · {', '.join(parts)}"


@lru_cache(maxsize=512)
def _lesson_number(game_id: str, lesson_id: str) -> int:
    return next((one.number for one in readable(game_id)[0] if one.id == lesson_id), 0)


def stuck_name(stuck: str, where: Mapping[str, str]) -> str:
    """What a learner is stuck on, in words: a rule of his lesson's game with its title, or that he asks for help."""
    if stuck in ("", "aide"):
        return "demande de l’aide" if stuck else ""
    game_id = where.get("lesson", "").partition("/")[0]
    try:
        return f"{stuck} {game(game_id).section(stuck).title}"
    except (TutorError, KeyError):
        return stuck
