"""A machine with a wrong clock uses the clock of the database server."""

import datetime as dt
from types import SimpleNamespace

import pytest

from diplomaccloud.shared import site_clock
from diplomaccloud.shared.site_clock import SiteClock

HOUR = dt.timedelta(hours=1)


class FakeServer:
    """A server that returns the time without a zone, as MySQL does."""

    def __init__(self, instant):
        self._instant = instant

    def cursor(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def execute(self, _sql):
        return None

    def fetchone(self):
        return (self._instant.replace(tzinfo=None),)


@pytest.mark.parametrize(
    ("vendor", "ahead", "corrected"),
    [
        ("mysql", HOUR, HOUR),
        ("postgresql", -HOUR, -HOUR),
        ("mysql", dt.timedelta(seconds=1), dt.timedelta(0)),
        ("sqlite", HOUR, dt.timedelta(0)),
    ],
    ids=["ahead", "behind", "hardly", "no server"],
)
def test_the_clock_follows_the_database_server(monkeypatch, now, vendor, ahead, corrected):
    server = FakeServer(now)
    server.vendor = vendor
    monkeypatch.setattr(site_clock, "connection", server)
    monkeypatch.setattr(site_clock, "time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr(site_clock.timezone, "now", lambda: now + ahead)
    clock = SiteClock()
    assert clock.now() == now + ahead - corrected
    # A jump between two comparisons changes nothing, where there is a server.
    monkeypatch.setattr(site_clock.timezone, "now", lambda: now + ahead + HOUR)
    expected = now + ahead - corrected if vendor != "sqlite" else now + ahead + HOUR
    assert clock.now() == expected


@pytest.mark.django_db
def test_the_clock_agrees_with_the_servers_of_the_checks():
    clock = SiteClock()
    before, found, after = site_clock.timezone.now(), clock.now(), site_clock.timezone.now()
    assert before - site_clock.MIN_SKEW < found < after + site_clock.MIN_SKEW
