"""Press of clients in a game on the site: DAIDE offers become proposals, and the reverse.

A client reads only what its player may read, and the site decides who may write when. Press that
cannot become a proposal is passed only between clients of open seats, and is not stored.
"""

import logging
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from django.utils import timezone

from diplomaccloud.daide.language import Message, MessageError, Word, compose, is_text
from diplomaccloud.daide.messages import Cursor, Send, read_press
from diplomaccloud.daide.orders import read_terms, write_terms
from diplomaccloud.daide.site.play import OpenSeat, OpenSeats, SitePlay, declining
from diplomaccloud.daide.table import Room, Visitor, find_goals
from diplomaccloud.deals import (
    Terms,
    TermsError,
    require_possible,
    terms_from_json,
    terms_to_json,
)
from diplomaccloud.games.news.read import Happening
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.visibility.read import find_visible
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import CodecError
from diplomaccloud.press.conversations.actions import Mode, send_message
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.news.read import (
    count_answers,
    count_messages,
    list_happenings,
    read_versions,
)
from diplomaccloud.press.proposals.actions import ProposalAttachment, answer_proposal
from diplomaccloud.press.proposals.read import DealFacts, ProposalFacts, read_deals
from diplomaccloud.press.proposals.wording import Answer, ProposalState
from diplomaccloud.press.table.addresses import EVERYONE, Address, parse_address, seats_address
from diplomaccloud.press.table.errors import NoSuchConversation

MOST_AT_ONCE: Final = 100
"""The maximum number of messages and answers sent to a client in one check."""

_ANSWERS: Final[Mapping[int, Answer]] = {
    Word.YES: Answer.ACCEPT,
    Word.REJ: Answer.REFUSE,
    Word.BWX: Answer.DECLINE,
}
_REPLIES: Final[Mapping[Answer, Word]] = {
    Answer.ACCEPT: Word.YES,
    Answer.REFUSE: Word.REJ,
    Answer.DECLINE: Word.BWX,
    Answer.COUNTER: Word.REJ,
}
"""The DAIDE word for each answer. DAIDE has no word for withdrawing a proposal."""

