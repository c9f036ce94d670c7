"""Sending due deliveries: each is claimed, checked again, worded and sent.

If a worker is killed, nothing is lost: its lease ends, and the next try has the same id.
"""

import datetime as dt
from collections.abc import Callable, Collection, Mapping
from typing import Final, assert_never

import structlog
from django.db import models, transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from diplomaccloud import metrics
from diplomaccloud.accounts.mail_queue import add_mail
from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.games.following.read import follows_game, name_followed
from diplomaccloud.games.news.read import GameName, is_vote_open, read_names
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices import destinations
from diplomaccloud.notices.failures import CallFailed, DestinationGone
from diplomaccloud.notices.kinds import USEFUL_FOR, VOTE_KINDS, Channel, NoticeKind
from diplomaccloud.notices.models import Delivery, Destination, Notice, NoticeSettings
from diplomaccloud.notices.outbox import write_notices
from diplomaccloud.notices.preferences import read_preferences
from diplomaccloud.notices.reminders import still_owes
from diplomaccloud.notices.wording import FOLLOW_KINDS, NoticeText, word_notice
from diplomaccloud.press.news.read import read_arrivals
from diplomaccloud.press.table.events import prune_events

Clock = Callable[[], dt.datetime]

LEASE: Final = dt.timedelta(minutes=2)
"""How long a try may take before another worker takes over."""
RETRY_DELAYS: Final = tuple(
    dt.timedelta(seconds=number) for number in (10, 60, 600, 2 * 3600, 8 * 3600)
)
"""How long to wait after each failed try. After the last wait, one more try is made."""
WEBHOOK_DELAYS: Final = tuple(
    dt.timedelta(seconds=number)
    for number in (5, 300, 1800, 2 * 3600, 4 * 3600, 7 * 3600, 10 * 3600)
)
"""The same for webhooks, with eight tries in a day."""
KEEP_FOR: Final = dt.timedelta(days=60)
"""How long notices are listed."""
_PRUNE_AT_ONCE: Final = 500
_WINDOW: Final = 8
"""How many deliveries to read when looking for due destinations, if one of them has many."""
_log = structlog.get_logger(__name__)


def list_due(
    *, now: dt.datetime, limit: int, busy: Collection[int] = (), failing: bool | None = None
) -> list[Delivery]:
    """Return deliveries that are due, at most one for each destination, longest due first.

    Deliveries to `busy` destinations are left out. `failing` selects destinations that currently do
    not answer, or only the others.
    """
    if limit <= 0:
        return []
    rows = Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lte=now)
    if busy:
        rows = rows.exclude(destination__in=busy)
    if failing is not None:
        rows = rows.filter(destination__failing_since__isnull=not failing)
    firsts: dict[int, Delivery] = {}
    for row in rows.order_by("due_at")[: _WINDOW * limit]:
        firsts.setdefault(row.destination_id, row)
    return list(firsts.values())[:limit]


def deliver(delivery_id: int, *, now: Clock) -> None:
    """Send the delivery if it is due and still useful. E-mail includes everything that is due."""
    row = _claim(delivery_id, now=now())
    if row is None:
        return
    try:
        _deliver(row, now)
    except CallFailed as failure:
        _schedule_retry(row, failure.retry_after, now=now())
    except Exception:
        # Our own errors count as tries, too, so that the delivery is not retried forever.
        _schedule_retry(row, None, now=now())
        raise


def _deliver(row: Delivery, now: Clock) -> None:
    """Send, drop or postpone a claimed delivery; raise `CallFailed`."""
    destination, wishes = row.destination, read_preferences([row.notice.user_id])
    preferences = wishes[row.notice.user_id]
    at = now()
    later = preferences.find_delay(NoticeKind(row.notice.kind), row.notice.data, at)
    if later > at:
        # The person has since set quiet hours, so this does not count as a try.
        _mine(row).update(due_at=later, tries=F("tries") - 1)
        return
    text, game = compose(row.notice, destination, preferences, now=at)
    if text is None:
        _finish(row, Delivery.State.DROPPED, now=at)
        return
    if destination.channel == Channel.EMAIL:
        _hand_to_mail(row, now=at)
        return
    try:
        _send(row, text, game, now=now())
    except DestinationGone:
        _log.info("destination gone", channel=destination.channel, user=destination.user_id)
        destinations.remove_destination(user_id=destination.user_id, key=destination.pk)
        return
    _finish(row, Delivery.State.SENT, now=now())
    if destination.failing_since is not None:
        Destination.objects.filter(pk=destination.pk).update(failing_since=None)


