"""The page that draws new worlds: maps are made at once, within limits, and can be saved."""

import datetime as dt
import sys
from collections import Counter
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from judge.tests.drawing.toy_map import toy_chart
from judge.tests.effort import PATIENCE
from tests.maps.new_worlds import draw_new_world

from diplomaccloud.games.creation import actions as creation
from diplomaccloud.maps import forms, library, line_worker, previews
from diplomaccloud.maps.certification import list_unmeasured_maps
from diplomaccloud.maps.factory import NoMapError, make_map
from diplomaccloud.maps.forms import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    MIN_PROVINCES,
    PROVINCES_PER_MANY,
    PROVINCES_PER_PLAYER,
    SeedForm,
    find_province_limits,
    load_tiles,
)
from diplomaccloud.maps.map_worker import BusyError, MapRequest, MapWorker, TooSlowError
from diplomaccloud.maps.models import MapPreview, SavedMap, StoredChart
from diplomaccloud.maps.pictures import list_undrawn_maps
from diplomaccloud.worker.threads import prune

HELLO = {"seed": "Hello", "players": 5}


@pytest.fixture
def requested_maps(monkeypatch, settings, tmp_path):
    """Replace the generator with a stand-in; return the requests that it receives."""
    settings.DATA_DIR = tmp_path
    requests = []

    def make(map_request):
        requests.append(map_request)
        return replace(toy_chart(), world="Madeland", seed=map_request.seed)

    monkeypatch.setattr(previews.MAP_WORKER, "make", make)
    monkeypatch.setattr(previews.MAP_WORKER, "warm_up", lambda: None)
    cache.clear()
    yield requests
    cache.clear()


@pytest.fixture
def clients(people):
    from diplomaccloud.accounts.models import User

    clients = {"nobody": Client()}
    for name, key in people.items():
        clients[name] = Client()
        clients[name].force_login(User.objects.get(pk=key))
    return clients


@pytest.fixture
def alice(clients):
    return clients["alice"]


def make_failing_generator(error):
    def make(map_request):
        raise error

    return make


