"""Extensions, pauses, grace, roll-over and force: what they do, what they say, what they refuse."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.games.errors import Refused, WrongMoment
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
    pause_phase,
    resume_phase,
)

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
INVITATION = PRESETS["invitation"].schedule
LENGTHS = Lengths(DAY, 12 * HOUR, 6 * HOUR)
GM = "the game master"


SATURDAY = frozenset([WeekTime(Weekday.SATURDAY, Clock.parse("24:00"))])


def utc(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


START = utc("2026-10-26 18:00")
"""A Monday; the invitation's deadline is Wednesday 28 October, 24:00, which is 07:00 UTC."""


def timer(schedule=INVITATION, stage=Stage.MOVEMENT, start=START):
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
                         id="a length is longer by a day"),
            pytest.param(INVITATION, START, DAY, "2026-10-30 07:00", "2026-10-30 19:30",
                         id="midnight becomes the next midnight, the results half past noon"),
            pytest.param(INVITATION, START, 2 * HOUR, "2026-10-29 09:00", "2026-10-29 19:30",
                         id="two hours leave the time of the results alone"),
            pytest.param(INVITATION, START, 13 * HOUR, "2026-10-29 20:00", "2026-10-30 19:30",
                         id="thirteen hours do not"),
            pytest.param(INVITATION, utc("2026-10-29 20:00"), DAY, "2026-11-03 08:00",
                         "2026-11-03 20:30", id="a day is a day on the wall when clocks go back"),
            pytest.param(INVITATION, utc("2026-03-06 20:00"), -DAY + DAY + DAY, "2026-03-10 07:00",
                         "2026-03-10 19:30", id="and when they go forward"),
            pytest.param(WORKING, utc("2026-10-29 18:00"), HOUR, "2026-10-30 19:00",
                         "2026-10-30 19:00", id="Friday evening"),
            pytest.param(WORKING, utc("2026-10-29 18:00"), DAY, "2026-11-02 18:00",
                         "2026-11-02 18:00", id="not on a Saturday, so on Monday"),
        ],
    )  # fmt: skip
    def test_it_moves_both_times(self, schedule, start, by, orders_at, adjudicate_at):
        moved = extend(timer(schedule, start=start), by, key="1", decided_by=GM, now=start)
        assert moved.new.orders_at == utc(orders_at)
        assert moved.new.adjudicate_at == utc(adjudicate_at)
        assert moved.new.exact is moved.old.exact

    def test_it_says_who_and_how_much(self):
        moved = extend(timer(), DAY, key="vote 1", decided_by="a vote of 5 of 7", now=START)
        assert moved.why == (
            "Deadline extended by one day by a vote of 5 of 7. It is now "
            "Thursday 29 October, 24:00 Los Angeles (Friday 07:00 UTC)."
        )

    def test_the_same_key_counts_once(self):
        first = timer(PLAIN)
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
    def test_one_is_capped(self, by, error):
        with pytest.raises(Refused, match=error):
            extend(timer(PLAIN), by, key="1", decided_by=GM, now=START)

    def test_that_it_ran_out_is_said_once_and_costs_nothing(self):
        found = timer(PLAIN)
        assert end_expired_pause(found, now=START) is None
        found = found.after(pause_phase(found, key="p", decided_by=GM, now=START + HOUR))
        over = START + 3 * DAY + HOUR
        assert end_expired_pause(found, now=over - MINUTE) is None
        moved = end_expired_pause(found, now=over + MINUTE)
        assert moved.why == "The pause is over. Orders are due Friday 30 October, 18:00 UTC."
        assert moved.new == found.deadline
        found = found.after(moved)
        assert end_expired_pause(found, now=over + HOUR) is None
        assert pause_phase(found, key="2", decided_by=GM, now=over + HOUR).by == DAY

    def test_all_together_are_capped(self):
        found = timer(PLAIN)
        for key, by in (("1", DAY), ("2", 20 * HOUR)):
            found = found.after(extend(found, by, key=key, decided_by=GM, now=START))
        with pytest.raises(WrongMoment, match="by at most 2 days in total; 4 hours is left"):
            extend(found, 5 * HOUR, key="3", decided_by=GM, now=START)
        found = found.after(extend(found, 4 * HOUR, key="3", decided_by=GM, now=START))
        assert found.total(MoveKind.EXTENDED) == 2 * DAY

    def test_never_once_orders_are_closed(self):
        found = timer()
        now = found.deadline.orders_at
        with pytest.raises(WrongMoment, match="Orders for this phase are closed"):
            extend(found, HOUR, key="1", decided_by=GM, now=now)
        extend(found, HOUR, key="1", decided_by=GM, now=now - dt.timedelta(microseconds=1))

    def test_never_in_a_pause(self):
        found = timer(PLAIN)
        found = found.after(pause_phase(found, DAY, key="1", decided_by=GM, now=START))
        with pytest.raises(WrongMoment, match=r"paused. End the pause first"):
            extend(found, HOUR, key="2", decided_by=GM, now=START + HOUR)
        extend(found, HOUR, key="2", decided_by=GM, now=START + DAY)

    def test_a_key_means_one_kind_of_move(self):
        found = timer(PLAIN)
        found = found.after(pause_phase(found, DAY, key="1", decided_by=GM, now=START))
        with pytest.raises(
            WrongMoment, match="This request was already used: the phase was paused"
        ):
            extend(found, HOUR, key="1", decided_by=GM, now=START + DAY)

    def test_a_day_more_from_a_midnight_that_clocks_skip_is_the_next_midnight(self):
        sunday = replace(INVITATION.plan, zone="America/Sao_Paulo", movement=SATURDAY)
        found = timer(Schedule(sunday), start=utc("2018-11-01 12:00"))
        assert found.deadline.orders_at == utc("2018-11-04 03:00")
        moved = extend(found, DAY, key="1", decided_by=GM, now=utc("2018-11-01 12:00"))
        assert moved.new.orders_at == utc("2018-11-05 02:00")

    def test_a_midnight_before_a_holiday_is_no_part_of_it(self):
        plan = replace(INVITATION.plan, holidays=frozenset([dt.date(2026, 10, 30)]))
        found = timer(Schedule(plan))
        moved = extend(found, DAY, key="1", decided_by=GM, now=START)
        assert moved.new.orders_at == utc("2026-10-30 07:00")
        assert "Thursday 29 October, 24:00" in moved.why


