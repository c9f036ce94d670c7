"""What one player of one or several powers writes ahead: read, checked, and written out.

With several powers each clause is for one of them, named before it unless only one can be
meant: `England: if one gained: F LON`. A name and a colon alone head the clauses that follow.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.games.presenters.order_form import place_name, unit_name
from diplomaccloud.judge.board import Board, Power, province_of
from diplomaccloud.judge.conditional_orders import (
    AdjustmentPlan,
    Conditions,
    RetreatPlan,
    clauses_of,
    parse_conditions,
)
from diplomaccloud.judge.notation import NotationError
from diplomaccloud.judge.phases import Season
from diplomaccloud.judge.position import Position

_PREFIX = re.compile(r"(?P<power>[^:]{1,40}?) ?: ?(?P<clause>if .*)", re.IGNORECASE)
Plans = Mapping[Power, Conditions]


@dataclass(frozen=True, slots=True)
class Footing:
    """What a plan stands on: the board, the movement phase's position, the player's powers."""

    board: Board
    position: Position
    powers: tuple[Power, ...]

    def named(self, text: str) -> Power:
        """Return the player's power that `text` names; raise `NotationError`."""
        wanted = text.strip().casefold()
        for power in self.powers:
            if wanted in (power.casefold(), self.board.power_info[power].name.casefold()):
                return power
        names = " or ".join(self.board.power_info[power].name for power in self.powers)
        raise NotationError(f"{text[:40]!r} is none of your countries: write {names}")


def read_ahead(text: str, footing: Footing) -> dict[Power, Conditions]:
    """Return what each of the player's powers is to do when it comes to it.

    A clause that can never come true is refused, such as one for a unit that is not there, so
    that nobody trusts in it. Raises `NotationError` naming the clause at fault.
    """
    reader = _Reader(footing)
    for clause in clauses_of(text):
        reader.take(clause)
    return reader.plans


def write_ahead(plans: Plans, board: Board) -> tuple[str, ...]:
    """Return the canonical clauses of `plans`; with several powers each names its own."""
    return tuple(
        f"{board.power_info[power].name}: {clause}" if len(plans) > 1 else str(clause)
        for power, plan in plans.items()
        for clause in (*plan.retreats, *plan.adjustments)
    )


def composed(lists: Mapping[str, Sequence[str]]) -> str:
    """Return the text of choices made in lists: by condition, the choices in order."""
    wanted = {condition: [one for one in chosen if one] for condition, chosen in lists.items()}
    return "\n".join(
        # To go to one place twice says nothing more; to waive two builds does.
        f"{condition}: {', '.join(dict.fromkeys(chosen) if _retreats(condition) else chosen)}"
        for condition, chosen in wanted.items()
        if chosen
    )


def _retreats(condition: str) -> bool:
    return condition.endswith("dislodged")


class _Reader:
    """Takes clauses one by one, each for the power that it is for."""

    def __init__(self, footing: Footing) -> None:
        self._footing = footing
        self._texts: dict[Power, list[str]] = {power: [] for power in footing.powers}
        self._last: Power | None = None
        self._heading: Power | None = None
        self.plans = {power: Conditions() for power in footing.powers}

    def take(self, clause: str) -> None:
        """Keep the clause; raise `NotationError` naming it."""
        if clause.endswith(":") and not clause.lower().startswith("if "):
            self._heading = self._named(clause.rstrip(" :"), clause)
            return
        found = _PREFIX.fullmatch(clause)
        if found and not found["power"].lower().startswith("if "):
            self._last = self._named(found["power"], clause)
            self._keep(found["clause"], self._last, self._read(found["clause"], self._last))
            return
        power = self._heading or self._meant(clause)
        self._keep(clause, power, self._read(clause, power))

    def _named(self, name: str, clause: str) -> Power:
        try:
            return self._footing.named(name)
        except NotationError as error:
            raise NotationError(f"{clause[:60]!r}: {error}") from None

    def _keep(self, clause: str, power: Power, plan: Conditions) -> None:
        self._texts[power].append(clause)
        self.plans[power] = plan

    def _meant(self, clause: str) -> Power:
        powers = [power for power in self._footing.powers if self._reads(clause, power)]
        if len(powers) == 1:
            return powers[0]
        if self._last in powers or (not powers and self._last):
            return self._last
        if not powers:
            return self._footing.powers[0]
        name = self._footing.board.power_info[powers[0]].name
        raise NotationError(f"{clause[:60]!r}: say for which country, as in '{name}: if …'")

    def _reads(self, clause: str, power: Power) -> bool:
        try:
            self._read(clause, power)
        except NotationError:
            return False
        return True

    def _read(self, clause: str, power: Power) -> Conditions:
        text = "; ".join((*self._texts[power], clause))
        plan = parse_conditions(text, self._footing.board, power)
        before = self.plans[power]
        for wish in plan.retreats[len(before.retreats) :]:
            _raise_first(_unreachable(wish, self._footing, power), clause)
        for due in plan.adjustments[len(before.adjustments) :]:
            _raise_first(_unbuildable(due, self._footing, power), clause)
        return plan


def _raise_first(faults: Iterator[str], clause: str) -> None:
    for fault in faults:
        raise NotationError(f"{clause[:60]!r}: {fault}")


def _unreachable(wish: RetreatPlan, footing: Footing, power: Power) -> Iterator[str]:
    board = footing.board
    unit = next((u for u in footing.position.units_of(power) if u.province == wish.province), None)
    if unit is None:
        yield f"you have no unit in {board.by_code[wish.province].name}"
        return
    near = board.destinations(unit.kind, unit.location)
    for choice in wish.choices:
        if choice is None or choice in near:
            continue
        coasts = [place for place in near if str(province_of(place)) == choice]
        if not coasts:
            yield f"the {unit_name(board, unit)} cannot go to {place_name(board, choice)}"
        elif len(coasts) > 1:
            yield f"say which coast of {place_name(board, choice)}, such as {min(coasts)}"


def _unbuildable(due: AdjustmentPlan, footing: Footing, power: Power) -> Iterator[str]:
    if footing.position.phase.season is not Season.FALL:
        yield "nothing is built or removed before Fall: write this in Fall"
        return
    homes = footing.board.home_centers.get(power, ())
    if due.owed > len(homes):
        yield f"no more than {len(homes)} can be built at once"
    for unit in due.units if due.owed > 0 else ():
        if unit is not None and unit.province not in homes:
            yield f"{footing.board.by_code[unit.province].name} is not one of your home centers"
    if len(due.units) < due.owed:
        yield f"name {due.owed} units, or write waive for a build not taken"
    if len(due.units) < -due.owed:
        yield f"name {-due.owed} units to remove"
