"""After a day-long outage, open games of all kinds continue where they stopped."""

import datetime as dt

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from tests.scenes import scene
from tests.worker.separate_site import make_games
from tests.worker.test_faults import rename_games

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines import actions as outage
from diplomaccloud.games.deadlines.actions import resume_game, suspend_game
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Attendance, Phase
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.wording import Question, Terms
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
GAMES = 20
AWAY = dt.datetime(2030, 3, 3, 20, tzinfo=dt.UTC)
"""A Sunday noon in Los Angeles."""
BACK = AWAY + DAY
BEGUN = AWAY - 20 * HOUR


def make_schedule(length):
    return Schedule(Interval(Lengths(length, length, length)))


def on_sundays(clock, adjudication):
    times = frozenset({WeekTime(Weekday.SUNDAY, Clock.parse(clock))})
    return Schedule(
        Calendar("America/Los_Angeles", times, 2 * HOUR, 2 * HOUR, adjudication), early=False
    )


KINDS = {
    "soon": make_schedule(DAY),
    "late": make_schedule(3 * DAY),
    "live": make_schedule(5 * MINUTE),
    "fixed": on_sundays("24:00", LaterDay(1, Clock.parse("12:30"))),
    "closed": on_sundays("11:00", LaterDay(0, Clock.parse("20:00"))),
}
DUE = {
    "soon": BACK + 12 * HOUR,  # four hours were left: extended to twelve
    "late": BEGUN + 4 * DAY,
    "live": BACK + 12 * HOUR,  # two minutes were left
    "fixed": AWAY + 12 * HOUR + DAY,  # Monday 24:00 in Los Angeles
    "closed": None,
}


def make_worker(now):
    """Return a worker whose clock has stopped at `now`."""
    new_worker = Worker()
    new_worker._now = lambda: now
    return new_worker


@pytest.fixture
@scene
def games(db):
    """Return the slugs of open games at the moment when the outage starts, by kind."""
    created = make_games(GAMES, now=BEGUN, schedules=list(KINDS.values()))
    slugs = list(rename_games(created))
    slugs_by_kind = {kind: slugs[number :: len(KINDS)] for number, kind in enumerate(KINDS)}
    due = AWAY + 2 * MINUTE
    live = Phase.objects.filter(game__slug__in=slugs_by_kind["live"])
    live.update(opens_at=due - 5 * MINUTE, due_at=due, adjudicate_at=due)
    make_worker(AWAY).run_round()
    assert Phase.objects.exclude(locked_at=None).count() == len(slugs_by_kind["closed"])
    assert not Phase.objects.exclude(processed_at=None).exists()
    return slugs_by_kind


def phase(slug):
    return Game.objects.get(slug=slug).newest_phase()


def run_rounds(worker):
    while worker.run_round():
        pass


def continue_at(now):
    """Run a new worker at a time until which another worker was running."""
    Heartbeat.objects.update(seen_at=now - MINUTE)
    run_rounds(make_worker(now))


def test_every_open_phase_is_extended_by_the_outage_once(games):
    first, second = make_worker(BACK), make_worker(BACK + 3 * MINUTE / 60)
    # Both notice the outage before either has finished with it.
    assert first.credit_outage() == GAMES - len(games["closed"])
    assert second.credit_outage() == 0
    run_rounds(first)
    run_rounds(second)
    for kind, slugs in games.items():
        for slug in slugs:
            open_phase = phase(slug)
            credit = LogEntry.objects.get(game__slug=slug, kind="credited")
            assert credit.text.startswith("The site was down from ")
            if kind == "closed":
                # Adjudicated at once, though late; the next phase gets the extension.
                assert open_phase.sequence == 2
                assert "extended" in credit.text
                continue
            assert (open_phase.sequence, open_phase.due_at, open_phase.locked_at) == (
                1,
                DUE[kind],
                None,
            )
            assert credit.phase == open_phase
    for slug in games["fixed"]:
        assert phase(slug).adjudicate_at == DUE["fixed"] + 12.5 * HOUR
    assert not Game.objects.exclude(suspended_reason="").exists()
    count = LogEntry.objects.count()
    for hours in (1, 2, 3):
        continue_at(BACK + hours * HOUR)
    assert LogEntry.objects.count() == count


