"""Make the project's own environment (.venv) what requirements.lock and pyproject.toml ask for.

Run by `scripts/setup.sh`, with the newest Python found. Standard library only: it runs before anything is installed.
A stamp in the environment says what it was made from: with the right one there is nothing to do, and no network is
needed. The stamp goes first and comes back last, so an interrupted installation is done again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from system import ENVIRONMENT, LOG, ROOT, administrator, apt_install, quietly, say, stop

PYTHON = ENVIRONMENT / "bin" / "python"
STAMP = ENVIRONMENT / "ligne-de-vue.stamp"
LOCK_FILE = ROOT / "requirements.lock"
PROJECT_FILE = ROOT / "pyproject.toml"
LAB_PAGE = ROOT / ".jupyter" / "config" / "labconfig" / "page_config.json"


def wanted() -> dict[str, str]:
    """What an environment that is up to date was made from: the place, the lock, the project."""
    files = {"lock": LOCK_FILE, "project": PROJECT_FILE}
    return {"root": str(ROOT)} | {key: hashlib.sha256(path.read_bytes()).hexdigest() for key, path in files.items()}


def recorded() -> dict[str, str]:
    """What the present environment was made from; empty when there is none, or an unfinished one."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def is_current() -> bool:
    """True when there is nothing to do."""
    return recorded() == wanted() and LAB_PAGE.is_file()


def require_venv() -> None:
    """Make sure that this Python can create environments: Debian keeps that part in a package of its own."""
    check = [sys.executable, "-I", "-c", "import venv, ensurepip"]
    if quietly(check) is None:
        return
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if shutil.which("apt-get") is None:
        stop(f"Il manque « venv » et « ensurepip » à {sys.executable} : installez un Python {version} complet.")
    if administrator() is not None:
        say(f"Installation du module « venv » de Python {version}…")
        for package in (f"python{version}-venv", "python3-venv"):
            if apt_install(package) is None and quietly(check) is None:
                return
    stop(f"Il manque le module « venv » de Python ; tapez : sudo apt-get install -y python{version}-venv")


def create() -> None:
    """Create an empty environment in place of any other."""
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    problem = quietly([sys.executable, "-I", "-X", "utf8", "-m", "venv", ENVIRONMENT])
    if problem is not None:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        stop(f"L’environnement .venv n’a pas pu être créé : {problem}")


def pip(*arguments: str) -> str | None:
    """Run the environment's pip; None, or why it failed."""
    ours = {"PIP_USER": "0", "PIP_REQUIRE_HASHES": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    return quietly([PYTHON, "-X", "utf8", "-m", "pip", *arguments], ours)


def install_packages(fresh: bool) -> None:
    """Install what the lock lists, hashes checked.

    Args:
        fresh: Whether to start from an empty environment; else what is there is brought up to date.
    """
    if fresh:
        require_venv()
    say(f"Installation des paquets dans .venv (Python {sys.version.split()[0]}), une minute environ…")
    if fresh:
        create()
    problem = pip("install", "--require-hashes", "--no-deps", "--requirement", str(LOCK_FILE))
    if problem is not None:
        stop(f"Les paquets n’ont pas pu être installés (réseau ? détails dans {LOG.relative_to(ROOT)}) : {problem}")


def install_project() -> None:
    """Install this checkout itself, editable; every tool that takes is in the environment, so without network."""
    problem = pip("install", "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT))
    if problem is not None:
        stop(f"Le projet n’a pas pu être installé (détails dans {LOG.relative_to(ROOT)}) : {problem}")
    # Relative, because Python before 3.13 reads these files in the locale's encoding: an accent in the path broke it.
    for link in ENVIRONMENT.glob("lib/python*/site-packages/_ligne_de_vue.pth"):
        link.write_text(os.path.relpath(ROOT, link.parent) + "\n", encoding="utf-8")


def configure_lab() -> None:
    """JupyterLab opens on the notebooks, without its news and update pop-ups."""
    LAB_PAGE.parent.mkdir(parents=True, exist_ok=True)
    page = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    LAB_PAGE.write_text(json.dumps(page, indent=2) + "\n", encoding="utf-8")


def runs() -> bool:
    """True when the environment's Python still starts (it does not once the Python it was made from is gone)."""
    return (
        PYTHON.exists() and subprocess.run([PYTHON, "-I", "-X", "utf8", "-c", ""], capture_output=True).returncode == 0
    )


def main() -> int:
    """Set up what is not up to date.

    Returns:
        Exit code: 0; with `--is-current`, 1 when there is something to do.
    """
    if "--is-current" in sys.argv[1:]:
        return 0 if is_current() else 1
    with (ROOT / ".setup.lock").open("w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)  # two commands at once: the second one waits, then has nothing to do
        old, new, works = recorded(), wanted(), runs()
        if old != new or not works:
            STAMP.unlink(missing_ok=True)
            kept = works and old.get("root") == new["root"]
            if not kept or old["lock"] != new["lock"]:
                install_packages(fresh=not kept)
            install_project()
            temporary = STAMP.with_suffix(f".{os.getpid()}")
            temporary.write_text(json.dumps(new), encoding="utf-8")
            temporary.replace(STAMP)
        configure_lab()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        stop("Installation interrompue : recommencez la même commande, elle reprendra.")
    except OSError as error:
        stop(f"Installation impossible : {error.strerror or error} ({error.filename or ROOT})")
