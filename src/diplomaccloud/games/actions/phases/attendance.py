"""Who submitted orders in a phase and who missed it."""

from dataclasses import dataclass

from django.db.models import Q

from diplomaccloud.games.actions.deadlines.moves import closed_late
from diplomaccloud.games.models import Attendance, Phase, Seat


@dataclass(frozen=True, slots=True)
class Roll:
    """The seats of people who have something to order, and those of them that did not submit."""

    asked: tuple[Seat, ...]
    absent: tuple[Seat, ...]


def call_roll(phase: Phase) -> Roll:
    """Return who has something to order and who submitted nothing.

    Saved orders, a ready mark or a draw vote is a submission; all units may hold.
    """
    given = Q(saved_at__isnull=False) | Q(ready_at__isnull=False) | ~Q(draw_vote="")
    submitted = set(phase.submissions.filter(given).values_list("seat_id", flat=True))
    asked = phase.people_to_order()
    return Roll(tuple(asked), tuple(seat for seat in asked if seat.pk not in submitted))


def record_attendance(phase: Phase, roll: Roll) -> list[Seat]:
    """Record who submitted orders, in the caller's transaction; return the absent seats.

    If the site was down when orders were due, the absent are excused and none is returned.
    """
    absent = list(roll.absent)
    excused = phase.locked_at is not None and closed_late(phase, phase.locked_at)
    Attendance.objects.bulk_create(
        Attendance(
            phase=phase,
            seat=seat,
            user=seat.user,
            ordered=seat not in absent,
            excused=excused and seat in absent,
        )
        for seat in roll.asked
        if seat.user is not None
    )
    return [] if excused else absent
