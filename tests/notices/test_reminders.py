"""A player who still owes orders is reminded, once for each step before each deadline."""

import datetime as dt

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.notices.steps import HOUR, consume, open_phase, remind

from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.news.read import OpenPhase
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.orders.read import Owed, find_owed
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Submission
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.notices.models import Notice, Reminder
from diplomaccloud.notices.reminders import list_steps, still_owes

MINUTE = dt.timedelta(minutes=1)
ALL_UNITS = ["A VIE - GAL", "A BUD - SER", "F TRI H"]


def set_length(slug, hours):
    """Give the open phase a length, and return when it is due."""
    phase = open_phase(slug)
    due_at = phase.opens_at + hours * HOUR
    Phase.objects.filter(pk=phase.pk).update(due_at=due_at, adjudicate_at=due_at)
    return due_at


def plan(cast, hours):
    """Consume the events of the start of a phase of that length; return when it is due."""
    due_at = set_length(cast.slug, hours)
    consume(now=open_phase(cast.slug).opens_at)
    return due_at


def save(cast, name, orders, now):
    save_orders(
        slug=cast.slug,
        user_id=cast.user_id(name),
        sequence=1,
        choices=orders,
        sheet="",
        now=now,
    )


def reminded(user_id):
    rows = Notice.objects.filter(user=user_id, kind="reminder").order_by("pk")
    return [row.data["hours"] for row in rows]


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(72, [24, 4, 1]), (48, [24, 4, 1]), (47, [4, 1]), (8, [4, 1]), (7, [1]), (2, [1]), (1, [])],
)
def test_steps_longer_than_half_the_phase_are_left_out(hours, expected):
    start = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
    phase = OpenPhase(1, "S1901M", start, start + hours * HOUR)
    assert [step for step, _ in list_steps(phase, now=start)] == expected


def test_of_the_steps_that_have_passed_only_the_last_is_planned():
    start = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
    phase = OpenPhase(1, "S1901M", start, start + 72 * HOUR)
    assert [step for step, _ in list_steps(phase, now=start + 70 * HOUR)] == [4, 1]
    assert [step for step, _ in list_steps(phase, now=start + 71.5 * HOUR)] == [1]
    assert list_steps(phase, now=start + 72 * HOUR) == []


def test_a_player_without_orders_is_reminded_at_each_step_and_never_after_the_deadline(cast):
    due_at = plan(cast, 72)
    for hours in (25, 24, 5, 4, 2, 1, 0):
        remind(due_at - hours * HOUR)
        remind(due_at - hours * HOUR)
    assert reminded(cast.alice) == [24, 4, 1]
    assert not Reminder.objects.exists()


def test_a_player_who_saved_all_orders_is_not_reminded(cast):
    due_at = plan(cast, 72)
    save(cast, "alice", ALL_UNITS, due_at - 30 * HOUR)
    remind(due_at - 24 * HOUR)
    assert reminded(cast.alice) == []
    assert reminded(cast.bob) == [24]


def test_incomplete_orders_count_as_owed_until_the_player_is_ready(cast):
    due_at = plan(cast, 72)
    save(cast, "alice", ALL_UNITS[:1], due_at - 30 * HOUR)
    owed = find_owed(cast.game_id, 1, due_at)
    assert owed == {cast.alice: Owed.SOME, cast.bob: Owed.ALL}
    Submission.objects.filter(seat__user=cast.alice).update(ready_at=timezone.now())
    assert find_owed(cast.game_id, 1, due_at) == {cast.bob: Owed.ALL}


def test_orders_that_conditional_orders_gave_count(cast):
    due_at = plan(cast, 72)
    phase = open_phase(cast.slug)
    seat = phase.game.seats.get(user=cast.alice)
    Submission.objects.update_or_create(
        phase=phase, seat=seat, defaults={"by_conditional_orders": True}
    )
    assert cast.alice not in find_owed(cast.game_id, 1, due_at)


def test_a_reminder_of_an_old_deadline_does_nothing(cast):
    old = plan(cast, 72)
    set_length(cast.slug, 96)
    remind(old - 24 * HOUR)
    assert reminded(cast.alice) == []


