"""The orders of one request: those that could be read, and those that were refused."""

from dataclasses import dataclass
from functools import cached_property

from diplomaccloud.judge.adjudication import adjudicate, complete_movement
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec.reader import Json
from diplomaccloud.judge.geography import NAMELESS
from diplomaccloud.judge.kernel.values import Verdict, adjudicate_legal
from diplomaccloud.judge.legality.reader import Reader
from diplomaccloud.judge.legality.refusal import Refusal
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.notation import (
    CanonicalOrders,
    NotationError,
    ordered_unit,
    parse_order,
    parse_sheet,
    unit_named,
)
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.protocol.request import Request
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.judge.rules import Pick
from diplomaccloud.judge.units import Unit

MAX_NAME = 24
"""How many characters of an unknown power's name are returned."""

MAX_ECHO = 300
"""How many characters of an unreadable order are returned."""


@dataclass(frozen=True, slots=True)
class Unread:
    """An order that could not be read: its shortened text, and the reason."""

    power: Power
    text: str
    why: str

    @property
    def sentence(self) -> str:
        """The reason as one sentence."""
        return render_message(Message.of("order_not_read", error=self.why), NAMELESS)


class RequestOrders:
    """The orders of a request: those that could be read, and those that were refused."""

    def __init__(self, asked: Request) -> None:
        self.orders: list[Order] = []
        self.errors: list[Json] = []
        self.unread: dict[str, Unread] = {}
        """Orders that could not be read, by the text of the unit they are for."""
        self._asked = asked
        moving = asked.position.phase.stage is Stage.MOVEMENT
        self._canonical = (
            CanonicalOrders(asked.board, asked.position, asked.rules) if moving else None
        )
        self._verdict: Verdict | None = None
        self._texts: dict[Order, str] = {}
        self._refused: set[Order] = set()
        self._needless: dict[Order, list[Json]] = {}
        self._meant: dict[Unit, set[Order]] = {}
        if self._all_listed():
            return
        for power, text in asked.orders:
            self._read_text(power, text)
        adjusting = asked.position.phase.stage is Stage.ADJUSTMENTS
        if not adjusting and asked.rules.several_orders is Pick.NONE:
            self._note_contradictions()

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._asked.board, self._asked.position, self._asked.rules)

    @property
    def are_listed(self) -> bool:
        """Whether this is a movement phase in which all orders are canonical and legal."""
        return self._verdict is not None

    def resolve(self) -> Resolution:
        """Return the resolution of the orders, reusing the decisions made while reading them."""
        asked = self._asked
        if self._verdict is not None:
            return complete_movement(
                asked.board, asked.position, self.orders, asked.rules, self._verdict
            )
        return adjudicate(asked.board, asked.position, self.orders, asked.rules, seed=asked.seed)

    def refuse(self, power: str, text: str, message: str) -> None:
        """Record that an order was refused."""
        sent = text[:MAX_ECHO]
        self.errors.append({"power": power[:64], "order": sent, "message": message})

    def accept_needless(self, convoy: Order) -> None:
        """Remove the errors about a convoy order that matched even though no route needs it."""
        for error in self._needless.pop(convoy, ()):
            self.errors.remove(error)

    def refuse_late(self, result: OrderResult) -> None:
        """Record that adjudication refused an order, unless it was already refused in reading."""
        text = self._texts.get(result.order, str(result.order))
        if result.order not in self._refused:
            self.refuse(power_of(result.order), text, result.reason)

    def _all_listed(self) -> bool:
        """Take the orders if all are canonical and legal; return whether they are."""
        asked = self._asked
        if self._canonical is None or not asked.orders:
            return False
        orders: list[Order] = []
        for power, text in asked.orders:
            order = self._canonical.read(text, Power(power))
            if order is None:
                return False
            orders.append(order)
        self._verdict = adjudicate_legal(asked.board, asked.position.units, orders, asked.rules)
        if self._verdict is None:
            return False
        self.orders = orders
        return True

    def _read_text(self, name: str, text: str) -> None:
        power = Power(name)
        if power not in self._asked.board.power_info:
            message = Message.of("unknown_power", name=name[:MAX_NAME])
            self.refuse(name, text, render_message(message, NAMELESS))
            return
        try:
            order = self._canonical.read(text, power) if self._canonical else None
            self._take(power, text, order or self._parse_order(power, text))
        except NotationError as error:
            self._read_sheet(power, text, str(error))

    def _parse_order(self, power: Power, text: str) -> Order:
        asked = self._asked
        return parse_order(text, asked.board, asked.position, power, rules=asked.rules)

    def _read_sheet(self, power: Power, text: str, why: str) -> None:
        """Read text that is not a single order; `why` is the error from reading it as one."""
        asked = self._asked
        sheet = parse_sheet(text, asked.board, asked.position, power, rules=asked.rules)
        for order in sheet.orders:
            self._take(power, str(order), order)
        if not sheet.orders and len(sheet.errors) < 2:
            self.refuse(power, text, why)
            self._note_unread(power, text, why)
            return
        for error in sheet.errors:
            self.refuse(power, error.text, error.message)
            self._note_unread(power, error.text, error.message)

    def _take(self, power: Power, text: str, order: Order) -> None:
        self.orders.append(order)
        self._texts.setdefault(order, text)
        try:
            meant = self._reader.read(power, order)
        except Refusal as refusal:
            self.refuse(power, text, str(refusal))
            self._refused.add(order)
            if refusal.key is RefusalKey.CONVOY_BY_DETOUR:
                self._needless.setdefault(order, []).append(self.errors[-1])
            return
        if not isinstance(meant, Waive):
            self._meant.setdefault(meant.unit, set()).add(meant)

    def _note_unread(self, power: Power, text: str, why: str) -> None:
        unread = Unread(power, text[:MAX_ECHO], why)
        board, position = self._asked.board, self._asked.position
        if position.phase.stage is not Stage.ADJUSTMENTS:
            unit = ordered_unit(text, board, position, power)
            if unit is not None:
                self.unread.setdefault(str(unit), unread)
        elif named := unit_named(text, board):
            self.unread.setdefault(named, unread)

    def _note_contradictions(self) -> None:
        for unit, orders in self._meant.items():
            if len(orders) > 1:
                texts = "; ".join(sorted(map(str, orders)))
                message = Message.of("different_orders", unit=unit)
                self.refuse(unit.power, texts, render_message(message, NAMELESS))
