"""``python -m bench [names] [--json FILE]``: run every module of this package that has a ``run()``, or those named."""

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
    names = [found.name for found in pkgutil.iter_modules(bench.__path__) if found.name != "__main__"]
    modules = {name: import_module(f"bench.{name}") for name in sorted(names)}
    return {name: module for name, module in modules.items() if hasattr(module, "run")}


def main() -> None:
    """Measure, print, and write the figures down when asked to."""
    found = subjects()
    parser = argparse.ArgumentParser(prog="python -m bench", description="Mesurer la maison sur cette machine.")
    parser.add_argument("names", nargs="*", metavar="sujet", help=f"parmi : {', '.join(found)} (tous par défaut)")
    parser.add_argument("--json", type=Path, metavar="FICHIER", help="écrire aussi les chiffres dans un fichier")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in found]
    if unknown:
        parser.error(f"sujet inconnu : {', '.join(unknown)} ; choisissez parmi {', '.join(found)}")
    print(
        "Temps de processeur, le meilleur de plusieurs essais. Les rapports (×) se comparent d’une machine à l’autre, les durées non."
    )
    results = {name: show(found[name].TITLE, found[name].run()) for name in options.names or found}
    if options.json:
        figures = {name: [measure.plain() for measure in measures] for name, measures in results.items()}
        options.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
