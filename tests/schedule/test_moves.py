"""Extensions, pauses, grace and early ends of phases: effects, texts and errors."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import (
    PRESETS,
    Caps,
    Clock,
    Days,
    Interval,
    LaterDay,
    Lengths,
    MoveKind,
    Schedule,
    Timer,
    Weekday,
    WeekTime,
    end_early,
    end_expired_pause,
    end_now,
    extend,
    find_deadline,
    find_grace,
    find_outage_credit,
    pause_phase,
    resume_phase,
)

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
INVITATION = PRESETS["invitation"].schedule
LENGTHS = Lengths(DAY, 12 * HOUR, 6 * HOUR)
GM = "the game master"
ALL_READY = "Everyone is ready: the turn is processed before its deadline."
PAUSE_OVER = "The pause is over. Orders are due "


SATURDAY = frozenset([WeekTime(Weekday.SATURDAY, Clock.parse("24:00"))])


def utc(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


START = utc("2026-10-26 18:00")
"""A Monday; the invitation's deadline is Wednesday 28 October, 24:00, which is 07:00 UTC."""


def make_timer(schedule=INVITATION, stage=Stage.MOVEMENT, start=START):
    return Timer(schedule, stage, find_deadline(schedule, stage, start, first=False))


PLAIN = Schedule(
    Interval(LENGTHS),
    grace=12 * HOUR,
    caps=Caps(extension=DAY, extensions=2 * DAY, pause=3 * DAY, pauses=4 * DAY),
)
WORKING = Schedule(
    Interval(LENGTHS, Days("UTC", frozenset(Weekday) - {Weekday.SATURDAY, Weekday.SUNDAY}))
)


