"""Who submitted orders in a phase and who missed it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from diplomaccloud.games.actions.deadlines.moves import closed_late, ended_by_force
from diplomaccloud.games.actions.pending import add_figures
from diplomaccloud.games.models import Attendance, Phase, Seat, Tenure


@dataclass(frozen=True, slots=True)
class Roll:
    """The seats of people who have something to order, and those for which nothing was saved."""

    expected: tuple[Seat, ...]
    absent: tuple[Seat, ...]


def call_roll(phase: Phase) -> Roll:
    """Return the seats that had something to order, and those whose players were absent.

    A player counts as present after submitting anything: orders in any draft, even one that is not
    live, conditional orders, a ready mark or a draw vote, even if it was refused or taken back.
    Nothing is expected of a new player who took the seat so late that it owes no orders, unless
    that player submitted something: see `Timer.is_late`.
    """
    present = {
        row.seat_id
        for row in phase.locked_submissions
        if row.saved_at or row.ready_at or row.draw_vote or row.tried_at
    }
    expected = phase.people_to_order()
    if not present.issuperset(seat.pk for seat in expected):
        drafts = phase.drafts.held().order_by().values_list("seat_id", flat=True)
        conditions = phase.conditional_orders.held().order_by().values_list("seat_id", flat=True)
        present.update(drafts.union(conditions))
    if phase.locked_at or not present.issuperset(seat.pk for seat in expected):
        late = _find_late(phase, expected, present)
        expected = [seat for seat in expected if seat.pk not in late]
    return Roll(tuple(expected), tuple(seat for seat in expected if seat.pk not in present))


def _find_late(phase: Phase, seats: Sequence[Seat], present: Collection[int]) -> set[int]:
    """Return the seats whose new players took them too late to owe orders in the phase.

    After the lock, that is true even of a seat for which an earlier player submitted. A player who
    left the game before is not new, unless an appeal undid that.
    """
    # Otherwise a player could leave and return before each deadline without missing a turn.
    left = Tenure.objects.filter(
        seat__game=phase.game, user=OuterRef("user"), until_at__isnull=False
    )
    held = Tenure.objects.filter(
        ~Exists(left.exclude(left="")),
        seat__in=seats,
        until_at=None,
        since_at__gt=phase.opens_at,
    )
    since = dict(held.values_list("seat_id", "since_at"))
    if not since:
        return set()
    timer = phase.timer()
    return {
        key
        for key, at in since.items()
        if (phase.locked_at and at > phase.locked_at)
        or (key not in present and timer.is_late(phase.opens_at, at))
    }


def record_attendance(phase: Phase, roll: Roll) -> list[Seat]:
    """Record who submitted orders, in the caller's transaction; return the absent seats.

    If the site was down when orders were due, or the phase was ended before that by force,
    absences are excused and no seat is returned.
    """
    absent = list(roll.absent)
    excused = bool(absent) and (
        (phase.locked_at is not None and closed_late(phase, phase.locked_at))
        or ended_by_force(phase)
    )
    rows = [
        Attendance(
            phase=phase,
            seat=seat,
            user_id=seat.user_id,
            ordered=seat not in absent,
            excused=excused and seat in absent,
        )
        for seat in roll.expected
        if seat.user_id is not None
    ]
    Attendance.objects.bulk_create(rows)
    if not phase.game.options.anonymous:
        counted = (row for row in rows if not row.excused)
        add_figures({row.user_id: {"turns": 1, "missed": int(not row.ordered)} for row in counted})
    return [] if excused else absent
