"""The map test page: a wish becomes a map at once, within limits, and may be kept."""

import sys
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.test import Client

from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.maps import bench, drafts, keeping, library
from diplomaccloud.maps.bench import Bench, BusyError, TooSlowError, Wish
from diplomaccloud.maps.models import KeptMap, StoredChart
from diplomaccloud.maps.workshop import NoMapError

HELLO = {"seed": "Hello", "players": 5}


@pytest.fixture
def made(monkeypatch, settings, tmp_path):
    """The wishes that were granted; making a map costs nothing here."""
    settings.DATA_DIR = tmp_path
    wishes = []

    def make(wish):
        wishes.append(wish)
        return replace(standard_chart(), world="Madeland", seed=wish.seed)

    monkeypatch.setattr(drafts.BENCH, "make", make)
    monkeypatch.setattr(drafts.BENCH, "warm_up", lambda: None)
    cache.clear()
    yield wishes
    cache.clear()


@pytest.fixture
def clients(people):
    from diplomaccloud.accounts.models import User

    found = {"nobody": Client()}
    for name, key in people.items():
        found[name] = Client()
        found[name].force_login(User.objects.get(pk=key))
    return found


@pytest.fixture
def alice(clients):
    return clients["alice"]


def refusing(error):
    def make(wish):
        raise error

    return make


class TestMaking:
    def test_visitors_see_a_map_too(self, clients, made):
        page = clients["nobody"].get("/maps/test/", HELLO)
        assert made == [Wish("Hello", 5)]
        text = page.content.decode()
        assert "Keep it in the gallery" not in text
        assert f"/accounts/login/?next={quote('/maps/test/?seed=Hello&players=5')}" in text

    @pytest.mark.parametrize(
        ("query", "wish"),
        [
            ("seed=Hello&players=5", Wish("Hello", 5)),
            ("seed=Hello&players=5&provinces=&sea=", Wish("Hello", 5)),
            ("seed=a&players=10&provinces=400&sea=32", Wish("a", 10, 400, 0.32)),
        ],
    )
    def test_a_seed_shows_its_map_at_once(self, alice, made, query, wish):
        page = alice.get(f"/maps/test/?{query}")
        assert made == [wish]
        assert b"<svg" in page.content
        assert "Madeland" in page.content.decode()
        assert not StoredChart.objects.exists()

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_its_picture_follows_the_theme_of_the_page(self, alice, made, theme):
        page = alice.get("/maps/test/", HELLO)
        picture = alice.get(page.context["picture"][f"{theme}_url"])
        assert picture.content.startswith(b"<svg")
        other = {"light": "dark", "dark": "light"}[theme]
        assert picture.content != alice.get(page.context["picture"][f"{other}_url"]).content

    def test_crawlers_are_asked_to_leave_it_alone(self, alice, made):
        assert "Disallow: /maps/test/" in alice.get("/robots.txt").content.decode()

    def test_a_picture_of_no_draft_is_not_there(self, alice, made):
        assert alice.get(f"/maps/test/{'0' * 64}/light.svg").status_code == 404

    def test_the_same_wish_is_granted_once(self, clients, made):
        for name in ("alice", "bob", "alice"):
            assert clients[name].get("/maps/test/", HELLO).status_code == 200
        assert len(made) == 1

    @pytest.mark.parametrize(
        "query",
        [
            "seed=&players=5",
            "seed=a&players=11",
            "seed=a",
            "seed=a&players=7&provinces=401",
            "seed=a&players=7&sea=50",
            "seed=a&players=7&provinces=x",
        ],
    )
    def test_a_bad_form_makes_nothing(self, alice, made, query):
        page = alice.get(f"/maps/test/?{query}")
        assert page.context["form"].errors
        assert made == []

    @pytest.mark.parametrize(
        ("error", "status", "field"),
        [
            (NoMapError("No map can be made of this."), 422, "seed"),
            (TooSlowError("Too long for a page."), 503, "__all__"),
            (BusyError("Others are at it."), 503, "__all__"),
        ],
        ids=["no map", "too slow", "busy"],
    )
    def test_what_cannot_be_made_is_told(self, alice, made, monkeypatch, error, status, field):
        monkeypatch.setattr(drafts.BENCH, "make", refusing(error))
        page = alice.get("/maps/test/", HELLO)
        assert page.status_code == status
        assert page.context["form"].errors[field] == [str(error)]

    def test_old_drafts_are_thrown_away(self, alice, made, monkeypatch, tmp_path):
        monkeypatch.setattr(drafts, "MOST", 2)
        for seed in "abcd":
            alice.get("/maps/test/", {"seed": seed, "players": 7})
        assert len(list((tmp_path / "maps" / "drafts").iterdir())) == 2


