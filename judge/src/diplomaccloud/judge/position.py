"""A position: everything that the judge needs to know apart from the orders."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from types import MappingProxyType

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode
from diplomaccloud.judge.checks import require_list, require_text, require_type
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.position_parts import require_parts
from diplomaccloud.judge.position_problems import find_problems
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that must retreat or disband.

    `by` is the province its attacker came from; `retreats` are the locations it may retreat to,
    sorted, as determined when it was dislodged.
    """

    unit: Unit
    by: ProvinceCode
    retreats: tuple[Location, ...]


def _sort_retreats(entry: Dislodged) -> Dislodged:
    retreats = tuple(sorted(entry.retreats))
    return entry if retreats == entry.retreats else replace(entry, retreats=retreats)


_in_order = attrgetter("kind", "location", "power")
"""A sort key that sorts units in their own order, in a third of the time."""

_NONE_GAINED: Mapping[ProvinceCode, Power] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Position:
    """The phase, the units, the owners of the centers, and the dislodged units.

    Units and dislodged units are always sorted, so equal positions are equal values. A
    dislodged unit is not among `units`. A center missing from `centers` is neutral.
    """

    phase: Phase
    units: tuple[Unit, ...]
    centers: Mapping[ProvinceCode, Power]
    dislodged: tuple[Dislodged, ...] = field(default=())

    def __post_init__(self) -> None:
        """Sort the units and dislodged units, so that their original order does not matter.

        Raises `TypeError` for a part of the wrong type, such as a unit whose kind is text.
        """
        units = tuple(require_list("units", self.units))
        dislodged = tuple(require_list("dislodged", self.dislodged))
        require_parts(self.phase, units, self.centers, dislodged)
        object.__setattr__(self, "units", tuple(sorted(units, key=_in_order)))
        object.__setattr__(self, "centers", MappingProxyType(dict(sorted(self.centers.items()))))
        by_unit = sorted(dislodged, key=lambda entry: _in_order(entry.unit))
        object.__setattr__(self, "dislodged", tuple(map(_sort_retreats, by_unit)))

    def __hash__(self) -> int:
        """Return the same number for equal positions."""
        owners = frozenset(self.centers.items())
        return hash((self.phase, self.units, owners, self.dislodged))

    @classmethod
    def parse(cls, text: str, board: Board | None = None) -> "Position":
        """Return the position written as `S1901M FRANCE: A PAR, F BRE; GERMANY: A MUN`.

        The phase comes first, then each power with its units. `centers FRANCE: PAR MAR` lists
        centers, and `dislodged FRANCE: A BUR (GAS PAR) from MUN` a dislodged unit with the places
        it may retreat to and, if known, where its attacker came from. Sections are separated by
        semicolons or line breaks. Nothing is added, so a center that is not listed is neutral.
        `board` is the standard board unless given. Raises `PositionError` with a sentence for every
        part at fault.
        """
        from diplomaccloud.judge.position_text import parse_position  # noqa: PLC0415 it reads units

        return parse_position(text, board)

    def to_text(self) -> str:
        """Return the position as text for `parse`, with one section per line."""
        from diplomaccloud.judge.position_text import write_position  # noqa: PLC0415

        return write_position(self)

    def problems(self, board: Board | None = None) -> tuple[str, ...]:
        """Return a sentence for each fault that makes the position impossible on `board`.

        `adjudicate` refuses a position whose units have problems. `board` is the standard board
        unless given.
        """
        from diplomaccloud.judge.position_text import default_board  # noqa: PLC0415

        return find_problems(default_board(board), self)

    def __reduce__(self) -> tuple[type["Position"], tuple[object, ...]]:
        """Return the arguments that recreate the position; a mapping proxy cannot be pickled."""
        return Position, (self.phase, self.units, dict(self.centers), self.dislodged)

    @classmethod
    def in_order(
        cls,
        phase: Phase,
        units: tuple[Unit, ...],
        centers: Mapping[ProvinceCode, Power],
        dislodged: tuple[Dislodged, ...] = (),
    ) -> "Position":
        """Return a position of units and centers that are already sorted.

        `centers` may be shared with another position, because they are immutable.
        """
        made = object.__new__(cls)
        _set_phase(made, phase)
        _set_units(made, units)
        _set_centers(made, centers)
        _set_dislodged(made, dislodged)
        return made

    def at(self, phase: Phase, gained: Mapping[ProvinceCode, Power] = _NONE_GAINED) -> "Position":
        """Return the same position in another phase, with new owners for some centers."""
        require_type("phase", phase, Phase)
        centers = self.centers
        if gained:
            centers = change_owners(copy_centers(centers), gained.items())
        return self.in_order(phase, self.units, centers, self.dislodged)

    def unit_in(self, province: ProvinceCode) -> Unit | None:
        """Return the unit in `province`, ignoring dislodged units."""
        require_text("province", province)
        return next((unit for unit in self.units if unit.province == province), None)

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """Return the units of `power`, without dislodged units."""
        return tuple(unit for unit in self.units if unit.power == power)

    def centers_of(self, power: Power) -> tuple[ProvinceCode, ...]:
        """Return the centers that `power` owns, sorted."""
        return tuple(code for code, owner in self.centers.items() if owner == power)

    def dislodged_of(self, power: Power) -> tuple[Dislodged, ...]:
        """Return the dislodged units of `power`."""
        return tuple(entry for entry in self.dislodged if entry.unit.power == power)


# On a class with slots, this takes a third of the time of `object.__setattr__`.
_set_phase, _set_units, _set_centers, _set_dislodged = [
    getattr(Position, field.name).__set__ for field in fields(Position)
]


def copy_centers(centers: Mapping[ProvinceCode, Power]) -> dict[ProvinceCode, Power]:
    """Return a copy in a tenth of the time that `dict(centers)` takes."""
    return centers.copy() if isinstance(centers, MappingProxyType) else dict(centers)


def change_owners(
    owners: dict[ProvinceCode, Power], gained: Iterable[tuple[ProvinceCode, Power]]
) -> Mapping[ProvinceCode, Power]:
    """Change the owners of some centers in `owners`, keep it sorted, and return it."""
    count = len(owners)
    owners.update(gained)
    # Without new keys they stay sorted, and sorting takes longer than everything else.
    return MappingProxyType(owners if len(owners) == count else dict(sorted(owners.items())))


def starting_position(board: Board) -> Position:
    """Return the starting position of a game on `board`: Spring of its first year."""
    require_type("board", board, Board)
    return Position(
        phase=Phase(Season.SPRING, board.first_year, Stage.MOVEMENT),
        units=tuple(Unit(start.kind, start.location, start.power) for start in board.starts),
        centers={p.code: p.home for p in board.provinces if p.center and p.home is not None},
    )
