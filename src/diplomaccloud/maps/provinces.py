"""The tables of a map's page: provinces with their neighbours, centers by power."""

from dataclasses import dataclass

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.judge.board import Board, Province, province_of
from diplomaccloud.maps.gallery import NO_COLOUR


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A province that touches; `by` says for which unit: `A`, `F`, or blank for both."""

    code: str
    name: str
    by: str


@dataclass(frozen=True, slots=True)
class ProvinceRow:
    """A province in the map's table."""

    code: str
    name: str
    terrain: str
    coasts: tuple[str, ...]
    center: bool
    home: str
    neighbors: tuple[Neighbor, ...]


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

    def neighbor(code: str) -> Neighbor:
        by = "" if code in walks and code in sails else "A" if code in walks else "F"
        # What only a fleet can do needs no word where there is water on one side.
        if not walks or not sails:
            by = ""
        return Neighbor(code, board.by_code[province_of(code)].name, by)  # type: ignore[arg-type]

    return ProvinceRow(
        code=province.code,
        name=province.name,
        terrain=province.terrain.value,
        coasts=province.coasts,
        center=province.center,
        home=board.power_info[province.home].name if province.home else "",
        neighbors=tuple(neighbor(code) for code in sorted(walks | sails)),
    )
