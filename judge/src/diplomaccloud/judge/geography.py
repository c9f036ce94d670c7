"""Tables of facts about a board, which are computed once and used thousands of times."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from diplomaccloud.judge.board import (
    Board,
    BorderKind,
    Location,
    Power,
    ProvinceCode,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.units import Unit

_T = TypeVar("_T")

FAR = 10_000
"""A distance larger than any board, for places that cannot be reached."""


COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
"""Words for coasts."""


@dataclass(frozen=True, eq=False)
class Geography:
    """Tables of one board.

    `reach` has the provinces that a unit may move to or support into, by kind and location.
    `carriers` has, for each sea, the provinces that a fleet there touches.
    `ports` are the coastal provinces beside a sea, where a convoy may start and end: not those
    whose only water is a river.
    `phrases` has the name of every location as it appears in a sentence.
    `around` has every province's neighbors by land or sea, ignoring coasts.
    """

    names: Mapping[ProvinceCode, str]
    phrases: Mapping[str, str]
    powers: Mapping[Power, str]
    seas: frozenset[ProvinceCode]
    ports: frozenset[ProvinceCode]
    carriers: Mapping[ProvinceCode, frozenset[ProvinceCode]]
    reach: Mapping[UnitKind, Mapping[Location, frozenset[ProvinceCode]]]
    places: Mapping[UnitKind, Mapping[Location, frozenset[Location]]]
    landings: Mapping[ProvinceCode, tuple[Location, ...]]
    around: Mapping[ProvinceCode, frozenset[ProvinceCode]]
    sailing: Mapping[Location, frozenset[Location]]

    def name(self, place: str) -> str:
        """Return the printed name of a province or location, or `place` if it is unknown."""
        code, _, coast = place.partition("/")
        name = self.names.get(ProvinceCode(code), code)
        return f"{name} ({coast.lower()})" if coast else name

    def full_name(self, place: str) -> str:
        """Return the name with its coast in words: `Spain (north coast)` for `SPA/NC`."""
        code, _, coast = place.partition("/")
        name = self.names.get(ProvinceCode(code), code)
        return f"{name} ({COASTS.get(coast, coast)})" if coast else name

    def the(self, place: str) -> str:
        """Return a place's name as it appears in a sentence, such as `the North Sea`."""
        return self.phrases.get(place, place)

    def power(self, power: Power) -> str:
        """Return a power's printed name, or its key if the board does not know it."""
        return self.powers.get(power, power)

    def unit(self, unit: Unit) -> str:
        """Return a unit's description, such as `the army in Paris`."""
        return f"the {unit.kind.word} in {self.the(unit.province)}"


NAMELESS = Geography({}, {}, {}, frozenset(), frozenset(), {}, {}, {}, {}, {}, {})
"""Names every place and power by its key, for sentences that contain names as text."""


@lru_cache(maxsize=64)
def geography(board: Board) -> Geography:
    """Return the tables of `board`, which are built only once."""
    seas = frozenset(p.code for p in board.provinces if p.terrain is Terrain.SEA)
    places = {
        kind: {place: board.destinations(kind, place) for place in board.locations(kind)}
        for kind in UnitKind
    }
    return Geography(
        names={p.code: p.name for p in board.provinces},
        phrases=_phrases(board),
        powers={info.power: info.name for info in board.powers},
        seas=seas,
        ports=frozenset(_list_ports(board)),
        carriers={sea: board.reach(UnitKind.FLEET, Location(sea)) for sea in seas},
        reach={
            kind: {place: board.reach(kind, place) for place in board.locations(kind)}
            for kind in UnitKind
        },
        places=places,
        landings={p.code: p.fleet_locations for p in board.provinces},
        around=_around(board),
        sailing=board.fleet_neighbors,
    )


def _list_ports(board: Board) -> Iterator[ProvinceCode]:
    rivers = {
        pair
        for rule in board.border_rules
        if rule.kind is BorderKind.RIVER
        for pair in ((rule.first, rule.second), (rule.second, rule.first))
    }
    for province in board.provinces:
        ways = {
            (place, to) for place in province.fleet_locations for to in board.fleet_neighbors[place]
        }
        if province.terrain is Terrain.COASTAL and (not ways or ways - rivers):
            yield province.code


def _phrases(board: Board) -> dict[str, str]:
    found: dict[str, str] = {}
    for province in board.provinces:
        article = "the " if province.terrain is Terrain.SEA else ""
        found[province.code] = article + province.name
        for coast in province.coasts:
            words = COASTS.get(coast, coast.lower())
            found[f"{province.code}/{coast}"] = f"{article}{province.name} ({words})"
    return found


def _around(board: Board) -> dict[ProvinceCode, frozenset[ProvinceCode]]:
    found: dict[ProvinceCode, frozenset[ProvinceCode]] = {}
    for province in board.provinces:
        near = board.army_neighbors.get(province.code, frozenset())
        for place in province.fleet_locations:
            near |= board.fleet_provinces[place]
        found[province.code] = near
    return found


def fleets_at_sea(board: Board, units: Iterable[Unit]) -> frozenset[ProvinceCode]:
    """Return the sea provinces where a fleet stands."""
    seas = geography(board).seas
    return frozenset(
        unit.province for unit in units if unit.kind is UnitKind.FLEET and unit.province in seas
    )


def steps_over_all(board: Board, goals: Iterable[ProvinceCode]) -> dict[ProvinceCode, int]:
    """Return each province's distance to the nearest goal over land and sea alike."""
    around = geography(board).around
    return count_steps(around, (goal for goal in goals if goal in around))


def steps_by_fleet(board: Board, goals: Iterable[ProvinceCode]) -> dict[Location, int]:
    """Return each fleet location's distance to the nearest goal, as fleets sail."""
    tables = geography(board)
    landings = (place for goal in goals for place in tables.landings.get(goal, ()))
    return count_steps(tables.sailing, landings)


def count_steps(ways: Mapping[_T, Collection[_T]], starts: Iterable[_T]) -> dict[_T, int]:
    """Return the distance along `ways` from the nearest start to every reachable place."""
    steps = dict.fromkeys(starts, 0)
    queue = list(steps)
    for place in queue:
        for near in ways[place]:
            if near not in steps:
                steps[near] = steps[place] + 1
                queue.append(near)
    return steps