def compose(
    notice: Notice, destination: Destination, preferences: NoticeSettings, *, now: dt.datetime
) -> tuple[NoticeText | None, GameName | None]:
    """Return the current text of a notice; None if it is no longer useful.

    That is the case if it has been seen, is too late or is no longer wanted, if the orders were
    saved, the messages read or the vote closed since, or if the person may no longer see the game
    or has unfollowed it.
    """
    kind, channel = NoticeKind(notice.kind), Channel(destination.channel)
    viewer = Viewer(notice.user_id)
    is_seen = notice.read_at is not None and kind is not NoticeKind.TEST
    if is_seen or notice.useful_until <= now:
        return None, None
    if not (
        destinations.is_open_to(destination, kind) and preferences.wants(kind, channel, notice.data)
    ):
        return None, None
    owed = still_owes(notice) if kind is NoticeKind.REMINDER else None
    if kind is NoticeKind.REMINDER and owed is None:
        return None, None
    if kind in VOTE_KINDS and "outcome" not in notice.data:
        # It asks for votes, which can perhaps no longer be cast.
        vote = notice.data.get("vote")
        if isinstance(vote, int) and not is_vote_open(vote, now):
            return None, None
    arrival = read_arrivals(viewer, [place]).get(place) if (place := notice.place) else None
    followed = name_followed(viewer, notice.followed)
    is_read = place and notice.number is not None and (arrival is None or not arrival.is_unread)
    if is_read or (kind in FOLLOW_KINDS and not _still_follows(viewer, notice, followed)):
        return None, None
    game = read_names(viewer, [key]).get(key) if (key := notice.game_id) else None
    text = word_notice(
        notice,
        game,
        zone=preferences.zone,
        owed=owed,
        arrival=arrival,
        with_text=preferences.with_text,
        followed=followed,
    )
    return text, game


def _still_follows(viewer: Viewer, notice: Notice, followed: Mapping[int, str]) -> bool:
    """Return whether the viewer follows the game of the notice, or a person whom it is about."""
    if notice.kind == NoticeKind.FOLLOWED_PERSON:
        return bool(followed)
    return follows_game(viewer, notice.game_id or 0)


def make_public_id(row: Delivery) -> str:
    """Return a public id for the delivery: the same for every try, without revealing row keys."""
    value = f"{row.notice.user_id} {row.notice.key} {row.destination_id}"
    return "msg_" + salted_hmac("notices.delivery", value, algorithm="sha256").hexdigest()[:28]


def make_tag(notice: Notice) -> str:
    """Return the tag by which a browser identifies a notice.

    A later reminder of the same deadline, or notice of the same conversation, replaces the earlier
    one.
    """
    value = f"{notice.user_id} {notice.key.rpartition(' ')[0]}"
    if notice.kind != NoticeKind.REMINDER and notice.number is None:
        value = f"{notice.user_id} {notice.key}"
    return salted_hmac("notices.tag", value, algorithm="sha256").hexdigest()[:32]


def prune_notices(*, now: dt.datetime) -> int:
    """Delete a batch of old notices with their deliveries, and return their number.

    The press events that they came from are deleted, too.
    """
    old = Notice.objects.filter(created_at__lt=now - KEEP_FOR).order_by("created_at")
    count = 0
    while keys := list(old.values_list("pk", flat=True)[:_PRUNE_AT_ONCE]):
        with transaction.atomic():
            Delivery.objects.filter(notice__in=keys).delete()
            Notice.objects.filter(pk__in=keys).delete()
        count += len(keys)
    prune_events(now - KEEP_FOR)
    return count


def _claim(delivery_id: int, *, now: dt.datetime) -> Delivery | None:
    """Claim the delivery if it is due, for the time of the lease; return None otherwise."""
    due = Delivery.objects.filter(pk=delivery_id, state=Delivery.State.WAITING, due_at__lte=now)
    if not due.update(due_at=now + LEASE, tries=F("tries") + 1):
        return None
    rows = Delivery.objects.select_related("notice", "destination")
    return rows.filter(pk=delivery_id).first()


