"""The mapmaker: one job at a time; no job is lost or blocks another."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from judge.tests.effort import PATIENCE
from tests.maps.measurements import make_measurement

from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import certification, library, mapmaker, picture_files, pictures, stock
from diplomaccloud.maps.factory import CHOSEN_BY_PLAY, NoMapError
from diplomaccloud.maps.map_worker import BusyError
from diplomaccloud.maps.mapmaker import Job, LostError, MapMaker, NotNowError, Task
from diplomaccloud.maps.mapmaker_process import MapMakerProcess
from diplomaccloud.maps.models import Certificate, SavedMap, StoredChart
from diplomaccloud.maps.picture_files import delete_pictures, name_picture_file
from diplomaccloud.maps.pictures import ThumbnailSize

from .test_certification import store_earlier


@pytest.fixture
def calls(monkeypatch):
    """Replace games of bots and the generator with stand-ins; return the list of their calls."""
    calls = []

    def certify_map(key, *, quickly, now):
        certification.require_measurable(key)
        seed = StoredChart.objects.get(content_hash=key).seed
        calls.append(f"{'measure' if quickly else 'finish'} {seed or 'standard'}")
        certification.store_measurement(make_measurement(key, quick=quickly), now=now)
        return True

    def make_fair_map(seeds, players):
        calls.append(f"make {seeds[0]}")
        return replace(standard_chart(), seed=seeds[0], maker=f"generator, {CHOSEN_BY_PLAY}")

    monkeypatch.setattr(mapmaker, "certify_map", certify_map)
    monkeypatch.setattr(mapmaker, "SLOW_KERNEL", "")
    monkeypatch.setattr(stock, "certify_map", certify_map)
    monkeypatch.setattr(stock, "make_fair_map", make_fair_map)
    monkeypatch.setattr(stock, "draw_pictures", lambda key: None)
    monkeypatch.setattr(mapmaker, "list_undrawn_maps", list)
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 2, 5: 1})
    return calls


def work_until_idle(maker):
    while maker.work():
        pass


def certify(key, now, spread=0.2):
    certification.store_measurement(make_measurement(key, spread), now=now)


def stock_seed(name: str) -> str:
    return f"stock {stock.name_site()} {name}"


def stock_seeds() -> list[str]:
    return list(StoredChart.objects.exclude(seed="").order_by("pk").values_list("seed", flat=True))


def test_the_quick_measurement_comes_first_and_the_whole_one_before_new_maps(standard, calls):
    maker = MapMaker()
    for _ in range(4):
        assert maker.work()
    new = stock_seed("7-1a")
    made = [f"{word} {new}" for word in ("make", "measure", "finish")]
    assert calls == ["measure standard", "finish standard", *made]


def test_maps_of_earlier_versions_are_measured_last(standard, calls, monkeypatch, now):
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 1})
    store_earlier(standard, now)
    work_until_idle(MapMaker())
    new = stock_seed("7-1a")
    assert calls == [f"make {new}", f"measure {new}", f"finish {new}", "finish standard"]


def test_without_the_compiled_kernel_only_quick_bots_play(standard, calls, monkeypatch):
    monkeypatch.setattr(stock, "STOCK_SIZES", {})
    monkeypatch.setattr(mapmaker, "SLOW_KERNEL", "slow")
    work_until_idle(MapMaker())
    assert calls == ["measure standard"]


def test_missing_pictures_come_first_and_failures_do_not_block_other_jobs(
    standard, calls, settings, tmp_path, monkeypatch, now
):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(mapmaker, "list_undrawn_maps", pictures.list_undrawn_maps)
    monkeypatch.setattr(pictures, "render_base", lambda chart, theme: "<svg/>")
    monkeypatch.setattr(
        pictures, "_draw_thumbnails", lambda key, theme: dict.fromkeys(ThumbnailSize, b"webp")
    )
    bad = library.store_chart(replace(standard_chart(), world="Bad"), now=now)
    real = pictures.draw_pictures

    def draw(key):
        if key == bad:
            raise ValueError("no ink")
        real(key)

    monkeypatch.setattr(mapmaker, "draw_pictures", draw)
    maker = MapMaker()
    assert maker.work()
    assert maker.work()
    assert (pictures.list_undrawn_maps(), calls) == ([bad], [])
    assert maker.work()
    assert calls[0].startswith("measure")
    monkeypatch.setattr(picture_files, "renderer_version", lambda: "another")
    assert set(pictures.list_undrawn_maps()) == {standard, bad}


def test_the_folders_of_drawn_maps_are_read_once_until_they_are_deleted(
    standard, settings, tmp_path, monkeypatch
):
    settings.DATA_DIR = tmp_path
    drawn = tmp_path / name_picture_file(standard)
    drawn.mkdir(parents=True)
    for name in pictures._PICTURES:
        (drawn / name).touch()
    read, list_names = [], pictures._list_names
    monkeypatch.setattr(
        pictures, "_list_names", lambda folder: read.append(folder) or list_names(folder)
    )
    assert [pictures.list_undrawn_maps() for _ in range(2)] == [[], []]
    assert read == [drawn.parent, drawn, drawn.parent]
    delete_pictures(standard)
    assert pictures.list_undrawn_maps() == [standard]


def test_the_stock_is_filled_evenly(db, calls):
    # Standard charts stand in for all maps, so all have seven players.
    maker = MapMaker()
    while len(stock_seeds()) < 2:
        assert maker.work()
    assert stock_seeds() == [stock_seed("7-1a"), stock_seed("5-1a")]


def test_sites_make_different_maps_and_maps_made_before_stay_in_the_stock(
    db, calls, monkeypatch, settings, now
):
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 3})
    maker = MapMaker()
    before = replace(standard_chart(), seed="stock 7-1a", maker=f"generator, {CHOSEN_BY_PLAY}")
    certify(library.store_chart(before, now=now), now, 0.1)
    for key in ("the key of one site", "the key of another"):
        settings.SECRET_KEY = key
        work_until_stocked = len(stock_seeds()) + 1
        while len(stock_seeds()) < work_until_stocked:
            assert maker.work()
    work_until_idle(maker)
    first, second, third = stock_seeds()
    assert first == "stock 7-1a"
    assert second.endswith(" 7-1a")
    assert third.endswith(" 7-1a")
    assert second != third


def test_a_full_stock_leaves_nothing_to_do(db, calls, monkeypatch):
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 2})
    work_until_idle(MapMaker())
    assert stock_seeds() == [stock_seed("7-1a"), stock_seed("7-2a")]


def test_a_played_map_is_replaced_up_to_the_limit(cast, calls, monkeypatch):
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 1})
    maker = MapMaker()
    work_until_idle(maker)
    assert stock_seeds() == [stock_seed("7-1a")]
    game = cast_game(cast)
    game.chart = StoredChart.objects.get(seed=stock_seed("7-1a"))
    game.save()
    monkeypatch.setattr(stock, "MAX_STOCK", 1)
    assert not maker.work()
    monkeypatch.setattr(stock, "MAX_STOCK", 2)
    work_until_idle(maker)
    assert stock_seeds() == [stock_seed("7-1a"), stock_seed("7-2a")]
    assert stock.choose_stock_map() == StoredChart.objects.get(seed=stock_seed("7-2a")).content_hash


def cast_game(cast):
    from diplomaccloud.games.table.models import Game

    return Game.objects.get(pk=cast.game_id)


def test_a_seed_without_a_map_is_skipped(db, calls, monkeypatch):
    real = stock.make_fair_map

    def make(seeds, players):
        if seeds[0] == stock_seed("7-1a"):
            raise NoMapError("nothing")
        return real(seeds, players)

    monkeypatch.setattr(stock, "make_fair_map", make)
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 1})
    work_until_idle(MapMaker())
    assert stock_seeds() == [stock_seed("7-2a")]


def test_a_map_of_the_stock_is_chosen_on_several_lands_and_measured_once(db, calls, monkeypatch):
    requests = []

    def make(seeds, players):
        requests.append((seeds, players))
        return replace(standard_chart(), seed=seeds[1], maker=CHOSEN_BY_PLAY)

    monkeypatch.setattr(stock, "make_fair_map", make)
    monkeypatch.setattr(stock, "LANDS_PER_MAP", 3)
    monkeypatch.setattr(stock, "STOCK_SIZES", {5: 1})
    assert MapMaker().work()
    assert requests == [([stock_seed(f"5-1{letter}") for letter in "abc"], 5)]
    assert calls == [f"measure {stock_seed('5-1b')}"]


@pytest.mark.parametrize(
    ("maker", "counts"),
    [
        pytest.param("generator 1", False, id="a map of an older version"),
        pytest.param(f"generator 3, {CHOSEN_BY_PLAY}", True, id="a map chosen by play"),
    ],
)
def test_older_maps_stay_in_use_until_better_maps_exist(db, calls, monkeypatch, now, maker, counts):
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 1})
    old = replace(standard_chart(), seed=stock_seed("7-1k"), world="Old", maker=maker)
    key = library.store_chart(old, now=now)
    store_earlier(key, now)
    assert stock.choose_stock_map() == key
    assert MapMaker().work()
    assert stock_seeds() == [stock_seed("7-1k"), *([stock_seed("7-2a")] if not counts else [])]
    made = StoredChart.objects.order_by("-pk").first().content_hash
    assert stock.choose_stock_map() == (key if counts else made)


def test_a_map_that_cannot_be_certified_does_not_block_others(standard, calls, monkeypatch, now):
    other = library.store_chart(replace(standard_chart(), world="Other"), now=now)
    real = mapmaker.certify_map

    def measure(key, **options):
        if key != other:
            raise ZeroDivisionError
        return real(key, **options)

    monkeypatch.setattr(mapmaker, "certify_map", measure)
    monkeypatch.setattr(stock, "STOCK_SIZES", {})
    work_until_idle(MapMaker())
    assert {row.chart.content_hash for row in Certificate.objects.all()} == {other}


def test_a_map_for_fewer_players_than_powers_is_not_measured(standard, calls, monkeypatch):
    monkeypatch.setattr(stock, "STOCK_SIZES", {})
    StoredChart.objects.update(players=6)
    maker = MapMaker()
    assert [maker.work() for _ in range(2)] == [True, False]
    assert calls == []
    assert certification.list_unmeasured_maps() == (standard,)
    assert "fewer players than powers" in Client().get(f"/maps/{standard}/").content.decode()


@pytest.fixture
def process():
    """The process, which works for no site."""
    process = MapMakerProcess()
    yield process
    process.close()


STAND_IN = """
import os, sys
print("ready", flush=True)
for line in sys.stdin:
    print({"draw": "again", "make": "failed"}.get(line.split()[0], "done"), flush=True)
