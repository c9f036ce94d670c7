"""The tables of a map's page: provinces with their neighbours, centers by power."""

from dataclasses import dataclass

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.judge.board import Board, Province, ProvinceCode, province_of
from diplomaccloud.maps.gallery import NO_COLOUR


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A province that touches."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class ProvinceRow:
    """A province in the map's table.

    Of its neighbours `by_land` and `by_sea` are those that only an army or only a fleet
    reaches, where a province knows both; `both` are all others.
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
    """A center, and the unit that starts there in words, if any."""

    code: str
    name: str
    unit: str


@dataclass(frozen=True, slots=True)
class CenterGroup:
    """The home centers of one power, or with a blank colour the neutral ones."""

    name: str
    color: str
    centers: tuple[CenterRow, ...]


def province_rows(chart: Chart) -> tuple[ProvinceRow, ...]:
    """Return the table of a map's provinces, by name."""
    board = chart.board
    return tuple(_province(board, one) for one in sorted(board.provinces, key=lambda p: p.name))


def center_groups(chart: Chart) -> tuple[CenterGroup, ...]:
    """Return the centers by the power whose home they are, the neutral ones last."""
    board = chart.board
    units = {province_of(start.location): start.kind.word for start in board.starts}

    def rows(home: str | None) -> tuple[CenterRow, ...]:
        found = [one for one in board.provinces if one.center and one.home == home]
        return tuple(
            CenterRow(one.code, one.name, units.get(one.code, ""))
            for one in sorted(found, key=lambda p: p.name)
        )

    homes = [
        CenterGroup(info.name, chart.palette.get(info.power, NO_COLOUR), rows(info.power))
        for info in board.powers
    ]
    return (*homes, CenterGroup("Neutral", "", rows(None)))


def _province(board: Board, province: Province) -> ProvinceRow:
    walks = set(board.army_neighbors.get(province.code, ()))
    sails = {to for place in province.fleet_locations for to in board.fleet_provinces[place]}
    # Inland and at sea there is but one way to go.
    both = walks & sails if walks and sails else walks | sails

    def listed(codes: set[ProvinceCode]) -> tuple[Neighbor, ...]:
        return tuple(Neighbor(code, board.by_code[code].name) for code in sorted(codes))

    return ProvinceRow(
        code=province.code,
        name=province.name,
        terrain=province.terrain.value,
        coasts=province.coasts,
        center=province.center,
        home=board.power_info[province.home].name if province.home else "",
        both=listed(both),
        by_land=listed(walks - both),
        by_sea=listed(sails - both),
    )
