"""Strict YAML in, canonical YAML out: duplicate keys refused, errors with file and line, libyaml when it is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tutor.core.encoding import NotText, decoded
from tutor.core.errors import ContentError
from tutor.core.parsed import parsed
from tutor.core.typography import typeset


def parse_yaml(text: str, path: str = "texte") -> Any:
    """Parse strict YAML.

    Args:
        text: YAML text.
        path: name shown in errors.

    Raises:
        ContentError: with file, line and advice.

    >>> parse_yaml("a: 1")
    {'a': 1}
    >>> parse_yaml("a: 1\\na: 2", "demo.yaml")
    Traceback (most recent call last):
    tutor.core.errors.ContentError: demo.yaml, ligne 2 : clé « a » donnée deux fois. Corrigez la ligne 2.

    >>> parse_yaml("titre\u00a0: x"), parse_yaml("rang: 010", "demo.yaml")
    Traceback (most recent call last):
    tutor.core.errors.ContentError: demo.yaml, ligne 1 : « 010 » se lirait autrement ; écrivez le nombre sans zéro \
devant, ou ce texte entre guillemets. Corrigez la ligne 1.

    >>> parse_yaml("rules: [6.10]", "demo.yaml")
    Traceback (most recent call last):
    tutor.core.errors.ContentError: demo.yaml, ligne 1 : « 6.10 » se lirait 6.1 ; mettez entre guillemets le numéro \
d’une règle ou d’une case. Corrigez la ligne 1.
    """
    from tutor.core import strict_yaml

    return strict_yaml.parse(text, path)


def read_yaml(path: Path, prose: bool = False) -> Any:
    """Read a strict YAML file; files of this package are parsed once (``tutor.core.parsed``).

    Args:
        path: the file.
        prose: set its texts in French typography, once.

    Raises:
        ContentError: unreadable or broken file.
    """
    try:
        content = path.read_bytes()

        def parse() -> Any:
            data = parse_yaml(decoded(content), path.name)
            return typeset(data) if prose else data

        return parsed(path, content, parse, "prose" if prose else "")
    except NotText as error:
        raise ContentError("Ce fichier n’est pas un texte en UTF-8.", path=str(path), remedy=error.remedy) from None
    except OSError as error:
        raise ContentError("Ce fichier ne peut pas être lu.", path=str(path), remedy=f"Détail : {error}.") from None


def dump_yaml(data: Any) -> str:
    """Canonical YAML: keys in the given order, wide lines, accents as they are.

    >>> print(dump_yaml({"title": "Fossé", "hexes": ["J7", "K7"]}), end="")
    title: Fossé
    hexes: [J7, K7]
    """
    from tutor.core import strict_yaml

    return strict_yaml.dump(data)