class TestExtensions:
    @pytest.mark.parametrize(
        ("schedule", "start", "by", "orders_at", "adjudicate_at"),
        [
            pytest.param(PLAIN, START, DAY, "2026-10-28 18:00", "2026-10-28 18:00",
                         id="an interval is a day longer"),
            pytest.param(INVITATION, START, DAY, "2026-10-30 07:00", "2026-10-30 19:30",
                         id="midnight becomes the next midnight, and results move a day"),
            pytest.param(INVITATION, START, 2 * HOUR, "2026-10-29 09:00", "2026-10-29 19:30",
                         id="two hours do not move the results"),
            pytest.param(INVITATION, START, 13 * HOUR, "2026-10-29 20:00", "2026-10-30 19:30",
                         id="thirteen hours do"),
            pytest.param(INVITATION, utc("2026-10-29 20:00"), DAY, "2026-11-03 08:00",
                         "2026-11-03 20:30", id="a day is a calendar day when clocks go back"),
            pytest.param(INVITATION, utc("2026-03-06 20:00"), -DAY + DAY + DAY, "2026-03-10 07:00",
                         "2026-03-10 19:30", id="and when they go forward"),
            pytest.param(WORKING, utc("2026-10-29 18:00"), HOUR, "2026-10-30 19:00",
                         "2026-10-30 19:00", id="Friday evening"),
            pytest.param(WORKING, utc("2026-10-29 18:00"), DAY, "2026-11-02 18:00",
                         "2026-11-02 18:00", id="not on a Saturday, so on Monday"),
        ],
    )  # fmt: skip
    def test_an_extension_moves_both_times(self, schedule, start, by, orders_at, adjudicate_at):
        moved = extend(make_timer(schedule, start=start), by, key="1", decided_by=GM, now=start)
        assert moved.new.orders_at == utc(orders_at)
        assert moved.new.adjudicate_at == utc(adjudicate_at)
        assert moved.new.exact is moved.old.exact

    def test_the_text_says_who_extended_and_by_how_much(self):
        moved = extend(make_timer(), DAY, key="vote 1", decided_by="a vote of 5 of 7", now=START)
        assert moved.why == (
            "Deadline extended by one day by a vote of 5 of 7. It is now "
            "Thursday, October 29, 24:00 Los Angeles (Friday 07:00 UTC)."
        )

    def test_an_extension_with_the_same_key_counts_once(self):
        first = make_timer(PLAIN)
        moved = extend(first, DAY, key="vote 1", decided_by=GM, now=START)
        once = first.after(moved)
        again = extend(once, DAY, key="vote 1", decided_by=GM, now=START + 5 * HOUR)
        assert again is moved
        assert once.after(again) == once

    @pytest.mark.parametrize(
        ("by", "error"),
        [
            (DAY + dt.timedelta(seconds=1), "An extension can be at most 1 day."),
            (dt.timedelta(0), "An extension must be a whole number of seconds, at least one."),
            (-DAY, "An extension must be a whole number of seconds, at least one."),
            (
                dt.timedelta(microseconds=1),
                "An extension must be a whole number of seconds, at least one.",
            ),
        ],
    )
    def test_a_single_extension_is_capped(self, by, error):
        with pytest.raises(Refused, match=error):
            extend(make_timer(PLAIN), by, key="1", decided_by=GM, now=START)

    def test_the_end_of_an_expired_pause_is_logged_once(self):
        timer = make_timer(PLAIN)
        assert end_expired_pause(timer, now=START) is None
        timer = timer.after(pause_phase(timer, key="p", decided_by=GM, now=START + HOUR))
        over = START + 3 * DAY + HOUR
        assert end_expired_pause(timer, now=over - MINUTE) is None
        moved = end_expired_pause(timer, now=over + MINUTE)
        assert moved.why == f"{PAUSE_OVER}Friday, October 30, 18:00 UTC."
        assert moved.new == timer.deadline
        timer = timer.after(moved)
        assert end_expired_pause(timer, now=over + HOUR) is None
        assert pause_phase(timer, key="2", decided_by=GM, now=over + HOUR).by == DAY

    def test_the_total_is_capped(self):
        timer = make_timer(PLAIN)
        for key, by in (("1", DAY), ("2", 20 * HOUR)):
            timer = timer.after(extend(timer, by, key=key, decided_by=GM, now=START))
        with pytest.raises(WrongMoment, match="by at most 2 days in total; 4 hours is left"):
            extend(timer, 5 * HOUR, key="3", decided_by=GM, now=START)
        timer = timer.after(extend(timer, 4 * HOUR, key="3", decided_by=GM, now=START))
        assert timer.total(MoveKind.EXTENDED) == 2 * DAY

    def test_no_extension_after_orders_close(self):
        timer = make_timer()
        now = timer.deadline.orders_at
        with pytest.raises(WrongMoment, match="Orders for this phase are closed"):
            extend(timer, HOUR, key="1", decided_by=GM, now=now)
        extend(timer, HOUR, key="1", decided_by=GM, now=now - dt.timedelta(microseconds=1))

    def test_no_extension_during_a_pause(self):
        timer = make_timer(PLAIN)
        timer = timer.after(pause_phase(timer, DAY, key="1", decided_by=GM, now=START))
        with pytest.raises(WrongMoment, match=r"paused. End the pause first"):
            extend(timer, HOUR, key="2", decided_by=GM, now=START + HOUR)
        extend(timer, HOUR, key="2", decided_by=GM, now=START + DAY)

    def test_a_key_cannot_be_reused_for_another_kind_of_move(self):
        timer = make_timer(PLAIN)
        timer = timer.after(pause_phase(timer, DAY, key="1", decided_by=GM, now=START))
        with pytest.raises(
            WrongMoment, match="This request was already used: the phase was paused"
        ):
            extend(timer, HOUR, key="1", decided_by=GM, now=START + DAY)

    def test_a_day_after_a_skipped_midnight_is_the_next_midnight(self):
        sunday = replace(INVITATION.plan, zone="America/Sao_Paulo", movement=SATURDAY)
        timer = make_timer(Schedule(sunday), start=utc("2018-11-01 12:00"))
        assert timer.deadline.orders_at == utc("2018-11-04 03:00")
        moved = extend(timer, DAY, key="1", decided_by=GM, now=utc("2018-11-01 12:00"))
        assert moved.new.orders_at == utc("2018-11-05 02:00")

    def test_midnight_before_a_holiday_does_not_belong_to_it(self):
        plan = replace(INVITATION.plan, holidays=frozenset([dt.date(2026, 10, 30)]))
        timer = make_timer(Schedule(plan))
        moved = extend(timer, DAY, key="1", decided_by=GM, now=START)
        assert moved.new.orders_at == utc("2026-10-30 07:00")
        assert "Thursday, October 29, 24:00" in moved.why


