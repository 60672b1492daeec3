"""What a result changes on the board and its tracks: places, markers, losses, points. The rules compute; here it is carried out.

**Rule:** O14.1, O16.2, O16.4.3, O18.2.3, O20.3.4, O21, O22, O23, 4.1.1, 6.1.2, 6.3.2, 7.1, 7.3.1, 8.1.4, A36, F103.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tutor.core.errors import ContentError
from tutor.core.position import Piece, Position
from tutor.core.registry import ask
from tutor.games.combat_commander.advance import Advance
from tutor.games.combat_commander.artillery import Request
from tutor.games.combat_commander.attack import Attack, Defence, consequences
from tutor.games.combat_commander.clock import Advance as TimeAdvance
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.impact import Barrage, Impact
from tutor.games.combat_commander.melee import Melee
from tutor.games.combat_commander.mines import Mined
from tutor.games.combat_commander.move import Movement
from tutor.games.combat_commander.recover import Rally
from tutor.games.combat_commander.retreat import Retreat
from tutor.games.combat_commander.units import is_unit, quality_of, team_row
from tutor.games.combat_commander.victory import SIDES, Final, other

if TYPE_CHECKING:
    from tutor.games.combat_commander.events import Event
    from tutor.games.combat_commander.triggers import Sniper

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
    held = position.state.get("points")
    so_far = held if isinstance(held, dict) else {}
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


def _attack(position: Position, given: Given, found: Attack) -> Changes:
    """Firers are activated; those hit suffer. **Rule:** O14.1, O20.3.4, A33.2."""
    names = [given["firers"]] if isinstance(given["firers"], str) else list(given["firers"])
    doers = _doers(position, names)
    mark = "op_fire" if given.get("mode") == "op_fire" else "fire"
    changes: Changes = {f"piece.{unit.id}.activated": mark for unit in doers}
    changes |= consequences(position, found.pieces, found.weapons)
    side = doers[0].side if doers else "axis"
    return changes | _scored(position, {side: found.points})


def _move(position: Position, given: Given, found: Movement) -> Changes:
    """Units are where the path ends, after the fires met on the way. **Rule:** O21.1, O21.2."""
    names = [given["pieces"]] if isinstance(given["pieces"], str) else list(given["pieces"])
    side = position.piece(names[0]).side
    changes: Changes = {}
    for shot, told in zip(found.shots, given.get("shots") or (), strict=False):
        changes |= consequences(position, shot.pieces, shot.weapons)
        firers = [told["firers"]] if isinstance(told["firers"], str) else list(told["firers"])
        changes |= {f"piece.{unit.id}.activated": "op_fire" for unit in _doers(position, firers)}
    for blast in found.mines:
        changes |= consequences(position, blast.pieces)
    changes = _without_the_lost(changes)
    left = bool(found.entries) and found.entries[-1].cell == "exit"
    for name in names:
        if left:
            changes |= _gone(position, name)
        elif changes.get(f"piece.{name}", name) is not None:
            changes |= {f"piece.{name}.at": found.cell, f"piece.{name}.activated": "move"}
    gained = sum(shot.points for shot in found.shots) + sum(blast.points for blast in found.mines)
    return changes | _scored(position, {other(side): gained})


def _without_the_lost(changes: Changes) -> Changes:
    """Changes told blow by blow, less the markers of pieces that left play. **Rule:** 4.2."""
    lost = [path for path, value in changes.items() if value is None and path.count(".") == 1]
    return {path: value for path, value in changes.items() if not path.startswith(tuple(f"{one}." for one in lost))}


def _advance(position: Position, given: Given, found: Advance) -> Changes:
    """The unit enters its hex, that of the enemy too: a melee will follow. **Rule:** O16.1, O16.4."""
    name = str(given["piece"])
    if found.cell is None:
        return {}
    changes: Changes = {f"piece.{name}.at": found.cell, f"piece.{name}.activated": "advance"}
    for blast in found.attacks:
        changes |= consequences(position, blast.pieces)
    changes = _gone(position, name) if found.cell == "exit" else _without_the_lost(changes)
    if found.cell in found.melee and f"piece.{name}.at" in changes:
        changes["state.melee"] = True
    gained = sum(blast.points for blast in found.attacks)
    return changes | _scored(position, {other(position.piece(name).side): gained})


def _melee(position: Position, given: Given, found: Melee) -> Changes:
    """Ambushed units break, those beaten leave play, points are counted. **Rule:** O16.4.3, A25, 7.1."""
    changes: Changes = {}
    for name, state in found.ambushed.items():
        changes |= _gone(position, name) if state == "eliminated" else {f"piece.{name}.status.broken": True}
    for name in found.eliminated:
        changes.pop(f"piece.{name}.status.broken", None)
        changes |= _gone(position, name)
    return changes | ({"state.melee": None} if found.winner else {}) | _scored(position, found.points)


def _player(position: Position, side: str) -> Changes:
    """A player is activated for Recover or Rout once in a turn. **Rule:** O22.1, O23.1."""
    done = position.state.get("activated_players")
    return {"state.activated_players": [*(done if isinstance(done, list) else []), side]}


def _recover(position: Position, given: Given, found: Mapping[str, Rally]) -> Changes:
    """Suppression goes, those who rally turn, a tie suppresses. **Rule:** O22.2, O22.3."""
    side = str(given["side"])
    changes = _player(position, side)
    changes |= {
        f"piece.{p.id}.status.suppressed": False
        for p in position.pieces
        if p.side == side and is_unit(p) and "suppressed" in p.status
    }
    for name, rally in found.items():
        if rally.result == "rallied":
            changes[f"piece.{name}.status.broken"] = False
        elif rally.result == "suppressed":
            changes[f"piece.{name}.status.suppressed"] = True
    return changes


def _rout(position: Position, given: Given, found: Mapping[str, Rally]) -> Changes:
    """A tie suppresses; who must retreat does so in a declaration of its own. **Rule:** O23.2."""
    hurt = {f"piece.{name}.status.suppressed": True for name, rally in found.items() if rally.result == "suppressed"}
    return _player(position, str(given["side"])) | hurt


def _retreat(position: Position, given: Given, found: Retreat) -> Changes:
    """The unit stands where it fled to, or is lost and scored. **Rule:** O23.3, O23.3.4, O23.3.5, 7.1."""
    name = str(given["piece"])
    changes: Changes = {}
    for blast in found.mines:
        changes |= consequences(position, blast.pieces)
    changes = _gone(position, name) if found.eliminated else {**changes, f"piece.{name}.at": found.cell}
    side = position.piece(name).side
    return changes | _scored(position, {other(side): found.points})


def _laid(position: Position, given: Given, found: Any) -> Changes:
    """Smoke where its marker has been drawn: what stays of two. **Rule:** 8.1.4, A39."""
    drawn = given.get("value", given.get("smoke"))
    if drawn is None:
        return {}
    stays = ask(position, "smoke_marker", cell=given["cell"], value=drawn).value
    return {f"marker.smoke.{given['cell']}": stays}


def _wounded(position: Position, given: Given, found: Any) -> Changes:
    """A team in the place of the squad, of the quality told; its player loses a point. **Rule:** A36."""
    squad = position.piece(str(given["piece"]))
    changes = consequences(position, {squad.id: Defence(0, None, None, "replaced")})
    quality = quality_of(position, squad.side, given.get("quality"))
    changes[f"piece.{squad.id}.counter"] = team_row(GAME.tables["units"].rows, squad.nation, quality)
    return changes | _scored(position, {squad.side: int(GAME.tables["actions"].get("light_wounds", "vp"))})


def _fortified(position: Position, given: Given, found: str) -> Changes:
    """The fortification that now lies in a hex. **Rule:** F100.3."""
    return {f"marker.fortification.{given['cell']}": found}


def _demolished(position: Position, given: Given, found: str) -> Changes:
    """The fortification of a hex is gone. **Rule:** A31, F100.2."""
    return {f"marker.fortification.{given['cell']}": None}


def _mines(position: Position, given: Given, found: Mined) -> Changes:
    """Units are in the hex they went to, those hit suffer. **Rule:** F103.2."""
    units = [position.piece(name) for name in given["movers"]]
    changes: Changes = {f"piece.{unit.id}.at": found.end for unit in units}
    changes = _without_the_lost(changes | consequences(position, found.pieces))
    return changes | _scored(position, {other(units[0].side): found.points})


def _impact(position: Position, given: Given, found: Impact) -> Changes:
    """Those under an impact suffer, the fortification may go. **Rule:** O18.2.3.2, O18.2.3.3."""
    changes = consequences(position, found.pieces)
    if found.destroyed:
        changes[f"marker.fortification.{given['cell']}"] = None
    return changes | _scored(position, found.points)


def _barrage(position: Position, given: Given, found: Barrage) -> Changes:
    """Smoke where a barrage has laid it, of the numbers drawn. **Rule:** O18.2.3.1, 8.1.4."""
    changes: Changes = {f"piece.{given['observer']}.activated": "artillery"}
    for cell, drawn in zip(found.smoke, given.get("drawn") or (), strict=False):
        changes[f"marker.smoke.{cell}"] = ask(position, "smoke_marker", cell=cell, value=drawn).value
    return changes


def _denied(position: Position, given: Given, found: str) -> Changes:
    """The enemy's radio is broken, or lost. **Rule:** O17."""
    radios = [p for p in position.pieces if p.kind == "radio" and p.side == other(str(given["side"]))]
    lost = next(p.id for p in radios if "eliminated" not in p.status)
    return {f"piece.{lost}.status.{found}": True}


