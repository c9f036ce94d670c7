"""Messages in all games and between people: conversations, sent messages, search."""

import datetime as dt
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import BeforeValidator, Field

from diplomaccloud.api.addresses import (
    Beside,
    With,
    WithField,
    make_key,
    write_conversation,
)
from diplomaccloud.api.answers import LINES, ApiAnswer, Given, TextOrNull, reply
from diplomaccloud.api.auth import PRESS, bearer_of, caller_of
from diplomaccloud.api.conversations import (
    Marked,
    MarkGiven,
    MessageBody,
    MessageList,
    MessageState,
    MessageSubject,
    SentMessages,
    SentState,
    SummaryState,
)
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.api.repeats import Effect, find_arrival
from diplomaccloud.games.record.views import send_lines
from diplomaccloud.press.conversations.actions import (
    hide_message,
    mark_read,
    mark_unread,
    mute_conversation,
)
from diplomaccloud.press.inbox.read import (
    MAX_SEARCH,
    SearchHit,
    SentCopy,
    export,
    is_cursor,
    read_inbox,
    read_sent,
    search,
)
from diplomaccloud.press.personal.actions import send_personal
from diplomaccloud.press.personal.read import read_personal
from diplomaccloud.press.reports.actions import report_message
from diplomaccloud.press.reports.read import copy_personal_evidence
from diplomaccloud.press.table.addresses import AddressKind


class InboxRow(ApiAnswer):
    """A conversation in the list for all games; `game` is null for a personal one."""

    game: TextOrNull = Field(validation_alias="slug")
    world: str
    conversation: SummaryState


class InboxPageState(ApiAnswer):
    """A page of conversations, newest first. Send `next` as `from` for the next page."""

    conversations: list[InboxRow] = Field(validation_alias="entries")
    next: str = Field(validation_alias="cursor")


def _name_copy(copy: SentCopy) -> str:
    if copy.kind is AddressKind.PERSONAL or copy.address:
        return write_conversation(copy.address, copy.person)
    return copy.kind.value


class SentRow(ApiAnswer):
    """A message that you sent, and who each copy went to."""

    game: TextOrNull = Field(validation_alias="slug")
    world: str
    at: dt.datetime
    to: list[Annotated[str, BeforeValidator(_name_copy)]] = Field(validation_alias="copies")
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
    members: WithField
    message: MessageState


class FoundMessages(ApiAnswer):
    """The newest messages that match the search."""

    found: list[FoundMessage]


class PersonalGiven(Given):
    """A message to a person, identified by screen name."""

    to: Annotated[str, Field(min_length=1, max_length=40)]
    subject: MessageSubject = ""
    body: MessageBody


def describe_hit(hit: SearchHit) -> FoundMessage:
    """Return a message from the search results."""
    return FoundMessage.of(
        game=hit.slug or None,
        world=hit.world,
        members=write_conversation(hit.address, hit.person),
        message=hit.message,
    )


_From = Annotated[str, Query(alias="from", max_length=100)]
area = Area("people", PRESS)


@area.reads("/me/conversations", InboxPageState)
def list_inbox(request: HttpRequest, cursor: _From = "") -> HttpResponse:
    """List your conversations in all games, newest first."""
    _require_cursor(cursor)
    page = read_inbox(caller_of(request).viewer, cursor=cursor)
    return reply(InboxPageState.model_validate(page))


@area.reads("/me/messages", MessageList)
def list_personal_messages(
    request: HttpRequest, name: With, after: Beside = None, before: Beside = None
) -> HttpResponse:
    """List the messages between you and a person, whose screen name is `?with=`."""
    viewer = caller_of(request).viewer
    facts = read_personal(viewer, name, now=timezone.now(), after=after, before=before)
    return reply(MessageList.model_validate(facts))


@area.writes("POST /me/messages", SentMessages)
def send_personal_message(request: HttpRequest, given: PersonalGiven) -> Effect:
    """Send a message to a person, outside all games."""
    number = send_personal(
        user_id=bearer_of(request).user_id,
        to=given.to,
        subject=given.subject,
        body=given.body,
        key=make_key(request),
        now=find_arrival(request),
    )
    sent = [SentState(members=given.to, number=number)]
    return Effect(reply(SentMessages(sent=sent, published_at=None)))


@area.writes("POST /me/messages/{act}", Marked)
def mark_personal_messages(
    request: HttpRequest,
    act: Literal["read", "unread", "delete", "mute", "unmute", "report"],
    given: MarkGiven,
) -> Effect:
    """Mark or report personal messages, as in games; `with` is the other person's screen name."""
    user_id, to, now = bearer_of(request).user_id, given.members, find_arrival(request)
    viewer = caller_of(request).viewer
    match act:
        case "read":
            mark_read(user_id=user_id, to=to, up_to=given.number)
        case "unread":
            mark_unread(user_id=user_id, to=to, from_number=given.number)
        case "delete":
            hide_message(user_id=user_id, to=to, number=given.number)
        case "report":
            report_message(
                user_id=user_id,
                to=to,
                evidence=copy_personal_evidence(viewer, to, given.number, now=now),
                grounds=given.grounds,
                note=given.note,
                now=now,
            )
        case _:
            mute_conversation(user_id=user_id, to=to, muted=act == "mute", now=now)
    summary = read_personal(viewer, to, now=now, limit=1).summary
    return Effect(reply(Marked(unread=summary.unread, muted=summary.muted)))


@area.reads("/me/sent", SentPageState)
def list_sent(request: HttpRequest, cursor: _From = "") -> HttpResponse:
    """List the messages you have sent, in all games and to people, newest first."""
    _require_cursor(cursor)
    page = read_sent(caller_of(request).viewer, cursor=cursor)
    return reply(SentPageState.model_validate(page))


@area.reads("/me/search", FoundMessages)
def search_messages(
    request: HttpRequest,
    q: Annotated[str, Query(min_length=1, max_length=MAX_SEARCH)],
    game: Annotated[str, Query(pattern="^([a-z2-9]{10})?$")] = "",
) -> HttpResponse:
    """Search the messages you can read, in all games or in one. The newest come first."""
    hits = search(caller_of(request).viewer, q, slug=game)
    return reply(FoundMessages(found=list(map(describe_hit, hits))))


@area.reads("/me/export", LINES)
def export_messages(request: HttpRequest) -> StreamingHttpResponse:
    """Export every message you can read now, as one line of JSON for each."""
    return send_lines(request, export(caller_of(request).viewer), "messages.jsonl")


def _require_cursor(cursor: str) -> None:
    """Raise `Problem` for a cursor that the API did not send; pages show the first part instead."""
    if not is_cursor(cursor):
        raise refuse_field("from", "Send the `next` of an earlier answer.")
