"""Strict YAML in, canonical YAML out: duplicate keys refused, errors with file and line, libyaml when it is there."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from tutor.core.errors import ContentError
from tutor.core.parsed import parsed
from tutor.core.typography import typeset

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
#: Most blocks one inside another in a file.
MAX_DEPTH = 100


#: What our own complaints begin with.
_OURS = ("clé «", "les alias", "trop de blocs")
#: Words of libyaml -> what is wrong, for the reader.
_PROBLEMS = {
    "end of stream": "un guillemet, un crochet ou une accolade n’est pas refermé",
    "mapping values": "« : » inattendu ; mettez ce texte entre guillemets",
    "cannot start any token": "caractère inattendu ; mettez ce texte entre guillemets, et des espaces au lieu de tabulations",
    "did not find expected": "il manque un retrait, un tiret, un crochet ou une accolade",
    "constructor for the tag": "les étiquettes (!nom) ne sont pas permises",
    "tab character": "une tabulation n’a pas sa place ici ; mettez des espaces",
    "undefined alias": "les alias (*nom) ne sont pas permis",
    "escape": "« \\ » inattendu entre guillemets",
}


class _Strict(_Loader):  # type: ignore[misc]
    """Safe loader that refuses a key given twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable) or key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"clé « {key} » donnée deux fois", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)  # type: ignore[no-any-return]


def parse_yaml(text: str, path: str = "texte") -> Any:
    """Parse strict YAML.

    Args:
        text: YAML text; path: name shown in errors.

    Raises:
        ContentError: with file, line and advice.

    >>> parse_yaml("a: 1")
    {'a': 1}
    >>> parse_yaml("a: 1\\na: 2", "demo.yaml")
    Traceback (most recent call last):
    tutor.core.errors.ContentError: demo.yaml, ligne 2 : clé « a » donnée deux fois. Corrigez la ligne 2.
    """
    try:
        if "*" in text or sum(map(text.count, "[{-?")) > MAX_DEPTH:
            _refuse_traps(text)
        return yaml.load(text, _Strict)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"ligne {min(mark.line, text.rstrip().count(chr(10))) + 1}" if mark else "ligne"
        raise ContentError(
            f"{_said(error.problem or '')}.", path=f"{path}, {line}", remedy=f"Corrigez la {line}."
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise ContentError(
            "Ce texte n’est pas du YAML lisible.",
            path=path,
            remedy="Cherchez-y un caractère invisible, une date ou un nombre mal écrits.",
        ) from None


def _said(problem: str) -> str:
    """What libyaml complains of, in French; our own complaints as they are."""
    if problem.startswith(_OURS):
        return problem if len(problem) < 120 else f"{problem[:100]}…"
    return next((french for english, french in _PROBLEMS.items() if english in problem), "texte illisible")


def _refuse_traps(text: str) -> None:
    """A small file must not become a big one, nor exhaust the stack of libyaml, which nests without limit."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        mark: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="les alias (*nom) ne sont pas permis", problem_mark=mark)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise yaml.MarkedYAMLError(problem="trop de blocs emboîtés", problem_mark=mark)


def read_yaml(path: Path, prose: bool = False) -> Any:
    """Read a strict YAML file; files of this package are parsed once (``tutor.core.parsed``).

    Args:
        path: the file; prose: set its texts in French typography, once.

    Raises:
        ContentError: unreadable or broken file.
    """
    try:
        content = path.read_bytes()

        def parse() -> Any:
            data = parse_yaml(content.decode("utf-8"), path.name)
            return typeset(data) if prose else data

        return parsed(path, content, parse, "prose" if prose else "")
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError("Ce fichier ne peut pas être lu.", path=str(path), remedy=f"Détail : {error}.") from None


def dump_yaml(data: Any) -> str:
    """Canonical YAML: keys in the given order, wide lines, accents as they are.

    >>> print(dump_yaml({"title": "Fossé", "hexes": ["J7", "K7"]}), end="")
    title: Fossé
    hexes: [J7, K7]
    """
    return str(yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120, default_flow_style=None))
