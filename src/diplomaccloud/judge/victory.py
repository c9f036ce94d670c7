"""Who owns the centers after Fall, and who has won."""

from collections import Counter
from collections.abc import Iterable, Mapping

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.units import Unit


def centers_gained(
    board: Board, units: Iterable[Unit], centers: Mapping[ProvinceCode, Power]
) -> tuple[tuple[ProvinceCode, Power], ...]:
    """Return the centers that change hands because `units` stand in them, sorted."""
    known = set(board.centers)
    return tuple(
        sorted(
            (unit.province, unit.power)
            for unit in units
            if unit.province in known and centers.get(unit.province) != unit.power
        )
    )


def find_ending(board: Board, centers: Mapping[ProvinceCode, Power], when: str) -> Ending | None:
    """Return the ending if one power alone leads with enough centers, else `None`.

    `when` names the time for the reason, such as `Fall 1907`.
    """
    ranking = Counter(centers.values()).most_common(2)
    if not ranking or ranking[0][1] < board.victory_centers:
        return None
    power, count = ranking[0]
    if len(ranking) > 1 and ranking[1][1] == count:
        return None
    name = geography(board).power(power)
    total = len(board.centers)
    return Ending((power,), f"{name} owned {count} of {total} centers after {when}.")
