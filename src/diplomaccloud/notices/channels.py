"""Sending a notice to a chat, a browser or a program.

Chats are channels of Slack or Discord, through an incoming webhook. Browsers show notices even
while the site is closed: web push with VAPID. Programs get webhooks that follow
https://www.standardwebhooks.com: a call contains facts in JSON, without wording or anything that
the person could not see on the site.
"""

import base64
import datetime as dt
import hashlib
import hmac
import html
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from diplomaccloud.games.news.read import GameName
from diplomaccloud.notices.failures import CallFailed, DestinationGone
from diplomaccloud.notices.kinds import NoticeKind
from diplomaccloud.notices.models import Notice, PushKey
from diplomaccloud.notices.outbound import (
    OutboundSession,
    failures_hidden,
    post,
    require_accepted,
)
from diplomaccloud.notices.wording import NoticeText

_JSON: Final = {"Content-Type": "application/json"}
_DISCORD_MARKS: Final = re.compile(r"([\\*_~`|>\[\]()#@<:-])")
"""Characters with a special meaning in Discord messages."""
MAX_TTL: Final = dt.timedelta(hours=24)
_TOPIC_LENGTH: Final = 32
TYPES: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.STARTED: "phase.opened",
    NoticeKind.MUSTER: "muster.changed",
    NoticeKind.RESULT: "phase.resolved",
    NoticeKind.FINISHED: "game.over",
    NoticeKind.DEADLINE: "deadline.moved",
    NoticeKind.REMINDER: "deadline.near",
    NoticeKind.PLAYERS: "seat.changed",
    NoticeKind.VOTE: "vote.changed",
    NoticeKind.VOTE_ABOUT_YOU: "vote.changed",
    NoticeKind.FOLLOWED_GAME: "followed.game",
    NoticeKind.FOLLOWED_PERSON: "followed.person",
    NoticeKind.MESSAGE: "message.waiting",
    NoticeKind.PERSONAL: "message.waiting",
    NoticeKind.PUBLIC: "message.waiting",
    NoticeKind.ANSWER: "proposal.answered",
    NoticeKind.OPENING: "conversation.opened",
    NoticeKind.TEST: "test",
}
_FIELDS: Final = (
    *("phase", "next", "due_at", "hours"),
    *("question", "outcome", "closes_at", "power", "holder", "what"),
)


def send_to_slack(address: str, text: NoticeText, *, url: str) -> None:
    """Send the notice with a link to its page; raise `CallFailed`."""
    title, body = (html.escape(part, quote=False) for part in (text.title, text.body))
    content = "\n".join(filter(None, (f"<{url}|{title}>", body)))
    _post_message(address, {"text": content, "unfurl_links": False})


def send_to_discord(address: str, text: NoticeText, *, url: str) -> None:
    """Send the notice with a link to its page; raise `CallFailed`."""
    title, body = (_DISCORD_MARKS.sub(r"\\\1", part) for part in (text.title, text.body))
    content = "\n".join(filter(None, (f"**{title}**", body, f"<{url}>")))
    _post_message(address, {"content": content, "allowed_mentions": {"parse": []}})


def _post_message(address: str, message: dict[str, object]) -> None:
    post(address, body=json.dumps(message).encode(), headers=_JSON)


def send_push(
    endpoint: str,
    keys: Mapping[str, str],
    text: NoticeText,
    *,
    tag: str,
    origin: str,
    site_key: PushKey,
    useful_for: dt.timedelta,
) -> None:
    """Send the notice to a browser; raise `CallFailed`, or `DestinationGone` if unsubscribed.

    The push service keeps the notice for the browser while it is useful, for at most a day. A later
    notice with the same `tag` replaces it.
    """
    payload = {"title": text.title, "body": text.body, "path": text.path, "tag": tag}
    ttl = int(min(max(useful_for, dt.timedelta(seconds=1)), MAX_TTL).total_seconds())
    try:
        with failures_hidden(), OutboundSession() as session:
            webpush(
                {"endpoint": endpoint, "keys": dict(keys)},
                json.dumps(payload),
                vapid_private_key=Vapid02.from_string(site_key.private),
                vapid_claims={"sub": origin},
                headers={"Topic": tag[:_TOPIC_LENGTH], "Urgency": "high"},
                ttl=ttl,
                requests_session=session,
            )
    except WebPushException as error:
        if error.response is None:
            # The browser's keys are unusable and will stay so.
            raise DestinationGone from error
        require_accepted(error.response.status_code, error.retry_after)
        raise CallFailed from error


def send_webhook(
    address: str,
    *,
    keys: Sequence[str],
    number: str,
    notice: Notice,
    game: GameName | None,
    url: str,
    now: dt.datetime,
) -> None:
    """Call the address with the facts of the notice; raise `CallFailed`.

    `number` is the id of the delivery, the same for every try, and `keys` are the secrets in
    base64. While a secret is being replaced, the call has a signature with each.
    """
    facts: dict[str, object] = {
        name: _end_in_z(notice.data[name]) if name.endswith("_at") else notice.data[name]
        for name in _FIELDS
        if name in notice.data
    }
    if game is not None:
        facts |= {"game": game.slug, "world": game.world}
    message = {
        "type": TYPES[NoticeKind(notice.kind)],
        "timestamp": _end_in_z(notice.created_at.isoformat()),
        "data": facts | {"url": url},
    }
    body = json.dumps(message, separators=(",", ":")).encode()
    seconds = str(int(now.timestamp()))
    headers = {
        **_JSON,
        "webhook-id": number,
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(sign(key, number, seconds, body) for key in keys),
    }
    post(address, body=body, headers=headers)


def _end_in_z(time: object) -> str:
    """Return a time in UTC as the API writes it."""
    return str(time).replace("+00:00", "Z")


def sign(key: str, number: str, seconds: str, body: bytes) -> str:
    """Return the signature of a call, prefixed with the version of the scheme."""
    signed = f"{number}.{seconds}.".encode() + body
    digest = hmac.new(base64.b64decode(key), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"
