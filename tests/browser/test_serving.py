"""The page and its server, as a reader's browser sees them."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.harness import (
    FIXTURES,
    FORK_SERVER,
    PATIENCE,
    PHONE,
    ROOT,
    Server,
    Visit,
    kernel_of,
    still_running,
)

LESSON = "/voila/render/combat_commander/02-ligne-de-vue.ipynb"
SPECIMEN = "/voila/render/combat_commander/04-planche.ipynb"
BROKEN = "/voila/render/combat_commander/03-erreur.ipynb"
NO_ROOM = "La salle est pleine"


def ask(url: str, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers (lower case) and text of a request, with exactly these headers."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def open_lesson(page: Page, server: Server, path: str = LESSON) -> None:
    """Open a lesson and wait until its slider answers."""
    page.goto(server.url + path)
    handle = page.locator(".noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    expect(page.locator(".answer")).to_have_text("4")


# -- Addresses ---------------------------------------------------------------------------------------------------------


def test_home_answers_itself_in_french(server: Server, page: Page) -> None:
    answer = page.goto(server.url + "/?jeu=combat_commander&regle=10.3.3")
    assert answer is not None
    assert (answer.status, answer.url) == (200, server.url + "/?jeu=combat_commander&regle=10.3.3")
    expect(page.locator(".query")).to_have_text("?jeu=combat_commander&regle=10.3.3 (34)")
    assert page.locator("html").get_attribute("lang") == "fr"
    expect(page).to_have_title("Accueil d’essai · Ligne de Vue")


def test_health_starts_no_kernel(server: Server) -> None:
    before = set(server.kernels())
    status, headers, _ = ask(server.url, "/sante")
    assert (status, headers["content-type"]) == (200, "application/json; charset=UTF-8")
    assert set(server.kernels()) - before == set()  # those of the tests before may go meanwhile
    assert server.health()["status"] == "ok"


def test_asking_for_what_a_page_is_takes_neither_kernel_nor_place(server: Server) -> None:
    before = set(server.kernels())
    for path in ("/", LESSON, "/sante", "/robots.txt"):
        status, headers, text = ask(server.url, path, "HEAD")
        assert (status, text) == (200, "")
        assert headers["content-type"].startswith(("text/html", "application/json", "text/plain"))
    assert ask(server.url, "/voila/render/absent.ipynb", "HEAD")[0] == 404
    assert set(server.kernels()) - before == set()
    status, _, text = ask(server.url, "/robots.txt")
    assert (status, text) == (200, "User-agent: *\nDisallow: /\n")


@pytest.mark.parametrize(
    "path", ["/rien", "/voila/render/absent.ipynb", "/voila/render/../conftest.py", "/voila/render/%2e%2e/x.ipynb"]
)
def test_a_missing_page_says_so_in_french(server: Server, path: str) -> None:
    status, _, text = ask(server.url, path)
    assert status == 404
    assert 'lang="fr"' in text
    assert "Cette page n’existe pas" in text
    assert 'href="/"' in text
    assert "Traceback" not in text


def test_voila_directory_and_files_are_closed(server: Server) -> None:
    assert ask(server.url, "/voila/tree")[0] == 302
    assert ask(server.url, "/voila/files/accueil.ipynb")[0] == 404
    assert ask(server.url, "/voila/api/contents/")[0] == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil.example", "192.168.1.7", ""]
)
def test_another_host_is_refused(server: Server, host: str) -> None:
    status, _, text = ask(server.url, "/", Host=host)
    assert status == (400 if "@" in host else 403)  # the web server itself refuses a malformed one
    assert status == 400 or text == f"Ligne de Vue ne répond pas à cette adresse : ouvrez {server.url}/\n"


def test_another_origin_is_refused(server: Server) -> None:
    host = urlsplit(server.url).netloc
    assert ask(server.url, "/sante", Host=host, Origin="http://evil.example")[0] == 403
    assert ask(server.url, "/sante", Host=host, Origin="http://localhost:1")[0] == 403
    assert ask(server.url, "/sante", Host=host, Origin="null")[0] == 403
    assert ask(server.url, "/sante", Host=host, Origin=f"http://{host}")[0] == 200


def test_public_address_is_accepted_and_nothing_else(own_server: Callable[..., Server]) -> None:
    server = own_server("--public-url", "https://cours.exemple.fr")
    assert ask(server.url, "/sante", Host="cours.exemple.fr")[0] == 200
    assert ask(server.url, "/sante", Host="cours.exemple.fr", Origin="https://cours.exemple.fr")[0] == 200
    assert ask(server.url, "/sante", Host="cours.exemple.fr", Origin="https://autre.exemple.fr")[0] == 403
    assert ask(server.url, "/sante", Host="autre.exemple.fr")[0] == 403


def test_long_addresses_do_not_harm(server: Server, page: Page) -> None:
    page.goto(server.url + "/?position=" + "x" * 60_000)
    expect(page.locator(".query")).to_have_text("?position=" + "x" * 50 + " (60010)")
    assert ask(server.url, "/?position=" + "x" * 120_000)[0] == 414
    assert server.health()["status"] == "ok"


def test_static_files_are_compressed_and_kept(server: Server) -> None:
    text = ask(server.url, "/rien")[2]
    path = re.search(r'href="(/voila/templates/[^"]+/page\.css)"', text)
    assert path is not None
    status, headers, _ = ask(server.url, path[1], Accept_Encoding="gzip")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert "immutable" in headers["cache-control"]
    assert ask(server.url, path[1], If_None_Match=headers["etag"])[0] == 304
    assert ask(server.url, "/voila/static/../templates/ldv/index.html.j2")[0] == 404


# -- Start and stop ----------------------------------------------------------------------------------------------------


def test_a_taken_port_is_one_french_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "widgets.serving", "--port", str(port), "--notebooks", str(FIXTURES)]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=60, env={**os.environ, "LDV_POOL": "0"}
        )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"Le port {port} est déjà pris")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_stopping_ends_every_kernel(own_server: Callable[..., Server], signal_number: int) -> None:
    server = own_server(LDV_POOL="2", alone=True)
    assert server.wait_for(lambda seen: seen["kernels"] == 2)["preheated"] == 2
    kernels = psutil.Process(server.process.pid).children(recursive=True)
    assert len(kernels) >= 2
    server.process.send_signal(signal_number)
    assert server.process.wait(PATIENCE) == 0
    assert still_running(kernels) == []


def test_the_pool_never_exceeds_its_size(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_POOL="2")
    server.wait_for(lambda seen: seen["kernels"] == 2)
    assert ask(server.url, LESSON)[0] == 200
    assert server.health()["preheated"] <= 2
    server.wait_for(lambda seen: seen["readers"] == 1 and seen["preheated"] == 2 and seen["kernels"] == 3)


def test_a_full_room_says_so(own_server: Callable[..., Server], browser: Browser) -> None:
    server = own_server(LDV_MAX_KERNELS="1")
    with browser.new_context() as reader:
        open_lesson(reader.new_page(), server)  # a page that is open: its place is not taken back
        status, headers, text = ask(server.url, LESSON)
    assert status == 503
    assert headers["retry-after"] == "60"
    assert NO_ROOM in text


def test_an_abandoned_kernel_is_ended(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_IDLE="5")
    assert ask(server.url, LESSON)[0] == 200
    assert server.health()["kernels"] == 1
    server.wait_for(lambda seen: seen["kernels"] == 0)


# -- Kernels and their pages -------------------------------------------------------------------------------------------


def test_leaving_the_page_frees_its_kernel(server: Server, page: Page) -> None:
    before = server.health()["kernels"]
    open_lesson(page, server)
    assert server.health()["kernels"] == before + 1
    page.goto("about:blank")
    server.wait_for(lambda seen: seen["kernels"] == before)


def test_going_back_gives_a_page_that_works(server: Server, page: Page) -> None:
    open_lesson(page, server)
    page.goto("about:blank")
    page.go_back()
    handle = page.locator(".noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    expect(page.locator(".answer")).to_have_text("4")


def test_a_kernel_is_not_freed_without_the_page_token(server: Server, page: Page) -> None:
    open_lesson(page, server)
    path = f"/voila/api/shutdown/{kernel_of(page)}"
    host = urlsplit(server.url).netloc
    assert ask(server.url, path, "POST", Host=host)[0] == 403
    assert ask(server.url, path + "?_xsrf=faux", "POST", Host=host, Cookie="_xsrf=2|autre|chose|1")[0] == 403
    page.locator(".noUi-handle").first.press("ArrowRight")
    expect(page.locator(".answer")).to_have_text("5")


def test_an_old_websocket_client_is_refused(server: Server, page: Page) -> None:
    open_lesson(page, server)
    address = server.url.replace("http", "ws") + f"/api/kernels/{kernel_of(page)}/channels?session_id=x"
    code = page.evaluate(
        "url => new Promise(done => { const s = new WebSocket(url); s.onclose = e => done(e.code); })", address
    )
    assert code == 1002


def test_a_dead_kernel_shows_the_banner(server: Server, visit: Callable[..., Visit]) -> None:
    reader = visit()
    page = reader.new_page()
    before = server.kernels()
    open_lesson(page, server)
    (kernel,) = (process for pid, process in server.kernels().items() if pid not in before)
    reader.expected += ["Kernel", "kernel", "404"]
    kernel.kill()
    banner = page.locator("#ldv-banner")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("La session de cette page s’est arrêtée")
    banner.get_by_role("button", name="Recharger").click()
    expect(page.locator(".answer")).to_have_text("3")
    expect(banner).to_be_hidden()


def test_a_lost_server_leaves_no_process(own_server: Callable[..., Server]) -> None:
    server = own_server(alone=True)
    assert ask(server.url, LESSON)[0] == 200
    assert len(server.kernels()) == 1
    left = psutil.Process(server.process.pid).children(recursive=True)
    server.process.kill()
    assert still_running(left) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are copied on Linux only")
def test_a_lost_fork_server_takes_its_kernels_and_is_replaced(own_server: Callable[..., Server]) -> None:
    server = own_server(alone=True)
    assert ask(server.url, LESSON)[0] == 200
    (kernel,) = server.kernels().values()
    parent = kernel.parent()
    assert parent is not None
    assert FORK_SERVER in " ".join(parent.cmdline())
    parent.kill()
    assert still_running([kernel]) == []
    assert ask(server.url, LESSON)[0] == 200
    assert kernel.pid not in server.kernels()


def test_a_cell_that_fails_is_told_in_french(server: Server, page: Page) -> None:
    page.goto(server.url + BROKEN)
    expect(page.locator(".ldv-failure")).to_contain_text("Une partie de cette page n’a pas pu être calculée.")
    assert "secret-detail" not in page.content()
    assert "There was an error" not in page.content()


# -- The page ----------------------------------------------------------------------------------------------------------


def test_a_lesson_stands_in_its_course(server: Server, page: Page) -> None:
    open_lesson(page, server)
    header = page.locator(".ldv-header")
    expect(header.locator(".ldv-place")).to_have_text("2/4")
    expect(header.locator("a[rel=prev]")).to_have_attribute("href", "/voila/render/combat_commander/01-plateau.ipynb")
    expect(header.locator("a[rel=next]")).to_have_attribute("href", "/voila/render/combat_commander/03-erreur.ipynb")
    menu = header.get_by_role("navigation", name="Menu")
    expect(menu.get_by_role("link")).to_have_text(
        ["Leçons", "Réviser", "À table", "Chercher", "Plateau libre", "Enseigner"]
    )
    expect(menu.get_by_role("link", name="Leçons")).to_have_attribute("href", "/?jeu=combat_commander")
    expect(menu.get_by_role("link", name="Chercher")).to_have_attribute("href", "/?jeu=combat_commander&vue=index")
    expect(page.get_by_role("main")).to_have_count(1)


def test_the_theme_is_kept(server: Server, visit: Callable[..., Visit]) -> None:
    reader = visit()
    reader.expected += ["status of 404"]
    page = reader.new_page()
    page.goto(server.url + "/rien")  # an error page has the same header, and needs no kernel
    root, button = page.locator("html"), page.locator("[data-ldv-theme]")
    expect(root).to_have_attribute("data-theme", "light")
    button.click()
    button.click()
    expect(root).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(27, 30, 26)"
    expect(button).to_have_attribute("aria-label", "Apparence : sombre. Changer.")


def test_a_report_can_be_copied(server: Server, page: Page) -> None:
    page.goto(server.url + SPECIMEN)
    expect(page.locator(".ldv-step:visible").last).to_be_visible()
    page.locator("[data-ldv-report]").click()
    report = page.locator("#ldv-report textarea")
    expect(report).to_be_visible()
    expect(report).to_have_value(re.compile(r"^Ligne de Vue .+\nPage : .+\nLien : .+\nRègles : .*10\.2.*T99"))


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_phone_needs_no_sideways_scroll(server: Server, page: Page) -> None:
    page.goto(server.url + SPECIMEN)
    expect(page.locator(".ldv-remember")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, .ldv-header a, .ldv-footer a")]
          .filter(e => e.offsetParent && !["checkbox", "radio"].includes(e.type))
          .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect().height]).filter(([, h]) => h < 44)"""
    )
    assert small == []


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_phone_keeps_the_verdict_at_the_bottom(server: Server, page: Page) -> None:
    page.goto(server.url + SPECIMEN)
    verdict = page.locator(".ldv-lesson .ldv-verdict")
    expect(verdict).to_be_in_viewport(ratio=0.95)
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".ldv-step:visible").last).not_to_be_in_viewport()
    verdict.tap()
    expect(page.locator(".ldv-step:visible").last).to_be_in_viewport()


def test_projection_enlarges(server: Server, page: Page) -> None:
    page.goto(server.url + SPECIMEN + "?mode=projection")
    expect(page.locator("html")).to_have_attribute("data-mode", "projection")
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 24


def test_printing_keeps_the_board_and_drops_the_controls(server: Server, page: Page) -> None:
    page.goto(server.url + SPECIMEN)
    expect(page.locator(".ldv-remember")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".ldv-board svg")).to_be_visible()
    expect(page.locator(".ldv-header")).to_be_hidden()
    expect(page.locator(".ldv-toolbar").first).to_be_hidden()
