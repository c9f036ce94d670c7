"""A position: everything that the judge needs to know apart from the orders.

`Position.problems` finds what makes a position impossible; `notation.parse_position` reads one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from types import MappingProxyType

from diplomaccloud.judge.board import (
    MAX_NUMBER,
    Board,
    Location,
    Power,
    ProvinceCode,
    UnitKind,
    province_of,
    unknown_power_error,
)
from diplomaccloud.judge.checks import (
    require_list,
    require_text,
    require_type,
    require_whole_number,
)
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.phases import CALENDAR, Phase, Season, Stage
from diplomaccloud.judge.standard.europe import default_board
from diplomaccloud.judge.units import Unit


class PositionError(ValueError):
    """A position that is impossible on its board; `problems` has a sentence for each fault."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(problems)  # Copies and pickles are made with these arguments.
        self.problems = problems

    def __str__(self) -> str:
        return self.problems[0]


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
        _require_phase(self.phase)
        _require_units(units)
        _require_centers(self.centers)
        _require_dislodged(dislodged)
        object.__setattr__(self, "units", tuple(sorted(units, key=_in_order)))
        object.__setattr__(self, "centers", MappingProxyType(dict(sorted(self.centers.items()))))
        by_unit = sorted(dislodged, key=lambda entry: _in_order(entry.unit))
        object.__setattr__(self, "dislodged", tuple(map(_sort_retreats, by_unit)))

    def __hash__(self) -> int:
        """Return the same number for equal positions."""
        owners = frozenset(self.centers.items())
        return hash((self.phase, self.units, owners, self.dislodged))

    def to_text(self) -> str:
        """Return the position as text for `parse_position`, with one section per line."""
        sections: dict[str, list[str]] = {}
        for unit in self.units:
            sections.setdefault(unit.power, []).append(str(unit))
        for entry in self.dislodged:
            source = f" from {entry.by}" if entry.by else ""
            text = f"{entry.unit} ({' '.join(entry.retreats)}){source}"
            sections.setdefault(f"dislodged {entry.unit.power}", []).append(text)
        for code, power in self.centers.items():
            sections.setdefault(f"centers {power}", []).append(code)
        lines = [f"{heading}: {', '.join(items)}" for heading, items in sections.items()]
        return "\n".join([str(self.phase), *lines])

    def __str__(self) -> str:
        """Return the phase, and a line for each power with centers or units."""
        return self.summarize()

    def summarize(self, powers: Iterable[Power] = ()) -> str:
        """Return the phase, and a line for each of `powers` and of those with something.

        A line has the centers and their number, the units, and dislodged units with the places that
        they may retreat to.
        """
        named = {unit.power for unit in self.units} | {*self.centers.values()}
        named |= {entry.unit.power for entry in self.dislodged}
        listed = [*dict.fromkeys([*powers, *sorted(named)])]
        owned = {power: self.centers_of(power) for power in listed}
        codes = {
            power: f"{' '.join(owned[power])} ({len(owned[power])})".lstrip() for power in listed
        }
        wide, long = (max(map(len, texts), default=0) for texts in (listed, codes.values()))
        lines = [str(self.phase)]
        for power in listed:
            units = [str(unit) for unit in self.units_of(power)]
            for entry in self.dislodged_of(power):
                units.append(f"dislodged {entry.unit} ({' '.join(entry.retreats) or 'no retreat'})")
            lines.append(f"{power:{wide}}  {codes[power]:{long}}  {', '.join(units)}".rstrip())
        return "\n".join(lines)

    def problems(self, board: Board | None = None) -> tuple[str, ...]:
        """Return a sentence for each fault that makes the position impossible on `board`.

        `adjudicate` refuses a position whose units have problems. `board` is the standard board
        unless given.
        """
        board = default_board(board)
        return (
            *_find_unit_problems(board, self.units, "units"),
            *_find_unit_problems(board, [entry.unit for entry in self.dislodged], "dislodged"),
            *(f"dislodged: {what}" for what in find_impossible_retreats(board, self)),
            *(f"dislodged: {what}" for what in _find_unlikely_retreats(board, self)),
            *_find_center_problems(board, self),
        )

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


def require_arguments(board: object, position: object, power: object = "") -> None:
    """Raise `TypeError` if an argument has the wrong type; the message quotes the argument."""
    if isinstance(board, Board) and isinstance(position, Position) and isinstance(power, str):
        return
    require_type("board", board, Board)
    require_type("position", position, Position)
    require_text("power", power)


