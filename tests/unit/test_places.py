"""Who may take a place: visitors, limits, places kept for a class. No server is started."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tornado.httputil import HTTPHeaders

from widgets.serving import options as opts
from widgets.serving.limits import Limits
from widgets.serving.networks import read_networks, sender, subscriber
from widgets.serving.places import YIELDS, Place, Places, TooMany
from widgets.serving.visitors import SHOWN, TEACHERS, WHO, Visitor, Visitors, class_group

CODE, OTHER = "K7PM2Q", "ABCDEF"


class Clock:
    """Seconds that pass when the test says so."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def someone(number: int = 1, address: str = "192.0.2.1", **more: Any) -> Visitor:
    """A visitor with a browser of his own."""
    return Visitor(address, f"browser {number}", **more)


def house(places: int = 10, clock: Clock | None = None, **limits: Any) -> Places:
    """A house of so many places."""
    return Places(replace(Limits.of(places), **limits), clock or Clock())


def settle(places: Places, visitor: Visitor, kernel: str = "") -> Place:
    """A visitor comes in, as a page that was asked for."""
    places.admit(visitor)
    place = places.take(visitor)
    assert place is not None
    place.kernel = kernel
    return place


# -- who a visitor is --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("peer", "headers", "trusted", "address"),
    [
        ("203.0.113.9", {"X-Forwarded-For": "192.0.2.1"}, "", "203.0.113.9"),
        ("203.0.113.9", {"X-Forwarded-For": "192.0.2.1"}, "127.0.0.1", "203.0.113.9"),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, "", "127.0.0.1"),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, "127.0.0.1", "192.0.2.1"),
        ("::ffff:127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, "127.0.0.1", "192.0.2.1"),
        ("127.0.0.1", {"X-Forwarded-For": "198.51.100.7, 192.0.2.1"}, "127.0.0.1", "192.0.2.1"),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1, 10.0.0.3"}, "127.0.0.1, 10.0.0.0/8", "192.0.2.1"),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1, ceci"}, "127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", {"X-Real-IP": "192.0.2.1"}, "127.0.0.1", "192.0.2.1"),
        ("127.0.0.1", {}, "127.0.0.1", "127.0.0.1"),
    ],
)
def test_only_a_trusted_proxy_says_who_asks(peer: str, headers: dict[str, str], trusted: str, address: str) -> None:
    assert sender(peer, HTTPHeaders(headers), read_networks(trusted)) == address


def test_a_subscriber_of_ipv6_is_one_visitor() -> None:
    assert subscriber("2001:db8:1:2::1") == subscriber("2001:db8:1:2:ffff::9") != subscriber("2001:db8:1:3::1")


def handled(cookies: dict[str, str], peer: str = "192.0.2.1") -> Any:
    """A request's handler, as far as cookies go."""
    given: dict[str, tuple[str, dict[str, Any]]] = {}
    return SimpleNamespace(
        request=SimpleNamespace(remote_ip=peer, headers=HTTPHeaders()),
        get_cookie=cookies.get,
        set_cookie=lambda name, value, **how: given.update({name: (value, how)}),
        given=given,
    )


def test_a_browser_is_known_again_and_none_can_forge_what_it_has_shown() -> None:
    visitors = Visitors(secure=True)
    first = handled({})
    new = visitors.recognize(first)
    value, how = first.given[WHO]
    assert (how["httponly"], how["samesite"], how["secure"]) == (True, "Lax", True)
    again = handled({WHO: value})
    assert visitors.recognize(again) == replace(new, known=True)
    assert again.given == {}
    visitors.show(first, replace(new, classes=(CODE,), teacher=True))
    shown = first.given[SHOWN][0]
    assert visitors.recognize(handled({WHO: value, SHOWN: shown})).groups == (TEACHERS, class_group(CODE))
    forged = handled({WHO: value, SHOWN: shown[:-1] + ("0" if shown[-1] != "0" else "1")})
    assert visitors.recognize(forged).groups == ()
    assert Visitors().recognize(handled({WHO: value, SHOWN: shown})).groups == ()


def test_who_sits_at_the_machine_is_not_limited_unless_the_world_comes_that_way() -> None:
    assert Visitors().recognize(handled({}, "127.0.0.1")).here
    assert not Visitors().recognize(handled({}, "192.0.2.1")).here
    assert not Visitors(public=True).recognize(handled({}, "127.0.0.1")).here
    assert not Visitors(trusted=read_networks("127.0.0.1")).recognize(handled({}, "127.0.0.1")).here


# -- places ------------------------------------------------------------------------------------------------------------


def test_one_address_cannot_take_the_house() -> None:
    places = house(10)
    for number in range(6):
        settle(places, someone(number))
    with pytest.raises(TooMany, match="depuis votre réseau"):
        places.admit(someone(6))
    settle(places, someone(7, "192.0.2.2"))


