"""The text of a state in an address: compact, versioned, URL-safe, and validated when read.

The text is URL-safe base64. The first byte is the version, then three bytes identify the map and
three are a checksum. They are followed by the edition, the phase, the owners of the centers as
one number, units, dislodged units, the orders of each past phase, the orders of the phase shown,
and any marks. See `Packer` for numbers.

The sandbox stores nothing: its address is its state, with a version, a part of the map's hash and a
checksum. Results are not in it, because the judge computes them again. The order of provinces,
coasts and powers in a board, and the numbers of editions, are part of addresses that people have
stored, so changing them needs a new version.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.drawing.chart import INKS, Mark, MarkKind
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import CALENDAR, Phase, Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox.engine import (
    MAX_MARKS,
    MAX_PAST,
    MAX_YEAR,
    SandboxError,
    SandboxState,
    add_mark,
    replay,
)

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

    @property
    def owner_bytes(self) -> int:
        """How many bytes the owners of the centers take."""
        highest: int = (len(self.powers) + 1) ** len(self.centers) - 1
        return (highest.bit_length() + 7) // 8

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


# Converting numbers to bytes and back, and orders to numbers.


_MAX_NUMBER_BYTES = 4
"""The maximum number of bytes for a number. No board needs more."""

_HOLD, _MOVE, _VIA, _PATH, _VIA_PATH, _SUPPORT_HOLD, _SUPPORT_MOVE, _CONVOY = range(8)
_RETREAT, _DISBAND, _BUILD, _WAIVE = range(8, 12)

_MARKS, _INKS = tuple(MarkKind), tuple(INKS)
_MAX_TEXT_BYTES = 1_000
"""The maximum number of bytes for the text of a pin."""


class DamagedError(ValueError):
    """Bytes that end too early or that don't match anything on the board."""


class Packer:
    """Collects numbers, orders and the rest as bytes."""

    def __init__(self, numbers: BoardNumbers) -> None:
        self._numbers = numbers
        self.packed = bytearray()

    def add_number(self, number: int) -> None:
        """Add a number with seven bits per byte, lowest first."""
        while number > 0x7F:
            self.packed.append(number & 0x7F | 0x80)
            number >>= 7
        self.packed.append(number)

    def add_state(self, state: SandboxState) -> None:
        """Add a whole state; raise `KeyError` or `ValueError` if it does not fit the board."""
        numbers, position = self._numbers, state.start
        self.add_number(_EDITIONS.index(state.edition))
        self.add_number(CALENDAR.index((position.phase.season, position.phase.stage)))
        self.add_number(position.phase.year)
        self._add_owners(position)
        self.add_number(len(position.units))
        for unit in position.units:
            self.add_number(numbers.number_unit(unit))
        self.add_number(len(position.dislodged))
        for entry in position.dislodged:
            self.add_number(numbers.number_unit(entry.unit))
            self.add_number(numbers.province_numbers[entry.by])
            self.add_number(len(entry.retreats))
            for place in entry.retreats:
                self.add_number(numbers.place_numbers[place])
        self.add_number(len(state.past))
        for orders in (*state.past, state.orders):
            self.add_orders(orders)
        if state.marks:
            # Older texts end before the marks, and so do texts without marks.
            self.add_marks(state.marks)

    def _add_owners(self, position: Position) -> None:
        """Add the owners as the digits of one number, with 0 for a neutral center."""
        numbers = self._numbers
        if unknown := set(position.centers) - set(numbers.centers):
            raise KeyError(unknown)
        base, number = len(numbers.powers) + 1, 0
        for code in numbers.centers:
            owner = position.centers.get(code)
            number = number * base + (0 if owner is None else numbers.power_numbers[owner] + 1)
        self.packed += number.to_bytes(numbers.owner_bytes, "big")

    def add_orders(self, orders: tuple[Order, ...]) -> None:
        """Add orders, preceded by their count; raise `KeyError` for a place not on the board."""
        self.add_number(len(orders))
        for order in orders:
            for number in self._number_order(order):
                self.add_number(number)

    def add_marks(self, marks: tuple[Mark, ...]) -> None:
        """Add marks, preceded by their count; raise `KeyError` for a province not on the board."""
        provinces = self._numbers.province_numbers
        self.add_number(len(marks))
        for mark in marks:
            self.add_number(_MARKS.index(mark.kind))
            self.add_number(_INKS.index(mark.ink))
            self.add_number(provinces[mark.province])
            if mark.kind is MarkKind.ARROW:
                self.add_number(provinces[mark.to])
            if mark.kind is MarkKind.PIN:
                text = mark.text.encode()
                self.add_number(len(text))
                self.packed += text

    def _number_order(self, order: Order) -> list[int]:
        unit_number, places = self._numbers.number_unit, self._numbers.place_numbers
        numbers: list[int]
        match order:
            case Hold(unit):
                numbers = [_HOLD, unit_number(unit)]
            case Move(unit, to, via, ()):
                numbers = [_VIA if via else _MOVE, unit_number(unit), places[to]]
            case Move(unit, to, via, path):
                seas = [self._numbers.province_numbers[sea] for sea in path]
                code = _VIA_PATH if via else _PATH
                numbers = [code, unit_number(unit), places[to], len(seas), *seas]
            case SupportHold(unit, target):
                numbers = [_SUPPORT_HOLD, unit_number(unit), unit_number(target)]
            case SupportMove(unit, target, to):
                numbers = [_SUPPORT_MOVE, unit_number(unit), unit_number(target), places[to]]
            case Convoy(unit, target, goal):
                numbers = [_CONVOY, unit_number(unit), unit_number(target), places[Location(goal)]]
            case Retreat(unit, to):
                numbers = [_RETREAT, unit_number(unit), places[to]]
            case Disband(unit):
                numbers = [_DISBAND, unit_number(unit)]
            case Build(unit):
                numbers = [_BUILD, unit_number(unit)]
            case Waive(power):
                numbers = [_WAIVE, self._numbers.power_numbers[power]]
            case _:
                assert_never(order)
        return numbers


