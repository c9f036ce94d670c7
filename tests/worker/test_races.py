"""Actions that start before the lock and have to wait for it, one step at a time."""

import datetime as dt

import pytest
import time_machine
from django.utils import timezone
from tests.games.steps import DAY, HOUR, ballot, call_vote, game, phase

from diplomaccloud.games.master.actions import change_time, force_phase
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.errors import DeadlinePassed, WrongMoment
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Status
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn import claims
from diplomaccloud.games.turn.claims import advance, claim_phase
from diplomaccloud.games.turn.turn import lock_phase, process_phase
from diplomaccloud.games.votes.wording import Question

MOMENT = dt.timedelta(milliseconds=1)


def extend(table, now, sequence=1):
    change_time(
        slug=table.slug,
        user_id=table.charlie,
        question=Question.EXTEND,
        length=HOUR,
        reason="Holidays.",
        key="press",
        now=now,
        sequence=sequence,
    )


def force(table, now):
    force_phase(
        slug=table.slug, user_id=table.charlie, sequence=1, reason="Go on.", key="press", now=now
    )


BUTTONS = {
    "ready": ("bob", "ready/"),
    "force": ("charlie", "master/end-phase/"),
    "resign": ("bob", "resign/"),
}
"""The buttons that can end the phase: who presses each, and its URL."""


def test_a_vote_that_ends_the_game_stops_a_worker_that_has_claimed_the_phase(cast):
    motion, due = call_vote(cast, "alice", "draw"), phase().due_at
    key = claim_phase(game_id=cast.game_id, owner="worker", now=due)
    ballot(cast, "bob", motion, now=due - MOMENT)
    assert not process_phase(phase_id=key, owner="worker", now=due)
    assert not lock_phase(phase_id=key, now=due)
    assert (game().status, phase().locked_at) == (Status.FINISHED, None)
    assert not Event.objects.filter(kind__in=("locked", "processed")).exists()


def test_an_extension_requested_before_the_lock_does_not_reopen_orders(table):
    due = phase().due_at
    Phase.objects.update(adjudicate_at=due + DAY)
    assert lock_phase(phase_id=phase().pk, now=due)
    with pytest.raises(WrongMoment, match="closed"):
        extend(table, due - MOMENT)
    assert phase().due_at == due
    assert not LogEntry.objects.exists()


def test_an_end_requested_before_the_lock_does_not_move_the_lock(table):
    due = phase().due_at
    Phase.objects.update(adjudicate_at=due + DAY)
    assert lock_phase(phase_id=phase().pk, now=due)
    force(table, due - MOMENT)
    assert (phase().due_at, phase().adjudicate_at) == (due, due)
    # The same request again, from someone who got no answer.
    force(table, due + HOUR)
    assert phase().adjudicate_at == due


@pytest.mark.parametrize("button", ["ready", "force", "resign"])
def test_a_request_that_ends_a_phase_locks_it_when_it_has_the_game_lock(table, monkeypatch, button):
    if button != "force":
        set_ready(slug=table.slug, user_id=table.alice, sequence=1, now=timezone.now())
    person, path = BUTTONS[button]
    claim = claims.claim_phase
    with time_machine.travel(timezone.now(), tick=False) as clock:
        pressed_at = timezone.now()

        def wait(**named):
            """Claim the phase, then move the clock, as if another action had come between."""
            claimed = claim(**named)
            if claimed:
                clock.shift(HOUR)
            return claimed

        monkeypatch.setattr(claims, "claim_phase", wait)
        form = {"phase": 1, "ready": 1, "reason": "All wrote to me.", "key": "k"}
        table.client(person).post(table.url(path), form)
    closed = Phase.objects.get(sequence=1)
    assert closed.due_at == pressed_at
    assert closed.locked_at == closed.processed_at == phase().opens_at == pressed_at + HOUR


def test_a_request_for_one_phase_does_not_move_the_next(table):
    due, master = phase().due_at, {"slug": table.slug, "user_id": table.charlie}
    assert advance(game_id=table.game_id, owner="worker", now=due) == 1
    with pytest.raises(DeadlinePassed, match="resolved"):
        extend(table, due - MOMENT, sequence=1)
    with pytest.raises(DeadlinePassed, match="resolved"):
        force_phase(**master, reason="Now.", key="k", now=timezone.now(), sequence=1)
    assert not LogEntry.objects.filter(phase=phase()).exists()
    extend(table, due + MOMENT, sequence=2)
    assert LogEntry.objects.get(phase=phase()).kind == "extended"
