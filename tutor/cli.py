"""``ldv``: serve the course, back up what is kept, solve and run golden cases, check the content, say what it covers,
print its forms.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tutor import __version__
from tutor.core import environ
from tutor.core.encoding import is_unicode, never_fail
from tutor.core.errors import TutorError
from tutor.core.registry import GAMES


class _Parser(argparse.ArgumentParser):
    """Says in French, on one line, what is wrong; exits with 2."""

    def error(self, message: str) -> Any:
        words = (
            ("the following arguments are required:", "il manque :"),
            ("unrecognized arguments:", "arguments inconnus :"),
            ("invalid choice:", "choix inconnu :"),
            ("choose from", "possibles :"),
            ("expected one argument", "une valeur est attendue"),
            ("argument ", ""),
        )
        for english, french in words:
            message = message.replace(english, french)
        print(f"ldv : {message} Essayez « {self.prog} --help ».", file=sys.stderr)
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of ``ldv``.

    Args:
        argv: command line without the program's name.

    Returns:
        Exit code: 0 well, 1 something is wrong, 2 not understood.

    >>> main(["--version"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    never_fail(sys.stdout, sys.stderr)
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["serve"]:  # its options belong to the server
        return serve(given[1:])
    options = _parser().parse_args(given)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except TutorError as error:
        print(f"ldv : {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # « ldv coverage | head »
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="ldv", description="Ligne de Vue : les règles de jeux tactiques sur des plateaux vivants.", add_help=False
    )
    parser.add_argument("-h", "--help", action="help", help="cette aide")
    parser.add_argument("--version", action="version", version=f"ldv {__version__}", help="la version")
    commands = parser.add_subparsers(title="commandes", metavar="COMMANDE", required=True, parser_class=_Parser)
    commands.add_parser("serve", help="servir le cours (voir « ldv serve --help »)", add_help=False)

    def command(name: str, help_text: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help_text, description=help_text.capitalize() + ".", add_help=False)
        made.add_argument("-h", "--help", action="help", help="cette aide")
        made.set_defaults(run=run)
        return made

    command("solve", "résoudre un cas et écrire le résultat en JSON", _solve).add_argument(
        "case", metavar="CAS.yaml", type=Path
    )
    command("cases", "passer un dossier de cas", _cases).add_argument("folder", metavar="DOSSIER", type=Path)
    checked = command("check", "vérifier tout le contenu", _check)
    checked.add_argument("game", metavar="JEU", nargs="?", choices=sorted(GAMES))
    checked.add_argument("--game", metavar="JEU", dest="of_game", choices=sorted(GAMES), help="la même chose")
    checked.add_argument("--why", action="store_true", help="mesurer si chaque réponse dit pourquoi")
    checked.add_argument("--list", action="store_true", help="avec --why : lister ce qui manque")
    covered = command("coverage", "dire ce que le cours couvre, article par article", _coverage)
    covered.add_argument("game", metavar="JEU", nargs="?", choices=sorted(GAMES))
    covered.add_argument("--json", action="store_true", help="en JSON")
    asked = command("questions", "dire ce qu’on peut demander aux règles d’un jeu", _questions)
    asked.add_argument("game", metavar="JEU", choices=sorted(GAMES))
    asked.add_argument("name", metavar="QUESTION", nargs="?", help="une question en détail (sinon : le tableau)")
    asked.add_argument("--json", action="store_true", help="le schéma JSON de ce qui se déclare")
    sought = command("where", "dire où une règle est décidée, enseignée, éprouvée", _where)
    sought.add_argument("rule", metavar="RÈGLE", help="son numéro, comme 11.4")
    sought.add_argument("--game", metavar="JEU", choices=sorted(GAMES), default="", help="un jeu (sinon : tous)")
    sought.add_argument("--json", action="store_true", help="en JSON")
    keys = command("teacher", "faire, lister ou révoquer les clés d’enseignant", _teacher)
    keys.add_argument("action", metavar="ACTION", choices=["create", "list", "revoke"], help="create, list ou revoke")
    keys.add_argument(
        "argument", metavar="NOM|NUMÉRO", nargs="?", default="", help="un nom à créer, un numéro à révoquer"
    )
    for name, help_text, run, replaced in (
        (
            "backup",
            "sauvegarder tout ce qui est gardé, même pendant qu’on sert",
            _backup,
            "le fichier s’il existe déjà",
        ),
        ("restore", "restaurer une sauvegarde, serveurs arrêtés", _restore, "tout ce que la base contient"),
    ):
        kept = command(name, help_text, run)
        kept.add_argument("file", metavar="FICHIER", type=Path)
        kept.add_argument("--replace", action="store_true", help=f"remplacer {replaced}")
    drawn = command("gallery", "dessiner tous les plateaux, à trois tailles et dans les deux thèmes", _gallery)
    drawn.add_argument("folder", metavar="DOSSIER", type=Path)
    drawn.add_argument("--game", metavar="JEU", choices=sorted(GAMES), help="un jeu (sinon : tous)")
    from tutor import cli_charts

    cli_charts.add_arguments(command("charts", cli_charts.HELP, cli_charts.run))
    command("schema", "écrire le schéma JSON d’un format", _schema).add_argument(
        "form",
        metavar="FORMAT",
        nargs="?",
        choices=["position", "case", "exercise", "lesson", "replay", "articles"],
        help="position, case, exercise, lesson, replay ou articles (sinon : tous)",
    )
    return parser


def serve(arguments: Sequence[str]) -> int:
    """Start the server as a process of its own, hand it our options and signals, and give back its exit code."""
    process = subprocess.Popen([sys.executable, "-m", "widgets.serving", *arguments])
    environ.shed(environ.is_secret)  # the server has them; what the system shows of this process has them no more
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, _: process.send_signal(number))
    signal.signal(
        signal.SIGINT, lambda *_: None
    )  # the terminal sends it to the whole group: the server ends, then we do
    code = process.wait()
    return code if code >= 0 else 128 - code


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=not is_unicode(sys.stdout), indent=2))


def _teacher(options: argparse.Namespace) -> int:
    wanted = {"create": "un nom", "revoke": "un numéro"}.get(options.action)
    if wanted and not (options.argument.isdecimal() if options.action == "revoke" else options.argument.strip()):
        raise TutorError(f"Il manque {wanted} : « ldv teacher {options.action} … ».")
    from tutor.store.command import teacher

    print(*teacher(options.action, options.argument.strip()), sep="\n")
    return 0


def _backup(options: argparse.Namespace) -> int:
    from tutor.store.command import save

    print(*save(options.file, options.replace), sep="\n")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from tutor.store.command import put_back

    print(*put_back(options.file, options.replace), sep="\n")
    return 0


def _solve(options: argparse.Namespace) -> int:
    from tutor.course import cases

    read = cases.read_cases(options.case)
    data = [cases.as_json(case, options.case) for case in read]
    for case in read:
        for fault in cases.unknown_words(case, options.case):
            print(f"{case.id} : {fault}", file=sys.stderr)
    _print_json(data[0] if len(data) == 1 else data)
    return 0


def _cases(options: argparse.Namespace) -> int:
    from tutor.course import cases

    passed = failed = 0
    for outcome in cases.run(options.folder):
        if outcome.passed:
            passed += 1
            continue
        failed += 1
        for fault in outcome.faults:
            print(f"{outcome.path} [{outcome.case}] {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def _check(options: argparse.Namespace) -> int:
    one = options.game or options.of_game
    if options.list and not options.why:
        raise TutorError("« --list » va avec « --why ».")
    if options.why:
        from tutor.course import why

        for game_id in [one] if one else GAMES:
            print(why.text(why.report(game_id), listed=options.list), flush=True)
        return 0
    from tutor.course import check

    faults = [] if one else list(GAMES.faults)
    faults += [fault for game_id in ([one] if one else GAMES) for fault in check.faults(game_id)]
    for fault in faults:
        print(fault)
    print("Tout le contenu est valable." if not faults else f"{len(faults)} faute{'s' if len(faults) > 1 else ''}.")
    return 1 if faults else 0


def _coverage(options: argparse.Namespace) -> int:
    from tutor.course import coverage, onboard

    asked = [options.game] if options.game else list(GAMES)
    rows = [row for game_id in asked for row in coverage.sections(game_id)]
    if options.json:
        counts = {game_id: dict(zip(("board", "all"), onboard.share(game_id), strict=True)) for game_id in asked}
        _print_json({"sections": rows, "exercises": counts})
    else:
        print(onboard.shares(asked) + "\n")
        print(coverage.table(rows))
    return 0


def _questions(options: argparse.Namespace) -> int:
    from tutor.course import questions

    if options.json:
        _print_json(questions.schemas(options.game, options.name))
    else:
        print(questions.details(options.game, options.name) if options.name else questions.table(options.game))
    return 0


def _where(options: argparse.Namespace) -> int:
    from tutor.course import where

    findings = where.where(options.rule, options.game)
    if options.json:
        _print_json([where.plain(one) for one in findings])
    else:
        print("\n\n".join(map(where.text, findings)))
    return 0


def _gallery(options: argparse.Namespace) -> int:
    only = ["--game", options.game] if options.game else []
    return subprocess.run([sys.executable, "-m", "widgets.pages.gallery", str(options.folder), *only]).returncode


def _schema(options: argparse.Namespace) -> int:
    from pydantic import BaseModel

    from tutor.core.position import Position
    from tutor.course.articles import Family
    from tutor.course.models import Case, Exercise, Lesson
    from tutor.course.replay import Replay

    forms: dict[str, type[BaseModel]] = {
        "position": Position,
        "case": Case,
        "exercise": Exercise,
        "lesson": Lesson,
        "replay": Replay,
        "articles": Family,
    }
    schemas = {name: form.model_json_schema(by_alias=True, mode="validation") for name, form in forms.items()}
    _print_json(schemas[options.form] if options.form else schemas)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
