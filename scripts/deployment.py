"""Install what checks deploy/ (requirements-deploy.lock) beside the rest:
the tests need it, serving the course does not.

Run by the environment's Python. Nothing is done, and no network is needed, when it is there already.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from system import ENVIRONMENT, LOG, ROOT, quietly, say, stop

LOCK = ROOT / "requirements-deploy.lock"
STAMP = ENVIRONMENT / "ligne-de-vue.deploy.stamp"


def main() -> None:
    """Install what is not there.

    Raises:
        SystemExit: when it cannot be, with one line.
    """
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == wanted:
        return
    say("Installation de ce qui vérifie deploy/ (schémas de Kubernetes et de compose, hadolint)…")
    pip = [sys.executable, "-X", "utf8", "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    problem = quietly([*pip, "--require-hashes", "--no-deps", "--requirement", LOCK])
    if problem is not None:
        stop(f"Ce qui vérifie deploy/ n’a pas pu être installé (détails dans {LOG.relative_to(ROOT)}) : {problem}")
    STAMP.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