def _requested(position: Position, given: Given, found: Request) -> Changes:
    """Battery access repairs the radio. **Rule:** O18.1."""
    return {f"piece.{found.radio}.status.broken": False} if given.get("choice") == "access" else {}


def _repair(position: Position, given: Given, found: Mapping[str, str]) -> Changes:
    """Weapons work again, or leave play. **Rule:** 11.4."""
    mended: Changes = {f"piece.{name}.status.broken": False for name, result in found.items() if result == "fixed"}
    return mended | {f"piece.{name}": None for name, result in found.items() if result == "eliminated"}


def _sniper(position: Position, given: Given, found: Sniper) -> Changes:
    """Weapons compared with the random hex, then the unit chosen breaks, or is lost. **Rule:** 1.9.1.3, 11.4, 3.2.4."""
    changes, chosen = _repair(position, given, found.weapons), given.get("choose")
    if chosen is None:
        return changes
    lost = chosen in found.eliminated
    changes |= _gone(position, str(chosen)) if lost else {f"piece.{chosen}.status.broken": True}
    return changes | _scored(position, {other(position.piece(str(chosen)).side): found.points})


def _transfer(position: Position, given: Given, found: int) -> Changes:
    """The weapon is in other hands. **Rule:** O21.1.1."""
    giver, receiver = str(given["giver"]), str(given["receiver"])
    return {f"piece.{p.id}.carrier": receiver for p in position.pieces if p.carrier == giver}


