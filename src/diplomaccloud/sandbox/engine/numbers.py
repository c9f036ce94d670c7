"""Numbers for the elements of a board, so that a position takes few characters."""

from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.units import Unit

Spot = tuple[UnitKind, Location]
"""Where a unit of a kind may stand."""


@dataclass(frozen=True)
class BoardNumbers:
    """The powers, centers, provinces, locations and spots of a board, by number and by name."""

    powers: tuple[Power, ...]
    centers: tuple[ProvinceCode, ...]
    provinces: tuple[ProvinceCode, ...]
    places: tuple[Location, ...]
    spots: tuple[Spot, ...]
    power_numbers: dict[Power, int]
    province_numbers: dict[ProvinceCode, int]
    place_numbers: dict[Location, int]
    spot_numbers: dict[Spot, int]

    def number_unit(self, unit: Unit) -> int:
        """Return the number of a unit; raise `KeyError` if it cannot stand on the board."""
        spot = self.spot_numbers[unit.kind, unit.location]
        return spot * len(self.powers) + self.power_numbers[unit.power]

    def find_unit(self, number: int) -> Unit:
        """Return the unit with this number; raise `IndexError` if there is none."""
        spot, power = divmod(number, len(self.powers))
        kind, location = self.spots[spot]
        return Unit(kind, location, self.powers[power])


@lru_cache(maxsize=32)
def number_board(board: Board) -> BoardNumbers:
    """Return the numbers of `board`. They never change, because boards don't."""
    powers = tuple(info.power for info in board.powers)
    provinces = tuple(province.code for province in board.provinces)
    coasts = [place for p in board.provinces if p.coasts for place in p.fleet_locations]
    places = (*map(Location, provinces), *coasts)
    spots = tuple((kind, location) for kind in UnitKind for location in board.locations(kind))
    return BoardNumbers(
        powers=powers,
        centers=board.centers,
        provinces=provinces,
        places=places,
        spots=spots,
        power_numbers={power: number for number, power in enumerate(powers)},
        province_numbers={code: number for number, code in enumerate(provinces)},
        place_numbers={place: number for number, place in enumerate(places)},
        spot_numbers={spot: number for number, spot in enumerate(spots)},
    )
