"""The address that Slack calls, and the page for linking a Slack account."""

import datetime as dt
import hashlib
import json
from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.shared.responses import see_other
from diplomaccloud.slack import bolt, links
from diplomaccloud.slack.models import SlackRequest

MAX_BODY: Final = 32 * 1024
"""More bytes than any Slack message has."""
_LIFE: Final = dt.timedelta(days=1)
_EVENT_KEY: Final = "event_id"


@never_cache
@login_required
@require_safe
def show_settings(request: HttpRequest) -> HttpResponse:
    """Show whether the person is linked, and how to link."""
    return _show(request)


@never_cache
@login_required
@require_POST
def make_code(request: HttpRequest) -> HttpResponse:
    """Show a new code once."""
    user_id = require_user_id(request)
    if not is_available() or getattr(request.user, "guest", False):
        return _show(request, status=HTTPStatus.CONFLICT)
    return _show(request, code=links.make_code(user_id, timezone.now()))


@never_cache
@login_required
@require_POST
def unlink(request: HttpRequest) -> HttpResponse:
    """End the link."""
    links.end_link(require_user_id(request))
    messages.success(request, "Your Slack account is no longer linked.")
    return see_other(request.path.removesuffix("unlink/"))


@never_cache
@csrf_exempt
@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    """Answer a request from Slack; each signed request is handled once."""
    if not is_available():
        return _refuse(HTTPStatus.NOT_FOUND, "Slack is not configured on this site.")
    if len(request.body) > MAX_BODY:
        return _refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too large.")
    body = request.body.decode(errors="replace")
    headers = {name.lower(): value for name, value in request.headers.items()}
    if not bolt.is_signed(body, headers):
        return _refuse(HTTPStatus.UNAUTHORIZED, "The signature is wrong or older than 5 minutes.")
    now = timezone.now()
    SlackRequest.objects.filter(at__lt=now - _LIFE).delete()
    answer = _handle_once(body, headers, now)
    if answer.reply is not None:
        answer.reply.send()
    return HttpResponse(answer.content, status=answer.status, content_type=answer.kind)


@atomic_with_retries
def _handle_once(body: str, headers: dict[str, str], now: dt.datetime) -> bolt.Answer:
    """Return the response to a request, which is recorded in the transaction that handles it.

    So if that fails or the process is killed, Slack's next try is handled.
    """
    signature, *events = _find_keys(body, headers)
    if not _claim(signature, now):
        return bolt.Answer(HTTPStatus.CONFLICT, "This request has already been handled.\n")
    if not all(_claim(event, now) for event in events):
        # Slack repeats an event if it missed our response, but the event has been handled.
        return bolt.Answer(HTTPStatus.OK)
    return bolt.dispatch(body, headers, now)


def is_available() -> bool:
    """Return whether the site has a Slack secret and the library is installed."""
    return links.is_configured() and bolt.has_library()


def _find_keys(body: str, headers: dict[str, str]) -> list[str]:
    """Return a key for the request and, if it contains an event, a key for the event."""
    keys = [hashlib.sha256(headers["x-slack-signature"].encode()).hexdigest()]
    try:
        event = json.loads(body).get(_EVENT_KEY)
    except (ValueError, AttributeError):
        return keys
    if event:
        keys.append(hashlib.sha256(f"event {event}".encode()).hexdigest())
    return keys


def _claim(key: str, now: dt.datetime) -> bool:
    """Record the key, and return whether it is new."""
    try:
        with transaction.atomic():
            SlackRequest.objects.create(key=key, at=now)
    except IntegrityError:
        return False
    return True


def _refuse(status: HTTPStatus, text: str) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")


def _show(request: HttpRequest, *, code: str = "", status: int = 200) -> HttpResponse:
    context = {
        "available": is_available(),
        "linked": links.is_linked(require_user_id(request)),
        "code": code,
        "minutes": int(links.CODE_LIFE.total_seconds()) // 60,
    }
    return render(request, "slack/settings.html", context, status=status)