def test_one_browser_has_so_many_pages_and_one_closed_makes_room() -> None:
    places = house(60, visitor_places=2)
    first, _ = settle(places, someone()), settle(places, someone())
    with pytest.raises(TooMany, match="déjà 2 pages ouvertes"):
        places.admit(someone())
    settle(places, someone(2))
    places.leave(first)
    settle(places, someone())


def test_pages_are_opened_only_so_fast() -> None:
    clock = Clock()
    places = house(60, clock, visitor_openings=3, visitor_places=60)
    for _ in range(3):
        settle(places, someone())
    with pytest.raises(TooMany, match="trop vite") as caught:
        places.admit(someone())
    assert caught.value.retry == 20
    settle(places, someone(2))
    clock.now += caught.value.retry
    settle(places, someone())


def test_at_the_machine_itself_nothing_hinders() -> None:
    places = house(40)
    places.keep(TEACHERS, 2)
    for _ in range(40):
        settle(places, someone(address="127.0.0.1", here=True))


def test_a_class_has_places_that_nobody_else_can_take() -> None:
    places = house(10)
    places.keep(class_group(CODE), 4)
    places.keep(TEACHERS, 1)
    for number in range(5):
        settle(places, someone(number, f"192.0.2.{number}"))
    assert places.take(someone(9, "192.0.2.9")) is None
    assert places.take(someone(9, "192.0.2.9", classes=(OTHER,))) is None
    for number in range(4):
        pupil = someone(20 + number, "198.51.100.1", classes=(CODE,))
        assert settle(places, pupil).group == class_group(CODE)
    assert places.take(someone(30, "198.51.100.1", classes=(CODE,))) is None
    assert settle(places, someone(31, "198.51.100.2", teacher=True)).group == TEACHERS


def test_a_class_behind_one_address_is_not_one_visitor() -> None:
    places = house(60, address_places=5)
    places.keep(class_group(CODE), 30)
    for number in range(30):
        settle(places, someone(number, classes=(CODE,)))
    for number in range(5):
        settle(places, someone(40 + number, classes=(CODE,)))
    with pytest.raises(TooMany):
        places.admit(someone(50, classes=(CODE,)))


def test_who_shows_a_code_on_his_page_sits_with_the_class() -> None:
    places = house(10)
    place = settle(places, someone(), "k1")
    places.keep(class_group(CODE), 4)
    places.regroup("k1", someone(2, classes=(CODE,)))
    assert place.group == ""  # the page of another browser
    places.regroup("k1", someone(classes=(CODE,)))
    assert place.group == class_group(CODE)


def test_a_page_that_never_comes_to_life_gives_its_place_back() -> None:
    clock = Clock()
    places = house(10, clock)
    plain, slow, alive = (settle(places, someone(number), f"k{number}") for number in range(3))
    starting = settle(places, someone(3))
    for place in (plain, slow, alive):
        places.sent(place)
    places.opened("k2")
    assert list(places.unused(wanted=1)) == []
    clock.now += YIELDS
    places.sign("k1")
    assert list(places.unused()) == []
    assert list(places.unused(wanted=2)) == [plain]
    clock.now += 20 - YIELDS
    assert list(places.unused()) == [plain]
    clock.now += YIELDS
    assert set(places.unused()) == {plain, slow}
    assert starting in places.taken


# -- options -----------------------------------------------------------------------------------------------------------


def test_limits_are_options_and_follow_the_size_of_the_house(tmp_path: Any) -> None:
    read = opts.read(["--notebooks", str(tmp_path)], {"LDV_MAX_KERNELS": "30", "LDV_VISITOR_PLACES": "3"})
    assert (read.limits.places, read.limits.visitor_places, read.limits.address_places) == (30, 3, 20)
    read = opts.read(["--notebooks", str(tmp_path)], {"LDV_TRUSTED_PROXIES": "127.0.0.1,10.0.0.0/8"})
    assert read.proxies == read_networks("127.0.0.1, 10.0.0.0/8")


@pytest.mark.parametrize(
    "env",
    [
        {"LDV_TRUSTED_PROXIES": "mandataire"},
        {"LDV_VISITOR_PLACES": "0"},
        {"LDV_QUEUE": "-1"},
        {"LDV_UNOPENED": "x"},
        {"LDV_AHEAD": "-1"},
    ],
)
def test_a_limit_that_cannot_be_used_is_one_french_line(tmp_path: Any, env: dict[str, str]) -> None:
    with pytest.raises(opts.BadOption) as caught:
        opts.read(["--notebooks", str(tmp_path)], env)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).endswith(".")
