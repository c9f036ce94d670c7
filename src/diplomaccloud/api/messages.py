"""Messages in all games and between people: conversations, sent messages, search, mutes, blocks."""

import datetime as dt
from collections.abc import Iterable
from typing import Annotated

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import BeforeValidator, Field, StrictBool

from diplomaccloud.accounts.screen_names import MAX_NAME
from diplomaccloud.api import addresses
from diplomaccloud.api.answers import LINES, ApiAnswer, Given, TextOrNull
from diplomaccloud.api.auth import PRESS, bearer_of, caller_of
from diplomaccloud.api.conversations import (
    Act,
    ConversationState,
    Marked,
    MarkGiven,
    MessageBody,
    MessageList,
    MessageState,
    MessageSubject,
    SentMessages,
    SentState,
    describe_conversation,
    mark,
)
from diplomaccloud.api.operations import Area, act_on, find_arrival
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.games.record.views import send_lines
from diplomaccloud.press.conversations import actions as conversation_actions
from diplomaccloud.press.inbox import read as inbox
from diplomaccloud.press.personal.actions import accept_personal, send_personal
from diplomaccloud.press.personal.read import read_mutes, read_personal
from diplomaccloud.press.reports.read import copy_personal_evidence
from diplomaccloud.press.table.read import Summary


class InboxRow(ApiAnswer):
    """A conversation in the list for all games; `game` is null for a personal one."""

    game: TextOrNull
    world: str
    conversation: ConversationState


def _list_rows(rows: Iterable[Summary]) -> list[InboxRow]:
    return [
        InboxRow.of(game=row.slug, world=row.world, conversation=describe_conversation(row))
        for row in rows
    ]


class InboxPageState(ApiAnswer):
    """A page of conversations, newest first. Send `next` as `from` for the next page."""

    conversations: Annotated[list[InboxRow], BeforeValidator(_list_rows)] = Field(
        validation_alias="entries"
    )
    next: str = Field(validation_alias="cursor")


class SentRow(ApiAnswer):
    """A message that you sent, and who each copy went to."""

    game: TextOrNull = Field(validation_alias="slug")
    world: str
    at: dt.datetime
    to: list[Annotated[str, BeforeValidator(addresses.write_conversation)]] = Field(
        validation_alias="copies"
    )
    subject: str
    body: str
    attached: str
    published_at: dt.datetime | None


class SentPageState(ApiAnswer):
    """A page of sent messages, newest first. Send `next` as `from` for the next page."""

    messages: list[SentRow] = Field(validation_alias="entries")
    next: str = Field(validation_alias="cursor")


class FoundMessage(ApiAnswer):
    """A message in the search results, and its conversation."""

    game: str | None
    world: str
    members: addresses.WithField
    message: MessageState


class FoundMessages(ApiAnswer):
    """The newest messages that match the search."""

    found: list[FoundMessage]


class PersonalGiven(Given):
    """A message to a person, identified by screen name."""

    to: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    subject: MessageSubject = ""
    body: MessageBody


def describe_hit(hit: inbox.SearchHit) -> FoundMessage:
    """Return a message from the search results."""
    return FoundMessage.of(
        game=hit.summary.slug or None,
        world=hit.summary.world,
        members=addresses.write_conversation(hit.summary),
        message=hit.message,
    )


_From = Annotated[str, Query(alias="from", max_length=100)]
area = Area("people", PRESS)


@area.reads("/me/conversations", InboxPageState)
def list_inbox(request: HttpRequest, cursor: _From = "") -> object:
    """List your conversations in all games, newest first."""
    _require_cursor(cursor)
    return inbox.read_inbox(caller_of(request).viewer, cursor=cursor)


@area.reads("/me/messages", MessageList)
def list_personal_messages(
    request: HttpRequest,
    name: addresses.With,
    after: addresses.Beside = None,
    before: addresses.Beside = None,
) -> object:
    """List the messages between you and a person, whose screen name is `?with=`."""
    viewer = caller_of(request).viewer
    return read_personal(viewer, name, now=timezone.now(), after=after, before=before)


@area.writes("POST /me/messages", SentMessages)
def send_personal_message(request: HttpRequest, given: PersonalGiven) -> object:
    """Send a message to a person, outside all games."""
    number = send_personal(
        user_id=bearer_of(request).user_id,
        to=given.to,
        subject=given.subject,
        body=given.body,
        key=addresses.make_key(request),
        now=find_arrival(request),
    )
    return SentMessages(sent=[SentState(members=given.to, number=number)], published_at=None)


