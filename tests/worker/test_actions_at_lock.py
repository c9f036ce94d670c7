"""What is pressed at the lock counts at once or is refused: never late, never twice."""

import datetime as dt
import random

import pytest
from django.utils import timezone
from tests.worker.separate_site import make_games, read, until

from diplomaccloud.accounts.models import User
from diplomaccloud.games import actions
from diplomaccloud.games.models import Ballot, Event, Game, LogEntry, Phase, Vote

pytestmark = pytest.mark.real_database

GAMES = 6
WORKERS = 2
WINDOWS = 2
"""How many windows press the same button."""
FIRE = dt.timedelta(seconds=2)
SECOND = dt.timedelta(seconds=1)
NEAR = 0.15
"""Seconds before the lock within which a button is pressed."""


class Lock:
    """Games that fall due in a moment, their master, and who presses what just before."""

    def __init__(self, site, place, times, *, sequence=1):
        self._site, self._place = site, place
        self._presses = {}
        now = timezone.now()
        self.games = make_games(GAMES * times, now=now)
        self.master = User.objects.create(username="master").pk
        Game.objects.update(master_id=self.master)
        for game in Game.objects.all() if sequence == 2 else ():
            Phase.objects.filter(game=game).update(opens_at=now, due_at=now, adjudicate_at=now)
            assert actions.advance(game_id=game.pk, owner="test", now=now) == 1
        self.waiting = Phase.objects.filter(sequence=sequence, processed_at=None)

    def press(self, slug, button, *named):
        """Have the button pressed just before the deadline, and a second later, and so on."""
        self._presses[slug] = (button, named)

    def pass_by(self, done):
        """Let the deadline come, with workers at the games until `done()`."""
        self.due = timezone.now() + FIRE
        self.waiting.update(due_at=self.due, adjudicate_at=self.due)
        workers = [self._site.start("worker", 0.02) for _ in range(WORKERS)]
        pressers = [
            self._site.start("presser", button, self._moments(named), str(path))
            for slug, (button, named) in self._presses.items()
            for path in self._files(slug)
        ]
        for pid in pressers:
            self._site.wait(pid, 60)
        until(done)
        self._site.dismiss(workers)

    def _moments(self, named):
        near = [SECOND * (number - random.uniform(0, NEAR)) for number in range(len(named))]
        return [((self.due + by).isoformat(), one) for by, one in zip(near, named, strict=True)]

    def _files(self, slug):
        return [self._place / f"{slug} {window}" for window in range(WINDOWS)]

    def accepted(self, slug):
        return [act for path in self._files(slug) for act in read(path)]


def events_of(game, *kinds):
    """Return the kinds of the game's events, in the order in which they happened."""
    return list(game.events.filter(kind__in=kinds).order_by("pk").values_list("kind", flat=True))


def test_a_draw_agreed_to_at_the_lock_ends_the_game_or_comes_too_late(site, tmp_path, times):
    lock = Lock(site, tmp_path, times)
    for slug, (maker, other) in lock.games.items():
        motion = actions.open_vote(
            slug=slug,
            user_id=maker,
            sequence=1,
            question=actions.Question.DRAW,
            terms=actions.Terms(),
            now=timezone.now(),
        )
        lock.press(
            slug, "agree", {"slug": slug, "user_id": other, "sequence": 1, "vote_id": motion.pk}
        )
    lock.pass_by(lambda: not lock.waiting.filter(game__status="running").exists())
    for game in Game.objects.all():
        accepted = lock.accepted(game.slug)
        motion = Vote.objects.get(game=game)
        assert len(accepted) == (game.status == "finished") == (motion.outcome == "carried")
        assert Ballot.objects.filter(vote=motion).count() == 1 + len(accepted)
        kinds_logged = events_of(game, "locked", "processed", "opened", "finished")
        turn = ["locked", "processed", "opened"]
        assert kinds_logged in (["opened", "finished"], ["opened", *turn])


def test_an_extension_at_the_lock_holds_or_comes_too_late(site, tmp_path, times):
    lock = Lock(site, tmp_path, times)
    for slug in lock.games:
        known = {"slug": slug, "user_id": lock.master, "sequence": 1}
        lock.press(slug, "extend", *({**known, "key": f"press {n}"} for n in range(3)))
    lock.pass_by(lambda: not lock.waiting.exists())
    for phase in Phase.objects.filter(sequence=1).select_related("game"):
        accepted = lock.accepted(phase.game.slug)
        entries = LogEntry.objects.filter(game=phase.game, kind="extended")
        keys = {f"moved 1 {named['key']}" for _, _, named in accepted}
        assert set(entries.values_list("key", flat=True)) == keys
        assert phase.due_at == lock.due + len(keys) * SECOND <= phase.locked_at
        assert all(now < phase.locked_at for _, now, _ in accepted)
        # What moved the deadline was said before the orders were closed.
        kinds_logged = events_of(phase.game, "log", "locked", "processed")
        assert kinds_logged == ["log"] * len(keys) + ["locked", "processed"]


def test_a_roll_back_beside_the_clock_happens_once_or_comes_too_late(site, tmp_path, times):
    lock = Lock(site, tmp_path, times, sequence=2)
    for slug in lock.games:
        known = {"slug": slug, "user_id": lock.master, "sequence": 2, "to": 1}
        lock.press(slug, "roll back", known)
    lock.pass_by(lambda: not lock.waiting.filter(superseded_at=None).exists())
    for game in Game.objects.all():
        accepted = len(lock.accepted(game.slug))
        (opened,) = game.phases.filter(superseded_at=None, processed_at=None)
        left = game.phases.exclude(superseded_at=None)
        entries = LogEntry.objects.filter(game=game, kind="rolled back")
        assert accepted == entries.count() == game.branch
        assert (opened.name, opened.branch) == (("S1901M", 1) if accepted else ("S1902M", 0))
        assert left.count() == 2 * accepted
        for entry in entries:
            assert sorted(entry.data["phases"]) == sorted(left.values_list("pk", flat=True))
        # What the master had not seen resolved is not rolled back.
        processed = 1 if accepted else 2
        assert game.phases.exclude(processed_at=None).count() == processed
        assert Event.objects.filter(game=game, kind="processed").count() == processed
        kinds = ("log", "opened") if accepted else ("processed", "opened")
        assert set(events_of(game, *kinds)[-2:]) == set(kinds)
