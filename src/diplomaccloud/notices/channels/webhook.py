"""Notices for programs: webhooks that follow https://www.standardwebhooks.com.

A call contains facts in JSON, without wording or anything that the person could not see on the
site.
"""

import base64
import datetime as dt
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Final

from diplomaccloud.games.news.read import GameName
from diplomaccloud.notices.kinds import Kind
from diplomaccloud.notices.models import Notice
from diplomaccloud.notices.outbound import post

TYPES: Final[Mapping[Kind, str]] = {
    Kind.STARTED: "phase.opened",
    Kind.RESULT: "phase.resolved",
    Kind.FINISHED: "game.over",
    Kind.DEADLINE: "deadline.moved",
    Kind.REMINDER: "deadline.near",
    Kind.PLAYERS: "seat.changed",
    Kind.VOTE: "vote.changed",
    Kind.VOTE_ABOUT_YOU: "vote.changed",
    Kind.MESSAGE: "message.waiting",
    Kind.PERSONAL: "message.waiting",
    Kind.PUBLIC: "message.waiting",
    Kind.ANSWER: "proposal.answered",
    Kind.OPENING: "conversation.opened",
    Kind.TEST: "test",
}

_FIELDS: Final = (
    *("phase", "next", "due_at", "hours"),
    *("question", "outcome", "closes_at", "power", "holder"),
)


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
        "type": TYPES[Kind(notice.kind)],
        "timestamp": _end_in_z(notice.created_at.isoformat()),
        "data": facts | {"url": url},
    }
    body = json.dumps(message, separators=(",", ":")).encode()
    seconds = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
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
