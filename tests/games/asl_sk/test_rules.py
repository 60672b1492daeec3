"""ASL Starter Kit: what the golden cases do not reach: refusals, omissions, settings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tutor.core.errors import PositionError, RequestError
from tutor.core.position import Position
from tutor.course.figures import numbers
from tutor.games.asl_sk import GAME

GAME.load()


def ask(position, question, **arguments):
    return GAME.rules[question](position, **arguments)


def codes(result):
    return [step.code for step in result.refusals]


def test_a_unit_without_its_numbers_is_a_fault():
    position = GAME.position("tir").change({"piece.alpha.front.range": None, "piece.chef.front.leadership": None})
    assert [text.split("\u00a0;")[0] for text in GAME.problems(position)] == [
        "Squad A\u00a0: il manque «\u00a0range\u00a0»", "Leader 9-1\u00a0: il manque «\u00a0leadership\u00a0»",
    ]  # fmt: skip


def test_a_mmc_without_firepower_is_a_fault():
    position = GAME.position("corps-a-corps").change({"piece.rouge.front.fp": 0})
    assert GAME.problems(position) == ["Squad rouge\u00a0: la FP d’un MMC vaut au moins 1, pas 0."]


# -- firing --------------------------------------------------------------------------------------------------------


def with_pieces(*pieces, base="ecole", state=None):
    data = GAME.position(base).data()
    data["pieces"] = [*data.get("pieces", []), *pieces]
    data["state"] = {**data.get("state", {}), **(state or {})}
    position = Position.from_data(data)
    assert GAME.problems(position) == []
    return position


def armed(*more, **state):
    """Squad A with a MMG in D4, a Half-Squad with a LMG in D5, a target in H4."""
    return with_pieces(
        {"id": "mmg", "kind": "mg", "side": "axis", "carrier": "alpha", "counter": "german/mmg"},
        {"id": "lmg", "kind": "mg", "side": "axis", "carrier": "alpha", "counter": "german/lmg"},
        {"id": "hs", "kind": "half_squad", "side": "axis", "at": "D5", "counter": "german/half-squad"},
        {"id": "hslmg", "kind": "mg", "side": "axis", "carrier": "hs", "counter": "german/lmg"},
        {"id": "ft", "kind": "flamethrower", "side": "axis", "carrier": "bravo"},
        {"id": "atr", "kind": "atr", "side": "axis", "carrier": "bravo"},
        *more,
        base="tir",
        state=state,
    )


@pytest.mark.parametrize(
    ("firers", "rules"),
    [
        (["alpha", "mmg"], []),
        (["mmg", "lmg"], []),
        (["alpha", "mmg", "lmg"], ["4-emploi"]),
        (["hs", "hslmg"], ["3.2.2-repartition"]),
        (["bravo", "atr"], []),
        (["bravo", "ft"], ["4.2", "3.2.2-longue-portee"]),
    ],
)
def test_how_many_weapons_a_unit_fires(firers, rules):
    assert [r.rule for r in ask(armed(), "fire", firers=firers, target="H4").refusals] == rules


def test_a_machine_gun_in_the_advancing_fire_phase():
    position = armed(phase="AFPh").change({"piece.alpha.status.moved": True})
    assert codes(ask(position, "fire", firers=["mmg"], target="H4")) == ["fire.heavy_moved"]
    assert ask(position, "firepower", firer="lmg", target="H4").value.fp == Fraction(3, 2)


def test_a_pinned_squad_fires_at_half_and_a_pinned_flamethrower_not_at_all():
    position = armed().change({"piece.alpha.status.pinned": True, "piece.bravo.status.pinned": True})
    assert ask(position, "firepower", firer="alpha", target="H4").value.fp == 2
    assert "fire.flame_pinned" in codes(ask(position, "firepower", firer="ft", target="E5"))


@pytest.mark.parametrize(("target", "fp"), [("E5", 24), ("F4", 12)])
def test_a_flamethrower_is_never_doubled_and_has_its_own_long_range(target, fp):
    value = ask(armed(), "firepower", firer="ft", target=target).value
    assert (value.fp, value.factors) == (fp, ())


def test_a_flamethrower_ignores_cover_but_its_bearer_draws_fire():
    position = armed().change({"piece.cible.at": "F4", "terrain.F4": "woods"})
    assert ask(position, "fire", firers=["ft"], target="F4").value.targets[0].drm == 0
    back = armed({"id": "ft2", "kind": "flamethrower", "side": "allies", "carrier": "cible"})
    assert ask(back, "fire", firers=["alpha"], target="H4").value.targets[0].drm == -1


def test_an_enemy_in_the_hex_keeps_the_fire_there():
    position = armed().change({"piece.cible.at": "D4"})
    assert codes(ask(position, "firepower", firer="alpha", target="H4")) == ["fire.enemy_here"]
    assert ask(position, "firepower", firer="alpha", target="D4").value.fp == 12


def test_a_lone_leader_fires_a_machine_gun_at_half_two_at_full():
    lone = armed({"id": "arme", "kind": "mg", "side": "axis", "carrier": "chef", "front": {"fp": 4, "range": 8}})
    assert ask(lone, "firepower", firer="arme", target="H4").value.fp == 2
    assert ask(lone.change({"piece.second.at": "D4"}), "firepower", firer="arme", target="H4").value.fp == 4
    assert "fire.leader_armed" in codes(ask(lone, "fire", firers=["arme"], target="H4", leaders=["chef"]))


@pytest.mark.parametrize(
    ("changes", "leaders", "rule"),
    [
        ({"piece.chef.status.pinned": True}, ["chef"], "1.2.1"),
        ({"piece.chef.status.broken": True}, ["chef"], "1.2.1"),
        ({}, ["second"], "3.2.2-leader"),
        ({"piece.chef.status.directed": True}, ["chef"], "3.2.2-leader"),
        ({"piece.alpha.status.prep_fire": True}, [], "3.2.5"),
        ({"piece.alpha.status.prep_fire": True, "state.phase": "AFPh"}, [], "3.5"),
        ({"state.phase": "RtPh"}, [], "3.2"),
        ({"state.phase": "DFPh"}, [], "3.3.3"),
    ],
)
def test_what_is_refused(changes, leaders, rule):
    position = armed().change(changes)
    result = ask(position, "fire", firers=["alpha"], target="H4", leaders=leaders)
    assert result.outcome == "refused"
    assert rule in [r.rule for r in result.refusals]


def test_fire_at_an_empty_hex_says_that_nobody_is_there():
    codes = [
        step.code
        for step in ask(GAME.position("feu"), "attack", firers=["alpha"], target="F5", dice=[2, 3]).trace.children
    ]
    assert "fire.empty" in codes
    assert codes[-1] == "attack.nobody"


@pytest.mark.parametrize(("terrain", "spoken"), [("stone_building", True), ("woods", True), (None, False)])
def test_a_flamethrower_says_that_no_cover_counts_where_there_is_one(terrain, spoken):
    flames = {"piece.lmg.kind": "flamethrower", "piece.lmg.front.fp": 24, "piece.lmg.front.range": 1}
    position = GAME.position("feu").change({**flames, "piece.cible.at": "E5", "terrain.E5": terrain})
    result = ask(position, "fire", firers=["lmg"], target="E5")
    assert result.value.targets[0].drm == 0
    assert ("drm.flames" in [step.code for step in result.trace.walk()]) is spoken


def test_a_group_must_hold_together():
    assert (
        codes(ask(armed().change({"piece.bravo.at": "B5"}), "fire", firers=["alpha", "bravo"], target="E2")).count(
            "fire.apart"
        )
        == 1
    )


def test_an_inexperienced_squad_loses_two_columns_unless_a_leader_is_there():
    position = armed().change({"piece.bravo.status.inexperienced": True})
    assert ask(position, "fire", firers=["bravo"], target="H4").value.cower == 1  # the 8-0 is with it
    alone = position.change({"piece.second.at": "D4"})
    assert ask(alone, "fire", firers=["bravo"], target="H4").value.cower == 2
    assert ask(alone, "fire", firers=["bravo"], target="H4", without={"5.4"}).value.cower == 1


@pytest.mark.parametrize(
    ("omitted", "changes", "firers", "value"),
    [
        ("3.2.2-pbf", {"piece.cible.at": "E4"}, ["alpha"], (4, 0)),
        ("3.2.2-longue-portee", {"piece.cible.at": "L4"}, ["alpha"], (4, 0)),
        ("3.2.3-PTC", {"piece.alpha.status.pinned": True}, ["alpha"], (4, 0)),
        ("3.5", {"state.phase": "AFPh"}, ["alpha"], (4, 0)),
        ("3.5-assault-fire", {"state.phase": "AFPh", "piece.alpha.status.assault_fire": True}, ["alpha"], (2, 0)),
        ("3.3.1-double-time", {"piece.alpha.status.cx": True}, ["alpha"], (4, 0)),
        ("3.3.3-drm", {"state.attacker": "allies", "state.phase": "MPh", "piece.cible.status.moving": True}, ["alpha"], (4, 0)),
        ("3.3.3-SFF", {"state.attacker": "allies", "state.phase": "MPh", "piece.alpha.status.first_fire": True,
                       "piece.cible.status.moving": True}, ["alpha"], (4, -2)),
    ],
)  # fmt: skip
def test_leaving_out_a_rule_of_fire(omitted, changes, firers, value):
    position = armed().change(changes)
    target = position.hex_of("cible")
    plain = ask(position, "fire", firers=firers, target=target).value
    shot = ask(position, "fire", firers=firers, target=target, without={omitted}).value
    assert (shot.fp, shot.targets[0].drm) == value
    assert (plain.fp, plain.targets[0].drm) != value


def test_leaving_out_the_leader_rule_and_cowering():
    both = {"firers": ["alpha", "bravo"], "target": "H4"}
    assert ask(armed(), "fire", **both, leaders=["chef", "second"]).value.drm == 0
    assert ask(armed(), "fire", **both, leaders=["chef"], without={"3.2.2-leader"}).value.drm == -1
    assert ask(armed(), "fire", **both, without={"3.2.2-cower"}).value.cower == 0


def test_rate_of_fire_and_breakdown_come_from_the_same_roll():
    done = ask(armed(), "attack", firers=["mmg"], target="H4", dice=[2, 5], checks={"cible": [1, 1]})
    assert done.value.again == ("mmg",)
    done = ask(armed(), "attack", firers=["alpha", "mmg"], target="H4", dice=[6, 6]).value
    assert (done.jammed, done.lost, done.again) == (("mmg",), (), ())
    late = armed(attacker="allies", phase="MPh").change(
        {"piece.alpha.status.first_fire": True, "piece.cible.status.moving": True}
    )
    assert ask(late, "attack", firers=["alpha", "mmg"], target="H4", dice=[5, 5]).value.jammed == ("mmg",)
    assert ask(late, "attack", firers=["alpha", "mmg"], target="H4", dice=[6, 6]).value.lost == ("mmg",)


def test_nobody_is_drawn_for_a_morale_check():
    done = ask(armed(), "attack", firers=["alpha"], target="H4", dice=[1, 4], checks={"cible": [1, 1]})
    assert done.value.results == (("cible", 5, "1MC"),)
    assert not [step.code for step in done.trace.walk() if step.code.startswith("effect.ties")]


def test_a_step_opens_with_no_count_that_its_sentence_does_not_say():
    pile, split = GAME.position("moral"), [{"firers": ["alpha"], "target": "H4"}, {"firers": ["bravo"], "target": "H4"}]
    results = {
        "effect.ties_all": ask(pile, "attack", firers=["feu"], target="D4", dice=[1, 1], chosen=["alpha", "bravo"]),
        "fire.declared": ask(GAME.position("tir"), "declarations", attacks=split),
        "rally.reduced": ask(GAME.position("ralliement"), "rally", piece="perdu", leader="chef", dice=[6, 6]),
    }
    for code, result in results.items():
        step = next(step for step in result.trace.walk() if step.code == code)
        assert step.value is None or Fraction(step.value) in numbers(GAME.sentence(step)), code


def test_a_mover_that_spent_nothing_is_refused_once():
    refused = ask(GAME.position("defense"), "defensive_fire", firer="alpha", mover="assaut", spent=0)
    assert codes(refused) == ["defence.nothing_spent"]


def test_residual_fire_leaves_out_what_broke_down_or_fires_again():
    move = armed(attacker="allies", phase="MPh").change({"piece.cible.status.moving": True})
    whole = ask(move, "attack", firers=["alpha", "mmg"], target="H4", dice=[4, 3]).value
    kept = ask(move, "attack", firers=["alpha", "mmg"], target="H4", dice=[1, 6]).value
    assert (whole.fire.column, whole.residual, kept.again, kept.residual) == (8, 4, ("mmg",), 2)


# -- results -------------------------------------------------------------------------------------------------------


def stack():
    """A leader 9-1 and two Squads in H4."""
    return with_pieces(
        {"id": "lieutenant", "kind": "leader", "side": "allies", "at": "H4", "front": {"morale": 9, "leadership": -1}},
        {"id": "autre", "kind": "squad", "side": "allies", "at": "H4", "front": {"fp": 4, "range": 4, "morale": 7}},
        base="tir",
    )


def test_the_leader_checks_first_and_then_helps():
    checks = {"lieutenant": [1, 2], "autre": [4, 4], "cible": [4, 3]}
    done = ask(stack(), "attack", firers=["alpha", "bravo"], target="H4", dice=[3, 4], checks=checks).value
    assert done.results[0][2] == "1MC"
    assert dict(done.units) == {"lieutenant": "nothing", "autre": "broken", "cible": "broken"}
    weak = ask(stack(), "attack", firers=["alpha"], target="H4", dice=[2, 4], checks={**checks, "autre": [4, 3]}).value
    assert (weak.results[0][2], dict(weak.units)["autre"]) == ("NMC", "nothing")


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"piece.bravo.front.morale": 9}, "effect.loss_spared"), ({"piece.bravo.status.pinned": True}, "morale.no_task")],
)
def test_who_does_not_check_for_a_lost_leader_learns_why(changes, code):
    checks, losses = {"chef": [5, 4], "alpha": [2, 2], "bravo": [3, 1]}, {"alpha": [3, 3], "bravo": [4, 3]}
    given = {"firers": ["feu"], "target": "D4", "dice": [2, 3], "checks": checks, "loss_checks": losses}
    done = ask(GAME.position("moral").change(changes), "attack", **given)
    said = [step for step in done.trace.walk() if step.code == code]
    assert [step.operands["piece"].value for step in said] == ["bravo"]
    assert done.value.units[2] == ("bravo", "nothing")


def test_a_lost_leader_shakes_those_of_lower_morale():
    checks = {"lieutenant": [6, 5], "autre": [1, 2], "cible": [1, 2]}
    done = ask(stack(), "attack", firers=["alpha", "bravo"], target="H4", dice=[3, 4], checks=checks).value
    assert dict(done.units) == {"lieutenant": "broken", "autre": "pending", "cible": "pending"}
    losses = {"autre": [3, 4], "cible": [1, 2]}
    done = ask(
        stack(), "attack", firers=["alpha", "bravo"], target="H4", dice=[3, 4], checks=checks, loss_checks=losses
    )
    assert dict(done.value.units) == {"lieutenant": "broken", "autre": "pinned", "cible": "nothing"}
    assert "3.2.3-LLMC" in done.trace.rules()


def test_a_kill_needs_to_know_who_is_picked():
    fire = {"firers": ["alpha", "bravo"], "target": "H4", "leaders": ["chef", "second"], "dice": [1, 1]}
    done = ask(stack(), "attack", **fire).value
    assert (done.results[0][2], set(dict(done.units).values())) == ("1KIA", {"pending"})
    losses = {"cible": [1, 2]}
    done = ask(stack(), "attack", **fire, chosen=["autre"], loss_checks=losses).value
    assert dict(done.units)["autre"] == "eliminated"
    assert dict(done.units)["lieutenant"] == "broken"


def test_a_wounded_leader_is_worth_less():
    position = GAME.position("tir").change({"piece.chef.status.wounded": True})
    assert ask(position, "fire", firers=["alpha"], target="H4", leaders=["chef"]).value.drm == 0
    hit = ask(position, "morale_check", piece="chef", dice=[6, 6], wound_dr=4).value
    assert hit.result == "eliminated"


def test_natural_twelve_can_be_read_as_a_reduction_alone():
    position = GAME.position("tir").change({"setting.natural_twelve": "only_reduces"})
    assert ask(position, "morale_check", piece="alpha", dice=[6, 6]).value.result == "reduced"


def test_the_residual_setting_keeps_the_odd_number():
    position = GAME.position("ecole").change({"setting.residual": "number"})
    assert ask(position, "residual", column=6).value == 3
    assert ask(GAME.position("ecole"), "residual", column=12, outside=1, without={"3.3.5"}).value == 6


def test_rally_refusals_and_omissions():
    position = GAME.position("ralliement")
    assert ask(position, "rally", piece="chef", leader="perdu").outcome == "refused"
    assert ask(position, "rally", piece="perdu", leader="chef", without={"3.1.f"}).value.drm == 0
    assert ask(position, "rally", piece="perdu", without={"3.1.e"}).value.drm == 3
    assert ask(position, "rally", piece="perdu", leader="chef", dice=[6, 6]).value.result == "reduced"
    near = position.change({"piece.ennemi.at": "G3"})
    assert ask(near, "dm_removal", piece="perdu").value == "kept"
    assert ask(position.change({"terrain.F3": None}), "dm_removal", piece="perdu").value == "choice"


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("rof", {"rate": 9}),
        ("breakdown", {"number": 1}),
        ("close_combat", {"attack": 0, "defence": 1}),
        ("to_hit", {"target": "x", "away": 1}),
        ("to_kill", {"gun": "x", "away": 1, "armour": 1}),
        ("cost", {"path": ["A1", "C4"]}),
        ("ift_odds", {"fp": 4, "drm": 0, "cower": 5}),
        ("residual", {"column": -1}),
        ("panzerfaust", {"away": 1, "year": 1930}),
    ],
)
def test_a_question_badly_put_says_so(question, arguments):
    with pytest.raises(RequestError):
        ask(GAME.position("ecole"), question, **arguments)


def test_beyond_the_printed_ranges_the_value_is_unknown():
    result = ask(GAME.position("ecole"), "to_kill", gun="ap75l", away=90, armour=6)
    assert (result.outcome, result.missing) == ("unknown", "to_kill_range.large.r79")


def test_a_square_board_is_refused():
    position = Position.parse("schema: 1\ngame: asl_sk\nid: carre\ngrid: {kind: square, columns: [A, C], rows: [1, 3]}")
    assert GAME.problems(position) != []
    with pytest.raises(PositionError):
        ask(position, "los", start="A1", end="C3")


# -- moving under fire ---------------------------------------------------------------------------------------------


def test_a_column_on_the_forest_road_is_seen_in_the_open():
    position = GAME.position("route-en-foret")
    on_road = ask(position, "fire", firers=["poste"], target="E6").value.targets[0]
    assert [(t.name, t.value) for t in on_road.terms] == [("ffnam", -1), ("ffmo", -1)]
    in_woods = ask(position, "fire", firers=["poste"], target="E6", without={"1.1.1-woods-road"})
    assert "fire.unseen" in codes(in_woods)
    beside = ask(position.change({"piece.colonne.status.by_road": False}), "fire", firers=["poste"], target="E6").value
    assert [(t.name, t.value) for t in beside.targets[0].terms] == [("tem", 1), ("ffnam", -1)]


def test_a_whole_move_on_the_road_gets_one_more_mf():
    position = GAME.position("route-en-foret").change({"piece.poste.at": "A1"})
    path = ["E8", "E7", "E6", "E5", "E4", "E3"]
    on_road = position.change({"piece.colonne.at": "E8"})
    assert ask(on_road, "walk", movers=["colonne"], path=path).computed
    assert codes(ask(on_road, "walk", movers=["colonne"], path=["D8", *path])) == [
        "defence.elsewhere",
        "defence.too_dear",
    ]


def test_pinned_units_lose_the_moving_modifiers_and_broken_ones_keep_them():
    position = GAME.position("defense").change({"piece.assaut.at": "G5"})
    drm = lambda p: ask(p, "fire", firers=["alpha"], target="G5").value.targets[0].drm  # noqa: E731
    assert drm(position) == -2
    assert drm(position.change({"piece.assaut.status.pinned": True})) == 0
    assault = position.change({"piece.assaut.status.assault_move": True})
    assert drm(assault) == -1
    assert drm(assault.change({"piece.assaut.status.broken": True})) == -2


def test_smoke_takes_the_open_ground_away():
    position = GAME.position("defense").change({"piece.assaut.at": "G5", "marker.smoke.G5": 2})
    shot = ask(position, "fire", firers=["alpha"], target="G5").value
    assert (shot.drm, shot.targets[0].drm) == (2, 1)


@pytest.mark.parametrize(
    ("status", "at", "outcome"),
    [([], "E5", 8), (["first_fire"], "E5", 4), (["first_fire"], "G5", "3.4"), (["final_fire"], "E5", "3.4")],
)
def test_who_still_fires_in_the_defensive_fire_phase(status, at, outcome):
    position = GAME.position("defense").change({"piece.assaut.at": at, "state.phase": "DFPh"})
    for name in status:
        position = position.change({f"piece.alpha.status.{name}": True})
    result = ask(position, "fire", firers=["alpha"], target=at)
    if isinstance(outcome, int):
        assert (result.value.fp, result.value.targets[0].drm) == (outcome, 0)  # neither FFNAM nor FFMO
    else:
        assert [r.rule for r in result.refusals] == [outcome]


def test_final_protective_fire_takes_everything_and_only_next_door():
    position = with_pieces(
        {"id": "lmg", "kind": "mg", "side": "axis", "carrier": "alpha", "front": {"fp": 3, "range": 8, "rof": 1}},
        base="defense",
    ).change({"piece.alpha.status.final_fire": True, "piece.assaut.at": "E5"})
    assert codes(ask(position, "fire", firers=["alpha"], target="E5")) == ["fire.everything"]
    assert ask(position, "fire", firers=["alpha", "lmg"], target="E5").value.fp == 7
    away = position.change({"piece.assaut.at": "G5"})
    assert "fire.not_adjacent" in codes(ask(away, "fire", firers=["alpha", "lmg"], target="G5"))


def test_residual_fire_strikes_once_unless_the_terms_get_worse():
    position = GAME.position("defense").change({"piece.assaut.at": "G5"})
    assert codes(ask(position, "residual_attack", mover="assaut", fp=4, enters=False)) == ["residual.leaves"]
    assert codes(ask(position, "residual_attack", mover="assaut", fp=4, last_drm=-2)) == ["residual.once"]
    assert ask(position, "residual_attack", mover="assaut", fp=4, last_drm=-1).computed


def test_what_a_walk_refuses():
    position = GAME.position("defense")
    assert codes(ask(position, "walk", movers=["assaut"], path=["H4", "G5", "F5", "E5", "E4", "D4"])) == [
        "defence.enemy", "defence.too_dear",
    ]  # fmt: skip
    assert codes(ask(position, "walk", movers=["assaut"], path=["H4", "G5", "F5"], assault=True)) == ["defence.one_hex"]
    still = position.change({"piece.assaut.status.pinned": True})
    assert codes(ask(still, "walk", movers=["assaut"], path=["H4", "G5"])) == ["defence.cannot_move"]
    refused = ask(still, "walk", movers=["assaut"], path=["H4", "G5"]).refusals[0]
    assert [GAME.sentence(refused, still)[-5:], refused.operands["markers"].value] == [" Pin.", ["pinned"]]


# -- what a trace says ----------------------------------------------------------------------------------------------


def test_an_equal_morale_says_why_it_pins_and_nothing_of_the_kind_where_that_is_left_out():
    position = GAME.position("moral")
    said = [
        [step.code for step in ask(position, "morale_check", piece="alpha", dice=[3, 4], without=left_out).trace.walk()]
        for left_out in ((), ("3.2.3-NMC",))
    ]
    assert [codes[-1] for codes in said] == ["morale.equal", "morale.passed"]


def test_a_march_does_not_say_what_is_left_out():
    position = GAME.position("marche")
    march = {"movers": ["assaut"], "path": ["H4", "G5"]}
    said = [
        {step.code for step in ask(position, "walk", without=left_out, **march).trace.walk()}
        for left_out in ((), ("3.2.3-NMC",))
    ]
    assert ["defence.just_passed" in one for one in said] == [True, False]
