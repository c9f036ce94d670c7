"""Reads the orders given to a game or in a request, and finds what is wrong with them.

It is a module of its own because a game whose orders nobody has given yet does not need it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.geography import NAMELESS, geography
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.notation import (
    NotationError,
    NotationKey,
    ordered_unit,
    parse_order,
    parse_pieces,
    parse_unit,
    unit_named,
)
from diplomaccloud.judge.notation.orders import CanonicalOrders, skip_bullet
from diplomaccloud.judge.orders import Convoy, Order, Waive, is_order, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Outcome, Resolution
from diplomaccloud.judge.rules import Pick, RuleSet
from diplomaccloud.judge.turn import Problem

MAX_ORDERS = 2_000
"""The most orders of a power in one list; no board has room for half as many units."""

MAX_ECHO = 300
"""How many characters of an order's text are kept."""

_MARKS = frozenset(":;,#|\n\r")
"""What divides a sheet into orders, or heads them; a text without any is mostly one order."""


@dataclass(frozen=True, slots=True)
class GivenOrder:
    """An order as given: `order` if it could be read; `meant` if it is legal, or `message`."""

    power: Power
    text: str
    province: ProvinceCode | None
    order: Order | None = None
    meant: Order | None = None
    message: str = ""


_make_given = KERNEL.builder(GivenOrder)


