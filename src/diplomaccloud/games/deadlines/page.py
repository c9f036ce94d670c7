"""The deadline of the open phase in words."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.deadlines.read import Clock, ClockState
from diplomaccloud.schedule import format_bound, format_duration, format_instant

_MINUTE = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What the clock shows in one state; `at` is the instant it counts down to, or None."""

    state: str
    at: dt.datetime | None = None
    when: str = ""


@dataclass(frozen=True, slots=True)
class ClockWords:
    """The deadline of the open phase in words.

    `when` and `adjudicated` say whether the time is the latest or a fixed one.
    `adjudicated` is blank if the phase is adjudicated when orders close. `until` and `ends` say
    when and how a pause ends. `times` has every instant with a label, for the reader's own time
    zone; other fields use the clock's. `faces` are the current state and those that follow it
    without any action. `quiet` says when quiet time starts, blank without any.
    """

    bound: str
    when: str
    adjudicated: str
    until: str
    ends: str
    times: tuple[tuple[str, dt.datetime], ...]
    faces: tuple[ClockFace, ...]
    is_quiet: bool
    quiet: str


def present_clock(clock: Clock) -> ClockWords:
    """Return the deadline of the open phase in words."""
    deadline, zone = clock.deadline, clock.zone
    is_later = deadline.adjudicate_at != deadline.orders_at
    until = ends = quiet = ""
    times = [] if clock.closed else [("due", deadline.orders_at)]
    if clock.closed or is_later:
        times.append(("adjudicated", deadline.adjudicate_at))
    if clock.paused_until is not None:
        times.insert(0, ("paused until", clock.paused_until))
        until = format_instant(clock.paused_until, zone)
        who = "A vote or the game master" if clock.has_master else "A vote"
        ends = f"{who} can end it sooner."
    quiet_from = clock.quiet_from if clock.state is ClockState.OPEN else None
    is_quiet = quiet_from is not None and quiet_from <= clock.read_at
    if is_quiet:
        quiet = "Quiet time: nobody can write until the next movement phase."
    elif quiet_from is not None:
        start = format_instant(quiet_from, zone)
        quiet = f"Quiet time starts {start}. Nobody can write after that."
    return ClockWords(
        bound=format_bound(deadline),
        when=_describe_instant(deadline.orders_at, zone, exact=deadline.exact),
        adjudicated=(
            _describe_instant(deadline.adjudicate_at, zone, exact=deadline.exact)
            if is_later
            else ""
        ),
        until=until,
        ends=ends,
        times=tuple(times),
        faces=_list_faces(clock),
        is_quiet=is_quiet,
        quiet=quiet,
    )


def describe_takeover(clock: Clock, *, returns: bool) -> str:
    """Return how much time a player has who takes over a seat now, and what is expected.

    `returns` says whether the player left the game before: more is expected of such a player.
    """
    if clock.state is ClockState.PAUSED:
        return "The game is paused."
    if clock.state is not ClockState.OPEN and returns:
        return "Orders for this phase are closed. If you return now, you may miss a turn."
    if clock.state is not ClockState.OPEN:
        return "Orders for this phase are closed. Your first orders are for the next phase."
    remaining = max((clock.deadline.orders_at - clock.read_at) // _MINUTE, 1) * _MINUTE
    due = f"Orders are due in {format_duration(remaining)}."
    if clock.late and not returns:
        return f"{due} A new player need not order in this phase."
    return due


def _describe_instant(instant: dt.datetime, zone: str, *, exact: bool) -> str:
    """Return `by Sunday, March 1, 14:50 UTC`, or `Sunday, March 1, exactly at …`."""
    day, _, clock = format_instant(instant, zone).rpartition(", ")
    return f"{day}, exactly at {clock}" if exact else f"by {day}, {clock}"


def _list_faces(clock: Clock) -> tuple[ClockFace, ...]:
    deadline, zone = clock.deadline, clock.zone
    if clock.paused_until is not None:
        until = format_instant(clock.paused_until, zone)
        return (ClockFace(ClockState.PAUSED.value, clock.paused_until, until),)
    ends = {ClockState.OPEN: deadline.orders_at, ClockState.CLOSED: deadline.adjudicate_at}
    if deadline.adjudicate_at == deadline.orders_at:
        del ends[ClockState.CLOSED]
    faces = [ClockFace(state.value, at, format_instant(at, zone)) for state, at in ends.items()]
    faces.append(ClockFace(ClockState.DUE.value))
    # Orders can be locked early and then still be adjudicated at the same instant.
    states = [face.state for face in faces]
    present = clock.state.value
    return tuple(faces[states.index(present) :] if present in states else faces[-1:])
