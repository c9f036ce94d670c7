"""The conditional orders of a player of one or several powers: read, checked and written.

A player of several powers names one before each clause, unless only one can be meant:
`England: if one gained: F LON`. A name and a colon alone head the clauses that follow.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
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
from diplomaccloud.judge.notation import NotationError
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
        names = " or ".join(self.board.power_info[power].name for power in self.powers)
        name = text[:MAX_QUOTED_NAME]
        raise NotationError(f"{name!r} is none of your countries: write {names}")


def read_player_text(text: str, context: PlayerContext) -> dict[Power, ConditionalOrders]:
    """Return the conditional orders in `text` for each of the player's powers.

    Raises `NotationError` naming the clause at fault. A clause that can never apply, for
    example one for a unit that does not exist, is an error too, so that no player relies on it.
    """
    reader = _PlayerReader(context)
    for clause in split_clauses(text):
        reader.take(clause)
    return reader.plans


def write_player_text(plans: PlansByPower, board: Board) -> tuple[str, ...]:
    """Return the canonical clauses of `plans`; with several powers each names its power."""
    return tuple(
        f"{board.power_info[power].name}: {clause}" if len(plans) > 1 else str(clause)
        for power, orders in plans.items()
        for clause in (*orders.retreats, *orders.adjustments)
    )


def compose_player_text(choices: Mapping[str, Sequence[str]]) -> str:
    """Return the text for choices from lists; `choices` has them in order by condition."""
    clauses = []
    for condition, values in choices.items():
        chosen = [value for value in values if value]
        if condition.endswith("dislodged"):
            # A destination chosen twice adds nothing. A build waived twice does.
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
            raise clause_error(clause, str(error)) from None

    def _add(self, clause: str, power: Power) -> None:
        plans = self._parse(clause, power)
        self._texts[power].append(clause)
        self.plans[power] = plans

    def _guess_power(self, clause: str) -> Power:
        """Return the only power that the clause makes sense for, or the power named last."""
        powers = [power for power in self._context.powers if self._makes_sense(clause, power)]
        if len(powers) == 1:
            return powers[0]
        if self._last in powers or (not powers and self._last):
            return self._last
        if not powers:
            return self._context.powers[0]
        name = self._context.board.power_info[powers[0]].name
        raise clause_error(clause, f"say for which country, as in '{name}: if …'")

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
        for retreat in plans.retreats[len(before.retreats) :]:
            _raise_first(_retreat_faults(retreat, self._context, power), clause)
        for adjustment in plans.adjustments[len(before.adjustments) :]:
            _raise_first(_adjustment_faults(adjustment, self._context, power), clause)
        return plans


def _raise_first(faults: Iterator[str], clause: str) -> None:
    for fault in faults:
        raise clause_error(clause, fault)


def _retreat_faults(plan: RetreatPlan, context: PlayerContext, power: Power) -> Iterator[str]:
    board, names = context.board, geography(context.board)
    units = (u for u in context.position.units_of(power) if u.province == plan.province)
    unit = next(units, None)
    if unit is None:
        yield f"you have no unit in {names.names[plan.province]}"
        return
    near = board.destinations(unit.kind, unit.location)
    for choice in plan.choices:
        if choice is None or choice in near:
            continue
        coasts = [place for place in near if str(province_of(place)) == choice]
        place = names.full_name(choice)
        if not coasts:
            here = names.full_name(unit.location)
            yield f"the {unit.kind.word} in {here} cannot go to {place}"
        elif len(coasts) > 1:
            yield f"say which coast of {place}, such as {min(coasts)}"


def _adjustment_faults(plan: AdjustmentPlan, context: PlayerContext, power: Power) -> Iterator[str]:
    if context.position.phase.season is not Season.FALL:
        yield "nothing is built or removed before Fall: write this in Fall"
        return
    homes = context.board.home_centers.get(power, ())
    if plan.owed > len(homes):
        yield f"no more than {len(homes)} can be built at once"
    for unit in plan.units if plan.owed > 0 else ():
        if unit is not None and unit.province not in homes:
            yield f"{context.board.by_code[unit.province].name} is not one of your home centers"
    if len(plan.units) < plan.owed:
        yield f"name {plan.owed} units, or write waive for a build not taken"
    if len(plan.units) < -plan.owed:
        yield f"name {-plan.owed} units to remove"
