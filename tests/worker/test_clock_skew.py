"""A machine with a wrong clock uses the clock of the database server."""

import datetime as dt

import pytest

from diplomaccloud.worker import skew
from diplomaccloud.worker.skew import SiteClock

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
    monkeypatch.setattr(skew, "connection", server)
    monkeypatch.setattr(skew.timezone, "now", lambda: now + ahead)
    clock = SiteClock()
    assert clock.now() == now + ahead
    clock.compare()
    assert clock.now() == now + ahead - corrected


@pytest.mark.django_db
def test_the_clock_agrees_with_the_servers_of_the_checks():
    clock = SiteClock()
    clock.compare()
    before = skew.timezone.now()
    assert abs(clock.now() - before) < skew.MIN_SKEW
