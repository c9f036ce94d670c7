"""Messages as values: a key and typed parameters, without any words.

`catalog` has the English sentence of each key, `english` puts the parameters into it.
"""

from dataclasses import dataclass
from typing import Union

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class Place:
    """A province, or one of its coasts."""

    location: str


@dataclass(frozen=True, slots=True)
class PowerName:
    """A power, to be called by its printed name."""

    power: Power


@dataclass(frozen=True, slots=True)
class OwnUnit:
    """A unit of the power that the sentence is about."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class UnitDistance:
    """A unit and its steps to the nearest home center, as civil disorder counts them."""

    unit: Unit
    steps: int


Parameter = Union[
    Unit, OwnUnit, UnitDistance, Place, PowerName, Order, int, str, "Message", "Parameters"
]
Parameters = tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence of the catalog by its key, with the values of its named parameters."""

    key: str
    parameters: tuple[tuple[str, Parameter], ...] = ()

    @classmethod
    def of(cls, key: str, **parameters: Parameter) -> "Message":
        """Return the message `key` with these parameters."""
        return cls(key, tuple(parameters.items()))
