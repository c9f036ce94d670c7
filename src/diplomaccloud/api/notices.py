"""Notices: what happened, where they go, and when; webhooks."""

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Final, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query
from pydantic import AliasPath, AwareDatetime, Field, StrictBool

from diplomaccloud.api.addresses import DestinationId, IdOf, PublicId, read_id
from diplomaccloud.api.answers import ApiAnswer, Given, IsSet
from diplomaccloud.api.auth import PLAY, PRESS, bearer_of, require_no_app, require_scope
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import Problem, refuse_field
from diplomaccloud.api.tokens import Scope
from diplomaccloud.games.table.errors import NoSuchGame, Refused, WrongMoment
from diplomaccloud.notices import destinations, preferences
from diplomaccloud.notices.bell import list_notices, mark_seen_until
from diplomaccloud.notices.destinations import RefusedDestination
from diplomaccloud.notices.kinds import (
    SECRET_PREFIX,
    Channel,
    Group,
    NoticeKind,
    is_offered,
)
from diplomaccloud.notices.models import Destination
from diplomaccloud.notices.preferences import read_preferences
from diplomaccloud.schedule import ScheduleError
from diplomaccloud.schedule.local_time import find_zone
from diplomaccloud.shared.addresses import find_origin

FIRST: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
LAST: Final = dt.datetime(3000, 1, 1, tzinfo=dt.UTC)
"""Requests may name times from `FIRST` to `LAST`, which every database can store."""
Zone = Annotated[str, Field(max_length=60)]


class NoticeState(ApiAnswer):
    """A notice; `path` is a page of the site."""

    title: str = Field(validation_alias=AliasPath("text", "title"))
    body: str = Field(validation_alias=AliasPath("text", "body"))
    path: str = Field(validation_alias=AliasPath("text", "path"))
    at: dt.datetime
    new: bool = Field(validation_alias="is_new")


class NoticePage(ApiAnswer):
    """A page of notices, newest first. To mark them as seen, send the first `at` as `up_to`."""

    notices: list[NoticeState] = Field(validation_alias="lines")
    page: int
    has_more: bool


class SeenGiven(Given):
    """Notices up to this time are marked as seen."""

    up_to: Annotated[AwareDatetime, Field(ge=FIRST, le=LAST)]


class NoticeSettingsState(ApiAnswer):
    """Which kinds of notices go to which channels, and the quiet hours."""

    kinds: Mapping[str, Mapping[str, bool]]
    with_text: bool = Field(description="Whether notices may quote messages.")
    quiet_from: dt.time | None
    quiet_until: dt.time | None
    zone: str
    last_reminder_passes: bool


class NoticeSettingsGiven(Given):
    """Settings to change; omitted ones stay. Quiet hours need both times, or null to clear them."""

    kinds: dict[str, dict[str, StrictBool]] | None = None
    with_text: StrictBool | None = None
    quiet_from: dt.time | None = None
    quiet_until: dt.time | None = None
    zone: Zone | None = None
    last_reminder_passes: StrictBool | None = None


class DestinationState(ApiAnswer):
    """A destination for notices."""

    key: DestinationId = Field(validation_alias="pk")
    channel: str
    address: str
    since: dt.datetime = Field(validation_alias="created_at")
    confirmed: IsSet = Field(validation_alias="confirmed_at")
    off: IsSet = Field(validation_alias="off_at")
    failing: IsSet = Field(validation_alias="failing_since")


class DestinationList(ApiAnswer):
    """Your destinations, oldest first."""

    destinations: list[DestinationState]


class DestinationGiven(Given):
    """A Slack or Discord webhook (`chat`), or an e-mail address, which must be confirmed."""

    kind: Literal["chat", "email"]
    address: Annotated[str, Field(min_length=1, max_length=1_000)]


_Page = Annotated[int, Query(ge=1, le=40)]
# What a notice says, and what e-mail and chat quote if its person wants that, is of messages, too.
area = Area("notices", PRESS)


@area.reads("/me/notices", NoticePage)
def list_own_notices(request: HttpRequest, page: _Page = 1) -> object:
    """List your notices, newest first. Listing them doesn't mark them as seen."""
    return list_notices(bearer_of(request).user_id, page=page, now=timezone.now())


@area.writes("POST /me/notices/seen", NoticePage)
def mark_notices_seen(request: HttpRequest, given: SeenGiven) -> object:
    """Mark all notices up to a time as seen."""
    user_id = bearer_of(request).user_id
    mark_seen_until(user_id=user_id, at=given.up_to, now=timezone.now())
    return list_notices(user_id, page=1, now=timezone.now())


@area.reads("/me/notice-settings", NoticeSettingsState)
def get_notice_settings(request: HttpRequest) -> object:
    """Return which kinds of notices go to which channels, and the quiet hours."""
    return _read_settings(request)


