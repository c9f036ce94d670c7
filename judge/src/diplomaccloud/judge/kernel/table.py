"""A board as flat integer tables, which are built only once.

Provinces are numbered in board order. A *place* is where a unit stands: place `p` is province `p`
as a whole, and the coasts of split provinces come after the last province. Seas have separate
numbers, so a set of fleets at sea fits into one mask.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.geography import FAR
from diplomaccloud.judge.kernel.core.codes import OF_MOVES, WORD
from diplomaccloud.judge.phases import CALENDAR, Stage
from diplomaccloud.judge.units import Unit

ARMY, FLEET = 0, 1
KINDS = (UnitKind.ARMY, UnitKind.FLEET)

STAGES = [list(Stage).index(stage) for _, stage in CALENDAR]
"""The stage of each phase of a year, as in `core.codes`."""


@dataclass(frozen=True, eq=False)
class Table:
    """The tables of one board; lists are indexed by province unless noted.

    `near[kind * places + place]` has the places that a unit may move to without a convoy, and
    `reach`, with the same index, has their provinces. `walks` has a mask of the provinces that an
    army may walk to, `around` of all neighbors by land or sea, and `shores` of the seas from which
    a fleet touches the province; `sea_of` is the province's sea number or -1. Indexed by sea,
    `sea_links` is the mask of adjacent seas, and `sea_ports` the mask of provinces where a convoy
    may land. `centers` are the provinces with a center, `home` is the power whose home country a
    province belongs to, or -1, and `build_centers[power]` are the centers where the power may build
    while it owns them.
    `walk_steps[power]` and `sail_steps[power]` are the distances to its home centers, by province
    and by place; `country_walk_steps` and `country_sail_steps` are those to the whole home country.
    `rank` sorts by full name, and `alphabet` sorts places by code. `stages` has the stage of each
    phase of a year, and `last_turn` is the phase in which its last turn begins.
    """

    board: Board
    provinces: int
    places: int
    place_of: Mapping[Location, int]
    location_of: list[Location]
    province_of: Sequence[int]
    powers: Sequence[Power]
    power_of: Mapping[Power, int]
    near: Sequence[Sequence[int]]
    reach: Sequence[Sequence[int]]
    walks: Sequence[int]
    around: Sequence[int]
    seas: Sequence[int]
    sea_of: Sequence[int]
    shores: Sequence[int]
    sea_links: Sequence[int]
    sea_ports: Sequence[int]
    ports: Sequence[int]
    landings: Sequence[Sequence[int]]
    centers: Sequence[int]
    home: Sequence[int]
    build_centers: Sequence[Sequence[int]]
    walk_steps: Sequence[Sequence[int]]
    sail_steps: Sequence[Sequence[int]]
    country_walk_steps: Sequence[Sequence[int]]
    country_sail_steps: Sequence[Sequence[int]]
    rank: Sequence[int]
    alphabet: Sequence[int]
    stages: Sequence[int]
    last_turn: int
    victory: int
    first_year: int
    starts: Sequence[tuple[int, int, int]]
    native: dict[str, list[Any]]
    """Each kernel's copies of these tables, with its workspace."""
    units: dict[int, Unit]
    """Units by number, so that each is created only once."""


