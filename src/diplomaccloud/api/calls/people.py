"""Messages in all games and between people, mutes and blocks, reports and appeals."""

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import Field

from diplomaccloud.api.auth import PRESS, bearer_of, caller_of
from diplomaccloud.api.calls.acting import act_on
from diplomaccloud.api.calls.addresses import Beside, With, make_key
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.people import (
    describe_choices,
    describe_hit,
    describe_inbox,
    describe_reports,
    describe_sent_page,
)
from diplomaccloud.api.facts.press import describe_messages
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.api.repeats import Effect, find_arrival
from diplomaccloud.api.replies import LINES, reply
from diplomaccloud.api.schemas.people import (
    AcceptanceGiven,
    AppealGiven,
    BlockGiven,
    Choices,
    FoundMessages,
    InboxPageState,
    MuteGiven,
    OwnReportsState,
    PlayerReportGiven,
    ReportGiven,
    SentPageState,
)
from diplomaccloud.api.schemas.press import (
    Marked,
    MarkGiven,
    MessageList,
    PersonalGiven,
    SentMessages,
    SentState,
)
from diplomaccloud.games.record.views import send_lines
from diplomaccloud.press.conversations import actions as conversation_actions
from diplomaccloud.press.conversations import actions as conversations_actions
from diplomaccloud.press.conversations.actions import (
    hide_message,
    mark_read,
    mark_unread,
    mute_conversation,
)
from diplomaccloud.press.inbox.read import (
    MAX_SEARCH,
    export,
    is_cursor,
    read_inbox,
    read_sent,
    search,
)
from diplomaccloud.press.personal.actions import accept_personal, send_personal
from diplomaccloud.press.personal.read import read_mutes, read_personal
from diplomaccloud.press.reports.actions import (
    appeal_decision,
    report_message,
    report_player,
    report_text,
)
from diplomaccloud.press.reports.read import copy_personal_evidence, read_own_reports

_From = Annotated[str, Query(alias="from", max_length=100)]
CaseKey = Annotated[str, Field(pattern="^[-a-zA-Z0-9_]{1,40}$")]
area = Area("people", PRESS)
reports_area = Area("people", PRESS)
mutes_area = Area("people", PRESS)


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


@mutes_area.reads("/me/choices", Choices)
def get_choices(request: HttpRequest) -> HttpResponse:
    """Return your mutes and blocks, and whether you accept personal messages."""
    return reply(describe_choices(read_mutes(caller_of(request).viewer)))


@mutes_area.writes("PUT /me/choices", Choices)
def set_choices(request: HttpRequest, given: AcceptanceGiven) -> Effect:
    """Set whether others may send you personal messages."""
    user_id = bearer_of(request).user_id
    accept_personal(user_id=user_id, accepted=given.accepts_personal)
    return _show_choices(request)


@mutes_area.writes("POST /me/blocks", Choices)
def block_person(request: HttpRequest, given: BlockGiven) -> Effect:
    """Block or unblock a person's personal messages. The person is not notified."""
    conversation_actions.block_person(
        user_id=bearer_of(request).user_id,
        name=given.name,
        blocked=given.blocked,
        now=find_arrival(request),
    )
    return _show_choices(request)


@mutes_area.writes("POST /games/{game}/seat/mutes", Choices)
def mute_seat(request: HttpRequest, game: GameId, given: MuteGiven) -> Effect:
    """Mute or unmute a country in all conversations. The mute ends if its player leaves."""
    conversations_actions.mute_seat(
        **act_on(request, game), power=given.power, muted=given.muted, now=find_arrival(request)
    )
    return _show_choices(request)


@reports_area.reads("/me/reports", OwnReportsState)
def list_reports(request: HttpRequest) -> HttpResponse:
    """List your reports, decisions about you, and the possible grounds for a report."""
    facts = read_own_reports(caller_of(request).viewer, now=timezone.now())
    return reply(describe_reports(facts))


@reports_area.writes("POST /me/reports", OwnReportsState)
def report_name(request: HttpRequest, given: ReportGiven) -> Effect:
    """Report a screen name, a status or the name of a map to the moderators."""
    now = find_arrival(request)
    report_text(
        user_id=bearer_of(request).user_id,
        kind=given.kind,
        of=given.of,
        grounds=given.grounds,
        note=given.note,
        now=now,
    )
    return Effect(reply(describe_reports(read_own_reports(caller_of(request).viewer, now=now))))


@reports_area.writes("POST /games/{game}/reports", OwnReportsState)
def report_country(request: HttpRequest, game: GameId, given: PlayerReportGiven) -> Effect:
    """Report the player of a country to the people who judge reports, who do not name you.

    In an anonymous game, you don't learn who the player is. You can have one open report for each
    country.
    """
    now = find_arrival(request)
    report_player(
        **act_on(request, game), power=given.power, grounds=given.grounds, note=given.note, now=now
    )
    return Effect(reply(describe_reports(read_own_reports(caller_of(request).viewer, now=now))))


@reports_area.writes("POST /me/reports/{key}/appeal", OwnReportsState)
def appeal(request: HttpRequest, key: CaseKey, given: AppealGiven) -> Effect:
    """Appeal a decision about you or your message to another moderator. You can appeal once."""
    now = find_arrival(request)
    appeal_decision(user_id=bearer_of(request).user_id, key=key, text=given.text, now=now)
    return Effect(reply(describe_reports(read_own_reports(caller_of(request).viewer, now=now))))


def _require_cursor(cursor: str) -> None:
    """Raise `Problem` for a cursor that the API did not send; pages show the first part instead."""
    if not is_cursor(cursor):
        raise refuse_field("from", "Send the `next` of an earlier answer.")


def _show_choices(request: HttpRequest) -> Effect:
    return Effect(reply(describe_choices(read_mutes(caller_of(request).viewer))))
