"""``python -m bench [names] [--full] [--json FILE]``: run the modules of this package that have a ``run()``, or those named.

Without names, those that say ``LONG = True`` (they open pages or play a class) wait for ``--full``.
"""

from __future__ import annotations

import argparse
import json
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import bench
from bench.measures import show


def subjects() -> dict[str, Any]:
    """Modules of the package that measure something, by name."""
    names = [entry.name for entry in pkgutil.iter_modules(bench.__path__) if entry.name != "__main__"]
    modules = {name: import_module(f"bench.{name}") for name in sorted(names)}
    return {name: module for name, module in modules.items() if hasattr(module, "run")}


def chosen(modules: dict[str, Any], names: list[str], full: bool) -> list[str]:
    """Names of what to measure.

    Args:
        modules: what can be measured, by name.
        names: those asked for; none for the usual ones.
        full: whether the usual ones take in what is long.
    """
    return names or [name for name, module in modules.items() if full or not getattr(module, "LONG", False)]


def main() -> None:
    """Measure, print, and write the figures down when asked to."""
    modules = subjects()
    parser = argparse.ArgumentParser(prog="python -m bench", description="Mesurer la maison sur cette machine.")
    parser.add_argument(
        "names", nargs="*", metavar="sujet", help=f"parmi : {', '.join(modules)} (les courts par défaut)"
    )
    parser.add_argument("--full", action="store_true", help="mesurer aussi ce qui est long : les pages, une classe")
    parser.add_argument("--json", type=Path, metavar="FICHIER", help="écrire aussi les chiffres dans un fichier")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in modules]
    if unknown:
        parser.error(f"sujet inconnu : {', '.join(unknown)} ; choisissez parmi {', '.join(modules)}")
    print(
        "Temps de processeur, le meilleur de plusieurs essais. Les rapports (×) se comparent d’une machine à l’autre, "
        "les durées non."
    )
    names = chosen(modules, options.names, options.full)
    results = {name: show(modules[name].TITLE, modules[name].run()) for name in names}
    if not options.names and (left := [name for name in modules if name not in names]):
        print(f"\nPlus longs, avec « make bench-full » : {', '.join(left)}.")
    if options.json:
        figures = {name: [measure.plain() for measure in measures] for name, measures in results.items()}
        options.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
