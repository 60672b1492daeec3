"""Which process takes which file of the suite."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests import scheduling
from tests.reporting import ROOT, is_served
from tests.scheduling import ComputingBeside

SERVED = ["tests/browser/test_a.py", "tests/store/test_b.py", "tests/browser/test_c.py"]
COMPUTED = ["tests/unit/test_d.py", "tests/notebooks/test_f.py", "tutor/core/grid.py", "tests/games/tcs/test_e.py"]


class Process:
    """A process of the suite that notes what it is given."""

    shutting_down = False

    def __init__(self) -> None:
        self.gateway = SimpleNamespace(id="gw")
        self.given: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.given += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def test_one_computes_beside_those_that_wait_and_nobody_is_idle_while_something_is_left(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xdist.scheduler.loadscope.parse_tx_spec_config", lambda config: [None] * 2)
    schedule, waits, computes = ComputingBeside(pytestconfig), Process(), Process()
    tests = [f"{file}::test_{number}" for file in [*SERVED, *COMPUTED] for number in range(3)]
    for process in (waits, computes):
        schedule.add_node(process)  # type: ignore[arg-type]
        schedule.add_node_collection(process, tests)  # type: ignore[arg-type]
    schedule.schedule()
    done: dict[Process, list[str]] = {waits: [], computes: []}
    while any(len(mine) < len(process.given) for process, mine in done.items()):
        for process, pace in ((computes, 3), (waits, 1)):
            for index in process.given[len(done[process]) :][:pace]:
                done[process].append(tests[index].partition("::")[0])
                schedule.mark_test_complete(process, index)  # type: ignore[arg-type]
    assert list(dict.fromkeys(done[computes]))[: len(COMPUTED)] == COMPUTED
    assert set(done[waits]) < set(SERVED)
    assert SERVED[-1] in done[computes]
    assert sorted(done[waits] + done[computes]) == sorted(test.partition("::")[0] for test in tests)


@pytest.mark.parametrize("waiting", [(), (SERVED[0],)])
def test_one_begins_with_what_computes_and_another_with_what_waits(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, waiting: tuple[str, ...]
) -> None:
    monkeypatch.setattr("xdist.scheduler.loadscope.parse_tx_spec_config", lambda config: [None] * 3)
    monkeypatch.setattr(scheduling, "WAITING", waiting)
    schedule, processes = ComputingBeside(pytestconfig), [Process(), Process(), Process()]
    tests = [f"{file}::test_{number}" for file in [*SERVED, *COMPUTED] for number in range(3)]
    for process in processes:
        schedule.add_node(process)  # type: ignore[arg-type]
        schedule.add_node_collection(process, tests)  # type: ignore[arg-type]
    schedule.schedule()
    begun = [tests[process.given[0]].partition("::")[0] for process in processes]
    assert begun == [SERVED[1] if waiting else SERVED[0], SERVED[0] if waiting else SERVED[-1], COMPUTED[0]]


def test_files_that_wait_are_files_of_the_suite_that_something_serves() -> None:
    assert all((ROOT / file).is_file() and is_served(ROOT / file) for file in scheduling.WAITING)
