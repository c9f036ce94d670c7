"""Who gave orders in a phase and who did not."""

from django.db.models import Q

from diplomaccloud.games.actions.opening import people_to_order
from diplomaccloud.games.actions.timing import closed_late
from diplomaccloud.games.models import Attendance, Phase, Seat
from diplomaccloud.games.records import board_in, position_of


def absent_seats(phase: Phase) -> list[Seat]:
    """Return the seats of people who have something to order and have submitted nothing.

    Saved, ready or a vote is a submission, whatever the orders: all units may hold.
    """
    given = Q(saved_at__isnull=False) | Q(ready_at__isnull=False) | ~Q(vote="")
    submitted = set(phase.submissions.filter(given).values_list("seat_id", flat=True))
    return [seat for seat in _asked(phase) if seat.pk not in submitted]


def record_attendance(phase: Phase) -> list[Seat]:
    """Return the absent seats, having written down who was there, in the transaction.

    Nobody is absent, only excused, if the site was away when the orders were due.
    """
    absent = absent_seats(phase)
    excused = phase.locked_at is not None and closed_late(phase, phase.locked_at)
    Attendance.objects.bulk_create(
        Attendance(
            phase=phase,
            seat=seat,
            user=seat.user,
            ordered=seat not in absent,
            excused=excused and seat in absent,
        )
        for seat in _asked(phase)
        if seat.user is not None
    )
    return [] if excused else absent


def _asked(phase: Phase) -> list[Seat]:
    board, position = board_in(phase), position_of(phase)
    return people_to_order(phase.game, board, position, phase.disorder)
