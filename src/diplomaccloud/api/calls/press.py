"""Talking: conversations, messages, marks, and answers to proposals."""

import hashlib
import secrets
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query

from diplomaccloud.api.auth import PRESS, bearer_of, caller_of
from diplomaccloud.api.calls.acting import act_on
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.press import (
    describe_conversation,
    describe_messages,
    describe_sent,
)
from diplomaccloud.api.operations import Area
from diplomaccloud.api.repeats import HEADER, Effect
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.press import (
    ConversationList,
    Marked,
    MarkGiven,
    MessageGiven,
    MessageList,
    PersonalGiven,
    ProposalAnswered,
    ProposalAnswerGiven,
    SentMessages,
    SentState,
)
from diplomaccloud.press import actions
from diplomaccloud.press.actions.proposals import ProposalAttachment
from diplomaccloud.press.addresses import Address, parse_address, seats_address
from diplomaccloud.press.proposal_states import Answer
from diplomaccloud.press.viewpoint import PressReader, read_personal

With = Annotated[str, Query(alias="with", min_length=1, max_length=400)]
Number = Annotated[int | None, Query(ge=0, le=10**9)]
_area = Area("press", PRESS)


@_area.reads("/games/{game}/seat/conversations", ConversationList)
def list_conversations(request: HttpRequest, game: GameId) -> HttpResponse:
    """List the conversations that you can read, the newest first."""
    reader = PressReader(game, caller_of(request).viewer)
    found = [describe_conversation(summary) for summary in reader.conversations]
    return reply(ConversationList(conversations=found))


@_area.reads("/games/{game}/seat/messages", MessageList)
def list_messages(
    request: HttpRequest, game: GameId, members: With, after: Number = None, before: Number = None
) -> HttpResponse:
    """List messages of a conversation: `?with=TURKEY`, powers with commas, or a word.

    The words are `everyone`, `gray`, `notes`, `table` and `game-master`. `after` and `before` are
    numbers of messages. Reading here marks nothing as read.
    """
    reader = PressReader(game, caller_of(request).viewer)
    facts = reader.conversation(read_address(members), after=after, before=before)
    return reply(describe_messages(facts))


@_area.writes("POST /games/{game}/seat/messages", SentMessages)
def send_message(request: HttpRequest, game: GameId, given: MessageGiven) -> Effect:
    """Send a message, with a proposal if you like. A key sends it once, forever.

    `apart`: one copy for each addressee, and none shows who else got one. `together`: one
    conversation of all.
    """
    offer = given.proposal
    sent = actions.send_message(
        **act_on(request, game),
        to=read_address(",".join(given.to)),
        mode=actions.Mode(given.mode),
        subject=given.subject,
        body=given.body,
        key=_make_key(request),
        now=timezone.now(),
        attachment=ProposalAttachment(offer.terms, offer.counters) if offer else None,
    )
    return Effect(reply(describe_sent(sent)))


@_area.writes("POST /games/{game}/seat/messages/{act}", Marked)
def mark_messages(
    request: HttpRequest,
    game: GameId,
    act: Literal["read", "unread", "delete", "mute", "unmute"],
    given: MarkGiven,
) -> Effect:
    """Mark for yourself alone: read up to a number, unread from one on, delete one, or mute all."""
    action, to = act_on(request, game), read_address(given.members)
    match act:
        case "read":
            actions.mark_read(**action, to=to, up_to=given.number)
        case "unread":
            actions.mark_unread(**action, to=to, from_number=given.number)
        case "delete":
            actions.hide_message(**action, to=to, number=given.number)
        case _:
            actions.mute_conversation(**action, to=to, muted=act == "mute", now=timezone.now())
    summary = PressReader(game, caller_of(request).viewer).summary(to)
    return Effect(reply(Marked(unread=summary.unread, muted=summary.muted)))


@_area.writes("POST /games/{game}/seat/proposals/answer", ProposalAnswered)
def answer_proposal(request: HttpRequest, game: GameId, given: ProposalAnswerGiven) -> Effect:
    """Accept, refuse or decline a proposal, or withdraw your own. A counter-offer is a message."""
    state = actions.answer_proposal(
        **act_on(request, game),
        to=read_address(given.members),
        number=given.number,
        answer=Answer(given.answer),
        alternative=given.alternative,
        now=timezone.now(),
    )
    return Effect(reply(ProposalAnswered(state=state.value)))


@_area.reads("/me/messages", MessageList)
def list_personal_messages(
    request: HttpRequest, name: With, after: Number = None, before: Number = None
) -> HttpResponse:
    """List the messages between you and a person: `?with=` and the screen name."""
    viewer = caller_of(request).viewer
    facts = read_personal(viewer, name, now=timezone.now(), after=after, before=before)
    return reply(describe_messages(facts))


@_area.writes("POST /me/messages", SentMessages)
def send_personal_message(request: HttpRequest, given: PersonalGiven) -> Effect:
    """Send a message to a person, outside all games."""
    number = actions.send_personal(
        user_id=bearer_of(request).user_id,
        to=given.to,
        subject=given.subject,
        body=given.body,
        key=_make_key(request),
        now=timezone.now(),
    )
    sent = [SentState(members=given.to, number=number)]
    return Effect(reply(SentMessages(sent=sent, published_at=None)))


def read_address(text: str) -> Address:
    """Return the conversation that a word or powers with commas name; raise if there is none."""
    powers = text.split(",")
    return parse_address(text) if len(powers) == 1 else seats_address(powers)


def _make_key(request: HttpRequest) -> str:
    """Return the key of a message: it follows from the request's key, and is the person's own."""
    key = request.headers.get(HEADER)
    if key is None:
        return secrets.token_hex(16)
    text = f"{bearer_of(request).user_id} {key}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]
