"""What talking bots see of a game on the site: their own deals and the ledger's findings."""

from django.db.models import Q

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.talks.diplomat import Diplomat
from diplomaccloud.bots.talks.press_table import find_diplomat
from diplomaccloud.bots.talks.views import Entry, View
from diplomaccloud.bots.variety import vary
from diplomaccloud.deals import Verdict, findings_from_json
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.draw_votes import players_left
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.press.models import LedgerEntry, Proposal
from diplomaccloud.press.models.deals import list_deals, read_deal
from diplomaccloud.press.proposal_states import ProposalState


def find_seat_diplomat(phase: Phase, seat: Seat) -> Diplomat | None:
    """Return the diplomat of the bot in a seat; None for bots that only answer.

    Weighing deals requires the compiled kernel. A bot with several powers does not talk.
    """
    if not seat.bot or KERNEL.name == "python" or len(phase.powers_of(seat)) != 1:
        return None
    bot = find_bot(seat.bot)
    return find_diplomat(vary(bot) if phase.branch > 0 else bot)


def look(phase: Phase, seat: Seat, diplomat: Diplomat) -> View:
    """Return what the bot in a one-power seat may see in a phase."""
    (power,) = phase.powers_of(seat)
    return View(
        phase.board,
        phase.position,
        power,
        tuple(read_deal(row, phase) for row in list_own_deals(phase, seat)),
        _list_entries(phase, power),
        _find_audience(phase, seat),
        diplomat.temper,
    )


def list_own_deals(phase: Phase, seat: Seat) -> list[Proposal]:
    """Return the deals that bind a seat in the phase, oldest first."""
    powers = set(phase.powers_of(seat))
    return [row for row in list_deals(phase) if powers & set(row.terms["parties"])]


def _list_entries(phase: Phase, power: Power) -> tuple[Entry, ...]:
    """Return the ledger's entries on all deals of a power, oldest phase first."""
    own = Proposal.objects.filter(game=phase.game_id, state=ProposalState.ACCEPTED)
    rows = LedgerEntry.objects.filter(
        proposal__in=own.filter(phase__superseded_at=None), phase__superseded_at=None
    )
    entries = []
    for row in rows.select_related("phase", "proposal").order_by("phase__sequence", "pk"):
        parties = tuple(Power(party) for party in row.proposal.terms["parties"])
        if power in parties:
            broken = {
                finding.power
                for finding in findings_from_json(row.findings)
                if finding.verdict is Verdict.BROKEN
            }
            entries.append(Entry(row.phase.judge_phase, parties, tuple(sorted(broken))))
    return tuple(entries)


def _find_audience(phase: Phase, seat: Seat) -> frozenset[Power]:
    """Return the powers that the bot may write to and has not yet made an offer."""
    if phase.game.options.press not in {Press.FULL, Press.RULEBOOK}:
        return frozenset()
    offers = Proposal.objects.filter(phase=phase, seat=seat).values_list("terms", flat=True)
    asked = {party for terms in offers for party in terms["parties"]}
    left = set(players_left(phase.position))
    held = Seat.objects.filter(Q(user__isnull=False) | ~Q(bot=""), game=phase.game_id)
    found = [phase.powers_of(other) for other in held.exclude(pk=seat.pk)]
    return frozenset(
        power for powers in found if len(powers) == 1 for power in powers if power in left - asked
    )
