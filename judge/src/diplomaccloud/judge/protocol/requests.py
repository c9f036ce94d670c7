"""Requests of the protocol: the board, the rules, the position, and the orders as text.

`position_to_request` writes a position in the form of a request: units as text, by power.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeGuard

from diplomaccloud.judge.adjudication import adjudicate, complete_movement
from diplomaccloud.judge.board import Board, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.codec import (
    MAX_LIST,
    MAX_WORD,
    CodecError,
    Json,
    Node,
    board_from_json,
    read_phase,
    require_uncrowded,
    rules_from_json,
    rules_to_json,
)
from diplomaccloud.judge.geography import NAMELESS
from diplomaccloud.judge.given_orders import (
    MAX_ECHO,
    MAX_ORDERS,
    GivenOrder,
    OrderReader,
)
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.messages.catalog import NotationKey
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.notation import (
    NotationError,
    parse_unit,
)
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Dislodged, Position, find_impossible_retreats
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, RuleSet, find_rules
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.turn import Problem
from diplomaccloud.judge.units import Unit

Boards = Callable[[object], Board]
"""Returns the board for the value of `map`; raises `ValueError` if there is none."""

MAX_NAME = 24
"""How many characters of an unknown power's name are returned."""

POSITION_PARTS = ("phase", "units", "centers", "dislodged")


@dataclass(frozen=True, slots=True)
class Request:
    """A position to adjudicate; `orders` are pairs of a power as written and text, in sequence."""

    board: Board
    rules: RuleSet
    position: Position
    orders: tuple[tuple[str, str], ...] = ()
    seed: str = ""
    explain: bool = False

    @property
    def texts(self) -> dict[str, list[str]]:
        """The texts of the orders by power."""
        texts: dict[str, list[str]] = {}
        for power, text in self.orders:
            texts.setdefault(power, []).append(text)
        return texts


def only_standard(name: object) -> Board:
    """Return the standard board if `name` is its name; otherwise raise `ValueError`."""
    if name != "standard":
        raise CodecError(f"map: there is no map {str(name)[:40]!r}, only 'standard'")
    return standard_board()


class RecordBoards:
    """Finds the board of one record: the standard board, or the one in its heading."""

    def __init__(self) -> None:
        self._board: Board | None = None

    def __call__(self, value: object) -> Board:
        """Return the board for the value of `map`; a board in full is read only once."""
        if not isinstance(value, dict):
            return only_standard(value)
        if self._board is None:
            self._board = board_from_json(value)
        return self._board


def read_request(data: object, boards: Boards, *, may_be_closed: bool = False) -> Request:
    """Return the request that `data` describes; raise `ValueError` naming the part at fault.

    `may_be_closed` is explained at `read_position`.
    """
    node = Node(data)
    phase = read_phase(node["phase"])
    board = boards(node["map"].value if "map" in node else "standard")
    return Request(
        board=board,
        rules=read_rules(node["rules"]) if "rules" in node else DEFAULT,
        position=read_position(node, phase, board, may_be_closed=may_be_closed),
        orders=_read_texts(node["orders"]) if "orders" in node else (),
        seed=node["seed"].text() if "seed" in node else "",
        explain=node["explain"].truth() if "explain" in node else False,
    )


def read_rules(node: Node) -> RuleSet:
    """Return the named edition, or a rule set made from switches.

    An object contains switches of `RuleSet`; missing ones come from its `edition` or from 2000.
    """
    if isinstance(node.value, str):
        return _read_edition(node)
    switches = {key.word(): value.value for key, value in node.entries()}
    base = _read_edition(node["edition"]) if "edition" in node else DEFAULT
    switches.pop("edition", None)
    try:
        return rules_from_json({**rules_to_json(base), **switches})
    except CodecError as error:
        raise CodecError(f"rules.{error}") from error


def _read_edition(node: Node) -> RuleSet:
    try:
        return find_rules(node.text())
    except ValueError as error:
        raise node.error(str(error)) from error


# Positions.


def read_position(
    node: Node, phase: Phase, board: Board, *, may_be_closed: bool = False
) -> Position:
    """Return the position described by the `units`, `centers` and `dislodged` of `node`.

    Retreats to places that are occupied are refused, unless they `may_be_closed`.
    """
    needs_centers = phase.stage is Stage.ADJUSTMENTS or "centers" in node
    centers = _read_centers(node["centers"], board) if needs_centers else {}
    units = _read_units(node["units"], board)
    dislodged = tuple(_read_dislodged(node["dislodged"], board)) if "dislodged" in node else ()
    require_uncrowded(node["units"], units)
    position = Position(phase, units, centers, dislodged)
    if dislodged:
        require_uncrowded(node["dislodged"], [entry.unit for entry in dislodged])
        for what in () if may_be_closed else find_impossible_retreats(board, position):
            raise node["dislodged"].error(what)
    return position


