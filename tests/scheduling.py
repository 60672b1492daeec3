"""Which process takes which file: one computes while the others wait for servers, so that no processor is idle."""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

from tests.reporting import ROOT, is_served

#: Notebooks wait for nothing but the kernel that computes them.
NOTEBOOKS = "tests/notebooks/"
#: Files whose tests mostly wait: for a page that rests, a line that is cut, a database that is gone, a class that answers.
WAITING = tuple(
    f"tests/{name}.py"
    for name in (
        "browser/test_silence",
        "browser/test_door",
        "browser/test_link",
        "store/test_outages",
        "store/test_live",
        "store/test_classroom",
        "deploy/test_leaving",
    )
)


def is_computed(file: str) -> bool:
    """Whether the tests of a file compute in one process.

    Args:
        file: its path, from the root of the project.
    """
    return file.startswith(NOTEBOOKS) or not is_served(ROOT / file)


class ComputingBeside(LoadFileScheduling):
    """A file at a time to each process, as `--dist loadfile` does: to the last of them first what computes, to the
    others first what a server does; whatever is left to whoever has nothing else.

    The first begins with browsers, which compute; the second with files that mostly wait, then at the other end, with
    databases: two that wait together leave the processors idle, and so does one that waits at the very end.
    """

    def _assign_work_unit(self, node: WorkerController) -> None:
        computes, begins = node is self.nodes[-1], node is self.nodes[0]
        fit = [file for file in self.workqueue if is_computed(file) is computes]
        if fit:
            if computes or begins:
                taken = next((file for file in fit if file not in WAITING), fit[0])
            else:
                taken = next((file for file in fit if file in WAITING), fit[-1])
            self.workqueue.move_to_end(taken, last=False)
        super()._assign_work_unit(node)
