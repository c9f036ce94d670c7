"""The coach of the first game: what it says is true, because it tries everything out."""

import pytest

from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit
from diplomaccloud.learn.boards import WHOLE, small_board
from diplomaccloud.learn.coach.comments import Tone, advise, comment_game
from diplomaccloud.learn.coach.first_game import (
    YEARS,
    FirstGame,
    PlayedPhase,
    StateError,
    continue_game,
    dump_state,
    load_state,
    play,
    start_game,
)
from diplomaccloud.learn.steps import read_position, read_sheets

FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
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
    text = "England’s fleet in the English Channel is now next to Brest. Nobody guards Brest."
    assert (Tone.WATCH, text) in said


def test_a_foreign_unit_in_a_center_is_watched_most():
    said = comments(
        {"FRANCE": "A PAR", "ENGLAND": "F ENG", "GERMANY": "A MUN"},
        "FRANCE: A PAR H\nENGLAND: F ENG - BRE\nGERMANY: A MUN - BUR",
    )
    warnings = [text for tone, text in said if tone is Tone.WATCH]
    text = "England’s fleet in Brest occupies your center."
    assert warnings[0] == f"{text} If it is still there after Fall, the center is lost."


@pytest.mark.parametrize(
    ("orders", "text"),
    [
        ("", "You left 2 builds unused. More units are almost always better."),
        ("FRANCE: A PAR B", "You left one build unused. More units are almost always better."),
        ("FRANCE: WAIVE\nA PAR B", "You left one build unused. More units are almost always bet"),
    ],
    ids=["two not chosen", "one not chosen", "one waived"],
)
def test_builds_left_unused_are_counted(orders, text):
    said = comments({"FRANCE": "A BUR"}, orders, phase="W1901A")
    assert any(tone is Tone.ADVICE and said.startswith(text) for tone, said in said)


def driven_from_munich(order):
    """Return what the coach says to Germany, whose army was dislodged by one from Berlin."""
    board = standard_board()
    position = Position(
        Phase.parse("S1901R"),
        (Unit(UnitKind.ARMY, Location("MUN"), FRANCE),),
        {},
        (
            Dislodged(
                Unit(UnitKind.ARMY, Location("MUN"), GERMANY),
                ProvinceCode("BER"),
                (Location("BOH"), Location("TYR")),
            ),
        ),
    )
    given = read_sheets(small_board(WHOLE), position, order)
    resolution = adjudicate(board, position, given)
    played = PlayedPhase(position, given, resolution)
    game = FirstGame(board, GERMANY, (played,), resolution.next, over=False)
    return comment_game(game)[0]


@pytest.mark.parametrize("order", ["", "GERMANY: A MUN D"])
def test_a_disbanded_unit_could_have_retreated(order):
    comment = driven_from_munich(order)
    assert comment.tone is Tone.ADVICE
    assert comment.text == (
        "Your army in Munich was dislodged by an attack from Berlin. You chose no retreat, so it "
        "was disbanded. It could have gone to Bohemia or Tyrolia."
    )


def test_a_unit_that_retreated_stood_elsewhere_before():
    comment = driven_from_munich("GERMANY: A MUN R BOH")
    assert comment.tone is Tone.NEWS
    assert comment.text == (
        "Your army in Munich was dislodged by an attack from Berlin. It retreated to Bohemia."
    )


def open_game(phase, units, centers):
    """Return a game in which the learner is France and nothing was played yet."""
    position = read_position(phase, units, centers)
    return FirstGame(standard_board(), FRANCE, (), position, over=False)


def test_a_unit_told_to_stay_is_not_told_where_to_go():
    units = {"FRANCE": "A SPA, F MAO"}
    fall = advise(open_game("F1901M", units, CENTERS))
    assert "Stay in Spain, or you will not own it." in fall
    assert "Within reach now: your fleet in the Mid-Atlantic Ocean can go to Portugal." in fall
    spring = advise(open_game("S1902M", units, CENTERS))
    assert any("your army in Spain can go to Portugal" in text for text in spring)


def test_nothing_is_within_reach_of_units_told_to_stay():
    fall = advise(open_game("F1901M", {"FRANCE": "A SPA, A BEL"}, CENTERS))
    assert "Stay in Belgium and Spain, or you will not own them." in fall
    assert not any("your army in" in text for text in fall)


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