"""


def let_stand_in(process, program=STAND_IN):
    """Make the process run another program, which starts sooner."""
    process._command = [sys.executable, "-c", program]


def test_the_process_says_which_jobs_are_done_and_which_can_be_tried_again(
    process, settings, tmp_path
):
    settings.DATA_DIR = tmp_path
    let_stand_in(process)
    assert process.do(Job(Task.STORE, "abc"))
    assert not process.do(Job(Task.MAKE, "a seed"))
    with pytest.raises(NotNowError):
        process.do(Job(Task.DRAW, "abc"))


def test_one_process_works_on_each_machine(process, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    other = MapMakerProcess()
    let_stand_in(process)
    let_stand_in(other)
    assert process.do(Job(Task.STORE, "abc"))
    with pytest.raises(NotNowError):
        other.do(Job(Task.STORE, "abc"))
    process.close()
    assert other.do(Job(Task.STORE, "abc"))
    other.close()


def test_a_process_that_is_killed_at_work_is_replaced(process, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    let_stand_in(process, "import os\nprint('ready', flush=True)\ninput()\nos.kill(os.getpid(), 9)")
    with pytest.raises(LostError):
        process.do(Job(Task.STORE, "abc"))
    let_stand_in(process)
    assert process.do(Job(Task.STORE, "abc"))


def test_a_process_that_takes_too_long_is_replaced(process, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    process._seconds = 0.1
    let_stand_in(process, "print('ready', flush=True)\ninput()\ninput()")
    with pytest.raises(LostError):
        process.do(Job(Task.STORE, "abc"))


def test_a_process_that_cannot_start_is_no_fault_of_the_map(process, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    let_stand_in(process, "")
    with pytest.raises(NotNowError) as failure:
        process.do(Job(Task.STORE, "abc"))
    assert not isinstance(failure.value, LostError)


def test_a_map_that_ends_the_process_again_and_again_is_left_out(standard, calls, monkeypatch):
    monkeypatch.setattr(stock, "STOCK_SIZES", {})

    def die(job):
        raise LostError

    maker = MapMaker(do=die)
    for _ in range(2):
        with pytest.raises(LostError):
            maker.work()
    assert maker.work()
    assert not maker.work()


def test_a_job_that_cannot_be_done_now_is_tried_again(standard, calls, monkeypatch):
    monkeypatch.setattr(stock, "STOCK_SIZES", {})
    asked = []

    def do(job):
        asked.append(job)
        if len(asked) == 1:
            raise NotNowError
        return False

    maker = MapMaker(do=do)
    with pytest.raises(NotNowError):
        maker.work()
    assert maker.work()
    assert not maker.work()
    assert asked == 2 * [Job(Task.MEASURE, standard)]


def test_an_interrupted_job_is_done_again(db, calls, monkeypatch):
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 1})
    real = stock.certify_map
    monkeypatch.setattr(
        stock, "certify_map", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        MapMaker().work()
    monkeypatch.setattr(stock, "certify_map", real)
    work_until_idle(MapMaker())
    assert certification.list_unmeasured_maps() == ()
    assert stock_seeds() == [stock_seed("7-1a")]


def test_a_persons_map_from_a_stock_seed_does_not_belong_to_the_stock(
    db, calls, people, now, monkeypatch
):
    monkeypatch.setattr(stock, "STOCK_SIZES", {7: 1})
    key = library.store_chart(replace(standard_chart(), seed=stock_seed("7-1")), now=now)
    chart = StoredChart.objects.get(content_hash=key)
    SavedMap.objects.create(user_id=people["alice"], chart=chart, created_at=now)
    certify(key, now)
    assert stock.choose_stock_map() is None
    assert stock.find_missing_seed() == stock_seed("7-1")


def test_the_most_even_unplayed_map_comes_first(cast, now):
    keys = {}
    for number, spread in enumerate((0.3, 0.1, 0.2), 1):
        chart = replace(standard_chart(), seed=stock_seed(f"7-{number}"))
        keys[spread] = library.store_chart(chart, now=now)
        certify(keys[spread], now, spread)
    assert stock.choose_stock_map() == keys[0.1]
    game = cast_game(cast)
    game.chart = StoredChart.objects.get(content_hash=keys[0.1])
    game.save()
    assert stock.choose_stock_map() == keys[0.2]
    assert stock.choose_stock_map(5) is None


def test_a_game_on_a_new_map_uses_the_stock_or_the_generator(people, now, monkeypatch):
    from diplomaccloud.games.creation.actions import new_map
    from diplomaccloud.games.table.errors import Refused
    from diplomaccloud.maps.map_worker import MAP_WORKER

    requests = []

    def make(map_request):
        requests.append(map_request)
        raise BusyError("Busy.")

    monkeypatch.setattr(MAP_WORKER, "make", make)
    with pytest.raises(Refused, match="Busy"):
        new_map(now=now)
    ready = library.store_chart(replace(standard_chart(), seed=stock_seed("7-1a")), now=now)
    certify(ready, now)
    assert new_map(now=now) == ready
    assert len(requests) == 1


JOB = """
import os, time, django
django.setup()
from django.core.management import call_command
from diplomaccloud.maps.management.commands import mapmaker

def do_job(shipped, job):
    print("a line of the log", flush=True)
    if job.key == "long":
        time.sleep(600)
    return job.key == str(os.nice(0))

mapmaker.do_job = do_job
mapmaker.close_old_connections = lambda: None
call_command("mapmaker")
"""


def test_the_process_has_the_lowest_priority_and_ends_with_its_worker(
    process, settings, tmp_path, monkeypatch
):
    settings.DATA_DIR = tmp_path
    monkeypatch.setenv("DIPLOMACCLOUD_DATA", str(tmp_path))
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    let_stand_in(process, JOB)
    assert process.do(Job(Task.STORE, str(min(19, os.nice(0) + 19))))
    running = process._process
    session = Path(f"/proc/{running.pid}/autogroup")
    if session.exists():
        assert session.read_text().split()[-2:] == ["nice", "19"]
    running.stdin.write(b"store long\n")
    running.stdin.close()
    assert running.wait(PATIENCE) == 0
    running.stdin = None


def test_a_service_that_starts_the_mapmaker_learns_that_a_worker_does(monkeypatch):
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with pytest.raises(CommandError, match="remove the service"):
            call_command("mapmaker")
