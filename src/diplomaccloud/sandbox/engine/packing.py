"""Converting numbers to bytes and back, and orders to numbers."""

from typing import assert_never

from diplomaccloud.atlas.marks import INKS, Mark, MarkKind
from diplomaccloud.judge.board import Location, ProvinceCode
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
from diplomaccloud.sandbox.engine.numbers import BoardNumbers

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
    """Reads numbers, orders and the rest from bytes; every method may raise `DamagedError`."""

    def __init__(self, numbers: BoardNumbers, packed: bytes) -> None:
        self._numbers = numbers
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

    def read_orders(self, limit: int) -> tuple[Order, ...]:
        """Return orders, at most `limit`."""
        return tuple([self._read_order() for _ in range(self.read_number(limit + 1))])

    def read_marks(self, limit: int) -> tuple[Mark, ...]:
        """Return marks, at most `limit`; their texts are not checked."""
        return tuple([self._read_mark() for _ in range(self.read_number(limit + 1))])

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
