"""Judge values as versioned JSON; reading checks every part.

Written JSON always has `"v": 1`. Input is never trusted: a part that is missing, too long,
contradictory or of the wrong type raises `CodecError`, which gives the path of the part at fault,
for example `units.FRANCE[2]: not a unit: 'X PAR'`. A unit is written as its kind, location and
power: `["A", "PAR", "FRANCE"]`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

from diplomaccloud.judge.board import (
    Board,
    BoardError,
    BorderKind,
    BorderRule,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)
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
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    InvalidOrder,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Phase, PhaseError
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import Ending, OrderResult, Outcome, Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

Json = dict[str, object]
"""A JSON object made of plain values."""

VERSION = 1

BOARD_VERSIONS = (1, 2)
"""The versions of boards that are read; the second has border rules and more powers."""

MAX_FIRST_POWERS = 26
"""How many powers a board of version 1 has at most."""

LATER = "needs a later version of the map format"
"""The error for a rule that a file needs and that is not yet read."""

LATER_BOARD_MEMBERS = ("builds", "turns", "cycle_years", "first_phase", "victory")
LATER_PROVINCE_MEMBERS = ("convoys", "box")
LATER_RULE_MEMBERS = ("turns", "strength")
LATER_RULE_KINDS = ("one-way", "corner", "weak", "seasonal")

MAX_LIST = 20_000
MAX_TEXT = 2_000
MAX_LINE = 80
MAX_WORD = 64
MAX_INTEGER = 1_000_000
MAX_STEPS = 1_000_000
"""More steps than there are on any board, and more than the number that means "no route"."""

_T = TypeVar("_T")
_Member = TypeVar("_Member", bound=StrEnum)


class CodecError(ValueError):
    """JSON that does not describe the expected value; the message names the part at fault."""


class Node:
    """One JSON value and the path that leads to it, such as `arcs[3].points`.

    Each method returns the value if it has the right type, and otherwise raises `CodecError`.
    Nothing is converted silently: `true` is not a number, and `"1"` is not an integer.
    """

    __slots__ = ("_key", "_under", "_value")

    def __init__(self, value: object, key: str | int = "", under: "Node | None" = None) -> None:
        self._value = value
        self._key = key
        self._under = under

    @property
    def _path(self) -> str:
        """The path, which is built only if there is an error."""
        if self._under is None:
            return str(self._key)
        if isinstance(self._key, int):
            return f"{self._under._path}[{self._key}]"
        return self._under._below(self._key)

    def error(self, what: str) -> CodecError:
        """Return an error that says `what` is wrong with this value."""
        return CodecError(f"{self._path or 'value'}: {what}")

    def __getitem__(self, key: str) -> "Node":
        """Return the value under `key` of an object."""
        if not isinstance(self._value, dict):
            raise self.error("not an object")
        if key not in self._value:
            raise CodecError(f"{self._below(key)}: missing")
        return Node(self._value[key], key, self)

    def _below(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def __contains__(self, key: str) -> bool:
        return isinstance(self._value, dict) and key in self._value

    @property
    def value(self) -> object:
        """The unchecked value as received."""
        return self._value

    def entries(self, most: int = MAX_LIST) -> Iterator[tuple["Node", "Node"]]:
        """Yield the keys and values of an object, both untrusted."""
        if not isinstance(self._value, dict):
            raise self.error("not an object")
        if len(self._value) > most:
            raise self.error(f"must have at most {most} members, not {len(self._value)}")
        path = self._path or "value"
        for key, value in self._value.items():
            yield Node(key, f"{path}: key"), Node(value, str(key)[:24], self)

    def items(self, count: int | None = None, *, most: int = MAX_LIST) -> list["Node"]:
        """Return the members of a list, exactly `count` if given, otherwise up to `most`."""
        value = self._value
        if not isinstance(value, list | tuple):
            raise self.error("not a list")
        if len(value) > most or (count is not None and len(value) != count):
            raise self.error(f"must have {count or f'at most {most}'} members, not {len(value)}")
        return [Node(member, i, self) for i, member in enumerate(value)]

    def several(self, read: Callable[["Node"], _T], *, most: int = MAX_LIST) -> tuple[_T, ...]:
        """Return the result of `read` for each member of a list of up to `most`."""
        return tuple(read(node) for node in self.items(most=most))

    def refuse_later(self, members: Iterable[str]) -> None:
        """Raise `CodecError` for the first of `members`, which a later version defines."""
        for member in members:
            if member in self:
                raise self[member].error(LATER)

    def is_null(self) -> bool:
        """Return whether this is `null`."""
        return self._value is None

    def text(self, most: int = MAX_TEXT) -> str:
        """Return text of at most `most` characters."""
        if not isinstance(self._value, str):
            raise self.error("not a text")
        if len(self._value) > most:
            raise self.error(f"longer than {most} characters")
        return self._value

    def line(self, pattern: re.Pattern[str] | None = None, most: int = MAX_LINE) -> str:
        """Return printable text of at most `most` characters that fully matches `pattern`."""
        text = self.text(most)
        if not text.isprintable():
            raise self.error("holds a character that cannot be printed")
        if pattern is not None and pattern.fullmatch(text) is None:
            raise self.error(f"cannot be {text[:24]!r}")
        return text

    def word(self) -> str:
        """Return a short printable text without a slash, such as a code or a key."""
        text = self.text()
        self._check_word(text)
        return text

    def _check_word(self, text: str) -> None:
        if not text or len(text) > MAX_WORD or not text.isprintable() or "/" in text:
            raise self.error(f"not a code: {text[:20]!r}")

    def place(self) -> str:
        """Return a location: a code, or a code and a coast separated by a slash."""
        text = self.text()
        for part in text.split("/", 1):
            self._check_word(part)
        return text

    def truth(self) -> bool:
        """Return true or false."""
        if not isinstance(self._value, bool):
            raise self.error("neither true nor false")
        return self._value

    def integer(self, low: int = -MAX_INTEGER, high: int = MAX_INTEGER) -> int:
        """Return a whole number from `low` to `high`."""
        if isinstance(self._value, bool) or not isinstance(self._value, int):
            raise self.error("not a whole number")
        if not low <= self._value <= high:
            raise self.error(f"not from {low} to {high}")
        return self._value

    def number(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`, both finite."""
        if isinstance(self._value, bool) or not isinstance(self._value, int | float):
            raise self.error("not a number")
        # Compared before conversion: a huge integer does not fit in a float. NaN fails here too.
        if not low <= self._value <= high:
            raise self.error(f"not from {low:g} to {high:g}")
        return float(self._value)

    def member(self, kind: type[_Member]) -> _Member:
        """Return the member of `kind` that the text names."""
        text = self.text()
        try:
            return kind(text)
        except ValueError:
            raise self.error(f"{text[:20]!r} is not one of {', '.join(kind)}") from None


