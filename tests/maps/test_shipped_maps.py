"""Maps that come with a release: their file, and how a site stores them."""

from collections import Counter
from dataclasses import replace

import pytest
from tests.maps.measurements import make_shipped

from diplomaccloud.atlas.chartfile import check_chart, load_chart
from diplomaccloud.atlas.landforms import find_named_faults
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import certification, gallery, library, mapmaker, stock
from diplomaccloud.maps.batch import WANTED, find_misses
from diplomaccloud.maps.gallery_file import (
    MAX_BYTES,
    SHIPPED_MAPS,
    GalleryFileError,
    ShippedMaps,
    write_shipped_maps,
)
from diplomaccloud.maps.mapmaker import MapMaker
from diplomaccloud.maps.measurement import (
    find_differences,
    measurement_to_json,
    plan_measurement,
    recompute,
)
from diplomaccloud.maps.models import Certificate, ShippedChart, StoredChart
from diplomaccloud.maps.pictures import ThumbnailSize, load_thumbnail

from .test_certification import store_earlier

MAPS = (make_shipped("First", 0.3), make_shipped("Second", 0.1))
TRIES = {"7 pangaea": 3}


@pytest.fixture
def path(tmp_path, settings, monkeypatch):
    """Write a file with two maps; return its path. Nothing is made or drawn."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    monkeypatch.setattr(stock, "STOCK_SIZES", {})
    monkeypatch.setattr(mapmaker, "list_undrawn_maps", list)
    path = tmp_path / "shipped.zip"
    write_shipped_maps(path, MAPS, TRIES)
    return path


@pytest.fixture
def stored(db, path, now):
    """Store the maps of the file, as a new site does."""
    stock.store_all_shipped_maps(ShippedMaps(path), now=now)


def damage(path, content: bytes) -> None:
    """Change a byte in the middle of `content` in the file."""
    data = bytearray(path.read_bytes())
    data[data.index(content) + len(content) // 2] ^= 1
    path.write_bytes(data)


def test_maps_are_read_as_they_were_written_and_the_bytes_are_always_the_same(path):
    shipped = ShippedMaps(path)
    assert shipped.hashes == tuple(each.hash for each in MAPS)
    assert tuple(shipped.read(key) for key in shipped.hashes) == MAPS
    assert shipped.tries == TRIES
    before = path.read_bytes()
    write_shipped_maps(path, (shipped.read(key) for key in shipped.hashes), shipped.tries)
    assert path.read_bytes() == before


def test_a_damaged_map_is_named_and_the_others_can_be_read(path):
    damage(path, b"light picture")
    shipped = ShippedMaps(path)
    first, second = shipped.hashes
    with pytest.raises(GalleryFileError, match=f"{path}: the map {first} is damaged"):
        shipped.read(first)
    assert shipped.read(second) == MAPS[1]


@pytest.mark.parametrize("content", [b"", b"PK no zip file"], ids=["empty", "other"])
def test_a_file_without_an_index_is_named(path, content):
    path.write_bytes(content)
    with pytest.raises(GalleryFileError, match=f"{path}: the index is damaged"):
        ShippedMaps(path)


def test_a_file_that_cannot_be_read_is_named(path, tmp_path):
    with pytest.raises(GalleryFileError, match=f"{tmp_path}: the index cannot be read: Is a dir"):
        ShippedMaps(tmp_path)
    shipped = ShippedMaps(path)
    path.unlink()
    with pytest.raises(GalleryFileError, match=f"{path}: the map {MAPS[0].hash} cannot be read"):
        shipped.read(MAPS[0].hash)


def test_a_map_that_is_not_that_of_its_hash_is_refused(path):
    with pytest.raises(ValueError, match="is not the same when it is read again"):
        write_shipped_maps(path, [replace(MAPS[0], text=MAPS[1].text)], {})
    assert ShippedMaps(path).hashes == tuple(each.hash for each in MAPS)


def test_a_missing_file_has_no_map(tmp_path):
    assert ShippedMaps(tmp_path / "none.zip").hashes == ()


def test_a_site_has_the_maps_with_certificates_and_pictures(stored):
    cards = gallery.build_gallery_page(gallery.GalleryFilter()).cards
    assert {card.name: card.spread for card in cards} == {"First": 0.3, "Second": 0.1}
    key = MAPS[1].hash
    assert certification.find_measurement(key) == MAPS[1].measurement
    assert certification.list_unmeasured_maps() == ()
    assert certification.list_partly_measured_maps(earlier=False) == ()
    assert load_thumbnail(key, "dark", ThumbnailSize.SMALL) == b"dark picture"
    assert stock.choose_stock_map() == key


def test_a_damaged_map_is_skipped(db, path, now):
    damage(path, b"light picture")
    (error,) = stock.store_all_shipped_maps(ShippedMaps(path), now=now)
    assert MAPS[0].hash in str(error)
    assert [row.name for row in StoredChart.objects.all()] == ["Second"]


def test_storing_them_again_changes_nothing(stored, path, now):
    before = [list(model.objects.values()) for model in (StoredChart, Certificate, ShippedChart)]
    stock.store_all_shipped_maps(ShippedMaps(path), now=now)
    for key in ShippedMaps(path).hashes:
        stock.store_shipped_map(ShippedMaps(path), key, now=now)
    after = [list(model.objects.values()) for model in (StoredChart, Certificate, ShippedChart)]
    assert after == before


def test_a_map_that_the_host_has_deleted_or_renamed_stays_so(stored, path, now):
    deleted, hidden = (each.hash for each in MAPS)
    Certificate.objects.filter(chart__content_hash=deleted).delete()
    StoredChart.objects.filter(content_hash=deleted).delete()
    library.hide_map_name(hidden)
    stock.store_all_shipped_maps(ShippedMaps(path), now=now)
    assert list(StoredChart.objects.values_list("name", flat=True)) == [f"Map {hidden[:8]}"]


@pytest.mark.long
def test_pictures_of_another_renderer_are_left_out(db, path, now):
    other = replace(MAPS[0], renderer="another")
    write_shipped_maps(path, [other], {})
    stock.store_all_shipped_maps(ShippedMaps(path), now=now)
    assert load_thumbnail(other.hash, "light", ThumbnailSize.SMALL) != b"light picture"


def test_the_mapmaker_adds_them_to_a_site_with_older_maps(db, path, now):
    old = replace(standard_chart(), seed=f"stock {stock.name_site()} 7-1a", world="Old")
    store_earlier(library.store_chart(old, now=now), now)
    damage(path, b"light picture")
    maker = MapMaker(shipped=path)
    assert maker.work()
    assert maker.work()
    names = set(StoredChart.objects.values_list("name", flat=True))
    assert names == {"Old", "Second"}, "the damaged map is left out, and the others are stored"
    assert stock.choose_stock_map() == MAPS[1].hash


def test_a_damaged_file_does_not_stop_the_mapmaker(db, path):
    path.write_bytes(b"")
    assert not MapMaker(shipped=path).work()


# The file of this release.


@pytest.fixture(scope="module")
def shipped():
    return ShippedMaps(SHIPPED_MAPS)


def test_the_shipped_maps_are_in_a_small_file(shipped):
    assert SHIPPED_MAPS.stat().st_size <= MAX_BYTES
    assert 0 < len(shipped.hashes) <= sum(shipped.tries.values())


def test_a_game_on_a_new_map_of_a_new_site_takes_a_shipped_map_for_seven(db, shipped, now):
    made = next(
        each for each in map(shipped.read, shipped.hashes) if len(each.measurement.powers) == 7
    )
    stock.store_shipped_map(shipped, made.hash, now=now)
    assert stock.choose_stock_map(7) == made.hash
    assert not certification.list_unmeasured_maps()
    assert not list(find_misses(made.measurement))


@pytest.mark.long
def test_the_shipped_maps_have_no_fault_and_whole_certificates_of_pinned_bots(shipped):
    players = Counter()
    for key in shipped.hashes:
        made = shipped.read(key)
        chart, found = check_chart(made.text), made.measurement
        assert find_named_faults(chart) == (), chart.world
        assert found.powers == tuple(chart.board.power_info)
        assert [(row.bot, len(row.games)) for row in found.rows] == list(
            plan_measurement(len(found.powers))
        )
        assert measurement_to_json(recompute(found)) == measurement_to_json(found)
        assert list(find_misses(found)) == [], chart.world
        assert set(made.pictures) == {"light-small", "dark-small"}
        players[len(found.powers)] += 1
    assert players[7]
    assert all(count <= WANTED[number] for number, count in players.items())


@pytest.mark.long
def test_games_of_the_certificates_can_be_played_again(shipped):
    for key in shipped.hashes:
        made = shipped.read(key)
        quickest = replace(made.measurement, rows=made.measurement.rows[:1])
        differences = find_differences(load_chart(made.text).board, quickest, 1)
        assert all(same for _, _, same in differences)
