"""Renew requirements.lock and requirements-deploy.lock:
every platform and Python of `requires-python`, with hashes, without any address.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
#: What each lock is compiled from. The second is installed beside the first: their versions agree.
LOCKS = {
    LOCK: ("pyproject.toml", "--group", "dev"),
    ROOT / "requirements-deploy.lock": ("--group", "deploy", "--constraint", LOCK.name),
}


def compiled(python: Path, lock: Path, source: tuple[str, ...], place: Path) -> str:
    """The new text of a lock.

    Args:
        python: of an environment that has uv.
        lock: the present one, whose versions are kept where they still fit, unless `--upgrade` was said.
        source: what it is compiled from.
        place: a folder to write in.
    """
    made = place / lock.name
    if lock.exists() and "--upgrade" not in sys.argv:
        made.write_bytes(lock.read_bytes())
    subprocess.run(
        [
            *(python, "-m", "uv", "pip", "compile", "--quiet", *source),
            *("--universal", "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url"),
            *("--custom-compile-command", "make lock", "--output-file", made),
        ],
        check=True,
        cwd=ROOT,
        env={**os.environ, "UV_NO_PROGRESS": "1"},
        stdout=subprocess.DEVNULL,
    )
    return made.read_text(encoding="utf-8")


def main() -> int:
    """Compile the locks with uv, installed in a throw-away environment.

    Returns:
        Exit code: 0 when the locks were renewed, 1 with one line on stderr otherwise.
    """
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        python = Path(place, "bin", "python")
        for lock, source in LOCKS.items():
            try:
                subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
                text = compiled(python, lock, source, Path(place))
            except subprocess.CalledProcessError as error:
                print(f"Verrou non renouvelé : « {error.cmd[2]} » a échoué (code {error.returncode}).", file=sys.stderr)
                return 1
            if "://" in text or "--index-url" in text:
                print("Verrou non renouvelé : il contiendrait une adresse d’index.", file=sys.stderr)
                return 1
            lock.write_text(text, encoding="utf-8")
            print(f"{lock.name} est à jour.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
