"""Retreats: resolves the orders of dislodged units."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, ProvinceCode, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.orders import Disband, Retreat
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class RetreatResults:
    """The results for dislodged units, and the units that retreated or were destroyed.

    `retreated` has the units at their new places.
    """

    results: tuple[OrderResult, ...]
    retreated: tuple[Unit, ...]
    destroyed: tuple[Unit, ...]


def resolve_retreats(
    board: Board, position: Position, given: Mapping[Unit, Retreat | Disband]
) -> RetreatResults:
    """Return the results for all dislodged units; `given` has the legal orders.

    Units that retreat to the same province are all disbanded.
    """
    goals = Counter(province_of(order.to) for order in given.values() if isinstance(order, Retreat))
    results = tuple(
        _resolve_retreat(board, entry.unit, given, goals) for entry in position.dislodged
    )
    retreated, destroyed = [], []
    for entry, result in zip(position.dislodged, results, strict=True):
        if isinstance(result.order, Retreat) and result.outcome is Outcome.RETREATED:
            retreated.append(entry.unit.at(result.order.to))
        else:
            destroyed.append(entry.unit)
    return RetreatResults(results, tuple(retreated), tuple(destroyed))


def _resolve_retreat(
    board: Board,
    unit: Unit,
    given: Mapping[Unit, Retreat | Disband],
    goals: Mapping[ProvinceCode, int],
) -> OrderResult:
    """Return the result for one unit; `goals` counts the retreats into each province."""
    names = geography(board)
    match given.get(unit):
        case Retreat() as order if goals[province_of(order.to)] == 1:
            why = Sentence(Message.of("retreated", place=Place(order.to)), names)
            return OrderResult(order, Outcome.RETREATED, why)
        case Retreat() as order:
            return _collision(board, order, given)
        case Disband() as order:
            why = Sentence(Message.of("disbanded_as_ordered"), names)
            return OrderResult(order, Outcome.DISBANDED, why)
        case None:
            why = Sentence(Message.of("disbanded_without_order"), names)
            return OrderResult(Disband(unit), Outcome.DISBANDED, why, implicit=True)


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
