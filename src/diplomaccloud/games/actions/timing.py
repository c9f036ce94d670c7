"""Moving the deadline of a phase, each time with a line in the log that says why."""

from collections.abc import Sequence

from diplomaccloud.games.actions.ledger import write_log
from diplomaccloud.games.models import LogEntry, Phase, Seat
from diplomaccloud.games.records import country_of, deadline_of, timer_of
from diplomaccloud.games.schedule import Kind, Moved, graced, moved_to_json


def apply_move(
    phase: Phase,
    moved: Moved,
    *,
    by: int | None = None,
    reason: str = "",
    seats: Sequence[int] = (),
) -> bool:
    """Return whether the move was new: the phase has its new deadline, the log its line.

    Within the caller's transaction, the game locked. A move said before changes nothing.
    """
    key = f"moved {phase.sequence} {moved.key}"
    if phase.game.log.filter(key=key).exists():
        return False
    phase.due_at, phase.adjudicate_at = moved.new.orders_at, moved.new.adjudicate_at
    phase.exact = moved.new.exact
    phase.save(update_fields=["due_at", "adjudicate_at", "exact"])
    write_log(
        game=phase.game,
        phase=phase,
        kind=moved.kind.value,
        key=key,
        text=moved.why,
        now=moved.at,
        by=by,
        reason=reason,
        data={"moved": moved_to_json(moved), "seats": list(seats)},
    )
    return True


def grant_grace(phase: Phase, missing: Sequence[Seat]) -> bool:
    """Return whether seats that gave no orders get a second deadline, each once in a game.

    Asked when orders would be closed; counted from then.
    """
    names = {country_of(seat): seat.pk for seat in missing}
    given = LogEntry.objects.filter(game=phase.game, kind=Kind.GRACE.value)
    spent_by = {key for entry in given for key in entry.data["seats"]}
    spent = [name for name, key in names.items() if key in spent_by]
    moved = graced(
        timer_of(phase),
        missing=list(names),
        spent=spent,
        key="grace",
        now=deadline_of(phase).orders_at,
    )
    if moved is None:
        return False
    late = [key for key in names.values() if key not in spent_by]
    return apply_move(phase, moved, seats=late)
