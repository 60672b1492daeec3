"""What a failed test leaves behind: pictures of its pages, its servers' last words, and one line of cause.

All goes to `.rapports/` (or the folder that LDV_RAPPORTS names): `suite.json` says what failed, which of it was served (a
browser, a server or a database took part), and what took longest; a folder for each failed test has the pictures.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Tests in these folders and files drive a browser, a server, a database or a kernel.
SERVED = ("browser", "store", "notebooks", "deploy", "hostile")
SERVED_FILES = ("test_wheel.py", "test_serving.py")
LONGEST = 25


def folder() -> Path:
    """Where reports go."""
    return Path(os.environ.get("LDV_RAPPORTS") or ROOT / ".rapports")


def is_served(path: Path) -> bool:
    """Whether a test file is one of those that depend on more than the process they run in."""
    parts = path.relative_to(ROOT / "tests").parts if path.is_relative_to(ROOT / "tests") else ("",)
    return parts[0] in SERVED or path.name in SERVED_FILES


def cause(report: pytest.TestReport) -> str:
    """One line that says why a test failed, at most 200 characters.

    Args:
        report: of a failed setup, call or teardown.
    """
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr or "")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return "sans un mot"
    line = lines[0] if crash else lines[-1]
    if line in ("AssertionError", "AssertionError:") and len(lines) > 1:
        line += " " + lines[1]
    return line[:200]


def written(name: str) -> str:
    """A test's id as the name of a folder."""
    return re.sub(r"[^\w.-]+", "_", name.removeprefix("tests/"))[-120:]


def seen_of_pages(place: Path) -> Iterator[tuple[str, str]]:
    """Each open page: its address, what its console said, and where its picture is.

    Args:
        place: folder for the pictures.
    """
    harness = sys.modules.get("tests.browser.harness")
    for number, page in enumerate(page for visit in harness.OPEN for page in visit.context.pages) if harness else ():
        try:
            place.mkdir(parents=True, exist_ok=True)
            picture = place / f"page-{number + 1}.png"
            page.screenshot(path=picture, timeout=20_000, animations="disabled")
            shown = picture.relative_to(ROOT) if picture.is_relative_to(ROOT) else picture
        except Exception as error:  # the page may be gone: that is said, and the test's own failure stands
            shown = f"pas d’image ({type(error).__name__})"
        yield f"page {page.url}", f"image : {shown}"
    for visit in harness.OPEN if harness else ():
        if visit.said:
            yield "console", "\n".join(visit.said)


def seen_of_servers() -> Iterator[tuple[str, str]]:
    """Each running server: what `/sante` says, and the end of its log."""
    harness = sys.modules.get("tests.browser.harness")
    for server in harness.RUNNING if harness else ():
        try:
            health = json.dumps(server.health(), ensure_ascii=False)
        except (OSError, ValueError) as error:
            health = f"{type(error).__name__} : {error}"
        log = server.log.read_text(encoding="utf-8", errors="replace").splitlines()[-60:] if server.log else []
        yield f"serveur {server.url}", "\n".join([f"/sante : {health}", *log])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Attach to a failure what can still be seen of it."""
    report = yield
    if report.failed and is_served(item.path):
        place = folder() / written(item.nodeid)
        report.sections += [*seen_of_pages(place), *seen_of_servers()]
    return report


class Reports:
    """Collects, in the process that gathers all results, what is written when the session ends."""

    def __init__(self) -> None:
        self.failed: list[dict[str, Any]] = []
        self.seconds: dict[str, float] = {}

    def pytest_sessionstart(self) -> None:
        """Say which process to ask when the suite must end."""
        folder().mkdir(parents=True, exist_ok=True)
        (folder() / "suite.pid").write_text(str(os.getpid()), encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what failed, and how long each test took, set-up and teardown counted."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            served = is_served(ROOT / report.nodeid.partition("::")[0])
            self.failed.append({"id": report.nodeid, "when": report.when, "served": served, "cause": cause(report)})

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep files that could not be read."""
        if report.failed:
            lines = [line for line in str(report.longrepr).splitlines() if line.strip()]
            self.failed.append(
                {"id": report.nodeid, "when": "collect", "served": False, "cause": (lines or ["?"])[-1].strip()[:200]}
            )

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write `suite.json`."""
        longest = sorted(self.seconds.items(), key=lambda one: one[1], reverse=True)
        files: dict[str, float] = {}
        for name, seconds in self.seconds.items():
            path = name.partition("::")[0]
            files[path] = files.get(path, 0.0) + seconds
        suite = {
            "exit": int(exitstatus),
            "tests": len(self.seconds),
            "failed": self.failed,
            "longest": longest[:LONGEST],
            "files": sorted(files.items(), key=lambda one: one[1], reverse=True),
        }
        folder().mkdir(parents=True, exist_ok=True)
        (folder() / "suite.json").write_text(json.dumps(suite, indent=1, ensure_ascii=False), encoding="utf-8")
