"""Messages as values: a key and typed parameters, without English text.

`catalog` has the English sentence for each key, and `english` fills in the parameters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

from diplomaccloud.judge.board import Power, UnitKind
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class Place:
    """A province, or one of its coasts."""

    location: str


@dataclass(frozen=True, slots=True)
class PowerName:
    """A power, shown by its printed name."""

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
    Unit,
    OwnUnit,
    UnitDistance,
    UnitKind,
    Place,
    PowerName,
    Order,
    Phase,
    int,
    str,
    "Message",
    "Parameters",
]
Parameters = tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """The key of a sentence in the catalog, with the values of its named parameters."""

    key: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    @classmethod
    def of(cls, key: str, **parameters: Parameter) -> "Message":
        """Return the message `key` with these parameters."""
        return cls(key, parameters)

    def __hash__(self) -> int:
        return hash((self.key, frozenset(self.parameters.items())))


def join_sentences(messages: Sequence[Message]) -> Message:
    """Return one message that contains all of `messages` as separate sentences."""
    if len(messages) == 1:
        return messages[0]
    return Message.of("sentences", sentences=tuple(messages))
