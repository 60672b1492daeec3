"""What unit tests share: a page of its own for each of them, and what is said in its alert region."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from widgets.host.page import Page


@pytest.fixture
def here() -> Page:
    """What the widgets of one page share."""
    from widgets.host.page import Page

    return Page()


@pytest.fixture
def shown() -> Iterator[list[str]]:
    """Sentences of the alert region."""
    from widgets.board.errors import on_error

    sentences: list[str] = []
    end = on_error(sentences.append)
    yield sentences
    end()
