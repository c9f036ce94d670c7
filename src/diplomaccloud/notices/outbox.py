"""Writing notices and their deliveries, each only once no matter how often it is tried."""

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from diplomaccloud.notices.destinations import is_open_to, read_usable
from diplomaccloud.notices.kinds import DIGEST_DELAY, PROMPT_KINDS, Channel, NoticeKind
from diplomaccloud.notices.models import Delivery, Destination, Notice
from diplomaccloud.notices.preferences import Preferences, read_preferences


@dataclass(frozen=True, slots=True)
class NewNotice:
    """A notice to write, for one person."""

    user: int
    kind: NoticeKind
    key: str
    game: int | None
    useful_until: dt.datetime
    data: dict[str, object] = field(default_factory=dict)
    membership: int | None = None
    number: int | None = None


def write_notices(notices: Collection[NewNotice], *, now: dt.datetime) -> int:
    """Write the new notices with a delivery to each destination, and return their number.

    Runs within the caller's transaction. Notices whose keys already exist are skipped.
    """
    users = sorted({notice.user for notice in notices})
    if not users:
        return 0
    keys = {notice.key for notice in notices}
    known = set(Notice.objects.filter(user__in=users, key__in=keys).values_list("user", "key"))
    new = {(row.user, row.key): row for row in notices if (row.user, row.key) not in known}
    # If another worker writes the same ones at the same time, the first one wins.
    Notice.objects.bulk_create(
        (
            Notice(
                user_id=row.user,
                kind=row.kind,
                key=row.key,
                game_id=row.game,
                membership_id=row.membership,
                number=row.number,
                data=row.data,
                created_at=now,
                useful_until=row.useful_until,
            )
            for row in new.values()
        ),
        ignore_conflicts=True,
    )
    people = sorted({user for user, _ in new})
    written = Notice.objects.filter(user__in=people, key__in={key for _, key in new})
    rows = [row for row in written if (row.user_id, row.key) in new]
    Delivery.objects.bulk_create(_plan(rows, people, now), ignore_conflicts=True)
    return len(new)


def _plan(notices: Collection[Notice], people: list[int], now: dt.datetime) -> Iterable[Delivery]:
    """Yield the deliveries of the notices, each with the earliest time to send it."""
    destinations, preferences = read_usable(people), read_preferences(people)
    for notice in notices:
        for destination in destinations.get(notice.user_id, ()):
            due_at = find_due_at(notice, destination, preferences[notice.user_id], now)
            if due_at is not None:
                yield Delivery(notice=notice, destination=destination, due_at=due_at)


def find_due_at(
    notice: Notice, destination: Destination, wishes: Preferences, now: dt.datetime
) -> dt.datetime | None:
    """Return when the notice may go to the destination; None if the person does not want it."""
    kind, channel = NoticeKind(notice.kind), Channel(destination.channel)
    if not (is_open_to(destination, kind) and wishes.wants(kind, channel, notice.data)):
        return None
    waits = channel is Channel.EMAIL and kind not in PROMPT_KINDS
    return wishes.find_delay(kind, notice.data, now + DIGEST_DELAY if waits else now)
