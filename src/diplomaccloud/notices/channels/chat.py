"""Notices in a Slack or Discord channel, through an incoming webhook."""

import json
import re
from typing import Final

from diplomaccloud.notices.outbound import post
from diplomaccloud.notices.texts import NoticeText

_HEADERS: Final = {"Content-Type": "application/json"}
_MARKS: Final = re.compile(r"([\\*_~`|>\[\]()#@<:-])")
"""Characters with a special meaning in Discord messages."""


def send_to_slack(address: str, text: NoticeText, *, url: str) -> None:
    """Send the notice with a link to its page; raise `CallFailed`."""
    title, body = map(_escape_slack, (text.title, text.body))
    content = "\n".join(filter(None, (f"<{url}|{title}>", body)))
    _send(address, {"text": content, "unfurl_links": False})


def send_to_discord(address: str, text: NoticeText, *, url: str) -> None:
    """Send the notice with a link to its page; raise `CallFailed`."""
    title, body = (_MARKS.sub(r"\\\1", part) for part in (text.title, text.body))
    content = "\n".join(filter(None, (f"**{title}**", body, f"<{url}>")))
    _send(address, {"content": content, "allowed_mentions": {"parse": []}})


def _escape_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _send(address: str, message: dict[str, object]) -> None:
    post(address, body=json.dumps(message).encode(), headers=_HEADERS)
