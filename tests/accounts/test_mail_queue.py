"""Queued mail is sent once, retried with growing delays, and never lost silently."""

import datetime as dt

import pytest
from django.core import mail
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult
from structlog.testing import capture_logs

from diplomaccloud.accounts import mail_queue
from diplomaccloud.accounts.mail_queue import (
    KEEP_FOR,
    LEASE,
    RETRY_DELAYS,
    prune_mail,
    queue_mail,
    send_due_mail,
    send_mail,
    send_queued_mail,
)
from diplomaccloud.accounts.models import OutgoingMail, User

NOW = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
LINK, REQUEST = OutgoingMail.Kind.RESET_LINK, OutgoingMail.Kind.RESET_REQUEST

pytestmark = pytest.mark.django_db


class StubClock:
    """A clock that is set by hand."""

    def __init__(self):
        self.time = NOW

    def __call__(self):
        return self.time


class StubHandler:
    """A stand-in for the mail sender: records each try, and fails as often as requested."""

    def __init__(self):
        self.tries = []
        self.failures = 0
        self.before_result = None

    def __call__(self, row):
        self.tries.append(row.pk)
        if self.before_result:
            self.before_result(row)
        if self.failures:
            self.failures -= 1
            raise OSError("alice@example.org is refused")


@pytest.fixture
def clock():
    return StubClock()


@pytest.fixture
def handler(monkeypatch, settings):
    stub = StubHandler()
    monkeypatch.setattr(mail_queue, "import_string", {settings.MAIL_HANDLERS[LINK]: stub}.get)
    return stub


def queue_link():
    row = OutgoingMail(kind=LINK, recipient="alice@example.org", origin="http://testserver")
    queue_mail(row, now=NOW)
    return row


def test_the_task_carries_the_id_of_the_row_and_nothing_else():
    row = queue_link()
    (result,) = DBTaskResult.objects.all()
    assert result.args_kwargs == {"args": [row.pk], "kwargs": {}}
    assert result.task.func is send_queued_mail.func


def test_a_failed_mail_is_retried_with_longer_delays_and_then_abandoned(clock, handler):
    row, handler.failures = queue_link(), 1000
    with capture_logs() as lines:
        for delay in (dt.timedelta(0), *RETRY_DELAYS):
            clock.time += delay - SECOND
            send_due_mail(now=clock)
            clock.time += SECOND
            send_due_mail(now=clock)
        clock.time += dt.timedelta(days=30)
        send_due_mail(now=clock)
    assert len(handler.tries) == len(RETRY_DELAYS) + 1
    assert [(line["event"], line["tries"], line.get("retry_in")) for line in lines] == [
        *(
            ("mail was not sent", number, delay.total_seconds())
            for number, delay in enumerate(RETRY_DELAYS, 1)
        ),
        ("mail abandoned", len(RETRY_DELAYS) + 1, None),
    ]
    row.refresh_from_db()
    assert (row.due_at, row.sent_at, row.last_error) == (None, None, "OSError")
    assert "alice" not in str(lines)


def test_a_mail_that_failed_slowly_waits_from_the_end_of_the_try(clock, handler):
    queue_link()
    handler.failures = 1
    handler.before_result = lambda _: setattr(clock, "time", clock.time + 30 * SECOND)
    send_due_mail(now=clock)
    send_due_mail(now=clock)
    assert len(handler.tries) == 1
    clock.time += RETRY_DELAYS[0]
    send_due_mail(now=clock)
    assert len(handler.tries) == 2


def test_a_sent_mail_is_not_sent_again_by_its_task_or_by_the_sweep(clock, handler):
    row = queue_link()
    assert send_mail(row.pk, now=clock)
    assert not send_mail(row.pk, now=clock)
    send_queued_mail.call(row.pk)
    clock.time += dt.timedelta(days=1)
    assert send_due_mail(now=clock) == 0
    assert len(handler.tries) == 1
    row.refresh_from_db()
    assert (row.sent_at, row.due_at) == (NOW, None)


def test_two_workers_do_not_send_the_same_mail(clock, handler):
    row = queue_link()
    handler.before_result = lambda row: send_mail(row.pk, now=clock)
    assert send_mail(row.pk, now=clock)
    assert handler.tries == [row.pk]


def test_the_mail_of_a_worker_that_was_killed_is_due_after_the_lease(clock, handler):
    row = queue_link()
    handler.before_result = lambda _: (_ for _ in ()).throw(SystemExit)
    with pytest.raises(SystemExit):
        send_mail(row.pk, now=clock)
    handler.before_result = None
    clock.time += LEASE - SECOND
    assert send_due_mail(now=clock) == 0
    clock.time += SECOND
    assert send_due_mail(now=clock) == 1
    assert len(handler.tries) == 2


def test_a_worker_that_took_longer_than_the_lease_does_not_expand_a_request_twice(
    clock, monkeypatch, settings
):
    def expand(row):
        if row.tries == 1:
            clock.time += LEASE
            assert send_mail(row.pk, now=clock)
        return [OutgoingMail(kind=LINK, recipient=row.recipient, origin=row.origin)]

    monkeypatch.setattr(mail_queue, "import_string", {settings.MAIL_HANDLERS[REQUEST]: expand}.get)
    row = OutgoingMail(kind=REQUEST, recipient="alice@example.org", origin="http://testserver")
    queue_mail(row, now=NOW)
    send_mail(row.pk, now=clock)
    assert [row.kind for row in OutgoingMail.objects.all()] == [LINK]


def test_every_kind_of_mail_has_a_function_that_sends_it(settings):
    assert set(settings.MAIL_HANDLERS) == set(OutgoingMail.Kind)
    assert all(callable(import_string(path)) for path in settings.MAIL_HANDLERS.values())


def test_no_more_than_the_limit_may_wait(monkeypatch):
    monkeypatch.setattr(mail_queue, "MAX_WAITING", 1)
    queue_link()
    with capture_logs() as lines:
        queue_link()
    assert [(line["event"], line["reason"]) for line in lines] == [
        ("mail was not queued", "too many mails are waiting")
    ]
    assert OutgoingMail.objects.count() == DBTaskResult.objects.count() == 1


def test_old_mail_is_pruned_and_waiting_mail_is_not(clock, handler):
    sent, _ = queue_link(), queue_link()
    send_mail(sent.pk, now=clock)
    assert prune_mail(now=NOW + KEEP_FOR) == 0
    assert prune_mail(now=NOW + KEEP_FOR + SECOND) == 1
    assert [row.due_at for row in OutgoingMail.objects.all()] == [NOW]


def test_a_link_goes_to_nobody_once_the_address_has_left_the_account(people, clock):
    alice = User.objects.get(pk=people["alice"])
    row = OutgoingMail(kind=LINK, user=alice, recipient="a@b.org", origin="https://games.example")
    queue_mail(row, now=NOW)
    assert send_mail(row.pk, now=clock)
    assert mail.outbox == []


def test_the_link_has_the_name_and_the_scheme_by_which_the_site_was_asked(people, clock, settings):
    settings.ALLOWED_HOSTS = ["games.example"]
    User.objects.filter(pk=people["alice"]).update(email="a@b.org")
    row = OutgoingMail(kind=REQUEST, recipient="a@b.org", origin="https://games.example:8443")
    queue_mail(row, now=NOW)
    while send_due_mail(now=clock):
        pass
    (message,) = mail.outbox
    assert "https://games.example:8443/accounts/password/reset/key/" in message.body
