"""Results by country and against rivals: counted when a game ends, and counted again."""

from dataclasses import replace

import pytest
from django.utils import timezone
from tests.games.steps import seat_people

from diplomaccloud.games.results.actions import find_differences, finish_game, recount_in_background
from diplomaccloud.games.table.log_models import CountryFigures, RivalFigures
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.results import Ending
from diplomaccloud.maps import library
from diplomaccloud.maps.models import StoredChart

COLUMNS = ("is_europe", "country", "games", "solos", "draws", "survived", "defeated")


@pytest.fixture
def rated(cast):
    """The game of Alice and Bob, in which two others have played."""
    seat_people(4)
    list(find_differences(repair=True))
    return cast


def finish(*winners):
    finish_game(Game.objects.get(), Ending(winners, "They won."), timezone.now())


def results(user):
    rows = CountryFigures.objects.filter(user=user).order_by("-is_europe", "country")
    return list(rows.values_list(*COLUMNS))


def rivals(user):
    rows = RivalFigures.objects.filter(user=user)
    return list(rows.values_list("other", "games", "ahead", "behind"))


@pytest.mark.parametrize(
    ("winners", "alice", "bob"),
    [
        pytest.param(["AUSTRIA"], (1, 1, 0, 0, 0), (1, 0, 0, 1, 0), id="a solo"),
        pytest.param(["AUSTRIA", "TURKEY"], (1, 0, 1, 0, 0), (1, 0, 1, 0, 0), id="a draw"),
        pytest.param([], (1, 0, 0, 1, 0), (1, 0, 0, 1, 0), id="no winner"),
    ],
)
def test_a_game_counts_with_its_country_and_in_all(rated, winners, alice, bob):
    finish(*winners)
    assert results(rated.alice) == [(True, "", *alice), (True, "Austria", *alice)]
    assert results(rated.bob) == [(True, "", *bob), (True, "Turkey", *bob)]
    assert results(rated.charlie) == []
    assert list(find_differences()) == []


def test_who_has_nothing_left_is_defeated_and_behind(rated):
    phase = Phase.objects.get(open=True)
    position = phase.position
    left = tuple(unit for unit in position.units if unit.power != "TURKEY")
    centers = {place: power for place, power in position.centers.items() if power != "TURKEY"}
    phase.position = replace(position, units=left, centers=centers)
    phase.save()
    finish()
    assert results(rated.bob)[0] == (True, "", 1, 0, 0, 0, 1)
    assert rivals(rated.alice) == [(rated.bob, 1, 1, 0)]


def test_rivals_are_counted_both_ways(rated):
    finish("AUSTRIA")
    assert rivals(rated.alice) == [(rated.bob, 1, 1, 0)]
    assert rivals(rated.bob) == [(rated.alice, 1, 0, 1)]


def test_an_unrated_game_counts_nowhere(cast):
    finish("AUSTRIA")
    assert not CountryFigures.objects.exists()
    assert not RivalFigures.objects.exists()


def test_another_map_is_a_new_world(rated):
    # A map that is drawn otherwise has another hash.
    StoredChart.objects.update(content_hash="0" * 64)
    chart = library.standard_chart()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("diplomaccloud.games.table.models.find_chart", lambda key: chart)
        finish("AUSTRIA")
    assert [row[0] for row in results(rated.alice)] == [False, False]


@pytest.mark.parametrize("in_background", [False, True])
def test_wrong_and_missing_rows_are_found_and_repaired(rated, in_background):
    finish("AUSTRIA")
    right = results(rated.alice), results(rated.bob), rivals(rated.bob)
    CountryFigures.objects.filter(user=rated.alice).update(solos=7)
    CountryFigures.objects.filter(user=rated.bob).delete()
    RivalFigures.objects.filter(user=rated.bob, other=rated.alice).update(games=0, ahead=2)
    CountryFigures.objects.create(user_id=rated.charlie, is_europe=True, games=3)
    found = {each.what for each in find_differences()}
    assert f"games of all countries of {rated.charlie}" in found
    if in_background:
        recount_in_background.func(1, True)
    else:
        list(find_differences(repair=True))
    assert (results(rated.alice), results(rated.bob), rivals(rated.bob)) == right
    assert results(rated.charlie) == []
    assert list(find_differences()) == []
