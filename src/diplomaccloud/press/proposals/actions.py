"""Proposing and answering deals, and when the answers and messages of bots are due."""

import datetime as dt
import json
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from diplomaccloud.deals import Terms, TermsError, require_possible, terms_from_json, terms_to_json
from diplomaccloud.games.table.errors import NotYourSeat, WrongMoment
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.visibility.read import is_masked, seat_holder
from diplomaccloud.judge.codec import CodecError
from diplomaccloud.press.proposals.models import (
    LedgerMark,
    PendingReply,
    PendingTalk,
    Proposal,
    ProposalAnswer,
    find_state,
    is_open,
)
from diplomaccloud.press.proposals.wording import Answer, ProposalState
from diplomaccloud.press.table.actions import (
    Letter,
    find_readable,
    raise_versions,
    require_open,
    require_visible,
)
from diplomaccloud.press.table.addresses import Address, AddressKind, AttachmentKind
from diplomaccloud.press.table.errors import (
    BadTerms,
    NoSuchProposal,
    PressClosed,
    ProposalClosed,
    TooManyMessages,
)
from diplomaccloud.press.table.events import PressEventKind, record_press_event
from diplomaccloud.press.table.models import Membership, Message, Send
from diplomaccloud.press.table.state import PressTable, Target, find_target, load_table

MIN_DELAY: Final = dt.timedelta(minutes=1)
PHASE_SHARE: Final = 10
"""The longest delay, as a fraction of the phase."""


def expect_talk(phase: Phase, seats: Collection[Seat], now: dt.datetime) -> None:
    """Schedule the bots that think about their deals in a phase and may talk."""
    for seat in seats:
        due_at = find_due(phase, seat, now)
        PendingTalk.objects.get_or_create(phase=phase, seat=seat, defaults={"due_at": due_at})


def find_due(phase: Phase, seat: Seat, now: dt.datetime) -> dt.datetime:
    """Return when a bot acts: at once if pages show that it is a bot, else after a delay."""
    if seat_holder(phase.game, seat, hidden=is_masked(phase.game)).bot:
        return now
    return now + draw_delay(phase, random.SystemRandom())


def draw_delay(phase: Phase, rng: random.Random) -> dt.timedelta:
    """Return how long a bot waits in games that hide which players are bots.

    From a minute to a tenth of the phase, so that the delay doesn't give the bot away either.
    """
    longest = max(MIN_DELAY, (phase.due_at - phase.opens_at) / PHASE_SHARE)
    return rng.uniform(0, 1) * (longest - MIN_DELAY) + MIN_DELAY


# Proposals: offering terms in a message, and answering them. The game lock decides who is first.
#
# A proposal is not binding. It is open during the phase in which it was sent, and each other party
# gives one final answer. All must accept; any other answer closes it.


MAX_A_PHASE: Final = 20
"""How many proposals a seat may make in one phase."""
CLOSING: Final = {
    Answer.REFUSE: ProposalState.REFUSED,
    Answer.DECLINE: ProposalState.DECLINED,
    Answer.COUNTER: ProposalState.COUNTERED,
    Answer.WITHDRAW: ProposalState.WITHDRAWN,
}
"""The state after each answer other than an acceptance."""
_CLOSED: Final = {
    ProposalState.ACCEPTED: "This proposal has been accepted, so you can no longer answer it.",
    ProposalState.REFUSED: "This proposal has been refused, so you can no longer answer it.",
    ProposalState.DECLINED: "This proposal has been refused, so you can no longer answer it.",
    ProposalState.COUNTERED: "A counter-offer has replaced this proposal.",
    ProposalState.WITHDRAWN: "This proposal has been withdrawn.",
}
_WORDS: Final = {
    ProposalState.ACCEPTED: "accepted",
    ProposalState.REFUSED: "refused",
    ProposalState.DECLINED: "refused",
    ProposalState.WITHDRAWN: "withdrawn",
}
"""How notices describe an answer that closed a proposal."""
_LAPSED = "Orders are closed, so this proposal has lapsed."


