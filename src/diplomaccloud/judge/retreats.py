"""Retreats: the results of the orders of dislodged units."""

from collections import Counter
from collections.abc import Mapping

from diplomaccloud.judge.board import Board, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.orders import Disband, Retreat
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.units import Unit


def resolve_retreats(
    board: Board, position: Position, given: Mapping[Unit, Retreat | Disband]
) -> tuple[list[OrderResult], list[Unit], list[Unit]]:
    """Return the results, the units where they retreated to, and the units destroyed.

    `given` holds the legal orders. Units that retreat to one province are all disbanded.
    """
    goals = Counter(province_of(order.to) for order in given.values() if isinstance(order, Retreat))
    names = geography(board)
    results: list[OrderResult] = []
    saved: list[Unit] = []
    lost: list[Unit] = []
    for one in position.dislodged:
        unit = one.unit
        match given.get(unit):
            case Retreat() as order if goals[province_of(order.to)] == 1:
                saved.append(unit.at(order.to))
                why = Sentence(Message.of("retreated", place=Place(order.to)), names)
                results.append(OrderResult(order, Outcome.RETREATED, why))
                continue
            case Retreat() as order:
                results.append(_collision(board, order, given))
            case Disband() as order:
                why = Sentence(Message.of("disbanded_as_ordered"), names)
                results.append(OrderResult(order, Outcome.DISBANDED, why))
            case None:
                why = Sentence(Message.of("disbanded_without_order"), names)
                results.append(OrderResult(Disband(unit), Outcome.DISBANDED, why, implicit=True))
        lost.append(unit)
    return results, saved, lost


def _collision(
    board: Board, order: Retreat, given: Mapping[Unit, Retreat | Disband]
) -> OrderResult:
    goal = province_of(order.to)
    others = tuple(
        other.unit
        for other in given.values()
        if isinstance(other, Retreat) and other != order and province_of(other.to) == goal
    )
    message = Message.of("retreats_collided", units=others, place=Place(goal))
    by = tuple(sorted({unit.province for unit in others}))
    why = Sentence(message, geography(board))
    return OrderResult(order, Outcome.DISBANDED, why, by=by)
