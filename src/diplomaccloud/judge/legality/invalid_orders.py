"""Tells orders from other values that callers may pass by mistake."""

from collections.abc import Iterable

from diplomaccloud.judge.board import Board, Power, UnitKind
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.messages.values import Message
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
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

MAX_ECHO = 80
"""How much of an invalid order its result repeats, in characters."""

_WITH_UNIT = (Hold, Move, SupportHold, SupportMove, Convoy, Retreat, Disband, Build)


def is_order(value: object) -> bool:
    """Return whether `value` is an order whose parts have the right types."""
    if isinstance(value, Waive):
        return isinstance(value.power, str) and not isinstance(value, InvalidOrder)
    if not isinstance(value, _WITH_UNIT) or not _is_unit(value.unit):
        return False
    if isinstance(value, SupportHold | SupportMove | Convoy) and not _is_unit(value.target):
        return False
    if isinstance(value, Move):
        seas = value.path
        if not isinstance(seas, tuple) or not all(isinstance(sea, str) for sea in seas):
            return False
    if isinstance(value, Move | SupportMove | Convoy | Retreat):
        return isinstance(value.to, str)
    return True


def _is_unit(value: object) -> bool:
    return (
        isinstance(value, Unit)
        and isinstance(value.kind, UnitKind)
        and isinstance(value.location, str)
        and isinstance(value.power, str)
    )


def separate_orders(board: Board, values: object) -> tuple[list[Order], list[OrderResult]]:
    """Return the orders among `values`, and a void result for everything else.

    A value that is not a list of any kind, or is one text, is itself taken for an order.
    """
    listed: Iterable[object] = [values]
    if isinstance(values, Iterable) and not isinstance(values, str | bytes):
        listed = values
    orders: list[Order] = []
    refused: list[OrderResult] = []
    for value in listed:
        if is_order(value):
            orders.append(value)  # type: ignore[arg-type]
        else:
            refused.append(_refuse(board, value))
    return orders, refused


def _refuse(board: Board, value: object) -> OrderResult:
    order = InvalidOrder(Power(""), _describe(value))
    return OrderResult(order, Outcome.VOID, describe_invalid_order(board, value))


def describe_invalid_order(board: Board, value: object) -> Sentence:
    """Return the sentence that says that `value` is not an order."""
    text = isinstance(value, str)
    key = RefusalKey.TEXT_NOT_PARSED if text else RefusalKey.NOT_AN_ORDER
    return Sentence(Message.of(key, value=_describe(value)), geography(board))


def _describe(value: object) -> str:
    """Return `value` as a short text; never raise, even if it cannot describe itself."""
    if isinstance(value, str):
        return value[:MAX_ECHO]
    try:
        return repr(value)[:MAX_ECHO]
    except Exception:
        return type(value).__name__


def require_arguments(board: object, position: object, rules: object) -> None:
    """Raise `TypeError` if an argument is not of its type; the message says what was passed."""
    wanted = (("board", board, Board), ("position", position, Position), ("rules", rules, RuleSet))
    for name, value, kind in wanted:
        if not isinstance(value, kind):
            raise TypeError(f"{name}: a {kind.__name__} is needed, not {_describe(value)!r}")
