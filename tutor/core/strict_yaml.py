"""YAML as files of ours are written: what libyaml would let pass is refused, with the line and what to do, in French.

``tutor.core.yamlio`` is how others read and write; it imports this only where a text is parsed or written, because what
was parsed before is kept, and each reader's kernel would import a library that it does not use.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import yaml

from tutor.core.errors import ContentError

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
#: Most blocks one inside another in a file; largest number; most characters shown of what is wrong.
MAX_DEPTH, HIGHEST, LONGEST = 100, 10**15, 40
_NO_ALIAS = "les ancres et les alias (&nom, *nom) ne sont pas permis"
#: Words of libyaml -> what is wrong, for the reader; the loader's own complaints are French already.
_PROBLEMS = {
    "end of stream": "un guillemet, un crochet ou une accolade n’est pas refermé",
    "mapping values": "« : » inattendu ; mettez ce texte entre guillemets",
    "cannot start any token": "caractère inattendu ; mettez ce texte entre guillemets, "
    "et des espaces au lieu de tabulations",
    "did not find expected": "il manque un retrait, un tiret, un crochet ou une accolade",
    "constructor for the tag": "« << » et « = » se mettent entre guillemets",
    "tab character": "une tabulation n’a pas sa place ici ; mettez des espaces",
    "undefined alias": _NO_ALIAS,
    "escape": "« \\ » inattendu entre guillemets",
    "single document": "un seul texte est permis, sans « --- » au milieu",
}
#: A decimal number that is read as another text: 6.10 is 6.1, 07.12 is 7.12.
_LOSES = re.compile(r"[+-]?(0\d+\.\d+|\d+\.\d+0)")
#: Whole numbers that YAML reads in another base than ten, and times that it reads as numbers: 010 is 8, 12:30 is 750.
_OTHER_BASE = re.compile(r"[+-]?(0[0-9_]+|0[xXbBoO].*|.*[:_].*)")
#: Spaces that a French keyboard puts before and after a colon; YAML takes them for letters.
_UNBREAKABLE = "\u00a0\u202f"
_KEY_AND_SPACE = re.compile(rf"^([ ]*(?:- +)*[\w.-]+)[{_UNBREAKABLE} ]?:[{_UNBREAKABLE}]+", re.MULTILINE)
#: What no YAML text holds.
_STRANGE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Complaint(yaml.constructor.ConstructorError):
    """What is wrong at a place, in French.

    Args:
        problem: French clause, without its full stop.
        mark: where.
    """

    def __init__(self, problem: str, mark: Any) -> None:
        super().__init__(None, None, problem, mark)


class _Strict(_Loader):  # type: ignore[misc]
    """Safe loader of names, whole numbers, decimal ones, yes and no: a key is a name or a whole number, given once."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            mark = key_node.start_mark
            if not isinstance(key_node, yaml.ScalarNode):
                raise _Complaint("une clé est un nom ou un nombre entier, non une liste ni un bloc", mark)
            if key_node.value.startswith(tuple(_UNBREAKABLE)):
                raise _Complaint("une espace insécable n’a pas sa place devant une clé ; mettez des espaces", mark)
            if key_node.style not in ("'", '"') and key_node.value.endswith(tuple(_UNBREAKABLE)):
                key_node.value = key_node.value.rstrip(_UNBREAKABLE)
                key_node.tag = self.resolve(yaml.ScalarNode, key_node.value, (True, False))
            key = self.construct_object(key_node, deep=True)
            if type(key) not in (str, int):
                raise _Complaint(f"la clé « {_shown(key_node)} » se met entre guillemets", mark)
            if key in seen:
                raise _Complaint(f"clé « {_shown(key_node)} » donnée deux fois", mark)
            seen.add(key)
        return super().construct_mapping(node, deep)  # type: ignore[no-any-return]

    def number(self, node: Any) -> int | float:
        """A number that a page can show and compare; one whose digits would not all be kept is refused."""
        if _LOSES.fullmatch(node.value):
            read = float(node.value)
            raise _Complaint(
                f"« {_shown(node)} » se lirait {read} ; mettez entre guillemets le numéro d’une règle ou d’une case",
                node.start_mark,
            )
        if _OTHER_BASE.fullmatch(node.value):
            raise _Complaint(
                f"« {_shown(node)} » se lirait autrement ; écrivez le nombre sans zéro devant, ou ce texte entre guillemets",
                node.start_mark,
            )
        try:
            whole = node.tag.endswith(":int")
            value: int | float = self.construct_yaml_int(node) if whole else self.construct_yaml_float(node)
        except (ValueError, IndexError):
            raise _Complaint(f"« {_shown(node)} » est un nombre mal écrit, ou trop grand", node.start_mark) from None
        if not -HIGHEST <= value <= HIGHEST:  # nor what is no number
            raise _Complaint(f"« {_shown(node)} » n’est pas un nombre, ou est trop grand", node.start_mark)
        return value

    def date(self, node: Any) -> Any:
        """Dates are no data of ours."""
        raise _Complaint(f"la date « {_shown(node)} » se met entre guillemets", node.start_mark)


for _kind, _make in (("int", _Strict.number), ("float", _Strict.number), ("timestamp", _Strict.date)):
    _Strict.add_constructor(f"tag:yaml.org,2002:{_kind}", _make)


def _shown(node: Any) -> str:
    """What is written at a place, short enough for a sentence."""
    text = str(node.value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def parse(text: str, path: str) -> Any:
    """Plain data of a strict YAML text; ``ContentError`` as ``tutor.core.yamlio.parse_yaml`` says."""
    try:
        if strange := _STRANGE.search(text):
            line = text.count("\n", 0, strange.start()) + 1
            raise _broken("il y a un caractère que nul texte ne contient", path, line)
        if any(mark in text for mark in "*&!") or sum(map(text.count, "[{-?")) > MAX_DEPTH:
            _refuse_traps(text)
        return yaml.load(_KEY_AND_SPACE.sub(r"\1: ", text), _Strict)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = min(mark.line, text.rstrip().count("\n")) + 1 if mark else 1
        raise _broken(_said(error), path, line) from None
    except (yaml.YAMLError, RecursionError):
        raise ContentError(
            "Ce texte n’est pas du YAML lisible.", path=path, remedy="Repartez d’un fichier enregistré ici."
        ) from None


def _broken(problem: str, path: str, line: int) -> ContentError:
    return ContentError(f"{problem}.", path=f"{path}, ligne {line}", remedy=f"Corrigez la ligne {line}.")


def _said(error: yaml.MarkedYAMLError) -> str:
    """What is complained of, in French."""
    problem = error.problem or ""
    if isinstance(error, _Complaint):
        return problem
    words = f"{error.context or ''} {problem}"
    return next((french for english, french in _PROBLEMS.items() if english in words), "texte illisible")


def _refuse_traps(text: str) -> None:
    """What a file may not hold: what makes a big thing of a small text, exhausts the stack of libyaml,
    which nests without limit, or says of what kind a value is (``!!int ''``), which YAML's own readers then believe."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        mark: Any = event.start_mark
        if getattr(event, "anchor", None) is not None:
            raise _Complaint(_NO_ALIAS, mark)
        if getattr(event, "tag", None) is not None:
            raise _Complaint("les étiquettes (!nom) ne sont pas permises", mark)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise _Complaint("trop de blocs emboîtés", mark)


def dump(data: Any) -> str:
    """Canonical YAML, as ``tutor.core.yamlio.dump_yaml`` says."""
    return str(yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120, default_flow_style=None))
