"""An act that began before the lock and had to wait for it: what one step at a time shows."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.games.steps import DAY, HOUR, ballot, game, move, phase

from diplomaccloud.games import actions
from diplomaccloud.games.errors import DeadlinePassed, WrongMoment
from diplomaccloud.games.models import Event, LogEntry, Phase, Status

MOMENT = dt.timedelta(milliseconds=1)


def extend(table, now, sequence=1):
    actions.change_time(
        slug=table.slug,
        user_id=table.charlie,
        question=actions.Question.EXTEND,
        length=HOUR,
        reason="Holidays.",
        key="press",
        now=now,
        sequence=sequence,
    )


def test_a_vote_that_ends_the_game_before_the_lock_stops_a_worker_that_has_claimed_it(cast):
    motion, due = move(cast, "alice", "draw"), phase().due_at
    key = actions.claim_phase(game_id=cast.game_id, owner="worker", now=due)
    ballot(cast, "bob", motion, now=due - MOMENT)
    assert not actions.process_phase(phase_id=key, owner="worker", now=due)
    assert not actions.lock_phase(phase_id=key, now=due)
    assert (game().status, phase().locked_at) == (Status.FINISHED, None)
    assert not Event.objects.filter(kind__in=("locked", "processed")).exists()


def test_more_time_asked_for_before_the_orders_closed_does_not_open_them_again(table):
    due = phase().due_at
    Phase.objects.update(adjudicate_at=due + DAY)
    assert actions.lock_phase(phase_id=phase().pk, now=due)
    with pytest.raises(WrongMoment, match="closed"):
        extend(table, due - MOMENT)
    assert phase().due_at == due
    assert not LogEntry.objects.exists()


def test_what_was_meant_for_one_phase_does_not_move_the_next(table):
    due, master = phase().due_at, {"slug": table.slug, "user_id": table.charlie}
    assert actions.advance(game_id=table.game_id, owner="worker", now=due) == 1
    with pytest.raises(DeadlinePassed, match="resolved"):
        extend(table, due - MOMENT, sequence=1)
    with pytest.raises(DeadlinePassed, match="resolved"):
        actions.force_phase(**master, reason="Now.", key="k", now=timezone.now(), sequence=1)
    assert not LogEntry.objects.filter(phase=phase()).exists()
    extend(table, due + MOMENT, sequence=2)
    assert LogEntry.objects.get(phase=phase()).kind == "extended"
