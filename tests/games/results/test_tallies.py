"""Results by country and against rivals: counted when a game ends, and counted again."""

import importlib
from dataclasses import replace

import pytest
from django.apps import apps
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from tests.games.steps import seat_people

from diplomaccloud.games.results.actions import find_differences, finish_game, recount_in_background
from diplomaccloud.games.table.log_models import CountryFigures, RivalFigures, WorldFigures
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.results import Ending
from diplomaccloud.maps import library
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.worker.task_rows import run_waiting_tasks

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
    assert not WorldFigures.objects.exists()
    assert not RivalFigures.objects.exists()


@pytest.fixture
def new_world(rated, monkeypatch):
    """The same game on a map that is drawn otherwise, so with another hash."""
    StoredChart.objects.update(content_hash="0" * 64)
    chart = library.standard_chart()
    monkeypatch.setattr("diplomaccloud.games.table.models.find_chart_to_show", lambda key: chart)
    return rated


def worlds(user):
    rows = WorldFigures.objects.filter(user=user).order_by("country")
    return list(rows.values_list("chart", *COLUMNS[1:]))


def test_another_map_is_a_new_world_and_counts_by_itself(new_world):
    finish("AUSTRIA")
    assert [row[0] for row in results(new_world.alice)] == [False, False]
    chart = Game.objects.get().chart_id
    assert worlds(new_world.alice) == [
        (chart, "", 1, 1, 0, 0, 0),
        (chart, "Austria", 1, 1, 0, 0, 0),
    ]
    assert list(find_differences()) == []


def test_wrong_and_missing_results_on_a_new_world_are_repaired(new_world):
    finish("AUSTRIA")
    right = worlds(new_world.alice), worlds(new_world.bob)
    WorldFigures.objects.filter(user=new_world.alice).update(solos=0, draws=3)
    WorldFigures.objects.filter(user=new_world.bob).delete()
    WorldFigures.objects.create(
        user_id=new_world.charlie, chart_id=Game.objects.get().chart_id, games=3
    )
    assert len(list(find_differences(repair=True))) >= 3
    assert (worlds(new_world.alice), worlds(new_world.bob)) == right
    assert worlds(new_world.charlie) == []
    assert list(find_differences()) == []


def test_europe_is_no_new_world(rated):
    finish("AUSTRIA")
    assert not WorldFigures.objects.exists()


def test_an_upgrade_lets_a_worker_count_the_new_worlds(new_world, monkeypatch):
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)
    finish("AUSTRIA")
    right = worlds(new_world.alice)
    WorldFigures.objects.all().delete()
    migration = importlib.import_module("diplomaccloud.games.migrations.0017_results_by_map")
    migration.count_finished_games(apps, None)
    sum(iter(lambda: run_waiting_tasks("default"), 0))
    assert worlds(new_world.alice) == right


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
        recount_in_background.func(rated.alice, True)
    else:
        list(find_differences(repair=True))
    assert (results(rated.alice), results(rated.bob), rivals(rated.bob)) == right
    assert results(rated.charlie) == []
    assert list(find_differences()) == []
