"""Who gave orders in a phase and who did not."""

from diplomaccloud.games.actions.opening import people_to_order
from diplomaccloud.games.models import Attendance, Phase, Seat
from diplomaccloud.games.records import board_of, position_of


def record_attendance(phase: Phase) -> list[Seat]:
    """Return the seats whose people missed the phase, having written down who was there.

    A saved or ready submission is a submission, whatever its orders: all units may hold.
    Within the caller's transaction.
    """
    submitted = set(phase.submissions.values_list("seat_id", flat=True))
    asked = people_to_order(phase.game, board_of(phase.game), position_of(phase), phase.disorder)
    Attendance.objects.bulk_create(
        Attendance(phase=phase, seat=seat, user=seat.user, ordered=seat.pk in submitted)
        for seat in asked
        if seat.user is not None
    )
    return [seat for seat in asked if seat.pk not in submitted]
