"""Where the fleets now at sea could convoy armies, regardless of orders."""

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
    """Return the provinces to which `fleets` could convoy an army in `start`."""
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
    """Return the fleets that a convoy from `start` could need, for each of its goals.

    A fleet is needed if a chain to the goal breaks without it; chains with a shortcut do not count
    (DATC 6.G.19). If there are too many chains to follow, as with dozens of adjacent fleets, every
    fleet that is connected to `start` counts.
    """
    tables = geography(board)
    if start not in tables.ports:
        return {}
    first = frozenset(sea for sea in fleets if start in tables.carriers[sea])
    chains = _Chains(tables)
    chains.follow([((sea,), fleets - first, frozenset({start})) for sea in first])
    if chains.steps <= MAX_STEPS:
        return {goal: frozenset(seas) for goal, seas in chains.needed.items()}
    connected = frozenset(
        sea for sea in fleets if carries(board, start, sea, fleets) or sea in first
    )
    return dict.fromkeys(convoy_goals(board, fleets, start), connected)


MAX_STEPS = 20_000
"""The most links to follow; beyond that, every connected fleet counts as needed."""


_Chain = tuple[tuple[ProvinceCode, ...], Seas, frozenset[ProvinceCode]]
"""A chain of fleets, the fleets not adjacent to an earlier link, and the goals those touch."""


class _Chains:
    """Follows chains of fleets without shortcuts, and notes the fleets that each goal can need."""

    def __init__(self, tables: Geography) -> None:
        self.tables = tables
        self.needed: dict[ProvinceCode, set[ProvinceCode]] = {}
        self.steps = 0

    def follow(self, chains: list[_Chain]) -> None:
        """Extend `chains` in every possible way, up to the maximum number of steps."""
        # Not recursive, because a chain may be longer than Python's recursion limit.
        while chains and self.steps <= MAX_STEPS:
            self.steps += 1
            chain, free, landed = chains.pop()
            touches = self.tables.carriers[chain[-1]]
            for goal in (touches & self.tables.ports) - landed:
                self.needed.setdefault(goal, set()).update(chain)
            onward = free & touches
            chains += [((*chain, sea), free - onward, landed | touches) for sea in onward]
