"""Orders as values, and their canonical text.

An order contains its full unit. `legality` decides whether the unit exists and may follow the
order. An impossible order is adjudicated as void and does not raise an error.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.units import Unit, is_unit


@dataclass(frozen=True, slots=True, order=True)
class Hold:
    """`A PAR H`."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """`A PAR - BUR`, or `A LON - NWY VIA` when the order specifies a convoy.

    `path` has the seas that the order names on its route; few rule sets use it (DATC 4.A.6).
    """

    unit: Unit
    to: Location
    via_convoy: bool = False
    path: tuple[ProvinceCode, ...] = ()

    def __str__(self) -> str:
        seas = "".join(f" - {sea}" for sea in self.path)
        return f"{self.unit}{seas} - {self.to}{' VIA' if self.via_convoy else ''}"


@dataclass(frozen=True, slots=True, order=True)
class SupportHold:
    """`A MUN S A BUR`: support for a unit that does not move. `target` is that unit."""

    unit: Unit
    target: Unit

    def __str__(self) -> str:
        return f"{self.unit} S {self.target}"


@dataclass(frozen=True, slots=True, order=True)
class SupportMove:
    """`A MUN S A PAR - BUR`: support for the move of `target` to `to`.

    `to` may name a coast or leave it out (DATC 4.B.4).
    """

    unit: Unit
    target: Unit
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} S {self.target} - {self.to}"


@dataclass(frozen=True, slots=True, order=True)
class Convoy:
    """`F NTH C A LON - NWY`: convoys the army `target` to `to`."""

    unit: Unit
    target: Unit
    to: ProvinceCode

    def __str__(self) -> str:
        return f"{self.unit} C {self.target} - {self.to}"


@dataclass(frozen=True, slots=True, order=True)
class Retreat:
    """`A PAR R GAS`."""

    unit: Unit
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True, order=True)
class Disband:
    """`A PAR D`: instead of a retreat, or as an adjustment."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True, order=True)
class Build:
    """`F STP/NC B`."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} B"


@dataclass(frozen=True, slots=True, order=True)
class Waive:
    """`WAIVE`: one build is waived."""

    power: Power

    def __str__(self) -> str:
        return "WAIVE"


@dataclass(frozen=True, slots=True, order=True)
class InvalidOrder(Waive):
    """A placeholder for a value that is not an order, in the result that refuses it.

    It has no unit, and `power` is blank.
    """

    text: str

    def __str__(self) -> str:
        return self.text


MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy
RetreatOrder: TypeAlias = Retreat | Disband
AdjustmentOrder: TypeAlias = Build | Disband | Waive
Order: TypeAlias = MovementOrder | RetreatOrder | AdjustmentOrder


def power_of(order: Order) -> Power:
    """Return the power whose unit the order is for."""
    return order.power if isinstance(order, Waive) else order.unit.power


def texts_by_power(orders: Iterable[Order]) -> dict[Power, list[str]]:
    """Return the canonical texts of `orders` by power, both in the sequence of `orders`."""
    texts: dict[Power, list[str]] = {}
    for order in orders:
        texts.setdefault(power_of(order), []).append(str(order))
    return texts


_WITH_UNIT = (Hold, Move, SupportHold, SupportMove, Convoy, Retreat, Disband, Build)


def is_order(value: object) -> bool:
    """Return whether `value` is an order whose parts have the right types."""
    if isinstance(value, Waive):
        return isinstance(value.power, str) and not isinstance(value, InvalidOrder)
    if not isinstance(value, _WITH_UNIT) or not is_unit(value.unit):
        return False
    if isinstance(value, SupportHold | SupportMove | Convoy) and not is_unit(value.target):
        return False
    if isinstance(value, Move):
        seas = value.path
        if not isinstance(seas, tuple) or not all(isinstance(sea, str) for sea in seas):
            return False
    if isinstance(value, Move | SupportMove | Convoy | Retreat):
        return isinstance(value.to, str)
    return True
