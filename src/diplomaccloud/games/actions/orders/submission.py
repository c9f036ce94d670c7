"""Giving orders, being ready, and taking that back."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.orders.papers import (
    draft_for,
    live_draft,
    seat_and_phase,
    submit,
    write_rows,
)
from diplomaccloud.games.errors import TooMuchText
from diplomaccloud.games.models import Game, Phase, Seat, Submission, is_readiness_public
from diplomaccloud.judge.legality.order_entry import (
    OrderTextTooLong,
    Problem,
    Reading,
    read_orders,
)
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import end_early

__all__ = ["Problem", "Saved", "save_orders", "set_ready", "unset_ready", "write_orders"]


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of saving: the orders taken, and each piece refused with its reason.

    `counts` is everything that the draft they were saved in orders now, in canonical text;
    `live` says whether that is the draft that counts.
    """

    orders: tuple[Order, ...]
    problems: tuple[Problem, ...]
    counts: tuple[str, ...] = ()
    draft: str = ""
    live: bool = True


@transaction.atomic
def save_orders(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    choices: Sequence[str],
    sheet: str,
    now: dt.datetime,
    draft: str = "",
) -> Saved:
    """Return what was saved: legal orders replace the unit's last one, the others are refused.

    `choices` are orders in canonical text, one per unit at most; what `sheet` orders wins over
    the choice for its unit. Nothing that was saved before is lost by a refused piece. They go
    into the draft of that name, into the live one if it is blank; only that one submits. Raises
    `DeadlinePassed` when the phase is closed, `NotYourSeat` for a stranger, `TooMuchText`.
    """
    phase, seat = seat_and_phase(slug, user_id, sequence, now, "your orders were not saved")
    position, rules = phase.position, phase.game.rules
    powers = phase.powers_of(seat)
    try:
        reading = read_orders(
            phase.board, position, powers, choices=choices, text=sheet, rules=rules
        )
    except OrderTextTooLong as error:
        raise TooMuchText(str(error)) from error
    if reading.problems and not reading.orders:
        return Saved((), reading.problems)
    whole = position.phase.stage is Stage.ADJUSTMENTS
    paper = draft_for(phase, seat, draft, now)
    if paper.live:
        submit(phase, seat, now)
    counts = write_rows(paper, reading, whole=whole, now=now)
    events.record(game=phase.game, kind="saved" if paper.live else "drafted", now=now, seat=seat)
    return Saved(reading.orders, reading.problems, counts, paper.name, bool(paper.live))


def write_orders(
    *, phase: Phase, seat: Seat, reading: Reading, whole: bool, now: dt.datetime
) -> None:
    """Store orders in the seat's live draft, for bots and plans, in the transaction.

    `whole` says that they are the seat's whole set, so that others of it are withdrawn.
    """
    submit(phase, seat, now)
    write_rows(live_draft(phase, seat, now), reading, whole=whole, now=now)
    events.record(game=phase.game, kind="saved", now=now, seat=seat)


@transaction.atomic
def set_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> int | None:
    """Return the key of the game if everybody is ready now and its phase has become due."""
    phase, seat = seat_and_phase(slug, user_id, sequence, now, "you were not made ready in it")
    Submission.objects.update_or_create(
        phase=phase, seat=seat, defaults={"ready_at": now, "ahead": False}
    )
    _tell_ready(phase, seat, now, ready=True)
    return roll_over(phase, now)


@transaction.atomic
def unset_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Take the ready flag back."""
    phase, seat = seat_and_phase(slug, user_id, sequence, now, "you were ready when it ended")
    mine = phase.submissions.filter(seat=seat)
    if mine.filter(ahead=True).update(ready_at=None, ahead=False):
        # Nobody was told that a plan had made this seat ready, so nobody hears that it is not.
        return
    mine.update(ready_at=None)
    _tell_ready(phase, seat, now, ready=False)


def roll_over(phase: Phase, now: dt.datetime) -> int | None:
    """Return the key of the game if nobody is waited for, having made the phase due.

    The one place that decides it, asked in the transaction of whatever may leave nobody to wait
    for: somebody is ready or leaves, a bot is seated, a pause is over. All people who have
    something to order must be ready. A vacant seat is waited for only where it alone has:
    somebody may take it until the deadline.
    """
    game: Game = phase.game
    at = max(now, phase.opens_at)
    if phase.exact or phase.locked_at or phase.due_at <= at:
        return None
    timer = phase.timer()
    if timer.pause_at(at):
        return None
    asked = phase.seats_to_order()
    people = {one.pk for one in asked if one.user_id}
    vacant = any(not one.user_id and not one.bot for one in asked)
    ready = phase.submissions.exclude(ready_at=None).values_list("seat_id", flat=True)
    if people.difference(ready) or (vacant and not people):
        return None
    apply_move(phase, end_early(timer, key="ready", now=at))
    return game.pk


def _tell_ready(phase: Phase, seat: Seat, now: dt.datetime, *, ready: bool) -> None:
    """Tell everybody, but in retreats and adjustments the seat alone: see `tells_who_is_ready`."""
    data: dict[str, object] = {"power": seat.power, "ready": ready}
    public = is_readiness_public(phase.position.phase)
    own = None if public else seat
    events.record(game=phase.game, kind="ready", now=now, data=data, seat=own)
