"""After a day without pages and workers, fifty open games continue where they stopped."""

import datetime as dt

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from tests.worker.separate_site import make_games
from tests.worker.test_faults import with_addresses

from diplomaccloud.accounts.models import User
from diplomaccloud.games import actions
from diplomaccloud.games.actions.deadlines import outage
from diplomaccloud.games.models import Attendance, Game, LogEntry, Phase
from diplomaccloud.schedule import (
    Calendar,
    Clock,
    Interval,
    LaterDay,
    Lengths,
    Schedule,
    Weekday,
    WeekTime,
)
from diplomaccloud.worker.models import Heartbeat
from diplomaccloud.worker.worker import Worker

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
GAMES = 50
AWAY = dt.datetime(2030, 3, 3, 20, tzinfo=dt.UTC)
"""A Sunday noon in Los Angeles."""
BACK = AWAY + DAY
BEGUN = AWAY - 20 * HOUR


def lasting(length):
    return Schedule(Interval(Lengths(length, length, length)))


def on_sundays(clock, adjudication):
    times = frozenset({WeekTime(Weekday.SUNDAY, Clock.parse(clock))})
    return Schedule(
        Calendar("America/Los_Angeles", times, 2 * HOUR, 2 * HOUR, adjudication), early=False
    )


KINDS = {
    "soon": lasting(DAY),
    "late": lasting(3 * DAY),
    "live": lasting(5 * MINUTE),
    "fixed": on_sundays("24:00", LaterDay(1, Clock.parse("12:30"))),
    "closed": on_sundays("11:00", LaterDay(0, Clock.parse("20:00"))),
}
DUE = {
    "soon": BACK + 12 * HOUR,  # four hours were left: twelve are
    "late": BEGUN + 4 * DAY,
    "live": BACK + 12 * HOUR,  # two minutes were
    "fixed": AWAY + 12 * HOUR + DAY,  # Monday 24:00 in Los Angeles
    "closed": None,
}


class Simulated:
    """The clock of a worker, set by the test."""

    def __init__(self, now):
        self.time = now

    def now(self):
        return self.time

    def compare(self):
        pass


def worker(now):
    made = Worker()
    made._clock = Simulated(now)
    return made


@pytest.fixture
def games(db):
    """Open games of each kind at the moment when everything stops, by kind."""
    made = make_games(GAMES, now=BEGUN, schedules=list(KINDS.values()))
    slugs = list(with_addresses(made))
    found = {kind: slugs[number :: len(KINDS)] for number, kind in enumerate(KINDS)}
    due = AWAY + 2 * MINUTE
    live = Phase.objects.filter(game__slug__in=found["live"])
    live.update(opens_at=due - 5 * MINUTE, due_at=due, adjudicate_at=due)
    worker(AWAY).run_round()
    assert Phase.objects.exclude(locked_at=None).count() == len(found["closed"])
    assert not Phase.objects.exclude(processed_at=None).exists()
    return found


def phase(slug):
    return Game.objects.get(slug=slug).newest_phase()


def rounds(one):
    while one.run_round():
        pass


def go_on(now):
    """Go the rounds of a time up to which another worker went its own."""
    Heartbeat.objects.update(seen_at=now - MINUTE)
    rounds(worker(now))


def test_every_open_phase_has_its_day_back_once(games):
    first, second = worker(BACK), worker(BACK + 3 * MINUTE / 60)
    # Both have seen the silence before either ends it.
    assert first.credit_outage() == GAMES - len(games["closed"])
    assert second.credit_outage() == 0
    rounds(first)
    rounds(second)
    for kind, slugs in games.items():
        for slug in slugs:
            found = phase(slug)
            credit = LogEntry.objects.get(game__slug=slug, kind="credited")
            assert credit.text.startswith("The site was down from ")
            if kind == "closed":
                # Judged at once, though late; the next phase is the one that has the time back.
                assert found.sequence == 2
                assert "extended" in credit.text
                continue
            assert (found.sequence, found.due_at, found.locked_at) == (1, DUE[kind], None)
            assert credit.phase == found
    for slug in games["fixed"]:
        assert phase(slug).adjudicate_at == DUE["fixed"] + 12.5 * HOUR
    assert not Game.objects.exclude(suspended_reason="").exists()
    count = LogEntry.objects.count()
    for hours in (1, 2, 3):
        go_on(BACK + hours * HOUR)
    assert LogEntry.objects.count() == count


