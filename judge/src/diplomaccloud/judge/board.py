"""The board: provinces, coasts, powers and borders, without geometry.

A *province* is named by its code (`"STP"`). A *location* is where a unit stands: a
province, or one coast of a province whose coast is split (`"STP/SC"`).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NewType, TypeVar

from diplomaccloud.judge.checks import (
    describe,
    require_pair,
    require_text,
    require_type,
    require_whole_number,
)

MAX_NUMBER = 1_000_000_000
"""The largest year or number of centers of a board; it fits into the integers of a batch."""

MAX_PROVINCES, MAX_POWERS, MAX_PLACES = 512, 64, 1024
"""The limits of a board. Its places are the provinces and the coasts of split provinces."""

Power = NewType("Power", str)
"""A power's key in upper case, such as `AUSTRIA`; its printed name is in `PowerInfo`."""

ProvinceCode = NewType("ProvinceCode", str)
"""A province's code in upper case, such as `PAR`."""

Location = NewType("Location", str)
"""A province code, or a province code and coast such as `STP/SC`."""


class BoardError(ValueError):
    """A board that contradicts itself; the message names the place at fault."""


class UnitKind(StrEnum):
    """Army or fleet, by its letter in orders."""

    ARMY = "A"
    FLEET = "F"

    @property
    def word(self) -> str:
        """`army` or `fleet`."""
        return self.name.lower()


class Terrain(StrEnum):
    """The kind of a province; armies need land, fleets need water or a coast."""

    INLAND = "inland"
    COASTAL = "coastal"
    SEA = "sea"


class BorderKind(StrEnum):
    """What a border rule says about the line that two provinces share."""

    CLOSED = "closed"
    """Some units do not pass, although the provinces touch, e.g. at a mountain ridge."""
    RIVER = "river"
    """Fleets pass from one bank to the other, and stand in both provinces as on a coast."""


@dataclass(frozen=True, slots=True)
class Province:
    """One space of the board.

    `coasts` is empty unless the coast is split (`("NC", "SC")`). `home` is the power whose home
    country this is; it may build in the center, if there is one. `aliases` are other spellings
    accepted in orders, in any letter case.
    """

    code: ProvinceCode
    name: str
    terrain: Terrain
    coasts: tuple[str, ...] = ()
    center: bool = False
    home: Power | None = None
    aliases: tuple[str, ...] = ()

    @property
    def fleet_locations(self) -> tuple[Location, ...]:
        """Where a fleet may stand in this province; empty if it is inland."""
        if self.terrain is Terrain.INLAND:
            return ()
        if self.coasts:
            return tuple(Location(f"{self.code}/{coast}") for coast in self.coasts)
        return (Location(self.code),)


@dataclass(frozen=True, slots=True)
class PowerInfo:
    """A power as printed: its key, name ("Austria") and adjective ("Austrian")."""

    power: Power
    name: str
    adjective: str


@dataclass(frozen=True, slots=True)
class BorderRule:
    """Why two provinces that touch have no border, or one that no sea explains.

    A closed border is between two provinces, and `units` are the kinds that do not pass: armies,
    fleets, or both in this order. A river is between two locations of fleets in land provinces,
    and has no `units`. The borders of the board already follow these rules, so a rule changes no
    move; it says how the line is drawn and what the checks of a map accept.
    """

    kind: BorderKind
    first: Location
    second: Location
    units: tuple[UnitKind, ...] = ()

    @property
    def pair(self) -> frozenset[ProvinceCode]:
        """The two provinces."""
        return frozenset((province_of(self.first), province_of(self.second)))


@dataclass(frozen=True, slots=True)
class Start:
    """A unit's starting place."""

    power: Power
    kind: UnitKind
    location: Location


def province_of(location: Location | ProvinceCode) -> ProvinceCode:
    """Return the province that `location` lies in."""
    return ProvinceCode(location[: location.index("/")] if "/" in location else location)