class TestPauses:
    def test_the_time_left_is_kept(self):
        found = timer(PLAIN)
        found = found.after(pause_phase(found, key="p", decided_by=GM, now=START + 20 * HOUR))
        moved = resume_phase(found, key="r", decided_by=GM, now=START + 30 * HOUR)
        assert moved.new.orders_at == START + 34 * HOUR
        assert moved.why == (
            "Resumed by the game master after ten hours. "
            "Orders are due Wednesday 28 October, 04:00 UTC."
        )

    def test_it_ends_by_itself(self):
        found = timer(PLAIN)
        moved = pause_phase(found, key="p", decided_by=GM, now=START + HOUR)
        assert moved.new.orders_at == START + 4 * DAY
        assert moved.why == (
            "Paused by the game master until Thursday 29 October, 19:00 UTC at the latest."
        )
        found = found.after(moved)
        assert found.pause_at(START + 3 * DAY) is moved
        assert found.pause_at(START + 3 * DAY + HOUR) is None
        with pytest.raises(WrongMoment, match="not paused"):
            resume_phase(found, key="r", decided_by=GM, now=START + 3 * DAY + HOUR)

    def test_all_together_are_capped(self):
        found = timer(PLAIN)
        found = found.after(pause_phase(found, key="1", decided_by=GM, now=START))
        now = START + 3 * DAY
        second = pause_phase(found, key="2", decided_by=GM, now=now)
        assert second.by == DAY
        found = found.after(second)
        with pytest.raises(WrongMoment, match="paused for at most 4 days in total"):
            pause_phase(found, key="3", decided_by=GM, now=now + DAY)

    def test_a_pause_cut_short_counts_as_long_as_it_was(self):
        found = timer(PLAIN)
        for hour in range(10):
            now = START + hour * HOUR
            found = found.after(pause_phase(found, key=f"p{hour}", decided_by=GM, now=now))
            now += 30 * MINUTE
            found = found.after(resume_phase(found, key=f"r{hour}", decided_by=GM, now=now))
        assert found.deadline.orders_at == START + DAY + 5 * HOUR

    def test_one_is_capped(self):
        with pytest.raises(Refused, match="A pause can be at most 3 days"):
            pause_phase(timer(PLAIN), 4 * DAY, key="1", decided_by=GM, now=START)

    def test_twice_is_once(self):
        found = timer(PLAIN)
        moved = pause_phase(found, DAY, key="1", decided_by=GM, now=START)
        found = found.after(moved)
        assert pause_phase(found, DAY, key="1", decided_by=GM, now=START + HOUR) is moved
        with pytest.raises(WrongMoment, match="already paused"):
            pause_phase(found, DAY, key="2", decided_by=GM, now=START + HOUR)
        end = resume_phase(found, key="3", decided_by=GM, now=START + HOUR)
        found = found.after(end)
        assert resume_phase(found, key="3", decided_by=GM, now=START + 2 * HOUR) is end

    def test_by_a_calendar_it_is_the_next_time_with_as_much_left(self):
        found = timer()
        found = found.after(pause_phase(found, DAY, key="p", decided_by=GM, now=START))
        moved = resume_phase(found, key="r", decided_by=GM, now=START + HOUR)
        assert moved.new.orders_at == utc("2026-11-02 08:00")
        assert moved.new.adjudicate_at == utc("2026-11-02 20:30")

    def test_a_pause_of_no_time_changes_nothing(self):
        found = timer()
        original = found.deadline
        found = found.after(pause_phase(found, DAY, key="p", decided_by=GM, now=START))
        assert resume_phase(found, key="r", decided_by=GM, now=START).new == original

    def test_closed_orders_stay_closed(self):
        found = timer()
        closed = found.deadline.orders_at
        found = found.after(pause_phase(found, DAY, key="p", decided_by=GM, now=closed + HOUR))
        assert found.deadline.orders_at == closed
        assert found.deadline.adjudicate_at == closed + DAY + HOUR
        moved = resume_phase(found, key="r", decided_by=GM, now=closed + 2 * HOUR)
        assert moved.new.adjudicate_at == utc("2026-10-29 19:30")

    def test_orders_that_close_with_the_pause_are_closed(self):
        found = timer()
        moved = pause_phase(found, DAY, key="p", decided_by=GM, now=found.deadline.orders_at)
        assert moved.new.orders_at == found.deadline.orders_at

    def test_results_at_midnight_stay_at_midnight(self):
        later = replace(INVITATION.plan, adjudication=LaterDay(1, Clock.parse("24:00")))
        found = timer(Schedule(later))
        moved = extend(found, 2 * HOUR, key="1", decided_by=GM, now=START)
        assert moved.new.adjudicate_at == utc("2026-10-30 07:00")

    def test_not_when_the_phase_is_due(self):
        found = timer(PLAIN)
        with pytest.raises(WrongMoment, match="This phase is due"):
            pause_phase(found, key="p", decided_by=GM, now=found.deadline.adjudicate_at)


