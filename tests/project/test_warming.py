"""A web server renders pages for itself before it says that it is ready."""

import socket

import pytest
from django.core.signals import request_finished, request_started
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from diplomaccloud.pages import wrong_settings
from diplomaccloud.pages.wrong_settings import list_notes
from diplomaccloud.project import warming
from diplomaccloud.worker import views


@pytest.fixture(autouse=True)
def cold(monkeypatch, settings):
    """Let this process start once more, and keep the test's connection open."""
    settings.WARM_UP = "diplomaccloud.project.warming.warm_up"
    for signal in (request_started, request_finished):
        monkeypatch.setattr(signal, "send", lambda *_, **__: [])
    monkeypatch.setattr(warming, "_is_warm", warming.threading.Event())
    monkeypatch.setattr(views, "_seen_ready", warming.threading.Event())


@pytest.mark.parametrize("proxies", [0, 2])
@pytest.mark.parametrize("https", [False, True])
def test_pages_are_rendered_without_a_fault(table, settings, monkeypatch, tmp_path, https, proxies):
    monkeypatch.setattr(wrong_settings, "_noted_at", {})
    settings.DATA_DIR = tmp_path
    settings.ALLOWED_HOSTS = [".games.example"]
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    if https:
        settings.SECURE_SSL_REDIRECT = True
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    with capture_logs() as lines:
        assert Client().get("/health/ready").status_code == 200
    assert [line for line in lines if line["log_level"] != "info"] == []
    assert list_notes(timezone.now()) == []


def test_the_newest_public_game_and_one_of_its_players_are_shown(table, monkeypatch):
    shown = []
    monkeypatch.setattr(warming, "_render", shown.append)
    monkeypatch.setattr(warming, "_render_for", lambda *what: shown.append(what))
    warming.warm_up()
    warming.warm_up()
    assert f"/games/{table.slug}/" in shown
    (person,) = {who for who, _ in (one for one in shown if not isinstance(one, str))}
    assert person in {table.alice, table.bob, table.charlie}
    assert shown.count(f"/games/{table.slug}/") == 1


def test_a_site_without_games_gets_ready(db):
    assert Client().get("/health/ready").status_code == 200


def test_a_fault_of_a_page_is_logged_and_stops_nothing(table, monkeypatch):
    def fail(*_args, **_options):
        raise ZeroDivisionError

    monkeypatch.setattr(warming, "resolve", lambda _: (fail, (), {}))
    with capture_logs() as lines:
        warming.warm_up()
    assert {line["reason"] for line in lines if "reason" in line} == {"ZeroDivisionError()"}


@pytest.mark.parametrize("name", ["{}/notify", "@{}/notify"])
def test_systemd_waits_for_the_first_pages(monkeypatch, tmp_path, name):
    shown = []
    monkeypatch.setattr(warming, "warm_up", lambda: shown.append("pages"))
    address = name.format(tmp_path)
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address.replace("@", "\0"))
        systemd.settimeout(60)
        warming.start_warming()
        assert systemd.recv(100) == b"READY=1"
    assert shown == ["pages"]
