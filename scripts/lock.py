"""Renew requirements.lock: every platform and Python of `requires-python`, with hashes, without any address."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"


def main() -> int:
    """Compile the lock with uv, installed in a throw-away environment.

    Returns:
        Exit code: 0 when the lock was renewed, 1 with one line on stderr otherwise.
    """
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        python = Path(place, "bin", "python")
        try:
            subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
            compiled = Path(place, "requirements.lock")
            if LOCK.exists() and "--upgrade" not in sys.argv:
                compiled.write_bytes(LOCK.read_bytes())  # keep the versions that still fit
            subprocess.run(
                [
                    *(python, "-m", "uv", "pip", "compile", "--quiet", "pyproject.toml", "--group", "dev"),
                    *("--universal", "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url"),
                    *("--custom-compile-command", "make lock", "--output-file", compiled),
                ],
                check=True,
                cwd=ROOT,
                env={**os.environ, "UV_NO_PROGRESS": "1"},
                stdout=subprocess.DEVNULL,
            )
        except subprocess.CalledProcessError as error:
            print(f"Verrou non renouvelé : « {error.cmd[2]} » a échoué (code {error.returncode}).", file=sys.stderr)
            return 1
        text = compiled.read_text(encoding="utf-8")
    if "://" in text or "--index-url" in text:
        print("Verrou non renouvelé : il contiendrait une adresse d’index.", file=sys.stderr)
        return 1
    LOCK.write_text(text, encoding="utf-8")
    print("requirements.lock est à jour.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