def require_power(board: Board, position: Position, power: object) -> None:
    """Raise `ValueError` if neither the board nor a unit in `position` has the power."""
    if isinstance(power, str) and power in board.power_info:
        return
    units = (*position.units, *(entry.unit for entry in position.dislodged))
    if any(unit.power == power for unit in units):
        return
    raise unknown_power_error(board, power)


def starting_position(board: Board) -> Position:
    """Return the starting position of a game on `board`, in its first phase."""
    require_type("board", board, Board)
    return Position(
        phase=Phase.first(board.first_year),
        units=tuple(Unit(start.kind, start.location, start.power) for start in board.starts),
        centers={p.code: p.home for p in board.provinces if p.center and p.home is not None},
    )


# Types.


def _require_phase(phase: Phase) -> None:
    require_type("phase", phase, Phase)
    require_type("phase.season", phase.season, Season)
    require_type("phase.stage", phase.stage, Stage)
    require_whole_number("phase.year", phase.year, 0, MAX_NUMBER)
    if (phase.season, phase.stage) not in CALENDAR:
        raise ValueError(f"phase: there is no phase {phase}")


_TYPES = {(UnitKind, str, str)}


def _require_units(units: Sequence[Unit]) -> None:
    # Types are almost always right, and checking all units together is faster.
    if {*map(type, units)} <= {Unit}:
        types = {(type(unit.kind), type(unit.location), type(unit.power)) for unit in units}
        if types <= _TYPES:
            return
    for number, unit in enumerate(units):
        _require_unit(f"units[{number}]", unit)


def _require_unit(name: str, unit: Unit) -> None:
    require_type(name, unit, Unit)
    require_type(f"{name}.kind", unit.kind, UnitKind)
    require_text(f"{name}.location", unit.location)
    require_text(f"{name}.power", unit.power)


def _require_centers(centers: Mapping[ProvinceCode, Power]) -> None:
    require_type("centers", centers, Mapping)
    if {*map(type, centers), *map(type, centers.values())} <= {str}:
        return
    for code, owner in centers.items():
        require_text("centers: a key", code)
        require_text(f"centers[{code!r}]", owner)


def _require_dislodged(dislodged: Sequence[Dislodged]) -> None:
    for number, entry in enumerate(dislodged):
        name = f"dislodged[{number}]"
        require_type(name, entry, Dislodged)
        _require_unit(f"{name}.unit", entry.unit)
        require_text(f"{name}.by", entry.by)
        require_type(f"{name}.retreats", entry.retreats, tuple)
        for index, place in enumerate(entry.retreats):
            require_text(f"{name}.retreats[{index}]", place)


# Problems.


def require_sound_units(board: Board, position: Position) -> None:
    """Raise `PositionError` if units cannot be where they are or where they may retreat to."""
    places = geography(board).places
    for part, units in (
        ("units", position.units),
        ("dislodged", tuple(entry.unit for entry in position.dislodged)),
    ):
        placed = all(unit.location in places[unit.kind] for unit in units)
        known = board.power_info.keys() >= {unit.power for unit in units}
        if not placed or not known or len({unit.province for unit in units}) < len(units):
            raise PositionError(tuple(_find_unit_problems(board, units, part)))
    require_possible_retreats(board, position)


def require_possible_retreats(board: Board, position: Position) -> None:
    """Raise `PositionError` if a dislodged unit in `position` has an impossible retreat."""
    if position.dislodged and (problems := tuple(find_impossible_retreats(board, position))):
        raise PositionError(tuple(f"dislodged: {problem}" for problem in problems))


def _find_unit_problems(board: Board, units: Iterable[Unit], part: str) -> Iterator[str]:
    seen: dict[ProvinceCode, Unit] = {}
    for unit in units:
        what = _find_unit_problem(board, unit)
        first = seen.setdefault(unit.province, unit)
        if first is not unit:
            what = f"there are two units in {unit.province}; the other is {first} of {first.power}"
        if what:
            yield f"{part}: {unit} of {unit.power}: {what}"


