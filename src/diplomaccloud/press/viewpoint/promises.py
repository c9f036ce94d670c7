"""What the bots of a game have promised in deals: for their orders, and for no page."""

from diplomaccloud.deals import Promises, find_promises
from diplomaccloud.games.models import BotPlan, Phase, Seat
from diplomaccloud.judge.board import Power
from diplomaccloud.press.models import Proposal
from diplomaccloud.press.models.deals import list_deals, read_deal
from diplomaccloud.press.proposal_states import ProposalState


def read_promises(phase_id: int) -> dict[Power, Promises]:
    """Return what binds the powers of bots in a phase; nothing in a game without deals.

    Deals bind that were accepted, that nobody has broken and that no rollback has undone, but not a
    bot that has decided to break them. Where
    there ever was a deal, all powers of bots are returned, since one that binds no longer may have
    decided orders that were written before.
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
        kept = [row for row in rows if row.pk not in broken.get(seat.pk, ())]
        found = [read_deal(row, phase) for row in kept]
        powers = phase.powers_of(seat)
        promises |= {power: Promises(power, ()) for power in powers}
        promises |= find_promises(found, powers, phase.judge_phase)
    return promises
