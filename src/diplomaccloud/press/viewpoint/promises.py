"""What the bots of a game have promised in deals: for their orders, and for no page."""

from django.db.models import Exists, OuterRef

from diplomaccloud.deals import Promises, find_promises, terms_from_json
from diplomaccloud.games.models import Phase, Seat
from diplomaccloud.games.options.options import Successor
from diplomaccloud.judge.board import Power
from diplomaccloud.press.models import LedgerEntry, Proposal, ProposalAnswer
from diplomaccloud.press.proposal_states import ProposalState


def read_promises(phase_id: int) -> dict[Power, Promises]:
    """Return what binds the powers of bots in a phase; nothing in a game without deals.

    Deals bind that were accepted, that nobody has broken and that no rollback has undone. Where
    there ever was a deal, all powers of bots are returned, since one that binds no longer may have
    decided orders that were written before.
    """
    ended = LedgerEntry.objects.filter(
        proposal=OuterRef("pk"), phase__superseded_at=None, final=True
    )
    deals = Proposal.objects.filter(game__phases=phase_id, state=ProposalState.ACCEPTED)
    if not deals.exists():
        return {}
    rows = list(deals.filter(~Exists(ended), phase__superseded_at=None).order_by("pk"))
    phase = Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=phase_id)
    bots = Seat.objects.filter(game=phase.game_id).exclude(bot="")
    if phase.game.options.talk.successor is Successor.BLANK:
        rows = _drop_foreign(rows)
    found = [(terms_from_json(row.terms, phase.board), row.alternative or 0) for row in rows]
    powers = [power for seat in bots for power in phase.powers_of(seat)]
    nothing = {power: Promises(power, ()) for power in powers}
    return nothing | find_promises(found, powers, phase.judge_phase)


def _drop_foreign(rows: list[Proposal]) -> list[Proposal]:
    """Return the deals whose parties all still have the player who agreed."""
    gone = ProposalAnswer.objects.filter(
        proposal__in=rows, tenure__until_at__isnull=False
    ).values_list("proposal", flat=True)
    left = set(gone)
    ended = Proposal.objects.filter(
        pk__in=[row.pk for row in rows], tenure__until_at__isnull=False
    ).values_list("pk", flat=True)
    return [row for row in rows if row.pk not in left.union(ended)]
