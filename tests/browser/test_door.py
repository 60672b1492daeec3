"""The door as visitors see it: limits, the page on which one waits, places kept for a class, what is prepared for it."""

from __future__ import annotations

import re
import shutil
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, Route, expect

from tests.browser.harness import PHONE, ROOT, Server, Visit, until
from tests.browser.test_ground import SENT
from tests.browser.test_serving import LESSON, ask, open_lesson
from tutor.course.links import Link
from tutor.store import teachers
from tutor.store.database import place
from tutor.store.store import Store
from tutor.store.who import Who, Write
from widgets.serving.arrivals import PATIENT, starting_at_once

#: The server believes what a proxy at this machine says of a visitor's address, so that a test may be several.
BEHIND_PROXY = {"LDV_TRUSTED_PROXIES": "127.0.0.1"}
ME, OTHER = "192.0.2.1", "192.0.2.2"
#: Long enough for a test of what happens before.
NEVER = "3600"


def open_session(folder: Path, expected: int) -> tuple[str, str]:
    """A session that a teacher has opened, in the database of a server; its code, and the teacher's key."""
    store = Store(place({"LDV_DATA": str(folder / "data")}))
    store.open()
    with store.engine.begin() as db:
        number, key = teachers.create(db, "Mme Durand", time.time())
    who = Who(teacher=number)
    (made,) = store.write([Write("class.open", str(uuid.uuid4()), who, {"title": "Mardi", "expected": expected})])
    store.close()
    return str(made.result["code"]), key


def rank(page: Page) -> Any:
    return page.locator(".ldv-turn")


# -- one visitor -------------------------------------------------------------------------------------------------------


def test_ten_plain_gets_leave_places_for_others(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_MAX_KERNELS="10", LDV_UNOPENED=NEVER, **BEHIND_PROXY)
    answers = [ask(server.url, LESSON, X_Forwarded_For=ME) for _ in range(10)]
    assert [status for status, _, _ in answers] == [200] * 6 + [429] * 4
    _, headers, text = answers[-1]
    assert int(headers["retry-after"]) > 0
    assert 'lang="fr"' in text
    assert "Trop de pages sont ouvertes depuis votre réseau" in text
    assert ask(server.url, LESSON, X_Forwarded_For=OTHER)[0] == 200
    assert server.health()["readers"] == 7


def test_an_address_is_not_believed_from_just_anybody(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_MAX_KERNELS="10", LDV_ADDRESS_PLACES="1", LDV_TRUSTED_PROXIES="198.51.100.1")
    assert ask(server.url, LESSON, X_Forwarded_For=ME)[0] == 200
    assert ask(server.url, LESSON, X_Forwarded_For=OTHER)[0] == 429


def test_a_browser_has_so_many_pages(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_VISITOR_PLACES="1", LDV_UNOPENED=NEVER, **BEHIND_PROXY)
    status, headers, _ = ask(server.url, LESSON, X_Forwarded_For=ME)
    cookie = headers["set-cookie"].split(";")[0]
    assert (status, cookie.split("=")[0]) == (200, "ldv_visiteur")
    assert "HttpOnly" in headers["set-cookie"]
    assert "SameSite=Lax" in headers["set-cookie"]
    status, _, text = ask(server.url, LESSON, X_Forwarded_For=ME, Cookie=cookie)
    assert (status, "Vous avez déjà 1 page ouverte" in text) == (429, True)
    assert ask(server.url, LESSON, X_Forwarded_For=ME)[0] == 200


def test_a_page_that_was_never_opened_gives_its_place_back(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_UNOPENED="5")
    assert ask(server.url, LESSON)[0] == 200
    server.wait_for(lambda seen: seen["kernels"] == 0)


def test_who_waits_has_the_place_of_a_page_that_was_never_opened(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_MAX_KERNELS="2", LDV_UNOPENED=NEVER)
    assert [ask(server.url, LESSON)[0] for _ in range(4)] == [200] * 4
    assert server.health()["readers"] <= 2


def test_a_page_that_is_open_keeps_its_place(own_server: Callable[..., Server], visit: Callable[..., Visit]) -> None:
    server = own_server(LDV_MAX_KERNELS="1")
    page = visit(server.url).new_page()
    open_lesson(page, server)
    assert ask(server.url, LESSON)[0] == 503
    handle = page.locator(".noUi-handle").first
    handle.press("ArrowRight")
    expect(page.locator(".answer")).to_have_text("5")


# -- waiting -----------------------------------------------------------------------------------------------------------


