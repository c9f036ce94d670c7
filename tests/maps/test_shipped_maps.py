"""Maps that come with a release: their file, and how a site stores them."""

from dataclasses import replace

import pytest
from tests.maps.measurements import make_measurement

from diplomaccloud.atlas.chartfile import content_hash, dump_chart
from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import certification, gallery, library, mapmaker, stock
from diplomaccloud.maps.gallery_file import (
    GalleryFileError,
    ShippedMap,
    ShippedMaps,
    write_shipped_maps,
)
from diplomaccloud.maps.mapmaker import MapMaker
from diplomaccloud.maps.models import Certificate, ShippedChart, StoredChart
from diplomaccloud.maps.pictures import ThumbnailSize, load_thumbnail

from .test_certification import store_earlier


def make_shipped(world: str, spread: float = 0.2) -> ShippedMap:
    chart = replace(standard_chart(), world=world)
    found = make_measurement(content_hash(chart), spread)
    pictures = {"light-small": b"light picture", "dark-small": b"dark picture"}
    return ShippedMap(dump_chart(chart), found, renderer_version(), pictures)


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
