"""The site as an app: manifest, icons, service worker, and whom its responses are for."""

import json
import re
import struct

import pytest
from django.contrib.staticfiles import finders

from diplomaccloud.accounts.models import User
from diplomaccloud.pages.installation import account_mark
from diplomaccloud.pages.static_files import release_digest


def read(response) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def test_the_manifest_names_icons_that_exist_in_their_sizes(client):
    response = client.get("/manifest.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    icons = json.loads(response.content)["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        content = read(client.get(icon["src"]))
        if icon["type"] == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", content[16:24])) == icon["sizes"]


@pytest.mark.parametrize(
    ("path", "start"), [("/favicon.ico", b"\0\0\1\0"), ("/apple-touch-icon.png", b"\x89PNG")]
)
def test_browsers_find_an_icon_where_they_look_for_it(client, path, start):
    response = client.get(path)
    assert read(response).startswith(start)
    assert "max-age" in response.headers["Cache-Control"]


def test_the_service_worker_changes_with_the_release_and_is_never_cached(client):
    response = client.get("/service-worker.js")
    assert response.headers["Cache-Control"] == "no-cache"
    release = json.loads(re.search(r"self\.release = (\{.*\});", response.text)[1])
    assert release["digest"] == release_digest()
    for address in [*release["shell"], release["offlinePage"]]:
        assert client.get(address).status_code == 200


@pytest.mark.django_db
def test_the_offline_page_is_the_same_for_everybody(client):
    stranger = client.get("/offline/").content
    client.force_login(User.objects.create_user("alice", password="a long enough word"))
    assert client.get("/offline/").content == stranger


@pytest.mark.django_db
def test_an_answer_names_its_account_without_revealing_it(client):
    assert client.get("/").headers["Account"] == "none"
    alice = User.objects.create_user("alice", password="a long enough word")
    bob = User.objects.create_user("bob", password="a long enough word")
    client.force_login(alice)
    mark = client.get("/").headers["Account"]
    assert mark == account_mark(alice) != account_mark(bob)
    assert re.fullmatch("[0-9a-f]{16}", mark)


def test_only_pages_of_games_with_a_person_may_be_stored(cast):
    path = f"/games/{cast.slug}/"
    assert cast.client("alice").get(path).headers["Offline-Copy"] == "allowed"
    for response in (
        cast.client("nobody").get(path),
        cast.client("alice").get("/"),
        cast.client("alice").get(f"{path}receipts/"),
    ):
        assert "Offline-Copy" not in response.headers


def test_every_stored_script_is_part_of_the_site():
    for name in ("service-worker.js", "offline-store.js", "offline.js", "offline-page.js"):
        assert finders.find(f"pages/js/{name}")