class TestMaking:
    def test_visitors_see_a_map_too(self, clients, requested_maps):
        page = clients["nobody"].get("/maps/new/", HELLO)
        assert requested_maps == [MapRequest("Hello", 5)]
        text = page.content.decode()
        assert 'id="map-name"' not in text
        assert f"/accounts/login/?next={quote('/maps/new/?seed=Hello&players=5')}" in text

    @pytest.mark.parametrize(
        ("query", "map_request"),
        [
            ("seed=Hello&players=5", MapRequest("Hello", 5)),
            ("seed=Hello&players=5&provinces=&sea=", MapRequest("Hello", 5)),
            ("seed=a&players=10&provinces=105&sea=32", MapRequest("a", 10, 105, 0.32)),
            ("seed=a&players=7&landform=", MapRequest("a", 7)),
            ("seed=a&players=7&landform=isthmus", MapRequest("a", 7, landform="isthmus")),
            ("seed=a&players=7&homes=varied", MapRequest("a", 7)),
            ("seed=a&players=7&homes=equal", MapRequest("a", 7, homes="equal")),
        ],
    )
    def test_a_seed_shows_its_map_at_once(self, alice, requested_maps, query, map_request):
        page = alice.get(f"/maps/new/?{query}")
        assert requested_maps == [map_request]
        assert b"<svg" in page.content
        assert "Madeland" in page.content.decode()
        assert not StoredChart.objects.exists()

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_its_picture_follows_the_theme_of_the_page(self, alice, requested_maps, theme):
        page = alice.get("/maps/new/", HELLO)
        picture = alice.get(page.context["picture"][f"{theme}_url"])
        assert picture.content.startswith(b"<svg")
        other = {"light": "dark", "dark": "light"}[theme]
        assert picture.content != alice.get(page.context["picture"][f"{other}_url"]).content

    def test_crawlers_are_excluded(self, alice, requested_maps):
        assert "Disallow: /maps/new/" in alice.get("/robots.txt").content.decode()

    def test_a_preview_that_does_not_exist_has_no_picture(self, alice, requested_maps):
        assert alice.get(f"/maps/new/{'0' * 64}/light.svg").status_code == 404

    def test_the_same_map_is_made_once(self, clients, requested_maps):
        for name in ("alice", "bob", "alice"):
            assert clients[name].get("/maps/new/", HELLO).status_code == 200
        assert len(requested_maps) == 1

    @pytest.mark.parametrize(
        "query",
        [
            "seed=a&players=35",
            "seed=a",
            "seed=a&players=7&provinces=141",
            "seed=a&players=34&provinces=339",
            "seed=a&players=34&provinces=513",
            "seed=a&players=7&homes=four",
            "seed=a&players=7&sea=50",
            "seed=a&players=7&provinces=x",
            "seed=a&players=7&landform=flat",
        ],
    )
    def test_a_bad_form_makes_nothing(self, alice, requested_maps, query):
        page = alice.get(f"/maps/new/?{query}")
        assert page.context["form"].errors
        assert requested_maps == []

    @pytest.mark.parametrize(
        ("error", "status", "field"),
        [
            (NoMapError("No map can be made from these options."), 422, "seed"),
            (NoMapError("34 is too few.", "provinces"), 422, "provinces"),
            (TooSlowError("Too long for a page."), 503, "__all__"),
            (BusyError("Busy."), 503, "__all__"),
        ],
        ids=["no map", "a bad option", "too slow", "busy"],
    )
    def test_an_error_is_shown_in_the_form(
        self, alice, requested_maps, monkeypatch, error, status, field
    ):
        monkeypatch.setattr(previews.MAP_WORKER, "make", make_failing_generator(error))
        page = alice.get("/maps/new/", HELLO)
        assert page.status_code == status
        assert page.context["form"].errors[field] == [str(error)]

    def test_another_web_server_knows_the_map(self, alice, requested_maps, settings, tmp_path):
        page = alice.get("/maps/new/", HELLO)
        settings.DATA_DIR = tmp_path / "another server"
        picture = alice.get(page.context["picture"]["light_url"])
        assert picture.content.startswith(b"<svg")
        assert alice.get("/maps/new/", HELLO).status_code == 200
        assert len(requested_maps) == 1

    def test_each_person_has_a_number_of_previews(self, clients, requested_maps, monkeypatch):
        monkeypatch.setattr(previews, "MAX_PREVIEWS_PER_PERSON", 2)
        clients["bob"].get("/maps/new/", {"seed": "z", "players": 7})
        for seed in "abcd":
            clients["alice"].get("/maps/new/", {"seed": seed, "players": 7})
            clients["nobody"].get("/maps/new/", {"seed": f"{seed}{seed}", "players": 7})
        owners = MapPreview.objects.order_by("owner").values_list("owner", flat=True)
        assert Counter(owners).most_common()[-1][1] == 1
        assert sorted(Counter(owners).values()) == [1, 2, 2]
        assert not any("127.0.0.1" in owner for owner in owners)

    def test_old_previews_are_deleted_by_the_worker(self, alice, requested_maps):
        alice.get("/maps/new/", HELLO)
        prune(now=timezone.now())
        assert MapPreview.objects.exists()
        prune(now=timezone.now() + previews.KEEP_FOR + dt.timedelta(hours=1))
        assert not MapPreview.objects.exists()

    def test_the_oldest_previews_are_deleted(self, alice, requested_maps, monkeypatch, tmp_path):
        monkeypatch.setattr(previews, "MAX_PREVIEWS", 2)
        for seed in "abcd":
            alice.get("/maps/new/", {"seed": seed, "players": 7})
        assert MapPreview.objects.count() == 2


class TestSeeds:
    @pytest.mark.parametrize(
        "query",
        [
            "landform=isthmus&players=5",
            "seed=&landform=isthmus&players=5",
            "seed=b&landform=isthmus&players=5&another=1",
        ],
    )
    def test_without_a_seed_or_for_another_map_one_is_drawn(self, alice, requested_maps, query):
        first, second = (alice.get(f"/maps/new/?{query}") for _ in range(2))
        assert first.status_code == 303
        sent = dict(parse_qsl(urlsplit(first.url).query))
        assert sent.pop("seed") not in ("", "b")
        assert sent == {"landform": "isthmus", "players": "5"}
        assert first.url != second.url
        assert alice.get(first.url).status_code == 200
        assert len(requested_maps) == 1

    def test_an_address_without_options_draws_nothing(self, alice, requested_maps):
        page = alice.get("/maps/new/?from=elsewhere")
        assert not page.context["form"].is_bound
        assert requested_maps == []

    def test_an_old_address_gives_the_same_map(self, alice, requested_maps):
        answer = alice.get("/maps/test/?seed=Hello&players=5")
        assert (answer.status_code, answer.url) == (301, "/maps/new/?seed=Hello&players=5")