class Unpacker:
    """Reads a state and its parts from bytes; every method may raise `DamagedError`."""

    def __init__(self, board: Board, packed: bytes) -> None:
        self._board = board
        self._numbers = number_board(board)
        self._packed = packed
        self._place = 0

    @property
    def is_finished(self) -> bool:
        """Whether all bytes have been read."""
        return self._place == len(self._packed)

    def read_bytes(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        end = self._place + count
        if end > len(self._packed):
            raise DamagedError("the text ends too early")
        piece = self._packed[self._place : end]
        self._place = end
        return piece

    def read_number(self, limit: int) -> int:
        """Return the next number, which must be below `limit`."""
        number = 0
        for position in range(_MAX_NUMBER_BYTES):
            (byte,) = self.read_bytes(1)
            number |= (byte & 0x7F) << 7 * position
            if byte < 0x80:
                if number >= limit:
                    break
                return number
        raise DamagedError("a number is too large")

    def read_unit_number(self) -> int:
        """Return the number of a unit that the board can have."""
        return self.read_number(len(self._numbers.spots) * len(self._numbers.powers))

    def read_place(self) -> Location:
        """Return a location."""
        return self._numbers.places[self.read_number(len(self._numbers.places))]

    def read_province(self) -> ProvinceCode:
        """Return a province."""
        return self._numbers.provinces[self.read_number(len(self._numbers.provinces))]

    def read_state(self, problems: list[str]) -> SandboxState:
        """Return the state; raise `DamagedError` if it ends before its units do."""
        edition = _EDITIONS[self.read_number(len(_EDITIONS))]
        season, stage = CALENDAR[self.read_number(len(CALENDAR))]
        phase = Phase(season, self.read_number(MAX_YEAR + 1), stage)
        centers = self._read_owners()
        units = self._read_units(problems)
        start = Position(phase, units, centers)
        try:
            dislodged = self._read_dislodged(problems)
            if stage is Stage.RETREATS:
                start = replace(start, dislodged=dislodged)
            elif dislodged:
                problems.append("There can be dislodged units only in a retreat phase.")
            state = SandboxState(start, edition=edition)
            return self._read_orders(state, problems)
        except DamagedError:
            problems.append(_DAMAGED)
            return SandboxState(start, edition=edition)

    def _read_owners(self) -> dict[ProvinceCode, Power]:
        base = len(self._numbers.powers) + 1
        number = int.from_bytes(self.read_bytes(self._numbers.owner_bytes), "big")
        centers: dict[ProvinceCode, Power] = {}
        for code in reversed(self._numbers.centers):
            number, digit = divmod(number, base)
            if digit:
                centers[code] = self._numbers.powers[digit - 1]
        if number:
            raise DamagedError("a center has no such owner")
        return centers

    def _read_units(self, problems: list[str]) -> tuple[Unit, ...]:
        count = self.read_number(len(self._numbers.provinces) + 1)
        units: dict[ProvinceCode, Unit] = {}
        for _ in range(count):
            unit = self._numbers.find_unit(self.read_unit_number())
            if unit.province in units:
                place = self._board.by_code[unit.province].name
                problems.append(f"Only one unit fits in {place}, so {unit} was left out.")
            else:
                units[unit.province] = unit
        return tuple(units.values())

    def _read_dislodged(self, problems: list[str]) -> tuple[Dislodged, ...]:
        count = self.read_number(len(self._numbers.provinces) + 1)
        entries: dict[ProvinceCode, Dislodged] = {}
        for _ in range(count):
            unit = self._numbers.find_unit(self.read_unit_number())
            by = self.read_province()
            options = self.read_number(len(self._numbers.places))
            retreats = {self.read_place() for _ in range(options)}
            reachable = self._board.destinations(unit.kind, unit.location)
            if unit.province in entries or not retreats <= reachable:
                problems.append(f"The dislodged {unit} was left out, because it cannot be there.")
            else:
                entries[unit.province] = Dislodged(unit, by, tuple(sorted(retreats)))
        return tuple(entries.values())

    def _read_orders(self, state: SandboxState, problems: list[str]) -> SandboxState:
        """Return `state` with its orders, or those of complete phases if they end too early."""
        limit = 2 * len(self._numbers.provinces)
        count = self.read_number(MAX_PAST + 1)
        past: list[tuple[Order, ...]] = []
        orders: tuple[Order, ...] = ()
        try:
            for _ in range(count):
                past.append(_drop_repeated(self._read_list(limit), problems))
            orders = _drop_repeated(self._read_list(limit), problems)
        except DamagedError:
            problems.append(_DAMAGED)
            return replace(state, past=tuple(past), orders=orders)
        state = replace(state, past=tuple(past), orders=orders)
        return state if self.is_finished else self._read_marks(state, problems)

    def _read_marks(self, state: SandboxState, problems: list[str]) -> SandboxState:
        """Return `state` with the marks that can be drawn."""
        try:
            marks = tuple([self._read_mark() for _ in range(self.read_number(MAX_MARKS + 1))])
            if not self.is_finished:
                problems.append(_DAMAGED)
        except DamagedError:
            problems.append(_DAMAGED)
            return state
        for mark in marks:
            try:
                state = add_mark(self._board, state, mark)
            except SandboxError as error:
                problems.append(f"A mark was left out. {error}")
        return state

    def _read_list(self, limit: int) -> tuple[Order, ...]:
        return tuple([self._read_order() for _ in range(self.read_number(limit + 1))])

    def _read_mark(self) -> Mark:
        kind = _MARKS[self.read_number(len(_MARKS))]
        ink = _INKS[self.read_number(len(_INKS))]
        province = self.read_province()
        if kind is MarkKind.ARROW:
            return Mark(kind, ink, province, to=self.read_province())
        if kind is MarkKind.PIN:
            packed = self.read_bytes(self.read_number(_MAX_TEXT_BYTES + 1))
            try:
                return Mark(kind, ink, province, text=packed.decode())
            except UnicodeDecodeError as error:
                raise DamagedError("a text is damaged") from error
        return Mark(kind, ink, province)

    def _read_order(self) -> Order:
        code = self.read_number(_WAIVE + 1)
        if code == _WAIVE:
            return Waive(self._numbers.powers[self.read_number(len(self._numbers.powers))])
        unit = self._numbers.find_unit(self.read_unit_number())
        order: Order
        match code:
            case 0:
                order = Hold(unit)
            case 1 | 2:
                order = Move(unit, self.read_place(), via_convoy=code == _VIA)
            case 3 | 4:
                to = self.read_place()
                count = self.read_number(len(self._numbers.provinces))
                path = tuple([self.read_province() for _ in range(count)])
                if not path:
                    raise DamagedError("a path is empty")
                order = Move(unit, to, code == _VIA_PATH, path)
            case 5:
                order = SupportHold(unit, self._numbers.find_unit(self.read_unit_number()))
            case 6:
                target = self._numbers.find_unit(self.read_unit_number())
                order = SupportMove(unit, target, self.read_place())
            case 7:
                target = self._numbers.find_unit(self.read_unit_number())
                order = Convoy(unit, target, self.read_province())
            case 8:
                order = Retreat(unit, self.read_place())
            case 9:
                order = Disband(unit)
            case _:
                order = Build(unit)
        return order


VERSION = 1

MAX_LENGTH = 6_000
"""The maximum length in characters, because all servers accept addresses of 8,000 characters."""

_EDITIONS = (
    *("1961", "1971", "1982", "2000", "2023", "CD-ROM", "2009"),
    *("webDiplomacy", "diplomacy package", "godip", "DiplomacyGM"),
)
"""The editions by number. Add new ones at the end, because addresses contain the numbers."""

_HEAD = 7
_DAMAGED = (
    "This address is incomplete, or part of it was changed. The board shows what could be read."
)


@dataclass(frozen=True, slots=True)
class AddressReading:
    """The state in a text, and sentences about what was left out."""

    state: SandboxState
    problems: tuple[str, ...] = ()


def encode_state(state: SandboxState, board: Board, map_hash: str) -> str:
    """Return the text of `state` on the map with this hash.

    Raises `SandboxError` if the state does not fit the board or is too large for an address.
    """
    packer = Packer(number_board(board))
    try:
        packer.add_state(state)
    except (KeyError, ValueError) as error:
        raise SandboxError("This position does not fit the map.") from error
    body = bytes(packer.packed)
    head = bytes([VERSION]) + _key(map_hash) + _checksum(body, map_hash)
    text = base64.urlsafe_b64encode(head + body).decode().rstrip("=")
    if len(text) > MAX_LENGTH:
        raise SandboxError("This position has more units and orders than an address can hold.")
    return text


def fit_state(state: SandboxState, board: Board, map_hash: str) -> tuple[SandboxState, str]:
    """Return `state` and its text, dropping the oldest phases if they don't fit in an address.

    Raises `SandboxError` if it doesn't fit even without past phases.
    """
    while True:
        try:
            return state, encode_state(state, board, map_hash)
        except SandboxError:
            if not state.past:
                raise
        first = replay(board, state).phases[0]
        state = replace(state, start=first.resolution.next, past=state.past[1:])


def decode_state(text: str, board: Board, map_hash: str) -> SandboxState:
    """Return the state in `text`; raise `SandboxError` if anything is wrong with it."""
    reading = read_state(text, board, map_hash)
    if reading.problems:
        raise SandboxError(reading.problems[0])
    return reading.state


def read_state(text: str, board: Board, map_hash: str) -> AddressReading:
    """Return as much of the state in `text` as can be read.

    Raises `SandboxError` if there is nothing usable.
    """
    packed = _unpack_text(text)
    if packed[1:4] != _key(map_hash):
        raise SandboxError("This address belongs to another map.")
    body = packed[_HEAD:]
    problems = [] if packed[4:_HEAD] == _checksum(body, map_hash) else [_DAMAGED]
    try:
        state = Unpacker(board, body).read_state(problems)
    except DamagedError as error:
        raise SandboxError(
            "This address is damaged: it does not say where the units are."
        ) from error
    return AddressReading(state, tuple(dict.fromkeys(problems)))


def _unpack_text(text: str) -> bytes:
    if len(text) > MAX_LENGTH:
        raise SandboxError(f"This address is longer than {MAX_LENGTH:,} characters.")
    try:
        packed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", True)
    except (UnicodeEncodeError, binascii.Error, ValueError) as error:
        raise SandboxError("This is not the address of a sandbox position.") from error
    if len(packed) < _HEAD:
        raise SandboxError("This is not the address of a sandbox position.")
    if packed[0] != VERSION:
        raise SandboxError("This address comes from a version that this site does not support.")
    return packed


def _key(map_hash: str) -> bytes:
    return bytes.fromhex(map_hash[:6])


def _checksum(body: bytes, map_hash: str) -> bytes:
    return hashlib.sha256(map_hash.encode() + body).digest()[:3]


def _drop_repeated(orders: Iterable[Order], problems: list[str]) -> tuple[Order, ...]:
    """Return `orders` without second orders for the same unit."""
    first: list[Order] = []
    ordered: set[Unit] = set()
    for order in orders:
        if not isinstance(order, Waive):
            if order.unit in ordered:
                problems.append(f"{order.unit} has two orders, so {order} was left out.")
                continue
            ordered.add(order.unit)
        first.append(order)
    return tuple(first)
