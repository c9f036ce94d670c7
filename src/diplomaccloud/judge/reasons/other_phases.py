"""Causes in retreats and adjustments: where a unit may go and why, who builds, who goes."""

from collections.abc import Mapping, Sequence

from diplomaccloud.judge.adjustments import (
    adjustments_owed,
    build_sites,
    distance_home,
    removal_order,
)
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.geography import FAR, Geography, geography
from diplomaccloud.judge.orders import Build, Retreat, power_of
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import Removal, RuleSet
from diplomaccloud.judge.units import Unit

_RETREATS = section("Retreat and Disbanding Phase")
_WINTER = section("Gaining and Losing Units Phase")


def retreat_cause(
    board: Board,
    out: Dislodged,
    units: Sequence[Unit],
    rivals: Mapping[ProvinceCode, Sequence[Unit]],
    *,
    free: bool = False,
) -> Cause:
    """Return where a dislodged unit may go, with a node for each place that is barred.

    `units` stand on the board after the moves, `rivals` are those that bounced in a province
    left empty, if known. `free` says that the place its attacker came from is not barred.
    """
    names = geography(board)
    open_to = _either([names.the(place) for place in out.retreats])
    who = _capital(names.unit(out.unit))
    text = f"{who} may retreat to {open_to}."
    if not open_to:
        text = f"{who} had nowhere to retreat and was disbanded."
    near = sorted(names.places[out.unit.kind].get(out.unit.location, ()))
    at = {unit.province: unit for unit in units}
    barred = None if free else out.by
    causes = tuple(
        _way_out(names, out, place, barred, _there(names, place, at, rivals))
        for place in near
        if place not in out.retreats or province_of(place) == out.by
    )
    return Cause(Topic.RETREAT, text, (_RETREATS,), out.unit, causes=causes)


def _way_out(
    names: Geography, out: Dislodged, place: Location, barred: ProvinceCode | None, there: str
) -> Cause:
    """Return why one place is barred, or open after all; `there` says what else may bar it."""
    code, where = province_of(place), _capital(names.the(place))
    if place in out.retreats:
        text = f"{where} is open although the attacker came from there: it came by convoy."
        return Cause(Topic.RETREAT, text, (datc("4.A.5"),))
    why = "the attacker came from there" if code == barred else there
    return Cause(Topic.RETREAT, f"{where} is barred: {why}.", (_RETREATS,))


def _there(
    names: Geography,
    place: Location,
    at: Mapping[ProvinceCode, Unit],
    rivals: Mapping[ProvinceCode, Sequence[Unit]],
) -> str:
    code = province_of(place)
    if code in at:
        return f"{names.power(at[code].power)}’s {at[code].kind.word} is there"
    powers = list(dict.fromkeys(names.power(unit.power) for unit in rivals.get(code, ())))
    return f"a standoff{f' of {_joined(powers)}' if powers else ''} left it empty"


def retreat_result(
    board: Board, position: Position, out: Dislodged, result: OrderResult, free: bool
) -> Cause:
    """Return the tree for what became of one dislodged unit in a retreat phase."""
    order = result.order
    sources: tuple[Source, ...] = (_RETREATS,)
    if result.outcome is Outcome.VOID:
        sources = (datc("4.E.1"), *sources)
    elif isinstance(order, Retreat) and result.outcome is Outcome.DISBANDED:
        sources = (rule(2), *sources)
    causes = (retreat_cause(board, out, position.units, {}, free=free),)
    return Cause(Topic.RESULT, result.reason, sources, out.unit, causes=causes)


# Adjustments.


def adjustment_cause(
    board: Board, position: Position, result: OrderResult, rules: RuleSet, seed: str
) -> Cause:
    """Return the tree for one build, waiver or disband."""
    power = power_of(result.order)
    unit = getattr(result.order, "unit", None)
    causes = [_balance(board, position, power)]
    if result.outcome is Outcome.DISBANDED and result.implicit:
        causes.append(_queue(board, position, power, rules, seed))
    sources = _adjustment_sources(result)
    return Cause(Topic.RESULT, result.reason, sources, unit, causes=tuple(causes))


def _adjustment_sources(result: OrderResult) -> tuple[Source, ...]:
    match result.outcome:
        case Outcome.WAIVED:
            return (datc("4.D.7"), _WINTER)
        case Outcome.DISBANDED if result.implicit:
            return (section("Civil Disorder"), datc("4.D.8"))
        case Outcome.VOID if isinstance(result.order, Build):
            return (datc("4.D.4"), datc("4.D.5"), _WINTER)
        case Outcome.VOID:
            return (datc("4.D.6"), _WINTER)
        case _:
            return (_WINTER,)


def _balance(board: Board, position: Position, power: Power) -> Cause:
    """Return how many centers and units the power had, and what follows."""
    centers, units = len(position.centers_of(power)), len(position.units_of(power))
    owed = adjustments_owed(board, position, power)
    text = (
        f"{geography(board).power(power)} owned {_count(centers, 'center')} and had "
        f"{_count(units, 'unit')}, so "
    )
    if owed < 0:
        text += f"it had to disband {-owed}."
    elif owed < centers - units:
        sites = len(build_sites(board, position, power))
        vacant = f"only {_count(sites, 'home center')}" if sites else "no home center"
        was = "were" if sites > 1 else "was"
        text += f"it had {centers - units} to build, but {vacant} {was} free."
    else:
        text += f"it had {owed} to build." if owed else "it had nothing to build or disband."
    return Cause(Topic.ADJUSTMENT, text, (_WINTER,))


def _queue(board: Board, position: Position, power: Power, rules: RuleSet, seed: str) -> Cause:
    """Return in which order civil disorder takes the power's units."""
    names = geography(board)
    queue = removal_order(board, position, power, rules, seed)
    sources = (section("Civil Disorder"), datc("4.D.8"))
    if rules.removal is Removal.RANDOM_2009:
        listed = _joined([names.unit(unit) for unit in queue])
        text = f"The order was drawn by lot, units outside the home country first: {listed}."
        return Cause(Topic.ADJUSTMENT, text, sources)
    steps = distance_home(board, position, power, rules.removal)
    listed = _joined([f"{names.unit(unit)} ({_steps(steps(unit))})" for unit in queue])
    home = "the nearest center it owns" if rules.removal is Removal.OWNED_2023 else "home"
    text = f"The units farthest from {home} go first: {listed}."
    return Cause(Topic.ADJUSTMENT, text, sources)


def _steps(steps: int) -> str:
    return "no way there" if steps >= FAR else _count(steps, "step")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _joined(names: Sequence[str]) -> str:
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _either(names: Sequence[str]) -> str:
    *others, last = [*names] or [""]
    return f"{', '.join(others)} or {last}" if others else last


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
