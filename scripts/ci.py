"""What continuous integration does around `make test`: a red run says why.

In turn: the machine, and how fast it is; the set-up, tried twice (exit code 75 when it fails: nothing was tested); whether
the tree is whole, in a minute; `make test`; once more, alone, at most five failed tests that drive a browser, a server or a
database; last, what failed with its cause, and what took the time. Standard library only: it runs before anything is
installed. Reports and pictures go to `.rapports/`.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import contextlib

from system import ROOT

REPORTS = ROOT / ".rapports"
PYTHON = ROOT / ".venv" / "bin" / "python"
#: Minutes after which the suite is asked to end and to say what it knows, and minutes it has for that.
MINUTES, GRACE = 75, 3
#: So many served tests may be tried again, and so many may pass only then.
MOST_AGAIN, MOST_RECOVERED = 5, 2
NOT_SET_UP = 75
PAUSE = 30.0
#: The fixed loop's seconds on a quiet machine.
QUIET = 0.1
#: Seconds between two looks at the machine's speed while the suite runs.
LOOK = 15.0
#: nbval, which one test asks of a pytest of its own, takes seconds of each process's start.
QUICK = ("-p", "no:nbval")
TREE = (
    ("ruff", "-m", "ruff", "check", "--quiet", "."),
    ("compilation", "-m", "compileall", "-q", "tutor", "widgets", "tests", "bench", "scripts"),
    ("lecture des tests", "-m", "pytest", *QUICK, "--collect-only", "-qq", "-p", "no:cacheprovider"),
    ("outillage", "-m", "pytest", *QUICK, "-q", "-x", "tests/unit/test_tooling.py", "tests/unit/test_contributing.py"),
)
SUITE = "--maxfail=25 -rfE --durations=25 --junitxml={reports}/suite.xml -o junit_family=xunit2"


class Run:
    """One run: how long each stage took, and the process that is running now."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.stages: list[tuple[str, float]] = []
        self.child: subprocess.Popen[bytes] | None = None

    def stage(self, name: str, *command: str | Path, env: dict[str, str] | None = None, quiet: bool = False) -> int:
        """Run a command, in a process group of its own, until it ends or the time is over.

        Args:
            name: of the stage, in French.
            command: program and arguments.
            env: more of its environment.
            quiet: keep what it says until it fails.

        Returns:
            its exit code; 124 when the time was over.
        """
        began = time.monotonic()
        out = (REPORTS / "etape.log").open("wb") if quiet else None
        self.child = subprocess.Popen(
            [str(part) for part in command],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT if out else None,
            env={**os.environ, **(env or {})},
            start_new_session=True,
        )
        code = self._wait(MINUTES * 60 - (began - self.began))
        self.stages.append((name, time.monotonic() - began))
        if out:
            out.close()
            if code:
                print((REPORTS / "etape.log").read_text(encoding="utf-8", errors="replace")[-6000:], flush=True)
        return code

    def _wait(self, seconds: float) -> int:
        assert self.child
        try:
            return self.child.wait(max(1.0, seconds))
        except subprocess.TimeoutExpired:
            print(f"\n{MINUTES} minutes sont passées : la suite s’arrête et dit ce qu’elle sait.", flush=True)
        if (number := REPORTS / "suite.pid").is_file():  # pytest alone: its workers end with it
            os.kill(int(number.read_text()), signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(GRACE * 60)
        self.end()
        return 124

    def end(self) -> None:
        """End what runs now, and all that it started."""
        if self.child is not None:
            for number, pause in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0)):
                try:
                    os.killpg(self.child.pid, number)
                    self.child.wait(pause)
                except (OSError, subprocess.TimeoutExpired):
                    continue