def test_a_moved_deadline_reminds_again(table):
    due_at = plan(table, 72)
    now = due_at - 24 * HOUR
    remind(now)
    change_time(
        slug=table.slug,
        user_id=table.charlie,
        sequence=1,
        question=Question.EXTEND,
        length=24 * HOUR,
        reason="Holidays.",
        key="press",
        now=now,
    )
    consume(now=now)
    remind(open_phase(table.slug).due_at - 24 * HOUR)
    assert reminded(table.alice) == [24, 24]


def test_after_an_outage_one_reminder_comes_not_two(cast):
    due_at = plan(cast, 72)
    remind(due_at - 30 * MINUTE)
    assert reminded(cast.alice) == [1]


def test_what_was_saved_after_the_reminder_ends_it(cast):
    due_at = plan(cast, 72)
    remind(due_at - 24 * HOUR)
    notice = Notice.objects.get(user=cast.alice, kind="reminder")
    assert still_owes(notice) is Owed.ALL
    save(cast, "alice", ALL_UNITS, due_at - 20 * HOUR)
    assert still_owes(notice) is None


def test_a_suspended_game_reminds_nobody(cast):
    due_at = plan(cast, 72)
    Game.objects.update(suspended_reason="a test")
    remind(due_at - 24 * HOUR)
    assert reminded(cast.alice) == []


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.integers(0, 30)),
        st.tuples(st.just("save"), st.sampled_from(["alice", "bob"])),
        st.tuples(st.just("drop"), st.sampled_from(["alice", "bob"])),
        st.tuples(st.just("move"), st.integers(1, 60)),
        st.tuples(st.just("repeat"), st.just(0)),
    ),
    max_size=12,
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS, hours=st.integers(3, 100))
def test_reminders_are_never_doubled_never_after_saving_and_never_missing(
    reminder_game, steps, hours
):
    """Any events in any order, even with workers that sleep for hours."""
    cast, reset = reminder_game
    reset()
    due_at = plan(cast, hours)
    now = open_phase(cast.slug).opens_at
    saved = set()
    for act, value in [*steps, ("wait", 30)]:
        if act == "wait":
            later = now + value * HOUR
            at = due_at - HOUR
            remind_at = [t for t in (at,) if now < t <= later]
            for moment in [*remind_at, later]:
                remind(moment)
                check(cast, due_at, moment, saved, hours)
            now = later
        elif now >= due_at:
            break
        elif act == "save":
            saved.add(value)
            Submission.objects.update_or_create(
                phase=open_phase(cast.slug),
                seat=open_phase(cast.slug).game.seats.get(user=cast.user_id(value)),
                defaults={"ready_at": now},
            )
        elif act == "drop":
            saved.discard(value)
            Submission.objects.filter(seat__user=cast.user_id(value)).update(ready_at=None)
        elif act == "move":
            hours += value
            due_at = set_length(cast.slug, hours)
            from diplomaccloud.games.news.read import read_audiences
            from diplomaccloud.notices.reminders import plan_reminders

            plan_reminders(read_audiences([cast.game_id]), now=now)
        else:
            remind(now)


def check(cast, due_at, now, saved, hours):
    for name in ("alice", "bob"):
        rows = Notice.objects.filter(user=cast.user_id(name), kind="reminder")
        keys = [(row.data["due_at"], row.data["hours"]) for row in rows]
        assert len(keys) == len(set(keys))
        own = [step for due, step in keys if due == due_at.isoformat()]
        is_last = due_at - HOUR <= now < due_at
        if is_last and name not in saved and hours >= 2 and now == due_at - HOUR:
            assert 1 in own


@pytest.fixture
def reminder_game(cast):
    """A game whose notices, reminders and flags are reset for each example."""
    from diplomaccloud.games.table.log_models import Event

    def reset():
        Notice.objects.all().delete()
        Reminder.objects.all().delete()
        Submission.objects.all().delete()
        OrderRow.objects.all().delete()
        Event.objects.filter(kind="opened").update(waiting=True)

    return cast, reset