@area.writes("PUT /me/notice-settings", NoticeSettingsState)
def save_notice_settings(request: HttpRequest, given: NoticeSettingsGiven) -> object:
    """Change which kinds of notices go to which channels, or the quiet hours."""
    user_id = bearer_of(request).user_id
    # Requests that change different kinds at the same time must not undo each other.
    old = NoticeSettingsState.model_validate(preferences.lock_preferences(user_id))
    if given.kinds is not None or given.with_text is not None:
        preferences.save_choices(
            user_id=user_id,
            on=_list_wanted(old, given.kinds or {}),
            with_text=old.with_text if given.with_text is None else given.with_text,
        )
    if given.model_fields_set & {"quiet_from", "quiet_until", "zone", "last_reminder_passes"}:
        _save_quiet_hours(user_id, old, given)
    return _read_settings(request)


@area.reads("/me/destinations", DestinationList)
def list_own_destinations(request: HttpRequest) -> object:
    """List where your notices go."""
    return _list_destinations(request)


@area.writes("POST /me/destinations", DestinationList, status=201)
def add_destination(request: HttpRequest, given: DestinationGiven) -> object:
    """Add a Slack or Discord channel, or an e-mail address, which must be confirmed.

    To create a webhook for a program, use `POST /me/webhooks`.
    """
    user_id = require_no_app(request).user_id
    is_chat, address = given.kind == "chat", given.address.strip()
    add = destinations.add_webhook if is_chat else destinations.add_email
    try:
        if is_chat and destinations.find_channel(address) is Channel.WEBHOOK:
            raise refuse_field("address", "Create this webhook with `POST /me/webhooks`.")
        add(
            user_id=user_id,
            address=given.address,
            origin=find_origin(request),
            now=timezone.now(),
        )
    except RefusedDestination as error:
        raise refuse_field("address", str(error)) from error
    return _list_destinations(request)


@area.writes("POST /me/destinations/{key}/{act}", DestinationList)
def change_destination(
    request: HttpRequest, key: PublicId, act: Literal["test", "remove", "switch-on", "ask-again"]
) -> object:
    """Send a test notice, remove a destination, switch it on again, or resend its confirmation."""
    user_id, now = require_no_app(request).user_id, timezone.now()
    number = read_id(IdOf.DESTINATION, key)
    row = destinations.find_destination(user_id=user_id, key=number)
    if row is None:
        raise NoSuchGame
    try:
        match act:
            case "test":
                if row.confirmed_at is None or row.off_at is not None:
                    raise RefusedDestination("This destination is off or not confirmed.")
                destinations.send_test(row, now=now)
            case "remove":
                destinations.remove_destination(user_id=user_id, key=number)
            case "switch-on":
                destinations.switch_on(user_id=user_id, key=number)
            case _:
                if row.confirmed_at is None:
                    destinations.ask_for_confirmation(row, now=now)
    except RefusedDestination as error:
        raise Problem(409, "wrong-moment", str(error)) from error
    return _list_destinations(request)


def _read_settings(request: HttpRequest) -> object:
    user_id = bearer_of(request).user_id
    return read_preferences([user_id])[user_id]


def _list_wanted(
    old: NoticeSettingsState, changes: dict[str, dict[str, bool]]
) -> set[tuple[NoticeKind, Group]]:
    """Return the choices that are on after the changes; raise `Problem` for an unknown choice."""
    wanted = {
        (NoticeKind(kind), Group(group))
        for kind, row in old.kinds.items()
        for group, is_on in row.items()
        if is_on
    }
    for kind, row in changes.items():
        for group, is_on in row.items():
            if group not in set(Group) or not is_offered(kind, Group(group)):
                raise refuse_field(f"kinds.{kind}.{group}", "This notice can't go to this channel.")
            pair = (NoticeKind(kind), Group(group))
            wanted = wanted | {pair} if is_on else wanted - {pair}
    return wanted


def _save_quiet_hours(user_id: int, old: NoticeSettingsState, given: NoticeSettingsGiven) -> None:
    wanted = {**dict(old), **given.model_dump(exclude_unset=True)}
    start, end, zone = wanted["quiet_from"], wanted["quiet_until"], wanted["zone"] or old.zone
    if (start is None) != (end is None) or (start is not None and start == end):
        raise refuse_field("quiet_until", "Quiet hours need two different times, or neither.")
    if any(time is not None and time.tzinfo is not None for time in (start, end)):
        raise refuse_field("quiet_from", "Send times without an offset; `zone` sets the time zone.")
    try:
        find_zone(zone)
    except ScheduleError as error:
        raise refuse_field("zone", "Unknown time zone.") from error
    if (passes := wanted["last_reminder_passes"]) is None:
        passes = old.last_reminder_passes
    times = {"quiet_from": start, "quiet_until": end}
    preferences.save_settings(user_id, **times, zone=zone, last_reminder_passes=passes)


def _list_destinations(request: HttpRequest) -> object:
    return {"destinations": destinations.list_destinations(bearer_of(request).user_id)}


class WebhookGiven(Given):
    """The URL of the server to call."""

    address: str = Field(max_length=1000, description="A URL that starts with https://")
    messages: StrictBool = Field(
        default=False,
        description="Whether to announce events in conversations, too. This can't be switched off.",
    )


