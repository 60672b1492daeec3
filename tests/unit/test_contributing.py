"""What CONTRIBUTING.md says of the code is what the code says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tutor.core.registry import GAMES
from tutor.course.cases import read_cases
from tutor.course.questions import details, questions, table

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game_id", GAMES)
def test_the_table_of_questions_is_the_one_the_code_gives(game_id: str) -> None:
    written = ROOT / "docs" / "questions" / f"{game_id}.md"
    assert written.read_text(encoding="utf-8").strip() == table(game_id), (
        f"ldv questions {game_id} > {written.relative_to(ROOT)}"
    )


def test_contributing_stays_short() -> None:
    assert len(TEXT.encode()) <= 20_000


@pytest.mark.parametrize(("game_id", "name"), [(g, q[0]) for g in GAMES for q in questions(g)])
def test_every_question_is_explained(game_id: str, name: str) -> None:
    text = details(game_id, name)
    assert "Args:" in text
    assert "**Rule:**" in text


def test_the_position_and_the_case_shown_are_read_by_the_loaders(tmp_path: Path) -> None:
    position, case = re.findall(r"```yaml\n(schema: 1.*?|id: livret.*?)```", TEXT, re.S)
    (tmp_path / "carrefour.yaml").write_text(position, encoding="utf-8")
    (tmp_path / "cas.yaml").write_text(
        case.replace("position: livret-tir ", "position: ./carrefour.yaml "), encoding="utf-8"
    )
    assert [read.id for read in read_cases(tmp_path / "cas.yaml")] == ["livret-tir-c"]


def test_every_dependency_is_justified() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    names = [re.match(r"[\w.-]+", line)[0] for line in wanted]
    justified = TEXT[TEXT.index("## Dépendances") :]
    assert len(names) > 10
    assert [name for name in names if name.lower() not in justified.lower()] == []