def test_one_waits_on_a_page_that_leads_to_the_lesson(
    own_server: Callable[..., Server], visit: Callable[..., Visit]
) -> None:
    server = own_server(LDV_MAX_KERNELS="1")
    reader, follower, third = visit(server.url).new_page(), visit(server.url, **PHONE).new_page(), visit(server.url)
    open_lesson(reader, server)
    answer = follower.goto(server.url + "/?jeu=combat_commander&regle=10.3.3#la")
    assert answer is not None
    assert answer.status == 202
    expect(rank(follower)).to_have_text("Vous êtes 1er dans la file, en attente d’une place libre.")
    assert follower.evaluate("document.documentElement.scrollWidth") == 390
    assert server.health()["kernels"] == 1  # who waits has no kernel
    last = third.new_page()
    last.goto(server.url + LESSON)
    expect(rank(last)).to_contain_text("Vous êtes 2e dans la file")
    assert server.health()["waiting"] == 2
    reader.goto("about:blank")
    expect(follower.locator(".query")).to_have_text("?jeu=combat_commander&regle=10.3.3 (34)")
    assert follower.url == server.url + "/?jeu=combat_commander&regle=10.3.3#la"
    expect(rank(last)).to_contain_text("Vous êtes 1er dans la file")
    follower.goto("about:blank")
    handle = last.locator(".noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    expect(last.locator(".answer")).to_have_text("4")


def test_one_waits_without_javascript(own_server: Callable[..., Server], visit: Callable[..., Visit]) -> None:
    server = own_server(LDV_MAX_KERNELS="1")
    reader = visit(server.url).new_page()
    open_lesson(reader, server)
    follower = visit(server.url, java_script_enabled=False).new_page()
    follower.goto(server.url + LESSON + "?exemple=e1")
    expect(rank(follower)).to_contain_text("Vous êtes 1er dans la file")
    reader.goto("about:blank")
    follower.wait_for_selector(".ldv-cell", state="attached")
    assert server.health()["waiting"] == 0


def waited(server: Server, path: str) -> tuple[dict[str, str], str]:
    """The page on which somebody waits who has a place, when many ask at once: its headers and text."""
    crowd = (1 + PATIENT) * starting_at_once() + 2  # whose kernel starts, who waits for it in silence, two more
    for _ in range(10):
        with ThreadPoolExecutor(crowd) as many:
            answers = list(many.map(lambda _: ask(server.url, path, Accept="text/html"), range(crowd)))
        assert {text.count('id="ldv-first"') for _, _, text in answers} == {1}
        if waiting := [(headers, text) for status, headers, text in answers if status == 202]:
            return waiting[-1]
    raise AssertionError(f"each of {crowd} had his kernel at once")


def test_a_board_is_shown_while_one_waits_for_a_kernel_and_when_none_comes(
    own_server: Callable[..., Server], visit: Callable[..., Visit], tmp_path: Path
) -> None:
    lesson = Link("lesson", "combat_commander", slug="03-ldv-terrain-plat").url
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    server = own_server(notebooks=tmp_path / "notebooks", LDV_UNOPENED="5", LDV_MAX_KERNELS="400")
    page = visit(server.url).new_page()
    page.goto(server.url + lesson)
    until(page, SENT, arg=lesson)
    sent = [waited(server, lesson)]
    follower = visit(server.url, **PHONE).new_page()

    def wait_once(route: Route) -> None:
        if not sent:
            return route.continue_()
        headers, text = sent.pop()
        return route.fulfill(status=202, headers=headers, body=text)

    follower.route(lambda url: lesson in url, wait_once)
    follower.route("**/attente/*", lambda route: calls.append(route))
    calls: list[Route] = []
    follower.goto(server.url + lesson)
    expect(follower.locator("#ldv-first .first-map svg")).to_be_visible()
    expect(follower.locator("#ldv-first .first-question")).to_be_in_viewport(ratio=1)
    expect(rank(follower)).to_be_in_viewport(ratio=1)
    expect(follower.get_by_role("textbox")).to_have_count(0)  # nothing below the picture is reached by keys
    follower.unroute("**/attente/*")
    calls[0].continue_()
    follower.locator(".ldv-stage canvas.ldv-canvas").wait_for()
    (tmp_path / "notebooks" / lesson.removeprefix("/voila/render/")).write_text("{", encoding="utf-8")
    page.goto(server.url + lesson)
    expect(page.locator("#ldv-banner")).to_contain_text("Cette page n’a pas pu être préparée")
    expect(page.locator("#ldv-first .first-map svg")).to_be_visible()


def test_who_has_gone_waits_no_more(own_server: Callable[..., Server], visit: Callable[..., Visit]) -> None:
    server = own_server(LDV_MAX_KERNELS="1")
    open_lesson(visit(server.url).new_page(), server)
    status, _, text = ask(server.url, LESSON, Accept="text/html")
    ticket = re.search(r'data-ticket="([^"]+)"', text)
    assert status == 202
    assert ticket
    assert ask(server.url, f"/attente/{ticket[1]}")[0] == 200
    server.wait_for(lambda seen: seen["waiting"] == 0, 90)
    assert ask(server.url, f"/attente/{ticket[1]}")[0] == 404


# -- a class -----------------------------------------------------------------------------------------------------------


def form(text: str) -> tuple[str, str]:
    """Cross-site token of a page's form, and the cookie that goes with it."""
    value = re.search(r'name="_xsrf" value="([^"]+)"', text)
    assert value
    return value[1], f"_xsrf={value[1]}"


def enter(server: Server, secret: str, address: str) -> tuple[int, str, dict[str, str]]:
    """Show a secret at the door, as the form of the page that says no does; status, new cookies, headers."""
    token, cookie = form(ask(server.url, LESSON, X_Forwarded_For=address, Accept="text/html")[2])
    import http.client
    from urllib.parse import urlsplit

    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    body = urlencode({"secret": secret, "vers": LESSON, "_xsrf": token})
    headers = {"Cookie": cookie, "X-Forwarded-For": address, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/entree", body, headers)
    answer = connection.getresponse()
    answer.read()
    given = "; ".join(value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie")
    answered = {name.lower(): value for name, value in answer.getheaders()}
    connection.close()
    return answer.status, given, answered


def test_a_class_and_its_teacher_come_in_when_others_have_taken_all(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    code, key = open_session(tmp_path, expected=2)
    server = own_server(LDV_MAX_KERNELS="5", LDV_TEACHER_PLACES="1", LDV_UNOPENED=NEVER, **BEHIND_PROXY)
    link = "/" + "?" + urlencode({"classe": code.lower()})
    server.wait_for(lambda seen: seen["store"]["ready"])
    assert ask(server.url, link, X_Forwarded_For="198.51.100.1")[0] == 200  # the class is known from here on
    others = [ask(server.url, LESSON, X_Forwarded_For=f"192.0.2.{n}", Accept="text/html")[0] for n in range(5)]
    assert others == [200, 200, 200, 202, 202] or others == [200, 200, 202, 202, 202]  # before or after the look
    wrong, _, _ = enter(server, "ZZZZZZ", "198.51.100.9")
    assert wrong == 403
    status, cookies, headers = enter(server, code, "198.51.100.2")
    assert (status, headers["location"]) == (303, LESSON)
    assert ask(server.url, LESSON, X_Forwarded_For="198.51.100.2", Cookie=cookies)[0] == 200
    if others.count(200) == 2:
        status, cookies, _ = enter(server, key, "198.51.100.3")
        assert status == 303
        assert ask(server.url, LESSON, X_Forwarded_For="198.51.100.3", Cookie=cookies)[0] == 200


def test_codes_cannot_be_guessed_at_the_door(own_server: Callable[..., Server]) -> None:
    server = own_server(LDV_MAX_KERNELS="1", LDV_ADDRESS_PLACES="1", LDV_UNOPENED=NEVER, **BEHIND_PROXY)
    ask(server.url, LESSON, X_Forwarded_For=ME)
    statuses = [enter(server, f"2345{n:02}".replace("0", "A").replace("1", "B"), ME)[0] for n in range(20)]
    assert statuses[0] == 403
    assert statuses[-1] == 429


def test_a_teacher_who_opens_a_session_has_places_prepared(
    own_server: Callable[..., Server], visit: Callable[..., Visit], tmp_path: Path
) -> None:
    _, key = open_session(tmp_path, expected=0)
    server = own_server(notebooks=ROOT / "notebooks", LDV_PREPARED="")
    page = visit(server.url).new_page()
    page.goto(server.url + Link("teacher").url)
    page.get_by_label("Clé d’enseignant").fill(key)
    page.get_by_role("button", name="Entrer").click()
    page.get_by_label("Élèves attendus").fill("2")
    page.get_by_role("button", name="Ouvrir une séance").click()
    code = page.locator(".ldv-bigcode")
    expect(code).to_have_text(re.compile(r"^[0-9A-Z]{6}$"))
    ready = server.wait_for(lambda seen: seen["preheated"] == 2 and seen["kernels"] == 3, 60)
    assert ready["readers"] == 1
    assert ask(server.url, "/")[0] == 200  # who is not of the class takes none of them
    assert server.health()["preheated"] == 2
    learner = visit(server.url).new_page()
    learner.goto(server.url + Link(classroom=code.inner_text()).url)
    learner.get_by_label("Votre pseudonyme").fill("Ana")
    server.wait_for(lambda seen: seen["preheated"] == 2, 60)  # one less to join, one more for the page of the class
    learner.get_by_role("button", name="Rejoindre").click()
    learner.wait_for_url("**/classe.ipynb")
    expect(learner.locator(".ldv-classbar")).to_be_visible()
    page.get_by_role("button", name="Clore la séance").click()
    server.wait_for(lambda seen: seen["preheated"] == 0, 60)