@lru_cache(maxsize=64)
def _build_table(board: Board) -> Table:
    size = len(board.provinces)
    coasts = [place for p in board.provinces if p.coasts for place in p.fleet_locations]
    index = {p.code: i for i, p in enumerate(board.provinces)}
    locations = [*(Location(p.code) for p in board.provinces), *coasts]
    places = {location: i for i, location in enumerate(locations)}
    provinces = [index[province_of(location)] for location in locations]
    near = _near(board, places, locations)
    reach = [sorted({provinces[place] for place in row}) for row in near]
    powers = [info.power for info in board.powers]
    power_of = {power: i for i, power in enumerate(powers)}
    seas = [i for i, p in enumerate(board.provinces) if p.terrain is Terrain.SEA]
    sea_of = [-1] * size
    for sea, province in enumerate(seas):
        sea_of[province] = sea
    sea_shores = [reach[len(locations) + province] for province in seas]
    ports = [int(p.terrain is Terrain.COASTAL) for p in board.provinces]
    landings = [[places[location] for location in p.fleet_locations] for p in board.provinces]
    home = [-1 if p.home is None else power_of[p.home] for p in board.provinces]
    homes, sites = (
        [[index[code] for code in codes[power]] for power in powers]
        for codes in (board.home_centers, board.build_centers)
    )
    countries = [[i for i in range(size) if home[i] == power] for power in range(len(powers))]
    around = [
        mask_of(reach[i]) | mask_of(x for place in landings[i] for x in reach[len(places) + place])
        for i in range(size)
    ]
    sails = [mask_of(row) for row in near[len(places) :]]
    names = [p.name.casefold() for p in board.provinces]
    ranks = {name: rank for rank, name in enumerate(sorted(set(names)))}
    in_order = {place: rank for rank, place in enumerate(sorted(locations))}
    return Table(
        board=board,
        provinces=size,
        places=len(locations),
        place_of=places,
        location_of=locations,
        province_of=provinces,
        powers=powers,
        power_of=power_of,
        near=near,
        reach=reach,
        walks=[mask_of(reach[i]) for i in range(size)],
        around=around,
        seas=seas,
        sea_of=sea_of,
        shores=_shores(size, sea_shores),
        sea_links=[mask_of(sea_of[i] for i in row if sea_of[i] >= 0) for row in sea_shores],
        sea_ports=[mask_of(i for i in row if ports[i]) for row in sea_shores],
        ports=ports,
        landings=landings,
        centers=[i for i, p in enumerate(board.provinces) if p.center],
        home=home,
        build_centers=sites,
        walk_steps=[count_steps(goals, around, size) for goals in homes],
        sail_steps=[_count_sail_steps(goals, landings, sails) for goals in homes],
        country_walk_steps=[count_steps(goals, around, size) for goals in countries],
        country_sail_steps=[_count_sail_steps(goals, landings, sails) for goals in countries],
        rank=[ranks[name] for name in names],
        alphabet=[in_order[place] for place in locations],
        stages=STAGES,
        last_turn=max(number for number, stage in enumerate(STAGES) if stage == OF_MOVES),
        victory=board.victory_centers,
        first_year=board.first_year,
        starts=[
            (KINDS.index(start.kind), places[start.location], power_of[start.power])
            for start in board.starts
        ],
        native={},
        units={},
    )


_MAX_STORED = 64
_stored: dict[int, tuple[Board, Table]] = {}
"""The tables of each board by `id()`, which is faster than its hash."""


def table_of(board: Board) -> Table:
    """Return the tables of `board`."""
    stored = _stored.get(id(board))
    if stored is None:
        if len(_stored) >= _MAX_STORED:
            _stored.clear()
        # A stored board is kept with its tables, so that its `id()` is not reused.
        stored = _stored[id(board)] = board, _build_table(board)
    return stored[1]


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of `numbers` as the bits of one integer."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers in `mask`, smallest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def count_steps(goals: Iterable[int], links: Sequence[int], size: int) -> list[int]:
    """Return each number's distance to the nearest of `goals`, or `FAR` if none is reachable."""
    distances = [FAR] * size
    wave = seen = mask_of(goals)
    distance = 0
    while wave:
        onward = 0
        for number in bits(wave):
            distances[number] = distance
            onward |= links[number]
        wave = onward & ~seen
        seen |= wave
        distance += 1
    return distances


def _count_sail_steps(
    goals: Iterable[int], landings: Sequence[Sequence[int]], sails: Sequence[int]
) -> list[int]:
    return count_steps([place for goal in goals for place in landings[goal]], sails, len(sails))


def _near(
    board: Board, places: Mapping[Location, int], locations: Sequence[Location]
) -> list[list[int]]:
    return [
        sorted(places[to] for to in board.destinations(kind, here))
        for kind in KINDS
        for here in locations
    ]


def _shores(size: int, sea_shores: Sequence[Sequence[int]]) -> list[int]:
    shores = [0] * size
    for sea, row in enumerate(sea_shores):
        for province in row:
            shores[province] |= 1 << sea
    return shores


# Tables of many rows as one row, and masks as words.


def list_bits(size: int) -> list[int]:
    """Return the mask of each number below `size`, in its word."""
    return [1 << number % WORD for number in range(size)]


def find_starts(rows: Iterable[Sequence[int]]) -> list[int]:
    """Return where each row begins when all are joined, and where the last ends."""
    starts, end = [0], 0
    for row in rows:
        end += len(row)
        starts.append(end)
    return starts


def join_rows(rows: Iterable[Sequence[int]]) -> list[int]:
    """Return all rows as one."""
    return [number for row in rows for number in row]


def split_masks(masks: Iterable[int], words: int) -> list[int]:
    """Return masks as words of `WORD` bits, the lowest first."""
    low = (1 << WORD) - 1
    return [mask >> word * WORD & low for mask in masks for word in range(words)]