class WebhookState(ApiAnswer):
    """A webhook; nothing is sent while it is `off`."""

    id: DestinationId = Field(validation_alias="pk")
    address: str
    made_at: dt.datetime = Field(validation_alias="created_at")
    messages: bool = Field(
        validation_alias="has_messages",
        description="Whether events in conversations are announced, too.",
    )
    failing_since: dt.datetime | None = Field(
        description="Since when calls fail, in UTC; null if they do not."
    )
    off: IsSet = Field(
        validation_alias="off_at",
        description="Whether it was switched off because calls failed for a day.",
    )


class WebhookMade(WebhookState):
    """A new webhook, or one with a new secret."""

    secret: str = Field(description="The key that signs calls: `whsec_` followed by base64.")


class WebhookList(ApiAnswer):
    """All webhooks, oldest first."""

    webhooks: list[WebhookState]


class WebhookGone(ApiAnswer):
    """Whether the webhook was deleted."""

    deleted: bool


class WebhookTested(ApiAnswer):
    """Whether a test call was queued."""

    sent: bool


webhooks_area = Area("webhooks", PLAY)


@webhooks_area.reads("/me/webhooks", WebhookList)
def list_webhooks(request: HttpRequest) -> object:
    """List your webhooks."""
    rows = destinations.list_destinations(bearer_of(request).user_id)
    return {"webhooks": [row for row in rows if row.channel == Channel.WEBHOOK]}


@webhooks_area.writes("POST /me/webhooks", WebhookMade, status=201)
def make_webhook(request: HttpRequest, given: WebhookGiven) -> object:
    """Create a webhook that follows Standard Webhooks. Each address has at most one webhook.

    `messages` also needs the scope `press`.
    """
    bearer = require_no_app(request)
    if given.messages:
        require_scope(bearer, Scope.PRESS)
    with _refusing():
        if destinations.find_channel(given.address.strip()) is not Channel.WEBHOOK:
            raise Refused("Add Slack and Discord channels on your notice settings page.")
        row = destinations.add_webhook(
            user_id=bearer.user_id,
            address=given.address,
            origin=find_origin(request),
            now=timezone.now(),
            has_messages=given.messages,
        )
    if given.messages:
        preferences.switch(
            user_id=bearer.user_id, kinds=[NoticeKind.MESSAGE], group=Group.CHAT, is_on=True
        )
    return _describe_made(row, row.secret["key"])


@webhooks_area.writes("DELETE /me/webhooks/{webhook}", WebhookGone)
def delete_webhook(request: HttpRequest, webhook: PublicId) -> object:
    """Delete a webhook. Calls still waiting for it are not sent."""
    row = _find(request, webhook)
    destinations.remove_destination(user_id=row.user_id, key=row.pk)
    return WebhookGone(deleted=True)


@webhooks_area.writes("POST /me/webhooks/{webhook}/test", WebhookTested)
def test_webhook(request: HttpRequest, webhook: PublicId) -> object:
    """Queue a call of type `test`, which is sent within a minute."""
    row = _find(request, webhook)
    if row.off_at is not None:
        raise WrongMoment("The webhook is switched off.")
    try:
        destinations.send_test(row, now=timezone.now())
    except RefusedDestination as error:
        raise WrongMoment(str(error)) from error
    return WebhookTested(sent=True)


@webhooks_area.writes("POST /me/webhooks/{webhook}/switch-on", WebhookState)
def resume_webhook(request: HttpRequest, webhook: PublicId) -> object:
    """Switch a webhook back on after it was switched off because calls failed for a day."""
    require_no_app(request)
    row = _find(request, webhook)
    destinations.switch_on(user_id=row.user_id, key=row.pk)
    return _find(request, webhook)


@webhooks_area.writes("POST /me/webhooks/{webhook}/new-secret", WebhookMade)
def renew_webhook(request: HttpRequest, webhook: PublicId) -> object:
    """Replace the secret. For a day, calls are signed with both the old and the new secret."""
    require_no_app(request)
    row = _find(request, webhook)
    with _refusing():
        key = destinations.renew_secret(row, now=timezone.now())
    return _describe_made(row, key)


def _find(request: HttpRequest, webhook: str) -> Destination:
    """Return the caller's webhook; raise `Problem` if there is none."""
    key = read_id(IdOf.DESTINATION, webhook)
    row = destinations.find_destination(user_id=bearer_of(request).user_id, key=key)
    if row is None or row.channel != Channel.WEBHOOK:
        raise Problem(404, "not-found", "You don't have a webhook with this ID.")
    return row


def _describe_made(row: Destination, key: str) -> WebhookMade:
    state = WebhookState.model_validate(row)
    return WebhookMade.model_construct(**dict(state), secret=SECRET_PREFIX + key)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn a refused destination into `Refused`."""
    try:
        yield
    except RefusedDestination as error:
        raise Refused(str(error)) from error