Place: TypeAlias = tuple[str, int]
"""The player's address of a conversation, and the number of a message in it."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Heard:
    """What a client has been sent: counts of messages and answers, and the answers themselves."""

    version: int
    messages: int
    answers: int
    given: set[tuple[Place, str]] = field(default_factory=set)


class SitePress:
    """Passes press between the clients of open seats and the site."""

    def __init__(self, room: Room, play: SitePlay, seats: OpenSeats, level: int) -> None:
        self._room, self._play, self._seats, self._level = room, play, seats, level
        self._heard: dict[Power, _Heard] = {}
        self._wordings: dict[Terms, Message] = {}
        game_id = find_visible(seats.slug, next(iter(seats.by_power.values())).viewer)
        if game_id is None:
            raise NoSuchGame
        self._game_id = game_id

    # From clients.

    @declining
    def take(self, visitor: Visitor, send: Send, message: Message) -> bool:
        """Take press from a client and confirm it; return False to refuse it, or raise `Declined`.

        Offers become proposals, and replies become answers, if the site can express them.
        """
        power, goals = visitor.power, find_goals(self._play, visitor, send)
        if power is None or goals is None:
            return False
        for goal in goals:
            if goal not in self._play.alive:
                token = self._play.words.powers[goal]
                self._room.send(visitor, compose(Word.OUT, [token], [message]))
                return True
        if not self._seats.require(power).talks or not self._pass(power, goals, send):
            return False
        self._room.send(visitor, compose(Word.YES, [message]))
        return True

    def _pass(self, power: Power, goals: Sequence[Power], send: Send) -> bool:
        reply, offer = send.press[0], send.press
        if reply in _ANSWERS:
            offer = send.press[2:-1]
        if offer[0] == Word.PRP:
            terms = self._read_terms([power, *goals], offer)
            if reply in _ANSWERS and (match := self._find_offer(power, goals, offer)):
                deal, alternative = match
                answer_proposal(
                    slug=self._seats.slug,
                    user_id=self._seats.by_power[power].user_id,
                    to=deal.address,
                    number=deal.number,
                    answer=_ANSWERS[reply],
                    alternative=alternative,
                    now=timezone.now(),
                )
                return True
            if terms is not None:
                if reply == Word.PRP:
                    self._propose(power, goals, terms, offer)
                return reply == Word.PRP
        return self._tell_clients(power, goals, send)

    def _read_terms(self, parties: Sequence[Power], offer: Message) -> Terms | None:
        """Return an offer as terms of the site; None if it cannot become a proposal."""
        play, board = self._play, self._play.words.board
        terms = read_terms(play.words, play.position, tuple(parties), offer, rules=play.rules)
        if terms is None:
            return None
        try:
            terms = terms_from_json(terms_to_json(terms), board)
            require_possible(terms, board, play.position, play.rules)
        except (CodecError, TermsError):
            return None
        return terms

    def _propose(self, power: Power, goals: Sequence[Power], terms: Terms, offer: Message) -> None:
        phase = self._play.position.phase
        self._wordings = {t: said for t, said in self._wordings.items() if t.phase == phase}
        self._wordings[terms] = offer
        send_message(
            slug=self._seats.slug,
            user_id=self._seats.by_power[power].user_id,
            to=self._find_address(power, goals),
            mode=Mode.TOGETHER,
            body="",
            key=secrets.token_hex(16),
            now=timezone.now(),
            attachment=ProposalAttachment(terms_to_json(terms)),
        )

    def _find_address(self, power: Power, goals: Sequence[Power]) -> Address:
        """Return the conversation of the powers, or everyone's if no other is allowed."""
        reader = PressReader(self._seats.slug, self._seats.by_power[power].viewer)
        is_public = reader.game.game.options.press is Press.PUBLIC
        is_for_all = set(self._play.alive) == {power, *goals}
        return EVERYONE if is_public and is_for_all else seats_address(goals)

    def _find_offer(
        self, power: Power, goals: Sequence[Power], offer: Message
    ) -> tuple[DealFacts, int] | None:
        """Return the open proposal and alternative that a reply is about; None if there is none."""
        reader = PressReader(self._seats.slug, self._seats.by_power[power].viewer)
        for deal in read_deals(reader):
            facts = deal.proposal
            if facts.may_answer and facts.proposer in goals:
                meant = self._read_terms(facts.terms.parties, offer)
                if meant is None:
                    continue
                for number, terms in enumerate((facts.terms, *_split(facts.terms))):
                    said = self._write(terms)
                    if said and self._read_terms(terms.parties, said) == meant:
                        return deal, max(0, number - 1)
        return None

    def _tell_clients(self, power: Power, goals: Sequence[Power], send: Send) -> bool:
        """Pass press that isn't a proposal to clients of open seats, if the game's rules allow it.

        The sender can't tell whether a client is connected. Text is refused, since nobody could
        report it.
        """
        seats = [self._seats.by_power.get(goal) for goal in goals]
        if any(seat is None or not seat.talks for seat in seats) or any(map(is_text, send.press)):
            return False
        reader = PressReader(self._seats.slug, self._seats.by_power[power].viewer)
        if not reader.summary(self._find_address(power, goals)).is_writable:
            return False
        sender = self._play.words.powers[power]
        for goal in goals:
            self._tell(goal, compose(Word.FRM, [sender], [send.powers], [send.press]))
        return True

    # To clients.

    def welcome(self, power: Power) -> None:
        """Send a client that takes its seat the proposals that need its answer."""
        seat = self._seats.by_power[power]
        if not seat.talks:
            return
        user, game = seat.user_id, self._game_id
        self._heard[power] = _Heard(
            read_versions([user], game)[user],
            count_messages(game, user),
            count_answers(game, user),
        )
        for deal in reversed(read_deals(PressReader(self._seats.slug, seat.viewer))):
            self._tell_offer(power, deal.proposal)

    def tell_news(self) -> None:
        """Send clients the new proposals and answers that have reached their players."""
        heard = {p: self._heard[p] for p in self._heard if self._room.player_of(p) is not None}
        seats = {p: seat for p in heard if (seat := self._seats.by_power.get(p)) is not None}
        if not seats:
            return
        versions = read_versions([seat.user_id for seat in seats.values()], self._game_id)
        for power, seat in seats.items():
            version = versions[seat.user_id]
            if version != heard[power].version and self._tell_new(power, seat, heard[power]):
                heard[power].version = version

    def _tell_new(self, power: Power, seat: OpenSeat, heard: _Heard) -> bool:
        """Send a client its new messages and answers; return whether it has them all now."""
        reader, game, user = PressReader(self._seats.slug, seat.viewer), self._game_id, seat.user_id
        phase = self._play.position.phase
        messages, answers = list_happenings(
            game, user, messages=heard.messages, answers=heard.answers, limit=MOST_AT_ONCE
        )
        for row in messages:
            _, proposal = _find_proposal(reader, row)
            if proposal is None:
                _log.info("a message without terms is not sent to a client")
            elif proposal.state is ProposalState.OPEN and proposal.terms.phase != phase:
                # Clients do not know the phase of this proposal yet.
                return False
            else:
                self._tell_offer(power, proposal)
            heard.messages += 1
        for row in answers:
            place, proposal = _find_proposal(reader, row)
            if proposal is not None:
                self._tell_answers(power, place, proposal, heard)
            heard.answers += 1
        return max(len(messages), len(answers)) < MOST_AT_ONCE

    def _tell_offer(self, power: Power, proposal: ProposalFacts) -> None:
        if not proposal.may_answer:
            return
        offer = self._write(proposal.terms)
        if offer is None:
            _log.info("a proposal that DAIDE has no words for is not sent to a client")
        else:
            self._tell_parties(power, Power(proposal.proposer), proposal.terms, offer)

    def _tell_answers(
        self, power: Power, place: Place, proposal: ProposalFacts, heard: _Heard
    ) -> None:
        """Send a client other parties' answers to a proposal that it has not been sent yet."""
        terms = proposal.terms
        for given in proposal.answers:
            key, word = (place, given.power), _REPLIES.get(given.answer)
            if given.power == power or key in heard.given or word is None:
                continue
            heard.given.add(key)
            meant = [terms]
            if given.answer is Answer.ACCEPT and len(terms.alternatives) > 1:
                meant.append(_split(terms)[given.alternative])
            for offer in filter(None, map(self._write, meant)):
                self._tell_parties(power, Power(given.power), terms, compose(word, [offer]))

    def _tell_parties(self, power: Power, author: Power, terms: Terms, press: Message) -> None:
        """Send a client the press that another party sent to all the others."""
        tokens = self._play.words.powers
        others = [tokens[party] for party in terms.parties if party != author]
        self._tell(power, compose(Word.FRM, [tokens[author]], [*others], [press]))

    def _tell(self, power: Power, message: Message) -> None:
        visitor = self._room.player_of(power)
        if visitor is not None and visitor.knows_map:
            self._room.send(visitor, message)

    def _write(self, terms: Terms) -> Message | None:
        """Return terms as DAIDE press, in the wording of the client that sent them, if any."""
        words = self._play.words
        offer = self._wordings.get(terms) or write_terms(words, self._play.position, terms)
        if offer is None:
            return None
        try:
            read_press(Cursor(compose([offer]), words.vocabulary), self._level)
        except MessageError:
            return None
        return offer


def _split(terms: Terms) -> list[Terms]:
    return [replace(terms, alternatives=(clauses,)) for clauses in terms.alternatives]


def _find_proposal(reader: PressReader, row: Happening) -> tuple[Place, ProposalFacts | None]:
    """Return the place of a message, and the proposal in it, if there is one to read."""
    place = str(row.facts.get("with", "")), int(str(row.facts.get("number", 0)))
    with suppress(NoSuchConversation):
        for part in reader.message(parse_address(place[0]), place[1]).attachments:
            if isinstance(part, ProposalFacts):
                return place, part
    return place, None
