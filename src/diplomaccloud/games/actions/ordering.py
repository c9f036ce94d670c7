"""Giving orders, being ready, and taking that back."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.opening import people_to_order
from diplomaccloud.games.errors import DeadlinePassed, NoSuchGame, NotYourSeat, WrongMoment
from diplomaccloud.games.models import OrderRow, Phase, Seat, Submission
from diplomaccloud.games.reading import Problem, Reading, read_orders
from diplomaccloud.games.records import board_of, position_of, unit_keys
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import order_to_json
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage

__all__ = ["Problem", "Saved", "save_orders", "set_ready", "unset_ready", "write_orders"]


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of saving: the orders kept, and each line refused with its reason."""

    orders: tuple[Order, ...]
    problems: tuple[Problem, ...]


@transaction.atomic
def save_orders(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    choices: Sequence[str],
    sheet: str,
    now: dt.datetime,
) -> Saved:
    """Return what was saved: legal orders replace the unit's last one, the others are refused.

    `choices` are orders in canonical text, one per unit at most; a line of `sheet` wins over
    the choice for its unit. Nothing that was saved before is lost by a refused line. Raises
    `DeadlinePassed` when the phase is closed, `NotYourSeat` for a stranger.
    """
    phase, seat = _open_phase(slug, user_id, sequence, now)
    position = position_of(phase)
    reading = read_orders(
        board_of(phase.game), position, Power(seat.power or ""), choices=choices, sheet=sheet
    )
    if reading.orders or not reading.problems:
        whole = position.phase.stage is Stage.ADJUSTMENTS
        write_orders(phase=phase, seat=seat, reading=reading, whole=whole, now=now)
    return Saved(reading.orders, reading.problems)


def write_orders(
    *, phase: Phase, seat: Seat, reading: Reading, whole: bool, now: dt.datetime
) -> None:
    """Store orders for a seat, for people and bots alike, within the caller's transaction.

    `whole` says that they are the seat's whole set, so that others of it are withdrawn.
    """
    keyed = unit_keys(reading.orders)
    earlier = phase.orders.filter(seat=seat)
    (earlier if whole else earlier.filter(unit__in=list(keyed))).delete()
    OrderRow.objects.bulk_create(
        OrderRow(
            phase=phase,
            seat=seat,
            unit=key,
            written=text[:200],
            canonical=order_to_json(order),
            saved_at=now,
        )
        for (key, order), (_, text) in zip(keyed.items(), reading.lines, strict=True)
    )
    Submission.objects.update_or_create(phase=phase, seat=seat, defaults={"saved_at": now})
    events.record(game=phase.game, kind="saved", now=now, seat=seat)


@transaction.atomic
def set_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> int | None:
    """Return the key of the game if everybody is ready now: its phase has become due."""
    phase, seat = _open_phase(slug, user_id, sequence, now)
    Submission.objects.update_or_create(phase=phase, seat=seat, defaults={"ready_at": now})
    _tell_ready(phase, seat, now, ready=True)
    waited_for = people_to_order(phase.game, board_of(phase.game), position_of(phase))
    ready = set(phase.submissions.exclude(ready_at=None).values_list("seat_id", flat=True))
    if any(one.pk not in ready for one in waited_for):
        return None
    phase.due_at = max(now, phase.opens_at)
    phase.save(update_fields=["due_at"])
    return phase.game_id


@transaction.atomic
def unset_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Take the ready flag back."""
    phase, seat = _open_phase(slug, user_id, sequence, now)
    phase.submissions.filter(seat=seat).update(ready_at=None)
    _tell_ready(phase, seat, now, ready=False)


def _tell_ready(phase: Phase, seat: Seat, now: dt.datetime, *, ready: bool) -> None:
    data: dict[str, object] = {"power": seat.power, "ready": ready}
    events.record(game=phase.game, kind="ready", now=now, data=data)


def _open_phase(slug: str, user_id: int, sequence: int, now: dt.datetime) -> tuple[Phase, Seat]:
    seat = (
        Seat.objects.select_related("game__chart").filter(game__slug=slug, user_id=user_id).first()
    )
    if seat is None:
        raise _stranger(slug)
    phase = Phase.objects.select_for_update().filter(game=seat.game).order_by("-sequence").first()
    if phase is None:
        raise WrongMoment("This game has not started yet.")
    phase.game = seat.game
    if phase.sequence != sequence or phase.processed_at or phase.due_at <= now:
        closed = phase.game.phases.filter(sequence=sequence).first()
        raise DeadlinePassed(_too_late(closed))
    if phase.game.alarm:
        raise WrongMoment("This game is paused until a fault in it is mended.")
    if Power(seat.power or "") not in powers_to_order(board_of(phase.game), position_of(phase)):
        raise WrongMoment("You have nothing to order in this phase.")
    return phase, seat


def _too_late(phase: Phase | None) -> str:
    if phase is None:
        return "There is no such phase: nothing was changed."
    title = JudgePhase.parse(phase.name).title
    return f"Too late: {title} is closed. Nothing was changed."


def _stranger(slug: str) -> Exception:
    public = Seat.objects.filter(game__slug=slug, game__private=False).exists()
    return NotYourSeat("You do not play in this game.") if public else NoSuchGame()