@dataclass(slots=True)
class ProposalAttachment:
    """The terms that a message offers, as unchecked JSON.

    For a counter-offer, `counters` is the number of the original proposal, as the sender sees it.
    """

    kind: ClassVar = AttachmentKind.PROPOSAL
    data: object
    counters: int | None = None
    _proposal: Proposal | None = None
    _table: PressTable | None = None

    @property
    def digest_part(self) -> str:
        """The terms as text."""
        return json.dumps([self.data, self.counters], sort_keys=True)

    def require_sendable(self, table: PressTable, target: Target, letter: Letter) -> None:
        """Raise `Refused` unless the sender may offer these terms there and now."""
        seat, tenure = table.seat, table.tenure
        is_shared = target.kind in (AddressKind.SEATS, AddressKind.PUBLIC)
        if seat is None or tenure is None or not is_shared:
            raise NotYourSeat("Only players can make proposals, to other players or to everyone.")
        phase = _require_phase(table, letter.at)
        terms = _read_terms(self.data, phase)
        _require_parties(terms, phase, seat, target)
        if Proposal.objects.filter(phase=phase, seat=seat).count() >= MAX_A_PHASE:
            raise TooManyMessages(f"You can make {MAX_A_PHASE} proposals in a phase.")
        answered = None
        if self.counters is not None:
            answered = _find_proposal(table, target, self.counters)
            _require_answerable(answered, seat, Answer.COUNTER, phase, letter.at)
        self._table = table
        self._proposal = Proposal(
            game=table.game,
            phase=phase,
            seat=seat,
            tenure=tenure,
            terms=terms_to_json(terms),
            counters=answered,
        )

    def attach(self, send: Send, messages: Sequence[Message]) -> None:
        """Write the proposal and, for a counter-offer, the answer to the original proposal."""
        (message,), proposal, table = messages, self._proposal, self._table
        if proposal is None or table is None:
            raise ValueError("the terms have not been checked")
        proposal.message = message
        proposal.save(force_insert=True)
        if proposal.counters is not None:
            given = ProposalAnswer(
                proposal=proposal.counters,
                seat=proposal.seat,
                tenure=proposal.tenure,
                answer=Answer.COUNTER,
                at=send.at,
            )
            _write_answer(given)
        parties = find_party_seats(table, proposal)
        PendingReply.objects.bulk_create(
            PendingReply(
                proposal=proposal, seat=seat, due_at=find_due(proposal.phase, seat, send.at)
            )
            for seat in parties
            if seat.bot and seat.pk != proposal.seat_id
        )


@atomic_with_retries
def answer_proposal(
    *,
    slug: str,
    user_id: int,
    to: Address,
    number: int,
    answer: Answer,
    alternative: int = 0,
    now: dt.datetime,
) -> ProposalState:
    """Return the state of a proposal after a person's answer.

    `number` is that of the message, as the person sees it. Whether the person may write is checked
    at `now`, the time of arrival; the proposal's state is checked under the lock. Repeating an
    answer changes nothing. A counter-offer is a separate message. Raises `NoSuchProposal`,
    `ProposalClosed`, `PressClosed`, or what `lock_game` raises.
    """
    if answer is Answer.COUNTER:
        raise NoSuchProposal
    game = lock_game(slug)
    table = load_table(game, user_id)
    require_visible(table)
    target = find_target(table, to)
    proposal = _find_proposal(table, target, number)
    seat, tenure = table.seat, table.tenure
    if seat is None or tenure is None:
        raise NotYourSeat("You no longer play this country, so you cannot answer for it.")
    known = ProposalAnswer.objects.filter(proposal=proposal, seat=seat).first()
    if known is not None and (known.answer, known.alternative) == (answer, alternative):
        return ProposalState(proposal.state)
    require_open(table, target, now)
    _require_answerable(proposal, seat, answer, table.newest.phase, now)
    if not 0 <= alternative < len(proposal.terms["alternatives"]):
        raise BadTerms("This proposal has no such alternative.")
    given = ProposalAnswer(
        proposal=proposal, seat=seat, tenure=tenure, answer=answer, alternative=alternative, at=now
    )
    return record_answer(table, given)


def record_answer(table: PressTable, given: ProposalAnswer) -> ProposalState:
    """Record a permitted answer in the locked game, and return the new state of the proposal."""
    proposal = given.proposal
    _write_answer(given)
    if given.answer == Answer.ACCEPT:
        answers, parties = proposal.answers.all(), find_party_seats(table, proposal)
        accepted = {proposal.seat_id, *answers.values_list("seat_id", flat=True)}
        if accepted.issuperset(seat.pk for seat in parties):
            _close(proposal, ProposalState.ACCEPTED, given.at, given.alternative)
            expect_talk(proposal.phase, [seat for seat in parties if seat.bot], given.at)
            LedgerMark.objects.update_or_create(
                game=table.game,
                defaults={"open": True},
                create_defaults={"judged": max(0, proposal.phase.sequence - 1)},
            )
    readers = Membership.objects.filter(
        conversation__messages=proposal.message_id, last=None, user__isnull=False
    )
    raise_versions(set(readers.values_list("user_id", flat=True)), table.game.pk)
    _notify_parties(table, given)
    return ProposalState(proposal.state)


