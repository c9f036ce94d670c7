"""Games that end by date, by turns, by year: when, and who has won."""

import datetime as dt

import pytest

from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.turn.turn import due_day
from diplomaccloud.schedule import PRESETS, schedule_to_json

DAY = dt.timedelta(days=1)


def play(cast, phases=8):
    for _ in range(phases):
        game = Game.objects.get()
        if game.status == "finished":
            break
        phase = game.phases.latest("sequence")
        advance(game_id=cast.game_id, owner="t", now=phase.adjudicate_at)
    return Game.objects.get()


def test_the_first_phase_on_the_day_is_the_last(cast, agree):
    # At noon: the first minute of a day still belongs to the one before.
    noon = Phase.objects.get().due_at.replace(hour=12)
    Phase.objects.update(due_at=noon, adjudicate_at=noon)
    agree(ends={"date": str((noon + DAY).date())}, missed={"limit": 0, "substitute": ""})
    game = play(cast)
    assert game.status == "finished"
    assert game.phases.exclude(processed_at=None).count() == 2
    assert game.ending.winners == ("RUSSIA",)
    assert "led with 4 centers" in game.ending.reason


@pytest.mark.parametrize(
    ("measure", "word"), [("centers", "centers"), ("pieces", "pieces")]
)  # fmt: skip
def test_a_day_that_is_past_ends_it_at_once(cast, agree, measure, word):
    agree(ends={"date": "2020-01-01", "measure": measure})
    game = play(cast)
    assert game.phases.count() == 1
    assert game.ending.reason.endswith(f"Russia led with 4 {word}.")


def test_midnight_belongs_to_the_day_that_it_ends(cast, agree):
    agree(schedule=schedule_to_json(PRESETS["invitation"].schedule))
    phase = Phase.objects.get()
    for text, day in (
        ("2030-03-07T08:00:00+00:00", "2030-03-06"),
        ("2030-03-07T08:00:59+00:00", "2030-03-06"),
        ("2030-03-07T08:01:00+00:00", "2030-03-07"),
        ("2030-03-07T20:30:00+00:00", "2030-03-07"),
    ):
        phase.adjudicate_at = dt.datetime.fromisoformat(text)
        assert str(due_day(phase)) == day


@pytest.mark.parametrize(
    ("ends", "phases"),
    [({"turns": 1}, 1), ({"turns": 2}, 2), ({"last_year": 1901}, 2), ({"turns": 3}, 3)],
    ids=["a turn", "two turns", "a year", "three turns"],
)
def test_turns_and_years(cast, agree, ends, phases):
    agree(ends=ends, missed={"limit": 0, "substitute": ""})
    game = play(cast)
    assert game.status == "finished"
    assert game.phases.exclude(processed_at=None).count() == phases


def test_a_tie_is_shared(cast, agree):
    from diplomaccloud.entry.votes import Count
    from diplomaccloud.judge.results import Resolution

    agree(ends={"date": "2020-01-01"})
    phase = Phase.objects.get()
    position = phase.position
    from dataclasses import replace

    from diplomaccloud.games.turn.turn import find_outcome

    even = {code: power for code, power in position.centers.items() if code != "SEV"}
    resolution = Resolution(results=(), next=replace(position, centers=even))
    ending = find_outcome(phase, resolution, Count((), (), None))
    assert len(ending.winners) == 7
