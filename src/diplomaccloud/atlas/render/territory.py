"""Find the power whose color each province has."""

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.position import Position


def find_territory(
    chart: Chart, position: Position, *, home_tint: bool = True
) -> dict[ProvinceCode, Power]:
    """Return the power whose color each province has.

    A center has the color of its owner. Other home provinces have the color of their home power
    while that power owns at least one of its home centers (never without `home_tint`). The
    remaining provinces have none.
    """
    homes = chart.board.home_centers
    with_home = {
        power
        for power, centers in homes.items()
        if any(position.centers.get(code) == power for code in centers)
    }
    owners = dict(position.centers)
    for province in chart.board.provinces:
        if home_tint and not province.center and province.home in with_home:
            owners[province.code] = province.home
    return owners