class TestLandforms:
    def test_every_landform_has_a_picture(self):
        from diplomaccloud.atlas.generator.land_plans import PLANS
        from diplomaccloud.atlas.generator.landform_bounds import bounds_of

        made = [(form, bounds_of(form).min_players, bounds_of(form).max_players) for form in PLANS]
        tiles = [(tile.landform, tile.min_players, tile.max_players) for tile in load_tiles()]
        assert tiles == made, "run scripts/landforms"

    def test_the_form_says_how_many_players_a_landform_allows(self, monkeypatch):
        tile = replace(load_tiles()[0], min_players=4, max_players=9)
        monkeypatch.setattr(forms, "load_tiles", lambda: (tile,))
        few = {"landform": ["Continents needs at least 4 players."]}
        many = {"landform": ["Continents has room for 9 players."]}
        for players, errors in ((3, few), (4, {}), (9, {}), (10, many)):
            form = SeedForm({"seed": "a", "players": players, "landform": tile.landform})
            assert form.errors == errors

    def test_the_slider_offers_the_usual_size_and_those_that_fit(self):
        from diplomaccloud.atlas.generator.pipeline import build_spec

        usual = float(PROVINCES_PER_PLAYER.split()[1])
        many, of_many = map(float, PROVINCES_PER_MANY.split())
        for players in (2, 7, 20, 21, 34):
            size = max(MIN_PROVINCES, round((of_many if players > many else usual) * players))
            assert sum(build_spec("a", players, None, None).counts) == size

    def test_the_form_allows_the_sizes_that_the_generator_makes(self):
        from diplomaccloud.atlas.generator import pipeline

        assert range(MIN_PLAYERS, MAX_PLAYERS + 1) == pipeline.PLAYERS
        for players in pipeline.PLAYERS:
            assert find_province_limits(players) == pipeline.find_province_limits(players)

    def test_a_size_that_does_not_fit_the_players_is_refused_with_the_range(
        self, alice, requested_maps
    ):
        page = alice.get("/maps/new/?seed=a&players=12&provinces=90")
        assert "from 120 to 240" in page.context["form"].errors["provinces"][0]

    def test_the_page_names_the_landform_that_was_drawn(self, alice, requested_maps, monkeypatch):
        chart = replace(toy_chart(), maker="generator 8, landform inland-sea")
        monkeypatch.setattr(previews.MAP_WORKER, "make", lambda _: chart)
        assert "<span>Inland Sea</span>" in alice.get("/maps/new/", HELLO).content.decode()


