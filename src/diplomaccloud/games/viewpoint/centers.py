"""Who owned which supply center after each year."""

from collections.abc import Mapping

from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season

Owners = Mapping[ProvinceCode, Power]


def read_owners(rows: GameRows) -> dict[int, Owners]:
    """Return the owners of the centers by year.

    The first year is the one before the game's first, with the owners at the start; the last
    year shows the owners now.
    """
    start = rows.game.starting_position
    by_year: dict[int, Owners] = {start.phase.year - 1: start.centers}
    # Ownership changes once a year, so the first phase of a year has the previous year's result.
    openings = rows.phases.filter(name__startswith="S", name__endswith="M")
    for name, position in openings.order_by("sequence").values_list("name", "position"):
        # A long game has many positions, and only their centers are needed here.
        centers: Owners = position["centers"]
        by_year[JudgePhase.parse(name).year - 1] = centers
    # A game that ended after a Fall has the position of the next Spring.
    year = rows.position.phase.year - (rows.position.phase.season is Season.SPRING)
    if rows.position.centers != by_year[max(by_year)]:
        by_year[max(year, max(by_year) + 1)] = rows.position.centers
    return by_year