class TestLimits:
    def test_visitors_have_so_many_made_at_an_address_and_in_all(self, clients, made, monkeypatch):
        monkeypatch.setattr(keeping, "VISITORS", (2, 3))

        def ask(name, seed, address):
            wish = {"seed": seed, "players": 7}
            return clients[name].get("/maps/test/", wish, REMOTE_ADDR=address).status_code

        assert [ask("nobody", seed, "192.0.2.1") for seed in "abc"] == [200, 200, 429]
        assert [ask("nobody", seed, "192.0.2.2") for seed in "cd"] == [200, 429]
        assert ask("alice", "d", "192.0.2.1") == 200

    def test_one_person_has_so_many_maps_made(self, clients, made, monkeypatch):
        monkeypatch.setattr(keeping, "MAKING", (2, 60))

        def ask(name, seed):
            return clients[name].get("/maps/test/", {"seed": seed, "players": 7}).status_code

        assert [ask("alice", seed) for seed in "abc"] == [200, 200, 429]
        assert ask("alice", "a") == 200
        assert ask("bob", "c") == 200
        assert len(made) == 3

    def test_one_address_has_so_many_maps_made(self, clients, made, monkeypatch):
        monkeypatch.setattr(keeping, "MAKING", (2, 60))
        monkeypatch.setattr(keeping, "AT_ONE_ADDRESS", 1)
        for name, status in (("alice", 200), ("bob", 200), ("charlie", 429)):
            page = clients[name].get("/maps/test/", {"seed": name, "players": 7})
            assert page.status_code == status

    def test_one_person_keeps_so_many(self, clients, made, monkeypatch):
        monkeypatch.setattr(keeping, "MOST_KEPT", 2)

        def keep(name, world):
            return clients[name].post("/maps/test/", HELLO | {"name": world}).status_code

        assert [keep("alice", world) for world in ("A", "B", "C")] == [302, 302, 422]
        assert keep("bob", "C") == 302
        assert StoredChart.objects.count() == 3


class TestKeeping:
    @pytest.mark.parametrize("name", ["a\u202eb", "a\u200bb", "\u3164", "\ue000", "a\u0378"])
    def test_a_name_that_hides_something_is_refused(self, alice, made, name):
        answer = alice.post("/maps/test/", HELLO | {"name": name})
        assert answer.status_code == 422
        assert "letters, digits and punctuation" in answer.content.decode()
        assert not StoredChart.objects.exists()

    @pytest.mark.parametrize("name", ["Newland", "<b>&amp;", "Ōita-Žár 🐉", 'quo"te\\'])
    def test_a_map_is_kept_under_a_name(self, alice, made, people, name):
        response = alice.post("/maps/test/", HELLO | {"name": name})
        assert response.status_code == 302
        row = StoredChart.objects.get()
        assert (row.name, row.seed) == (name, "Hello")
        assert KeptMap.objects.get().user_id == people["alice"]
        assert response.url == f"/maps/{row.content_hash}/"
        library.find_chart.cache_clear()
        assert alice.get("/maps/").status_code == 200
        assert alice.get(response.url).status_code == 200

    def test_keeping_it_twice_is_keeping_it_once(self, clients, made):
        for name in ("alice", "alice", "bob"):
            assert clients[name].post("/maps/test/", HELLO | {"name": "One"}).status_code == 302
        assert StoredChart.objects.count() == 1
        assert KeptMap.objects.count() == 2

    def test_a_visitor_logs_in_first_and_comes_back_to_the_map(self, clients, made):
        answer = clients["nobody"].post("/maps/test/?seed=Hello&players=5", HELLO | {"name": "A"})
        back = quote("/maps/test/?seed=Hello&players=5")
        assert answer.url == f"/accounts/login/?next={back}"
        assert not StoredChart.objects.exists()

    def test_it_is_not_kept_without_a_name(self, alice, made):
        assert alice.post("/maps/test/", HELLO).status_code == 422
        assert not StoredChart.objects.exists()


FAKE = """
import json, sys, time
print("ready", flush=True)
for line in sys.stdin:
    wish = json.loads(line)
    if wish["seed"] == "slow":
        time.sleep(60)
    if wish["seed"] == "dies":
        sys.exit(1)
    print("none No map of " + wish["seed"], flush=True)
"""


class TestBench:
    """The process beside the server; a stand-in answers, so that no generator is loaded."""

    @pytest.fixture
    def workbench(self, monkeypatch):
        real = bench.subprocess.Popen
        monkeypatch.setattr(
            bench.subprocess,
            "Popen",
            lambda _, **given: real([sys.executable, "-c", FAKE], **given),
        )
        found = Bench(seconds=5)
        yield found
        found.close()

    def ask(self, workbench, seed):
        with pytest.raises(NoMapError) as caught:
            workbench.make(Wish(seed))
        return caught.value

    def test_it_answers_one_wish_after_the_other(self, workbench):
        assert str(self.ask(workbench, "a")) == "No map of a"
        first = workbench._process.pid
        assert str(self.ask(workbench, "b")) == "No map of b"
        assert workbench._process.pid == first

    def test_what_takes_too_long_is_killed_and_the_next_wish_is_heard(self, workbench):
        workbench._seconds = 0.5
        assert isinstance(self.ask(workbench, "slow"), TooSlowError)
        workbench._seconds = 5
        assert str(self.ask(workbench, "c")) == "No map of c"

    def test_a_bench_that_dies_is_replaced(self, workbench):
        assert "Try again" in str(self.ask(workbench, "dies"))
        assert str(self.ask(workbench, "d")) == "No map of d"

    def test_few_wait_at_once_so_that_pages_have_threads(self, workbench):
        seeds = "abcd"
        with ThreadPoolExecutor() as others, workbench._lock:
            asked = [others.submit(self.ask, workbench, seed) for seed in seeds]
            done, waiting = futures.wait(asked, return_when=futures.FIRST_COMPLETED)
            assert [type(one.result()) for one in done] == [BusyError]
            assert len(waiting) == 3
        assert {str(one.result()) for one in waiting} < {f"No map of {seed}" for seed in seeds}

    def test_who_waits_too_long_is_told_that_others_are_at_it(self, workbench):
        workbench._seconds = 0.1
        with workbench._lock:
            assert isinstance(self.ask(workbench, "a"), BusyError)


def test_the_bench_makes_the_map_of_the_generator():
    from diplomaccloud.atlas.generator import make_chart

    workbench = Bench(seconds=60)
    try:
        made = workbench.make(Wish("bench", 3))
    finally:
        workbench.close()
    assert made == make_chart("bench", 3)
