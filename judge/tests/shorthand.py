"""Positions and orders from a few lines of canonical text, for tests of the judge.

`ENGLAND: A LON - NWY, F NTH C A LON - NWY` gives each unit its order and places it too.
"""

from collections.abc import Mapping

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.reasons.values import Cause
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()


def unit(text: str, power: str) -> Unit:
    kind, location = text.split()
    return Unit(UnitKind(kind), Location(location), Power(power))


def order(text: str, power: str, owners: Mapping[ProvinceCode, Power] | None = None) -> Order:
    """Return the order; units it names besides its own belong to `owners`, else to `power`."""
    if text == "WAIVE":
        return Waive(Power(power))
    words = text.split()
    mine = unit(" ".join(words[:2]), power)
    if words[2] in {"S", "C"}:
        kind, place, *goal = words[3:]
        owner = (owners or {}).get(province_of(Location(place)), Power(power))
        return _helping(mine, words[2], unit(f"{kind} {place}", owner), goal)
    if words[2] in {"-", "R"}:
        to = Location(words[3])
        return Retreat(mine, to) if words[2] == "R" else Move(mine, to, words[-1] == "VIA")
    return {"H": Hold, "D": Disband, "B": Build}[words[2]](mine)


def _helping(mine: Unit, verb: str, other: Unit, goal: list[str]) -> Order:
    if not goal:
        return SupportHold(mine, other)
    if verb == "C":
        return Convoy(mine, other, ProvinceCode(goal[1]))
    return SupportMove(mine, other, Location(goal[1]))


def lines(text: str) -> list[tuple[str, str]]:
    """Return (power, order text) pairs."""
    found = []
    for line in text.strip().splitlines():
        power, _, rest = line.partition(":")
        found += [(power.strip(), one.strip()) for one in rest.split(",") if one.strip()]
    return found


def position(
    text: str, phase: str = "S1901M", centers: Mapping[str, str] | None = None
) -> Position:
    """Return a position with the units that the lines of `text` begin with."""
    units = {unit(" ".join(one.split()[:2]), power) for power, one in lines(text)}
    owned = {
        ProvinceCode(code): Power(power)
        for power, codes in (centers or {}).items()
        for code in codes.split()
    }
    return Position(Phase.parse(phase), tuple(units), owned)


def orders(text: str, start: Position) -> list[Order]:
    owners = {one.province: one.power for one in start.units}
    return [order(one, power, owners) for power, one in lines(text)]


def play(text: str, rules: RuleSet = DEFAULT, phase: str = "S1901M") -> Resolution:
    """Return the adjudication of a movement phase in which every unit has its order."""
    start = position(text, phase)
    return adjudicate(BOARD, start, orders(text, start), rules)


def result(resolution: Resolution, name: str) -> OrderResult:
    """Return the result of the unit written `name`, such as `A PAR`."""
    return next(
        one
        for one in resolution.results
        if not isinstance(one.order, Waive) and str(one.order.unit) == name
    )


def words(resolution: Resolution, *names: str) -> dict[str, str]:
    """Return the outcome of each unit named."""
    return {name: result(resolution, name).outcome.value for name in names}


def standing(resolution: Resolution) -> list[str]:
    """Return the units on the board afterward, with their powers, sorted."""
    return sorted(f"{one.power} {one}" for one in resolution.next.units)


def driven_out(resolution: Resolution) -> dict[str, tuple[str, ...]]:
    """Return the dislodged units with their retreats."""
    return {str(one.unit): tuple(one.retreats) for one in resolution.dislodged}


def sentence_of(cause: Cause) -> str:
    """Return the English sentence of a cause on the standard board."""
    return render_message(cause.message, geography(BOARD))
