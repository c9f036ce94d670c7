"""Webhooks."""

import datetime as dt
from collections.abc import Callable
from typing import TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from pydantic import Field, StrictBool

from diplomaccloud.api.answers import ApiAnswer, Given, IsSet, reply
from diplomaccloud.api.auth import PLAY, bearer_of, require_scope
from diplomaccloud.api.ids import DestinationId, IdOf, PublicId, read_id
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import Problem
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.tokens import Scope
from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.notices import destinations, preferences
from diplomaccloud.notices.destinations import RefusedDestination
from diplomaccloud.notices.kinds import SECRET_PREFIX, Channel, Group, NoticeKind
from diplomaccloud.notices.models import Destination
from diplomaccloud.shared.addresses import find_origin


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
    failing_since: dt.datetime | None = Field(description="When calls started to fail.")
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


_T = TypeVar("_T")
area = Area("webhooks", PLAY)


@area.reads("/me/webhooks", WebhookList)
def list_webhooks(request: HttpRequest) -> HttpResponse:
    """List your webhooks."""
    rows = destinations.list_destinations(bearer_of(request).user_id)
    found = [row for row in rows if row.channel == Channel.WEBHOOK]
    return reply(WebhookList.of(webhooks=found))


@area.writes("POST /me/webhooks", WebhookMade, status=201)
def make_webhook(request: HttpRequest, given: WebhookGiven) -> Effect:
    """Create a webhook that follows Standard Webhooks. Each address has at most one webhook.

    `messages` also needs the scope `press`.
    """
    bearer = bearer_of(request)
    if given.messages:
        require_scope(bearer, Scope.PRESS)
    if _try(lambda: destinations.find_channel(given.address.strip())) is not Channel.WEBHOOK:
        raise Refused("Add Slack and Discord channels on your notice settings page.")
    row = _try(
        lambda: destinations.add_webhook(
            user_id=bearer.user_id,
            address=given.address,
            origin=find_origin(request),
            now=timezone.now(),
            has_messages=given.messages,
        )
    )
    if given.messages:
        preferences.switch_on(user_id=bearer.user_id, kinds=[NoticeKind.MESSAGE], group=Group.CHAT)
    return Effect(reply(_describe_made(row, row.secret["key"]), status=201))


@area.writes("DELETE /me/webhooks/{webhook}", WebhookGone)
def delete_webhook(request: HttpRequest, webhook: PublicId) -> Effect:
    """Delete a webhook. Calls still waiting for it are not sent."""
    row = _find(request, webhook)
    destinations.remove_destination(user_id=row.user_id, key=row.pk)
    return Effect(reply(WebhookGone(deleted=True)))


@area.writes("POST /me/webhooks/{webhook}/test", WebhookTested)
def test_webhook(request: HttpRequest, webhook: PublicId) -> Effect:
    """Queue a call of type `test`, which is sent within a minute."""
    row = _find(request, webhook)
    if row.off_at is not None:
        raise WrongMoment("The webhook is switched off.")
    try:
        destinations.send_test(row, now=timezone.now())
    except RefusedDestination as error:
        raise WrongMoment(str(error)) from error
    return Effect(reply(WebhookTested(sent=True)))


@area.writes("POST /me/webhooks/{webhook}/switch-on", WebhookState)
def resume_webhook(request: HttpRequest, webhook: PublicId) -> Effect:
    """Switch a webhook back on after it was switched off because calls failed for a day."""
    row = _find(request, webhook)
    destinations.switch_on(user_id=row.user_id, key=row.pk)
    return Effect(reply(WebhookState.model_validate(_find(request, webhook))))


@area.writes("POST /me/webhooks/{webhook}/new-secret", WebhookMade)
def renew_webhook(request: HttpRequest, webhook: PublicId) -> Effect:
    """Replace the secret. For a day, calls are signed with both the old and the new secret."""
    row = _find(request, webhook)
    key = _try(lambda: destinations.renew_secret(row, now=timezone.now()))
    return Effect(reply(_describe_made(row, key)))


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


def _try(work: Callable[[], _T]) -> _T:
    """Return the result of `work`; turn a refused destination into `Refused`."""
    try:
        return work()
    except RefusedDestination as error:
        raise Refused(str(error)) from error
