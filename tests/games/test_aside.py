"""Games put aside by an alarm: what their players are told, and what they are given back."""

import datetime as dt

import pytest
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.utils import timezone
from tests.games.steps import DAY, HOUR, game, phase

from diplomaccloud.games import actions
from diplomaccloud.games.actions import processing
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import Event, Game, LogEntry, Phase

SECOND = dt.timedelta(seconds=1)


def log(*kinds):
    return list(LogEntry.objects.filter(kind__in=kinds).order_by("pk"))


def raising(error, monkeypatch):
    def process(**_):
        raise error

    monkeypatch.setattr(processing, "process_phase", process)


@pytest.mark.parametrize(
    "error",
    [OperationalError("gone"), InterfaceError("closed"), InternalError("read-only")],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_of_the_database_puts_no_game_aside(cast, monkeypatch, error):
    due = phase().due_at
    with monkeypatch.context() as patch:
        raising(error, patch)
        assert actions.advance(game_id=cast.game_id, owner="one", now=due) == 0
    assert game().alarm == ""
    later = due + actions.LEASE + SECOND
    assert actions.advance(game_id=cast.game_id, owner="two", now=later) == 1


@pytest.mark.parametrize("error", [DatabaseError("no row"), MemoryError("full"), KeyError("x")])
def test_its_players_are_told_and_the_alarm_is_for_the_keeper_alone(cast, monkeypatch, error):
    raising(error, monkeypatch)
    actions.advance(game_id=cast.game_id, owner="one", now=phase().due_at)
    assert type(error).__name__ in game().alarm
    (entry,) = log("aside")
    assert entry.phase == phase()
    for name in ("alice", "charlie", "nobody"):
        page = cast.client(name).get(cast.url()).content.decode()
        assert "Paused: we are looking into it." in page
        assert type(error).__name__ not in page
        told = cast.client(name).get(cast.url("log/")).content.decode()
        assert "The game was put aside" in told
        assert game().alarm not in told


def test_it_is_put_aside_once_however_many_say_so(cast):
    for reason in ("first", "second"):
        actions.put_aside(game_id=cast.game_id, reason=reason, now=timezone.now())
    assert game().alarm == "first"
    assert len(log("aside")) == Event.objects.filter(kind="aside").count() == 1
    # An error without words is an alarm too.
    Game.objects.update(alarm="")
    actions.put_aside(game_id=cast.game_id, reason="", now=timezone.now())
    assert game().alarm


def test_time_in_which_no_orders_could_be_given_is_given_back(cast):
    due, now = phase().due_at, timezone.now()
    actions.put_aside(game_id=cast.game_id, reason="x", now=now)
    with pytest.raises(WrongMoment, match="fault"):
        actions.set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now)
    actions.release_game(slug=cast.slug, now=now + 3 * DAY)
    assert phase().due_at == due + 3 * DAY
    released, credit = log("released", "credited")
    assert "goes on" in released.text
    assert credit.text.startswith("The game was put aside from ")
    assert "three days credited" in credit.text
    actions.set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now + 3 * DAY + HOUR)


def test_a_phase_that_was_due_is_processed_at_once_and_nobody_missed_it(cast):
    due = phase().due_at
    actions.put_aside(game_id=cast.game_id, reason="x", now=due)
    back = due + 2 * DAY
    actions.release_game(slug=cast.slug, now=back)
    assert phase().due_at == due
    assert actions.advance(game_id=cast.game_id, owner="test", now=back) == 1
    first = Phase.objects.get(sequence=1)
    assert set(first.attendances.values_list("excused", flat=True)) == {True}
    assert phase().due_at == back + DAY
    assert len(log("credited")) == 1


def test_it_may_happen_twice(cast):
    due, now = phase().due_at, timezone.now()
    for hours in (0, 4):
        actions.put_aside(game_id=cast.game_id, reason="x", now=now + hours * HOUR)
        actions.release_game(slug=cast.slug, now=now + (hours + 2) * HOUR)
    assert phase().due_at == due + 4 * HOUR
    assert [len(log(kind)) for kind in ("aside", "released", "credited")] == [2, 2, 2]
