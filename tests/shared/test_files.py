"""Pictures that one machine draws and all machines serve, from a folder and from S3."""

import contextlib
import io
import random
from dataclasses import replace
from pathlib import Path

import boto3
import httpx
import pytest
from django.core.files.storage import storages
from moto.server import ThreadedMotoServer
from structlog.testing import capture_logs
from tests.ports import hold_port

from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import picture_files, pictures
from diplomaccloud.maps.library import find_chart, store_chart
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.picture_files import delete_pictures
from diplomaccloud.project.service_urls import parse_storage_url
from diplomaccloud.shared import files
from diplomaccloud.shared.outages import Away

LARGE = 20 * 1024 * 1024
"""Larger than what is held in memory at a time."""


@contextlib.contextmanager
def run_s3(monkeypatch):
    """Run a server with the interface of S3; yield it with the URL of an empty bucket."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    server = ThreadedMotoServer("127.0.0.1", hold_port(), verbose=False)
    server.start()
    try:
        endpoint = "http://{}:{}".format(*server.get_host_and_port())
        # All its servers of a process have the same buckets.
        httpx.post(f"{endpoint}/moto-api/reset")
        client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
        client.create_bucket(Bucket="games")
        yield server, f"s3://me:secret@games/site?endpoint={endpoint}&region=us-east-1"
    finally:
        with contextlib.suppress(Exception):
            server.stop()


def use_store(settings, url):
    settings.STORAGES = {**settings.STORAGES, "default": parse_storage_url(url)}
    settings.HAS_FILE_STORE = True
    files.outage.__init__("file store")


@pytest.fixture(params=["folder", "s3"])
def store(request, settings, tmp_path, monkeypatch):
    with contextlib.ExitStack() as stack:
        url = str(tmp_path / "shared")
        if request.param == "s3":
            _, url = stack.enter_context(run_s3(monkeypatch))
        use_store(settings, url)
        yield


@pytest.fixture
def machine(settings, tmp_path):
    """A function that lets the test be a machine of the site, with its own data directory."""

    def be(name):
        settings.DATA_DIR = Path(tmp_path, name)

    be("first")
    return be


def forbid(*_args, **_options):
    raise AssertionError("drawn a second time")


def test_a_file_of_the_store_is_found_by_its_name(store):
    assert files.load_file("maps/a/b") is None
    files.store_file("maps/a/b", b"old")
    files.store_file("maps/a/b", b"new")
    assert files.load_file("maps/a/b") == b"new"


class Source(io.BytesIO):
    """A file that refuses to be read whole."""

    def read(self, size=-1):
        content = super().read(size)
        assert len(content) < LARGE
        return content


def test_a_large_file_is_kept_and_removed_without_being_read_whole(store):
    content = random.Random(1).randbytes(LARGE)
    assert files.open_kept_file("exports/a.zip") is None
    for kept in (b"old", content):
        files.keep_file("exports/a.zip", Source(kept))
    with files.open_kept_file("exports/a.zip") as file:
        assert b"".join(file.chunks()) == content
    for _ in ("removed", "already removed"):
        files.remove_kept_file("exports/a.zip")
        assert files.open_kept_file("exports/a.zip") is None


def test_a_large_file_of_s3_is_read_through_the_disk(settings, monkeypatch):
    with run_s3(monkeypatch) as (_, url):
        use_store(settings, url)
        files.keep_file("exports/a.zip", io.BytesIO(random.Random(1).randbytes(LARGE)))
        with files.open_kept_file("exports/a.zip") as file:
            assert file.file._rolled


def test_a_kept_file_is_refused_while_the_store_is_away(settings, monkeypatch):
    with run_s3(monkeypatch) as (server, url):
        use_store(settings, url)
        server.stop()
        with capture_logs() as lines:
            for use in (files.open_kept_file, files.remove_kept_file):
                with pytest.raises(Away):
                    use("exports/a.zip")
            with pytest.raises(Away):
                files.keep_file("exports/a.zip", io.BytesIO(b"content"))
    assert "secret" not in str(lines)


def test_drafts_of_killed_processes_are_removed_with_the_file(settings, tmp_path):
    use_store(settings, str(tmp_path))
    for name in ("a.zip", "a.zip.host-1-2", "b.zip", "b.zip.host-1-2"):
        (tmp_path / name).write_bytes(b"half")
    files.remove_kept_file("a.zip")
    assert {path.name for path in tmp_path.iterdir()} == {"b.zip", "b.zip.host-1-2"}


@pytest.mark.long
def test_one_machine_draws_for_all(store, standard, machine, monkeypatch):
    size = pictures.ThumbnailSize.SMALL
    drawn = (
        pictures.load_base_svg(standard, "light"),
        pictures.load_thumbnail(standard, "dark", size),
    )
    machine("second")
    for name in ("render_base", "render_thumbnail"):
        monkeypatch.setattr(pictures, name, forbid)
    for _ in ("from the store", "from its own disk"):
        assert pictures.load_base_svg(standard, "light") == drawn[0]
        assert pictures.load_thumbnail(standard, "dark", size) == drawn[1]
        monkeypatch.setattr(files, "_read", forbid)


def test_pictures_of_a_deleted_map_leave_the_store_and_all_machines(
    store, standard, machine, now, settings, monkeypatch
):
    monkeypatch.setattr(pictures, "render_base", lambda chart, _: f"<svg>{chart.world}</svg>")
    key = store_chart(replace(standard_chart(), world="New"), now=now, listed=False)
    for name in ("second", "first"):
        machine(name)
        pictures.load_base_svg(key, "light")
    StoredChart.objects.filter(content_hash=key).delete()
    delete_pictures(key)
    # It is still in memory.
    pictures.load_base_svg(key, "dark")
    stored = f"maps/{renderer_version()}/{key}"
    assert [files.load_file(f"{stored}/{theme}.svg") for theme in ("light", "dark")] == [None] * 2
    for name in ("second", "first"):
        machine(name)
        monkeypatch.setattr(picture_files, "_LOOK_EVERY", 0)
        pictures.load_base_svg(standard, "light")
        assert not (settings.DATA_DIR / stored).exists()
        assert pictures.load_base_svg(standard, "light") == b"<svg>Europe</svg>"


def test_pictures_are_drawn_while_the_store_is_away(standard, machine, settings, monkeypatch):
    find_chart(standard)
    with run_s3(monkeypatch) as (server, url):
        use_store(settings, url)
        server.stop()
        with capture_logs() as lines:
            for theme in ("light", "dark"):
                assert pictures.load_base_svg(standard, theme).startswith(b"<svg")
    assert [line["event"] for line in lines] == ["service away"]
    assert "secret" not in str(lines)


def test_without_a_store_nothing_leaves_the_machine(standard, machine, monkeypatch):
    monkeypatch.setattr(type(storages), "__getitem__", forbid)
    assert pictures.load_base_svg(standard, "light") == pictures.load_base_svg(standard, "light")


def test_a_picture_is_never_seen_half_written(store, settings):
    if "folder_storage" not in settings.STORAGES["default"]["BACKEND"]:
        pytest.skip("S3 promises it")
    files.store_file("a/b", b"whole")
    folder = Path(settings.STORAGES["default"]["OPTIONS"]["location"])
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["b"]


def test_a_file_of_the_folder_is_on_the_disk(settings, tmp_path, disk):
    use_store(settings, str(tmp_path / "shared"))
    files.store_file("maps/a", b"picture")
    assert disk.has_content(tmp_path / "shared" / "maps" / "a")
