"""What the powers of a game did to each other, counted from its processed phases. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Convoy, Move, Order, SupportHold, SupportMove, power_of
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution

Played = tuple[Position, Resolution]
Pair = tuple[Power, Power]

FRESH = 2
"""A support is fresh for so many movement phases: an attack on that friend then is a stab."""


@dataclass(frozen=True, slots=True)
class Stab:
    """That `by` drove a unit of `against` out, or took its center, while their pact was fresh.

    A pact is a support or a convoy that one gave the other in the same or one of the last
    `FRESH` movement phases; the attack is the last thing seen of it.
    """

    phase: Phase
    by: Power
    against: Power
    where: ProvinceCode
    took_center: bool


@dataclass(slots=True)
class Deeds:
    """What one power did."""

    moves: int = 0
    moved: int = 0
    supports: int = 0
    given: int = 0
    convoys: int = 0
    built: int = 0
    drove_out: int = 0
    lost: int = 0


@dataclass(slots=True)
class Tally:
    """Deeds by power, help by who gave it to whom (supports and convoys), and stabs."""

    deeds: dict[Power, Deeds] = field(default_factory=dict)
    helped: Counter[Pair] = field(default_factory=Counter)
    stabs: list[Stab] = field(default_factory=list)

    def of(self, power: Power) -> Deeds:
        """Return the deeds of `power`, to be counted up."""
        return self.deeds.setdefault(power, Deeds())


def count_deeds(played: Iterable[Played]) -> Tally:
    """Return what was done in `played`, phases in the order in which they were processed."""
    tally = Tally()
    pacts: dict[Pair, int] = {}
    turn = 0
    for position, resolution in played:
        if position.phase.stage is Stage.MOVEMENT:
            turn += 1
        for result in resolution.results:
            _count(tally, result)
            for pair in _help(result):
                tally.helped[pair] += 1
                pacts[pair] = turn
        _count_losses(tally, position, resolution)
        tally.stabs += _stabs(position, resolution, pacts, turn)
    return tally


def _count(tally: Tally, result: OrderResult) -> None:
    order, outcome = result.order, result.outcome
    deeds = tally.of(power_of(order))
    match order:
        case Move():
            deeds.moves += 1
            deeds.moved += outcome is Outcome.MOVED
        case SupportHold() | SupportMove():
            deeds.supports += 1
            deeds.given += outcome is Outcome.GIVEN
        case Convoy():
            deeds.convoys += outcome is Outcome.CONVOYED
    deeds.built += outcome is Outcome.BUILT


def _help(result: OrderResult) -> list[Pair]:
    """Return who helped whom by the order, if it was another power and the help arrived."""
    order: Order = result.order
    if not isinstance(order, SupportHold | SupportMove | Convoy):
        return []
    if result.outcome not in (Outcome.GIVEN, Outcome.CONVOYED):
        return []
    giver, taker = order.unit.power, order.target.power
    return [(giver, taker)] if giver != taker else []


def _drivers(position: Position, resolution: Resolution) -> Mapping[ProvinceCode, Power]:
    """Return who drove out the unit of each province."""
    standing = {unit.province: unit.power for unit in position.units}
    return {
        one.unit.province: standing[one.by] for one in resolution.dislodged if one.by in standing
    }


def _count_losses(tally: Tally, position: Position, resolution: Resolution) -> None:
    for power in _drivers(position, resolution).values():
        tally.of(power).drove_out += 1
    for unit in resolution.destroyed:
        tally.of(unit.power).lost += 1


def _stabs(
    position: Position, resolution: Resolution, pacts: Mapping[Pair, int], turn: int
) -> Sequence[Stab]:
    found: list[Stab] = []

    def add(by: Power, against: Power, where: ProvinceCode, *, took: bool) -> None:
        last = max(pacts.get((by, against), -FRESH), pacts.get((against, by), -FRESH))
        if by != against and last > 0 and turn - last <= FRESH:
            found.append(Stab(position.phase, by, against, where, took))

    units = {one.unit.province: one.unit.power for one in resolution.dislodged}
    for where, by in _drivers(position, resolution).items():
        add(by, units[where], where, took=False)
    for where, by in resolution.gained:
        if owner := position.centers.get(where):
            add(by, owner, where, took=True)
    return found
