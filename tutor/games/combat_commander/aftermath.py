"""What a result changes on the board and its tracks: places, markers, losses, points. Rules compute; here it is done.

**Rule:** O14.1, O16.2, O16.4.3, O18.2.3, O20.3.4, O21, O22, O23, 4.1.1, 6.1.2, 6.3.2, 7.1, 7.3.1, 8.1.4, A36, F103.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.core.position import Piece, Position
from tutor.core.registry import ask
from tutor.games.combat_commander.actions import light_wounds, smoke_grenades
from tutor.games.combat_commander.advance import Advance, advance
from tutor.games.combat_commander.artillery import Request, artillery_denied, artillery_request
from tutor.games.combat_commander.clock import Advance as TimeAdvance
from tutor.games.combat_commander.clock import time_advance
from tutor.games.combat_commander.events import Event, event
from tutor.games.combat_commander.fire.attack import Attack, Defence, attack
from tutor.games.combat_commander.fire.consequences import consequences
from tutor.games.combat_commander.fortifications import demolitions, fortify, smoke_marker
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.impact import Barrage, Impact, barrage, impact
from tutor.games.combat_commander.melee import Melee, melee
from tutor.games.combat_commander.mines import Mined, mines
from tutor.games.combat_commander.move import Movement, move, transfer
from tutor.games.combat_commander.rally import Rally, recover
from tutor.games.combat_commander.repair import repair
from tutor.games.combat_commander.retreat import Retreat, retreat
from tutor.games.combat_commander.rout import rout
from tutor.games.combat_commander.timing import Played, action
from tutor.games.combat_commander.triggers import Sniper, sniper
from tutor.games.combat_commander.units import is_unit, quality_of, team_row
from tutor.games.combat_commander.victory import SIDES, Final, final_count, objective_control, other

Changes = dict[str, Any]
Given = Mapping[str, Any]


def _gone(position: Position, unit: str) -> Changes:
    """A unit leaves play with its weapons. **Rule:** 4.2."""
    carried = {f"piece.{weapon.id}": None for weapon in position.pieces if weapon.carrier == unit}
    return {**carried, f"piece.{unit}": None}


def _scored(position: Position, gains: Mapping[str, int]) -> Changes:
    """Victory points gained so far, by side, and on the track where there is one. **Rule:** 4.1.1, 7.1."""
    if not any(gains.values()):
        return {}
    points_kept = position.state.get("points")
    so_far = points_kept if isinstance(points_kept, dict) else {}
    points = {side: int(so_far.get(side) or 0) + gains.get(side, 0) for side in SIDES}
    return {"state.points": points, **_slid(position, gains)}


def _slid(position: Position, gains: Mapping[str, int]) -> Changes:
    """One marker for both sides: what one gains, the other loses. **Rule:** 4.1.1."""
    track = position.state.get("victory")
    return {"state.victory": track + gains.get("axis", 0) - gains.get("allies", 0)} if isinstance(track, int) else {}


def _doers(position: Position, names: list[str]) -> list[Piece]:
    """The units that pieces declared stand for: themselves, or who carries the weapon."""
    pieces = [position.piece(name) for name in names]
    units = [p if is_unit(p) else position.by_id.get(p.carrier or "") for p in pieces]
    return [unit for unit in units if unit is not None]


@attack.carries_out
def _attack(position: Position, given: Given, outcome: Attack) -> Changes:
    """Firers are activated; those hit suffer. **Rule:** O14.1, O20.3.4, A33.2."""
    names = [given["firers"]] if isinstance(given["firers"], str) else list(given["firers"])
    doers = _doers(position, names)
    mark = "op_fire" if given.get("mode") == "op_fire" else "fire"
    changes: Changes = {f"piece.{unit.id}.activated": mark for unit in doers}
    changes |= consequences(position, outcome.pieces, outcome.weapons)
    side = doers[0].side if doers else "axis"
    return changes | _scored(position, {side: outcome.points})


@move.carries_out
def _move(position: Position, given: Given, outcome: Movement) -> Changes:
    """Units are where the path ends, after the fires met on the way. **Rule:** O21.1, O21.2."""
    names = [given["pieces"]] if isinstance(given["pieces"], str) else list(given["pieces"])
    side = position.piece(names[0]).side
    changes: Changes = {}
    for shot, declared in zip(outcome.shots, given.get("shots") or (), strict=False):
        changes |= consequences(position, shot.pieces, shot.weapons)
        firers = [declared["firers"]] if isinstance(declared["firers"], str) else list(declared["firers"])
        changes |= {f"piece.{unit.id}.activated": "op_fire" for unit in _doers(position, firers)}
    for blast in outcome.mines:
        changes |= consequences(position, blast.pieces)
    changes = _without_the_lost(changes)
    left = bool(outcome.entries) and outcome.entries[-1].cell == "exit"
    for name in names:
        if left:
            changes |= _gone(position, name)
        elif changes.get(f"piece.{name}", name) is not None:
            changes |= {f"piece.{name}.at": outcome.cell, f"piece.{name}.activated": "move"}
    gained = sum(shot.points for shot in outcome.shots) + sum(blast.points for blast in outcome.mines)
    return changes | _scored(position, {other(side): gained})


def _without_the_lost(changes: Changes) -> Changes:
    """Changes told blow by blow, less the markers of pieces that left play. **Rule:** 4.2."""
    lost = [path for path, value in changes.items() if value is None and path.count(".") == 1]
    return {path: value for path, value in changes.items() if not path.startswith(tuple(f"{one}." for one in lost))}


@advance.carries_out
def _advance(position: Position, given: Given, outcome: Advance) -> Changes:
    """The unit enters its hex, that of the enemy too: a melee will follow. **Rule:** O16.1, O16.4."""
    name = str(given["piece"])
    if outcome.cell is None:
        return {}
    changes: Changes = {f"piece.{name}.at": outcome.cell, f"piece.{name}.activated": "advance"}
    for blast in outcome.attacks:
        changes |= consequences(position, blast.pieces)
    changes = _gone(position, name) if outcome.cell == "exit" else _without_the_lost(changes)
    if outcome.cell in outcome.melee and f"piece.{name}.at" in changes:
        changes["state.melee"] = True
    gained = sum(blast.points for blast in outcome.attacks)
    return changes | _scored(position, {other(position.piece(name).side): gained})


@melee.carries_out
def _melee(position: Position, given: Given, outcome: Melee) -> Changes:
    """Ambushed units break, those beaten leave play, points are counted. **Rule:** O16.4.3, A25, 7.1."""
    changes: Changes = {}
    for name, state in outcome.ambushed.items():
        changes |= _gone(position, name) if state == "eliminated" else {f"piece.{name}.status.broken": True}
    for name in outcome.eliminated:
        changes.pop(f"piece.{name}.status.broken", None)
        changes |= _gone(position, name)
    return changes | ({"state.melee": None} if outcome.winner else {}) | _scored(position, outcome.points)


def _player(position: Position, side: str) -> Changes:
    """A player is activated for Recover or Rout once in a turn. **Rule:** O22.1, O23.1."""
    done = position.state.get("activated_players")
    return {"state.activated_players": [*(done if isinstance(done, list) else []), side]}


@recover.carries_out
def _recover(position: Position, given: Given, outcome: Mapping[str, Rally]) -> Changes:
    """Suppression goes, those who rally turn, a tie suppresses. **Rule:** O22.2, O22.3."""
    side = str(given["side"])
    changes = _player(position, side)
    changes |= {
        f"piece.{p.id}.status.suppressed": False
        for p in position.pieces
        if p.side == side and is_unit(p) and "suppressed" in p.status
    }
    for name, rally in outcome.items():
        if rally.result == "rallied":
            changes[f"piece.{name}.status.broken"] = False
        elif rally.result == "suppressed":
            changes[f"piece.{name}.status.suppressed"] = True
    return changes


@rout.carries_out
def _rout(position: Position, given: Given, outcome: Mapping[str, Rally]) -> Changes:
    """A tie suppresses; who must retreat does so in a declaration of its own. **Rule:** O23.2."""
    hurt = {f"piece.{name}.status.suppressed": True for name, rally in outcome.items() if rally.result == "suppressed"}
    return _player(position, str(given["side"])) | hurt


@retreat.carries_out
def _retreat(position: Position, given: Given, outcome: Retreat) -> Changes:
    """The unit stands where it fled to, or is lost and scored. **Rule:** O23.3, O23.3.4, O23.3.5, 7.1."""
    name = str(given["piece"])
    changes: Changes = {}
    for blast in outcome.mines:
        changes |= consequences(position, blast.pieces)
    changes = _gone(position, name) if outcome.eliminated else {**changes, f"piece.{name}.at": outcome.cell}
    side = position.piece(name).side
    return changes | _scored(position, {other(side): outcome.points})


@smoke_grenades.carries_out
@smoke_marker.carries_out
def _laid(position: Position, given: Given, outcome: Any) -> Changes:
    """Smoke where its marker has been drawn: what stays of two. **Rule:** 8.1.4, A39."""
    drawn = given.get("value", given.get("smoke"))
    if drawn is None:
        return {}
    stays = ask(position, "smoke_marker", cell=given["cell"], value=drawn).value
    return {f"marker.smoke.{given['cell']}": stays}


@light_wounds.carries_out
def _wounded(position: Position, given: Given, outcome: Any) -> Changes:
    """A team in the place of the squad, of the quality told; its player loses a point. **Rule:** A36."""
    squad = position.piece(str(given["piece"]))
    changes = consequences(position, {squad.id: Defence(0, None, None, "replaced")})
    quality = quality_of(position, squad.side, given.get("quality"))
    changes[f"piece.{squad.id}.counter"] = team_row(GAME.tables["units"].rows, squad.nation, quality)
    return changes | _scored(position, {squad.side: int(GAME.tables["actions"].get("light_wounds", "vp"))})


@fortify.carries_out
def _fortified(position: Position, given: Given, outcome: str) -> Changes:
    """The fortification that now lies in a hex. **Rule:** F100.3."""
    return {f"marker.fortification.{given['cell']}": outcome}


@demolitions.carries_out
def _demolished(position: Position, given: Given, outcome: str) -> Changes:
    """The fortification of a hex is gone. **Rule:** A31, F100.2."""
    return {f"marker.fortification.{given['cell']}": None}


@mines.carries_out
def _mines(position: Position, given: Given, outcome: Mined) -> Changes:
    """Units are in the hex they went to, those hit suffer. **Rule:** F103.2."""
    units = [position.piece(name) for name in given["movers"]]
    changes: Changes = {f"piece.{unit.id}.at": outcome.end for unit in units}
    changes = _without_the_lost(changes | consequences(position, outcome.pieces))
    return changes | _scored(position, {other(units[0].side): outcome.points})


@impact.carries_out
def _impact(position: Position, given: Given, outcome: Impact) -> Changes:
    """Those under an impact suffer, the fortification may go. **Rule:** O18.2.3.2, O18.2.3.3."""
    changes = consequences(position, outcome.pieces)
    if outcome.destroyed:
        changes[f"marker.fortification.{given['cell']}"] = None
    return changes | _scored(position, outcome.points)


@barrage.carries_out
def _barrage(position: Position, given: Given, outcome: Barrage) -> Changes:
    """Smoke where a barrage has laid it, of the numbers drawn. **Rule:** O18.2.3.1, 8.1.4."""
    changes: Changes = {f"piece.{given['observer']}.activated": "artillery"}
    for cell, drawn in zip(outcome.smoke, given.get("drawn") or (), strict=False):
        changes[f"marker.smoke.{cell}"] = ask(position, "smoke_marker", cell=cell, value=drawn).value
    return changes


@artillery_denied.carries_out
def _denied(position: Position, given: Given, outcome: str) -> Changes:
    """The enemy's radio is broken, or lost. **Rule:** O17."""
    radios = [p for p in position.pieces if p.kind == "radio" and p.side == other(str(given["side"]))]
    lost = next(p.id for p in radios if "eliminated" not in p.status)
    return {f"piece.{lost}.status.{outcome}": True}


