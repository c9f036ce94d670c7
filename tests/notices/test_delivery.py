"""Deliveries are claimed, checked again, retried with growing pauses, and given up."""

import datetime as dt
import threading

import pytest
from django.db import OperationalError
from django.utils import timezone
from judge.tests.effort import PATIENCE
from structlog.testing import capture_logs
from tests.notices.steps import HOUR, SECOND, consume, deliver_all

from diplomaccloud.notices import delivery, sending
from diplomaccloud.notices.delivery import (
    KEEP_FOR,
    LEASE,
    RETRY_DELAYS,
    WEBHOOK_DELAYS,
    deliver,
    list_due,
    make_public_id,
    make_tag,
    prune_notices,
)
from diplomaccloud.notices.failures import CallFailed, DestinationGone
from diplomaccloud.notices.kinds import Channel, Group, NoticeKind
from diplomaccloud.notices.models import Delivery, Destination, Notice, NoticeSettings
from diplomaccloud.notices.outbox import write_notices
from diplomaccloud.notices.preferences import save_settings, switch
from diplomaccloud.shared import round_threads

NOW = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)


class StubSend:
    """Stands in for the network: records the calls, and answers as instructed."""

    def __init__(self):
        self.calls, self.error = [], None

    def __call__(self, row, text, game, *, now):
        self.calls.append((row.destination.channel, text.title, make_public_id(row)))
        if self.error:
            raise self.error


@pytest.fixture
def send(monkeypatch):
    stub = StubSend()
    monkeypatch.setattr(delivery, "_send", stub)
    return stub


def write(
    user, kind=NoticeKind.RESULT, key="1 x", game=None, until=NOW + 48 * HOUR, now=NOW, **data
):
    notice = Notice(user_id=user, kind=kind, key=key, game_id=game, useful_until=until, data=data)
    write_notices([notice], now=now)
    return Notice.objects.get(user=user, key=key)


def states():
    return list(Delivery.objects.order_by("pk").values_list("state", flat=True))


def test_a_notice_goes_once_to_each_destination(cast, add, send):
    add("alice", "slack"), add("alice", "discord"), add("bob", "slack")
    write(cast.alice, game=cast.game_id, phase="S1901M")
    deliver_all(NOW)
    deliver_all(NOW + HOUR)
    assert sorted(channel for channel, _, _ in send.calls) == ["discord", "slack"]
    assert {title for _, title, _ in send.calls} == {"Testland: results of Spring 1901, Movement"}
    assert states() == ["sent", "sent"]


@pytest.mark.parametrize(
    ("channel", "delays"), [("slack", RETRY_DELAYS), ("webhook", WEBHOOK_DELAYS)]
)
def test_failed_tries_are_repeated_with_one_id_and_then_end(cast, add, send, channel, delays):
    add("alice", channel)
    send.error = CallFailed()
    write(cast.alice, game=cast.game_id, phase="S1901M")
    now = NOW
    with capture_logs() as lines:
        for delay in (dt.timedelta(0), *delays):
            now += delay - SECOND
            deliver_all(now)
            now += SECOND
            deliver_all(now)
        deliver_all(now + 3 * HOUR)
    assert len(send.calls) == len(delays) + 1
    assert len({number for *_, number in send.calls}) == 1
    assert "failed" in states()
    assert "hook.example" not in str(lines)


def test_webhooks_have_eight_tries_in_a_day_and_then_their_owner_gets_a_notice(cast, add, send):
    assert len(WEBHOOK_DELAYS) == 7
    assert HOUR * 20 < sum(WEBHOOK_DELAYS, dt.timedelta(0)) <= HOUR * 24
    assert len(RETRY_DELAYS) == 5
    assert (RETRY_DELAYS[0], RETRY_DELAYS[-1]) == (10 * SECOND, 8 * HOUR)
    row = add("alice", "webhook")
    send.error = CallFailed()
    write(cast.alice, game=cast.game_id, phase="S1901M")
    now = NOW
    for delay in (dt.timedelta(0), *WEBHOOK_DELAYS):
        now += delay
        deliver_all(now)
    row.refresh_from_db()
    assert row.off_at is not None
    assert Notice.objects.filter(user=cast.alice, kind="switched off").count() == 1
    write(cast.alice, key="2 y", game=cast.game_id, phase="S1901M")
    assert not list_due(now=now + HOUR, limit=9)


