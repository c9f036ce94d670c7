"""The mapmaker: one piece of work at a time, none lost, none in the way of another."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from django.db import OperationalError
from django.test import Client

from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.maps import certifying, library, mapmaker, pictures, pool
from diplomaccloud.maps.bench import BusyError
from diplomaccloud.maps.mapmaker import MapMaker
from diplomaccloud.maps.measuring import GAMES
from diplomaccloud.maps.models import Certificate, KeptMap, StoredChart
from diplomaccloud.maps.workshop import KIND, NoMapError

from .test_certifying import found


@pytest.fixture
def cheap(monkeypatch):
    """Self-play and the generator cost nothing; what was asked of them, in order."""
    asked = []

    def measure(chart, *, games=GAMES):
        asked.append(f"measure {chart.seed or 'standard'}")
        return found(0.2, games)

    def make_even_map(seeds, players):
        asked.append(f"make {seeds[0]}")
        return replace(standard_chart(), seed=seeds[0], maker=f"generator, {KIND}")

    monkeypatch.setattr(certifying, "measure", measure)
    monkeypatch.setattr(pool, "measure", measure)
    monkeypatch.setattr(pool, "make_even_map", make_even_map)
    monkeypatch.setattr(pool, "draw_all", lambda key: None)
    monkeypatch.setattr(mapmaker, "undrawn", list)
    monkeypatch.setattr(pool, "STOCK", {7: 2, 5: 1})
    return asked


def stock() -> list[str]:
    return list(StoredChart.objects.exclude(seed="").order_by("pk").values_list("seed", flat=True))


def test_maps_that_are_there_come_before_new_ones(standard, cheap):
    assert MapMaker().work()
    assert cheap == ["measure standard"]
    assert MapMaker().work()
    assert cheap[1:] == ["make stock 7-1a", "measure stock 7-1a"]
    assert certifying.uncertified() == ()


def test_pictures_that_are_missing_come_first_and_one_that_fails_stops_nothing(
    standard, cheap, settings, tmp_path, monkeypatch, now
):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(mapmaker, "undrawn", pictures.undrawn)
    monkeypatch.setattr(pictures, "render_base", lambda chart, theme: "<svg/>")
    monkeypatch.setattr(pictures, "render_png", lambda svg, width: b"png")
    bad = library.store(replace(standard_chart(), world="Bad"), now=now)
    real = pictures.draw_all

    def draw(key):
        if key == bad:
            raise ValueError("no ink")
        real(key)

    monkeypatch.setattr(mapmaker, "draw_all", draw)
    maker = MapMaker()
    assert maker.work()
    assert maker.work()
    assert (pictures.undrawn(), cheap) == ([bad], [])
    assert maker.work()
    assert cheap[0].startswith("measure")
    monkeypatch.setattr(pictures, "renderer_version", lambda: "another")
    assert set(pictures.undrawn()) == {standard, bad}


def test_the_stock_is_filled_evenly_and_then_there_is_rest(db, cheap):
    # Standard charts stand in for all maps, so all have seven players.
    maker = MapMaker()
    for _ in range(2):
        assert maker.work()
    assert stock() == ["stock 7-1a", "stock 5-1a"]


def test_a_full_stock_leaves_nothing_to_do(db, cheap, monkeypatch):
    monkeypatch.setattr(pool, "STOCK", {7: 2})
    maker = MapMaker()
    assert [maker.work() for _ in range(3)] == [True, True, False]
    assert stock() == ["stock 7-1a", "stock 7-2a"]


def test_a_played_map_is_replaced_up_to_the_most(cast, cheap, monkeypatch):
    monkeypatch.setattr(pool, "STOCK", {7: 1})
    maker = MapMaker()
    while maker.work():
        pass
    assert stock() == ["stock 7-1a"]
    game = cast_game(cast)
    game.chart = StoredChart.objects.get(seed="stock 7-1a")
    game.save()
    monkeypatch.setattr(pool, "MOST", 1)
    assert not maker.work()
    monkeypatch.setattr(pool, "MOST", 2)
    assert maker.work()
    assert stock() == ["stock 7-1a", "stock 7-2a"]
    assert pool.map_to_play() == StoredChart.objects.get(seed="stock 7-2a").content_hash


def cast_game(cast):
    from diplomaccloud.games.models import Game

    return Game.objects.get(pk=cast.game_id)


def test_a_seed_without_a_map_is_passed_over(db, cheap, monkeypatch):
    real = pool.make_even_map

    def make(seeds, players):
        if seeds[0].startswith("stock 7-1"):
            raise NoMapError("nothing")
        return real(seeds, players)

    monkeypatch.setattr(pool, "make_even_map", make)
    monkeypatch.setattr(pool, "STOCK", {7: 1})
    maker = MapMaker()
    assert [maker.work() for _ in range(3)] == [True, True, False]
    assert stock() == ["stock 7-2a"]


def test_a_map_of_the_stock_is_chosen_on_several_lands_and_measured_once(db, cheap, monkeypatch):
    asked = []

    def make(seeds, players):
        asked.append((seeds, players))
        return replace(standard_chart(), seed=seeds[1])

    monkeypatch.setattr(pool, "make_even_map", make)
    monkeypatch.setattr(pool, "LANDS", 3)
    monkeypatch.setattr(pool, "STOCK", {5: 1})
    assert MapMaker().work()
    assert asked == [(["stock 5-1a", "stock 5-1b", "stock 5-1c"], 5)]
    assert cheap == ["measure stock 5-1b"]


@pytest.mark.parametrize(
    ("maker", "spread", "counts"),
    [
        pytest.param("generator 1", 0.4, False, id="an uneven map of an older version"),
        pytest.param("generator 1", 0.2, True, id="a fair map of an older version"),
        pytest.param(f"generator 3, {KIND}", 0.3, True, id="a map chosen by play, however fair"),
    ],
)
def test_older_maps_serve_until_better_ones_are_there(
    db, cheap, monkeypatch, now, maker, spread, counts
):
    monkeypatch.setattr(pool, "STOCK", {7: 1})
    old = replace(standard_chart(), seed="stock 7-1k", world="Old", maker=maker)
    key = library.store(old, now=now)
    certifying.record(key, found(spread), now=now)
    assert pool.map_to_play() == key
    assert MapMaker().work() is not counts
    assert stock() == ["stock 7-1k", *(["stock 7-2a"] if not counts else [])]
    assert certifying.certificate_of(key).spread == spread
    made = StoredChart.objects.order_by("-pk").first().content_hash
    assert pool.map_to_play() == (key if counts else made)


def test_a_map_that_cannot_be_certified_stops_no_other(standard, cheap, monkeypatch, now):
    other = library.store(replace(standard_chart(), world="Other"), now=now)
    real = certifying.measure

    def measure(chart, **given):
        if chart.world != "Other":
            raise ZeroDivisionError
        return real(chart, **given)

    monkeypatch.setattr(certifying, "measure", measure)
    monkeypatch.setattr(pool, "STOCK", {})
    maker = MapMaker()
    assert [maker.work() for _ in range(3)] == [True, True, False]
    assert [row.chart.content_hash for row in Certificate.objects.all()] == [other]


def test_a_board_for_fewer_people_than_powers_is_not_measured(standard, cheap, monkeypatch):
    monkeypatch.setattr(pool, "STOCK", {})
    StoredChart.objects.update(players=6)
    maker = MapMaker()
    assert [maker.work() for _ in range(2)] == [True, False]
    assert cheap == []
    assert certifying.uncertified() == (standard,)
    assert "fewer people than powers" in Client().get(f"/maps/{standard}/").content.decode()


@pytest.mark.parametrize("fault", [OperationalError("away"), ZeroDivisionError()], ids=repr)
def test_no_fault_ends_the_mapmaker(db, monkeypatch, fault):
    maker = MapMaker(rest=0)
    answers = iter([fault])

    def work():
        for error in answers:
            raise error
        maker.stop()
        return True

    monkeypatch.setattr(maker, "work", work)
    monkeypatch.setattr(mapmaker, "close_old_connections", lambda: None)
    maker.run()
    assert next(answers, None) is None


def test_what_was_cut_off_is_done_again(db, cheap, monkeypatch):
    monkeypatch.setattr(pool, "STOCK", {7: 1})
    monkeypatch.setattr(pool, "record", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        MapMaker().work()
    monkeypatch.setattr(pool, "record", certifying.record)
    maker = MapMaker()
    assert maker.work()
    assert certifying.uncertified() == ()
    assert not maker.work()
    assert stock() == ["stock 7-1a"]


def test_a_persons_map_of_such_a_seed_is_none_of_the_stock(db, cheap, people, now, monkeypatch):
    monkeypatch.setattr(pool, "STOCK", {7: 1})
    key = library.store(replace(standard_chart(), seed="stock 7-1"), now=now)
    chart = StoredChart.objects.get(content_hash=key)
    KeptMap.objects.create(user_id=people["alice"], chart=chart, created_at=now)
    certifying.record(key, found(), now=now)
    assert pool.map_to_play() is None
    assert pool.missing_from_stock() == "stock 7-1"


def test_nobody_waits_for_a_map_and_the_fairest_unplayed_comes_first(cast, now):
    keys = {}
    for number, spread in enumerate((0.3, 0.1, 0.2), 1):
        chart = replace(standard_chart(), seed=f"stock 7-{number}")
        keys[spread] = library.store(chart, now=now)
        certifying.record(keys[spread], found(spread), now=now)
    assert pool.map_to_play() == keys[0.1]
    game = cast_game(cast)
    game.chart = StoredChart.objects.get(content_hash=keys[0.1])
    game.save()
    assert pool.map_to_play() == keys[0.2]
    assert pool.map_to_play(5) is None


def test_a_game_on_a_new_map_takes_one_of_the_stock_or_has_one_made(people, now, monkeypatch):
    from diplomaccloud.games.actions.lobby import quick_game
    from diplomaccloud.games.errors import Refused

    wishes = []

    def make(wish):
        wishes.append(wish)
        raise BusyError("Others are at it.")

    monkeypatch.setattr(quick_game.BENCH, "make", make)
    with pytest.raises(Refused, match="Others are at it"):
        quick_game.new_map(now=now)
    ready = library.store(replace(standard_chart(), seed="stock 7-1a"), now=now)
    certifying.record(ready, found(), now=now)
    assert quick_game.new_map(now=now) == ready
    assert len(wishes) == 1


def test_the_mapmaker_dies_at_once_and_is_nice(tmp_path):
    environment = os.environ | {
        "DIPLOMACCLOUD_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
    }
    code = (
        "import os, django\n"
        "django.setup()\n"
        "from django.core.management import call_command\n"
        "from diplomaccloud.maps import mapmaker\n"
        "mapmaker.MapMaker.run = lambda self: (print(os.nice(0), flush=True), input())\n"
        "call_command('mapmaker')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "19\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == -signal.SIGTERM
