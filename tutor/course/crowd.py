"""What a class answered to one question: where it pointed on the board, and the causes of its mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tutor.core.marks import Heat
from tutor.course.exercises import Task
from tutor.course.onboard import answers_on_board

#: Causes of mistakes that a teacher reads at a glance.
FEW_CAUSES = 3


def picked(task: Task, distribution: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Cells of the board -> how many people pointed at each; {} where the answer has no place.

    Args:
        task: the question, in the variant that was asked.
        distribution: ``answer`` and ``count`` of each answer.

    >>> from tutor.course.lessons import exercises
    >>> one = Task.of("combat_commander", exercises("combat_commander")["cc-04-visibles"])
    >>> picked(one, [{"answer": ["E1", "F2"], "count": 3}, {"answer": ["F2"], "count": 2}, {"answer": 7, "count": 9}])
    {'E1': 3, 'F2': 5}
    """
    answer, counts = task.exercise.answer, Counter[str]()
    named = {label: cells for cells, label in _labels(task).items()}
    for row in distribution:
        given = row["answer"]
        cells: Iterable[Any] = ()
        if answer.kind == "hexes" and isinstance(given, list):
            cells = set(map(str, given))
        elif isinstance(given, str):
            cells = named.get(given, ())
        counts.update({str(cell): int(row["count"]) for cell in cells if cell in task.position.grid})
    return dict(sorted(counts.items()))


def _labels(task: Task) -> dict[frozenset[str], str]:
    if task.exercise.answer.kind != "choice":
        return {}
    return answers_on_board([choice.label for choice in task.exercise.answer.choices], task.position)


def heat(counts: Mapping[str, int], answered: int) -> Heat:
    """A mark that shades each cell by the share of those who pointed at it, and writes their number in it.

    Args:
        counts: of each cell.
        answered: people who answered.

    >>> heat({"C3": 6}, 8).values
    (('C3', 0.75, '6'),)
    """
    most = max(answered, *counts.values(), 1) if counts else 1
    return Heat(tuple((cell, count / most, str(count)) for cell, count in sorted(counts.items())))


def common_causes(
    distribution: Iterable[Mapping[str, Any]], cause: Callable[[Any], str], few: int = FEW_CAUSES
) -> list[tuple[str, int]]:
    """The commonest causes of wrong answers, and how many people each explains, most frequent first.

    Args:
        distribution: ``answer``, ``ok`` and ``count`` of each answer.
        cause: says which mistake an answer is; "" where it cannot.
        few: how many causes at most.

    >>> rows = [{"answer": a, "ok": a == 1, "count": n} for a, n in ((1, 9), (2, 3), (3, 1), (4, 4))]
    >>> common_causes(rows, {2: "haie", 3: "haie", 4: "mur"}.get)
    [('haie', 4), ('mur', 4)]
    """
    counts = Counter[str]()
    for row in distribution:
        if not row["ok"] and (why := cause(row["answer"])):
            counts[why] += int(row["count"])
    return counts.most_common(few)