@artillery_request.carries_out
def _requested(position: Position, given: Given, outcome: Request) -> Changes:
    """Battery access repairs the radio. **Rule:** O18.1."""
    return {f"piece.{outcome.radio}.status.broken": False} if given.get("choice") == "access" else {}


@repair.carries_out
def _repair(position: Position, given: Given, outcome: Mapping[str, str]) -> Changes:
    """Weapons work again, or leave play. **Rule:** 11.4."""
    mended: Changes = {f"piece.{name}.status.broken": False for name, result in outcome.items() if result == "fixed"}
    return mended | {f"piece.{name}": None for name, result in outcome.items() if result == "eliminated"}


@sniper.carries_out
def _sniper(position: Position, given: Given, outcome: Sniper) -> Changes:
    """Weapons compared with the random hex, then the unit chosen breaks, or is lost. **Rule:** 1.9.1.3, 11.4, 3.2.4."""
    changes, chosen = dict(_repair(position, given, outcome.weapons)), given.get("choose")
    if chosen is None:
        return changes
    lost = chosen in outcome.eliminated
    changes |= _gone(position, str(chosen)) if lost else {f"piece.{chosen}.status.broken": True}
    return changes | _scored(position, {other(position.piece(str(chosen)).side): outcome.points})


@transfer.carries_out
def _transfer(position: Position, given: Given, outcome: int) -> Changes:
    """The weapon is in other hands. **Rule:** O21.1.1."""
    giver, receiver = str(given["giver"]), str(given["receiver"])
    return {f"piece.{p.id}.carrier": receiver for p in position.pieces if p.carrier == giver}


