"""A page whose server goes, in a real browser: it says so, and comes back by itself on the other server."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.harness import FIXTURES, OPEN, Server, Visit, start_server, until
from tests.deploy.harness import Nginx

pytestmark = pytest.mark.browser
#: Keeps what the banner says across the page's own return, which may take less than a look.
WATCH = """() => {
  window.before = true;
  const banner = document.getElementById("ldv-banner");
  new MutationObserver(() => sessionStorage.setItem("seen", (sessionStorage.getItem("seen") || "") + banner.textContent))
    .observe(banner, { childList: true, subtree: true, characterData: true, attributes: true });
}"""


@pytest.fixture
def site(nginx_program: str, tmp_path: Path) -> Iterator[tuple[Nginx, list[Server]]]:
    """nginx before two servers on the fixture notebooks."""
    (tmp_path / "nginx").mkdir()
    nginx = Nginx(nginx_program, tmp_path / "nginx")
    servers: list[Server] = []
    try:
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            servers.append(start_server(tmp_path / name / "log", env={"LDV_PUBLIC_URL": nginx.url}, notebooks=FIXTURES))
        nginx.lead_to(*(server.url.removeprefix("http://") for server in servers))
        nginx.start()
        yield nginx, servers
    finally:
        nginx.stop()
        for server in servers:
            server.stop()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["told", "cut"])
def test_a_page_comes_back_on_the_other_server(
    site: tuple[Nginx, list[Server]],
    browser: Browser,
    how: signal.Signals,
) -> None:
    nginx, servers = site
    context = browser.new_context(locale="fr-FR", ignore_https_errors=True)
    reader = Visit(context, nginx.url)
    OPEN.append(reader)  # a failure then shows its page and its console
    try:
        page = reader.new_page()
        page.goto(f"{nginx.url}/voila/render/curseur.ipynb?jeu=essai")
        page.wait_for_selector("html[data-ready=true]")
        assert {cookie["name"]: cookie["secure"] for cookie in context.cookies()}["ldv_poste"]
        here = next(server for server in servers if server.health()["readers"])
        other = next(server for server in servers if server is not here)
        page.evaluate(WATCH)
        here.process.send_signal(how)
        until(page, "!window.before && (document.documentElement || {dataset: {}}).dataset.ready === 'true'")
        assert "La page reprend d’elle-même" in page.evaluate("sessionStorage.getItem('seen')")
        assert page.url.endswith("/voila/render/curseur.ipynb?jeu=essai")
        other.wait_for(lambda health: health["readers"] == 1)
    finally:
        OPEN.remove(reader)
        context.close()