def _end_turn(position: Position, given: Given, found: Any) -> Changes:
    """No unit and no player is activated any more. **Rule:** O14.1."""
    changes: Changes = {f"piece.{p.id}.activated": None for p in position.pieces if p.activated}
    return changes | ({"state.activated_players": None} if "activated_players" in position.state else {})


def _time(position: Position, given: Given, found: TimeAdvance) -> Changes:
    """The Time marker is a space further; the defender scores. **Rule:** 6.1.2."""
    defender = str(position.state.get("defender", ""))
    gains = {defender: found.points} if found.points and defender in SIDES else {}
    return {"state.time": found.time, **(_slid(position, gains) if gains else {})}


def _final(position: Position, given: Given, found: Final) -> Changes:
    """The marker is where the secret chits have brought it. **Rule:** 6.3.2."""
    return {"state.victory": found.points}


def _control(position: Position, given: Given, found: str | None) -> Changes:
    """The control marker of an objective. **Rule:** 7.3.1."""
    held = position.state.get("control")
    return {"state.control": {**(held if isinstance(held, dict) else {}), str(given["objective"]): found}}


def _event(position: Position, given: Given, found: Event) -> Changes:
    """What the event changes, and its points to who wins them. **Rule:** E42, 4.1.1."""
    side = str(given["side"])
    return dict(found.changes) | _scored(position, {side if found.points > 0 else other(side): abs(found.points)})


_CARRIED_OUT: Mapping[str, Callable[[Position, Given, Any], Changes]] = {
    "attack": _attack,
    "move": _move,
    "advance": _advance,
    "melee": _melee,
    "recover": _recover,
    "rout": _rout,
    "retreat": _retreat,
    "time_advance": _time,
    "final_count": _final,
    "objective_control": _control,
    "event": _event,
    "end_turn": _end_turn,
    "smoke_marker": _laid,
    "smoke_grenades": _laid,
    "light_wounds": _wounded,
    "fortify": _fortified,
    "demolitions": _demolished,
    "mines": _mines,
    "impact": _impact,
    "barrage": _barrage,
    "artillery_denied": _denied,
    "artillery_request": _requested,
    "repair": _repair,
    "sniper": _sniper,
    "transfer": _transfer,
}
#: Questions whose answer changes nothing by itself.
_QUIET = frozenset(
    {
        *("activation", "distance", "fire", "fire_order", "los", "melees", "morale", "cover", "op_fire", "stacking"),
        *("objective_value", "surrender", "tracks", "unit_worth"),
    }
)


def aftermath(position: Position, question: str, given: Given, found: Any) -> Changes:
    """Changes of the position that a computed result brings.

    Args:
        position: where it was asked; question: name of the rule, or ``end_turn``; given: its declaration; found: its value.

    Raises:
        ContentError: a question that nobody has said how to carry out.

    **Rule:** O14.1, O16.4.3, O20.3.4, O21.1, O22.2, O23.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir-op")
    >>> given = {"pieces": ["peloton"], "path": ["K8"]}
    >>> aftermath(position, "move", given, ask(position, "move", **given).value)
    {'piece.peloton.at': 'K8', 'piece.peloton.activated': 'move'}
    """
    if question in _QUIET or question.endswith("_odds"):
        return {}
    if question not in _CARRIED_OUT:
        raise ContentError(
            f"On ne sait pas ce que « {question} » change sur le plateau.", remedy="Dites-le dans aftermath.py."
        )
    return _CARRIED_OUT[question](position, given, found)


GAME.aftermath = aftermath