def open_versioned(data: object, version: int) -> Node:
    """Return a node for `data` if its `v` is `version`; otherwise raise `CodecError`."""
    node = Node(data)
    if node["v"].integer() != version:
        raise CodecError(f"v: version {node['v'].integer()} is not supported, only {version}")
    return node


# Boards.


def board_version(board: Board) -> int:
    """Return the lowest version of the format that can hold `board`."""
    return 2 if board.border_rules or len(board.powers) > MAX_FIRST_POWERS else 1


def board_to_json(board: Board) -> Json:
    """Return `board` as JSON, without empty optional members."""
    data: Json = {
        "v": board_version(board),
        "name": board.name,
        "powers": [[info.power, info.name, info.adjective] for info in board.powers],
        "provinces": [
            {
                "code": province.code,
                "name": province.name,
                "terrain": province.terrain.value,
                "coasts": list(province.coasts),
                "center": province.center,
                "home": province.home,
                "aliases": list(province.aliases),
            }
            for province in board.provinces
        ],
        "army_borders": [list(border) for border in board.army_borders],
        "fleet_borders": [list(border) for border in board.fleet_borders],
        "starts": [[start.power, start.kind.value, start.location] for start in board.starts],
        "victory_centers": board.victory_centers,
        "first_year": board.first_year,
        "impassable": [list(space) for space in board.impassable],
    }
    if board.border_rules:
        data["border_rules"] = [_rule_to_json(rule) for rule in board.border_rules]
    return data


def _rule_to_json(rule: BorderRule) -> Json:
    data: Json = {"kind": rule.kind.value, "from": rule.first, "to": rule.second}
    return data | {"units": [kind.value for kind in rule.units]} if rule.units else data


def board_from_json(data: object) -> Board:
    """Return the board that `data` describes; raise `CodecError` if it is invalid."""
    return read_board(Node(data))


