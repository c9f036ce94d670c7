"""The text of a state in an address: compact, versioned, URL-safe, and validated when read.

The text is URL-safe base64. The first byte is the version, then three bytes identify the map and
three are a checksum. They are followed by the edition, the phase, the owners of the centers as one
number, units, dislodged units, the orders of each past phase, the orders of the phase shown, and
any marks. See `packing` for numbers.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox.engine.errors import SandboxError
from diplomaccloud.sandbox.engine.marks import MAX_MARKS, add_mark
from diplomaccloud.sandbox.engine.numbers import BoardNumbers, number_board
from diplomaccloud.sandbox.engine.packing import DamagedError, Packer, Unpacker
from diplomaccloud.sandbox.engine.state import MAX_PAST, SandboxState
from diplomaccloud.sandbox.engine.steps import replay

VERSION = 1

MAX_LENGTH = 6_000
"""The maximum length in characters, because all servers accept addresses of 8,000 characters."""

MAX_YEAR = 9_999

_EDITIONS = (
    *("1961", "1971", "1982", "2000", "2023", "CD-ROM", "2009"),
    *("webDiplomacy", "diplomacy package", "godip", "DiplomacyGM"),
)
"""The editions by number. Add new ones at the end, because addresses contain the numbers."""

_PHASES = (
    (Season.SPRING, Stage.MOVEMENT),
    (Season.SPRING, Stage.RETREATS),
    (Season.FALL, Stage.MOVEMENT),
    (Season.FALL, Stage.RETREATS),
    (Season.WINTER, Stage.ADJUSTMENTS),
)
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
    numbers = number_board(board)
    packer = Packer(numbers)
    try:
        _pack(packer, numbers, state)
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
    reader = _StateReader(board, body)
    try:
        state = reader.read(problems)
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


def _pack(packer: Packer, numbers: BoardNumbers, state: SandboxState) -> None:
    position = state.start
    packer.add_number(_EDITIONS.index(state.edition))
    packer.add_number(_PHASES.index((position.phase.season, position.phase.stage)))
    packer.add_number(position.phase.year)
    packer.packed += _pack_owners(numbers, position)
    packer.add_number(len(position.units))
    for unit in position.units:
        packer.add_number(numbers.number_unit(unit))
    packer.add_number(len(position.dislodged))
    for entry in position.dislodged:
        packer.add_number(numbers.number_unit(entry.unit))
        packer.add_number(numbers.province_numbers[entry.by])
        packer.add_number(len(entry.retreats))
        for place in entry.retreats:
            packer.add_number(numbers.place_numbers[place])
    packer.add_number(len(state.past))
    for orders in state.past:
        packer.add_orders(orders)
    packer.add_orders(state.orders)
    if state.marks:
        # Older texts end before the marks, and so do texts without marks.
        packer.add_marks(state.marks)


def _pack_owners(numbers: BoardNumbers, position: Position) -> bytes:
    """Return the owners as the digits of one number, with 0 for a neutral center."""
    if unknown := set(position.centers) - set(numbers.centers):
        raise KeyError(unknown)
    base, number = len(numbers.powers) + 1, 0
    for code in numbers.centers:
        owner = position.centers.get(code)
        number = number * base + (0 if owner is None else numbers.power_numbers[owner] + 1)
    return number.to_bytes(_owner_bytes(numbers), "big")


def _owner_bytes(numbers: BoardNumbers) -> int:
    """Return how many bytes the owners take."""
    highest: int = (len(numbers.powers) + 1) ** len(numbers.centers) - 1
    return (highest.bit_length() + 7) // 8


class _StateReader:
    """Reads a state and records what it leaves out."""

    def __init__(self, board: Board, body: bytes) -> None:
        self._board = board
        self._numbers = number_board(board)
        self._names = geography(board)
        self._bytes = Unpacker(self._numbers, body)

    def read(self, problems: list[str]) -> SandboxState:
        """Return the state; raise `DamagedError` if it ends before its units do."""
        edition = _EDITIONS[self._bytes.read_number(len(_EDITIONS))]
        season, stage = _PHASES[self._bytes.read_number(len(_PHASES))]
        phase = Phase(season, self._bytes.read_number(MAX_YEAR + 1), stage)
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
        number = int.from_bytes(self._bytes.read_bytes(_owner_bytes(self._numbers)), "big")
        centers: dict[ProvinceCode, Power] = {}
        for code in reversed(self._numbers.centers):
            number, digit = divmod(number, base)
            if digit:
                centers[code] = self._numbers.powers[digit - 1]
        if number:
            raise DamagedError("a center has no such owner")
        return centers

    def _read_units(self, problems: list[str]) -> tuple[Unit, ...]:
        count = self._bytes.read_number(len(self._numbers.provinces) + 1)
        units: dict[ProvinceCode, Unit] = {}
        for _ in range(count):
            unit = self._numbers.find_unit(self._bytes.read_unit_number())
            if unit.province in units:
                place = self._names.name(unit.province)
                problems.append(f"Only one unit fits in {place}, so {unit} was left out.")
            else:
                units[unit.province] = unit
        return tuple(units.values())

    def _read_dislodged(self, problems: list[str]) -> tuple[Dislodged, ...]:
        count = self._bytes.read_number(len(self._numbers.provinces) + 1)
        entries: dict[ProvinceCode, Dislodged] = {}
        for _ in range(count):
            unit = self._numbers.find_unit(self._bytes.read_unit_number())
            by = self._bytes.read_province()
            options = self._bytes.read_number(len(self._numbers.places))
            retreats = {self._bytes.read_place() for _ in range(options)}
            reachable = self._board.destinations(unit.kind, unit.location)
            if unit.province in entries or not retreats <= reachable:
                problems.append(f"The dislodged {unit} was left out, because it cannot be there.")
            else:
                entries[unit.province] = Dislodged(unit, by, tuple(sorted(retreats)))
        return tuple(entries.values())

    def _read_orders(self, state: SandboxState, problems: list[str]) -> SandboxState:
        """Return `state` with its orders, or those of complete phases if they end too early."""
        limit = 2 * len(self._numbers.provinces)
        count = self._bytes.read_number(MAX_PAST + 1)
        past: list[tuple[Order, ...]] = []
        orders: tuple[Order, ...] = ()
        try:
            for _ in range(count):
                past.append(_drop_repeated(self._bytes.read_orders(limit), problems))
            orders = _drop_repeated(self._bytes.read_orders(limit), problems)
        except DamagedError:
            problems.append(_DAMAGED)
            return replace(state, past=tuple(past), orders=orders)
        state = replace(state, past=tuple(past), orders=orders)
        return state if self._bytes.is_finished else self._read_marks(state, problems)

    def _read_marks(self, state: SandboxState, problems: list[str]) -> SandboxState:
        """Return `state` with the marks that can be drawn."""
        try:
            marks = self._bytes.read_marks(MAX_MARKS)
            if not self._bytes.is_finished:
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
