"""What `pip install` gives: the wheel, installed far from the checkout, has its content and works."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
READY_SECONDS = 60.0
LOOK_SECONDS = 0.2


def outside() -> dict[str, str]:
    """The environment of someone who has no checkout: nothing that make or Python were told about this one."""
    dropped = ("PYTHON", "JUPYTER", "IPYTHON", "LDV_", "PIP_TARGET")
    return {key: value for key, value in os.environ.items() if not key.startswith(dropped)}


def run(command: list[str | Path], place: Path, **env: str) -> str:
    """Output of a command that must succeed, run in `place`."""
    done = subprocess.run(
        command,
        cwd=place,
        env=outside() | env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    place = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, ROOT], place)
    (built,) = place.glob("ligne_de_vue-*-py3-none-any.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    """What the wheel holds."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def in_checkout(folder: str, pattern: str = "*") -> set[str]:
    """Files of a folder of the checkout, without what tools made."""
    files = (path.relative_to(ROOT) for path in (ROOT / folder).rglob(pattern) if path.is_file())
    return {path.as_posix() for path in files if not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts)}


@pytest.mark.parametrize("package", ["tutor", "widgets"])
def test_wheel_carries_packages_with_their_data(names: set[str], package: str) -> None:
    mine = {name for name in names if name.startswith(f"{package}/") and "/_notebooks/" not in name}
    assert mine == in_checkout(package)


@pytest.mark.parametrize("suffix", [".yaml", ".css", ".j2", ".woff2"])
def test_wheel_carries_every_kind_of_data(names: set[str], suffix: str) -> None:
    assert any(name.endswith(suffix) for name in names)


def test_wheel_carries_the_notebooks(names: set[str]) -> None:
    expected = {f"widgets/_{name}" for name in in_checkout("notebooks", "*.ipynb")}
    assert "widgets/_notebooks/accueil.ipynb" in expected
    assert {name for name in names if name.startswith("widgets/_notebooks/")} == expected


def test_wheel_carries_nothing_else(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"tutor", "widgets"}
    assert not [name for name in names if "test" in name.lower() and name.endswith(".py")]


@pytest.fixture(scope="module")
def ldv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `ldv` command of an environment where the wheel is installed and its dependencies are borrowed from ours."""
    place = tmp_path_factory.mktemp("installed") / "env"
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    run([sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel], place)
    # Only the directory: the .pth files in it, the editable checkout's among them, are not read from there.
    site = Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], place).strip())
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    where = run([python, "-c", "import tutor, widgets; print(tutor.__file__, widgets.__file__)"], place)
    assert str(ROOT) not in where
    return place / "bin" / "ldv"


def test_installed_content_is_valid(ldv: Path, tmp_path: Path) -> None:
    run([ldv, "check", "--game", "sherman_leader"], tmp_path)  # all of it is checked in the checkout


def test_installed_store_runs_its_migrations(ldv: Path, tmp_path: Path) -> None:
    said = run([ldv, "teacher", "create", "Mme Durand"], tmp_path, LDV_DATA=str(tmp_path / "data"))
    assert said.startswith("Clé n° 1 de Mme Durand : ")
    assert "Mme Durand" in run([ldv, "teacher", "list"], tmp_path, LDV_DATA=str(tmp_path / "data"))


def answer(server: subprocess.Popen[str], url: str, log: Path) -> tuple[int, str]:
    """Status and text of a page, asked for until the server listens."""
    for _ in range(int(READY_SECONDS / LOOK_SECONDS)):
        try:
            with urllib.request.urlopen(url, timeout=READY_SECONDS) as page:
                return page.status, page.read().decode("utf-8")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode("utf-8", "replace")
        except OSError:
            try:
                code = server.wait(LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            pytest.fail(f"ldv serve s’est arrêté (code {code})\n{log.read_text(encoding='utf-8')[-3000:]}")
    pytest.fail(f"{url} ne répond pas\n{log.read_text(encoding='utf-8')[-3000:]}")


def test_installed_server_answers(ldv: Path, tmp_path: Path) -> None:
    port = free_port()
    borrowed = {
        "JUPYTER_PATH": str(Path(sys.prefix, "share", "jupyter")),
        "JUPYTER_CONFIG_PATH": str(Path(sys.prefix, "etc", "jupyter")),
        "HOME": str(tmp_path),
        "LDV_POOL": "1",
    }
    said = tmp_path / "log"
    with said.open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            [ldv, "serve", "--port", str(port)],
            cwd=tmp_path,
            env=outside() | borrowed,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert answer(server, f"http://127.0.0.1:{port}/sante", said)[0] == 200
            status, page = answer(server, f"http://127.0.0.1:{port}/", said)
            assert status == 200
            assert 'lang="fr"' in page
            assert "Ligne de Vue" in page
        finally:
            server.terminate()
            server.wait(READY_SECONDS)
