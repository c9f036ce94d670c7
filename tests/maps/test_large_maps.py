"""Large maps: a page waits for them in the background, and they are made once."""

import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from judge.tests.drawing.toy_map import toy_chart
from judge.tests.effort import PATIENCE

from diplomaccloud.accounts.models import User
from diplomaccloud.maps import large_maps, library, previews
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.large_maps import LARGE_MAP_WORKER, NotReadyError, make_large_map
from diplomaccloud.maps.map_worker import BusyError, MapRequest, TooSlowError

LARGE = MapRequest("a", 34)


@pytest.fixture(autouse=True)
def made(monkeypatch):
    """Replace the generator and the cache, which threads would share through the database."""
    requests = []

    def make(map_request):
        requests.append(map_request)
        return replace(toy_chart(), world="Madeland")

    monkeypatch.setattr(LARGE_MAP_WORKER, "make", make)
    monkeypatch.setattr(large_maps, "cache", LocMemCache("large maps", {}))
    large_maps.cache.clear()
    return requests


@contextmanager
def slow(monkeypatch, answer=toy_chart):
    """Let the generator wait until the end of the block, and the requests not at all."""
    done = threading.Event()

    def make(_):
        assert done.wait(PATIENCE)
        return answer()

    monkeypatch.setattr(LARGE_MAP_WORKER, "make", make)
    monkeypatch.setattr(large_maps, "WAIT", 0)
    before = threading.active_count()
    yield
    done.set()
    for thread in threading.enumerate()[before:]:
        thread.join(PATIENCE)


class Asked:
    """What a request does: it counts, and keeps maps."""

    def __init__(self):
        self.counted, self.kept = 0, []

    def count(self):
        self.counted += 1

    def make(self, key="a" * 64):
        return make_large_map(key, LARGE, self.count, self.kept.append)


@pytest.mark.parametrize(
    ("map_request", "is_large"),
    [
        (MapRequest("a", 10), False),
        (MapRequest("a", 11), True),
        (MapRequest("a", 7, 111), True),
        (MapRequest("a", 11, 110), False),
    ],
)
def test_large_maps_are_those_with_many_provinces(map_request, is_large):
    assert map_request.is_large is is_large


def test_a_map_that_is_finished_in_time_is_the_answer():
    asked = Asked()
    assert asked.make().world == "Madeland"
    assert (asked.counted, len(asked.kept)) == (1, 1)


def test_a_map_that_takes_longer_is_kept_when_it_is_finished(monkeypatch):
    asked = Asked()
    with slow(monkeypatch):
        for _ in range(3):
            with pytest.raises(NotReadyError):
                asked.make()
        assert not asked.kept
    assert (asked.counted, asked.kept) == (1, [toy_chart()])


def test_a_late_refusal_answers_the_next_requests(monkeypatch):
    def fail():
        raise TooSlowError("Not finished.", "provinces")

    asked = Asked()
    with slow(monkeypatch, fail), pytest.raises(NotReadyError):
        asked.make()
    for _ in range(2):
        with pytest.raises(NoMapError, match="Not finished") as caught:
            asked.make()
        assert caught.value.option == "provinces"
    assert asked.counted == 1


def test_few_large_maps_wait(monkeypatch):
    asked = Asked()
    with slow(monkeypatch):
        for key in "ab":
            with pytest.raises(NotReadyError):
                asked.make(key)
        for _ in range(2):
            with pytest.raises(BusyError):
                asked.make("c")
    assert (asked.counted, len(asked.kept)) == (2, 2)


def test_a_map_that_the_server_lost_when_it_stopped_is_soon_made_again(monkeypatch):
    with slow(monkeypatch), monkeypatch.context() as patch:
        lasting = []
        patch.setattr(large_maps.cache, "add", lambda *args: lasting.append(args[2]) or True)
        with pytest.raises(NotReadyError):
            Asked().make()
    assert 0 < lasting[0] <= 60


def test_the_claim_lasts_as_long_as_the_map_is_made(monkeypatch):
    renewed = threading.Event()
    monkeypatch.setattr(large_maps, "_RENEW", 0.01)
    monkeypatch.setattr(large_maps.cache, "touch", lambda *_: renewed.set())
    with slow(monkeypatch):
        with pytest.raises(NotReadyError):
            Asked().make()
        assert renewed.wait(PATIENCE)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_map_that_could_not_be_kept_can_be_asked_for_again(monkeypatch):
    def fail(_):
        raise OSError("disk full")

    with slow(monkeypatch), pytest.raises(NotReadyError):
        make_large_map("a" * 64, LARGE, lambda: None, fail)
    assert large_maps.cache.get("map-claimed-" + "a" * 64) is None


def test_a_map_that_is_refused_at_once_can_be_asked_for_again(made, monkeypatch):
    def fail(_):
        raise NoMapError("No such map.")

    make = LARGE_MAP_WORKER.make
    monkeypatch.setattr(LARGE_MAP_WORKER, "make", fail)
    with pytest.raises(NoMapError):
        Asked().make()
    monkeypatch.setattr(LARGE_MAP_WORKER, "make", make)
    assert Asked().make().world == "Madeland"


def test_a_page_waits_for_a_large_map_and_then_shows_it(people, monkeypatch, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    kept = []
    monkeypatch.setattr(previews, "_store_preview", lambda *args, **_: kept.append(args))
    with slow(monkeypatch):
        whole, part = (
            Client().get("/maps/new/?seed=a&players=34", headers=headers)
            for headers in ({}, {"HX-Request": "true"})
        )
        assert (whole.status_code, part.status_code) == (202, 202)
        assert (whole.headers.get("Refresh"), part.headers.get("Refresh")) == (
            "3; url=/maps/new/?seed=a&players=34",
            None,
        )
        assert 'hx-trigger="load delay:3s"' in part.content.decode()
    monkeypatch.setattr(previews, "_read_chart", lambda _: kept[0][1])
    page = Client().get("/maps/new/?seed=a&players=34")
    assert (page.status_code, page.context["preview"]) == (200, toy_chart())


def test_a_page_that_saves_a_large_map_waits_for_this_map(people, monkeypatch):
    monkeypatch.setattr(previews, "_store_preview", lambda *_args, **_: None)
    client = Client()
    client.force_login(User.objects.get(pk=people["alice"]))
    options = {"seed": "a & b", "players": "34", "landform": "globe", "sea": "", "name": "Far"}
    with slow(monkeypatch):
        page = client.post("/maps/new/", options)
    address = "/maps/new/?seed=a+%26+b&players=34&landform=globe"
    assert (page.status_code, page.headers["Refresh"]) == (202, f"3; url={address}")
    assert page.content.decode().count(address.replace("&", "&amp;")) == 2


def test_a_large_map_counts_as_several(people, monkeypatch):
    monkeypatch.setattr(library, "MAX_VISITOR_MAPS", 2 * library.LARGE_MAP_WEIGHT - 1)
    monkeypatch.setattr(previews, "_store_preview", lambda *_args, **_: None)
    found = [
        Client().get(f"/maps/new/?seed={seed}&players=34").status_code for seed in ("a", "b", "c")
    ]
    assert found == [200, 429, 429]