def read_board(node: Node) -> Board:
    """Return the board at `node`; raise `CodecError` with its path if it is invalid."""
    require_version(node["v"], BOARD_VERSIONS)
    node.refuse_later(LATER_BOARD_MEMBERS)
    if node["v"].value == 1 and "border_rules" in node and node["border_rules"].value:
        raise node["v"].error("is 1, but border_rules needs version 2")
    try:
        return Board(
            name=node["name"].text(),
            powers=node["powers"].several(_read_power),
            provinces=node["provinces"].several(_read_province),
            army_borders=_read_pairs(node["army_borders"]),
            fleet_borders=_read_pairs(node["fleet_borders"], Node.place, Node.place),
            starts=node["starts"].several(_read_start),
            victory_centers=node["victory_centers"].integer(),
            first_year=node["first_year"].integer(),
            impassable=_read_pairs(node["impassable"], second=Node.text),
            border_rules=node["border_rules"].several(_read_border_rule)
            if "border_rules" in node
            else (),
        )
    except BoardError as error:
        raise node.error(str(error)) from error


def require_version(node: Node, known: tuple[int, ...]) -> None:
    """Raise `CodecError` unless the version at `node` is one of `known`."""
    if node.integer() not in known:
        plural = "s" * (len(known) > 1)
        raise node.error(f"only version{plural} {' and '.join(map(str, known))} can be read")


def _read_power(node: Node) -> PowerInfo:
    power, name, adjective = node.items(3)
    return PowerInfo(Power(power.word()), name.text(), adjective.text())


def _read_province(node: Node) -> Province:
    node.refuse_later(LATER_PROVINCE_MEMBERS)
    home = node["home"]
    return Province(
        code=ProvinceCode(node["code"].word()),
        name=node["name"].text(),
        terrain=node["terrain"].member(Terrain),
        coasts=node["coasts"].several(Node.word),
        center=node["center"].truth(),
        home=None if home.is_null() else Power(home.word()),
        aliases=node["aliases"].several(Node.text),
    )


def _read_start(node: Node) -> Start:
    power, kind, location = node.items(3)
    if power.is_null():
        raise power.error(f"a unit without a power {LATER}")
    return Start(Power(power.word()), kind.member(UnitKind), Location(location.place()))


def _read_border_rule(node: Node) -> BorderRule:
    kind = node["kind"]
    if kind.value in LATER_RULE_KINDS:
        raise kind.error(f"{kind.value} {LATER}")
    node.refuse_later(LATER_RULE_MEMBERS)
    units = node["units"].several(lambda one: one.member(UnitKind)) if "units" in node else ()
    ends = Location(node["from"].place()), Location(node["to"].place())
    return BorderRule(kind.member(BorderKind), *ends, units)


def _read_pairs(
    node: Node, first: Callable[[Node], str] = Node.word, second: Callable[[Node], str] = Node.word
) -> tuple[tuple[Any, Any], ...]:
    """Return a list of pairs, which are codes unless other readers are given."""

    def read(pair: Node) -> tuple[str, str]:
        one, two = pair.items(2)
        return first(one), second(two)

    return node.several(read)


# Rule sets.


def rules_to_json(rules: RuleSet) -> Json:
    """Return `rules` as JSON with every switch."""
    return {"v": VERSION} | {field.name: getattr(rules, field.name) for field in fields(rules)}


def rules_from_json(data: object) -> RuleSet:
    """Return the rule set that `data` describes; raise `CodecError` if it is invalid.

    A missing switch has its default, because it may be newer than `data`.
    """
    node = open_versioned(data, VERSION)
    defaults = rules_to_json(DEFAULT)
    switches: dict[str, object] = {}
    for key, value in node.entries():
        name = key.word()
        if name == "v":
            continue
        if name not in defaults:
            raise value.error("no such switch")
        default = defaults[name]
        if isinstance(default, StrEnum):
            switches[name] = value.member(type(default))
        else:
            switches[name] = value.truth() if isinstance(default, bool) else value.text()
    return RuleSet(**switches)  # type: ignore[arg-type]


# Units, phases and orders.


def unit_to_json(unit: Unit) -> list[str]:
    """Return `unit` as JSON."""
    return [unit.kind.value, unit.location, unit.power]


def read_unit(node: Node) -> Unit:
    """Return the unit at `node`; raise `CodecError` if it is invalid."""
    value = node.value
    if isinstance(value, list) and len(value) == 3 and {*map(type, value)} == {str}:
        try:
            return _known_unit(*value)
        except CodecError:
            pass  # read again below, where the error gives its path
    return _new_unit(node)


@lru_cache(maxsize=8192)
def _known_unit(kind: str, location: str, power: str) -> Unit:
    """Return a cached unit, because the phases of a game repeat the same few units."""
    return _new_unit(Node([kind, location, power]))


