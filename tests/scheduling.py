"""Which process takes which file: one computes while the others wait for servers, so that no processor is idle."""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

from tests.reporting import ROOT, is_served


class ComputingBeside(LoadFileScheduling):
    """A file at a time to each process, as `--dist loadfile` does: to the last of them first what needs no server, to
    the others first what does; whatever is left to whoever has nothing else.

    The first begins with browsers, which compute, the second at the other end, with databases, for which one waits:
    together at the end, those would leave the processors idle.
    """

    def _assign_work_unit(self, node: WorkerController) -> None:
        computes, begins = node is self.nodes[-1], node is self.nodes[0]
        fit = [file for file in self.workqueue if is_served(ROOT / file) is not computes]
        if fit:
            self.workqueue.move_to_end(fit[0] if computes or begins else fit[-1], last=False)
        super()._assign_work_unit(node)
