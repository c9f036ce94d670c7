"""Why an order of a processed phase had its outcome, as the current judge explains it."""

from collections.abc import Iterable
from dataclasses import dataclass

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import OrderRow, Phase
from diplomaccloud.judge import explain
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.reasons.values import Explanation
from diplomaccloud.judge.results import OrderResult


@dataclass(frozen=True, slots=True)
class OrderExplanation:
    """The explanation of the order `number` among `results`, counted from 0.

    `explanation` is None if the current judge would decide the order differently.
    """

    sequence: int
    number: int
    board: Board
    results: tuple[OrderResult, ...]
    explanation: Explanation | None


def explain_order(phase: Phase, orders: Iterable[OrderRow], number: int) -> OrderExplanation:
    """Return the explanation of the order `number` of a phase, counted from 0.

    `orders` are the live orders. They are read only for a processed phase, whose orders are
    visible to everyone who may see the game. Raises `NoSuchGame` for any other phase, or if
    the order does not exist.
    """
    if phase.processed_at is None:
        raise NoSuchGame
    results = tuple(phase.resolution.results)
    if number >= len(results):
        raise NoSuchGame
    board = phase.board
    explanation = explain.explain_order(
        board,
        phase.position,
        tuple(row.canonical for row in orders),
        number,
        phase.game.rules,
        seed=phase.seed,
    )
    stored = results[number]
    decided = None if explanation is None else (explanation.order, explanation.outcome)
    known = explanation if decided == (stored.order, stored.outcome) else None
    return OrderExplanation(phase.sequence, number, board, results, known)