def _new_unit(node: Node) -> Unit:
    kind, location, power = node.items(3)
    return Unit(kind.member(UnitKind), Location(location.place()), Power(power.word()))


def read_phase(node: Node) -> Phase:
    """Return the phase named at `node`, such as `S1901M`; raise `CodecError` if there is none."""
    try:
        return Phase.parse(node.text())
    except PhaseError as error:
        raise node.error(str(error)) from error


_ORDERS: Mapping[str, type[Any]] = {
    "hold": Hold,
    "move": Move,
    "support-hold": SupportHold,
    "support-move": SupportMove,
    "convoy": Convoy,
    "retreat": Retreat,
    "disband": Disband,
    "build": Build,
}
_WORDS = {kind: word for word, kind in _ORDERS.items()}


def order_to_json(order: Order) -> Json:
    """Return one order as JSON; it has no version field."""
    if isinstance(order, InvalidOrder):
        return {"order": "invalid", "text": order.text}
    if isinstance(order, Waive):
        return {"order": "waive", "power": order.power}
    value: Json = {"order": _WORDS[type(order)], "unit": unit_to_json(order.unit)}
    if isinstance(order, SupportHold | SupportMove | Convoy):
        value["target"] = unit_to_json(order.target)
    if isinstance(order, Move | SupportMove | Convoy | Retreat):
        value["to"] = order.to
    if isinstance(order, Move):
        value["via"] = order.via_convoy
        if order.path:
            value["path"] = list(order.path)
    return value


def read_order(node: Node) -> Order:
    """Return the order at `node`; raise `CodecError` if it is invalid."""
    word = node["order"].text()
    if word == "waive":
        return Waive(Power(node["power"].word()))
    if word == "invalid":
        return InvalidOrder(Power(""), node["text"].text())
    if word not in _ORDERS:
        raise node["order"].error(f"unknown kind of order {word[:20]!r}")
    parts: list[object] = [read_unit(node["unit"])]
    if word == "move":
        path = node["path"].several(Node.word) if "path" in node else ()
        parts += [node["to"].place(), node["via"].truth(), path]
    elif word == "retreat":
        parts.append(node["to"].place())
    elif word in {"support-hold", "support-move", "convoy"}:
        parts.append(read_unit(node["target"]))
        if word != "support-hold":
            parts.append(node["to"].word() if word == "convoy" else node["to"].place())
    order: Order = _ORDERS[word](*parts)
    return order


def order_from_json(data: object) -> Order:
    """Return the order that `data` describes; raise `CodecError` if it is invalid."""
    return read_order(Node(data))


# Positions.


def position_to_json(position: Position) -> Json:
    """Return `position` as JSON."""
    return {
        "v": VERSION,
        "phase": str(position.phase),
        "units": [unit_to_json(unit) for unit in position.units],
        "centers": dict(position.centers),
        "dislodged": [_dislodged_to_json(entry) for entry in position.dislodged],
    }


def _dislodged_to_json(entry: Dislodged) -> Json:
    return {"unit": unit_to_json(entry.unit), "by": entry.by, "retreats": list(entry.retreats)}


def position_from_json(data: object) -> Position:
    """Return the position that `data` describes; raise `CodecError` if it is invalid."""
    return _read_position(open_versioned(data, VERSION))


def _read_position(node: Node) -> Position:
    position = Position(
        phase=read_phase(node["phase"]),
        units=node["units"].several(read_unit),
        centers={
            ProvinceCode(code.word()): Power(owner.word())
            for code, owner in node["centers"].entries()
        },
        dislodged=node["dislodged"].several(_read_dislodged),
    )
    require_uncrowded(node["units"], position.units)
    require_uncrowded(node["dislodged"], (entry.unit for entry in position.dislodged))
    return position


def _read_dislodged(node: Node) -> Dislodged:
    return Dislodged(
        unit=read_unit(node["unit"]),
        by=ProvinceCode(node["by"].word()),
        retreats=tuple(sorted(Location(place.place()) for place in node["retreats"].items())),
    )


def require_uncrowded(node: Node, units: Iterable[Unit]) -> None:
    """Raise `CodecError` about `node` if two of `units` share a province."""
    provinces = [unit.province for unit in units]
    if len({*provinces}) == len(provinces):
        return
    seen: set[ProvinceCode] = set()
    for province in provinces:
        if province in seen:
            raise node.error(f"two units in {province}")
        seen.add(province)


# Messages.


