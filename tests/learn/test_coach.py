"""The coach of the first game: what it says is true, because it tries everything out."""

import pytest

from diplomaccloud.judge import adjudicate, standard_board
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.learn.boards import WHOLE, small_board
from diplomaccloud.learn.coach.advice import advise
from diplomaccloud.learn.coach.comments import Tone, comment_game
from diplomaccloud.learn.coach.first_game import (
    YEARS,
    FirstGame,
    PlayedPhase,
    continue_game,
    play,
    start_game,
)
from diplomaccloud.learn.coach.state import StateError, dump_state, load_state
from diplomaccloud.learn.steps import read_position, read_sheets

FRANCE = Power("FRANCE")
CENTERS = {"FRANCE": "PAR MAR BRE", "GERMANY": "MUN KIE BER"}


def comments(units, orders, phase="S1901M", centers=CENTERS):
    """Return what the coach says to France after these orders of everyone."""
    board = standard_board()
    position = read_position(phase, units, centers)
    given = read_sheets(small_board(WHOLE), position, orders)
    resolution = adjudicate(board, position, given)
    played = PlayedPhase(position, given, resolution)
    game = FirstGame(board, FRANCE, (played,), resolution.next, over=False)
    return [(comment.tone, comment.text) for comment in comment_game(game)]


def test_a_bounced_move_could_have_been_supported():
    said = comments(
        {"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"},
        "FRANCE: A PAR - BUR\nA MAR H\nGERMANY: A BUR H",
    )
    assert any("Your army in Marseilles could have supported it" in text for _, text in said)


def test_support_that_would_not_have_helped_is_not_mentioned():
    said = comments(
        {"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR, A MUN"},
        "FRANCE: A PAR - BUR\nA MAR H\nGERMANY: A BUR H\nA MUN S A BUR",
    )
    assert any("Bounced in Burgundy" in text for _, text in said)
    assert not any("could have supported" in text for _, text in said)


def test_a_dislodged_unit_could_have_been_held():
    said = comments(
        {"FRANCE": "A BUR, A PAR", "GERMANY": "A MUN, A RUH"},
        "FRANCE: A BUR H\nA PAR H\nGERMANY: A MUN - BUR\nA RUH S A MUN - BUR",
    )
    assert any("With support from your army in Paris it would have held." in t for _, t in said)


def test_an_idle_unit_is_shown_a_center_it_could_have_taken():
    said = comments({"FRANCE": "A MAR"}, "FRANCE: A MAR H")
    assert any("It could have gone to Spain" in text for _, text in said)


def test_two_own_units_that_bounce_each_other_are_explained():
    said = comments({"FRANCE": "A PAR, A MAR"}, "FRANCE: A PAR - BUR\nA MAR - BUR")
    assert any("Two of your units moved to the same place." in text for _, text in said)


def test_a_center_counts_only_in_fall():
    spring = comments({"FRANCE": "A MAR"}, "FRANCE: A MAR - SPA")
    fall = comments({"FRANCE": "A MAR"}, "FRANCE: A MAR - SPA", phase="F1901M")
    assert any("becomes yours if one of your units is there after Fall" in t for _, t in spring)
    assert (Tone.GOOD, "Your army in Marseilles took Spain: a new supply center.") in fall


def test_a_foreign_unit_next_to_a_center_is_watched():
    said = comments(
        {"FRANCE": "A PAR", "ENGLAND": "F LON"}, "FRANCE: A PAR H\nENGLAND: F LON - ENG"
    )
    text = "England’s fleet in the English Channel is now next to Brest. Nobody guards Brest, so"
    assert any(tone is Tone.WATCH and said.startswith(text) for tone, said in said)


def test_the_same_state_gives_the_same_game():
    state = continue_game(start_game(FRANCE, "a seed"), ["A PAR - BUR"])
    assert play(state) == play(state)


@pytest.mark.parametrize("power", [info.power for info in standard_board().powers])
def test_every_country_can_be_played_to_the_end(power):
    state = start_game(power, "a seed")
    game = play(state)
    while not game.over:
        assert game.position.phase.year < 1901 + YEARS
        assert advise(game)
        if game.position.phase.stage is Stage.MOVEMENT:
            assert len(game.position.units_of(power)) > 0
        state = continue_game(state, [])
        game = play(state)
        assert all(comment.text for comment in comment_game(game))
        assert len(dump_state(state)) < 2000


def test_a_state_survives_its_way_through_the_browser():
    state = continue_game(start_game(FRANCE, "a seed"), ["A PAR - BUR", "F BRE - MAO"])
    assert load_state(dump_state(state)) == state


@pytest.mark.parametrize("text", ["", "nonsense", "x" * 10_000, "eyJhIjoxfQ:abc:def"])
def test_a_state_that_is_not_ours_is_refused(text):
    with pytest.raises(StateError):
        load_state(text)
