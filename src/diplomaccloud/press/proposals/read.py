"""Proposals and the ledger, for viewers who can read the messages with the proposals."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from diplomaccloud.deals import (
    DealNames,
    Finding,
    Terms,
    describe_clause,
    findings_from_json,
    terms_from_json,
)
from diplomaccloud.games.table.models import Seat
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.proposals.models import (
    LedgerEntry,
    Proposal,
    ProposalAnswer,
    find_state,
)
from diplomaccloud.press.proposals.wording import Answer, ProposalState, describe_unanswered
from diplomaccloud.press.table.addresses import Address
from diplomaccloud.press.table.models import Membership, Message
from diplomaccloud.press.table.read import AttachmentFacts
from diplomaccloud.press.table.state import address_of
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """The answer of a seat, identified by its first power."""

    power: str
    answer: Answer
    alternative: int


@dataclass(frozen=True, slots=True)
class LedgerFacts:
    """The ledger's findings in one phase."""

    phase: JudgePhase
    findings: tuple[Finding, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class ProposalFacts(AttachmentFacts):
    """A proposal.

    `proposer` and the names of answers are first powers of seats; `parties` are those of all
    parties. `own_power` is that of the viewer's seat, blank if the viewer is not a party.
    `may_answer` and `may_withdraw` say what the state of the proposal still allows; they do not
    check whether the conversation is open now.
    """

    terms: Terms
    board: Board
    countries: Mapping[Power, str]
    state: ProposalState
    alternative: int | None
    proposer: str
    parties: tuple[str, ...]
    answers: tuple[AnswerFacts, ...]
    own_power: str
    may_answer: bool
    may_withdraw: bool
    ledger: tuple[LedgerFacts, ...] = ()

    def list_lines(self, map_hash: str) -> Iterator[str]:  # noqa: ARG002 the base class
        """Return the clauses of each alternative, and the state."""
        names = DealNames(self.board, self.countries)
        for number, clauses in enumerate(self.terms.alternatives, start=1):
            if len(self.terms.alternatives) > 1:
                yield f"Alternative {number}"
            yield from (describe_clause(clause, names) for clause in clauses)
        yield f"State: {self.state}"


def read_proposals(
    messages: Sequence[Message], user_id: int | None, seats: Sequence[Seat]
) -> Mapping[int, ProposalFacts]:
    """Return the proposals by message key, for messages that the viewer can read.

    Two queries, and one more if a deal was made.
    """
    rows = list(_select_proposals(Q(message__in=[message.pk for message in messages])))
    return {row.message_id: facts for row, facts in _present_proposals(rows, seats, user_id)}


def _select_proposals(which: Q) -> QuerySet[Proposal]:
    """Return proposals with what `_present_proposals` needs."""
    rows = Proposal.objects.filter(which).select_related("phase", "message", "tenure")
    return rows.defer("phase__results", "message__body")


def _present_proposals(
    rows: Sequence[Proposal], seats: Sequence[Seat], user_id: int | None
) -> list[tuple[Proposal, ProposalFacts]]:
    """Return the rows, from the game of these seats, with their facts for the viewer."""
    if not rows:
        return []
    powers = {seat.pk: seat.power or "" for seat in seats}
    held = [seat.pk for seat in seats if user_id is not None and seat.user_id == user_id]
    countries = {
        Power(seat.power): seat.country_name
        for seat in seats
        if seat.power and len(seat.game.played_with.get(seat.power, ())) == 1
    }
    answers: dict[int, list[AnswerFacts]] = {}
    for answer in _answers.read([row.pk for row in rows]):
        facts = AnswerFacts(powers[answer.seat_id], Answer(answer.answer), answer.alternative)
        answers.setdefault(answer.proposal_id, []).append(facts)
    deals = [row.pk for row in rows if row.state == ProposalState.ACCEPTED]
    ledger: dict[int, list[LedgerFacts]] = {}
    for key, name, findings, final in _ledger.read(deals) if deals else ():
        entry = LedgerFacts(JudgePhase.parse(name), findings_from_json(findings), final)
        ledger.setdefault(key, []).append(entry)
    now = timezone.now()
    presented = []
    for row in rows:
        phase, proposer, given = row.phase, powers[row.seat_id], tuple(answers.get(row.pk, ()))
        phase.game = seats[0].game
        terms, state = terms_from_json(row.terms, phase.board), find_state(row, now)
        parties = [group[0] for group in phase.players if set(group).intersection(terms.parties)]
        own_power = powers[held[0]] if held and powers[held[0]] in parties else ""
        is_open = state is ProposalState.OPEN and bool(own_power)
        proposal = ProposalFacts(
            terms=terms,
            board=phase.board,
            countries=countries,
            state=state,
            alternative=row.alternative,
            proposer=proposer,
            parties=tuple(parties),
            answers=given,
            own_power=own_power,
            may_answer=is_open and own_power not in {proposer, *(answer.power for answer in given)},
            may_withdraw=is_open and own_power == proposer,
            ledger=tuple(ledger.get(row.pk, ())) if state is ProposalState.ACCEPTED else (),
        )
        presented.append((row, proposal))
    return presented


_ledger = PreparedQuery(
    lambda deals: (
        LedgerEntry.objects.filter(proposal__in=deals, phase__superseded_at=None)
        .order_by("phase__sequence")
        .values_list("proposal", "phase__name", "findings", "final")
    ),
    list,
)
_answers = PreparedQuery(
    lambda proposals: ProposalAnswer.objects.filter(proposal__in=proposals).order_by("pk"), list
)


@dataclass(frozen=True, slots=True)
class DealFacts:
    """A proposal in its conversation, with its message number there as the viewer sees it."""

    address: Address
    number: int
    proposal: ProposalFacts


MAX_DEALS = 100
"""How many of a game's newest deals a page shows."""


def read_deals(press: PressReader) -> tuple[DealFacts, ...]:
    """Return the newest open or accepted proposals in all of the viewer's conversations."""
    table = press.table
    places = {
        conversation.pk: (address_of(table, conversation.kind, conversation.key), ranges)
        for conversation, _, ranges in press.rows.readable
    }
    if not places:
        return ()
    rows = [
        row
        for row in _deals.read(press.game_id, list(places))
        if row.message.number in places[row.message.conversation_id][1]
    ]
    deals = []
    for row, facts in _present_proposals(rows, table.holders.seats, press.user_id):
        address, ranges = places[row.message.conversation_id]
        deals.append(DealFacts(address, ranges.shown(row.message.number), facts))
    return tuple(deals)


def _select_deals(game: int, conversations: Sequence[int]) -> QuerySet[Proposal]:
    states = (ProposalState.OPEN, ProposalState.ACCEPTED)
    which = Q(game=game, state__in=states, message__conversation__in=conversations)
    return _select_proposals(which).order_by("-pk")[:MAX_DEALS]


_deals = PreparedQuery(_select_deals, int, list)


def list_unanswered(user_id: int) -> list[tuple[str, str]]:
    """Return the slugs of the person's games with proposals to answer, and how many in words.

    One query.
    """
    counts: Counter[str] = Counter()
    now = timezone.now()
    for row in _unanswered.read(user_id):
        power, phase = vars(row)["own_power"], row.phase
        own = set(phase.played_with.get(power, ()))
        parties = terms_from_json(row.terms, phase.board).parties
        if own.intersection(parties) and find_state(row, now) is ProposalState.OPEN:
            counts[phase.game.slug] += 1
    return [(slug, describe_unanswered(number)) for slug, number in counts.items()]


def _select_unanswered(user: int) -> QuerySet[Proposal]:
    own = Seat.objects.filter(user=user, finished_at=None)
    can_read = Membership.objects.filter(
        conversation=OuterRef("message__conversation"),
        user=user,
        first__lte=OuterRef("message__number"),
        last=None,
    )
    answered = ProposalAnswer.objects.filter(proposal=OuterRef("pk"), seat__user=user)
    rows = Proposal.objects.filter(
        Exists(can_read),
        ~Exists(answered),
        game__in=own.values("game"),
        state=ProposalState.OPEN,
        phase__open=True,
        phase__superseded_at=None,
    )
    power = Subquery(own.filter(game=OuterRef("game")).values("power")[:1])
    return (
        rows.exclude(seat__user=user)
        .annotate(own_power=power)
        .select_related("phase__game__chart", "tenure")
        .defer("phase__results", "phase__game__chart__text")
        .order_by("pk")
    )


_unanswered = PreparedQuery(_select_unanswered, int)
