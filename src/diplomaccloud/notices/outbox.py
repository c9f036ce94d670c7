"""Writing notices and their deliveries, each only once no matter how often it is tried."""

import datetime as dt
from collections.abc import Collection, Iterator

from diplomaccloud.notices.destinations import is_open_to, read_usable
from diplomaccloud.notices.kinds import BUNDLED_KINDS, DIGEST_DELAY, Channel, NoticeKind
from diplomaccloud.notices.models import Delivery, Notice
from diplomaccloud.notices.preferences import read_preferences


def write_notices(notices: Collection[Notice], *, now: dt.datetime) -> int:
    """Write the new notices with a delivery to each destination, and return their number.

    Runs within the caller's transaction. Notices whose keys already exist are skipped.
    """
    users, keys = {row.user_id for row in notices}, {row.key for row in notices}
    if not users:
        return 0
    written = Notice.objects.filter(user__in=sorted(users), key__in=keys)
    known = set(written.values_list("user", "key"))
    new = {(row.user_id, row.key): row for row in notices if (row.user_id, row.key) not in known}
    for row in new.values():
        row.created_at = now
    # If another worker writes the same ones at the same time, the first one wins.
    Notice.objects.bulk_create(new.values(), ignore_conflicts=True)
    people = sorted({user for user, _ in new})
    written = Notice.objects.filter(user__in=people, key__in={key for _, key in new})
    rows = [row for row in written if (row.user_id, row.key) in new]
    Delivery.objects.bulk_create(_plan(rows, people, now), ignore_conflicts=True)
    return len(new)


def _plan(notices: Collection[Notice], people: list[int], now: dt.datetime) -> Iterator[Delivery]:
    """Yield the deliveries of the notices, each with the earliest time to send it."""
    destinations, preferences = read_usable(people), read_preferences(people)
    for notice in notices:
        wishes, kind = preferences[notice.user_id], NoticeKind(notice.kind)
        for destination in destinations.get(notice.user_id, ()):
            channel = Channel(destination.channel)
            if is_open_to(destination, kind) and wishes.wants(kind, channel, notice.data):
                waits = channel is Channel.EMAIL and kind in BUNDLED_KINDS
                earliest = now + DIGEST_DELAY if waits else now
                due_at = wishes.find_delay(kind, notice.data, earliest)
                yield Delivery(notice=notice, destination=destination, due_at=due_at)
