"""When a phase ends early even though nobody presses Ready: a player leaves, or a pause ends."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.steps import DAY, HOUR, ballot, call_vote, due, game, phase, save
from tests.schedule.test_moves import ALL_READY, PAUSE_OVER

from diplomaccloud.games.deadlines.actions import end_pauses
from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.seats.actions import take_seat
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.worker.worker import Worker

SECOND = dt.timedelta(seconds=1)


def be_ready(cast, *names, now=None):
    for name in names:
        set_ready(
            slug=cast.slug,
            user_id=cast.user_id(name),
            sequence=phase().sequence,
            now=now or timezone.now(),
        )


def resign(table, who="bob"):
    leaver = Browser(table.client(who))
    leaver.open(table.url("resign/"))
    leaver.send("/resign/")


def remove(table):
    master = Browser(table.client("charlie"))
    master.open(table.url("master/"))
    to = table.url("master/remove/")
    master.send("/master/reprimand/", to=to, power="TURKEY", reason="Rude.")


class TestLeaving:
    @pytest.mark.parametrize("leave", [resign, remove])
    def test_the_turn_rolls_over_if_all_who_remain_are_ready(self, table, leave):
        be_ready(table, "alice")
        leave(table)
        assert phase().name == "F1901M"
        assert game().log.filter(text=ALL_READY).count() == 1

    @pytest.mark.parametrize("leave", [resign, remove])
    def test_it_waits_for_whoever_is_not_ready(self, table, leave):
        leave(table)
        assert phase().name == "S1901M"
        be_ready(table, "alice")
        assert phase().due_at <= timezone.now()

    def test_the_bot_that_takes_the_seat_has_ordered(self, table, agree):
        agree(missed={"limit": 2, "substitute": "greedy"})
        be_ready(table, "alice")
        resign(table)
        first = game().phases.get(sequence=1)
        assert first.processed_at
        seat = Seat.objects.get(power="TURKEY")
        assert first.drafts.get(seat=seat, live=True).orders.exists()

    def test_it_does_not_while_the_game_is_paused(self, table):
        ballot(table, "bob", call_vote(table, "alice", "pause", length=DAY))
        be_ready(table, "alice")
        resign(table)
        assert phase().name == "S1901M"
        assert end_pauses(now=timezone.now() + DAY) == 1
        assert game().log.latest("pk").text == ALL_READY

    def test_it_does_not_once_nobody_is_left(self, table):
        resign(table)
        resign(table, "alice")
        assert (phase().name, phase().due_at > timezone.now()) == ("S1901M", True)

    def test_it_does_not_where_the_deadline_is_exact(self, table):
        game().phases.update(fixed_deadline=True)
        be_ready(table, "alice")
        resign(table)
        assert phase().name == "S1901M"


class TestOneCountryAlone:
    """In the winter of 1901, only Turkey has something to order."""

    @pytest.fixture
    def winter(self, table):
        save(table, "bob", "A CON - BUL")
        due(table)
        save(table, "bob", "A BUL H")
        save(table, "alice", "A VIE H")
        due(table)
        assert phase().name == "W1901A"
        return table

    def test_whoever_may_take_it_is_waited_for(self, winter):
        resign(winter)
        assert phase().name == "W1901A"
        take = {"slug": winter.slug, "user_id": winter.bob, "power": "TURKEY"}
        take_seat(**take, now=timezone.now())
        be_ready(winter, "bob")
        assert phase().due_at == phase().opens_at

    def test_the_bot_that_is_seated_there_ends_the_phase(self, winter):
        resign(winter)
        master = Browser(winter.client("charlie"))
        master.open(winter.url())
        master.send("/bot/", bot="greedy", reason="Nobody came.")
        assert phase().due_at == phase().opens_at

    def test_a_pause_that_ends_there_changes_nothing(self, winter):
        now = timezone.now()
        resign(winter)
        act = {"slug": winter.slug, "user_id": winter.charlie, "sequence": phase().sequence}
        for question, length in ((Question.PAUSE, HOUR), (Question.RESUME, None)):
            change_time(**act, question=question, length=length, reason="r", key=question, now=now)
        assert phase().due_at > now


class TestPauses:
    @pytest.fixture
    def paused(self, table):
        ballot(table, "bob", call_vote(table, "alice", "pause", length=DAY))
        return table

    def test_one_that_runs_out_lets_the_turn_roll_over_if_all_became_ready(self, paused):
        start, late = timezone.now(), phase().due_at
        be_ready(paused, "alice", "bob", now=start + HOUR)
        assert end_pauses(now=start + DAY - HOUR) == 0
        assert phase().due_at == late
        assert end_pauses(now=start + DAY + SECOND) == 1
        assert phase().adjudicate_at == start + DAY + SECOND

    def test_it_is_told_once_and_waits_for_whoever_is_not_ready(self, paused):
        over, late = timezone.now() + DAY + SECOND, phase().due_at
        be_ready(paused, "alice")
        assert [end_pauses(now=over) for _ in range(2)] == [1, 0]
        assert game().log.latest("pk").text.startswith(PAUSE_OVER)
        assert phase().due_at == late
        be_ready(paused, "bob", now=over)
        assert phase().due_at == over

    def test_another_can_follow_it(self, paused):
        over = timezone.now() + DAY + SECOND
        end_pauses(now=over)
        ballot(paused, "bob", call_vote(paused, "alice", "pause", length=HOUR, now=over), now=over)
        assert end_pauses(now=over + HOUR - SECOND) == 0
        assert end_pauses(now=over + HOUR) == 1

    def test_the_worker_looks(self, paused):
        be_ready(paused, "alice", "bob")
        over = timezone.now() + DAY + SECOND
        worker = Worker()
        worker._now = lambda: over
        assert [worker.end_pauses(), worker.process_due()] == [1, 1]
        assert phase().name == "F1901M"

    def test_a_game_put_aside_keeps_its_pause(self, paused):
        Game.objects.update(suspended_reason="a fault")
        assert end_pauses(now=timezone.now() + DAY + SECOND) == 0