def _notify_parties(table: PressTable, given: ProposalAnswer) -> None:
    """Notify the players of the other parties of an answer."""
    proposal = given.proposal
    others = [seat for seat in find_party_seats(table, proposal) if seat.pk != given.seat_id]
    word = _WORDS.get(ProposalState(proposal.state))
    record_press_event(
        PressEventKind.PROPOSAL_ANSWERED,
        key=f"proposal {proposal.pk} answer {given.seat_id}",
        user_ids=[seat.user_id for seat in others if seat.user_id is not None],
        now=given.at,
        game_id=table.game.pk,
        message=proposal.message,
        data={"answer": word} if word else None,
    )


def find_party_seats(table: PressTable, proposal: Proposal) -> list[Seat]:
    """Return the seats of the parties."""
    parties = set(proposal.terms["parties"])
    phase = proposal.phase
    return [seat for seat in table.holders.seats if parties.intersection(phase.powers_of(seat))]


def _require_phase(table: PressTable, now: dt.datetime) -> Phase:
    phase = table.newest.phase
    if phase is None or table.game.finished_at is not None:
        raise WrongMoment("The game must be in progress to make a proposal.")
    if not is_open(phase, now):
        raise PressClosed("Orders are closed, so this proposal is too late. Nothing was sent.")
    return phase


def _read_terms(data: object, phase: Phase) -> Terms:
    try:
        terms = terms_from_json(data, phase.board)
        require_possible(terms, phase.board, phase.position, phase.game.rules)
    except CodecError as error:
        place, _, _ = str(error).partition(": ")
        raise BadTerms(f"These terms cannot be read: {error}.", place) from error
    except TermsError as error:
        raise BadTerms(str(error), error.place) from error
    return terms


def _require_parties(terms: Terms, phase: Phase, seat: Seat, target: Target) -> None:
    """Raise unless the parties are the members or, in public, the sender and others."""
    own_powers, parties = set(phase.powers_of(seat)), set(terms.parties)
    members = own_powers.union(*map(phase.powers_of, target.seats))
    if target.kind is AddressKind.PUBLIC and not own_powers <= parties:
        raise BadTerms("You must be a party to your own proposal.", "parties")
    if target.kind is not AddressKind.PUBLIC and parties != members:
        fault = "The parties to a proposal must be the members of its conversation."
        raise BadTerms(fault, "parties")


def _find_proposal(table: PressTable, target: Target, number: int) -> Proposal:
    """Return the proposal of a message that the person can read; raise `NoSuchProposal`."""
    message = find_readable(table, target, number)
    proposal = Proposal.objects.filter(message=message).select_related("phase", "tenure").first()
    if message is None or proposal is None:
        raise NoSuchProposal
    proposal.phase.game = table.game
    return proposal


def _require_answerable(
    proposal: Proposal, seat: Seat, answer: Answer, newest: Phase | None, now: dt.datetime
) -> None:
    """Raise unless the seat may give this answer now."""
    parties = set(proposal.terms["parties"])
    is_own = proposal.seat_id == seat.pk
    if not parties.intersection(proposal.phase.powers_of(seat)):
        raise NotYourSeat("This proposal is not for your country.")
    if is_own != (answer is Answer.WITHDRAW):
        raise NotYourSeat(
            "You cannot answer your own proposal."
            if is_own
            else "Only the country that made a proposal can withdraw it."
        )
    state = find_state(proposal, now)
    if state in _CLOSED:
        raise ProposalClosed(_CLOSED[state])
    if newest is None or newest.pk != proposal.phase_id or state is not ProposalState.OPEN:
        raise ProposalClosed(_LAPSED)
    if ProposalAnswer.objects.filter(proposal=proposal, seat=seat).exists():
        raise ProposalClosed("Your country has already answered this proposal.")


def _write_answer(given: ProposalAnswer) -> None:
    if given.answer != Answer.ACCEPT:
        given.alternative = 0
    given.save(force_insert=True)
    if (state := CLOSING.get(Answer(given.answer))) is not None:
        _close(given.proposal, state, given.at)


def _close(
    proposal: Proposal, state: ProposalState, now: dt.datetime, alternative: int | None = None
) -> None:
    proposal.state, proposal.closed_at, proposal.alternative = state, now, alternative
    proposal.save(update_fields=["state", "closed_at", "alternative"])