class TestPauses:
    def test_the_time_left_is_preserved(self):
        timer = make_timer(PLAIN)
        timer = timer.after(pause_phase(timer, key="p", decided_by=GM, now=START + 20 * HOUR))
        moved = resume_phase(timer, key="r", decided_by=GM, now=START + 30 * HOUR)
        assert moved.new.orders_at == START + 34 * HOUR
        assert moved.why == (
            "Resumed by the game master after ten hours. "
            "Orders are due Wednesday, October 28, 04:00 UTC."
        )

    def test_a_pause_ends_by_itself(self):
        timer = make_timer(PLAIN)
        moved = pause_phase(timer, key="p", decided_by=GM, now=START + HOUR)
        assert moved.new.orders_at == START + 4 * DAY
        assert moved.why == (
            "Paused by the game master until Thursday, October 29, 19:00 UTC at the latest."
        )
        timer = timer.after(moved)
        assert timer.pause_at(START + 3 * DAY) is moved
        assert timer.pause_at(START + 3 * DAY + HOUR) is None
        with pytest.raises(WrongMoment, match="not paused"):
            resume_phase(timer, key="r", decided_by=GM, now=START + 3 * DAY + HOUR)

    def test_the_total_is_capped(self):
        timer = make_timer(PLAIN)
        timer = timer.after(pause_phase(timer, key="1", decided_by=GM, now=START))
        now = START + 3 * DAY
        second = pause_phase(timer, key="2", decided_by=GM, now=now)
        assert second.by == DAY
        timer = timer.after(second)
        with pytest.raises(WrongMoment, match="paused for at most 4 days in total"):
            pause_phase(timer, key="3", decided_by=GM, now=now + DAY)

    def test_a_resumed_pause_counts_with_its_actual_length(self):
        timer = make_timer(PLAIN)
        for hour in range(10):
            now = START + hour * HOUR
            timer = timer.after(pause_phase(timer, key=f"p{hour}", decided_by=GM, now=now))
            now += 30 * MINUTE
            timer = timer.after(resume_phase(timer, key=f"r{hour}", decided_by=GM, now=now))
        assert timer.deadline.orders_at == START + DAY + 5 * HOUR

    def test_a_single_pause_is_capped(self):
        with pytest.raises(Refused, match="A pause can be at most 3 days"):
            pause_phase(make_timer(PLAIN), 4 * DAY, key="1", decided_by=GM, now=START)

    def test_the_same_request_twice_counts_once(self):
        timer = make_timer(PLAIN)
        moved = pause_phase(timer, DAY, key="1", decided_by=GM, now=START)
        timer = timer.after(moved)
        assert pause_phase(timer, DAY, key="1", decided_by=GM, now=START + HOUR) is moved
        with pytest.raises(WrongMoment, match="already paused"):
            pause_phase(timer, DAY, key="2", decided_by=GM, now=START + HOUR)
        end = resume_phase(timer, key="3", decided_by=GM, now=START + HOUR)
        timer = timer.after(end)
        assert resume_phase(timer, key="3", decided_by=GM, now=START + 2 * HOUR) is end

    def test_a_calendar_resumes_at_the_next_time_that_leaves_as_much_time(self):
        timer = make_timer()
        timer = timer.after(pause_phase(timer, DAY, key="p", decided_by=GM, now=START))
        moved = resume_phase(timer, key="r", decided_by=GM, now=START + HOUR)
        assert moved.new.orders_at == utc("2026-11-02 08:00")
        assert moved.new.adjudicate_at == utc("2026-11-02 20:30")

    def test_a_pause_of_zero_length_changes_nothing(self):
        timer = make_timer()
        original = timer.deadline
        timer = timer.after(pause_phase(timer, DAY, key="p", decided_by=GM, now=START))
        assert resume_phase(timer, key="r", decided_by=GM, now=START).new == original

    def test_closed_orders_stay_closed(self):
        timer = make_timer()
        closed = timer.deadline.orders_at
        timer = timer.after(pause_phase(timer, DAY, key="p", decided_by=GM, now=closed + HOUR))
        assert timer.deadline.orders_at == closed
        assert timer.deadline.adjudicate_at == closed + DAY + HOUR
        moved = resume_phase(timer, key="r", decided_by=GM, now=closed + 2 * HOUR)
        assert moved.new.adjudicate_at == utc("2026-10-29 19:30")

    def test_orders_that_close_when_the_pause_starts_stay_closed(self):
        timer = make_timer()
        moved = pause_phase(timer, DAY, key="p", decided_by=GM, now=timer.deadline.orders_at)
        assert moved.new.orders_at == timer.deadline.orders_at

    def test_adjudication_at_midnight_stays_at_midnight(self):
        later = replace(INVITATION.plan, adjudication=LaterDay(1, Clock.parse("24:00")))
        timer = make_timer(Schedule(later))
        moved = extend(timer, 2 * HOUR, key="1", decided_by=GM, now=START)
        assert moved.new.adjudicate_at == utc("2026-10-30 07:00")

    def test_no_pause_when_the_phase_is_due(self):
        timer = make_timer(PLAIN)
        with pytest.raises(WrongMoment, match="This phase is due"):
            pause_phase(timer, key="p", decided_by=GM, now=timer.deadline.adjudicate_at)


