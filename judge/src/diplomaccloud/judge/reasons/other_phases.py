"""Explains retreats and adjustments: where units may retreat, builds, and removals."""

from collections.abc import Mapping, Sequence

from diplomaccloud.judge.adjustments import (
    adjustments_owed,
    build_sites,
    distance_home,
    removal_order,
)
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.values import Message, Parameter, Place, PowerName, UnitDistance
from diplomaccloud.judge.orders import Build, Retreat, Waive, power_of
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import Removal, RuleSet
from diplomaccloud.judge.units import Unit

_RETREATS = section("Retreat and Disbanding Phase")
_WINTER = section("Gaining and Losing Units Phase")
_DISORDER = section("Civil Disorder")


def result_message(result: OrderResult) -> Message:
    """Return the message of a result; a stored or refused result has only text."""
    return result.message or Message.of("refused", reason=result.reason)


def explain_retreat_options(
    board: Board,
    dislodged: Dislodged,
    units: Sequence[Unit],
    rivals: Mapping[ProvinceCode, Sequence[Unit]],
    *,
    attacker_place_open: bool = False,
) -> Cause:
    """Return a node about a dislodged unit's retreats, with a node for each barred place.

    `units` are on the board after the moves. `rivals` are the units that bounced in a province that
    was left empty, if known. `attacker_place_open` says that the unit may retreat to where its
    attacker came from.
    """
    unit = dislodged.unit
    if dislodged.retreats:
        places = tuple(Place(place) for place in dislodged.retreats)
        message = Message.of("retreat_options", unit=unit, places=places)
    else:
        message = Message.of("no_retreat", unit=unit)
    near = sorted(geography(board).places[unit.kind].get(unit.location, ()))
    units_at = {standing.province: standing for standing in units}
    barred = None if attacker_place_open else dislodged.by
    causes = tuple(
        _explain_place(dislodged, place, barred, units_at, rivals)
        for place in near
        if place not in dislodged.retreats or province_of(place) == dislodged.by
    )
    return Cause(Topic.RETREAT, message, (_RETREATS,), unit, causes=causes)


def _explain_place(
    dislodged: Dislodged,
    location: Location,
    barred: ProvinceCode | None,
    units_at: Mapping[ProvinceCode, Unit],
    rivals: Mapping[ProvinceCode, Sequence[Unit]],
) -> Cause:
    """Return why a place is barred, or why it is open even though the attacker came from there."""
    code, place = province_of(location), Place(location)
    if location in dislodged.retreats:
        message = Message.of("retreat_open_by_convoy", place=place)
        return Cause(Topic.RETREAT, message, (datc("4.A.5"),))
    if code == barred:
        message = Message.of("retreat_barred_attacker", place=place)
    elif code in units_at:
        message = Message.of("retreat_barred_unit", place=place, unit=units_at[code])
    elif powers := dict.fromkeys(PowerName(unit.power) for unit in rivals.get(code, ())):
        message = Message.of("retreat_barred_standoff_between", place=place, powers=tuple(powers))
    else:
        message = Message.of("retreat_barred_standoff", place=place)
    return Cause(Topic.RETREAT, message, (_RETREATS,))


def explain_retreat(
    board: Board,
    position: Position,
    dislodged: Dislodged,
    result: OrderResult,
    *,
    attacker_place_open: bool,
) -> Cause:
    """Return the tree for the result of one dislodged unit in a retreat phase."""
    sources: tuple[Source, ...] = (_RETREATS,)
    if result.outcome is Outcome.VOID:
        sources = (datc("4.E.1"), *sources)
    elif isinstance(result.order, Retreat) and result.outcome is Outcome.DISBANDED:
        sources = (rule(2), *sources)
    options = explain_retreat_options(
        board, dislodged, position.units, {}, attacker_place_open=attacker_place_open
    )
    message = result_message(result)
    return Cause(Topic.RESULT, message, sources, dislodged.unit, causes=(options,))


# Adjustments.


def explain_adjustment(
    board: Board, position: Position, result: OrderResult, rules: RuleSet, seed: str
) -> Cause:
    """Return the tree for one build, waiver or disband."""
    order = result.order
    power = power_of(order)
    unit = None if isinstance(order, Waive) else order.unit
    causes = [_explain_balance(board, position, power)]
    if result.outcome is Outcome.DISBANDED and result.implicit:
        causes.append(_explain_removals(board, position, power, rules, seed))
    sources = _find_adjustment_sources(result)
    return Cause(Topic.RESULT, result_message(result), sources, unit, causes=tuple(causes))


def _find_adjustment_sources(result: OrderResult) -> tuple[Source, ...]:
    match result.outcome:
        case Outcome.WAIVED:
            return (datc("4.D.7"), _WINTER)
        case Outcome.DISBANDED if result.implicit:
            return (_DISORDER, datc("4.D.8"))
        case Outcome.VOID if isinstance(result.order, Build):
            return (datc("4.D.4"), datc("4.D.5"), _WINTER)
        case Outcome.VOID:
            return (datc("4.D.6"), _WINTER)
        case _:
            return (_WINTER,)


def _explain_balance(board: Board, position: Position, power: Power) -> Cause:
    """Return a node about the power's numbers of centers and units, and the consequence."""
    centers, units = len(position.centers_of(power)), len(position.units_of(power))
    owed = adjustments_owed(board, position, power)
    key = "nothing_to_adjust"
    numbers: dict[str, int] = {}
    if owed < 0:
        key, numbers = "must_disband", {"count": -owed}
    elif owed < centers - units:
        free = len(build_sites(board, position, power))
        key = "may_build_in_free_centers" if free else "no_free_center"
        numbers = {"free": free} if free else {}
    elif owed:
        key, numbers = "may_build", {"count": owed}
    named: dict[str, Parameter] = {"power": PowerName(power), "centers": centers, "units": units}
    return Cause(Topic.ADJUSTMENT, Message.of(key, **named, **numbers), (_WINTER,))


def _explain_removals(
    board: Board, position: Position, power: Power, rules: RuleSet, seed: str
) -> Cause:
    """Return a node about the order in which civil disorder removes the power's units."""
    queue = removal_order(board, position, power, rules, seed)
    sources = (_DISORDER, datc("4.D.8"))
    if rules.removal is Removal.RANDOM_2009:
        message = Message.of("removal_by_lot", units=tuple(queue))
        return Cause(Topic.ADJUSTMENT, message, sources)
    count_steps = distance_home(board, position, power, rules.removal)
    units = tuple(UnitDistance(unit, count_steps(unit)) for unit in queue)
    owned = rules.removal is Removal.OWNED_2023
    key = "removal_far_from_centers" if owned else "removal_far_from_home"
    return Cause(Topic.ADJUSTMENT, Message.of(key, units=units), sources)
