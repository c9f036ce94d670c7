import logging
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from diplomaccloud.project import environment, logs

SOURCE = Path(environment.__file__).parents[2]
PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


def test_the_signing_key_is_made_once_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.delenv("DIPLOMACCLOUD_SECRET_KEY")
    key = environment.load_secret_key(tmp_path)
    assert len(key) > 50
    assert environment.load_secret_key(tmp_path) == key
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_signing_key_is_on_the_disk(tmp_path, monkeypatch, disk):
    monkeypatch.delenv("DIPLOMACCLOUD_SECRET_KEY")
    environment.load_secret_key(tmp_path)
    assert disk.has_content(tmp_path / "secret-key")
    assert disk.has_name(tmp_path / "secret-key")


def test_two_containers_whose_processes_have_the_same_id_read_one_key(tmp_path, monkeypatch):
    monkeypatch.delenv("DIPLOMACCLOUD_SECRET_KEY")
    keys, link = [], Path.hardlink_to

    def link_second(path, draft):
        monkeypatch.setattr(Path, "hardlink_to", link)
        keys.append(environment.load_secret_key(tmp_path))
        link(path, draft)

    monkeypatch.setattr(Path, "hardlink_to", link_second)
    keys.append(environment.load_secret_key(tmp_path))
    assert keys[0] == keys[1]
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_a_given_key_is_used_and_nothing_written(tmp_path, monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_SECRET_KEY", "given")
    assert environment.load_secret_key(tmp_path) == "given"
    assert list(tmp_path.iterdir()) == []


def test_words_and_flags(monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_ALLOWED_HOSTS", "a.example, b.example")
    monkeypatch.setenv("DIPLOMACCLOUD_HTTPS", "Yes")
    assert environment.read_words("ALLOWED_HOSTS") == ["a.example", "b.example"]
    assert environment.read_flag("HTTPS")
    assert not environment.read_flag("DEBUG")


@pytest.mark.parametrize(
    ("given", "proxies", "passed_on", "address"),
    [
        (None, 0, "9.9.9.9", "10.0.0.1"),
        ("", 0, "", "10.0.0.1"),
        ("1", 1, "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        ("2", 2, "6.6.6.6, 9.9.9.9, 10.0.0.2", "9.9.9.9"),
        ("1", 1, "", "10.0.0.1"),
        ("2", 2, "9.9.9.9", "10.0.0.1"),
        ("1", 1, "9.9.9.9:5678", "9.9.9.9"),
        ("1", 1, "[2001:db8::1]:443", "2001:db8::/64"),
        ("1", 1, "unknown", "10.0.0.1"),
    ],
    ids=[
        "nobody is believed",
        "set to nothing",
        "one is",
        "two are",
        "asked past the proxy",
        "asked past one of two",
        "with a port",
        "a network",
        "no address",
    ],
)
def test_a_person_s_address_is_what_the_proxies_say(
    monkeypatch, settings, given, proxies, passed_on, address
):
    monkeypatch.delenv("DIPLOMACCLOUD_PROXIES", raising=False)
    if given is not None:
        monkeypatch.setenv("DIPLOMACCLOUD_PROXIES", given)
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = environment.read_number("PROXIES")
    assert environment.read_number("PROXIES") == proxies
    headers = {"X-Forwarded-For": passed_on} if passed_on else {}
    request = RequestFactory(headers=headers).get("/", REMOTE_ADDR="10.0.0.1")
    assert get_adapter().get_client_ip(request) == address


@pytest.mark.parametrize("given", ["one", "-1", "1.5", "\u00b2"])
def test_a_number_that_is_none_is_named(monkeypatch, given):
    monkeypatch.setenv("DIPLOMACCLOUD_PROXIES", given)
    with pytest.raises(ImproperlyConfigured, match="DIPLOMACCLOUD_PROXIES must be a whole number"):
        environment.read_number("PROXIES")


def test_operations_md_describes_the_settings_that_the_site_reads_and_no_others():
    root = SOURCE.parent
    places = (SOURCE, root / "judge" / "src", *root.glob("extras/*/src"))
    paths = [path for place in places for path in place.rglob("*.py")]
    code = "".join(path.read_text("utf-8") for path in paths)
    read = set(re.findall(r'\bread_(?:text|flag|words|number)\(\s*"([A-Z_]+)"', code))
    other = set(re.findall(r'"DIPLOMACCLOUD_([A-Z_]+)"', code))  # of programs beside the site
    page = PAGE.read_text("utf-8")
    rows = "".join(re.findall(r"^\| (`DIPLOMACCLOUD_.*?) \|", page, re.MULTILINE))
    without_row = read - set(re.findall(r"`DIPLOMACCLOUD_([A-Z_]+)`", rows))
    unread = set(re.findall(r"DIPLOMACCLOUD_([A-Z_]+)", page)) - read - other
    assert (without_row, unread) == (set(), set())


def test_the_settings_read_every_variable_through_this_module():
    settings = SOURCE / "diplomaccloud" / "project" / "settings.py"
    assert re.findall(r"\bos\b|\w*getenv", settings.read_text("utf-8")) == []


def test_reading_the_settings_writes_nothing(tmp_path):
    given = {k: v for k, v in os.environ.items() if not k.startswith("DIPLOMACCLOUD_")}
    command = [sys.executable, "-c", "import diplomaccloud.project.settings"]
    subprocess.run(command, check=True, cwd=tmp_path, env=given | {"PYTHONPATH": str(SOURCE)})
    assert list(tmp_path.iterdir()) == []


def test_a_fresh_place_gets_logs_and_a_signing_key_once_django_runs(tmp_path):
    given = {k: v for k, v in os.environ.items() if k != "DIPLOMACCLOUD_SECRET_KEY"}
    script = """
import django
django.setup()
from django.core import signing
assert signing.loads(signing.dumps(7)) == 7
"""
    changes = {
        "DIPLOMACCLOUD_DATA": str(tmp_path / "new"),
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
        "PYTHONPATH": str(SOURCE),
    }
    subprocess.run([sys.executable, "-c", script], check=True, env=given | changes)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"logs", "secret-key"}


def test_a_log_that_cannot_be_kept_is_left_out(tmp_path):
    (tmp_path / "logs").write_text("a file where the directory should be")
    handler = logs.make_file_handler(tmp_path / "logs" / "web.log")
    assert isinstance(handler, logging.NullHandler)
