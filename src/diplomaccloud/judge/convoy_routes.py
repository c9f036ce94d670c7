"""Where armies could be carried by the fleets that are now at sea, whatever is ordered."""

from collections.abc import Collection, Mapping
from functools import lru_cache

from diplomaccloud.judge.board import Board, ProvinceCode, UnitKind
from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.position import Position

Seas = frozenset[ProvinceCode]

_NOWHERE: frozenset[ProvinceCode] = frozenset()


def fleets_at_sea(board: Board, position: Position) -> Seas:
    """Return the sea provinces where a fleet stands."""
    seas = geography(board).seas
    return frozenset(
        unit.province
        for unit in position.units
        if unit.kind is UnitKind.FLEET and unit.province in seas
    )


def carries(
    board: Board, start: ProvinceCode, goal: ProvinceCode, fleets: Collection[ProvinceCode]
) -> bool:
    """Return whether `fleets` form an unbroken chain from `start` to `goal`."""
    carriers = geography(board).carriers
    left = set(fleets)
    reached = [sea for sea in left if start in carriers[sea]]
    left.difference_update(reached)
    while reached:
        touches = carriers[reached.pop()]
        if goal in touches:
            return True
        new = left & touches
        left -= new
        reached.extend(new)
    return False


@lru_cache(maxsize=4096)
def convoy_goals(board: Board, fleets: Seas, start: ProvinceCode) -> frozenset[ProvinceCode]:
    """Return the provinces to which `fleets` could carry an army that stands in `start`."""
    tables = geography(board)
    if start not in tables.ports:
        return _NOWHERE
    left = set(fleets)
    reached = [sea for sea in left if start in tables.carriers[sea]]
    left.difference_update(reached)
    goals: set[ProvinceCode] = set()
    while reached:
        touches = tables.carriers[reached.pop()]
        goals |= touches & tables.ports
        new = left & touches
        left -= new
        reached.extend(new)
    goals.discard(start)
    return frozenset(goals)


@lru_cache(maxsize=1024)
def convoy_fleets(
    board: Board, fleets: Seas, start: ProvinceCode
) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
    """Return, for each goal of a convoy from `start`, the fleets that could be needed for it.

    A fleet is needed if some chain to the goal breaks without it; a chain with a short cut
    does not count (DATC 6.G.19). Where the chains are too many to follow, as only dozens of
    fleets side by side make them, every fleet that hangs together with `start` counts.
    """
    tables = geography(board)
    if start not in tables.ports:
        return {}
    first = frozenset(sea for sea in fleets if start in tables.carriers[sea])
    chains = _Chains(tables)
    chains.follow([((sea,), fleets - first, frozenset({start})) for sea in first])
    if chains.steps <= MAX_STEPS:
        return {goal: frozenset(seas) for goal, seas in chains.needed.items()}
    joined = frozenset(sea for sea in fleets if carries(board, start, sea, fleets) or sea in first)
    return dict.fromkeys(convoy_goals(board, fleets, start), joined)


MAX_STEPS = 20_000


_Chain = tuple[tuple[ProvinceCode, ...], Seas, frozenset[ProvinceCode]]
"""A chain of fleets, the fleets not next to any earlier link, the goals that those touch."""


class _Chains:
    """Follows chains of fleets that have no short cuts, and notes which fleets serve a goal."""

    def __init__(self, tables: Geography) -> None:
        self.tables = tables
        self.needed: dict[ProvinceCode, set[ProvinceCode]] = {}
        self.steps = 0

    def follow(self, begun: list[_Chain]) -> None:
        """Follow every way onward from the chains `begun`, up to the most steps allowed."""
        # Not by recursion: a chain may have more links than Python lets functions nest.
        while begun and self.steps <= MAX_STEPS:
            self.steps += 1
            chain, free, landed = begun.pop()
            touches = self.tables.carriers[chain[-1]]
            for goal in (touches & self.tables.ports) - landed:
                self.needed.setdefault(goal, set()).update(chain)
            onward = free & touches
            begun += [((*chain, sea), free - onward, landed | touches) for sea in onward]
