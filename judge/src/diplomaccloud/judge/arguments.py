"""Checks the arguments that most public functions share."""

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.checks import require_text, require_type
from diplomaccloud.judge.orders import is_order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet


def require_arguments(
    board: object, position: object, rules: object = DEFAULT, power: object = ""
) -> None:
    """Raise `TypeError` if an argument has the wrong type; the message quotes the argument."""
    if (
        isinstance(board, Board)
        and isinstance(position, Position)
        and isinstance(rules, RuleSet)
        and isinstance(power, str)
    ):
        return
    require_type("board", board, Board)
    require_type("position", position, Position)
    require_type("rules", rules, RuleSet)
    require_text("power", power)


def require_order_on_board(order: object, board: Board) -> None:
    """Raise `TypeError` unless `order` is an order, and `ValueError` for a place not on `board`."""
    if not is_order(order):
        raise TypeError(f"order: expected an order, not {type(order).__name__}")
    for unit in (getattr(order, "unit", None), getattr(order, "target", None)):
        if unit is not None and unit.location.partition("/")[0] not in board.by_code:
            raise ValueError(f"order: there is no province {unit.province[:40]} on this board")
    to = getattr(order, "to", None)
    if to is not None and to.partition("/")[0] not in board.by_code:
        raise ValueError(f"order: there is no province {to[:40]} on this board")
