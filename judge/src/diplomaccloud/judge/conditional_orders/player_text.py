"""Reads, checks and writes the conditional orders of a player of one or several powers.

A player of several powers names one before each clause, unless only one makes sense:
`England: if one gained: F LON`. A name and a colon on their own apply to all clauses below.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Power, province_of
from diplomaccloud.judge.conditional_orders.clause_reader import (
    clause_error,
    parse_conditional_orders,
    split_clauses,
)
from diplomaccloud.judge.conditional_orders.plans import (
    AdjustmentPlan,
    ConditionalOrders,
    RetreatPlan,
)
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.notation import NotationError, NotationKey
from diplomaccloud.judge.phases import Season
from diplomaccloud.judge.position import Position

_PREFIX = re.compile(r"(?P<power>[^:]{1,40}?) ?: ?(?P<clause>if .*)", re.IGNORECASE)
MAX_QUOTED_NAME = 40
PlansByPower = Mapping[Power, ConditionalOrders]


@dataclass(frozen=True, slots=True)
class PlayerContext:
    """The board, the position of the movement phase, and the player's powers."""

    board: Board
    position: Position
    powers: tuple[Power, ...]

    def find_power(self, text: str) -> Power:
        """Return the player's power that `text` names; raise `NotationError` for others."""
        wanted = text.strip().casefold()
        for power in self.powers:
            if wanted in (power.casefold(), self.board.power_info[power].name.casefold()):
                return power
        countries = [self.board.power_info[power].name for power in self.powers]
        name = text[:MAX_QUOTED_NAME]
        raise NotationError(NotationKey.NOT_YOUR_COUNTRY, name=name, countries=tuple(countries))


def read_player_text(text: str, context: PlayerContext) -> dict[Power, ConditionalOrders]:
    """Return the conditional orders in `text` for each of the player's powers.

    Raises `NotationError` naming the clause at fault. A clause that can never apply, for example
    because its unit does not exist, is also an error, so that no player relies on it.
    """
    reader = _PlayerReader(context)
    for clause in split_clauses(text):
        reader.take(clause)
    return reader.plans


def write_player_text(plans: PlansByPower, board: Board) -> tuple[str, ...]:
    """Return the canonical clauses of `plans`, which name their power if there are several."""
    return tuple(
        f"{board.power_info[power].name}: {clause}" if len(plans) > 1 else str(clause)
        for power, orders in plans.items()
        for clause in (*orders.retreats, *orders.adjustments)
    )


def compose_player_text(choices: Mapping[str, Sequence[str]]) -> str:
    """Return the text for choices from lists; `choices` has them by condition, in order."""
    clauses = []
    for condition, values in choices.items():
        chosen = [value for value in values if value]
        if condition.endswith("dislodged"):
            # Choosing a destination twice means nothing, but waiving twice waives two builds.
            chosen = list(dict.fromkeys(chosen))
        if chosen:
            clauses.append(f"{condition}: {', '.join(chosen)}")
    return "\n".join(clauses)


class _PlayerReader:
    """Takes clauses one by one and assigns each to a power."""

    def __init__(self, context: PlayerContext) -> None:
        self._context = context
        self._texts: dict[Power, list[str]] = {power: [] for power in context.powers}
        self._last: Power | None = None
        self._heading: Power | None = None
        self.plans = {power: ConditionalOrders() for power in context.powers}

    def take(self, clause: str) -> None:
        """Add the clause to its power's plans; raise `NotationError` naming it."""
        if clause.endswith(":") and not clause.lower().startswith("if "):
            self._heading = self._find_power(clause.rstrip(" :"), clause)
            return
        match = _PREFIX.fullmatch(clause)
        if match and not match["power"].lower().startswith("if "):
            self._last = self._find_power(match["power"], clause)
            self._add(match["clause"], self._last)
        else:
            self._add(clause, self._heading or self._guess_power(clause))

    def _find_power(self, name: str, clause: str) -> Power:
        try:
            return self._context.find_power(name)
        except NotationError as error:
            raise clause_error(clause, error) from None

    def _add(self, clause: str, power: Power) -> None:
        plans = self._parse(clause, power)
        self._texts[power].append(clause)
        self.plans[power] = plans

    def _guess_power(self, clause: str) -> Power:
        """Return the only power for which the clause makes sense, or the power named last."""
        powers = [power for power in self._context.powers if self._makes_sense(clause, power)]
        if len(powers) == 1:
            return powers[0]
        if self._last in powers or (not powers and self._last):
            return self._last
        if not powers:
            return self._context.powers[0]
        country = self._context.board.power_info[powers[0]].name
        raise clause_error(clause, NotationError(NotationKey.AMBIGUOUS_COUNTRY, country=country))

    def _makes_sense(self, clause: str, power: Power) -> bool:
        try:
            self._parse(clause, power)
        except NotationError:
            return False
        return True

    def _parse(self, clause: str, power: Power) -> ConditionalOrders:
        """Return the power's plans with `clause` added; raise `NotationError` if it is useless."""
        text = "; ".join((*self._texts[power], clause))
        plans = parse_conditional_orders(text, self._context.board, power)
        before = self.plans[power]
        try:
            for retreat in plans.retreats[len(before.retreats) :]:
                _require_possible_retreats(retreat, self._context, power)
            for adjustment in plans.adjustments[len(before.adjustments) :]:
                _require_possible_adjustments(adjustment, self._context, power)
        except NotationError as error:
            raise clause_error(clause, error) from None
        return plans


def _require_possible_retreats(plan: RetreatPlan, context: PlayerContext, power: Power) -> None:
    """Raise `NotationError` if no unit of `power` could follow `plan` as written."""
    board, names = context.board, geography(context.board)
    units = (unit for unit in context.position.units_of(power) if unit.province == plan.province)
    unit = next(units, None)
    if unit is None:
        place = names.names[plan.province]
        raise NotationError(NotationKey.NO_UNIT_OF_YOURS, place=place)
    near = board.destinations(unit.kind, unit.location)
    for choice in plan.choices:
        if choice is None or choice in near:
            continue
        coasts = [place for place in near if str(province_of(place)) == choice]
        place = names.full_name(choice)
        if not coasts:
            origin = names.full_name(unit.location)
            raise NotationError(
                NotationKey.CANNOT_REACH, kind=unit.kind, origin=origin, place=place
            )
        if len(coasts) > 1:
            raise NotationError(NotationKey.RETREAT_COAST_MISSING, place=place, example=min(coasts))


def _require_possible_adjustments(
    plan: AdjustmentPlan, context: PlayerContext, power: Power
) -> None:
    """Raise `NotationError` if `power` could not build or remove the units in `plan`."""
    if context.position.phase.season is not Season.FALL:
        raise NotationError(NotationKey.NOT_BEFORE_FALL)
    homes = context.board.home_centers.get(power, ())
    if plan.owed > len(homes):
        raise NotationError(NotationKey.TOO_MANY_BUILDS, limit=len(homes))
    for unit in plan.units if plan.owed > 0 else ():
        if unit is not None and unit.province not in homes:
            place = context.board.by_code[unit.province].name
            raise NotationError(NotationKey.NOT_HOME_CENTER, place=place)
    if len(plan.units) < plan.owed:
        raise NotationError(NotationKey.TOO_FEW_BUILDS, count=plan.owed)
    if len(plan.units) < -plan.owed:
        raise NotationError(NotationKey.TOO_FEW_REMOVALS, count=-plan.owed)
