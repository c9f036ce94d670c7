"""The queue of outgoing mail: rows written by the pages and sent by a worker.

A page only adds a row, so it takes the same time whether or not an address has an account. The row
says what is still to be sent; a background task carries its id, so that the worker reacts at once.
If the task is lost, `send_due_mail` finds the row.
"""

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac
from django.utils.module_loading import import_string
from django_tasks import task

from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.shared.site_clock import site_clock

Clock = Callable[[], dt.datetime]
Handler = Callable[[OutgoingMail], Iterable[OutgoingMail] | None]
"""Sends a mail, or returns the mails that replace it. Any exception means: try again later.

`settings.MAIL_HANDLERS` names the one of each kind.
"""

RETRY_DELAYS: Final = tuple(dt.timedelta(seconds=number) for number in (10, 60, 300, 1800, 3600))
"""How long to wait after each failed try; after one more failure, the mail is abandoned."""
MAX_WAITING: Final = 1000
"""How many requests may wait at once, so that nobody can fill the database with them."""
LEASE: Final = dt.timedelta(minutes=5)
"""How long one try may take; after this time, the mail of a worker that died is due again."""
KEEP_FOR: Final = dt.timedelta(days=7)
"""How long a mail is kept after it was sent or abandoned."""
_BATCH: Final = 50
_log = structlog.get_logger(__name__)


def queue_mail(mail: OutgoingMail, *, now: dt.datetime) -> None:
    """Save a mail that a visitor requested as due now; if too many are waiting, log an error."""
    waiting = OutgoingMail.objects.filter(due_at__isnull=False)
    if waiting.exclude(kind=OutgoingMail.Kind.NOTICES).count() >= MAX_WAITING:
        _log.error("mail was not queued", kind=mail.kind, reason="too many mails are waiting")
        return
    add_mail(mail, now=now)


@transaction.atomic
def add_mail(mail: OutgoingMail, *, now: dt.datetime) -> None:
    """Save a mail that the site itself sends as due now."""
    mail.created_at = mail.due_at = now
    mail.save()
    send_queued_mail.enqueue(mail.pk)


@task(queue_name="notices")
def send_queued_mail(mail_id: int) -> None:
    """Send the mail with this id if it is due."""
    send_mail(mail_id, now=site_clock.now)


def send_due_mail(*, now: Clock) -> int:
    """Send the mails that are due, such as retries and lost tasks; return how many were sent."""
    due = OutgoingMail.objects.filter(due_at__lte=now()).order_by("due_at")
    return sum(send_mail(mail_id, now=now) for mail_id in due.values_list("pk", flat=True)[:_BATCH])


def send_mail(mail_id: int, *, now: Clock) -> bool:
    """Send the mail if it is due; return whether it was sent, or replaced by other mails.

    A mail is sent twice only if the worker dies or loses the database after the mail server has
    accepted the mail and before the row says so.
    """
    claimed_at = now()
    due = OutgoingMail.objects.filter(pk=mail_id, due_at__lte=claimed_at)
    # No other worker can claim it during the lease.
    if not due.update(due_at=claimed_at + LEASE, tries=F("tries") + 1):
        return False
    mail = OutgoingMail.objects.get(pk=mail_id)
    try:
        handle: Handler = import_string(settings.MAIL_HANDLERS[mail.kind])
        replacements = handle(mail)
    except Exception as error:  # after any error, the other mails must go out
        _schedule_retry(mail, error, now=now())
        return False
    with transaction.atomic():
        # After the lease, another worker may have claimed the mail: then that worker decides.
        claimed = OutgoingMail.objects.filter(pk=mail.pk, tries=mail.tries)
        if replacements is None:
            claimed.update(sent_at=now(), due_at=None, last_error="")
        elif claimed.delete()[0]:
            for replacement in replacements:
                add_mail(replacement, now=now())
    return True


def prune_mail(*, now: dt.datetime) -> int:
    """Delete old mails that are not waiting to be sent; return how many."""
    done = OutgoingMail.objects.filter(due_at__isnull=True, created_at__lt=now - KEEP_FOR)
    return done.delete()[0]


def _schedule_retry(mail: OutgoingMail, error: Exception, *, now: dt.datetime) -> None:
    """Make the mail due again after the next delay, or abandon it after the last."""
    reason = type(error).__name__
    delay = RETRY_DELAYS[mail.tries - 1] if mail.tries <= len(RETRY_DELAYS) else None
    OutgoingMail.objects.filter(pk=mail.pk, tries=mail.tries).update(
        due_at=None if delay is None else now + delay, last_error=reason[:100]
    )
    facts = {"mail": mail.pk, "kind": mail.kind, "reason": reason, "tries": mail.tries}
    if delay is None:
        _log.error("mail abandoned", **facts)
    else:
        _log.error("mail was not sent", **facts, retry_in=delay.total_seconds())


def build_message_id(mail: OutgoingMail) -> str:
    """Return the Message-ID of the mail, which does not depend on when it is sent."""
    number = f"{mail.pk} {mail.created_at.isoformat()}"
    name = salted_hmac("accounts.message-id", number, algorithm="sha256").hexdigest()[:32]
    return f"<{name}@{urlsplit(mail.origin).hostname}>"