def _end_turn(position: Position) -> Changes:
    """No unit and no player is activated any more. **Rule:** O14.1."""
    changes: Changes = {f"piece.{p.id}.activated": None for p in position.pieces if p.activated}
    return changes | ({"state.activated_players": None} if "activated_players" in position.state else {})


@time_advance.carries_out
def _time(position: Position, given: Given, outcome: TimeAdvance) -> Changes:
    """The Time marker is a space further; the defender scores. **Rule:** 6.1.2."""
    defender = str(position.state.get("defender", ""))
    gains = {defender: outcome.points} if outcome.points and defender in SIDES else {}
    return {"state.time": outcome.time, **(_slid(position, gains) if gains else {})}


@final_count.carries_out
def _final(position: Position, given: Given, outcome: Final) -> Changes:
    """The marker is where the secret chits have brought it. **Rule:** 6.3.2."""
    return {"state.victory": outcome.points}


@objective_control.carries_out
def _control(position: Position, given: Given, outcome: str | None) -> Changes:
    """The control marker of an objective. **Rule:** 7.3.1."""
    controllers = position.state.get("control")
    return {
        "state.control": {**(controllers if isinstance(controllers, dict) else {}), str(given["objective"]): outcome}
    }


@event.carries_out
def _event(position: Position, given: Given, outcome: Event) -> Changes:
    """What the event changes, and its points to who wins them. **Rule:** E42, 4.1.1."""
    side = str(given["side"])
    return dict(outcome.changes) | _scored(position, {side if outcome.points > 0 else other(side): abs(outcome.points)})


@action.carries_out
def _action(position: Position, given: Given, outcome: Played) -> Changes:
    """What the action says that it changes, and its points to who plays it. **Rule:** A24.1, 4.1.1."""
    return dict(outcome.changes) | _scored(position, {str(given["side"]): outcome.points})


GAME.turn_over = _end_turn
