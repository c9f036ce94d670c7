"""Notices in a browser, even while the site is closed: web push with VAPID."""

import datetime as dt
import json
from collections.abc import Mapping
from typing import Final

from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from diplomaccloud.notices.models import PushKey
from diplomaccloud.notices.outbound import (
    CallFailed,
    DestinationGone,
    OutboundSession,
    failures_hidden,
    require_accepted,
)
from diplomaccloud.notices.texts import NoticeText

MAX_TTL: Final = dt.timedelta(hours=24)
_TOPIC_LENGTH: Final = 32


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