def message_to_json(message: Message) -> Json:
    """Return `message` as JSON: its key, and its parameters by name, each with its type.

    Text and numbers stand for themselves, and a list for several parameters. Any other parameter is
    an object whose only key is its type: `{"unit": ["A", "PAR", "FRANCE"]}`, `{"place": "STP/NC"}`.
    """
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
    if type(value) in {str, int}:
        return value
    name = _PARAMETER_NAMES.get(type(value), "order")
    return {name: _PARAMETERS[name][1](value)}


def _read_parameter(node: Node) -> Parameter:
    value = node.value
    if isinstance(value, str):
        return node.text()
    if isinstance(value, list):
        return node.several(_read_parameter)
    if not isinstance(value, dict):
        return node.integer()
    for name, (_, _, read) in _PARAMETERS.items():
        if name in node:
            return read(node[name])
    raise node.error(f"not one of {', '.join(_PARAMETERS)}")


def _read_distance(node: Node) -> UnitDistance:
    unit, steps = node.items(2)
    return UnitDistance(read_unit(unit), steps.integer(0, MAX_STEPS))


_PARAMETERS: Mapping[str, tuple[type, Callable[[Any], object], Callable[[Node], Parameter]]] = {
    "unit": (Unit, unit_to_json, read_unit),
    "own": (OwnUnit, lambda its: unit_to_json(its.unit), lambda node: OwnUnit(read_unit(node))),
    "distance": (UnitDistance, lambda far: [unit_to_json(far.unit), far.steps], _read_distance),
    "place": (Place, lambda place: place.location, lambda node: Place(node.place())),
    "power": (PowerName, lambda name: name.power, lambda node: PowerName(Power(node.word()))),
    "kind": (UnitKind, lambda kind: kind.value, lambda node: node.member(UnitKind)),
    "phase": (Phase, str, read_phase),
    "message": (Message, message_to_json, read_message),
    "order": (Waive, order_to_json, read_order),
}
"""The types of parameters by name, and how each is written and read."""
_PARAMETER_NAMES = {kind: name for name, (kind, _, _) in _PARAMETERS.items()}


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


# Resolutions.


def resolution_to_json(resolution: Resolution) -> Json:
    """Return `resolution` as JSON, including its next position."""
    ending = resolution.ending
    return {
        "v": VERSION,
        "results": [_result_to_json(result) for result in resolution.results],
        "next": position_to_json(resolution.next),
        "dislodged": [_dislodged_to_json(entry) for entry in resolution.dislodged],
        "destroyed": [unit_to_json(unit) for unit in resolution.destroyed],
        "standoffs": list(resolution.standoffs),
        "gained": [[code, power] for code, power in resolution.gained],
        "ending": ending and {"winners": list(ending.winners), "reason": ending.reason},
    }


def _result_to_json(result: OrderResult) -> Json:
    message = result.message
    return {
        "order": order_to_json(result.order),
        "outcome": result.outcome.value,
        **({"message": message_to_json(message)} if message else {"reason": result.why}),
        "by": list(result.by),
        "implicit": result.implicit,
    }


def resolution_from_json(data: object) -> Resolution:
    """Return the resolution that `data` describes; raise `CodecError` if it is invalid.

    Its reasons name places and powers by their codes until `Resolution.with_names` is called. A
    reason stored as text does not change.
    """
    node = open_versioned(data, VERSION)
    return Resolution(
        results=node["results"].several(_read_result),
        next=_read_position(node["next"]),
        dislodged=node["dislodged"].several(_read_dislodged),
        destroyed=node["destroyed"].several(read_unit),
        standoffs=tuple(ProvinceCode(code.word()) for code in node["standoffs"].items()),
        gained=_read_pairs(node["gained"]),
        ending=None if node["ending"].is_null() else _read_ending(node["ending"]),
    )


def _read_result(node: Node) -> OrderResult:
    return OrderResult(
        order=read_order(node["order"]),
        outcome=node["outcome"].member(Outcome),
        sentence=_read_sentence(node["message"]) if "message" in node else node["reason"].text(),
        by=tuple(ProvinceCode(code.word()) for code in node["by"].items()),
        implicit=node["implicit"].truth(),
    )


def _read_sentence(node: Node) -> Sentence:
    """Return the sentence whose message is at `node`; the rest is read when needed."""
    node["key"].word()
    return StoredSentence(node)


def _read_ending(node: Node) -> Ending:
    winners = tuple(Power(power.word()) for power in node["winners"].items())
    return Ending(winners, node["reason"].text())