class OrderReader:
    """Reads orders for one position, and finds the problems with those given so far."""

    def __init__(self, board: Board, position: Position, rules: RuleSet) -> None:
        self._board = board
        self._position = position
        self._rules = rules
        self.canonical = CanonicalOrders(board, position, rules)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._board, self._position, self._rules)

    def read_listed(self, power: Power, text: str) -> GivenOrder | None:
        """Return a legal order in canonical text, or `None` for what only `read` can judge."""
        order = self.canonical.read(text, power)
        if order is None or isinstance(order, Waive) or not self._reader.is_listed(order):
            return None
        return _make_given(power, text, order.unit.province, order, order, "")

    def read(self, items_of: Mapping[Power, Iterable[object]]) -> list[GivenOrder]:
        """Return the orders of each power, each with its meaning or with what is wrong with it.

        Raises `TypeError` for an item that is neither text nor an order.
        """
        read: list[tuple[Power, str]] = []
        orders: list[Order] = []
        refused: list[tuple[int, GivenOrder]] = []
        for power, items in items_of.items():
            for number, item in enumerate(items):
                if isinstance(item, str) and (order := self.canonical.read(item, power)):
                    read.append((power, item))
                    orders.append(order)
                    continue
                for text, meaning in self._read_item(power, number, item):
                    if isinstance(meaning, GivenOrder):
                        refused.append((len(read), meaning))
                    else:
                        read.append((power, text))
                        orders.append(meaning)
        given = []
        meanings = self._reader.read_all(orders)
        for (power, text), order, meant in zip(read, orders, meanings, strict=True):
            province = None if isinstance(order, Waive) else order.unit.province
            legal, why = (None, str(meant)) if isinstance(meant, Refusal) else (meant, "")
            given.append(_make_given(power, text[:MAX_ECHO], province, order, legal, why))
        for at, entry in reversed(refused):
            given.insert(at, entry)
        return given

    def _read_item(
        self, power: Power, number: int, item: object
    ) -> Iterator[tuple[str, Order | GivenOrder]]:
        """Yield each order in `item` with its text; one that cannot be judged is refused."""
        if isinstance(item, str):
            yield from self._read_text(power, item)
            return
        if not is_order(item):
            kind = type(item).__name__
            raise TypeError(f"orders[{number}]: expected text or an order, not {kind}")
        order = cast("Order", item)
        if power_of(order) == power:
            yield str(order), order
            return
        why = why_illegal(self._board, self._position, power, order, self._rules)
        country = geography(self._board).power(power_of(order))
        foreign = NotationError(NotationKey.FOREIGN_ORDER, country=country)
        yield str(order), GivenOrder(power, str(order), None, message=why or str(foreign))

    def _read_text(self, power: Power, text: str) -> Iterator[tuple[str, Order | GivenOrder]]:
        if _MARKS.isdisjoint(text) and (order := self._parse(power, text)):
            yield skip_bullet(text).strip(), order
            return
        try:
            pieces = parse_pieces(text, self._board, self._position, (power,), rules=self._rules)
        except NotationError as error:
            yield text, GivenOrder(power, text[:MAX_ECHO], None, message=str(error))
            return
        unread = [piece for piece in pieces if not piece.orders]
        if (
            unread
            and all(piece.power in {None, power} for piece in unread)
            and (order := self._parse(power, text))
        ):
            # What is no sheet may still be an order, such as one with a stray comma.
            yield text.strip(), order
            return
        for piece in pieces:
            if piece.orders:
                yield piece.text, piece.orders[0]
            else:
                yield piece.text, self.refuse(power, piece.text, piece.message)

    def _parse(self, power: Power, text: str) -> Order | None:
        """Return the order that the whole text is, if it is one."""
        try:
            return parse_order(text, self._board, self._position, power, rules=self._rules)
        except NotationError:
            return None

    def refuse(self, power: Power, text: str, message: str) -> GivenOrder:
        """Return the unreadable order in `text`."""
        province, named = None, self.name_unit(power, text)
        with suppress(NotationError):
            province = parse_unit(named, self._board, power).province if named else None
        return GivenOrder(power, text[:MAX_ECHO], province, message=message)

    def name_unit(self, power: Power, text: str) -> str | None:
        """Return the unit that an unreadable order is for, even one that cannot be built."""
        if self._position.phase.stage is Stage.ADJUSTMENTS:
            return unit_named(text, self._board)
        unit = ordered_unit(text, self._board, self._position, power)
        return None if unit is None else str(unit)

    def list_problems(
        self, given: Iterable[GivenOrder], resolution: Resolution | None = None
    ) -> list[Problem]:
        """Return the given orders that will not be followed, and the units with different orders.

        Once there is a `resolution`, convoys that matched although no route needs them are left
        out.
        """
        refused = [entry for entry in given if entry.message]
        if resolution and any(isinstance(entry.order, Convoy) for entry in refused):
            results = resolution.results
            followed = {each.order for each in results if each.outcome is not Outcome.VOID}
            refused = [
                entry
                for entry in refused
                if not isinstance(entry.order, Convoy)
                or entry.order.unit.power != entry.power
                or entry.order not in followed
            ]
        problems = [
            Problem(entry.power, entry.text, entry.message, is_unread=entry.order is None)
            for entry in refused
        ]
        moving = self._position.phase.stage is not Stage.ADJUSTMENTS
        if moving and self._rules.several_orders is Pick.NONE:
            problems += _find_contradictions(given)
        return problems

    def find_problems(
        self, given: Iterable[GivenOrder], seed: str, resolution: Resolution | None = None
    ) -> tuple[Problem, ...]:
        """Return `list_problems` by power, and adjustments that are legal only without others."""
        problems = self.list_problems(given, resolution)
        if self._position.phase.stage is Stage.ADJUSTMENTS:
            problems += self._find_excess(given, seed)
        # Sorted, so that a stored game lists them in the same sequence.
        return tuple(sorted(problems, key=lambda problem: (problem.power, problem.is_unread)))

    def _find_excess(self, given: Iterable[GivenOrder], seed: str) -> list[Problem]:
        """Return the adjustments that are legal on their own, but not together with the others."""
        legal = [entry.meant for entry in given if entry.meant is not None]
        places = [order.unit.province for order in legal if not isinstance(order, Waive)]
        if len({*places}) == len(places) and all(
            count <= abs(adjustments_owed(self._board, self._position, power))
            for power, count in Counter(map(power_of, legal)).items()
        ):
            return []
        resolution = adjudicate(self._board, self._position, legal, self._rules, seed=seed)
        return [
            Problem(power_of(result.order), str(result.order), result.why)
            for result in resolution.results
            if result.outcome is Outcome.VOID
        ]


def _find_contradictions(given: Iterable[GivenOrder]) -> Iterator[Problem]:
    """Yield a problem for each unit with different legal orders, none of which counts."""
    entries: dict[ProvinceCode, list[GivenOrder]] = {}
    for entry in given:
        if entry.meant is not None and entry.province is not None:
            entries.setdefault(entry.province, []).append(entry)
    for same in entries.values():
        meant = {entry.meant for entry in same if entry.meant is not None} if same[1:] else ()
        if len(meant) > 1:
            texts = "; ".join(sorted(map(str, meant)))
            unit = next(order.unit for order in meant if not isinstance(order, Waive))
            message = Message.of("different_orders", unit=unit)
            yield Problem(same[0].power, texts, render_message(message, NAMELESS))


def list_unread(given: Iterable[GivenOrder]) -> tuple[tuple[ProvinceCode, str], ...]:
    """Return the provinces of units with an unreadable order, and what was wrong with it."""
    unread: dict[ProvinceCode, str] = {}
    for entry in given:
        if entry.order is None and entry.province is not None:
            unread.setdefault(entry.province, entry.message)
    return tuple(unread.items())
