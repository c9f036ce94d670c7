"""What bots have promised in deals, which is never shown on pages, and what a hint would break."""

from collections.abc import Iterator, Sequence

from diplomaccloud.deals import Promises, find_promises, list_agreed
from diplomaccloud.deals.breaches import is_same_order
from diplomaccloud.games.bots.read import BrokenPromise
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import BotPlan, Phase
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.press.proposals.models import Proposal, list_deals, read_deal
from diplomaccloud.press.proposals.wording import ProposalState


def read_promises(phase_id: int) -> dict[Power, Promises]:
    """Return the promises that bind bots' powers in a phase; empty in a game without deals.

    A deal is binding if it was accepted, nobody has broken it and no rollback has undone it, except
    on a bot that has decided to break it. If there ever was a deal, all bots' powers are returned,
    because a deal that is no longer binding may have decided orders written earlier.
    """
    deals = Proposal.objects.filter(game__phases=phase_id, state=ProposalState.ACCEPTED)
    if not deals.exists():
        return {}
    phase = Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=phase_id)
    bots = Seat.objects.filter(game=phase.game_id).exclude(bot="")
    rows = list_deals(phase)
    plans = BotPlan.objects.filter(phase=phase_id).exclude(broken=[])
    broken = {plan.seat_id: set(plan.broken) for plan in plans}
    promises: dict[Power, Promises] = {}
    for seat in bots:
        kept = [read_deal(row, phase) for row in rows if row.pk not in broken.get(seat.pk, ())]
        powers = phase.powers_of(seat)
        promises |= {power: Promises(power, ()) for power in powers}
        promises |= find_promises(kept, powers, phase.judge_phase)
    return promises


def list_broken(phase: Phase, seat: Seat, orders: Sequence[Order]) -> tuple[BrokenPromise, ...]:
    """Return the promises in a seat's own deals that its `orders` would break."""
    powers = phase.powers_of(seat)
    deals = [
        read_deal(row, phase)
        for row in list_deals(phase)
        if not set(powers).isdisjoint(row.terms["parties"])
    ]
    agreed = tuple(list_agreed(deals, phase.judge_phase))
    promises = find_promises(deals, powers, phase.judge_phase)
    return tuple(
        BrokenPromise(clause, order)
        for power, promised in promises.items()
        for clause in dict.fromkeys(promised.clauses)
        for order in _list_breaches(
            phase, Promises(power, (clause,), agreed), [o for o in orders if power_of(o) == power]
        )
    )


def _list_breaches(
    phase: Phase, promises: Promises, orders: Sequence[Order]
) -> Iterator[Order | None]:
    """Yield the orders that break the only clause of `promises`; None stands for a missing one."""
    for order in orders:
        if promises.is_broken_by(order, phase.board, phase.position):
            yield order
    for promised in promises.orders:
        if not any(is_same_order(promised, order) for order in orders):
            yield None
