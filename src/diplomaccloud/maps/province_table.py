"""The tables on a map's page: provinces with their neighbors, and centers by power."""

from dataclasses import dataclass

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.judge.board import Board, Province, ProvinceCode, province_of
from diplomaccloud.maps.gallery import NO_COLOR


@dataclass(frozen=True, slots=True)
class Neighbor:
    """An adjacent province."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class ProvinceRow:
    """A row of the table of provinces.

    If the province has neighbors of both kinds, `by_land` and `by_sea` are those that only armies
    or only fleets can reach. `both` has all other neighbors.
    """

    code: str
    name: str
    terrain: str
    coasts: tuple[str, ...]
    center: bool
    home: str
    both: tuple[Neighbor, ...]
    by_land: tuple[Neighbor, ...]
    by_sea: tuple[Neighbor, ...]


@dataclass(frozen=True, slots=True)
class CenterRow:
    """A supply center, and the kind of unit that starts there, if any."""

    code: str
    name: str
    unit: str


@dataclass(frozen=True, slots=True)
class CenterGroup:
    """The home centers of one power, or the neutral centers with an empty color."""

    name: str
    color: str
    centers: tuple[CenterRow, ...]


def build_province_rows(chart: Chart) -> tuple[ProvinceRow, ...]:
    """Return the rows of the table of provinces, sorted by name."""
    board = chart.board
    return tuple(
        _build_province_row(board, province)
        for province in sorted(board.provinces, key=lambda p: p.name)
    )


def build_center_groups(chart: Chart) -> tuple[CenterGroup, ...]:
    """Return the centers grouped by home power, neutral centers last."""
    board = chart.board
    units = {province_of(start.location): start.kind.word for start in board.starts}

    def build_rows(home: str | None) -> tuple[CenterRow, ...]:
        centers = [p for p in board.provinces if p.center and p.home == home]
        return tuple(
            CenterRow(center.code, center.name, units.get(center.code, ""))
            for center in sorted(centers, key=lambda p: p.name)
        )

    homes = [
        CenterGroup(info.name, chart.palette.get(info.power, NO_COLOR), build_rows(info.power))
        for info in board.powers
    ]
    return (*homes, CenterGroup("Neutral", "", build_rows(None)))


def _build_province_row(board: Board, province: Province) -> ProvinceRow:
    army_neighbors = set(board.army_neighbors.get(province.code, ()))
    fleet_neighbors = {
        to for place in province.fleet_locations for to in board.fleet_provinces[place]
    }
    if army_neighbors and fleet_neighbors:
        both = army_neighbors & fleet_neighbors
    else:
        both = army_neighbors | fleet_neighbors  # inland provinces and seas have one kind only

    def build_neighbors(codes: set[ProvinceCode]) -> tuple[Neighbor, ...]:
        return tuple(Neighbor(code, board.by_code[code].name) for code in sorted(codes))

    return ProvinceRow(
        code=province.code,
        name=province.name,
        terrain=province.terrain.value,
        coasts=province.coasts,
        center=province.center,
        home=board.power_info[province.home].name if province.home else "",
        both=build_neighbors(both),
        by_land=build_neighbors(army_neighbors - both),
        by_sea=build_neighbors(fleet_neighbors - both),
    )
