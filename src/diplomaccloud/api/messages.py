"""Messages in all games and between people: conversations, sent messages, search."""

import datetime as dt
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import Field

from diplomaccloud.api.addresses import (
    ALIASED,
    Beside,
    With,
    WithField,
    make_key,
    write_conversation,
)
from diplomaccloud.api.answers import LINES, Answer, Given, reply
from diplomaccloud.api.auth import PRESS, bearer_of, caller_of
from diplomaccloud.api.conversations import (
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
    describe_message,
    describe_messages,
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
    InboxPage,
    SearchHit,
    SentCopy,
    SentPage,
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
from diplomaccloud.press.table.addresses import Kind


class InboxRow(Answer):
    """A conversation in the list for all games; `game` is null for a personal one."""

    game: str | None
    world: str
    conversation: ConversationState


class InboxPageState(Answer):
    """A page of conversations, newest first. Send `next` as `from` for the next page."""

    conversations: list[InboxRow]
    next: str


class SentRow(Answer):
    """A message that you sent, and who each copy went to."""

    game: str | None
    world: str
    at: dt.datetime
    to: list[str]
    subject: str
    body: str
    attached: str
    published_at: dt.datetime | None


class SentPageState(Answer):
    """A page of sent messages, newest first. Send `next` as `from` for the next page."""

    messages: list[SentRow]
    next: str


class FoundMessage(Answer):
    """A message in the search results, and its conversation."""

    model_config = ALIASED

    game: str | None
    world: str
    members: WithField
    message: MessageState


class FoundMessages(Answer):
    """The newest messages that match the search."""

    found: list[FoundMessage]


class PersonalGiven(Given):
    """A message to a person, identified by screen name."""

    to: Annotated[str, Field(min_length=1, max_length=40)]
    subject: MessageSubject = ""
    body: MessageBody


def describe_inbox(page: InboxPage) -> InboxPageState:
    """Return a page of conversations."""
    return InboxPageState(
        conversations=[
            InboxRow(
                game=entry.slug or None,
                world=entry.world,
                conversation=describe_conversation(entry.summary),
            )
            for entry in page.entries
        ],
        next=page.cursor,
    )


def describe_sent_page(page: SentPage) -> SentPageState:
    """Return a page of sent messages."""
    return SentPageState(
        messages=[
            SentRow(
                game=entry.slug or None,
                world=entry.world,
                at=entry.at,
                to=list(map(_name_copy, entry.copies)),
                subject=entry.subject,
                body=entry.body,
                attached=entry.attached.value,
                published_at=entry.published_at,
            )
            for entry in page.entries
        ],
        next=page.cursor,
    )


def describe_hit(hit: SearchHit) -> FoundMessage:
    """Return a message from the search results."""
    return FoundMessage(
        game=hit.slug or None,
        world=hit.world,
        members=write_conversation(hit.address, hit.person),
        message=describe_message(hit.message),
    )


def _name_copy(copy: SentCopy) -> str:
    if copy.kind is Kind.PERSONAL or copy.address:
        return write_conversation(copy.address, copy.person)
    return copy.kind.value


_From = Annotated[str, Query(alias="from", max_length=100)]


area = Area("people", PRESS)


@area.reads("/me/conversations", InboxPageState)
def list_inbox(request: HttpRequest, cursor: _From = "") -> HttpResponse:
    """List your conversations in all games, newest first."""
    _require_cursor(cursor)
    return reply(describe_inbox(read_inbox(caller_of(request).viewer, cursor=cursor)))


@area.reads("/me/messages", MessageList)
def list_personal_messages(
    request: HttpRequest, name: With, after: Beside = None, before: Beside = None
) -> HttpResponse:
    """List the messages between you and a person, whose screen name is `?with=`."""
    viewer = caller_of(request).viewer
    facts = read_personal(viewer, name, now=timezone.now(), after=after, before=before)
    return reply(describe_messages(facts))


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
    return reply(describe_sent_page(read_sent(caller_of(request).viewer, cursor=cursor)))


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