def test_players_see_the_extension_and_can_submit_orders(games):
    run_rounds(make_worker(BACK))
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
                set_ready(slug=slug, user_id=seat.user_id, sequence=1, now=now)
    continue_at(BACK + HOUR + MINUTE)
    # Players who are ready need not wait for the twelve hours, unless the deadline is fixed.
    assert [phase(games[kind][0]).sequence for kind in ("soon", "live", "fixed", "late")] == [
        *(2, 2, 1, 2)
    ]


def test_players_miss_the_turn_only_after_the_extended_deadline(games):
    run_rounds(make_worker(BACK))
    assert (
        not Attendance.objects.filter(ordered=False, excused=False)
        .exclude(phase__game__slug__in=games["closed"])
        .exists()
    )
    for hours in range(1, 13):
        continue_at(BACK + hours * HOUR)
    missed = Attendance.objects.filter(ordered=False, excused=False)
    assert missed.filter(phase__game__slug__in=games["soon"], phase__sequence=1).count() == 8


def test_the_next_worker_continues_after_a_killed_one(games, monkeypatch):
    real, seen = outage._credit_game, []

    def credit_until_killed(*arguments):
        seen.append(arguments)
        if len(seen) > 6:
            raise KeyboardInterrupt
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(outage, "_credit_game", credit_until_killed)
        with pytest.raises(KeyboardInterrupt):
            make_worker(BACK).run_round()
    run_rounds(make_worker(BACK + MINUTE))
    entries = LogEntry.objects.filter(kind="credited").order_by("game__slug")
    assert entries.values("game").distinct().count() == entries.count() == GAMES
    for slug in games["late"]:
        assert phase(slug).due_at - DUE["late"] in {dt.timedelta(), MINUTE}


def test_a_game_with_invalid_options_does_not_block_others(games):
    broken = games["late"][0]
    Game.objects.filter(slug=broken).update(options={"v": "no such version"})
    run_rounds(make_worker(BACK))
    assert Game.objects.exclude(suspended_reason="").get().slug == broken
    assert phase(games["late"][1]).due_at == DUE["late"]


def test_a_game_suspended_before_the_outage_is_extended_when_it_is_resumed(games):
    slug = games["late"][0]
    at = AWAY - HOUR
    due = phase(slug).due_at
    suspend_game(game_id=Game.objects.get(slug=slug).pk, reason="x", now=at)
    run_rounds(make_worker(BACK))
    assert phase(slug).due_at == due
    resume_game(slug=slug, now=BACK + HOUR)
    assert phase(slug).due_at == due + DAY + 2 * HOUR


def test_a_game_resumed_during_the_outage_is_not_credited_twice(games):
    slug = games["late"][0]
    due = phase(slug).due_at
    suspend_game(game_id=Game.objects.get(slug=slug).pk, reason="x", now=AWAY - HOUR)
    resume_game(slug=slug, now=AWAY + 5 * HOUR)
    run_rounds(make_worker(BACK))
    assert phase(slug).due_at == due + HOUR + DAY


@pytest.mark.parametrize(
    ("away", "credited"),
    [(MINUTE, 0), (4 * MINUTE, 0), (6 * MINUTE, 16)],
    ids=["a restart", "within the tolerance", "longer"],
)
def test_a_short_silence_is_not_an_outage(games, away, credited):
    run_rounds(make_worker(AWAY + away))
    assert LogEntry.objects.filter(kind="credited").count() == credited


def test_a_worker_next_to_another_credits_nothing(games):
    Heartbeat.objects.create(owner="other", seen_at=BACK - MINUTE)
    run_rounds(make_worker(BACK))
    assert not LogEntry.objects.filter(phase__sequence=1, kind="credited").exists()


def test_the_first_worker_of_a_site_credits_nothing(games):
    Heartbeat.objects.all().delete()
    assert make_worker(BACK).credit_outage() == 0


def test_votes_are_extended_too(games):
    slug = games["late"][0]
    game = Game.objects.get(slug=slug)
    motion = open_vote(
        slug=slug,
        user_id=game.creator_id,
        sequence=1,
        question=Question.DRAW,
        terms=Terms(),
        now=AWAY - HOUR,
    )
    before = motion.closes_at
    run_rounds(make_worker(BACK))
    motion.refresh_from_db()
    assert (motion.open, motion.closes_at) == (True, before + DAY)
