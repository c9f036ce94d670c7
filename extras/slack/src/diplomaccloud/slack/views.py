"""The page for linking an account, and the address that Slack calls, read by slack-bolt."""

import datetime as dt
import hashlib
import json
import logging
import re
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from django.conf import settings
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
from diplomaccloud.notices.failures import CallFailed
from diplomaccloud.shared.responses import see_other
from diplomaccloud.slack import links
from diplomaccloud.slack.commands import answer
from diplomaccloud.slack.links import MAX_NAME
from diplomaccloud.slack.models import SlackRequest

if TYPE_CHECKING:
    from slack_bolt import App

_ANY: Final = re.compile(r".+")
_REPLY_URL: Final = "https://slack.com/api/chat.postMessage"
_NO_TOKEN: Final = "none"  # noqa: S105 - the library wants a text
_PLAIN: Final = "text/plain; charset=utf-8"
_ARRIVED: Final = "arrived"
_REPLY: Final = "reply"
_logger = logging.getLogger(__name__)


SlackAnswer: TypeAlias = tuple[HttpResponse, tuple[str, str] | None]
"""The response to a request from Slack; the channel and text of the reply to a direct message.

The reply is a separate call to Slack.
"""


def dispatch(body: str, headers: Mapping[str, str], now: dt.datetime) -> SlackAnswer:
    """Return the response to a request that arrived at `now`.

    The library refuses requests with a wrong signature or older than five minutes with a 401. All
    errors are raised, so that the caller's transaction is rolled back and forgets the request.
    """
    from slack_bolt import BoltRequest  # noqa: PLC0415

    request = BoltRequest(body=body, headers=dict(headers), context={_ARRIVED: now})
    response = build_app(_read("SIGNING_SECRET")).dispatch(request)
    answer = HttpResponse(
        str(response.body or ""),
        status=int(response.status or HTTPStatus.OK),
        content_type=response.first_headers().get("content-type", _PLAIN),
    )
    return answer, request.context.get(_REPLY)


def is_signed(body: str, headers: Mapping[str, str]) -> bool:
    """Return whether Slack signed the request within the last five minutes."""
    from slack_sdk.signature import SignatureVerifier  # noqa: PLC0415

    verifier = SignatureVerifier(_read("SIGNING_SECRET"))
    try:
        return bool(verifier.is_valid_request(body, dict(headers)))
    except (ValueError, TypeError):
        # The timestamp is not a number, or the signature is not ASCII.
        return False


@lru_cache(maxsize=2)
def build_app(secret: str) -> "App":
    """Return the library's app. It doesn't query Slack, and it answers in the same thread."""
    from slack_bolt import App  # noqa: PLC0415
    from slack_bolt.authorization import AuthorizeResult  # noqa: PLC0415

    def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        token = _read("TOKEN") or _NO_TOKEN
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=token)

    app = App(signing_secret=secret, authorize=authorize, process_before_response=True)

    def fail(error: Exception) -> None:
        raise error

    app.command(_ANY)(_answer_command)
    app.event("message")(_answer_message)
    app.error(fail)
    return app


def _answer_command(
    ack: Callable[..., object], command: Mapping[str, Any], context: Mapping[str, Any]
) -> None:
    about = command.get("team_id"), command.get("user_id"), command.get("text")
    ack(text=_answer(*about, context[_ARRIVED]), response_type="ephemeral")


def _answer_message(
    event: Mapping[str, Any], body: Mapping[str, Any], context: dict[str, Any]
) -> None:
    is_person = "bot_id" not in event and not event.get("subtype")
    if event.get("channel_type") != "im" or not is_person or not _read("TOKEN"):
        return
    about = body.get("team_id"), event.get("user"), event.get("text")
    context[_REPLY] = str(event.get("channel")), _answer(*about, context[_ARRIVED])


def _answer(team: object, member: object, text: object, now: dt.datetime) -> str:
    return answer(
        team=str(team or "")[:MAX_NAME],
        member=str(member or "")[:MAX_NAME],
        text=str(text or ""),
        now=now,
    )


def _reply(channel: str, text: str) -> None:
    """Send the reply to a direct message, whose channel has only one reader."""
    from diplomaccloud.notices.outbound import post  # noqa: PLC0415 its libraries are large

    headers = {
        "Authorization": f"Bearer {_read('TOKEN')}",
        "Content-Type": "application/json; charset=utf-8",
    }
    content = json.dumps({"channel": channel, "text": text}).encode()
    try:
        post(_REPLY_URL, body=content, headers=headers)
    except CallFailed:
        _logger.warning("reply to Slack was not accepted")


# The pages.


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
    if not is_signed(body, headers):
        return _refuse(HTTPStatus.UNAUTHORIZED, "The signature is wrong or older than 5 minutes.")
    now = timezone.now()
    SlackRequest.objects.filter(at__lt=now - _LIFE).delete()
    answer, reply = _handle_once(body, headers, now)
    if reply is not None:
        # Slack waits only three seconds for a response.
        threading.Thread(target=_reply, args=reply, daemon=True).start()
    return answer


@atomic_with_retries
def _handle_once(body: str, headers: dict[str, str], now: dt.datetime) -> SlackAnswer:
    """Return the response to a request, which is recorded in the transaction that handles it.

    So if that fails or the process is killed, Slack's next try is handled.
    """
    signature, *events = _find_keys(body, headers)
    if not _claim(signature, now):
        return _refuse(HTTPStatus.CONFLICT, "This request has already been handled."), None
    if not all(_claim(event, now) for event in events):
        # Slack repeats an event if it missed our response, but the event has been handled.
        return HttpResponse(content_type=_PLAIN), None
    return dispatch(body, headers, now)


def _read(name: str) -> str:
    """Return one of the settings that the app's configuration adds."""
    return str(getattr(settings, f"SLACK_{name}"))


def is_available() -> bool:
    """Return whether the site has a Slack secret and the library is installed."""
    try:
        import slack_bolt  # noqa: F401, PLC0415
    except ImportError:
        return False
    return bool(_read("SIGNING_SECRET"))


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
    try:
        with transaction.atomic():
            SlackRequest.objects.create(key=key, at=now)
    except IntegrityError:
        return False
    return True


def _refuse(status: HTTPStatus, text: str) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type=_PLAIN)


def _show(request: HttpRequest, *, code: str = "", status: int = 200) -> HttpResponse:
    context = {
        "available": is_available(),
        "linked": links.is_linked(require_user_id(request)),
        "code": code,
        "minutes": int(links.CODE_LIFE.total_seconds()) // 60,
    }
    return render(request, "slack/settings.html", context, status=status)
