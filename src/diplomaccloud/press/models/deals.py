"""Deals: accepted proposals, and which of them are binding in a phase."""

from django.db.models import Exists, OuterRef

from diplomaccloud.deals import Terms, terms_from_json
from diplomaccloud.games.table.options import Successor
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.models.proposals import LedgerEntry, Proposal, ProposalAnswer
from diplomaccloud.press.proposal_states import ProposalState


def list_deals(phase: Phase) -> list[Proposal]:
    """Return the deals of the game that are binding in a phase, oldest first."""
    ended = LedgerEntry.objects.filter(
        proposal=OuterRef("pk"), phase__superseded_at=None, final=True
    )
    deals = Proposal.objects.filter(
        ~Exists(ended), game=phase.game_id, state=ProposalState.ACCEPTED, phase__superseded_at=None
    )
    rows = list(deals.order_by("pk"))
    return _drop_foreign(rows) if phase.game.options.talk.successor is Successor.BLANK else rows


def read_deal(row: Proposal, phase: Phase) -> tuple[Terms, int]:
    """Return the terms of a deal and the accepted alternative."""
    return terms_from_json(row.terms, phase.board), row.alternative or 0


def _drop_foreign(rows: list[Proposal]) -> list[Proposal]:
    """Return the deals whose parties all still have the players who agreed."""
    gone = ProposalAnswer.objects.filter(
        proposal__in=rows, tenure__until_at__isnull=False
    ).values_list("proposal", flat=True)
    left = set(gone)
    ended = Proposal.objects.filter(
        pk__in=[row.pk for row in rows], tenure__until_at__isnull=False
    ).values_list("pk", flat=True)
    return [row for row in rows if row.pk not in left.union(ended)]