def position_to_request(position: Position) -> Json:
    """Return `position` in the form of a request."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    centers: dict[str, list[str]] = {}
    for code, owner in position.centers.items():
        centers.setdefault(owner, []).append(code)
    dislodged: dict[str, dict[str, list[str]]] = {}
    for entry in position.dislodged:
        dislodged.setdefault(entry.unit.power, {})[str(entry.unit)] = list(entry.retreats)
    return {
        "phase": str(position.phase),
        "units": dict(sorted(units.items())),
        "dislodged": dict(sorted(dislodged.items())),
        "centers": dict(sorted(centers.items())),
    }


def find_difference(
    one: Position, two: Position, parts: Iterable[str] = POSITION_PARTS
) -> str | None:
    """Return the first of `parts` in which two positions differ in the form of a request."""
    first, second = position_to_request(one), position_to_request(two)
    return next((part for part in parts if first[part] != second[part]), None)


def _by_power(node: Node, board: Board) -> Iterator[tuple[Power, Node]]:
    for key, value in node.entries():
        power = Power(key.word())
        if power not in board.power_info:
            raise node.error(f"there is no power {power[:24]!r} on this board")
        yield power, value


# Most requests are sound, and then a look at each whole list is enough. All others are read part by
# part, so that errors name the part at fault.


def _has_lists(value: object, powers: Mapping[Power, object]) -> TypeGuard[dict[Power, list[Any]]]:
    """Return whether `value` has a short list for some of `powers`, and nothing else."""
    return (
        isinstance(value, dict)
        and value.keys() <= powers.keys()
        and all(isinstance(texts, list) and len(texts) <= MAX_LIST for texts in value.values())
    )


def _read_centers(node: Node, board: Board) -> Mapping[ProvinceCode, Power]:
    powers, centers = _list_known(board)
    value, owners = node.value, dict[ProvinceCode, Power]()
    with suppress(TypeError):
        if _has_lists(value, powers):
            owners = {code: power for power, codes in value.items() for code in codes}
            if centers.issuperset(owners) and len(owners) == sum(map(len, value.values())):
                return owners
    owners = {}
    for power, codes in _by_power(node, board):
        for member in codes.items():
            code = ProvinceCode(member.word())
            if code not in centers:
                raise member.error(f"{code[:24]!r} is not a supply center")
            if owners.setdefault(code, power) != power:
                raise member.error(f"{code} has two owners")
    return owners


def _read_units(node: Node, board: Board) -> tuple[Unit, ...]:
    value, (known, _) = node.value, _list_known(board)
    with suppress(KeyError, TypeError):
        if _has_lists(value, known):
            return tuple([known[power][text] for power, texts in value.items() for text in texts])
    return tuple(
        _read_unit(text, board, power)
        for power, texts in _by_power(node, board)
        for text in texts.items()
    )


def _read_dislodged(node: Node, board: Board) -> Iterator[Dislodged]:
    for power, units in _by_power(node, board):
        for key, places in units.entries():
            unit = _read_unit(key, board, power)
            retreats = {
                _read_unit(place, board, power, f"{unit.kind} {place.text()}").location
                for place in places.items()
            }
            yield Dislodged(unit, ProvinceCode(""), tuple(sorted(retreats)))


def _read_unit(node: Node, board: Board, power: Power, text: str | None = None) -> Unit:
    """Return the unit of `power` in `node`, or in `text` if given."""
    text = node.text() if text is None else text
    unit = _list_known(board)[0][power].get(text)
    if unit is not None:
        return unit
    try:
        return parse_unit(text, board, power)
    except NotationError as error:
        raise node.error(str(error)) from error


@lru_cache(maxsize=16)
def _list_known(board: Board) -> tuple[Mapping[Power, Mapping[str, Unit]], frozenset[str]]:
    """Return the units of each power by canonical text, and the centers."""
    places = [(kind, place) for kind in UnitKind for place in board.locations(kind)]
    units = {
        power: {f"{kind} {place}": Unit(kind, place, power) for kind, place in places}
        for power in board.power_info
    }
    return units, frozenset(board.centers)


# Orders.


def _read_texts(node: Node) -> tuple[tuple[str, str], ...]:
    """Return the texts of orders, each with its power."""
    value = node.value
    if isinstance(value, dict) and all(map(are_texts, value, value.values())):
        return tuple([(power, text) for power, texts in value.items() for text in texts])
    return tuple(_read_each_text(node))


def are_texts(power: object, texts: object) -> bool:
    """Return whether these are the key of a power and a list of texts."""
    return (
        isinstance(power, str)
        and power.isidentifier()
        and len(power) <= MAX_WORD
        and isinstance(texts, list)
        and len(texts) <= MAX_ORDERS
        and {*map(type, texts)} <= {str}
    )


def _read_each_text(node: Node) -> Iterator[tuple[str, str]]:
    for power, texts in node.entries():
        members = texts.items()
        if len(members) > MAX_ORDERS:
            raise texts.error(f"{len(members)} orders, but at most {MAX_ORDERS} are allowed")
        for member in members:
            if not isinstance(member.value, str):
                raise member.error("not a text")
            yield power.word(), member.value


class RequestOrders:
    """The orders of a request: how they end, and which of them were refused.

    `unread` has the orders that could not be read, by the text of the unit they are for.
    `are_listed` says that this is a movement phase in which all orders are canonical and legal.
    """

    def __init__(self, asked: Request) -> None:
        self._asked = asked
        self._reader = OrderReader(asked.board, asked.position, asked.rules)
        self._given: list[GivenOrder] = []
        self.unread: dict[str, GivenOrder] = {}
        self.orders: list[Order] = []
        verdict = self._decide_listed()
        self.are_listed = verdict is not None
        if verdict is not None:
            self.resolution = complete_movement(
                asked.board, asked.position, self.orders, asked.rules, verdict
            )
            return
        for name, texts in asked.texts.items():
            self._read(name, texts)
        self.orders = [entry.order for entry in self._given if entry.order is not None]
        self.resolution = adjudicate(
            asked.board, asked.position, self.orders, asked.rules, seed=asked.seed
        )

    def _decide_listed(self) -> Verdict | None:
        """Take the orders if all are canonical and legal, and return how they end."""
        asked = self._asked
        if asked.position.phase.stage is not Stage.MOVEMENT or not asked.orders:
            return None
        read = self._reader.canonical.read
        orders: list[Order] = []
        for power, text in asked.orders:
            order = read(text, Power(power))
            if order is None:
                return None
            orders.append(order)
        verdict = KERNEL.resolve(asked.board, asked.position.units, orders, asked.rules)
        if verdict is not None:
            self.orders = orders
        return verdict

    def _read(self, name: str, texts: Sequence[str]) -> None:
        power = Power(name)
        if power not in self._asked.board.power_info:
            message = render_message(Message.of("unknown_power", name=name[:MAX_NAME]), NAMELESS)
            for text in texts:
                refused = GivenOrder(Power(name[:64]), text[:MAX_ECHO], None, message=message)
                self._given.append(refused)
            return
        if all(self._reader.canonical.read(text, power) for text in texts):
            self._given += self._reader.read({power: texts})
            return
        empty = str(NotationError(NotationKey.EMPTY_ORDER))
        for text in texts:
            given = self._reader.read({power: [text]})
            for entry in given or [GivenOrder(power, text, None, message=empty)]:
                echo = entry.text if len(given) > 1 else text[:MAX_ECHO]
                self._given.append(replace(entry, text=echo))
                if entry.order is None and (unit := self._reader.name_unit(power, entry.text)):
                    self.unread.setdefault(unit, self._given[-1])

    def list_errors(self) -> list[Json]:
        """Return the orders that were not followed as written, each with the reason."""
        if self.are_listed:
            return []
        asked, results = self._asked, self.resolution.results
        problems = self._reader.list_problems(self._given, self.resolution)
        if asked.position.phase.stage is Stage.ADJUSTMENTS:
            refused = {entry.order for entry in self._given if entry.message}
            texts = {entry.order: entry.text for entry in reversed(self._given)}
            problems += (
                Problem(power_of(late.order), texts.get(late.order, str(late.order)), late.why)
                for late in results
                if late.outcome is Outcome.VOID and late.order not in refused
            )
        return [
            {"power": problem.power, "order": problem.text, "message": problem.message}
            for problem in problems
        ]
