"""What every answer says to the browser: policies, cookies, https; and pages that work under them."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import Server, start_server, until
from widgets.serving.headers import (
    ANEW,
    FAILED,
    HEARTBEAT,
    HSTS,
    INLINE,
    PERMISSIONS,
    cookie_options,
    page_policy,
    script_hash,
)
from widgets.serving.visitors import WHO

PUBLIC = "cours.exemple.fr"
LESSON = "/voila/render/combat_commander/02-ligne-de-vue.ipynb"
EVERY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": PERMISSIONS,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def ask(server: Server, path: str, host: str, method: str = "GET") -> tuple[int, list[tuple[str, str]], str]:
    """Status, headers (lower case) and text of a request under a name."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    try:
        connection.request(method, path, headers={"Host": host})
        answer = connection.getresponse()
        headers = [(name.lower(), value) for name, value in answer.getheaders()]
        return answer.status, headers, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose public address is https."""
    server = start_server(tmp_path_factory.mktemp("public") / "log", "--public-url", f"https://{PUBLIC}")
    yield server
    server.stop()


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), (LESSON, 200), ("/sante", 200), ("/nulle/part", 404), ("/voila/tree", 302), ("/l/ABCDEFGH", 404)],
)
def test_every_answer_has_them(server: Server, public: Server, path: str, status: int) -> None:
    for served, host in ((server, urlsplit(server.url).netloc), (public, PUBLIC)):
        seen, pairs, _ = ask(served, path, host)
        headers = dict(pairs)
        assert seen in (status, 503)  # a short link while the database opens
        assert {name: headers.get(name) for name in EVERY} == EVERY
        assert headers.get("strict-transport-security") == (HSTS if served is public else None)
        assert "content-security-policy" in headers
        assert headers.get("content-type") != "text/html"  # its letters are named before the page's own <meta> is read


def test_a_stranger_gets_them_too(public: Server) -> None:
    status, pairs, _ = ask(public, "/", "ailleurs.exemple")
    assert status == 403
    assert dict(pairs)["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_cookies_go_by_https_alone_when_readers_come_so(server: Server, public: Server) -> None:
    for served, host in ((server, urlsplit(server.url).netloc), (public, PUBLIC)):
        _, pairs, _ = ask(served, LESSON, host)
        cookies = [SimpleCookie(value) for name, value in pairs if name == "set-cookie"]
        assert {key for cookie in cookies for key in cookie} == {"_xsrf", WHO}  # nobody logs in
        for cookie in cookies:
            for morsel in cookie.values():
                assert morsel["samesite"] == "Lax"
                assert bool(morsel["secure"]) is (served is public)
                assert bool(morsel["httponly"]) is (morsel.key != "_xsrf")  # the page itself sends that one back


def test_the_policy_of_pages_is_tight(public: Server) -> None:
    _, pairs, text = ask(public, LESSON, PUBLIC)
    policy = dict(pairs)["content-security-policy"]
    assert policy == page_policy(PUBLIC, secure=True)
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src "))
    assert "unsafe" not in scripts
    assert "ws://" not in policy
    assert "http:" not in policy
    assert "*" not in policy
    inline = [body for kind, body in re.findall(r"<script([^>]*)>(.*?)</script>", text, re.S) if not kind]
    assert {*inline, HEARTBEAT, FAILED, ANEW} == set(
        INLINE
    )  # each named by its hash; three, of pages that wait or fail
    assert all(script_hash(script) in scripts for script in INLINE)
    assert not re.search(r"<[^>]*\son\w+=", text)


def test_a_lesson_works_under_them_with_an_empty_console(server: Server, page: Page) -> None:
    page.goto(server.url + LESSON)
    handle = page.locator(".noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    expect(page.locator(".answer")).to_have_text("4")
    assert page.evaluate("document.querySelectorAll('.ldv-cell').length") > 0


def test_a_script_that_slipped_into_a_page_does_not_run(server: Server, visit: Callable[..., object]) -> None:
    made = visit()
    made.expected.append("Content Security Policy")  # type: ignore[attr-defined]
    page: Page = made.new_page()  # type: ignore[attr-defined]
    page.goto(server.url + LESSON)
    expect(page.locator("html[data-ready=true]")).to_be_attached()
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.taken = 'script'";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror=\\"window.taken = 'attribute'\\">");
        }"""
    )
    until(page, "document.images[document.images.length - 1].complete")
    assert page.evaluate("window.taken") is None


def test_one_function_says_how_cookies_are_set() -> None:
    assert cookie_options(False) == {"path": "/", "samesite": "Lax", "secure": False, "httponly": True}
    assert cookie_options(True, readable=True)["httponly"] is False