class TestLimits:
    def test_new_maps_of_visitors_are_limited_per_address_and_in_all(
        self, clients, requested_maps, monkeypatch
    ):
        monkeypatch.setattr(library, "MAX_VISITOR_MAPS", 2)
        monkeypatch.setattr(library, "MAX_ALL_VISITORS_MAPS", 3)

        def request_map(name, seed, address):
            query = {"seed": seed, "players": 7}
            return clients[name].get("/maps/new/", query, REMOTE_ADDR=address).status_code

        assert [request_map("nobody", seed, "192.0.2.1") for seed in "abc"] == [200, 200, 429]
        assert [request_map("nobody", seed, "192.0.2.2") for seed in "cd"] == [200, 429]
        assert request_map("alice", "d", "192.0.2.1") == 200

    def test_new_maps_of_a_person_are_limited(self, clients, requested_maps, monkeypatch):
        monkeypatch.setattr(library, "MAX_NEW_MAPS", 2)

        def request_map(name, seed):
            return clients[name].get("/maps/new/", {"seed": seed, "players": 7}).status_code

        assert [request_map("alice", seed) for seed in "abc"] == [200, 200, 429]
        assert request_map("alice", "a") == 200
        assert request_map("bob", "c") == 200
        assert len(requested_maps) == 3

    def test_new_maps_of_an_address_are_limited(self, clients, requested_maps, monkeypatch):
        monkeypatch.setattr(library, "MAX_NEW_MAPS", 2)
        monkeypatch.setattr(library, "ADDRESS_FACTOR", 1)
        for name, status in (("alice", 200), ("bob", 200), ("charlie", 429)):
            page = clients[name].get("/maps/new/", {"seed": name, "players": 7})
            assert page.status_code == status

    def test_saved_maps_of_a_person_are_limited(self, clients, requested_maps, monkeypatch):
        monkeypatch.setattr(library, "MAX_SAVED_MAPS", 2)

        def save(name, world):
            return clients[name].post("/maps/new/", HELLO | {"name": world}).status_code

        assert [save("alice", world) for world in ("A", "B", "C")] == [302, 302, 422]
        page = clients["alice"].post("/maps/new/", HELLO | {"name": "Four"})
        assert "limit of 2 saved maps" in page.content.decode()
        assert 'value="Four"' in page.content.decode()
        assert page.context["preview"].world == "Madeland"
        assert save("bob", "C") == 302
        assert StoredChart.objects.count() == 3


class TestSaving:
    @pytest.mark.parametrize("name", ["a\u202eb", "a\u200bb", "\u3164", "\ue000", "a\u0378"])
    def test_a_name_with_invisible_characters_is_rejected(self, alice, requested_maps, name):
        answer = alice.post("/maps/new/", HELLO | {"name": name})
        assert answer.status_code == 422
        assert answer.context["preview"].world == "Madeland"
        assert "letters, digits and punctuation" in answer.content.decode()
        assert not StoredChart.objects.exists()

    @pytest.mark.parametrize("name", ["Newland", "<b>&amp;", "Ōita-Žár 🐉", 'quo"te\\'])
    def test_a_map_is_saved_under_a_name(self, alice, requested_maps, people, name):
        response = alice.post("/maps/new/", HELLO | {"name": name})
        assert response.status_code == 302
        row = StoredChart.objects.get()
        assert (row.name, row.seed) == (name, "Hello")
        assert SavedMap.objects.get().user_id == people["alice"]
        assert response.url == f"/maps/{row.content_hash}/"
        library.load_recent.cache_clear()
        assert alice.get("/maps/").status_code == 200
        assert alice.get(response.url).status_code == 200

    def test_saving_a_map_twice_stores_it_once(self, clients, requested_maps):
        for name in ("alice", "alice", "bob"):
            assert clients[name].post("/maps/new/", HELLO | {"name": "One"}).status_code == 302
        assert StoredChart.objects.count() == 1
        assert SavedMap.objects.count() == 2

    def test_a_visitor_logs_in_first_and_returns_to_the_map(self, clients, requested_maps):
        answer = clients["nobody"].post("/maps/new/?seed=Hello&players=5", HELLO | {"name": "A"})
        back = quote("/maps/new/?seed=Hello&players=5")
        assert answer.url == f"/accounts/login/?next={back}"
        assert not StoredChart.objects.exists()

    def test_a_map_is_not_saved_without_a_name(self, alice, requested_maps):
        assert alice.post("/maps/new/", HELLO).status_code == 422
        assert not StoredChart.objects.exists()


