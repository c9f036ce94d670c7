"""The boards of the documents in the gallery, and games on them."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.atlas.standard.boards import known_drawings, setup_charts
from diplomaccloud.games.actions.lobby import quick_game
from diplomaccloud.games.models import Game
from diplomaccloud.maps.boards import setup_of_map, store_boards
from diplomaccloud.maps.library import standard_hash, store
from diplomaccloud.maps.models import StoredChart

NOW = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


def test_each_is_stored_once_with_its_players(db):
    assert store_boards(now=NOW) == store_boards(now=NOW)
    players = dict(StoredChart.objects.values_list("name", "players"))
    assert players["Europe for five (1801)"] == 5
    assert players["Europe for three (2000)"] == 3
    assert players["Europe for four, Austria broken up"] == 4
    assert len(players) == len(setup_charts())


def test_all_our_drawings_of_europe_are_known(db):
    """Else the next one would leave today's in the gallery beside it: add them to the file."""
    drawn = {standard_hash(), *store_boards(now=NOW)}
    assert drawn - known_drawings() == set()
    assert drawn != known_drawings(), "and those of old, which games may still have"


def test_a_map_that_says_so_of_itself_has_no_setup(db):
    other = replace(standard_chart(), maker="setup 1961-5")
    key = store(other, now=NOW)
    assert setup_of_map(StoredChart.objects.get(content_hash=key)) == ""


@pytest.mark.parametrize(
    ("name", "seats"), [("early-6", 6), ("1961-5", 5), ("2000-3", 3), ("2000-2", 2), ("manual", 7)]
)
def test_a_game_on_one_has_its_players_and_goes_on(people, name, seats):
    store_boards(now=NOW)
    world = setup_charts()[name].chart.world
    key = StoredChart.objects.get(name=world).content_hash
    slug = quick_game.play_solo(
        user_id=people["alice"], map_hash=key, bot="hold", now=NOW, seed="x"
    )
    game = Game.objects.get(slug=slug)
    assert game.seats.count() == seats
    assert game.phases.count() >= 1
