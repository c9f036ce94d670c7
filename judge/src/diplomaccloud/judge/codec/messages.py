"""Messages as JSON: the key, and the parameters by name, each with its type.

Text and numbers stand for themselves, and a list for several parameters. Any other parameter is an
object whose only key is its type: `{"unit": ["A", "PAR", "FRANCE"]}`, `{"place": "STP/NC"}`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from diplomaccloud.judge.board import Power, UnitKind
from diplomaccloud.judge.codec.orders import (
    order_to_json,
    read_order,
    read_phase,
    read_unit,
    unit_to_json,
)
from diplomaccloud.judge.codec.reader import Json, Node
from diplomaccloud.judge.geography import NAMELESS, Geography
from diplomaccloud.judge.messages.catalog import MESSAGES
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import (
    Message,
    OwnUnit,
    Parameter,
    Place,
    PowerName,
    UnitDistance,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.units import Unit

MAX_STEPS = 1_000_000
"""More steps than there are on any board, and more than the number that means "no route"."""


def message_to_json(message: Message) -> Json:
    """Return `message` as JSON."""
    parameters = {name: _parameter_to_json(value) for name, value in message.parameters.items()}
    return {"key": str(message.key), "parameters": parameters}


def read_message(node: Node) -> Message:
    """Return the message at `node`; raise `CodecError` if it is invalid."""
    entries = node["parameters"].entries()
    return Message(
        node["key"].word(), {name.word(): _read_parameter(value) for name, value in entries}
    )


def _parameter_to_json(value: Parameter) -> object:
    if isinstance(value, tuple):
        return [_parameter_to_json(member) for member in value]
    kind, write = _WRITERS.get(type(value), _ORDER_WRITER)
    if kind is None:
        return value
    return {kind: write(value)}


_Writer = tuple[str | None, Callable[[Any], object]]
_PLAIN: _Writer = (None, lambda value: value)
_ORDER_WRITER: _Writer = ("order", order_to_json)
_WRITERS: Mapping[type, _Writer] = {
    str: _PLAIN,
    int: _PLAIN,
    Unit: ("unit", unit_to_json),
    OwnUnit: ("own", lambda own: unit_to_json(own.unit)),
    UnitDistance: ("distance", lambda far: [unit_to_json(far.unit), far.steps]),
    Place: ("place", lambda place: place.location),
    PowerName: ("power", lambda name: name.power),
    UnitKind: ("kind", lambda kind: kind.value),
    Phase: ("phase", str),
    Message: ("message", message_to_json),
}


def _read_parameter(node: Node) -> Parameter:
    value = node.value
    if isinstance(value, str):
        return node.text()
    if isinstance(value, list):
        return node.several(_read_parameter)
    if not isinstance(value, dict):
        return node.integer()
    for kind, read in _READERS.items():
        if kind in node:
            return read(node[kind])
    raise node.error(f"not one of {', '.join(_READERS)}")


def _read_distance(node: Node) -> UnitDistance:
    unit, steps = node.items(2)
    return UnitDistance(read_unit(unit), steps.integer(0, MAX_STEPS))


_READERS: Mapping[str, Callable[[Node], Parameter]] = {
    "unit": read_unit,
    "own": lambda node: OwnUnit(read_unit(node)),
    "distance": _read_distance,
    "place": lambda node: Place(node.place()),
    "power": lambda node: PowerName(Power(node.word())),
    "kind": lambda node: node.member(UnitKind),
    "phase": read_phase,
    "message": read_message,
    "order": read_order,
}


class StoredSentence(Sentence):
    """A sentence whose message is read from JSON when needed.

    A message whose key existed only in an earlier version is blank.
    """

    __slots__ = ("_node",)

    def __init__(self, node: Node, names: Geography = NAMELESS) -> None:
        self._node = node
        self._names = names
        self._text = None

    @property
    def message(self) -> Message:
        """The message as a key and parameters."""
        message = read_message(self._node)
        return message if message.key in MESSAGES else Message("refused", {"reason": ""})

    def with_names(self, names: Geography) -> Sentence:
        """Return the sentence with the names of places and powers in `names`."""
        return StoredSentence(self._node, names)


def read_sentence(node: Node) -> Sentence:
    """Return the sentence whose message is at `node`; it is read and checked when needed."""
    node["key"].word()
    return StoredSentence(node)
