"""Typed errors: one French sentence for the reader; path and remedy for whoever mends the content."""

from __future__ import annotations


def brief(value: object, most: int = 60) -> str:
    """What a file, a link or a reader gave, short enough for a sentence, and fit to be shown.

    Args:
        value: whatever it is.
        most: characters shown.

    >>> brief("J7"), brief(["x" * 80]), brief(10**5000)
    ('J7', "['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…", 'un nombre immense')
    """
    try:
        text = str(value)
    except ValueError:  # Python writes no number of more than 4 300 digits
        return "un nombre immense"
    shown = "".join(char if char.isprintable() else "�" for char in text[: most + 1])
    return shown if len(shown) <= most else f"{shown[:most]}…"


class TutorError(Exception):
    """Base of every error this project raises on purpose.

    Args:
        message: French sentence for the reader: what is wrong.
        path: file, or file and place in it, where known.
        remedy: French sentence: what to do.

    >>> print(TutorError("L’hex Z99 n’existe pas.", path="demo.yaml: levels", remedy="Choisissez un hex de I3 à O10."))
    demo.yaml: levels : L’hex Z99 n’existe pas. Choisissez un hex de I3 à O10.
    """

    def __init__(self, message: str, *, path: str | None = None, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.remedy = remedy

    def __str__(self) -> str:
        return (f"{self.path} : " if self.path else "") + self.sentence

    @property
    def sentence(self) -> str:
        """The French sentence, remedy included, without the path: what a page shows."""
        return f"{self.message} {self.remedy}" if self.remedy else self.message


class ContentError(TutorError):
    """A content file (YAML) is broken: not readable, unknown key, bad value."""


class PositionError(TutorError):
    """A position text cannot be read, is too long, or names what does not exist."""


class UnknownHex(PositionError):
    """A hex name is not on this board."""


class UnknownRule(TutorError):
    """A rule id is not in the index of the game."""


class OmissionError(TutorError):
    """A rule was to be left out that does not declare what then holds."""


class RequestError(TutorError):
    """A question to the engine is not of the form its rule function takes."""

    @classmethod
    def unsaid(cls, key: str, what: str) -> RequestError:
        """The position does not say something that the rules need.

        Args:
            key: where a position file says it, for whoever mends it.
            what: French, after « La position ne dit pas ».

        >>> str(RequestError.unsaid("state.time", "où est le marqueur de Temps"))
        'state.time : La position ne dit pas où est le marqueur de Temps. Dites-le dans l’éditeur, sous « Partie ».'
        """
        return cls(f"La position ne dit pas {what}.", path=key, remedy="Dites-le dans l’éditeur, sous « Partie ».")


class AnswerError(TutorError):
    """A reader's answer cannot be understood (not wrong: unreadable)."""


class UnknownValue(Exception):
    """Internal: a table cell that the rulebook does not print was needed. Turned into an *unknown* result.

    Args:
        table: name of the table.
        cell: path of the missing cell, dotted.
        rule: id of the rule that prints (or should print) the table.
    """

    def __init__(self, table: str, cell: str, rule: str) -> None:
        super().__init__(f"{table}.{cell}")
        self.table, self.cell, self.rule = table, cell, rule