def _mine(row: Delivery) -> models.QuerySet[Delivery]:
    """Return the row unless another worker claimed it after our lease and now owns it."""
    return Delivery.objects.filter(pk=row.pk, tries=row.tries, state=Delivery.State.WAITING)


def _finish(row: Delivery, state: str, *, now: dt.datetime) -> None:
    if _mine(row).update(state=state, due_at=None, finished_at=now):
        metrics.NOTICES.labels(row.destination.channel, state).inc()


@transaction.atomic
def _hand_to_mail(row: Delivery, *, now: dt.datetime) -> None:
    """Queue one e-mail with everything that is due at the destination, in one transaction."""
    destination = row.destination
    mail = OutgoingMail(
        kind=OutgoingMail.Kind.NOTICES,
        recipient=destination.address,
        user_id=destination.user_id,
        origin=destination.origin,
    )
    add_mail(mail, now=now)
    waiting = Delivery.objects.filter(destination=destination, state=Delivery.State.WAITING)
    taken = {"state": Delivery.State.MAILED, "due_at": None, "mail": mail.pk, "finished_at": now}
    if not _mine(row).update(**taken):
        transaction.set_rollback(True)
        return
    count = 1 + waiting.filter(due_at__lte=now).update(**taken)
    metrics.NOTICES.labels(destination.channel, Delivery.State.MAILED).inc(count)


def _send(row: Delivery, text: NoticeText, game: GameName | None, *, now: dt.datetime) -> None:
    # Their libraries take 15 MB, and many sites only send mail.
    from diplomaccloud.notices import channels  # noqa: PLC0415

    destination = row.destination
    address, url = destination.address, destination.origin + text.path
    match Channel(destination.channel):
        case Channel.PUSH:
            channels.send_push(
                address,
                destination.secret,
                text,
                tag=make_tag(row.notice),
                origin=destination.origin,
                site_key=destinations.ensure_push_key(now),
                useful_for=row.notice.useful_until - now,
            )
        case Channel.SLACK:
            channels.send_to_slack(address, text, url=url)
        case Channel.DISCORD:
            channels.send_to_discord(address, text, url=url)
        case Channel.WEBHOOK:
            channels.send_webhook(
                address,
                keys=destinations.list_secrets(destination, now=now),
                number=make_public_id(row),
                notice=row.notice,
                game=game,
                url=url,
                now=now,
            )
        case Channel.EMAIL:
            raise ValueError("mail has a queue of its own")
        case channel:
            assert_never(channel)


def _schedule_retry(row: Delivery, wait: dt.timedelta | None, *, now: dt.datetime) -> None:
    """Make the delivery due again after the next delay, or mark it as failed after the last one."""
    destination = row.destination
    is_webhook = destination.channel == Channel.WEBHOOK
    delays = WEBHOOK_DELAYS if is_webhook else RETRY_DELAYS
    facts = {"channel": destination.channel, "destination": destination.pk, "tries": row.tries}
    Destination.objects.filter(pk=destination.pk, failing_since=None).update(failing_since=now)
    if row.tries > len(delays):
        _finish(row, Delivery.State.FAILED, now=now)
        _log.warning("delivery failed", **facts)
        if is_webhook:
            _switch_off(destination, now=now)
        return
    delay = max(delays[row.tries - 1], min(wait or dt.timedelta(0), delays[-1]))
    _mine(row).update(due_at=now + delay)
    metrics.NOTICES.labels(destination.channel, "refused").inc()
    _log.info("delivery was not accepted", **facts, retry_in=delay.total_seconds())


@transaction.atomic
def _switch_off(destination: Destination, *, now: dt.datetime) -> None:
    """Switch off a webhook that failed for a day, and write a notice for its owner."""
    if not Destination.objects.filter(pk=destination.pk, off_at=None).update(off_at=now):
        return
    waiting = Delivery.objects.filter(destination=destination, state=Delivery.State.WAITING)
    waiting.update(state=Delivery.State.DROPPED, due_at=None, finished_at=now)
    notice = Notice(
        user_id=destination.user_id,
        kind=NoticeKind.SWITCHED_OFF,
        key=f"off {destination.pk} {now.isoformat()}",
        useful_until=now + USEFUL_FOR,
        data={"label": destination.label},
    )
    write_notices([notice], now=now)
