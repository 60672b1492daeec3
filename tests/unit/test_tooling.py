"""The two commands, the lock and the tidiness of the sources: what holds whatever the rules say."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+)", re.MULTILINE)
NOT_SOURCES = {"__pycache__", "node_modules", "dist", "build", "out"}


def sources(*suffixes: str) -> list[Path]:
    """Files of the project, without what tools made; all of them, or those with one of the suffixes."""
    every = []
    for folder, names, files in os.walk(ROOT):
        names[:] = [n for n in names if n not in NOT_SOURCES and (not n.startswith(".") or n == ".ci")]
        every += [Path(folder, name) for name in files if not suffixes or name.endswith(suffixes)]
    return sorted(every)


def shown(path: Path) -> str:
    """A path as a test's name."""
    return path.relative_to(ROOT).as_posix()


# --- the lock -----------------------------------------------------------------------------------------------------


def lock_entries() -> list[str]:
    """The lock's requirements, each with its continuation lines."""
    text = re.sub(r"^\s*#.*\n", "", LOCK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [entry.strip() for entry in re.split(r"(?<!\\)\n", text) if entry.strip()]


def test_lock_names_no_address_and_no_place() -> None:
    text = LOCK.read_text(encoding="utf-8")
    for forbidden in ("://", "--index-url", "--extra-index", "--find-links", "--trusted-host", "file:", " @ ", "-e "):
        assert forbidden not in text, f"requirements.lock contient « {forbidden} »"
    assert not re.search(r"(?:^|\s)/\w", text), "requirements.lock nomme un chemin"


def test_every_locked_requirement_is_pinned_with_hashes() -> None:
    entries = lock_entries()
    assert len(entries) > 100
    for entry in entries:
        assert PINNED.match(entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


def test_lock_serves_every_platform() -> None:
    names = {canonicalize_name(name) for name, _ in PINNED.findall(LOCK.read_text(encoding="utf-8"))}
    assert {"appnope", "colorama", "pexpect", "pywinpty"} <= names  # macOS, Windows, Unix, Windows


def test_lock_meets_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    asked += project["build-system"]["requires"]
    locked: dict[str, list[Version]] = {}
    for name, version in PINNED.findall(LOCK.read_text(encoding="utf-8")):
        locked.setdefault(canonicalize_name(name), []).append(Version(version))
    for requirement in map(Requirement, asked):
        versions = locked.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement} manque au verrou : make lock"
        assert all(version in requirement.specifier for version in versions), f"{requirement} : make lock"


# --- the commands -------------------------------------------------------------------------------------------------


def test_ci_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & stat.S_IXUSR
    assert script.read_text(encoding="utf-8").rstrip().endswith("exec sh scripts/setup.sh scripts/ci.py")
    assert '"make", "--no-print-directory", "test"' in (ROOT / "scripts" / "ci.py").read_text(encoding="utf-8")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A directory with the set-up scripts, a lock and a project, where nothing has been installed."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "requirements.lock").write_text("pytest==1\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    return tmp_path


def fake_python(folder: Path, name: str, answer: str, code: int = 0) -> None:
    """A program that gives `answer` for its version, and says its own name when it is given a script."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(
        f'#!/bin/sh\nif [ "$2" = -c ]; then echo "{answer}"; exit {code}; fi\necho "{name} $4"\n', encoding="utf-8"
    )
    program.chmod(0o755)


def run_setup(bare: Path, path: Path) -> subprocess.CompletedProcess[str]:
    """Run scripts/setup.sh with the programs of `path` and the few that a shell script needs."""
    path.mkdir(exist_ok=True)
    for name in ("dirname",):
        program = shutil.which(name)
        assert program
        (path / name).symlink_to(program)
    command = [shutil.which("sh") or "/bin/sh", str(bare / "scripts" / "setup.sh")]
    return subprocess.run(command, env={"PATH": str(path)}, capture_output=True, text=True, encoding="utf-8")


def test_setup_takes_the_newest_python(bare: Path) -> None:
    path = bare / "path"
    fake_python(path, "python3.11", "311")
    fake_python(path, "python3.12", "312")
    fake_python(path, "python3", "313")
    done = run_setup(bare, path)
    assert (done.returncode, done.stdout.strip()) == (0, "python3 scripts/setup.py")


def test_setup_passes_over_a_python_that_does_not_run(bare: Path) -> None:
    path = bare / "path"
    fake_python(path, "python3.13", "", code=127)
    fake_python(path, "python3.11", "311")
    done = run_setup(bare, path)
    assert (done.returncode, done.stdout.strip()) == (0, "python3.11 scripts/setup.py")


@pytest.mark.parametrize("version", [None, "310", "0"])
def test_setup_without_a_python_says_so_in_one_line(bare: Path, version: str | None) -> None:
    path = bare / "path"
    if version is not None:
        fake_python(path, "python3", version)
    done = run_setup(bare, path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "Python 3.11" in done.stderr


def script(bare: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of a set-up script that stands in `bare`."""
    monkeypatch.syspath_prepend(str(bare / "scripts"))
    monkeypatch.delitem(sys.modules, "system", raising=False)
    spec = importlib.util.spec_from_file_location(f"ldv_{name}", bare / "scripts" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delitem(sys.modules, "system", raising=False)
    return module


@pytest.mark.parametrize("changed", ["requirements.lock", "pyproject.toml"])
def test_stamp_follows_lock_and_project(bare: Path, changed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = script(bare, "setup", monkeypatch)
    assert not setup.is_current()
    setup.STAMP.parent.mkdir()
    setup.STAMP.write_text(json.dumps(setup.wanted()), encoding="utf-8")
    setup.configure_lab()
    assert setup.is_current()
    with (bare / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert not setup.is_current()


def test_interrupted_setup_is_done_again(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = script(bare, "setup", monkeypatch)
    setup.STAMP.parent.mkdir()
    setup.STAMP.write_text('{"lock": "', encoding="utf-8")
    assert not setup.is_current()


def test_missing_venv_without_administrator_gives_the_command(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = script(bare, "setup", monkeypatch)
    monkeypatch.setattr(setup, "quietly", lambda *_: "No module named ensurepip")
    monkeypatch.setattr(setup, "administrator", lambda: None)
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(SystemExit) as left:
        setup.require_venv()
    assert left.value.code == 1
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1
    assert message.rstrip().endswith(f"sudo apt-get install -y python{sys.version_info[0]}.{sys.version_info[1]}-venv")


def test_browser_that_does_not_open_is_refused_in_one_line(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    browser = script(bare, "browser", monkeypatch)
    dead = bare / "chromium"
    dead.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    dead.chmod(0o755)
    monkeypatch.setenv("LDV_CHROMIUM", str(dead))
    with pytest.raises(SystemExit) as left:
        browser.find()
    assert left.value.code == 1
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1
    assert "LDV_CHROMIUM" in message


def test_browser_that_opens_is_remembered_until_it_changes(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = script(bare, "browser", monkeypatch)
    browser.ENVIRONMENT.mkdir()
    program, count = bare / "chromium", bare / "count"
    program.write_text(f"#!/bin/sh\necho x >> '{count}'\necho '<html></html>'\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("LDV_CHROMIUM", str(program))
    assert [browser.find(), browser.find()] == [str(program), str(program)]
    assert count.read_text(encoding="utf-8").count("x") == 1
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        browser.find()


def test_playwright_without_its_library_gives_the_command(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    browser = script(bare, "browser", monkeypatch)
    monkeypatch.setattr(browser, "quietly", lambda *_: "node: libatomic.so.1: cannot open shared object file")
    monkeypatch.setattr(browser, "administrator", lambda: None)
    with pytest.raises(SystemExit) as left:
        browser.find()
    assert left.value.code == 1
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1
    assert message.rstrip().endswith("sudo apt-get install -y libatomic1")


def test_make_run_hands_over_host_and_port() -> None:
    make = shutil.which("make")
    assert make, "make manque"
    asked = {"HOST": "0.0.0.0", "PORT": "9123", "PUBLIC_URL": "https://example.org/ldv/"}
    kept = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    command = [make, "--no-print-directory", "-n", "run"]
    lines = subprocess.run(command, cwd=ROOT, env=kept | asked, capture_output=True, text=True, check=True).stdout
    last = lines.strip().splitlines()[-1]
    shell = last.replace("exec .venv/bin/ldv", "echo")
    said = subprocess.run(["sh", "-c", shell], env=kept | asked, capture_output=True, text=True, check=True).stdout
    assert said.split() == [
        *("serve", "--host", "0.0.0.0", "--port", "9123", "--public-url", "https://example.org/ldv/"),
    ]


# --- dependency arrows --------------------------------------------------------------------------------------------

JUPYTER = (
    *("IPython", "anywidget", "ipycanvas", "ipykernel", "ipywidgets", "jupyter_client", "jupyter_core"),
    *("jupyter_server", "jupyterlab", "nbclient", "nbconvert", "nbformat", "tornado", "traitlets", "voila"),
)
ABOVE_TUTOR = (*JUPYTER, "widgets", "notebooks", "tests", "bench", "scripts")


def module_name(path: Path) -> str:
    """The dotted name of a module of the repository."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(text: str, name: str, is_package: bool) -> Iterator[str]:
    """Dotted names that a module's source imports, relative ones resolved."""
    package = name if is_package else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def forbidden(name: str) -> tuple[str, ...]:
    """Packages that the module `name` may not import."""
    if name.startswith("tutor.core"):
        return (*ABOVE_TUTOR, "tutor.games", "tutor.course", "tutor.store", "tutor.cli")
    if name.startswith("tutor.games."):
        own = name.split(".")[2]
        games = [path.name for path in (ROOT / "tutor" / "games").iterdir() if path.is_dir()]
        others = tuple(f"tutor.games.{game}" for game in games if game != own)
        return (*ABOVE_TUTOR, "tutor.course", "tutor.store", "tutor.cli", *others)
    if name.startswith("tutor.course"):
        return (*ABOVE_TUTOR, "tutor.games", "tutor.store", "tutor.cli")
    if name.startswith("tutor"):
        return ABOVE_TUTOR
    return (*_rooms_above(name), *_outside_widgets(name))


#: Rooms of `widgets`, from the ground up: each may import those before it. The server stands apart.
ROOMS = ("board", "host", "player", "editor", "classroom", "pages", "serving")
BESIDE = {"editor": ("classroom",), "serving": ("board", "player", "editor", "classroom", "pages")}


def _rooms_above(name: str) -> list[str]:
    """Rooms that a module of `widgets` may not enter."""
    _, _, rest = name.partition("widgets.")
    room = rest.partition(".")[0]
    if room not in ROOMS:
        return []
    rooms = (*ROOMS[ROOMS.index(room) + 1 :], *BESIDE.get(room, ()))
    return [f"widgets.{other}" for other in rooms]


def _outside_widgets(name: str) -> tuple[str, ...]:
    below = () if name.startswith("widgets.serving") else ("tutor.store",)  # a reader's kernel holds no database
    return ("notebooks", "tests", "bench", "scripts", "tutor.cli", "tutor.games", *below)


def crossings(text: str, name: str, is_package: bool = False) -> list[str]:
    """Imports of a module that go against the arrows."""
    walls = forbidden(name)
    return [
        target
        for target in imported(text, name, is_package)
        if any(target == wall or target.startswith(f"{wall}.") for wall in walls)
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tutor.core.grid", "from tutor.games import combat_commander"),
        ("tutor.core.grid", "from ..games.combat_commander import los"),
        ("tutor.core.grid", "def f():\n    import shapely, tutor.course.lessons"),
        ("tutor.games.combat_commander.fire.fire", "from tutor.course.links import link"),
        ("tutor.course.lessons", "import ipywidgets as ipw"),
        ("tutor.course.lessons", "from IPython.display import display"),
        ("tutor.course.lessons", "from tutor.games import combat_commander"),
        ("tutor.cli", "from widgets.serving import main"),
        ("widgets.board.board", "from tests.conftest import ROOT"),
        ("widgets.board.board", "from tutor.games.combat_commander.los import los"),
        ("widgets.host.learner", "from tutor.store import learners"),
        ("widgets.board.board", "from widgets.host.page import course_page"),
        ("widgets.editor.page", "from widgets.classroom.join import JoinForm"),
    ],
)
def test_an_import_against_the_arrows_is_noticed(name: str, text: str) -> None:
    assert crossings(text, name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tutor.games.combat_commander.fire.fire", "from tutor.core.trace import Trace\nfrom .los import los"),
        ("tutor.course.lessons", "from tutor.core.registry import game"),
        ("widgets.board.board", "import ipywidgets as ipw\nfrom tutor.core import grid"),
        ("widgets.serving.desk.desk", "from tutor.store import learners"),
    ],
)
def test_an_import_along_the_arrows_is_let_through(name: str, text: str) -> None:
    assert not crossings(text, name)


def test_imports_follow_the_arrows() -> None:
    ours = [path for path in sources(".py") if path.relative_to(ROOT).parts[0] in ("tutor", "widgets")]
    crossed = {
        shown(path): crossings(path.read_text(encoding="utf-8"), module_name(path), path.name == "__init__.py")
        for path in ours
    }
    assert crossed
    assert {path: arrows for path, arrows in crossed.items() if arrows} == {}


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Modules that import each other, directly or not: every circle once, in order.

    Args:
        imports: module -> the modules that it imports.
    """

    def reached(name: str) -> set[str]:
        seen: set[str] = set()
        ahead = [name]
        while ahead:
            for target in imports[ahead.pop()] - seen:
                seen.add(target)
                ahead.append(target)
        return seen

    beyond = {name: reached(name) for name in imports}
    round_ = {name: tuple(sorted(other for other in beyond[name] if name in beyond[other])) for name in imports}
    return [list(circle) for circle in sorted({circle for circle in round_.values() if circle})]


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c", "a"}}, [["a", "b"], ["c", "d"]]),
    ],
)
def test_circles_are_noticed(imports: dict[str, set[str]], expected: list[list[str]]) -> None:
    assert circles(imports) == expected


def test_no_modules_import_each_other() -> None:
    """Imports inside functions and for types alone count too: who must know of the other is one module, or a third."""
    paths = [p for p in sources(".py") if p.relative_to(ROOT).parts[0] in ("tutor", "widgets")]
    known = {module_name(path): path for path in paths}
    imports: dict[str, set[str]] = {}
    for name, path in known.items():
        targets = imported(path.read_text(encoding="utf-8"), name, path.name == "__init__.py")
        modules = {target if target in known else target.rpartition(".")[0] for target in targets}
        imports[name] = {module for module in modules if module in known} - {name}
    assert sum(map(len, imports.values())) > 1_000
    assert circles(imports) == []


@pytest.mark.parametrize("package", ["tutor", "widgets"])
def test_what_is_imported_is_declared(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    providers = importlib.metadata.packages_distributions()
    undeclared = {}
    for path in sources(".py"):
        if path.relative_to(ROOT).parts[0] == package:
            for target in imported(path.read_text(encoding="utf-8"), module_name(path), path.name == "__init__.py"):
                top = target.split(".")[0]
                if top not in sys.stdlib_module_names and top not in ("tutor", "widgets"):
                    providing = {canonicalize_name(name) for name in providers.get(top, [])}
                    if not providing & declared:
                        undeclared[top] = shown(path)
    assert undeclared == {}


def test_tutor_runs_without_jupyter() -> None:
    names = [module_name(path) for path in sources(".py") if path.relative_to(ROOT).parts[0] == "tutor"]
    code = (
        "import importlib, sys\n"
        f"for name in {names!r}:\n    importlib.import_module(name)\n"
        f"print(*sorted(set({(*JUPYTER, 'widgets')!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


# --- tidiness -----------------------------------------------------------------------------------------------------


def test_modules_stay_small() -> None:
    assert [shown(path) for path in sources(".py") if len(path.read_text(encoding="utf-8").splitlines()) > 500] == []


@pytest.mark.parametrize("path", sources(".ipynb"), ids=shown)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert "widgets" not in notebook["metadata"]
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], f"cellule {number}"
            assert cell["execution_count"] is None, f"cellule {number}"


def test_sources_name_neither_a_private_place_nor_a_package_host() -> None:
    # Written in pieces, so that this file does not name them either.
    names = ["/wor" + "k/", "pypi" + ".org", "pythonhosted" + ".org", "registry." + "npmjs", "deb." + "debian.org"]
    looked, naming = 0, []
    for path in sources():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        looked += 1
        naming += [f"{shown(path)} : {name}" for name in names if name in text]
    assert looked > 40
    assert naming == []
