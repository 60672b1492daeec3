"""``ldv charts``: the charts that a booklet does not print, as files that a reader fills from his own player's aid."""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from tutor.core.errors import ContentError
from tutor.core.registry import GAMES, game
from tutor.core.supplied import Charts, chart_files
from tutor.core.tables import Table
from tutor.core.yamlio import read_yaml

HELP = "les tables que le livret n’imprime pas : modèles à remplir, vérification"
_META = frozenset({"term", "rule", "provenance", "note"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("game", metavar="JEU", choices=sorted(GAMES))
    parser.add_argument("name", metavar="TABLE", nargs="?", help="la table dont écrire le modèle (sinon : la liste)")
    parser.add_argument("--to", metavar="DOSSIER", type=Path, help="écrire les modèles dans ce dossier")
    parser.add_argument("--check", metavar="CHEMIN", type=Path, nargs="+", help="vérifier des fichiers remplis")


def run(options: argparse.Namespace) -> int:
    """Do what the command line asks.

    Returns:
        0 well, 1 a file has faults.

    Raises:
        ContentError: the game has no such charts, or no chart of that name.
    """
    module = charts_of(options.game)
    if options.check:
        return _check(module, options.check)
    if options.to:
        return _write(module, [options.name] if options.name else list(module.CHARTS), options.to)
    if options.name:
        print(module.template(options.name), end="")
        return 0
    return _list(options.game, module)


def charts_of(game_id: str) -> Charts:
    """The ``charts`` module of a game.

    Raises:
        ContentError: it has none.

    >>> charts_of("tcs").VARIABLE
    'LDV_TCS_CHARTS'
    """
    game(game_id)
    name = f"tutor.games.{game_id}.charts"
    if find_spec(name) is None:
        raise ContentError(
            f"{GAMES[game_id]} n’a pas de table à fournir.", remedy="Son livret imprime toutes celles qu’il emploie."
        )
    return cast(Charts, import_module(name))


def empty_cells(table: Table) -> int:
    """How many cells of a chart say nothing yet."""
    return sum(
        table.get(row, column) is None for row, cells in table.rows.items() for column in cells if column not in _META
    )


def _list(game_id: str, module: Charts) -> int:
    tables = game(game_id).tables
    for name in module.CHARTS:
        print(f"{name:18} {tables[name].title}")
    print()
    print(f"ldv charts {game_id} TABLE            écrit le modèle d’une table")
    print(f"ldv charts {game_id} --to DOSSIER     écrit tous les modèles dans un dossier")
    print(f"ldv charts {game_id} --check DOSSIER  vérifie ce que vous avez rempli")
    print(_place(module, "DOSSIER"))
    return 0


def _place(module: Charts, where: str) -> str:
    return (
        f"Pour jouer avec : {module.VARIABLE}={where} ldv serve, puis le réglage « votre table ». "
        "Une case laissée vide (null) reste inconnue."
    )


def _write(module: Charts, names: list[str], folder: Path) -> int:
    texts = {name: module.template(name) for name in names}
    folder.mkdir(parents=True, exist_ok=True)
    kept = [name for name in names if (folder / f"{name}.yaml").exists()]
    if kept:
        raise ContentError(
            f"Déjà là : {', '.join(kept)}.", path=str(folder), remedy="Choisissez un autre dossier ; rien n’est écrasé."
        )
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        print(folder / f"{name}.yaml")
    print(_place(module, str(folder.resolve())))
    return 0


def _check(module: Charts, paths: list[Path]) -> int:
    faults = 0
    for file in (file for path in paths for file in chart_files(path)):
        try:
            read_yaml(file)
            table = module.supply_file(file)
        except (ContentError, OSError) as error:
            faults += 1
            print(f"{file} : {str(error).removeprefix(f'{file.name} : ')}")
            continue
        left = empty_cells(table)
        said = "complète" if not left else f"{left} case{'s' if left > 1 else ''} encore vide{'s' if left > 1 else ''}"
        print(f"{file} : {table.title}, {said}.")
    module.withdraw()
    if not faults:
        where = paths[0] if paths[0].is_dir() else paths[0].parent
        print(_place(module, str(where.resolve())))
    return 1 if faults else 0
