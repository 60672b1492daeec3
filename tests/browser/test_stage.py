"""A lesson scene by scene in a real browser: board and question are both in the window the whole time, at any width."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import PHONE, SCENE_SHOWN, Visit, spot, until
from tutor.core.registry import GAMES
from tutor.course.lessons import lessons
from tutor.course.links import Link
from widgets.host.course_page import style

CC = "combat_commander"
LESSON = Link("lesson", CC, slug="03-ldv-terrain-plat")
#: A lesson with some of the longest questions, causes and lists to put in order of the five games.
LONG = Link("lesson", CC, slug="05-tir-et-defense")
TOP = "one => Math.round(one.getBoundingClientRect().top)"
#: Notes the classes that an element comes to have.
NOTED = "one => { ldvNoted = []; new MutationObserver(() => ldvNoted.push(one.className)).observe(one, {attributes: true}); }"
DESKTOP = {"viewport": {"width": 1280, "height": 720}}
NARROW = {"viewport": {"width": 320, "height": 640}}


def whole(page: Page) -> None:
    """Nothing of the board is cut, nothing lies over its left corners, and the page itself does not scroll."""
    until(
        page,
        """() => {
          const canvas = document.querySelector(".ldv-stage canvas"), root = document.documentElement;
          const box = canvas && canvas.getBoundingClientRect();
          return box && box.width > 100 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
            && [box.top + 8, box.bottom - 8].every((y) => document.elementFromPoint(box.left + 8, y).closest(".ldv-board-window"))
            && root.scrollWidth <= innerWidth && root.scrollHeight <= innerHeight;
        }""",
    )


#: Nothing lies over the board but the buttons of its camera, nor over what is asked again of it.
UNCOVERED = """() => {
  const over = (selector, own) => {
    const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
    const steps = [0.02, 0.25, 0.5, 0.75, 0.98].flatMap((x) => [0.02, 0.25, 0.5, 0.75, 0.98].map((y) => [left + x * width, top + y * height]));
    return steps.every(([x, y]) => document.elementFromPoint(x, y)?.closest(own));
  };
  return over(".ldv-stage canvas", ".ldv-board-window") && over(".ldv-again", ".ldv-again");
}"""


def readable(page: Page) -> None:
    """The question, all that may be chosen and the cause of a miss are in sight, between the head of the sheet and its foot."""
    until(
        page,
        """() => {
          const seen = (node) => node.getClientRects().length > 0;
          const asked = [...document.querySelectorAll(".ldv-stage :is(.ldv-predict, .ldv-exercise)")].find(seen);
          const sheet = document.querySelector(".ldv-stage-scroll").getBoundingClientRect();
          const parts = ".ldv-question, :is(.ldv-choices, .ldv-answer-order) button, .ldv-diagnosis[data-proved=false]";
          const read = [...asked.querySelectorAll(parts)].filter(seen);
          return read.length && read.map((node) => node.getBoundingClientRect())
            .every((box) => box.top >= sheet.top - 2 && box.bottom <= sheet.bottom + 2);
        }""",
    )


def in_a_line(page: Page) -> None:
    """The way is one line of targets as large as a finger, the scene on screen whole in it."""
    until(
        page,
        """() => {
          const way = document.querySelector(".ldv-scenes"), place = way.getBoundingClientRect();
          const scenes = [...way.children].map((scene) => scene.getBoundingClientRect());
          const here = way.querySelector("[aria-current]").getBoundingClientRect();
          return scenes.every((box) => box.top === scenes[0].top && box.width >= 44 && box.height >= 44)
            && here.left >= place.left && here.right <= place.right;
        }""",
    )


def here(page: Page) -> str:
    """Name of the scene on screen."""
    return page.locator(".ldv-scenes [aria-current]").get_attribute("title") or ""


def go_on(page: Page) -> None:
    """Go to the next question or scene, and wait for all of it: its last word brings the focus to its name."""
    page.locator(".ldv-stage-onward").click()
    until(page, SCENE_SHOWN)


def answer(page: Page, asked: Locator) -> None:
    """Answer a prediction, wrongly first when its first choice is wrong: the cause, or the proof, comes into sight."""
    for choice in range(asked.locator(".ldv-choices button").count()):
        button = asked.locator(".ldv-choices button").nth(choice)
        if not button.is_visible() or button.is_disabled():
            continue
        said = asked.locator(".ldv-diagnosis")
        before = said.inner_text() if said.is_visible() else ""
        button.click()
        expect(said).not_to_have_text(before, use_inner_text=True)
        expect(said).to_be_in_viewport(ratio=0.6)
        whole(page)
        if said.get_attribute("data-right") == "true" or "La réponse" in said.inner_text():
            return
        expect(said).to_contain_text(re.compile("^Pas encore"))
        readable(page)
        expect(page.locator(".ldv-stage .ldv-step:visible")).to_have_count(0)  # the verdict is not given away
    pytest.fail("no choice answers it")


#: Which lesson it is, as the header says, else the line above the scene.
WHICH_LESSON = """() => {
  const header = document.querySelector(".ldv-which");
  if (header.checkVisibility()) return header.innerText;
  return getComputedStyle(document.querySelector(".ldv-stage-eyebrow"), "::before").content;
}"""


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
def test_a_whole_lesson_keeps_board_and_question_in_the_window(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    page = opened(LESSON.url, **screen)
    scenes = page.locator(".ldv-scenes a")
    whole(page)
    assert re.search(r"\b3\b", page.evaluate(WHICH_LESSON))
    seen = []
    while True:
        seen.append(here(page))
        asked = page.locator(".ldv-stage .ldv-predict:visible")
        if asked.count():
            readable(page)
            answer(page, asked)
            expect(page.locator(".ldv-stage .ldv-step").first).to_be_attached()
        onward = page.locator(".ldv-stage-onward")
        if not onward.is_visible():
            break
        go_on(page)
        whole(page)
    assert len(set(seen)) >= scenes.count()
    expect(page.locator(".ldv-remember")).to_be_visible()
    expect(page.locator('.ldv-scenes a[data-mark="ahead"]')).to_have_count(1)  # the exercises were passed


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
def test_the_longest_question_its_choices_and_its_cause_are_in_sight_together(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    page = opened(replace(LONG, scene="jet-si").url, **screen)
    asked, said = page.locator(".ldv-stage .ldv-predict:visible"), page.locator(".ldv-stage .ldv-diagnosis")
    for _ in range(3):
        go_on(page)
    readable(page)
    if screen is PHONE:
        in_a_line(page)
    wrong = asked.get_by_role("button", name=re.compile("^En Suppression"))
    wrong.click()
    expect(said).to_contain_text("Essayez encore.")
    expect(wrong).to_be_focused()
    whole(page)
    readable(page)
    page.get_by_role("link", name=re.compile("Exercices")).click()
    until(page, SCENE_SHOWN)
    if screen is PHONE:
        in_a_line(page)
    for _ in range(3):
        go_on(page)
    whole(page)
    readable(page)
    page.get_by_role("button", name="Vérifier").click()  # lines to put in order never begin in the right one
    expect(said).to_contain_text("Essayez encore.")
    whole(page)
    readable(page)
    down = page.get_by_role("button", name=re.compile("^Descendre ")).first
    moved = down.inner_text()
    down.click()
    expect(down).to_be_focused()  # what it says moves, the arrow stays
    expect(down).not_to_have_text(moved)
    page.get_by_role("button", name="Vérifier").click()
    expect(said).to_have_attribute("data-proved", "true")
    check = page.get_by_role("button", name="Vérifier")  # it checks no more: it takes no room, and keeps the keyboard
    expect(check).to_be_focused()
    expect(check).to_have_css("height", "1px")
    expect(page.locator(".ldv-stage .ldv-question")).to_be_in_viewport(ratio=1)
    expect(said).to_be_in_viewport()
    whole(page)


def test_a_prediction_is_answered_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, **DESKTOP)
    page.locator(".ldv-choices button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ldv-diagnosis")).to_contain_text("Juste.")
    aloud = page.locator("[aria-live], [role=status], [role=alert]").filter(has_text=re.compile("Juste|D3"))
    expect(aloud).to_have_text(re.compile(r"^Juste\. "))  # one voice, which says it once
    for name in ("En liste", "Légende"):  # the settings as a list, what the board shows
        fold = page.get_by_role("button", name=name)
        expect(fold).to_have_attribute("aria-expanded", "false")
        fold.focus()
        page.keyboard.press("Enter")
        expect(fold).to_have_attribute("aria-expanded", "true")
    page.locator(".ldv-stage-onward").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ldv-stage-eyebrow")).to_be_focused()
    expect(page.locator(".ldv-stage-eyebrow")).to_have_text("La règle")


def test_each_scene_has_an_address_and_going_back_returns_to_it(opened: Callable[..., Page]) -> None:
    page = opened(replace(LESSON, scene="exercices").url, **DESKTOP)
    expect(page.locator(".ldv-stage-eyebrow")).to_have_text("Exercices")
    page.get_by_role("button", name="Non", exact=True).click()
    expect(page.locator(".ldv-diagnosis")).to_contain_text("Juste")
    expect(page.get_by_role("button", name="Oui", exact=True)).to_be_hidden()  # answered, its proof has the room
    expect(page.get_by_role("button", name="Un indice")).to_be_hidden()
    go_on(page)
    page.get_by_label("Hexs choisis").fill("Z9")
    line = {page.get_by_role("button", name=name).evaluate(TOP) for name in ("Vérifier", "Effacer")}
    assert line == {page.get_by_label("Hexs choisis").evaluate(TOP)}
    page.get_by_role("button", name="Vérifier").click()
    expect(page.locator(".ldv-alert")).to_be_visible()
    page.get_by_role("link", name=re.compile(r"^1\. ")).click()
    expect(page.locator(".ldv-alert")).to_be_hidden()  # it was of what one has left
    expect(page.get_by_role("button", name="Oui, la vue est dégagée")).to_be_visible()
    page.go_back()
    expect(page.locator(".ldv-stage-eyebrow")).to_have_text("Exercices")
    page.reload()
    expect(page.locator(".ldv-stage-eyebrow")).to_have_text("Exercices")


def test_an_example_of_a_link_is_its_scene(opened: Callable[..., Page]) -> None:
    page = opened(replace(LESSON, example="route").url, **DESKTOP)
    expect(page.locator(".ldv-scenes [aria-current]")).to_have_attribute("href", re.compile("scene=route$"))


def test_everything_can_be_seen_on_one_page(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, **DESKTOP)
    page.get_by_role("link", name="Tout voir").click()
    page.wait_for_selector("html[data-ready=true]")
    expect(page.locator(".ldv-exercises")).to_be_visible()
    expect(page.locator(".ldv-stage")).to_have_count(0)
    expect(page).to_have_url(re.compile("vue=tout$"))
    sheet = page.locator(".ldv-worksheet")  # every question, exercise and answer at once, for who prepares it
    expect(sheet).to_be_hidden()
    page.get_by_text("Toute la leçon en texte").click()
    expect(sheet).to_be_visible()
    expect(sheet.locator(".ldv-sheet-settings").first).to_contain_text("Bois")


def test_in_jupyterlab_all_of_a_lesson_in_text_is_folded_away(visit: Callable[..., Visit]) -> None:
    """It has the answers, and JupyterLab none of our template: only what the page brings."""
    page = visit().new_page()
    sheet = (
        '<details class="ldv-sheet-fold"><summary>Texte</summary></details><div class="ldv-worksheet">Réponses</div>'
    )
    page.set_content(f'<style>{style()}</style><div class="jp-OutputArea">{sheet}</div>')
    expect(page.get_by_text("Réponses")).to_be_hidden()
    page.get_by_text("Texte").click()
    expect(page.get_by_text("Réponses")).to_be_visible()


def test_a_room_sees_the_answer_when_a_key_is_pressed(opened: Callable[..., Page]) -> None:
    page = opened(replace(LESSON, projection=True).url, **DESKTOP)
    expect(page.get_by_role("button", name="Montrer la réponse")).to_be_visible()
    expect(page.locator(".ldv-stage .ldv-step:visible")).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.locator(".ldv-stage .ldv-step").first).to_be_visible()
    whole(page)


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
def test_a_proof_plays_is_stopped_stepped_and_played_again(opened: Callable[..., Page], screen: dict[str, Any]) -> None:
    page = opened(LESSON.url, **screen)
    page.locator(".ldv-choices button").nth(1).click()
    picture, steps = page.locator(".ldv-film-picture"), page.locator("ol[data-film] > li")
    expect(picture.locator("polyline").first).to_be_attached()
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_be_attached()
    expect(steps.locator("visible=true")).to_have_count(steps.count())  # what is ahead keeps its place
    page.get_by_role("button", name="Étape suivante").click()  # it stops there
    expect(page.get_by_role("button", name="Lire")).to_be_attached()
    while page.locator("ol[data-film] > .is-ahead").count():
        page.get_by_role("button", name="Étape suivante").click()
    expect(picture).to_have_count(1)
    forth = page.get_by_role("button", name="Étape suivante")
    forth.press("Enter")
    expect(picture).to_have_count(0)
    expect(forth).to_be_disabled()
    expect(forth).to_be_focused()  # with nothing left to step to, the focus stays
    steps.first.evaluate(NOTED)  # the film goes on by itself: a step may be past before anyone looks
    page.get_by_role("button", name="Revoir la preuve").click()
    until(page, "ldvNoted.some(names => names.includes('is-now'))")
    page.locator(".ldv-stage-onward").click()
    expect(picture).to_have_count(0)


def test_who_wants_no_motion_has_all_at_once(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, reduced_motion="reduce", **DESKTOP)
    page.locator(".ldv-choices button").nth(1).click()
    expect(page.locator(".ldv-stage .ldv-step:visible").first).to_be_visible()
    expect(page.locator(".ldv-film, .ldv-film-picture, ol[data-film]")).to_have_count(0)
    page.mouse.click(*spot(page, ".ldv-stage canvas", "E3"))  # a place that may be changed says so where it is
    page.locator(".ldv-spot").get_by_role("button", name="Dégagé").click()
    expect(page.locator(".ldv-guess").get_by_role("button", name="Montrer")).to_be_in_viewport(ratio=1)
    expect(page.locator(".ldv-stage .ldv-verdict")).to_be_hidden()
    page.locator(".ldv-guess").get_by_role("button", name="Non").click()
    expect(page.locator(".ldv-again")).to_contain_text("Pas cette fois.")
    expect(page.locator(".ldv-guess").get_by_role("button", name="Non")).to_be_focused()
    expect(page.locator(".ldv-stage .ldv-verdict")).to_have_attribute("data-outcome", "clear")
    expect(page.locator(".ldv-closer")).to_contain_text("elle passe à côté")  # of D3, by less than a pixel: seen closer
    expect(page.locator(".ldv-closer")).to_be_in_viewport(ratio=1)
    expect(page.locator(".ldv-spot")).to_be_in_viewport(ratio=1)
    undo, redo = (page.get_by_role("button", name=name) for name in "↶↷")
    for pressed, other in ((undo, redo), (redo, undo)):  # with nothing left to take back, the focus stays
        pressed.focus()
        page.keyboard.press("Enter")
        expect(pressed).to_be_disabled()
        expect(other).to_be_enabled()
        expect(pressed).to_be_focused()
    page.locator(".ldv-spot").get_by_role("button", name="Dégagé").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".ldv-spot")).to_have_count(0)
    expect(page.locator(".ldv-stage canvas")).to_be_focused()


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
def test_a_changed_board_and_what_is_asked_of_it_are_both_seen(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    page = opened(LESSON.url, reduced_motion="reduce", **screen)
    page.locator(".ldv-choices button").nth(1).click()
    at = spot(page, ".ldv-stage canvas", "E3")
    size = page.locator(".ldv-stage canvas").bounding_box()  # once it lies still
    page.touchscreen.tap(*at) if "has_touch" in screen else page.mouse.click(*at)
    palette, cleared = page.locator(".ldv-spot"), page.locator(".ldv-spot").get_by_role("button", name="Dégagé")
    cleared.click()
    guess = page.locator(".ldv-guess").get_by_role("button", name="Oui")
    undo = page.get_by_role("button", name=re.compile("↶|Annuler"))
    for shown in (palette, page.locator(".ldv-again .ldv-question"), guess, undo.first, undo.last):
        expect(shown).to_be_in_viewport(ratio=1)
    until(page, UNCOVERED)
    assert size == page.locator(".ldv-stage canvas").bounding_box()  # nor has it moved under the finger
    expect(cleared).to_be_focused()
    page.keyboard.press("Escape")
    expect(palette).to_have_count(0)
    expect(page.locator(".ldv-again .ldv-question")).to_be_focused()  # the board waits for what one expects of it
    page.keyboard.press("Tab")
    expect(guess).to_be_focused()


@pytest.mark.parametrize("screen", [DESKTOP, NARROW], ids=["1280x720", "320x640"])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_largest_board_of_a_game_fits(opened: Callable[..., Page], game_id: str, screen: dict[str, Any]) -> None:
    last = lessons(game_id)[-1] if game_id != CC else lessons(game_id)[7]
    page = opened(Link("lesson", game_id, slug=last.slug).url, **screen)
    whole(page)
    expect(page.locator(".ldv-stage-onward")).to_be_in_viewport(ratio=1)
    if screen is NARROW:  # and on a desktop seen at 200 %, where the words have two thirds of its height
        page.set_viewport_size({"width": 640, "height": 360})
        whole(page)
        expect(page.locator(".ldv-stage-onward")).to_be_in_viewport(ratio=1)
        assert page.locator(".ldv-stage-scroll").evaluate("sheet => sheet.clientHeight") >= 240
        last_answer = page.locator(".ldv-stage-body button:visible").last
        last_answer.focus()
        expect(last_answer).to_be_in_viewport(ratio=1)


def test_answered_scenes_are_answered_after_a_reload(opened: Callable[..., Page]) -> None:
    page = opened(LESSON.url, **DESKTOP)
    asked = page.locator(".ldv-stage .ldv-predict:visible")
    expect(asked.locator(".ldv-choices button").first).to_be_visible()
    answer(page, asked)
    said = asked.locator(".ldv-diagnosis").inner_text()
    page.locator(".ldv-stage-onward").click()  # the rule is read as well
    expect(page.locator(".ldv-stage-eyebrow")).to_have_text("La règle")
    expect(page.locator('.ldv-scenes a[data-mark="done"]')).to_have_count(2)
    page.goto(page.url.partition("?")[0])
    page.wait_for_selector("html[data-ready=true]")
    expect(page.locator('.ldv-scenes a[data-mark="done"]')).to_have_count(2)
    expect(asked.locator(".ldv-diagnosis")).to_have_text(said)
    expect(page.locator(".ldv-stage .ldv-step:visible").first).to_be_visible()
    expect(page.locator(".ldv-film-picture")).to_have_count(0)


#: What of a board is seen, as its page knows it.
LOOK = """() => {
  const canvas = document.querySelector(".ldv-stage canvas"), { reach, corner, camera } = canvas.ldv.board();
  const still = !document.querySelector(".ldv-camera-ground") && !canvas.style.transform;
  const box = canvas.getBoundingClientRect(), map = canvas.closest(".ldv-stage-map"), inset = getComputedStyle(map);
  const room = (size, ...sides) => sides.reduce((left, side) => left - parseFloat(inset[`padding${side}`]), size);
  const wide = room(map.clientWidth, "Left", "Right"), high = room(map.clientHeight, "Top", "Bottom");
  const filled = Math.abs(box.width - wide) <= 1 && Math.abs(box.height - high) <= 1;
  return { reach, corner, home: camera.home, still, filled };
}"""


#: No hex of the question is under the buttons of the camera, where it opened.
CLEAR_OF_BUTTONS = """() => {
  const canvas = document.querySelector(".ldv-stage canvas"), { width, height, cells, camera } = canvas.ldv.board();
  const box = canvas.getBoundingClientRect();
  return camera.named.length && camera.named.every((cell) => {
    const over = document.elementFromPoint(box.left + (cells[cell][0] * box.width) / width, box.top + (cells[cell][1] * box.height) / height);
    return !over || !over.closest(".ldv-camera");
  });
}"""


#: The buttons of the camera hide no counter, nor its name below it, of a board that is whole.
CLEAR_OF_COUNTERS = """() => {
  const canvas = document.querySelector(".ldv-stage canvas"), buttons = document.querySelector(".ldv-camera");
  if (!buttons || !canvas?.ldv?.board()?.counters) return false;
  const { width, cells, reach, counters } = canvas.ldv.board();
  const bar = buttons.getBoundingClientRect(), box = canvas.getBoundingClientRect(), k = box.width / width;
  return bar.width > 0 && counters.length && counters.every((cell) => {
    const [x, y] = [box.left + k * cells[cell][0], box.top + k * cells[cell][1]];
    return Math.max(bar.left - x, x - bar.right) > 0.9 * k * reach || Math.max(bar.top - y, y - bar.bottom) > 0.9 * k * reach;
  });
}"""


def test_the_button_of_a_whole_board_goes_to_the_corner_without_a_counter(opened: Callable[..., Page]) -> None:
    page = opened(Link("lesson", "heroes_of_normandie", slug="03-position-dominante").url, **PHONE)
    until(page, CLEAR_OF_COUNTERS)


#: The buttons of the camera stand beside a map that is narrower than its place.
BESIDE_THE_MAP = """() => {
  const canvas = document.querySelector(".ldv-board-window canvas.ldv-canvas"), bar = document.querySelector(".ldv-camera");
  if (!bar || !canvas?.ldv?.board()?.camera) return false;
  const { all, corner, width } = canvas.ldv.board(), box = canvas.getBoundingClientRect();
  return bar.getBoundingClientRect().left >= box.left + ((all[0] - corner[0]) * box.width) / width;
}"""


def settled(page: Page, true: str) -> dict[str, Any]:
    """What is seen once a gesture is over and something is true of it (``now``)."""
    seen: dict[str, Any] = until(page, f"(now => now.still && ({true}) && now)(({LOOK})())")
    return seen


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["1280x720", "390x844"])
def test_a_reader_comes_nearer_moves_the_map_and_goes_back(opened: Callable[..., Page], screen: dict[str, Any]) -> None:
    page = opened(Link("lesson", "tcs", slug="07-tir-croise").url, **screen)
    whole(page)
    expect(page.locator(".ldv-overview")).to_be_visible()  # a board of nine rows opens on a frame
    framed = settled(page, "now.home && now.filled")  # before, the kernel has not heard of its place
    until(page, CLEAR_OF_BUTTONS)
    canvas = page.locator(".ldv-stage canvas")
    box = canvas.bounding_box() or {}
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.42 * box["height"]  # no counter stands there
    if screen is PHONE:
        touch = page.context.new_cdp_session(page)

        def fingers(kind: str, *places: tuple[float, float]) -> None:
            points = [{"x": px, "y": py, "id": at} for at, (px, py) in enumerate(places)]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        fingers("touchStart", (x - 40, y), (x + 40, y))
        for apart in (46, 54, 62):
            fingers("touchMove", (x - apart, y), (x + apart, y))
        fingers("touchEnd")
    else:
        page.mouse.move(x, y)
        page.keyboard.down("Control")
        page.mouse.wheel(0, -200)
        page.keyboard.up("Control")
    near = settled(page, f"!now.home && now.reach > {1.2 * framed['reach']}")
    assert page.evaluate("visualViewport.scale") == 1
    if screen is PHONE:
        fingers("touchStart", (x, y))
        for way in (12, 30, 60):
            fingers("touchMove", (x - way, y))
        fingers("touchEnd")
    else:
        page.mouse.down()
        page.mouse.move(x - 60, y, steps=4)
        page.mouse.up()
    there = settled(page, f"now.corner[0] > {near['corner'][0] + 30}")
    assert there["reach"] == near["reach"]
    whole(page)
    if screen is PHONE:
        page.get_by_role("button", name="Retour au cadre").tap()
    else:
        canvas.focus()
        page.keyboard.press("0")
    assert settled(page, "now.home")["corner"] == framed["corner"]
    page.get_by_role("button", name="Vue d’ensemble").click()
    assert settled(page, "!now.home")["reach"] < framed["reach"]
    expect(page.locator(".ldv-overview")).to_be_hidden()
    if screen is PHONE:
        page.goto(urljoin(page.url, Link("sandbox", "tcs").url))
        until(page, BESIDE_THE_MAP)
