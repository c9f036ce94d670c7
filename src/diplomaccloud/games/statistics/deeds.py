"""What the powers did to each other in a phase, and in all phases of a game."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Convoy, Move, Order, SupportHold, SupportMove, power_of
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution

Pair = tuple[Power, Power]

RECENT_PHASES = 2
"""How many movement phases help counts as recent, so that attacking the helper is a stab."""


@dataclass(frozen=True, slots=True)
class Stab:
    """An attack soon after help: `by` dislodged a unit of `against`, or took its center.

    Help is a support or convoy that one gave the other in the same movement phase or in one of the
    `RECENT_PHASES` before it.
    """

    phase: Phase
    by: Power
    against: Power
    where: ProvinceCode
    took_center: bool


@dataclass(slots=True)
class Deeds:
    """The statistics of one power."""

    moves: int = 0
    moved: int = 0
    supports: int = 0
    given: int = 0
    convoys: int = 0
    built: int = 0
    dislodged: int = 0
    lost: int = 0


@dataclass(slots=True)
class Tally:
    """Deeds by power, help (supports and convoys) by giver and receiver, and stabs."""

    deeds: dict[Power, Deeds] = field(default_factory=dict)
    helped: Counter[Pair] = field(default_factory=Counter)
    stabs: list[Stab] = field(default_factory=list)

    def of(self, power: Power) -> Deeds:
        """Return the deeds of `power`, which callers may change."""
        return self.deeds.setdefault(power, Deeds())

    def add(self, other: "Tally") -> None:
        """Add what happened in later phases."""
        for power, deeds in other.deeds.items():
            both = zip(astuple(self.of(power)), astuple(deeds), strict=True)
            self.deeds[power] = Deeds(*map(sum, both))
        self.helped += other.helped
        self.stabs += other.stabs


class RunningTally:
    """The statistics of phases that are added in the order in which they were processed."""

    def __init__(self) -> None:
        self.total = Tally()
        self._help: list[Collection[Pair]] = []

    def add(self, phase: Phase, tally: Tally) -> None:
        """Add the statistics of a phase."""
        self.total.add(tally)
        if phase.stage is Stage.MOVEMENT:
            self._help.append(tally.helped)

    def count(self, position: Position, resolution: Resolution) -> Tally:
        """Add a phase, and return the statistics of that phase alone."""
        phase = position.phase
        # Help in the movement phase itself counts, too, also after its retreats.
        past = RECENT_PHASES + (phase.stage is not Stage.MOVEMENT)
        recent = {pair for helped in self._help[-past:] for pair in helped}
        tally = _count_phase(position, resolution, recent)
        self.add(phase, tally)
        return tally


def tally_to_json(tally: Tally) -> dict[str, object]:
    """Return the statistics of one phase as they are stored; see `tally_from_json`."""
    return {
        "v": 1,
        "deeds": {power: astuple(deeds) for power, deeds in tally.deeds.items()},
        "helped": [[*pair, count] for pair, count in tally.helped.items()],
        "stabs": [[stab.by, stab.against, stab.where, stab.took_center] for stab in tally.stabs],
    }


def tally_from_json(data: Mapping[str, Any], phase: Phase) -> Tally:
    """Return the statistics of a phase that `tally_to_json` wrote."""
    return Tally(
        {Power(power): Deeds(*deeds) for power, deeds in data["deeds"].items()},
        Counter({(giver, taker): count for giver, taker, count in data["helped"]}),
        [Stab(phase, *stab) for stab in data["stabs"]],
    )


def _count_phase(position: Position, resolution: Resolution, recent: Collection[Pair]) -> Tally:
    """Return the statistics of a phase; `recent` are those who helped whom not long before it."""
    tally = Tally()
    for result in resolution.results:
        _count_result(tally, result)
        tally.helped.update(_find_help(result))
    attackers = _find_attackers(position, resolution)
    for power in attackers.values():
        tally.of(power).dislodged += 1
    for unit in resolution.destroyed:
        tally.of(unit.power).lost += 1
    friends = {*recent, *tally.helped}
    tally.stabs += _find_stabs(position, resolution, attackers, friends)
    return tally


def _count_result(tally: Tally, result: OrderResult) -> None:
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


def _find_help(result: OrderResult) -> list[Pair]:
    """Return who helped whom with the order, if it succeeded and helped another power."""
    order: Order = result.order
    if not isinstance(order, SupportHold | SupportMove | Convoy):
        return []
    if result.outcome not in (Outcome.GIVEN, Outcome.CONVOYED):
        return []
    giver, taker = order.unit.power, order.target.power
    return [(giver, taker)] if giver != taker else []


def _find_attackers(position: Position, resolution: Resolution) -> Mapping[ProvinceCode, Power]:
    """Return who dislodged the unit of each province."""
    standing = {unit.province: unit.power for unit in position.units}
    return {d.unit.province: standing[d.by] for d in resolution.dislodged if d.by in standing}


def _find_stabs(
    position: Position,
    resolution: Resolution,
    attackers: Mapping[ProvinceCode, Power],
    friends: Collection[Pair],
) -> Iterator[Stab]:
    attacks = [
        (by, dislodged.unit.power, dislodged.unit.province, False)
        for dislodged in resolution.dislodged
        if (by := attackers.get(dislodged.unit.province))
    ]
    attacks += [
        (by, owner, where, True)
        for where, by in resolution.gained
        if (owner := position.centers.get(where))
    ]
    for by, against, where, took_center in attacks:
        if by != against and ((by, against) in friends or (against, by) in friends):
            yield Stab(position.phase, by, against, where, took_center)
