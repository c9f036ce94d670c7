"""The setup maps in the gallery, and games on them."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.atlas.setups import known_drawings, setup_charts
from diplomaccloud.games.creation import actions as quick_game
from diplomaccloud.games.table.models import Game
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.library import find_map_setup, standard_hash, store_chart, store_setup_maps
from diplomaccloud.maps.models import StoredChart

NOW = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


def test_each_setup_map_is_stored_once_with_its_number_of_players(db):
    assert store_setup_maps(now=NOW) == store_setup_maps(now=NOW)
    players = dict(StoredChart.objects.values_list("name", "players"))
    assert players["Europe for five (1801)"] == 5
    assert players["Europe for three (2000)"] == 3
    assert players["Europe for four, Austria broken up"] == 4
    assert len(players) == len(setup_charts())


def test_all_our_drawings_of_europe_are_known(db):
    """If this fails, add the new hashes to `drawings.txt`.

    Otherwise the next drawing would leave today's maps in the gallery, next to the new ones.
    """
    drawn = {standard_hash(), *store_setup_maps(now=NOW)}
    assert drawn - known_drawings() == set()
    assert drawn != known_drawings(), (
        "drawings of older versions, which games may still use, are missing"
    )


def test_a_map_that_only_claims_to_be_a_setup_map_has_no_setup(db):
    other = replace(standard_chart(), maker="setup 1961-5")
    key = store_chart(other, now=NOW)
    assert find_map_setup(StoredChart.objects.get(content_hash=key)) == ""


@pytest.mark.parametrize(
    ("name", "seats"), [("early-6", 6), ("1961-5", 5), ("2000-3", 3), ("2000-2", 2), ("manual", 7)]
)
def test_a_game_on_a_setup_map_starts_with_its_players(people, name, seats):
    store_setup_maps(now=NOW)
    world = setup_charts()[name].chart.world
    key = StoredChart.objects.get(name=world).content_hash
    plan = quick_game.plan_solo(key, "hold")
    slug = quick_game.play_solo(user_id=people["alice"], plan=plan, now=NOW, seed="x")
    game = Game.objects.get(slug=slug)
    assert game.seats.count() == seats
    assert game.phases.count() >= 1
