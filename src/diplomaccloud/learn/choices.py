"""Read the orders that a learner chose in a form."""

from collections.abc import Iterable

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.legality.order_entry import OrderTextTooLong, read_orders
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position


def read_choices(
    board: Board, position: Position, power: Power, choices: Iterable[str]
) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """Return the legal orders of `power`, and a sentence for each that is not legal."""
    chosen = [choice for choice in choices if choice.strip()]
    try:
        reading = read_orders(board, position, (power,), choices=chosen, text="")
    except OrderTextTooLong as error:
        return (), (str(error),)
    problems = tuple(f"“{problem.short}”: {problem.message}" for problem in reading.problems)
    return reading.orders, problems