class TestCountedTime:
    def test_a_pause_does_not_count_and_the_rest_does(self):
        timer = make_timer(PLAIN)
        begin, length = START + 2 * HOUR, timer.deadline.orders_at - START
        timer = timer.after(pause_phase(timer, DAY, key="p", decided_by=GM, now=begin))
        due = timer.deadline.orders_at
        assert timer.counted_time(START, due) == length
        assert timer.counted_time(begin + HOUR, due) == length - 2 * HOUR
        timer = timer.after(resume_phase(timer, key="r", decided_by=GM, now=begin + 3 * HOUR))
        due = timer.deadline.orders_at
        assert due == START + length + 3 * HOUR
        assert timer.counted_time(START, due) == length
        assert timer.counted_time(begin + HOUR, begin + 4 * HOUR) == HOUR

    def test_an_outage_that_was_added_does_not_count(self):
        timer = make_timer(PLAIN)
        length, away = timer.deadline.orders_at - START, START + HOUR
        back = away + 5 * HOUR
        move = find_outage_credit(timer, opened_at=START, away_at=away, back_at=back, key="o")
        timer = timer.after(move)
        assert timer.counted_time(START, timer.deadline.orders_at) == length

    def test_the_last_third_is_late_and_the_opening_never(self):
        timer = make_timer(PLAIN)
        due = timer.deadline.orders_at
        third = (due - START) / 3
        assert timer.is_late(START, due - third + MINUTE)
        assert not timer.is_late(START, due - third - MINUTE)
        assert not timer.is_late(due, due)


class TestGrace:
    def test_the_first_missed_turn_has_a_second_deadline(self):
        timer = make_timer(PLAIN)
        now = timer.deadline.orders_at + MINUTE
        moved = find_grace(timer, missing=["Austria", "Italy"], spent=["Italy"], key="g", now=now)
        assert moved.new.orders_at == now + 12 * HOUR
        assert (
            moved.why
            == "Austria missed the deadline for the first time: extended once by twelve hours."
        )
        timer = timer.after(moved)
        assert find_grace(timer, missing=["Austria"], spent=[], key="g", now=now) is moved
        assert find_grace(timer, missing=["Austria"], spent=[], key="h", now=now) is None

    @pytest.mark.parametrize(
        ("schedule", "missing", "spent"),
        [
            pytest.param(PLAIN, [], [], id="everyone sent orders"),
            pytest.param(PLAIN, ["Italy"], ["Italy", "Russia"], id="grace already used"),
            pytest.param(INVITATION, ["Italy"], [], id="the game has no grace"),
        ],
    )
    def test_no_grace(self, schedule, missing, spent):
        timer = make_timer(schedule)
        now = timer.deadline.orders_at
        assert find_grace(timer, missing=missing, spent=spent, key="g", now=now) is None

    def test_no_grace_after_an_end_by_force(self):
        timer, now = make_timer(PLAIN), START + HOUR
        timer = timer.after(end_now(timer, key="f", decided_by=GM, now=now))
        assert find_grace(timer, missing=["Italy"], spent=[], key="g", now=now) is None

    def test_grace_ends_on_an_allowed_day(self):
        schedule = Schedule(WORKING.plan, grace=12 * HOUR)
        timer = make_timer(schedule, start=utc("2026-10-29 18:00"))
        moved = find_grace(timer, missing=["A"], spent=[], key="g", now=timer.deadline.orders_at)
        assert moved.new.orders_at == utc("2026-11-02 06:00")


class TestEarlyEnd:
    def test_readiness_of_all_ends_the_phase_at_once(self):
        timer = make_timer(Schedule(INVITATION.plan, early=True))
        moved = end_early(timer, key="ready", now=START + HOUR)
        assert moved.new.orders_at == moved.new.adjudicate_at == START + HOUR
        assert moved.new.exact
        assert moved.why == ALL_READY
        assert end_early(timer.after(moved), key="ready", now=START + 2 * HOUR) is moved

    def test_a_fixed_deadline_does_not_end_early(self):
        with pytest.raises(WrongMoment, match="keeps its deadlines"):
            end_early(make_timer(), key="ready", now=START + HOUR)

    def test_a_paused_phase_does_not_end_early(self):
        timer = make_timer(PLAIN)
        timer = timer.after(pause_phase(timer, DAY, key="1", decided_by=GM, now=START))
        with pytest.raises(WrongMoment, match="paused"):
            end_early(timer, key="2", now=START + HOUR)

    def test_the_game_master_may_end_any_phase_but_not_reopen_orders(self):
        timer = make_timer()
        moved = end_now(timer, key="f", decided_by=GM, now=START + HOUR)
        assert moved.new.orders_at == moved.new.adjudicate_at == START + HOUR
        assert moved.why == "Phase ended now by the game master."
        closed = timer.deadline.orders_at
        late = end_now(timer, key="f", decided_by=GM, now=closed + HOUR)
        assert late.new.orders_at == closed
        assert late.new.adjudicate_at == closed + HOUR
        with pytest.raises(WrongMoment, match="already due"):
            end_now(timer, key="f", decided_by=GM, now=timer.deadline.adjudicate_at)
