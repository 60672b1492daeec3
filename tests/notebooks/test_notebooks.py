"""Every notebook runs in a kernel of its own, shows no error, and is kept without outputs.

Kernels are copied from one process, as the server copies them, and name the pictures of grounds as its kernels do; the
first of each folder starts as JupyterLab starts it, and draws them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from widgets.board.grounds import VARIABLE
from widgets.serving import forked

ROOT = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(ROOT.rglob("*.ipynb"))
NOTEBOOKS = [path for path in NOTEBOOKS if ".ipynb_checkpoints" not in path.parts]
#: The first of each folder.
ALONE = {path.parent: path for path in reversed(NOTEBOOKS)}.values()


def ids(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_are_notebooks() -> None:
    assert {"accueil.ipynb", "bac-a-sable.ipynb", "a-propos.ipynb"} <= {path.name for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_a_notebook_is_kept_clean(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(nbformat.from_dict(notebook))  # type: ignore[no-untyped-call]
    assert notebook["metadata"]["title"]
    assert "widgets" not in notebook["metadata"]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


@pytest.fixture(scope="module")
def copied() -> str:
    """The name of what starts kernels as copies."""
    name = forked.provisioner()
    forked.warm()
    return name


def executed(notebook: Any, copied: str, folder: Path) -> None:
    """Run a notebook in a copied kernel; with no name, in one that starts as JupyterLab starts it."""
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    env = {**os.environ, "PYTHONPATH": str(ROOT.parent)}
    if copied:
        env[VARIABLE] = "essai"
        manager = client.create_kernel_manager()
        manager.kernel_spec.metadata["kernel_provisioner"] = {"provisioner_name": copied}
    client.execute(env=env)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are copied on Linux only")
def test_a_copied_kernel_reads_neither_modules_nor_contents_again(copied: str) -> None:
    asked = (
        "import sys",
        "from tutor.core.registry import game",
        "kernel = get_ipython().kernel",
        "print(len(kernel._kernel_modules), len(kernel.shell._sys_modules_keys), 'widgets.player.lesson' in sys.modules)",
        "print([name in vars(game('tcs')) for name in ('tables', 'sections', 'phrases')])",
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("\n".join(asked))])  # type: ignore[no-untyped-call]
    executed(notebook, copied, ROOT)
    (output,) = notebook.cells[0].outputs
    assert output.text.splitlines() == ["0 0 True", "[True, True, True]"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_a_notebook_runs(path: Path, copied: str, caplog: pytest.LogCaptureFixture) -> None:
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    executed(notebook, "" if path in ALONE else copied, path.parent)
    assert "could not be copied" not in caplog.text
    shown = 0
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type not in ("error", "stream"), output
            text = json.dumps(output.get("data", {}), ensure_ascii=False)
            assert "Traceback" not in text
            assert "ne peut pas s’ouvrir" not in text
            shown += "application/vnd.jupyter.widget-view+json" in output.get("data", {})
    assert shown
    states = json.dumps(notebook.metadata.get("widgets", {}), ensure_ascii=False)
    assert "ne peut pas s’ouvrir" not in states


def test_nbval_accepts_notebooks_of_each_kind() -> None:
    """Whoever writes a notebook checks it as README says: a page, a lesson, the library's."""
    kinds = ("accueil.ipynb", "combat_commander/03-ldv-terrain-plat.ipynb", "bibliotheque.ipynb")
    written = [str(ROOT / name) for name in kinds]
    command = [sys.executable, "-m", "pytest", "-q", "--nbval-lax", "-p", "no:cacheprovider", *written]
    done = subprocess.run(command, cwd=ROOT.parent, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout[-3000:]