class TestPlaying:
    """Games on a map that nobody has saved."""

    @pytest.fixture
    def key(self, settings, tmp_path, standard):
        settings.DATA_DIR = tmp_path
        return draw_new_world()

    def test_the_page_offers_it_with_a_key(self, clients, requested_maps):
        for name, offers in (("alice", True), ("nobody", False)):
            page = clients[name].get("/maps/new/", HELLO)
            text, key = page.content.decode(), page.context["key"]
            assert f'name="map" value="{key}"' in text
            assert (f'name="new_world" value="{key}"' in text) == offers

    def test_it_is_one_click(self, alice, key):
        page = alice.post("/games/quick/", {"map": key}, follow=True)
        assert page.templates[0].name == "games/page/running.html"
        assert "Newland" not in alice.get("/maps/").content.decode()

    def test_a_game_with_people_is_created_on_it(self, alice, key):
        page = alice.post("/games/new/", {"new_world": key}, follow=True)
        row = StoredChart.objects.get(listed=False)
        assert page.context["map"] == row.content_hash
        assert "Newland" in page.content.decode()
        assert "Not measured" in alice.get(f"/maps/{row.content_hash}/").content.decode()

    def test_a_person_has_games_on_a_number_of_new_worlds(self, alice, clients, key, monkeypatch):
        monkeypatch.setattr(creation, "MAX_NEW_WORLDS", 1)
        maps = [previews.store_preview(key, now=timezone.now())]
        MapPreview.objects.all().delete()
        maps.append(previews.store_preview(draw_new_world("another"), now=timezone.now()))

        def play(client, wanted):
            return client.post("/games/quick/", {"map": wanted}).status_code

        assert [play(alice, wanted) for wanted in (maps[0], maps[0], "standard")] == [303] * 3
        refused = alice.post("/games/quick/", {"map": maps[1]})
        assert refused.status_code == 409
        assert "limit of games on 1 new worlds" in refused.content.decode()
        assert play(clients["bob"], maps[1]) == 303
        StoredChart.objects.filter(content_hash=maps[1]).update(listed=True)
        assert play(alice, maps[1]) == 303

    def test_saving_it_afterwards_shows_it_in_the_gallery(self, alice, key, people):
        alice.post("/games/quick/", {"map": key})
        row = StoredChart.objects.get(listed=False)
        chart = library.find_chart(row.content_hash)
        saved = library.save_map(chart, "Newland", user_id=people["alice"], now=timezone.now())
        assert saved == row.content_hash
        assert "Newland" in alice.get("/maps/").content.decode()

    def test_it_is_measured_and_drawn_only_if_somebody_needs_that(self, alice, key):
        alice.post("/games/new/", {"new_world": key})
        row = StoredChart.objects.get(listed=False)
        assert row.content_hash not in list_unmeasured_maps()
        assert row.content_hash not in list_undrawn_maps()
        alice.post("/games/quick/", {"map": key})
        assert row.content_hash not in list_unmeasured_maps()
        assert row.content_hash in list_undrawn_maps()

    def test_without_a_game_it_is_deleted(self, alice, key):
        alice.post("/games/new/", {"new_world": key})
        previews.prune_previews(now=timezone.now())
        assert StoredChart.objects.filter(listed=False).exists()
        previews.prune_previews(now=timezone.now() + previews.KEEP_FOR + dt.timedelta(hours=1))
        assert not StoredChart.objects.filter(listed=False).exists()
        assert StoredChart.objects.exists()

    def test_only_a_post_stores_it(self, clients, key):
        for client in clients.values():
            for method in (client.get, client.head):
                for address in ("/games/new/", "/games/quick/", "/games/play/"):
                    method(address, {"map": key}, follow=True)
        assert not StoredChart.objects.filter(listed=False).exists()

    def test_storing_it_again_keeps_it_longer(self, alice, key, monkeypatch):
        first = timezone.now()
        content_hash = previews.store_preview(key, now=first)
        MapPreview.objects.all().delete()
        draw_new_world("another")
        other = previews.store_preview(key, now=first + dt.timedelta(hours=1))
        MapPreview.objects.all().delete()
        draw_new_world()
        monkeypatch.setattr(previews, "MAX_UNPLAYED", 1)
        assert previews.store_preview(key, now=first + previews.KEEP_FOR) == content_hash
        assert StoredChart.objects.filter(content_hash=content_hash).exists()
        assert not StoredChart.objects.filter(content_hash=other).exists()
        previews.prune_previews(now=first + previews.KEEP_FOR + dt.timedelta(hours=1))
        assert StoredChart.objects.filter(content_hash=content_hash).exists()

    def test_its_pictures_are_deleted_with_it(self, alice, key, settings):
        content_hash = previews.store_preview(key, now=timezone.now())
        for name in ("light.svg", "map.svg"):
            assert alice.get(f"/maps/{content_hash}/{name}").status_code == 200
        assert list(settings.DATA_DIR.rglob(content_hash))
        previews.prune_previews(now=timezone.now() + previews.KEEP_FOR + dt.timedelta(hours=1))
        assert not list(settings.DATA_DIR.rglob(content_hash))

    def test_the_oldest_without_a_game_are_deleted(self, alice, key, monkeypatch):
        alice.post("/games/new/", {"new_world": key})
        old = StoredChart.objects.get(listed=False).content_hash
        monkeypatch.setattr(previews, "MAX_UNPLAYED", 1)
        MapPreview.objects.all().delete()
        draw_new_world("another")
        alice.post("/games/new/", {"new_world": key})
        assert StoredChart.objects.get(listed=False).content_hash != old