def first_line(*command: str) -> str:
    """The first line a program prints; why not, when it does not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    return (done.stdout or done.stderr).strip().partition("\n")[0]


def seconds_of_a_loop(clock: Callable[[], float] = time.perf_counter, part: int = 1) -> float:
    """The best of three times of one fixed loop: what this machine's processor is worth now.

    Args:
        clock: that of the wall, or what this thread has had of a processor.
        part: of the loop, what is done of it; the time is that of the whole.
    """
    best = 60.0
    for _ in range(3):
        began = clock()
        sum(i * i % 7 for i in range(1_500_000 // part))
        best = min(best, (clock() - began) * part)
    return best


@contextlib.contextmanager
def looked_at() -> Iterator[list[float]]:
    """What the processor is worth while something runs, every fifteen seconds: the fixed loop's own processor time, which
    neighbours of the machine lengthen and those who wait for a turn do not.
    """
    seen: list[float] = []
    over = threading.Event()

    def look() -> None:
        while not over.wait(LOOK):
            seen.append(seconds_of_a_loop(time.thread_time, part=10))

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()


def written(seconds: float) -> str:
    """Seconds of the fixed loop, French."""
    return f"{seconds:.3f}".replace(".", ",") + " s"


def pace(seen: list[float], took: float) -> str:
    """How fast the machine was during the suite, and what it would have taken on a quiet one, in a line.

    Args:
        seen: seconds of the fixed loop.
        took: the suite, in seconds.
    """
    if not seen:
        return "vitesse pendant la suite : inconnue"
    mean = statistics.fmean(seen)
    return (
        f"vitesse pendant la suite : {written(mean)} en moyenne pour la boucle fixe "
        f"({written(min(seen))} à {written(max(seen))}) ; "
        f"{took:.0f} s, soit {took * QUIET / mean:.0f} s à la vitesse d’une machine tranquille"
    )


def facts() -> list[str]:
    """The machine, in a few lines."""
    lines = [
        f"commit {first_line('git', 'log', '-1', '--format=%h %cI %s')[:120]}",
        f"Python {platform.python_version()} · {platform.platform()} · {os.cpu_count()} processeurs",
    ]
    if hasattr(os, "getloadavg"):
        lines.append("charge " + " ".join(f"{load:.2f}" for load in os.getloadavg()))
    for place in ("/proc/meminfo", *(f"/proc/pressure/{kind}" for kind in ("cpu", "memory", "io"))):
        try:
            text = Path(place).read_text().splitlines()
        except OSError:
            continue
        kept = [" ".join(line.split()) for line in text if line.startswith(("MemTotal", "MemAvailable", "some"))]
        lines.append(f"{place} : " + " ; ".join(kept))
    for place in (str(ROOT), os.environ.get("TMPDIR", "/tmp"), "/dev/shm"):
        if os.path.isdir(place):
            lines.append(f"libre dans {place} : {shutil.disk_usage(place).free / 2**30:.1f} Gio")
    with contextlib.suppress(OSError):
        lines.append(f"processus 1 : {Path('/proc/1/comm').read_text().strip()}")
    lines.append(
        f"vitesse : {written(seconds_of_a_loop())} pour une boucle fixe ({written(QUIET)} sur une machine tranquille)"
    )
    return lines


def report(name: str) -> dict[str, Any]:
    """What pytest wrote of a run; empty when it wrote nothing.

    Args:
        name: of the run's folder, below `.rapports`.
    """
    try:
        suite = json.loads((REPORTS / name / "suite.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return suite if isinstance(suite, dict) else {}


def may_be_tried_again(failed: list[dict[str, Any]]) -> bool:
    """Whether what failed depends on more than the rules, and is little: a rule, a case, a property is never run again.

    Args:
        failed: of the first run, as `tests/reporting.py` writes it.
    """
    names = {one["id"] for one in failed}
    return 0 < len(names) <= MOST_AGAIN and all(one["served"] for one in failed)


def verdict(first: dict[str, Any], code: int, second: dict[str, Any] | None, code_again: int) -> tuple[int, list[str]]:
    """The exit code of the whole, and the last lines.

    Args:
        first: report of the suite.
        code: its exit code.
        second: report of the tests that were tried again; None when none were.
        code_again: its exit code.

    Returns:
        0 when all is well; the lines name what failed, each with its cause, and what passed only the second time.
    """
    lines: list[str] = []
    causes: dict[str, str] = {}
    for one in first.get("failed", []):
        causes.setdefault(one["id"], f"{one['when']} : {one['cause']}")
    still = set(causes)
    if second is not None:
        asked_again = second.get("tests", 0) >= len(causes)
        again = {one["id"] for one in second.get("failed", [])}
        still = again if code_again in (0, 1) and asked_again else set(causes)
        recovered = [name for name in causes if name not in still]
        lines += [f"À LA SECONDE FOIS : {name} · {causes[name]}" for name in recovered]
        if len(recovered) > MOST_RECOVERED:
            lines.append(f"{len(recovered)} tests n’ont passé qu’à la seconde fois : c’est trop pour le hasard.")
            return 1, lines
        if not still:
            return 0, lines
    lines += [f"ÉCHEC : {name} · {cause}" for name, cause in causes.items() if name in still]
    if code and not causes:
        lines.append(f"La suite a fini avec le code {code} sans nommer de test.")
    return (code or 1) if code or still else 0, lines


def main() -> int:
    """Run all.

    Returns:
        0; 75 when the set-up failed; else not 0.
    """
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # who reads the tests first compiles them, for all
    run = Run()

    def leave(number: int, _: object) -> None:
        run.end()
        sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    print("\n".join(facts()), flush=True)

    for name in ("setup", "ready"):
        if run.stage(name, "make", "--no-print-directory", name):
            print(f"L’installation a échoué ; second essai dans {PAUSE:.0f} s.", flush=True)
            time.sleep(PAUSE)
            if run.stage(f"{name}, second essai", "make", "--no-print-directory", name):
                print(f"installation : « make {name} » a échoué deux fois ; rien n’a été essayé.", flush=True)
                return NOT_SET_UP

    for name, *arguments in TREE:
        if code := run.stage(name, PYTHON, *arguments, quiet=True):
            print(f"ARBRE CASSÉ : {name} (code {code}) ; la suite n’a pas été lancée.", flush=True)
            return code

    asked = SUITE.format(reports=REPORTS.name)
    with looked_at() as seen:
        code = run.stage("suite", "make", "--no-print-directory", "test", f"PYTEST_ARGS={asked}")
    speed = pace(seen, run.stages[-1][1])
    first = report("")
    second, code_again = None, 0
    if code and may_be_tried_again(first.get("failed", [])):
        names = sorted({one["id"] for one in first["failed"]})
        print(f"\n{len(names)} tests servis, une seconde fois, seuls :", flush=True)
        again = {"LDV_RAPPORTS": str(REPORTS / "seconde-fois")}
        arguments = " ".join(["-rfE", *(shlex.quote(name) for name in names)])
        command = ("make", "--no-print-directory", "test", "JOBS=0", f"PYTEST_ARGS={arguments.replace('$', '$$')}")
        code_again = run.stage("seconde fois", *command, env=again)
        second = report("seconde-fois")
    total, lines = verdict(first, code, second, code_again)

    print("\nles plus longs : " + ", ".join(f"{name} {took:.0f} s" for name, took in first.get("longest", [])[:10]))
    print("étapes : " + ", ".join(f"{name} {took:.0f} s" for name, took in run.stages))
    print(speed)
    if total:
        print(f"rapports et images : {REPORTS}")
    print("\n".join(lines or ["Tout passe."]), flush=True)
    return total


if __name__ == "__main__":
    sys.exit(main())
