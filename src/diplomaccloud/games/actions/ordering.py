"""Giving orders, being ready, and taking that back."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.locks import lock_game, open_phase_for, seat_in
from diplomaccloud.games.actions.opening import people_to_order
from diplomaccloud.games.actions.timing import apply_move
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import Draft, Game, OrderRow, Phase, Seat, Submission
from diplomaccloud.games.reading import Problem, Reading, read_orders
from diplomaccloud.games.records import board_of, position_of, powers_of, timer_of, unit_keys
from diplomaccloud.games.schedule import rolled_over
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.codec import order_to_json
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage

__all__ = ["Problem", "Saved", "save_orders", "set_ready", "unset_ready", "write_orders"]

FIRST_DRAFT = "Orders"
"""The name of the draft that exists before a player has named any."""


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
    phase, seat = seat_and_phase(slug, user_id, sequence, now)
    position = position_of(phase)
    reading = read_orders(
        board_of(phase.game), position, powers_of(seat, phase), choices=choices, sheet=sheet
    )
    if reading.orders or not reading.problems:
        whole = position.phase.stage is Stage.ADJUSTMENTS
        write_orders(phase=phase, seat=seat, reading=reading, whole=whole, now=now)
    return Saved(reading.orders, reading.problems)


def write_orders(
    *, phase: Phase, seat: Seat, reading: Reading, whole: bool, now: dt.datetime
) -> None:
    """Store orders in the seat's live draft, for people and bots alike, in the transaction.

    `whole` says that they are the seat's whole set, so that others of it are withdrawn.
    """
    draft = live_draft(phase, seat, now)
    keyed = unit_keys(reading.orders)
    (draft.orders.all() if whole else draft.orders.filter(unit__in=list(keyed))).delete()
    OrderRow.objects.bulk_create(
        OrderRow(
            draft=draft,
            unit=key,
            written=text[:200],
            canonical=order_to_json(order),
            saved_at=now,
        )
        for (key, order), (_, text) in zip(keyed.items(), reading.lines, strict=True)
    )
    Submission.objects.update_or_create(
        phase=phase, seat=seat, defaults={"saved_at": now, "ahead": False}
    )
    events.record(game=phase.game, kind="saved", now=now, seat=seat)


def live_draft(phase: Phase, seat: Seat, now: dt.datetime) -> Draft:
    """Return the seat's live draft, saved at `now`; it is made if there is none."""
    draft, _ = Draft.objects.update_or_create(
        phase=phase,
        seat=seat,
        live=True,
        defaults={"saved_at": now},
        create_defaults={"saved_at": now, "name": FIRST_DRAFT},
    )
    return draft


@transaction.atomic
def set_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> int | None:
    """Return the key of the game if everybody is ready now and its phase has become due."""
    phase, seat = seat_and_phase(slug, user_id, sequence, now)
    Submission.objects.update_or_create(
        phase=phase, seat=seat, defaults={"ready_at": now, "ahead": False}
    )
    _tell_ready(phase, seat, now, ready=True)
    return roll_over(phase, now)


@transaction.atomic
def unset_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Take the ready flag back."""
    phase, seat = seat_and_phase(slug, user_id, sequence, now)
    phase.submissions.filter(seat=seat).update(ready_at=None, ahead=False)
    _tell_ready(phase, seat, now, ready=False)


def roll_over(phase: Phase, now: dt.datetime) -> int | None:
    """Return the key of the game if all who must order are ready, having made the phase due."""
    game: Game = phase.game
    if phase.exact or timer_of(phase).pause_at(now):
        return None
    waited_for = people_to_order(game, board_of(game), position_of(phase), phase.disorder)
    ready = set(phase.submissions.exclude(ready_at=None).values_list("seat_id", flat=True))
    if any(one.pk not in ready for one in waited_for):
        return None
    at = max(now, phase.opens_at)
    apply_move(phase, rolled_over(timer_of(phase), key="ready", now=at))
    return game.pk


def seat_and_phase(slug: str, user_id: int, sequence: int, now: dt.datetime) -> tuple[Phase, Seat]:
    """Return the open phase and the person's seat, the game locked; raise what forbids orders."""
    game = lock_game(slug)
    seat = seat_in(game, user_id)
    phase = open_phase_for(game, sequence, now)
    if not set(powers_of(seat, phase)) & powers_to_order(board_of(game), position_of(phase)):
        raise WrongMoment("You have nothing to order in this phase.")
    if any(power in phase.disorder for power in powers_of(seat, phase)):
        raise WrongMoment("Your country has surrendered: it takes no orders any more.")
    return phase, seat


def _tell_ready(phase: Phase, seat: Seat, now: dt.datetime, *, ready: bool) -> None:
    data: dict[str, object] = {"power": seat.power, "ready": ready}
    events.record(game=phase.game, kind="ready", now=now, data=data)
