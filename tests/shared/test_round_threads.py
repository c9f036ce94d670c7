"""What a process logs whose rounds fail."""

from types import SimpleNamespace

import pytest
from django.db import InterfaceError, OperationalError

from diplomaccloud.shared import round_threads
from diplomaccloud.shared.round_threads import log_failed_round


@pytest.fixture
def lines(monkeypatch):
    found = []
    log = SimpleNamespace(error=lambda event, **facts: found.append((event, facts)))
    monkeypatch.setattr(round_threads, "_log", log)
    monkeypatch.setattr(round_threads, "_complained_at", -round_threads._AWAY_SECONDS)
    return found


def connect(monkeypatch, server, *, is_usable=True):
    lost = SimpleNamespace(connection=server, is_usable=lambda: is_usable)
    monkeypatch.setattr(round_threads, "connection", lost)


@pytest.mark.parametrize("server", [None, "broken"], ids=["never reached", "lost"])
def test_an_absent_database_is_named_once_a_minute_for_all_threads(lines, monkeypatch, server):
    connect(monkeypatch, server, is_usable=False)
    now = iter([100.0, 100.0, 130.0, 161.0, 161.0])
    monkeypatch.setattr(round_threads, "time", SimpleNamespace(monotonic=lambda: next(now)))
    secret = OperationalError("no route to postgresql://site:sesame@db")
    for thread, error in (("mail", secret), ("maps", InterfaceError("closed")), ("mail", secret)):
        log_failed_round(error, thread=thread)
    assert [event for event, _ in lines] == ["database away"] * 2
    assert "DATABASE_URL" in lines[0][1]["fix"]
    assert "sesame" not in str(lines)
    assert "exc_info" not in lines[0][1]


@pytest.mark.parametrize("error", [ValueError("a fault"), OperationalError("deadlock detected")])
def test_other_errors_keep_their_traceback(lines, monkeypatch, error):
    connect(monkeypatch, None if isinstance(error, ValueError) else "fine")
    for _ in range(2):
        log_failed_round(error, thread="mail")
    assert lines == [("round failed", {"thread": "mail", "exc_info": error})] * 2
