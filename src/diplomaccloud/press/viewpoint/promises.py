"""The promises of a game's bots in deals, used for their orders and never shown on pages."""

from diplomaccloud.deals import Promises, find_promises
from diplomaccloud.games.models import BotPlan, Phase, Seat
from diplomaccloud.judge.board import Power
from diplomaccloud.press.models import Proposal
from diplomaccloud.press.models.deals import list_deals, read_deal
from diplomaccloud.press.proposal_states import ProposalState


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
        kept = [row for row in rows if row.pk not in broken.get(seat.pk, ())]
        found = [read_deal(row, phase) for row in kept]
        powers = phase.powers_of(seat)
        promises |= {power: Promises(power, ()) for power in powers}
        promises |= find_promises(found, powers, phase.judge_phase)
    return promises
