"""Every setup, played by bots for three years through the actions."""

import datetime as dt

import pytest
from tests.games.steps import begun

from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Missed
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.setups import flip_coin, setups

PLAYED = sorted(set(setups()) - {"standard"})


@pytest.fixture
def begin(plan, people, now):
    def started(setup, *, bot="random", seed="three years"):
        # Otherwise Alice, who is absent, would leave the game to its last player.
        others = {"setup": setup, "fill_with": bot, "missed": Missed(limit=0)}
        game = begun(plan, people["alice"], seed=seed, now=now, **others)
        game.refresh_from_db()
        return game

    return started


def play(game, years, *, now):
    """Process phases without orders from Alice until `years` are over."""
    first = JudgePhase.parse(game.phases.get(sequence=1).name).year
    for _ in range(years * 6):
        phase = game.phases.filter(superseded_at=None).latest("sequence")
        if phase.processed_at or JudgePhase.parse(phase.name).year >= first + years:
            break
        at = max(phase.adjudicate_at, now) + dt.timedelta(seconds=1)
        advance(game_id=game.pk, owner="test", now=at)
        game.refresh_from_db()
        assert game.suspended_reason == ""
    return game.phases.filter(superseded_at=None).latest("sequence")


@pytest.mark.parametrize("bot", ["hold", "random"])
@pytest.mark.parametrize("name", PLAYED)
def test_three_years_pass_without_a_fault(begin, now, name, bot):
    game, setup = begin(name, bot=bot), setups()[name]
    last = play(game, 3, now=now)
    assert game.seats.count() == len(setup.players)
    assert JudgePhase.parse(last.name).year >= setup.board.first_year + 2
    first = game.phases.get(sequence=1)
    assert first.civil_disorder == dict.fromkeys(setup.idle, "idle")


@pytest.mark.parametrize("name", ["2000-6", "1961-5"])
def test_idle_units_hold_where_they_began(begin, now, name):
    game, setup = begin(name, bot="hold"), setups()[name]
    last = play(game, 2, now=now)
    for power in setup.idle:
        assert last.position.units_of(power) == setup.position.units_of(power)


def test_the_coin_gives_italy_to_one_side(begin, now):
    game = begin("2000-2", bot="hold", seed="heads")
    before = game.phases.get(sequence=1)
    assert len(before.board.army_borders) < len(setups()["standard"].board.army_borders)
    play(game, 2, now=now)
    after = Phase.objects.get(name="S1915M")
    sides = game.players_at(JudgePhase.parse("S1915M"))
    assert [("ITALY" in side) for side in sides].index(True) == flip_coin("heads")
    assert after.civil_disorder == {}
    assert len(after.board.army_borders) == len(setups()["standard"].board.army_borders)
    assert Game.objects.get().chart.name == "Europe for two (1914)"


def test_how_the_coin_fell_is_told_once_before_the_adjustments(begin, now):
    game = begin("2000-2", bot="greedy", seed="heads")
    play(game, 2, now=now)
    side = ["England, France and Russia", "Austria, Germany and Turkey"][flip_coin("heads")]
    (entry,) = game.log.filter(kind="coin")
    assert entry.text.endswith(f": Italy joins {side} in Spring 1915.")
    assert entry.phase.name == "W1914A"
