"""Whose colour each province bears."""

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.position import Position


def territory(
    chart: Chart, position: Position, *, home_tint: bool = True
) -> dict[ProvinceCode, Power]:
    """Return whose colour each province bears.

    A center bears its owner's. Other home land bears its home power's while that power owns
    at least one of its home centers (never when not `home_tint`). All else bears none.
    """
    homes = chart.board.home_centers
    alive = {
        power
        for power, centers in homes.items()
        if any(position.centers.get(code) == power for code in centers)
    }
    found = dict(position.centers)
    for province in chart.board.provinces:
        if home_tint and not province.center and province.home in alive:
            found[province.code] = province.home
    return found
