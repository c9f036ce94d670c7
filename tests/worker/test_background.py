"""The worker runs background tasks and sends mail, whatever happens to the process."""

import datetime as dt
import threading

import pytest
from django.core import mail
from django.core.cache import cache
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult
from judge.tests.effort import PATIENCE
from tests.accounts.mailbox import mail_server
from tests.worker.separate_site import wait_until

from diplomaccloud.accounts import mail_queue
from diplomaccloud.accounts.mail_queue import queue_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.shared import database_cache, round_threads
from diplomaccloud.shared.models import CacheEntry
from diplomaccloud.worker import threads
from diplomaccloud.worker.threads import KEEP_TASKS_FOR, BackgroundThread, MailThread, prune


def queue_request(email="alice@example.org"):
    kind = OutgoingMail.Kind.RESET_REQUEST
    queue_mail(
        OutgoingMail(kind=kind, recipient=email, origin="http://localhost"), now=timezone.now()
    )


@pytest.fixture
def alice(people, monkeypatch):
    """Give Alice an email address, and let the task worker keep the test's connection open."""
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)
    User.objects.filter(pk=people["alice"]).update(email="alice@example.org")


def test_the_tasks_send_the_mail_and_finish(alice):
    queue_request()
    MailThread(pause=0).run_once()
    assert [message.to for message in mail.outbox] == [["alice@example.org"]]
    assert {result.status for result in DBTaskResult.objects.all()} == {"SUCCESSFUL"}
    MailThread(pause=0).run_once()
    assert len(mail.outbox) == 1


def test_mail_is_sent_even_if_its_task_was_lost(alice):
    queue_request()
    DBTaskResult.objects.all().delete()
    mailing = MailThread(pause=0)
    mailing.run_once()
    mailing.run_once()
    assert len(mail.outbox) == 1


def test_old_records_of_tasks_are_deleted_even_if_their_process_died(alice):
    queue_request()
    queue_request("zoe@example.org")
    old = timezone.now() - KEEP_TASKS_FOR - dt.timedelta(seconds=1)
    lost = DBTaskResult.objects.first()
    DBTaskResult.objects.filter(pk=lost.pk).update(status="RUNNING", enqueued_at=old)
    prune(now=timezone.now())
    assert [result.status for result in DBTaskResult.objects.all()] == ["READY"]
    assert OutgoingMail.objects.count() == 2


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"status": "READY"}, True),
        ({"status": "RUNNING", "started_at": 0}, True),
        ({"status": "RUNNING", "started_at": 2}, False),
        ({"status": "FAILED", "started_at": 2, "finished_at": 0}, True),
        ({"status": "FAILED", "started_at": 2, "finished_at": 2}, False),
        ({"status": "SUCCESSFUL", "started_at": 2, "finished_at": 2}, False),
    ],
    ids=lambda value: " ".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_a_task_that_will_be_run_or_tried_again_is_kept_however_old(alice, changes, kept):
    queue_request()
    now = timezone.now()
    times = {
        name: now - value * KEEP_TASKS_FOR
        for name, value in changes.items()
        if name.endswith("_at")
    }
    DBTaskResult.objects.update(enqueued_at=now - 3 * KEEP_TASKS_FOR, **(changes | times))
    prune(now=now)
    assert DBTaskResult.objects.exists() is kept


def test_a_lost_task_that_is_tried_again_after_a_day_is_run(alice):
    queue_request()
    old = timezone.now() - KEEP_TASKS_FOR - dt.timedelta(seconds=1)
    row = DBTaskResult.objects.get()
    rows = DBTaskResult.objects.filter(pk=row.pk)
    rows.update(status="RUNNING", enqueued_at=old, started_at=old, worker_ids=["lost"])
    BackgroundThread(pause=0).run_once()
    MailThread(pause=0).run_once()
    assert [result.status for result in rows] == ["SUCCESSFUL"]


def test_a_flood_of_counts_is_deleted_soon_after_it_has_expired(db, monkeypatch):
    for module in (threads, database_cache):
        monkeypatch.setattr(module, "ENTRIES_AT_ONCE", 2)
    for number in range(5):
        cache.set(f"old {number}", 1, -1)
    thread = BackgroundThread(pause=0)
    for _ in range(3):
        thread.run_once()
    assert not CacheEntry.objects.exists()


def test_an_error_does_not_end_the_thread(monkeypatch):
    rounds = threading.Semaphore(0)
    thread = BackgroundThread(pause=0.01)

    def fail():
        rounds.release()
        raise ValueError

    monkeypatch.setattr(thread, "run_once", fail)
    thread.start()
    for _ in range(2):
        assert rounds.acquire(timeout=PATIENCE)
    thread.stop()


def test_a_mail_server_that_hangs_does_not_delay_stopping(monkeypatch):
    release, waiting = threading.Event(), threading.Event()
    mailing = MailThread(pause=0.01)
    monkeypatch.setattr(round_threads, "STOP_SECONDS", 0.1)
    monkeypatch.setattr(mailing, "run_once", lambda: (waiting.set(), release.wait(PATIENCE)))
    mailing.start()
    assert waiting.wait(PATIENCE)
    mailing.stop()
    assert mailing._thread.is_alive()
    release.set()


@pytest.mark.real_database
def test_the_next_worker_sends_the_mail_of_a_killed_one(site, monkeypatch):
    """Kill workers before and while they send: nothing is lost, and nothing is sent twice."""
    User.objects.create(username="Alice", email="alice@example.org", password="!")
    queue_request()
    reached, never = threading.Event(), threading.Event()
    with mail_server(hold={"MAIL": lambda: (reached.set(), never.wait())}) as (port, received):
        first = site.start("mailer", port)
        assert reached.wait(PATIENCE)
        site.kill(first)
    (row,) = OutgoingMail.objects.all()
    assert (row.sent_at, received) == (None, [])
    assert row.due_at > timezone.now()

    # The lease of the killed worker ends.
    OutgoingMail.objects.update(due_at=timezone.now())
    queue_request("bob@example.org")
    with mail_server() as (port, received):
        workers = [site.start("mailer", port) for _ in range(2)]
        wait_until(lambda: not OutgoingMail.objects.filter(due_at__isnull=False).exists())
        site.dismiss(workers)
    assert [message["To"] for message in received] == ["alice@example.org"]
    assert OutgoingMail.objects.get().sent_at
    assert dt.timedelta(minutes=1) < mail_queue.LEASE
