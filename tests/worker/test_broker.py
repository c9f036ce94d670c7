"""Tasks with a broker: the same rows as without one, even if messages are lost, doubled or fail."""

import datetime as dt
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult

from diplomaccloud.accounts.mail_queue import send_queued_mail
from diplomaccloud.worker import broker, figures, rounds, task_rows
from diplomaccloud.worker.bot_process import BotProcess
from diplomaccloud.worker.broker import BrokerBackend
from diplomaccloud.worker.rounds import ROUNDS
from diplomaccloud.worker.task_rows import revive_tasks, run_task_of_row, run_waiting_tasks

celery_app = pytest.importorskip("diplomaccloud.worker.celery_app")
from celery import signals  # noqa: E402
from kombu.utils.scheduling import cycle_by_name  # noqa: E402

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture(autouse=True)
def calm(db, monkeypatch):
    """Keep the test's connection open, and forget that a broker was away."""
    monkeypatch.setattr(celery_app, "close_old_connections", lambda: None)
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)
    monkeypatch.setattr(broker, "_quiet_until", 0.0)


@pytest.fixture
def sent(monkeypatch):
    """Return the messages that are sent: the keys of rows, and queues."""
    messages = []

    def send(args, queue, retry):
        messages.append((args[0], queue))

    monkeypatch.setattr(celery_app.run_task, "apply_async", send)
    return messages


def enqueue(mail_id=0):
    backend = BrokerBackend("default", {"QUEUES": list(settings.QUEUES)})
    return str(backend.enqueue(send_queued_mail, (mail_id,), {}).id)


def test_each_process_of_celery_publishes_its_metrics(monkeypatch):
    roles = []
    monkeypatch.setattr(figures, "publish_metrics", lambda _, role, **__: roles.append(role))
    signals.worker_process_init.send(sender=None)
    assert roles == ["worker"]


def test_the_news_goes_out_after_the_transaction(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        key = enqueue()
        assert not sent
    assert sent == [(key, "notices")]
    assert DBTaskResult.objects.get(pk=key).status == "READY"


def test_without_its_broker_a_page_goes_on_and_does_not_try_again_at_once(
    monkeypatch, django_capture_on_commit_callbacks
):
    tries = []

    def fail(*_args, **_options):
        tries.append(1)
        raise OSError

    monkeypatch.setattr(celery_app.run_task, "apply_async", fail)
    with django_capture_on_commit_callbacks(execute=True):
        enqueue()
        enqueue()
    assert (len(tries), DBTaskResult.objects.ready().count()) == (1, 2)
    # The messages are lost: the next round finds the rows.
    assert run_waiting_tasks("notices") == 2
    assert run_waiting_tasks("notices") == 0


def test_a_doubled_message_runs_a_task_once():
    key = enqueue()
    celery_app.run_task(key)
    assert not run_task_of_row(key)
    row = DBTaskResult.objects.get(pk=key)
    assert (row.status, len(row.worker_ids)) == ("SUCCESSFUL", 1)


def test_a_task_that_was_lost_or_failed_is_tried_again_a_few_times():
    now, keys = timezone.now(), [enqueue(), enqueue()]
    for key, status in zip(keys, ("RUNNING", "FAILED"), strict=True):
        lost = now - task_rows.LEASE - MINUTE
        row = {"status": status, "started_at": lost, "finished_at": lost, "worker_ids": ["1"]}
        DBTaskResult.objects.filter(pk=key).update(**row)
    assert revive_tasks(now=lost) == 0
    assert revive_tasks(now=now) == 2
    assert run_waiting_tasks("notices") == 2
    DBTaskResult.objects.update(status="FAILED", worker_ids=["1", "2", "3", "4"])
    assert revive_tasks(now=now + 2 * MINUTE) == 0


def test_every_queue_has_a_round():
    assert {kind.task.queue_name for kind in ROUNDS.values()} == set(settings.QUEUES)


def test_beat_asks_for_rounds_unless_many_messages_wait(monkeypatch):
    waiting = {"count": 0}
    monkeypatch.setattr(celery_app, "_count_waiting", lambda _queue: waiting["count"])
    scheduler = celery_app.RoundScheduler(app=celery_app.app)
    entries = scheduler.schedule
    assert set(entries) == set(ROUNDS)
    asked = []
    monkeypatch.setattr(
        celery_app.Scheduler, "apply_async", lambda _self, entry, **_: asked.append(entry.name)
    )
    scheduler.apply_async(entries["clock"])
    waiting["count"] = celery_app.MAX_WAITING
    scheduler.apply_async(entries["clock"])
    assert asked == ["clock"]
    scheduler._asked_at["clock"] -= celery_app.OVERLOADED_SECONDS
    scheduler.apply_async(entries["clock"])
    assert asked == ["clock", "clock"], "a flood of other messages must not stop the clock"


@pytest.mark.parametrize("kind", ["memory", "redis"])
def test_a_queue_counts_what_waits_in_it_and_an_empty_one_nothing(kind, request, monkeypatch):
    url = "memory://" if kind == "memory" else request.getfixturevalue("redis_server").url
    with celery_app.Celery("counted", broker=url) as app:
        app.conf.update(celery_app.app.conf.changes)
        app.conf.broker_url = url
        monkeypatch.setattr(celery_app, "app", app)
        assert celery_app._count_waiting("clock") == 0
        for _ in range(2):
            app.send_task("diplomaccloud.do_round", ("clock",), queue="clock", retry=False)
        assert celery_app._count_waiting("clock") == 2


def test_a_round_that_fails_ends_no_worker(monkeypatch):
    class Broken:
        def call(self):
            raise ValueError

    monkeypatch.setitem(ROUNDS, "clock", type("Kind", (), {"task": Broken()}))
    celery_app.do_round("clock")


def test_a_worker_of_several_queues_takes_deadlines_first(monkeypatch):
    queues = celery_app.app.amqp.queues
    monkeypatch.setattr(queues, "_consume_from", None)
    queues.select(["bots", "clock", "default"])
    signals.celeryd_after_setup.send(sender="worker", instance=SimpleNamespace(app=celery_app.app))
    order = list(queues.consume_from)
    assert order == ["clock", "bots", "default"]
    strategy = celery_app.app.conf.broker_transport_options["queue_order_strategy"]
    cycle = cycle_by_name(strategy)(order)
    cycle.rotate("clock")
    assert cycle.consume(3) == order


def test_the_process_of_the_bots_starts_before_the_first_bot_needs_it(monkeypatch):
    started = []
    monkeypatch.setattr(BotProcess, "warm_up", lambda _: started.append(1))
    rounds._find_bots.cache_clear()
    rounds._find_bots()
    rounds._find_bots.cache_clear()
    assert started == [1]
