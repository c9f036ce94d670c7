"""Actions at the moment of the lock count once or are rejected: never late, never twice."""

import datetime as dt
import random

import pytest
from django.utils import timezone
from tests.worker.separate_site import make_games, read_records, wait_until

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Attendance, Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.models import Ballot, Vote
from diplomaccloud.games.votes.wording import Question, Terms

pytestmark = pytest.mark.real_database

GAMES = 6
WORKERS = 2
WINDOWS = 2
"""How many windows press the same button."""
TIME_TO_LOCK = dt.timedelta(seconds=2)
SECOND = dt.timedelta(seconds=1)
MAX_LEAD = 0.15
"""Seconds before the lock within which a button is pressed."""


class GamesAtLock:
    """Games that are due in a moment, their master, and the buttons pressed just before."""

    def __init__(self, site, place, times, *, sequence=1):
        self._site, self._place = site, place
        self._presses, self._rng = {}, random.Random(1)
        now = timezone.now()
        self.games = make_games(GAMES * times, now=now)
        self.master = User.objects.create(username="master").pk
        Game.objects.update(master_id=self.master)
        for game in Game.objects.all() if sequence == 2 else ():
            Phase.objects.filter(game=game).update(opens_at=now, due_at=now, adjudicate_at=now)
            assert advance(game_id=game.pk, owner="test", now=now) == 1
        # After two missed turns, bots would take all seats, and play a turn in three seconds.
        Attendance.objects.update(excused=True)
        self.waiting = Phase.objects.filter(sequence=sequence, processed_at=None)

    def plan_presses(self, slug, button, *named):
        """Plan presses: the first just before the deadline, each of the others a second later."""
        self._presses[slug] = (button, named)

    def run(self, condition):
        """Let the deadline pass, with workers running until `condition()`."""
        self.due = timezone.now() + TIME_TO_LOCK
        self.waiting.update(due_at=self.due, adjudicate_at=self.due)
        workers = [self._site.start("worker", 0.02) for _ in range(WORKERS)]
        pressers = [
            self._site.start("presser", button, self._moments(named), str(path))
            for slug, (button, named) in self._presses.items()
            for path in self._files(slug)
        ]
        for pid in pressers:
            self._site.wait(pid)
        wait_until(condition)
        self._site.dismiss(workers)

    def _moments(self, named):
        offsets = [
            SECOND * (number - self._rng.uniform(0, MAX_LEAD)) for number in range(len(named))
        ]
        return [
            ((self.due + by).isoformat(), arguments)
            for by, arguments in zip(offsets, named, strict=True)
        ]

    def _files(self, slug):
        return [self._place / f"{slug} {window}" for window in range(WINDOWS)]

    def read_accepted(self, slug):
        return [act for path in self._files(slug) for act in read_records(path)]


def events_of(game, *kinds):
    """Return the kinds of the game's events in the order in which they happened."""
    return list(game.events.filter(kind__in=kinds).order_by("pk").values_list("kind", flat=True))


def test_a_draw_agreed_at_the_lock_ends_the_game_or_is_too_late(site, tmp_path, times):
    games_at_lock = GamesAtLock(site, tmp_path, times)
    for slug, (maker, other) in games_at_lock.games.items():
        motion = open_vote(
            slug=slug,
            user_id=maker,
            sequence=1,
            question=Question.DRAW,
            terms=Terms(),
            now=timezone.now(),
        )
        games_at_lock.plan_presses(
            slug, "agree", {"slug": slug, "user_id": other, "sequence": 1, "vote_id": motion.pk}
        )
    games_at_lock.run(lambda: not games_at_lock.waiting.filter(game__status="running").exists())
    for game in Game.objects.all():
        accepted = games_at_lock.read_accepted(game.slug)
        motion = Vote.objects.get(game=game)
        assert len(accepted) == (game.status == "finished") == (motion.outcome == "carried")
        assert Ballot.objects.filter(vote=motion).count() == 1 + len(accepted)
        kinds_logged = events_of(game, "locked", "processed", "opened", "finished")
        turn = ["locked", "processed", "opened"]
        assert kinds_logged in (["opened", "finished"], ["opened", *turn])


def test_an_extension_at_the_lock_counts_or_is_too_late(site, tmp_path, times):
    games_at_lock = GamesAtLock(site, tmp_path, times)
    for slug in games_at_lock.games:
        known = {"slug": slug, "user_id": games_at_lock.master, "sequence": 1}
        games_at_lock.plan_presses(
            slug, "extend", *({**known, "key": f"press {n}"} for n in range(3))
        )
    games_at_lock.run(lambda: not games_at_lock.waiting.exists())
    for phase in Phase.objects.filter(sequence=1).select_related("game"):
        accepted = games_at_lock.read_accepted(phase.game.slug)
        entries = LogEntry.objects.filter(game=phase.game, kind="extended")
        keys = {f"moved 1 {named['key']}" for _, _, named in accepted}
        assert set(entries.values_list("key", flat=True)) == keys
        assert phase.due_at == games_at_lock.due + len(keys) * SECOND <= phase.locked_at
        assert all(now < phase.locked_at for _, now, _ in accepted)
        # The log shows the extensions before orders closed.
        kinds_logged = events_of(phase.game, "log", "locked", "processed")
        assert kinds_logged == ["log"] * len(keys) + ["locked", "processed"]


def test_a_rollback_at_the_lock_happens_once_or_is_too_late(site, tmp_path, times):
    games_at_lock = GamesAtLock(site, tmp_path, times, sequence=2)
    for slug in games_at_lock.games:
        known = {"slug": slug, "user_id": games_at_lock.master, "sequence": 2, "to": 1}
        games_at_lock.plan_presses(slug, "roll back", known)
    games_at_lock.run(lambda: not games_at_lock.waiting.filter(superseded_at=None).exists())
    for game in Game.objects.all():
        accepted = len(games_at_lock.read_accepted(game.slug))
        (opened,) = game.phases.filter(superseded_at=None, processed_at=None)
        left = game.phases.exclude(superseded_at=None)
        entries = LogEntry.objects.filter(game=game, kind="rolled back")
        assert accepted == entries.count() == game.branch
        assert (opened.name, opened.branch) == (("S1901M", 1) if accepted else ("S1902M", 0))
        assert left.count() == 2 * accepted
        for entry in entries:
            assert sorted(entry.data["phases"]) == sorted(left.values_list("pk", flat=True))
        # Phases processed after the master's request are not rolled back.
        processed = 1 if accepted else 2
        assert game.phases.exclude(processed_at=None).count() == processed
        assert Event.objects.filter(game=game, kind="processed").count() == processed
        kinds = ("log", "opened") if accepted else ("processed", "opened")
        assert set(events_of(game, *kinds)[-2:]) == set(kinds)