class TestGrace:
    def test_the_first_missed_turn_has_a_second_deadline(self):
        found = timer(PLAIN)
        now = found.deadline.orders_at + MINUTE
        moved = find_grace(found, missing=["Austria", "Italy"], spent=["Italy"], key="g", now=now)
        assert moved.new.orders_at == now + 12 * HOUR
        assert (
            moved.why
            == "Austria missed the deadline for the first time: extended once by twelve hours."
        )
        found = found.after(moved)
        assert find_grace(found, missing=["Austria"], spent=[], key="g", now=now) is moved
        assert find_grace(found, missing=["Austria"], spent=[], key="h", now=now) is None

    @pytest.mark.parametrize(
        ("schedule", "missing", "spent"),
        [
            pytest.param(PLAIN, [], [], id="everybody sent orders"),
            pytest.param(PLAIN, ["Italy"], ["Italy", "Russia"], id="it was spent"),
            pytest.param(INVITATION, ["Italy"], [], id="this game has none"),
        ],
    )
    def test_else_there_is_none(self, schedule, missing, spent):
        found = timer(schedule)
        now = found.deadline.orders_at
        assert find_grace(found, missing=missing, spent=spent, key="g", now=now) is None

    def test_it_falls_on_an_allowed_day(self):
        schedule = Schedule(WORKING.plan, grace=12 * HOUR)
        found = timer(schedule, start=utc("2026-10-29 18:00"))
        moved = find_grace(found, missing=["A"], spent=[], key="g", now=found.deadline.orders_at)
        assert moved.new.orders_at == utc("2026-11-02 06:00")


class TestTheEnd:
    def test_all_ready_brings_both_times_forward(self):
        found = timer(Schedule(INVITATION.plan, early=True))
        moved = end_early(found, key="ready", now=START + HOUR)
        assert moved.new.orders_at == moved.new.adjudicate_at == START + HOUR
        assert moved.new.exact
        assert moved.why == "Everyone is ready: the turn is processed before its deadline."
        assert end_early(found.after(moved), key="ready", now=START + 2 * HOUR) is moved

    def test_an_exact_deadline_does_not_roll_over(self):
        with pytest.raises(WrongMoment, match="keeps its deadlines"):
            end_early(timer(), key="ready", now=START + HOUR)

    def test_a_paused_game_does_not_roll_over(self):
        found = timer(PLAIN)
        found = found.after(pause_phase(found, DAY, key="1", decided_by=GM, now=START))
        with pytest.raises(WrongMoment, match="paused"):
            end_early(found, key="2", now=START + HOUR)

    def test_the_game_master_may_end_any_phase_but_not_reopen_orders(self):
        found = timer()
        moved = end_now(found, key="f", decided_by=GM, now=START + HOUR)
        assert moved.new.orders_at == moved.new.adjudicate_at == START + HOUR
        assert moved.why == "Phase ended now by the game master."
        closed = found.deadline.orders_at
        late = end_now(found, key="f", decided_by=GM, now=closed + HOUR)
        assert late.new.orders_at == closed
        assert late.new.adjudicate_at == closed + HOUR
        with pytest.raises(WrongMoment, match="already due"):
            end_now(found, key="f", decided_by=GM, now=found.deadline.adjudicate_at)
