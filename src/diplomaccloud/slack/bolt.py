"""Reading Slack's requests with the library slack-bolt, which is an optional extra."""

import datetime as dt
import json
import logging
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings

from diplomaccloud.notices.outbound import CallFailed, post
from diplomaccloud.slack.commands import answer
from diplomaccloud.slack.links import MAX_NAME

if TYPE_CHECKING:
    from slack_bolt import App

_ANY: Final = re.compile(r".+")
_REPLY_URL: Final = "https://slack.com/api/chat.postMessage"
_NO_TOKEN: Final = "none"  # noqa: S105 - the library wants a text
_PLAIN: Final = "text/plain; charset=utf-8"
_ARRIVED: Final = "arrived"
_REPLY: Final = "reply"
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a direct message, which is a separate call to Slack."""

    channel: str
    text: str

    def send(self) -> None:
        """Send it in a thread, since Slack waits only three seconds for a response."""
        arguments = (self.channel, self.text)
        threading.Thread(target=_reply, args=arguments, daemon=True).start()


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a request from Slack, and the reply to send afterward, if any."""

    status: int
    content: str = ""
    kind: str = _PLAIN
    reply: Reply | None = None


def dispatch(body: str, headers: Mapping[str, str], now: dt.datetime) -> Answer:
    """Return the response to a request that arrived at `now`.

    The library refuses requests with a wrong signature or older than five minutes with a 401. All
    errors are raised, so that the caller's transaction is rolled back and forgets the request.
    """
    from slack_bolt import BoltRequest  # noqa: PLC0415

    request = BoltRequest(body=body, headers=dict(headers), context={_ARRIVED: now})
    response = build_app(settings.SLACK_SIGNING_SECRET).dispatch(request)
    return Answer(
        int(response.status or HTTPStatus.OK),
        str(response.body or ""),
        response.first_headers().get("content-type", _PLAIN),
        request.context.get(_REPLY),
    )


def is_signed(body: str, headers: Mapping[str, str]) -> bool:
    """Return whether Slack signed the request within the last five minutes."""
    from slack_sdk.signature import SignatureVerifier  # noqa: PLC0415

    verifier = SignatureVerifier(settings.SLACK_SIGNING_SECRET)
    try:
        return bool(verifier.is_valid_request(body, dict(headers)))
    except (ValueError, TypeError):
        # The timestamp is not a number, or the signature is not ASCII.
        return False


def has_library() -> bool:
    """Return whether the library is installed."""
    try:
        import slack_bolt  # noqa: F401, PLC0415
    except ImportError:
        return False
    return True


@lru_cache(maxsize=2)
def build_app(secret: str) -> "App":
    """Return the library's app. It doesn't query Slack, and it answers in the same thread."""
    from slack_bolt import App  # noqa: PLC0415
    from slack_bolt.authorization import AuthorizeResult  # noqa: PLC0415

    def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        token = settings.SLACK_TOKEN or _NO_TOKEN
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=token)

    app = App(signing_secret=secret, authorize=authorize, process_before_response=True)
    app.command(_ANY)(_answer_command)
    app.event("message")(_answer_message)
    app.error(_raise)
    return app


def _raise(error: Exception) -> None:
    raise error


def _answer_command(
    ack: Callable[..., object], command: Mapping[str, Any], context: Mapping[str, Any]
) -> None:
    about = command.get("team_id"), command.get("user_id"), command.get("text")
    ack(text=_answer(*about, context[_ARRIVED]), response_type="ephemeral")


def _answer_message(
    event: Mapping[str, Any], body: Mapping[str, Any], context: dict[str, Any]
) -> None:
    """Answer a direct message from a person, and ignore all other messages."""
    is_person = "bot_id" not in event and not event.get("subtype")
    if event.get("channel_type") != "im" or not is_person or not settings.SLACK_TOKEN:
        return
    about = body.get("team_id"), event.get("user"), event.get("text")
    context[_REPLY] = Reply(str(event.get("channel")), _answer(*about, context[_ARRIVED]))


def _answer(team: object, member: object, text: object, now: dt.datetime) -> str:
    return answer(
        team=str(team or "")[:MAX_NAME],
        member=str(member or "")[:MAX_NAME],
        text=str(text or ""),
        now=now,
    )


def _reply(channel: str, text: str) -> None:
    """Send the reply to a direct message, whose channel has only one reader."""
    headers = {
        "Authorization": f"Bearer {settings.SLACK_TOKEN}",
        "Content-Type": "application/json; charset=utf-8",
    }
    content = json.dumps({"channel": channel, "text": text}).encode()
    try:
        post(_REPLY_URL, body=content, headers=headers)
    except CallFailed:
        _logger.warning("reply to Slack was not accepted")
