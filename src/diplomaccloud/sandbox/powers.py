"""The powers of a map with their colors and their numbers of units and centers."""

from dataclasses import dataclass

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import Position
from diplomaccloud.maps.gallery import NO_COLOR


@dataclass(frozen=True, slots=True)
class PowerView:
    """A power with its color and its numbers of units and centers."""

    power: Power
    name: str
    color: str
    units: int
    centers: int


def list_powers(chart: Chart, position: Position) -> dict[Power, PowerView]:
    """Return the powers of `chart` in board order, with their units and centers in `position`."""
    return {
        info.power: PowerView(
            info.power,
            info.name,
            chart.palette.get(info.power, NO_COLOR),
            len(position.units_of(info.power)) + len(position.dislodged_of(info.power)),
            len(position.centers_of(info.power)),
        )
        for info in chart.board.powers
    }
