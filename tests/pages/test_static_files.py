"""Static files: their addresses change with their contents, and browsers may keep them."""

import gzip
import os
import re
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
from django.templatetags.static import static

from diplomaccloud.pages import static_files
from diplomaccloud.pages.static_files import prepare_release, release_digest


def read(response) -> bytes:
    return b"".join(response.streaming_content)


def test_a_file_of_this_release_is_compressed_and_cached_for_a_year(client):
    address = static("pages/css/base.css")
    assert address == f"/static/{release_digest()}/pages/css/base.css"
    for encoding, decompress in (("gzip", gzip.decompress), ("br", brotli.decompress)):
        response = client.get(address, headers={"accept-encoding": encoding})
        assert response.headers["Cache-Control"] == "max-age=315360000, public, immutable"
        assert response.headers["Content-Encoding"] == encoding
        assert decompress(read(response)) == read(client.get(address))


@pytest.mark.parametrize("address", ["/static/", "/static/0123456789ab/"])
def test_an_address_of_another_release_is_answered_but_not_cached_for_long(client, address):
    response = client.get(f"{address}pages/css/base.css")
    assert read(response) == read(client.get(static("pages/css/base.css")))
    age = re.search(r"max-age=(\d+)", response.headers["Cache-Control"])
    assert int(age[1]) <= 60


def test_a_file_that_does_not_exist_is_not_found(client, db):
    assert client.get("/static/0123456789ab/pages/nothing.css").status_code == 404


def test_fonts_are_not_compressed_a_second_time(client):
    address = static("pages/fonts/pagella-regular.woff2")
    response = client.get(address, headers={"accept-encoding": "gzip"})
    assert "Content-Encoding" not in response.headers


@pytest.mark.long
def test_threads_that_start_at_once_prepare_one_release(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(static_files, "_BROTLI_QUALITY", 0)  # each thread compresses all files
    monkeypatch.setattr(static_files, "_LEVEL", 1)
    with ThreadPoolExecutor(4) as pool:
        folders = set(pool.map(prepare_release, ["0123456789ab"] * 4))
    (folder,) = folders
    assert (folder / "pages/css/base.css.gz").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["0123456789ab"]


def test_a_release_is_on_the_disk_before_it_has_its_name(settings, tmp_path, monkeypatch):
    settings.DATA_DIR, found = tmp_path, []

    def sync():
        (folder,) = (tmp_path / "static").iterdir()
        found.append((folder.name == "0123456789ab", (folder / "base.css").exists()))

    monkeypatch.setattr(static_files, "_write_files", lambda folder: (folder / "base.css").touch())
    monkeypatch.setattr(os, "sync", sync)
    assert prepare_release("0123456789ab").exists()
    assert found == [(False, True)]