def test_a_fault_of_ours_counts_as_a_try(cast, add, send):
    add("alice", "slack")
    send.error = KeyError("x")
    write(cast.alice, game=cast.game_id, phase="S1901M")
    now = NOW
    for delay in (dt.timedelta(0), *RETRY_DELAYS):
        now += delay
        with pytest.raises(KeyError):
            deliver_all(now)
    assert states() == ["failed"]


def test_retry_after_is_respected(cast, add, send):
    add("alice", "slack")
    send.error = CallFailed(dt.timedelta(minutes=30))
    write(cast.alice, game=cast.game_id, phase="S1901M")
    deliver_all(NOW)
    send.error = None
    deliver_all(NOW + 29 * dt.timedelta(minutes=1))
    assert states() == ["waiting"]
    deliver_all(NOW + 30 * dt.timedelta(minutes=1))
    assert states() == ["sent"]


def test_a_destination_that_is_gone_is_dropped_with_what_waits_for_it(cast, add, send):
    add("alice", "push")
    send.error = DestinationGone()
    write(cast.alice, game=cast.game_id, phase="S1901M")
    write(cast.alice, key="2 y", game=cast.game_id, phase="S1901M")
    deliver_all(NOW)
    assert not Destination.objects.exists()
    assert not Delivery.objects.exists()
    assert Notice.objects.filter(user=cast.alice).count() == 2


def test_two_workers_do_not_send_the_same_delivery(cast, add, send, monkeypatch):
    add("alice", "slack")
    write(cast.alice, game=cast.game_id, phase="S1901M")
    row = Delivery.objects.get()
    inner = send.__call__

    def meanwhile(*args, **options):
        deliver(row.pk, now=lambda: NOW)
        inner(*args, **options)

    monkeypatch.setattr(delivery, "_send", meanwhile)
    deliver(row.pk, now=lambda: NOW)
    assert len(send.calls) == 1


def test_the_delivery_of_a_worker_that_was_killed_is_due_after_the_lease(cast, add, send):
    add("alice", "slack")
    write(cast.alice, game=cast.game_id, phase="S1901M")
    send.error = SystemExit()
    with pytest.raises(SystemExit):
        deliver_all(NOW)
    send.error = None
    deliver_all(NOW + LEASE - SECOND)
    assert len(send.calls) == 1
    deliver_all(NOW + LEASE)
    assert states() == ["sent"]
    assert len({number for *_, number in send.calls}) == 1


@pytest.mark.parametrize("reason", ["seen", "too late", "not wanted", "not visible"])
def test_what_is_of_no_use_any_more_is_not_sent(cast, add, send, reason):
    add("alice", "slack")
    write(cast.alice, game=cast.game_id, phase="S1901M")
    now = NOW
    if reason == "seen":
        Notice.objects.update(read_at=NOW)
    elif reason == "too late":
        now = NOW + 48 * HOUR
    elif reason == "not wanted":
        switch(user_id=cast.alice, kinds=[NoticeKind.RESULT], group=Group.CHAT, is_on=False)
    else:
        from diplomaccloud.games.table.models import Game

        Game.objects.update(status="canceled", started_at=None)
    deliver_all(now)
    assert (send.calls, states()) == ([], ["dropped"])


def test_a_reminder_is_not_sent_once_the_orders_are_saved(cast, add, send):
    from tests.notices.steps import remind
    from tests.notices.test_reminders import ALL_UNITS, plan, save

    add("alice", "slack"), add("bob", "slack")
    due_at = plan(cast, 72)
    deliver_all(due_at - 30 * HOUR)
    now = due_at - 24 * HOUR
    remind(now)
    save(cast, "alice", ALL_UNITS, now)
    send.calls.clear()
    deliver_all(now)
    assert [title for _, title, _ in send.calls] == ["Orders missing in Testland"]