FAKE = """
import json, sys, time
print("ready", flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["seed"] == "slow":
        time.sleep(60)
    if request["seed"] == "dies":
        sys.exit(1)
    print("none seed No map of " + request["seed"], flush=True)
"""


class TestMapWorker:
    """The worker process, with a stand-in that answers without loading the generator."""

    @pytest.fixture
    def worker(self, monkeypatch):
        real = line_worker.subprocess.Popen
        monkeypatch.setattr(
            line_worker.subprocess,
            "Popen",
            lambda _, **options: real([sys.executable, "-c", FAKE], **options),
        )
        replaced = MapWorker(seconds=PATIENCE)
        yield replaced
        replaced.close()

    def ask(self, worker, seed):
        with pytest.raises(NoMapError) as caught:
            worker.make(MapRequest(seed))
        return caught.value

    def test_it_answers_one_request_after_another(self, worker):
        refusal = self.ask(worker, "a")
        assert (str(refusal), refusal.option) == ("No map of a", "seed")
        first = worker._process.pid
        assert str(self.ask(worker, "b")) == "No map of b"
        assert worker._process.pid == first

    def test_a_slow_map_is_stopped_and_the_next_request_is_answered(self, worker):
        worker._seconds = 0.5
        assert isinstance(self.ask(worker, "slow"), TooSlowError)
        worker._seconds = PATIENCE
        assert str(self.ask(worker, "c")) == "No map of c"

    def test_a_process_that_ends_is_replaced(self, worker):
        assert "Try again" in str(self.ask(worker, "dies"))
        assert str(self.ask(worker, "d")) == "No map of d"

    def test_few_requests_wait_so_that_pages_have_threads(self, worker):
        seeds = "abcd"
        with ThreadPoolExecutor() as others, worker._lock:
            asked = [others.submit(self.ask, worker, seed) for seed in seeds]
            finished, waiting = futures.wait(asked, return_when=futures.FIRST_COMPLETED)
            assert [type(future.result()) for future in finished] == [BusyError]
            assert len(waiting) == 3
        assert {str(future.result()) for future in waiting} < {
            f"No map of {seed}" for seed in seeds
        }

    def test_a_request_that_waits_too_long_is_busy(self, worker):
        worker._seconds = 0.1
        with worker._lock:
            assert isinstance(self.ask(worker, "a"), BusyError)


@pytest.mark.parametrize(
    ("options", "option", "words"),
    [
        ({"players": 10, "provinces": 34, "landform": "archipelago"}, "provinces", ("34", "10")),
        ({"sea": 0.2, "landform": "archipelago"}, "sea", ("20% is not", "archipelago")),
        ({"provinces": 10}, "provinces", ("10",)),
        ({"seed": "a\u202e"}, "seed", ("U+202E",)),
    ],
    ids=["size, players and landform", "sea and landform", "size", "seed"],
)
def test_options_that_cannot_meet_are_both_named(options, option, words):
    with pytest.raises(NoMapError) as caught:
        make_map(**{"seed": "a", **options})
    assert caught.value.option == option
    assert all(word in str(caught.value) for word in words)


@pytest.mark.long
def test_the_worker_makes_the_generators_map():
    from diplomaccloud.atlas.generator.pipeline import make_chart

    worker = MapWorker(seconds=PATIENCE)
    try:
        requested_maps = worker.make(MapRequest("bench", 3))
    finally:
        worker.close()
    assert requested_maps == make_chart("bench", 3)