@area.writes("POST /me/messages/{act}", Marked)
def mark_personal_messages(request: HttpRequest, act: Act, given: MarkGiven) -> object:
    """Mark or report personal messages, as in games; `with` is the other person's screen name."""
    caller, to, now = caller_of(request), given.members, find_arrival(request)
    mark(
        act,
        given,
        lambda: copy_personal_evidence(caller.viewer, to, given.number, now=now),
        user_id=bearer_of(request).user_id,
        to=to,
        now=now,
    )
    return read_personal(caller.viewer, to, now=now, limit=1).summary


@area.reads("/me/sent", SentPageState)
def list_sent(request: HttpRequest, cursor: _From = "") -> object:
    """List the messages you have sent, in all games and to people, newest first."""
    _require_cursor(cursor)
    return inbox.read_sent(caller_of(request).viewer, cursor=cursor)


@area.reads("/me/search", FoundMessages)
def search_messages(
    request: HttpRequest,
    q: Annotated[str, Query(min_length=1, max_length=inbox.MAX_SEARCH)],
    game: Annotated[str, Query(pattern="^([a-z2-9]{10})?$")] = "",
) -> object:
    """Search the messages you can read, in all games or in one. The newest come first."""
    hits = inbox.search(caller_of(request).viewer, q, slug=game)
    return FoundMessages(found=list(map(describe_hit, hits)))


@area.reads("/me/export", LINES)
def export_messages(request: HttpRequest) -> StreamingHttpResponse:
    """Export every message you can read now, as one line of JSON for each."""
    return send_lines(request, inbox.export(caller_of(request).viewer), "messages.jsonl")


def _require_cursor(cursor: str) -> None:
    """Raise `Problem` for a cursor that the API did not send; pages show the first part instead."""
    if not inbox.is_cursor(cursor):
        raise refuse_field("from", "Send the `next` of an earlier answer.")


class MutedSeatState(ApiAnswer):
    """A country that you have muted. The mute ends if its player leaves."""

    game: str = Field(validation_alias="slug")
    power: str
    country: str


class MutedConversationState(ApiAnswer):
    """A conversation that you have muted."""

    game: str | None
    members: addresses.WithField


def _describe_muted(row: Summary) -> MutedConversationState:
    return MutedConversationState(game=row.slug or None, members=addresses.write_conversation(row))


class Choices(ApiAnswer):
    """Your mutes and blocks, which nobody else can see."""

    accepts_personal: bool
    blocked: list[str]
    muted_seats: list[MutedSeatState] = Field(validation_alias="seats")
    muted_conversations: list[
        Annotated[MutedConversationState, BeforeValidator(_describe_muted)]
    ] = Field(validation_alias="conversations")


class AcceptanceGiven(Given):
    """Whether others may write personal messages to you."""

    accepts_personal: StrictBool


class BlockGiven(Given):
    """Whether to block a person's personal messages."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    blocked: StrictBool


class MuteGiven(Given):
    """Whether to mute notices about a country's messages in all conversations."""

    power: Annotated[str, Field(min_length=1, max_length=40)]
    muted: StrictBool


@area.reads("/me/choices", Choices)
def get_choices(request: HttpRequest) -> object:
    """Return your mutes and blocks, and whether you accept personal messages."""
    return read_mutes(caller_of(request).viewer)


@area.writes("PUT /me/choices", Choices)
def set_choices(request: HttpRequest, given: AcceptanceGiven) -> object:
    """Set whether others may send you personal messages."""
    accept_personal(user_id=bearer_of(request).user_id, accepted=given.accepts_personal)
    return read_mutes(caller_of(request).viewer)


@area.writes("POST /me/blocks", Choices)
def block_person(request: HttpRequest, given: BlockGiven) -> object:
    """Block or unblock a person's personal messages. The person is not notified."""
    conversation_actions.block_person(
        user_id=bearer_of(request).user_id,
        name=given.name,
        blocked=given.blocked,
        now=find_arrival(request),
    )
    return read_mutes(caller_of(request).viewer)


@area.writes("POST /games/{game}/seat/mutes", Choices)
def mute_seat(request: HttpRequest, game: addresses.GameId, given: MuteGiven) -> object:
    """Mute or unmute a country in all conversations. The mute ends if its player leaves."""
    conversation_actions.mute_seat(
        **act_on(request, game), power=given.power, muted=given.muted, now=find_arrival(request)
    )
    return read_mutes(caller_of(request).viewer)
