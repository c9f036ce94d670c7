"""Requests of the protocol: the board, the rules, the position, and the orders as text.

`position_to_request` writes a position in the form of a request: units as text, by power.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
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
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.messages.catalog import RefusalKey
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.notation import (
    CanonicalOrders,
    NotationError,
    ordered_unit,
    parse_order,
    parse_sheet,
    parse_unit,
    unit_named,
)
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Dislodged, Position, find_impossible_retreats
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, Pick, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

Boards = Callable[[object], Board]
"""Returns the board for the value of `map`; raises `ValueError` if there is none."""

MAX_ORDERS = 2_000
"""The most orders that a power may send; no board has room for half as many units."""

MAX_NAME = 24
"""How many characters of an unknown power's name are returned."""

MAX_ECHO = 300
"""How many characters of an unreadable order are returned."""

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
    rules = EDITIONS.get(node.text())
    if rules is None:
        raise node.error(f"no edition {node.text()[:20]!r} (choose from: {', '.join(EDITIONS)})")
    return rules


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


@dataclass(frozen=True, slots=True)
class Unread:
    """An order that could not be read: its shortened text, and the reason as a sentence."""

    power: Power
    text: str
    why: str


class RequestOrders:
    """The orders of a request: those that could be read, and those that were refused.

    `unread` has the orders that could not be read, by the text of the unit they are for.
    `are_listed` says that this is a movement phase in which all orders are canonical and legal.
    """

    def __init__(self, asked: Request) -> None:
        self.orders: list[Order] = []
        self.errors: list[Json] = []
        self.unread: dict[str, Unread] = {}
        self._asked = asked
        self._stage = asked.position.phase.stage
        self._canonical = (
            CanonicalOrders(asked.board, asked.position, asked.rules)
            if self._stage is Stage.MOVEMENT
            else None
        )
        self._texts: dict[Order, str] = {}
        self._refused: set[Order] = set()
        self._needless: dict[Order, list[Json]] = {}
        self._meant: dict[Unit, set[Order]] = {}
        self._verdict = self._decide_listed()
        self.are_listed = self._verdict is not None
        if self.are_listed:
            return
        for power, text in asked.orders:
            self._read_text(power, text)
        if self._stage is not Stage.ADJUSTMENTS and asked.rules.several_orders is Pick.NONE:
            self._note_contradictions()

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._asked.board, self._asked.position, self._asked.rules)

    def resolve(self) -> Resolution:
        """Return the resolution of the orders, reusing the decisions made while reading them."""
        asked = self._asked
        if self._verdict is not None:
            return complete_movement(
                asked.board, asked.position, self.orders, asked.rules, self._verdict
            )
        return adjudicate(asked.board, asked.position, self.orders, asked.rules, seed=asked.seed)

    def accept_needless(self, convoy: Order) -> None:
        """Remove the errors about a convoy order that matched even though no route needs it."""
        for error in self._needless.pop(convoy, ()):
            self.errors.remove(error)

    def refuse_late(self, result: OrderResult) -> None:
        """Record that adjudication refused an order, unless it was already refused in reading."""
        text = self._texts.get(result.order, str(result.order))
        if result.order not in self._refused:
            self._refuse(power_of(result.order), text, result.reason)

    def _refuse(self, power: str, text: str, message: str) -> None:
        self.errors.append({"power": power[:64], "order": text[:MAX_ECHO], "message": message})

    def _decide_listed(self) -> Verdict | None:
        """Take the orders if all are canonical and legal, and return how they end."""
        asked = self._asked
        if self._canonical is None or not asked.orders:
            return None
        orders: list[Order] = []
        for power, text in asked.orders:
            order = self._canonical.read(text, Power(power))
            if order is None:
                return None
            orders.append(order)
        verdict = KERNEL.resolve(asked.board, asked.position.units, orders, asked.rules)
        if verdict is not None:
            self.orders = orders
        return verdict

    def _read_text(self, name: str, text: str) -> None:
        asked, power = self._asked, Power(name)
        if power not in asked.board.power_info:
            message = Message.of("unknown_power", name=name[:MAX_NAME])
            self._refuse(name, text, render_message(message, NAMELESS))
            return
        order = self._canonical.read(text, power) if self._canonical else None
        try:
            order = order or parse_order(
                text, asked.board, asked.position, power, rules=asked.rules
            )
        except NotationError as error:
            self._read_sheet(power, text, str(error))
        else:
            self._take(power, text, order)

    def _read_sheet(self, power: Power, text: str, why: str) -> None:
        """Read text that is not a single order; `why` is the error from reading it as one."""
        asked = self._asked
        sheet = parse_sheet(text, asked.board, asked.position, power, rules=asked.rules)
        for order in sheet.orders:
            self._take(power, str(order), order)
        if not sheet.orders and len(sheet.errors) < 2:
            self._refuse_unread(power, text, why)
            return
        for error in sheet.errors:
            self._refuse_unread(power, error.text, error.message)

    def _take(self, power: Power, text: str, order: Order) -> None:
        self.orders.append(order)
        self._texts.setdefault(order, text)
        try:
            meant = self._reader.read(power, order)
        except Refusal as refusal:
            self._refuse(power, text, str(refusal))
            self._refused.add(order)
            if refusal.key is RefusalKey.CONVOY_BY_DETOUR:
                self._needless.setdefault(order, []).append(self.errors[-1])
            return
        if not isinstance(meant, Waive):
            self._meant.setdefault(meant.unit, set()).add(meant)

    def _refuse_unread(self, power: Power, text: str, why: str) -> None:
        self._refuse(power, text, why)
        board, position = self._asked.board, self._asked.position
        if self._stage is Stage.ADJUSTMENTS:
            named = unit_named(text, board)
        else:
            unit = ordered_unit(text, board, position, power)
            named = None if unit is None else str(unit)
        if named:
            self.unread.setdefault(named, Unread(power, text[:MAX_ECHO], why))

    def _note_contradictions(self) -> None:
        for unit, orders in self._meant.items():
            if len(orders) > 1:
                texts = "; ".join(sorted(map(str, orders)))
                message = Message.of("different_orders", unit=unit)
                self._refuse(unit.power, texts, render_message(message, NAMELESS))