def test_players_read_it_and_give_orders_that_count(games):
    rounds(worker(BACK))
    with time_machine.travel(BACK + HOUR, tick=False):
        for kind in ("soon", "live", "fixed", "late"):
            slug = games[kind][0]
            game = Game.objects.get(slug=slug)
            client = Client()
            client.force_login(User.objects.get(pk=game.creator_id))
            assert "The site was down from" in client.get(f"/games/{slug}/log/").content.decode()
            board = client.get(f"/games/{slug}/").content.decode()
            assert DUE[kind].isoformat() in board
            now = timezone.now()
            for seat in game.seats.all():
                actions.set_ready(slug=slug, user_id=seat.user_id, sequence=1, now=now)
    go_on(BACK + HOUR + MINUTE)
    # Players who are back need not wait for the twelve hours, unless the deadline is fixed.
    assert [phase(games[kind][0]).sequence for kind in ("soon", "live", "fixed", "late")] == [
        *(2, 2, 1, 2)
    ]


def test_who_stays_away_after_that_has_missed_the_turn_and_no_earlier(games):
    rounds(worker(BACK))
    assert (
        not Attendance.objects.filter(ordered=False, excused=False)
        .exclude(phase__game__slug__in=games["closed"])
        .exists()
    )
    for hours in range(1, 13):
        go_on(BACK + hours * HOUR)
    missed = Attendance.objects.filter(ordered=False, excused=False)
    assert missed.filter(phase__game__slug__in=games["soon"], phase__sequence=1).count() == 20


def test_a_worker_killed_on_the_way_leaves_the_rest_to_the_next(games, monkeypatch):
    real, seen = outage._credit_game, []

    def killed(*arguments):
        seen.append(arguments)
        if len(seen) > 15:
            raise KeyboardInterrupt
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(outage, "_credit_game", killed)
        with pytest.raises(KeyboardInterrupt):
            worker(BACK).run_round()
    rounds(worker(BACK + MINUTE))
    given = LogEntry.objects.filter(kind="credited").order_by("game__slug")
    assert given.values("game").distinct().count() == given.count() == GAMES
    for slug in games["late"]:
        assert phase(slug).due_at - DUE["late"] in {dt.timedelta(), MINUTE}


def test_a_game_whose_time_cannot_be_reckoned_stops_no_other(games):
    broken = games["late"][0]
    Game.objects.filter(slug=broken).update(options={"v": "no such version"})
    rounds(worker(BACK))
    assert Game.objects.exclude(suspended_reason="").get().slug == broken
    assert phase(games["late"][1]).due_at == DUE["late"]


def test_a_game_put_aside_before_has_the_whole_time_back_when_it_is_released(games):
    slug = games["late"][0]
    at = AWAY - HOUR
    due = phase(slug).due_at
    actions.suspend_game(game_id=Game.objects.get(slug=slug).pk, reason="x", now=at)
    rounds(worker(BACK))
    assert phase(slug).due_at == due
    actions.resume_game(slug=slug, now=BACK + HOUR)
    assert phase(slug).due_at == due + DAY + 2 * HOUR


def test_a_game_released_while_nothing_ran_has_no_hour_twice(games):
    slug = games["late"][0]
    due = phase(slug).due_at
    actions.suspend_game(game_id=Game.objects.get(slug=slug).pk, reason="x", now=AWAY - HOUR)
    actions.resume_game(slug=slug, now=AWAY + 5 * HOUR)
    rounds(worker(BACK))
    assert phase(slug).due_at == due + HOUR + DAY


@pytest.mark.parametrize(
    ("away", "credited"),
    [(MINUTE, 0), (4 * MINUTE, 0), (6 * MINUTE, 40)],
    ids=["a restart", "within what is let pass", "more"],
)
def test_a_short_silence_is_none(games, away, credited):
    rounds(worker(AWAY + away))
    assert LogEntry.objects.filter(kind="credited").count() == credited


def test_a_worker_beside_others_makes_up_for_nothing(games):
    Heartbeat.objects.create(owner="other", seen_at=BACK - MINUTE)
    rounds(worker(BACK))
    assert not LogEntry.objects.filter(phase__sequence=1, kind="credited").exists()


def test_a_first_worker_has_no_outage_behind_it(games):
    Heartbeat.objects.all().delete()
    assert worker(BACK).credit_outage() == 0


def test_votes_have_their_time_back_too(games):
    slug = games["late"][0]
    game = Game.objects.get(slug=slug)
    motion = actions.open_vote(
        slug=slug,
        user_id=game.creator_id,
        sequence=1,
        question=actions.Question.DRAW,
        terms=actions.Terms(),
        now=AWAY - HOUR,
    )
    before = motion.closes_at
    rounds(worker(BACK))
    motion.refresh_from_db()
    assert (motion.open, motion.closes_at) == (True, before + DAY)
