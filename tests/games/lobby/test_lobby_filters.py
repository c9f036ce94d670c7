"""Filters and orders of the lobby."""

import datetime as dt
from dataclasses import replace

import pytest
from django.test import Client
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.accounts.models import User
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.creation.presets import SPEEDS
from diplomaccloud.games.lobby.actions import join_game
from diplomaccloud.games.table.models import Game, Status
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
        game = create_game(
            plan=replace(plan, world=name, map_hash=map_hash, options=options),
            creator_id=people["alice"],
            now=NOW,
            slug="abcd"[number] * 10,
            code="",
            seed="s",
        )
        if name == "Slow Sonata":
            join_game(slug=game.slug, user_id=people["bob"], now=NOW)


def listed(query, client=None):
    lobby = (client or Client()).get(f"/games/?{query}").context["lobby"]
    return [game.world.split()[0] for game in lobby.others["forming"].games]


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
        ("free=several", "Slow Daily Quick"),
        ("free=last", "Tiny"),
        ("free=few&map=standard", ""),
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
    assert "No open games match" in page
    assert page.count('href="/games/"') == 2  # in the navigation, and to clear the search


@pytest.mark.parametrize("query", ["map=standard", "order=speed", "speed=daily"])
def test_every_filtered_game_is_on_one_of_the_pages(tables, query, monkeypatch):
    everything = listed(query)
    from diplomaccloud.games.lobby import forms as lobby

    small = lobby.ListQuery

    def make(*args, **options):
        return small(*args, **{**options, "size": 1})

    monkeypatch.setattr(lobby, "ListQuery", make)
    client, address, seen = Client(), f"/games/?{query}", []
    while address:
        page = client.get(address)
        view = page.context["lobby"]
        seen += [game.world.split()[0] for game in view.others["forming"].games]
        address = page.context["older_urls"].get("forming", "")
    assert seen == everything


def test_filters_ask_no_more_queries(tables, django_assert_max_num_queries):
    client = Client()
    client.get("/games/?order=seats&speed=daily")
    with django_assert_max_num_queries(12):
        client.get("/games/?order=seats&speed=daily")


def test_people_who_look_for_free_seats_see_only_games_to_join(tables):
    page = Client().get("/games/?free=several").content.decode()
    assert 'id="l-open"' in page
    assert 'id="l-running"' not in page


def test_games_against_bots_do_not_fill_the_lobby_of_others(standard, people):
    member = Client()
    member.force_login(User.objects.get(pk=people["alice"]))
    member.post("/games/quick/", {"map": "standard"})
    assert [game.yours for game in member.get("/").context["lobby"].yours] == [True]
    assert member.get("/games/").context["lobby"].others["running"].games == ()
    for address in ("/games/", "/"):
        assert Client().get(address).context["lobby"].others["running"].games == ()


def test_a_lobby_of_500_games_is_at_most_60_kb(tables):
    """Names are as long as they can be, and a third of the games waits for players."""
    first = Game.objects.order_by("pk").first()
    states = [
        {"status": Status.FORMING},
        {"status": Status.RUNNING, "started_at": NOW},
        {"status": Status.FORMING},
    ]
    columns = [field.attname for field in Game._meta.concrete_fields if not field.primary_key]
    base = {name: getattr(first, name) for name in columns}
    letters = str.maketrans("01", "ol")
    Game.objects.bulk_create(
        Game(
            **base
            | {
                "slug": f"many{number:06d}".translate(letters),
                "world": f"{number:03d} {'W' * 36}",
            }
            | states[number % 3]
        )
        for number in range(500)
    )
    cards = {"/games/": 16, "/games/?order=seats": 24, "/games/?status=forming&before=999999": 24}
    for address, least in cards.items():
        page = Client().get(address)
        assert page.content.count(b"game-card__text") >= least
        assert len(page.content) <= 60_000
