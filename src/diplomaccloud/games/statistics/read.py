"""Statistics of what the powers did to each other in the processed phases of a game."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from diplomaccloud.games.record.read import Played
from diplomaccloud.games.results.read import read_phase_names
from diplomaccloud.games.table.phase_models import Phase as PhaseRow
from diplomaccloud.games.table.read import Reader
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


def count_deeds(played: Iterable[Played]) -> Tally:
    """Return the statistics of `played`, phases in the order in which they were processed."""
    tally = Tally()
    pacts: dict[Pair, int] = {}
    turn = 0
    for position, resolution in played:
        if position.phase.stage is Stage.MOVEMENT:
            turn += 1
        for result in resolution.results:
            _count_result(tally, result)
            for pair in _find_help(result):
                tally.helped[pair] += 1
                pacts[pair] = turn
        attackers = _find_attackers(position, resolution)
        for power in attackers.values():
            tally.of(power).dislodged += 1
        for unit in resolution.destroyed:
            tally.of(unit.power).lost += 1
        tally.stabs += _find_stabs(position, resolution, attackers, pacts, turn)
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
    pacts: Mapping[Pair, int],
    turn: int,
) -> Sequence[Stab]:
    stabs: list[Stab] = []

    def add(by: Power, against: Power, where: ProvinceCode, *, took: bool) -> None:
        last = max(
            pacts.get((by, against), -RECENT_PHASES), pacts.get((against, by), -RECENT_PHASES)
        )
        if by != against and last > 0 and turn - last <= RECENT_PHASES:
            stabs.append(Stab(position.phase, by, against, where, took))

    units = {d.unit.province: d.unit.power for d in resolution.dislodged}
    for where, by in attackers.items():
        add(by, units[where], where, took=False)
    for where, by in resolution.gained:
        if owner := position.centers.get(where):
            add(by, owner, where, took=True)
    return stabs


Owners = Mapping[ProvinceCode, Power]


def read_tally(reader: Reader) -> Tally:
    """Return what the powers did in the processed phases."""
    sequences = tuple(name.sequence for name in read_phase_names(reader))
    return tally_phases(reader.rows.game.pk, sequences)


@lru_cache(maxsize=256)
def tally_phases(game_id: int, sequences: tuple[int, ...]) -> Tally:
    """Return the statistics of processed phases of a game; reads only a few kilobytes.

    Processed phases never change and sequence numbers are never reused, so a tally is valid
    until another phase is processed.
    """
    rows = PhaseRow.objects.filter(game=game_id, sequence__in=sequences).order_by("sequence")
    return count_deeds((row.position, row.resolution) for row in rows)


def read_owners(reader: Reader) -> dict[int, Owners]:
    """Return the owners of the centers by year.

    The first year is the one before the game's first, with the owners at the start; the last
    year shows the owners now.
    """
    rows = reader.rows
    start = rows.game.starting_position
    by_year: dict[int, Owners] = {start.phase.year - 1: start.centers}
    # Ownership changes once a year, so the first phase of a year has the previous year's result.
    openings = rows.phases.filter(name__startswith="S", name__endswith="M")
    for name, position in openings.order_by("sequence").values_list("name", "position"):
        # A long game has many positions, and only their centers are needed here.
        centers: Owners = position["centers"]
        by_year[Phase.parse(name).year - 1] = centers
    # A game that ended after a Fall has the position of the next Spring.
    year = rows.position.phase.year_over
    if rows.position.centers != by_year[max(by_year)]:
        by_year[max(year, max(by_year) + 1)] = rows.position.centers
    return by_year
