"""Separates orders from other values that callers may pass by mistake."""

from collections.abc import Iterable

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.checks import describe
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import InvalidOrder, Order, is_order
from diplomaccloud.judge.results import OrderResult, Outcome


def separate_orders(board: Board, values: object) -> tuple[list[Order], list[OrderResult]]:
    """Return the orders among `values`, and a void result for everything else.

    Text, or a value that is not iterable, is treated as a single order.
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
    order = InvalidOrder(Power(""), describe(value))
    return OrderResult(order, Outcome.VOID, describe_invalid_order(board, value))


def describe_invalid_order(board: Board, value: object) -> Sentence:
    """Return the sentence that says that `value` is not an order."""
    text = isinstance(value, str)
    key = RefusalKey.TEXT_NOT_PARSED if text else RefusalKey.NOT_AN_ORDER
    return Sentence(Message.of(key, value=describe(value)), geography(board))
