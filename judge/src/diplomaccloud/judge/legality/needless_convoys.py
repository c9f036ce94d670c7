"""Gives a needless convoy order the outcome `convoyed` if it matches its army's move.

If no route needs the fleet, the order is illegal by DATC 4.E.1: it carries no army and shows no
intent to convoy. But the order did no harm, so it gets the outcome of the convoys that were used.
"""

from collections.abc import Sequence

from diplomaccloud.judge.board import Board, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.legality.phase_orders import PhaseOrders
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.orders import Convoy, Move, MovementOrder
from diplomaccloud.judge.results import OrderResult, Outcome


def accept_needless_convoys(
    board: Board, phase_orders: PhaseOrders, followed: Sequence[MovementOrder], verdict: Verdict
) -> None:
    """Replace the refusals of such orders in `phase_orders` with their results.

    `verdict` is the verdict on the orders in `followed`.
    """
    needless = [
        (result, result.order)
        for _, result in phase_orders.list_refusals()
        if isinstance(result.order, Convoy)
        and result.message is not None
        and result.message.key == RefusalKey.CONVOY_BY_DETOUR
    ]
    if not needless:
        return
    armies = {
        order.unit.province: (order, outcome)
        for order, outcome in zip(followed, verdict.outcomes, strict=True)
        if isinstance(order, Move)
    }
    dislodged = {entry.unit.province for entry in verdict.dislodged}
    for result, convoy in needless:
        move, outcome = armies.get(convoy.target.province, (None, None))
        if move is None or not _goes_by_sea(board, move, convoy):
            continue
        is_dislodged = convoy.unit.province in dislodged
        lost = is_dislodged and outcome is Outcome.NOPATH
        key = "convoy_not_needed_and_dislodged" if is_dislodged else "convoy_not_needed"
        message = Message.of(key, army=convoy.target, place=Place(convoy.to))
        phase_orders.replace_refusal(
            result,
            OrderResult(
                convoy,
                Outcome.DISRUPTED if lost else Outcome.CONVOYED,
                Sentence(message, geography(board)),
            ),
        )


def _goes_by_sea(board: Board, move: Move, convoy: Convoy) -> bool:
    """Return whether the army was ordered to go by sea to the goal of the convoy order."""
    near = board.army_neighbors[move.unit.province]
    return province_of(move.to) == convoy.to and (move.via_convoy or convoy.to not in near)