@dataclass(frozen=True)
class Board:
    """An immutable board, checked when it is created.

    `army_borders` are unordered pairs of provinces between which an army may walk, and
    `fleet_borders` are unordered pairs of locations between which a fleet may sail.
    `impassable` are (code, name) pairs of spaces that no unit may enter. `border_rules` explain
    borders that are missing or unusual.

    Raises `BoardError` for an unknown place, a border that the terrain forbids, a duplicate code, a
    starting unit where it cannot be, or a board beyond the limits, and `TypeError` for a part of
    the wrong type.
    """

    name: str
    powers: tuple[PowerInfo, ...]
    provinces: tuple[Province, ...]
    army_borders: tuple[tuple[ProvinceCode, ProvinceCode], ...]
    fleet_borders: tuple[tuple[Location, Location], ...]
    starts: tuple[Start, ...]
    victory_centers: int
    first_year: int = 1901
    impassable: tuple[tuple[ProvinceCode, str], ...] = ()
    border_rules: tuple[BorderRule, ...] = ()

    def __post_init__(self) -> None:
        """Check every type, name and border."""
        _check_types(self)
        _check(self)

    def __hash__(self) -> int:
        """Return a cheap hash, so that tables can be cached per board."""
        return hash((self.name, len(self.provinces), len(self.army_borders), self.victory_centers))

    @cached_property
    def by_code(self) -> Mapping[ProvinceCode, Province]:
        """Provinces by code, in the order given."""
        return {province.code: province for province in self.provinces}

    @cached_property
    def power_info(self) -> Mapping[Power, PowerInfo]:
        """Powers by key, in the order given."""
        return {info.power: info for info in self.powers}

    @cached_property
    def army_neighbors(self) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
        """For every land province, the provinces an army may walk to."""
        land = [p.code for p in self.provinces if p.terrain is not Terrain.SEA]
        return _symmetric(land, self.army_borders)

    @cached_property
    def fleet_neighbors(self) -> Mapping[Location, frozenset[Location]]:
        """For every fleet location, the locations a fleet may sail to."""
        water = [place for p in self.provinces for place in p.fleet_locations]
        return _symmetric(water, self.fleet_borders)

    @cached_property
    def fleet_provinces(self) -> Mapping[Location, frozenset[ProvinceCode]]:
        """For every fleet location, the provinces a fleet may sail to, ignoring coasts."""
        return {
            place: frozenset(province_of(to) for to in reached)
            for place, reached in self.fleet_neighbors.items()
        }

    @cached_property
    def centers(self) -> tuple[ProvinceCode, ...]:
        """Every supply center, in board order."""
        return tuple(p.code for p in self.provinces if p.center)

    @cached_property
    def center_at(self) -> Mapping[Location, ProvinceCode]:
        """The center that a unit occupies, by the unit's location."""
        return {
            place: p.code
            for p in self.provinces
            if p.center
            for place in (Location(p.code), *p.fleet_locations)
        }

    @cached_property
    def home_centers(self) -> Mapping[Power, tuple[ProvinceCode, ...]]:
        """The centers in each power's home country."""
        return {
            info.power: tuple(p.code for p in self.provinces if p.center and p.home == info.power)
            for info in self.powers
        }

    @property
    def build_centers(self) -> Mapping[Power, tuple[ProvinceCode, ...]]:
        """The centers where each power may build while it owns them and they are empty.

        Only here is it said that these are its home centers; `adjustments.build_sites` looks which
        of them are free in a position.
        """
        return self.home_centers

    def locations(self, kind: UnitKind) -> tuple[Location, ...]:
        """Return every location where a unit of `kind` may stand, in board order."""
        if kind is UnitKind.FLEET:
            return tuple(place for p in self.provinces for place in p.fleet_locations)
        return tuple(Location(p.code) for p in self.provinces if p.terrain is not Terrain.SEA)

    def destinations(self, kind: UnitKind, location: Location) -> frozenset[Location]:
        """Return where a unit may move without a convoy; empty if it cannot be at `location`."""
        if kind is UnitKind.FLEET:
            return self.fleet_neighbors.get(location, frozenset())
        walks = self.army_neighbors.get(ProvinceCode(location), frozenset())
        return frozenset(Location(code) for code in walks)

    def reach(self, kind: UnitKind, location: Location) -> frozenset[ProvinceCode]:
        """Return the provinces that a unit may move to without a convoy, ignoring coasts.

        A unit may also support into these provinces (2000 rulebook, "Support").
        """
        if kind is UnitKind.FLEET:
            return self.fleet_provinces.get(location, frozenset())
        return self.army_neighbors.get(ProvinceCode(location), frozenset())


MAX_ECHO = 40
"""How many characters of an unknown power an error quotes."""


def find_power(board: Board, name: str) -> Power:
    """Return the power with this key or printed name, in any case, or raise `ValueError`."""
    require_text("power", name)
    if name in board.power_info:
        return Power(name)
    folded = " ".join(name.split()).casefold()
    for info in board.powers:
        if folded in {info.power.casefold(), info.name.casefold()}:
            return info.power
    raise unknown_power_error(board, name)


def unknown_power_error(board: Board, name: object) -> ValueError:
    """Return the error for a power that is not on `board`, with those that are."""
    wrong = describe(name)[:MAX_ECHO]
    is_key = wrong.upper() in board.power_info
    hint = f"write {wrong.upper()}" if is_key else f"choose from: {', '.join(board.power_info)}"
    return ValueError(f"there is no power {wrong!r} on this board ({hint})")


_Place = TypeVar("_Place", bound=str)


def _symmetric(
    keys: Iterable[_Place], borders: Iterable[tuple[_Place, _Place]]
) -> dict[_Place, frozenset[_Place]]:
    neighbors: dict[_Place, set[_Place]] = {key: set() for key in keys}
    for first, second in borders:
        neighbors[first].add(second)
        neighbors[second].add(first)
    return {key: frozenset(places) for key, places in neighbors.items()}


