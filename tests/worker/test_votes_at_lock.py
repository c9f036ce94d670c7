"""A vote that ends a game at the moment of processing: only one of the two happens."""

import datetime as dt
import random

import pytest
from django.utils import timezone
from tests.worker.separate_site import make_games, wait_until

from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.models import Ballot, Vote
from diplomaccloud.games.votes.wording import Question, Terms

GAMES = 8
SECONDS_TO_DEADLINE = 3
"""Seconds until the phases are due."""


@pytest.mark.real_database
def test_either_the_vote_ends_the_game_or_the_phase_is_processed(site, tmp_path, times):
    games, rng = make_games(GAMES * times, now=timezone.now()), random.Random(7)
    files, voters, motions = {}, [], {}
    for slug, (mover, _) in games.items():
        named = {"slug": slug, "user_id": mover, "sequence": 1, "now": timezone.now()}
        motions[slug] = open_vote(**named, question=Question.DRAW, terms=Terms())
    due = timezone.now() + dt.timedelta(seconds=SECONDS_TO_DEADLINE)
    Phase.objects.update(due_at=due, adjudicate_at=due)
    for slug, (_, other) in games.items():
        files[slug] = [tmp_path / f"{slug} {twin}" for twin in range(2)]
        for path in files[slug]:  # two windows of one person
            at = due.timestamp() + rng.uniform(-0.6, 0.1)
            voters.append(site.start("voter", slug, other, motions[slug].pk, at, str(path)))
    for _ in range(2):
        site.start("worker", 0.02)
    for pid in voters:
        site.wait(pid)
    wait_until(lambda: not _are_phases_open())
    for slug in games:
        answers = {path.read_text() for path in files[slug]}
        game = Game.objects.get(slug=slug)
        motion = Vote.objects.get(game=game)
        assert Ballot.objects.filter(vote=motion).count() <= 2
        voted = "carried" in answers
        assert answers <= {"carried", "refused"}
        assert (motion.outcome == "carried") is voted
        # A vote that waited for the lock while the phase was processed does not end the next.
        processed = game.phases.exclude(processed_at=None).count()
        assert game.phases.count() == processed + 1
        assert processed == int(not voted)
        assert Event.objects.filter(game=game, kind="processed").count() == processed
        finished = Event.objects.filter(game=game, kind="finished").count()
        assert finished == int(voted)


def _are_phases_open():
    return Phase.objects.filter(sequence=1, processed_at=None, game__status="running").exists()
