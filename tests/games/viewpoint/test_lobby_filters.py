"""Filters and orders of the lobby."""

import datetime as dt
from dataclasses import replace

import pytest
from django.test import Client
from tests.atlas.toy_map import toy_chart

from diplomaccloud.games import actions
from diplomaccloud.games.options.presets import SPEEDS
from diplomaccloud.maps.library import store_chart

NOW = dt.datetime(2030, 3, 1, tzinfo=dt.UTC)


@pytest.fixture
def tables(plan, people):
    """Forming games: three speeds on the standard map, and one on a small map, newest last."""
    toy = store_chart(toy_chart(), now=NOW)
    for number, (name, speed, map_hash) in enumerate(
        [
            ("Quick Quarrel", "evening", plan.map_hash),
            ("Daily Dispatch", "daily", plan.map_hash),
            ("Slow Sonata", "mail", plan.map_hash),
            ("Tiny Treaty", "daily", toy),
        ]
    ):
        options = replace(plan.options, schedule=SPEEDS[speed].schedule)
        game = actions.create_game(
            plan=replace(plan, world=name, map_hash=map_hash, options=options),
            creator_id=people["alice"],
            now=NOW,
            slug="abcd"[number] * 10,
            code="",
            seed="s",
        )
        if name == "Slow Sonata":
            actions.join_game(slug=game.slug, user_id=people["bob"], now=NOW)


def listed(query, client=None):
    lobby = (client or Client()).get(f"/games/?{query}").context["lobby"]
    return [game.world.split()[0] for game in lobby.open]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", "Tiny Slow Daily Quick"),
        ("speed=live", "Quick"),
        ("speed=daily", "Tiny Daily"),
        ("speed=slow", "Slow"),
        ("map=standard", "Slow Daily Quick"),
        ("map=other", "Tiny"),
        ("players=7", "Slow Daily Quick"),
        ("q=SONATA", "Slow"),
        ("q=dispatch&speed=slow", ""),
        ("order=speed", "Quick Tiny Daily Slow"),
        ("order=seats&map=standard", "Slow Daily Quick"),
        ("speed=nonsense&players=99&order=x", "Tiny Slow Daily Quick"),
    ],
)
def test_a_filter_shows_what_it_says(tables, query, names):
    assert listed(query) == names.split()


def test_nothing_found_is_a_sentence_with_a_way_on(tables):
    page = Client().get("/games/?q=nothing").content.decode()
    assert "No game that is waiting for players matches" in page
    assert 'href="/games/"' in page


@pytest.mark.parametrize("query", ["map=standard", "order=speed", "speed=daily"])
def test_every_filtered_game_is_on_one_of_the_pages(tables, query, monkeypatch):
    everything = listed(query)
    from diplomaccloud.games.forms import lobby

    small = lobby.ListQuery

    def make(*args, **options):
        return small(*args, **{**options, "size": 1})

    monkeypatch.setattr(lobby, "ListQuery", make)
    client, address, seen = Client(), f"/games/?{query}", []
    while address:
        view = client.get(address).context["lobby"]
        seen += [game.world.split()[0] for game in view.open]
        address = view.older_urls.get("forming", "")
    assert seen == everything


def test_filters_ask_no_more_queries(tables, django_assert_max_num_queries):
    client = Client()
    client.get("/games/?order=seats&speed=daily")
    with django_assert_max_num_queries(12):
        client.get("/games/?order=seats&speed=daily")