def _find_unit_problem(board: Board, unit: Unit) -> str:
    """Return what is wrong with a single unit, or an empty string."""
    if unit.power not in board.power_info:
        return f"there is no power {unit.power} on this board"
    if unit.location in geography(board).places[unit.kind]:
        return ""
    province = board.by_code.get(unit.province)
    if province is None:
        return f"there is no province {unit.province} on this board"
    if unit.kind is UnitKind.ARMY:
        coast = f"an army has no coast: write A {unit.province}"
        return coast if "/" in unit.location else f"{province.name} is water, where no army can be"
    if not province.fleet_locations:
        return f"{province.name} is inland, where no fleet can be"
    return f"a fleet there stands on {' or '.join(province.fleet_locations)}"


def _find_center_problems(board: Board, position: Position) -> Iterator[str]:
    for code, owner in position.centers.items():
        province = board.by_code.get(code)
        if province is None or not province.center:
            yield f"centers: {code}: there is no such supply center on this board"
        elif owner not in board.power_info:
            yield f"centers: {code}: there is no power {owner} on this board"


def find_impossible_retreats(board: Board, position: Position) -> Iterator[str]:
    """Yield a sentence for each retreat to a place where the unit cannot be.

    The units in `position` must be on `board`.
    """
    if position.dislodged and position.phase.stage is not Stage.RETREATS:
        yield f"there are no retreats in {position.phase}"
    standing = {unit.province: unit for unit in position.units}
    for entry in position.dislodged:
        near, seen = _near(board, entry.unit), set[Location]()
        for place in entry.retreats:
            what = ""
            if place not in near:
                what = f"it cannot go to {place}"
            elif (there := standing.get(province_of(place))) is not None:
                what = f"it cannot go to {place}, where {there} of {there.power} stands"
            elif place in seen:
                what = f"it can go to {place}, but that is listed twice"
            if what:
                yield f"{entry.unit} of {entry.unit.power}: {what}"
            seen.add(place)


def _find_unlikely_retreats(board: Board, position: Position) -> Iterator[str]:
    """Yield a sentence for each retreat that could not follow from any movement phase."""
    standing = {unit.province: unit for unit in position.units}
    for entry in position.dislodged:
        attacker = standing.get(entry.unit.province)
        for what in (
            _find_attacker_problem(board, entry, attacker),
            _find_way_back(board, entry, attacker),
            _find_barred_places(board, entry, position),
        ):
            if what:
                yield f"{entry.unit} of {entry.unit.power}: {what}"


def _near(board: Board, unit: Unit) -> frozenset[Location]:
    return geography(board).places[unit.kind].get(unit.location, frozenset())


def _find_attacker_problem(board: Board, entry: Dislodged, attacker: Unit | None) -> str:
    province = entry.unit.province
    if attacker is None:
        return f"no unit in {province} could have dislodged it"
    if attacker.power == entry.unit.power:
        return f"{attacker} in its place has the same power and cannot have dislodged it"
    if not entry.by:
        return ""
    if entry.by not in board.by_code:
        return f"its attacker came from {entry.by}, which is not on this board"
    walked = entry.by in board.reach(attacker.kind, attacker.location)
    if entry.by == province or not (walked or _may_be_convoyed(board, attacker, entry.by)):
        return f"{attacker}, its attacker, cannot have come from {entry.by}"
    return ""


def _may_be_convoyed(board: Board, unit: Unit, source: ProvinceCode) -> bool:
    return unit.kind is UnitKind.ARMY and {unit.province, source} <= geography(board).ports


def _find_way_back(board: Board, entry: Dislodged, attacker: Unit | None) -> str:
    """Return the problem if the unit may retreat to where its attacker came from by land."""
    if attacker is None or not entry.by or _may_be_convoyed(board, attacker, entry.by):
        return ""
    back = [place for place in entry.retreats if province_of(place) == entry.by]
    return f"it cannot go to {back[0]}, where its attacker came from" if back else ""


def _find_barred_places(board: Board, entry: Dislodged, position: Position) -> str:
    """Return the problem if other units may retreat to a place that this unit should also have.

    Only the province that its attacker came from can be barred to a single unit.
    """
    allowed = {province_of(place) for place in entry.retreats}
    others = {province_of(place) for entry in position.dislodged for place in entry.retreats}
    near = _near(board, entry.unit)
    if missing := [p for p in sorted(near - {*entry.retreats}) if province_of(p) in allowed]:
        return f"it can go to {province_of(missing[0])}, but {missing[0]} is left out"
    barred = sorted({province_of(place) for place in near} & others - allowed - {entry.by})
    if len(barred) > (0 if entry.by else 1):
        return f"it can go to {' and '.join(barred)} if another unit can"
    return ""