def _check_types(board: Board) -> None:
    require_text("name", board.name)
    require_whole_number("victory_centers", board.victory_centers, 0, MAX_NUMBER)
    require_whole_number("first_year", board.first_year, 0, MAX_NUMBER)
    for name, members, kind in (
        ("powers", board.powers, PowerInfo),
        ("provinces", board.provinces, Province),
        ("starts", board.starts, Start),
        ("border_rules", board.border_rules, BorderRule),
    ):
        require_type(name, members, tuple)
        for number, member in enumerate(members):
            require_type(f"{name}[{number}]", member, kind)
    for name, pairs in (
        ("army_borders", board.army_borders),
        ("fleet_borders", board.fleet_borders),
        ("impassable", board.impassable),
    ):
        require_type(name, pairs, tuple)
        for number, pair in enumerate(pairs):
            require_pair(f"{name}[{number}]", pair)


def _check(board: Board) -> None:
    coasts = sum(len(province.coasts) for province in board.provinces)
    for things, count, most in (
        ("provinces", len(board.provinces), MAX_PROVINCES),
        ("powers", len(board.powers), MAX_POWERS),
        ("provinces and coasts", len(board.provinces) + coasts, MAX_PLACES),
    ):
        if count > most:
            raise BoardError(f"{board.name}: a board has at most {most} {things}, not {count}")
    codes = [p.code for p in board.provinces] + [code for code, _ in board.impassable]
    if repeated := sorted({code for code in codes if codes.count(code) > 1}):
        raise BoardError(f"{board.name}: code {repeated[0]} is used for two provinces")
    powers = {info.power for info in board.powers}
    for province in board.provinces:
        if province.home is not None and province.home not in powers:
            raise BoardError(f"{province.code}: home of unknown power {province.home}")
    walkable = set(board.locations(UnitKind.ARMY))
    for walk in board.army_borders:
        _check_border(walk, walkable, UnitKind.ARMY)
    sailable = set(board.locations(UnitKind.FLEET))
    for sail in board.fleet_borders:
        _check_border(sail, sailable, UnitKind.FLEET)
    for start in board.starts:
        allowed = sailable if start.kind is UnitKind.FLEET else walkable
        if start.location not in allowed:
            raise BoardError(f"no {start.kind.word} can start at {start.location}")
        if start.power not in powers:
            raise BoardError(f"unit of unknown power {start.power} at {start.location}")
    occupied = [province_of(start.location) for start in board.starts]
    if crowded := sorted({code for code in occupied if occupied.count(code) > 1}):
        raise BoardError(f"two units start in {crowded[0]}")
    _check_border_rules(board)


def _check_border(border: tuple[str, str], allowed: Collection[str], kind: UnitKind) -> None:
    first, second = border
    for place in border:
        if place not in allowed:
            raise BoardError(f"border {first}-{second}: no {kind.word} can stand at {place}")
    if province_of(ProvinceCode(first)) == province_of(ProvinceCode(second)):
        raise BoardError(f"border {first}-{second}: a province does not border itself")


_CLOSED_TO = ((UnitKind.ARMY,), (UnitKind.FLEET,), (UnitKind.ARMY, UnitKind.FLEET))


def _check_border_rules(board: Board) -> None:
    seen = set()
    for rule in board.border_rules:
        try:
            check = _check_closed if rule.kind is BorderKind.CLOSED else _check_river
            check(board, rule)
        except BoardError as error:
            raise BoardError(f"border rule {rule.first}-{rule.second}: {error}") from error
        key = (rule.kind, frozenset((rule.first, rule.second)))
        if key in seen:
            raise BoardError(f"border rule {rule.first}-{rule.second}: it is there twice")
        seen.add(key)


def _check_closed(board: Board, rule: BorderRule) -> None:
    for place in (rule.first, rule.second):
        if ProvinceCode(place) not in board.by_code:
            raise BoardError(f"{place} is not a province")
    if rule.first == rule.second:
        raise BoardError("a province does not border itself")
    if rule.units not in _CLOSED_TO:
        raise BoardError("it names the units that do not pass: A, F, or both in this order")
    for kind, borders in (
        (UnitKind.ARMY, board.army_borders),
        (UnitKind.FLEET, board.fleet_borders),
    ):
        if kind in rule.units and any(
            {province_of(first), province_of(second)} == rule.pair for first, second in borders
        ):
            raise BoardError(f"it is closed, but a border lets the {kind.word} pass")


def _check_river(board: Board, rule: BorderRule) -> None:
    if rule.units:
        raise BoardError("only a closed border names units")
    for place in (rule.first, rule.second):
        province = board.by_code.get(province_of(place))
        if province is None or place not in province.fleet_locations:
            raise BoardError(f"no fleet can stand at {place}")
        if province.terrain is Terrain.SEA:
            raise BoardError(f"a river is between two land provinces, and {place} is a sea")
    pair = {rule.first, rule.second}
    if not any({*border} == pair for border in board.fleet_borders):
        raise BoardError("a river needs the same pair in the borders for fleets")