def test_quiet_hours_hold_everything_but_the_last_reminder(cast, add, send):
    add("alice", "slack")
    save_settings(
        cast.alice,
        quiet_from=dt.time(22),
        quiet_until=dt.time(8),
        zone="America/New_York",
        last_reminder_passes=True,
    )
    night = dt.datetime(2030, 1, 2, 6, tzinfo=dt.UTC)
    morning = dt.datetime(2030, 1, 2, 13, tzinfo=dt.UTC)
    until = night + 48 * HOUR
    for number, (kind, hours) in enumerate(
        [(NoticeKind.RESULT, 0), (NoticeKind.REMINDER, 4), (NoticeKind.REMINDER, 1)]
    ):
        data = {"hours": hours, "due_at": until.isoformat(), "sequence": 1}
        write(cast.alice, kind, f"n {number}", cast.game_id, until, now=night, **data)
    dues = Delivery.objects.order_by("pk").values_list("due_at", flat=True)
    assert list(dues) == [morning, morning, night]


def test_quiet_hours_that_were_chosen_later_count_too(cast, add, send):
    add("alice", "slack")
    write(cast.alice, game=cast.game_id, phase="S1901M")
    save_settings(
        cast.alice,
        quiet_from=dt.time(11),
        quiet_until=dt.time(13),
        zone="UTC",
        last_reminder_passes=True,
    )
    deliver_all(NOW)
    assert send.calls == []
    deliver_all(NOW + HOUR)
    assert states() == ["sent"]


def test_a_slow_destination_has_threads_of_its_own(cast, add):
    slow = add("alice", "slack", failing_since=NOW)
    fast = add("bob", "slack")
    for user in (cast.alice, cast.bob):
        write(user, game=cast.game_id, phase="S1901M")
    lanes = [list_due(now=NOW, limit=9, failing=flag) for flag in (False, True)]
    assert [[row.destination_id for row in lane] for lane in lanes] == [[fast.pk], [slow.pk]]
    assert list_due(now=NOW, limit=9, busy=[slow.pk, fast.pk]) == []


def test_a_person_with_many_notices_does_not_keep_others_waiting(cast, add):
    add("alice", "slack")
    fast = add("bob", "slack")
    for number in range(20):
        write(cast.alice, key=f"n {number}", game=cast.game_id)
    write(cast.bob, game=cast.game_id)
    assert fast.pk in [row.destination_id for row in list_due(now=NOW, limit=9)]


def test_public_names_of_deliveries_reveal_no_key(cast, add):
    add("alice", "webhook"), add("bob", "webhook")
    write(cast.alice, game=cast.game_id), write(cast.bob, game=cast.game_id)
    first, second = Delivery.objects.select_related("notice").order_by("pk")
    assert make_public_id(first) != make_public_id(second)
    assert make_tag(first.notice) != make_tag(second.notice)
    assert len(make_public_id(first)) == 32


def test_old_notices_are_deleted_with_their_deliveries(cast, add, send):
    add("alice", "slack")
    write(cast.alice, game=cast.game_id)
    assert prune_notices(now=NOW + KEEP_FOR) == 0
    assert prune_notices(now=NOW + KEEP_FOR + SECOND) == 1
    assert not Delivery.objects.exists()


def test_every_kind_and_channel_has_an_answer(cast, add):
    for kind in NoticeKind:
        for channel in Channel:
            assert NoticeSettings().wants(kind, channel, {"hours": 4}) in (True, False)
    wants = NoticeSettings().wants
    assert not wants(NoticeKind.SEAT, Channel.PUSH, {})
    assert not wants(NoticeKind.REMINDER, Channel.EMAIL, {"hours": 1})
    assert wants(NoticeKind.REMINDER, Channel.PUSH, {"hours": 1})


def test_consumed_events_are_delivered(cast, add, send):
    add("bob", "discord")
    consume()
    deliver_all(timezone.now())
    assert [title for _, title, _ in send.calls] == ["Testland has started"]


@pytest.mark.parametrize("name", ["close_old_connections", "reverse"])
def test_no_error_ends_the_thread(monkeypatch, name):
    rounds, failed = threading.Event(), threading.Event()

    def fail_once(*_args):
        if not failed.is_set():
            failed.set()
            raise OperationalError("away")

    for module, one in ((round_threads, "close_old_connections"), (sending, "reverse")):
        monkeypatch.setattr(module, one, fail_once if one == name else lambda *_args: None)
    for one in ("consume_events", "consume_press", "send_reminders"):
        monkeypatch.setattr(sending, one, lambda **_options: rounds.set() or 0)
    monkeypatch.setattr(sending, "list_due", lambda **_options: [])
    thread = sending.NoticesThread(pause=0.01)
    thread.start()
    assert rounds.wait(PATIENCE)
    thread.stop()
    assert failed.is_set()
