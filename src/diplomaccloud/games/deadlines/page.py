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
class ClockView:
    """The deadline of the open phase; `at` is the instant to count down to.

    `when` and `adjudicated` say whether the time is the latest or a fixed one.
    `adjudicated` is blank if the phase is adjudicated when orders close. `until` and `ends` say
    when and how a pause ends. `times` has every instant with a label, for the reader's own time
    zone; other fields use `zone`. `faces` are the current state and those that follow it without
    any action. `quiet` says when quiet time starts, blank without any.
    """

    state: str
    at: dt.datetime
    bound: str
    when: str
    adjudicated: str = ""
    until: str = ""
    ends: str = ""
    zone: str = "UTC"
    times: tuple[tuple[str, dt.datetime], ...] = ()
    faces: tuple[ClockFace, ...] = ()
    quiet_from: dt.datetime | None = None
    is_quiet: bool = False
    quiet: str = ""


def present_clock(clock: Clock) -> ClockView:
    """Return the deadline of the open phase in words."""
    deadline, exact = clock.deadline, clock.deadline.exact
    is_later = deadline.adjudicate_at != deadline.orders_at
    adjudicated = _describe_instant(deadline.adjudicate_at, clock.zone, exact=exact)
    return ClockView(
        state=clock.state.value,
        at=deadline.adjudicate_at if clock.closed else deadline.orders_at,
        bound=format_bound(deadline),
        when=_describe_instant(deadline.orders_at, clock.zone, exact=exact),
        adjudicated=adjudicated if is_later else "",
        until=format_instant(clock.paused_until, clock.zone) if clock.paused_until else "",
        ends=_describe_end(clock),
        zone=clock.zone,
        times=_list_times(clock),
        faces=_list_faces(clock),
        quiet_from=clock.quiet_from,
        is_quiet=_is_quiet(clock),
        quiet=_describe_quiet(clock),
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
    left = max((clock.deadline.orders_at - clock.read_at) // _MINUTE, 1) * _MINUTE
    due = f"Orders are due in {format_duration(left)}."
    if clock.late and not returns:
        return f"{due} A new player need not order in this phase."
    return due


def _describe_instant(instant: dt.datetime, zone: str, *, exact: bool) -> str:
    """Return `by Sunday, March 1, 14:50 UTC`, or `Sunday, March 1, exactly at …`."""
    day, _, clock = format_instant(instant, zone).rpartition(", ")
    return f"{day}, exactly at {clock}" if exact else f"by {day}, {clock}"


def _is_quiet(clock: Clock) -> bool:
    is_open = clock.state is ClockState.OPEN
    return is_open and clock.quiet_from is not None and clock.quiet_from <= clock.read_at


def _describe_quiet(clock: Clock) -> str:
    """Return a sentence about quiet time while orders are open, blank without quiet time."""
    if clock.quiet_from is None or clock.state is not ClockState.OPEN:
        return ""
    if _is_quiet(clock):
        return "Quiet time: nobody can write until the next movement phase."
    start = format_instant(clock.quiet_from, clock.zone)
    return f"Quiet time starts {start}. Nobody can write after that."


def _describe_end(clock: Clock) -> str:
    if clock.state is not ClockState.PAUSED:
        return ""
    if clock.has_master:
        return "A vote or the game master can end it sooner."
    return "A vote can end it sooner."


def _list_times(clock: Clock) -> tuple[tuple[str, dt.datetime], ...]:
    deadline = clock.deadline
    due, judged = ("due", deadline.orders_at), ("adjudicated", deadline.adjudicate_at)
    times = [judged] if clock.closed else [due]
    if not clock.closed and deadline.orders_at != deadline.adjudicate_at:
        times.append(judged)
    if clock.paused_until is not None:
        times.insert(0, ("paused until", clock.paused_until))
    return tuple(times)


def _list_faces(clock: Clock) -> tuple[ClockFace, ...]:
    deadline, zone = clock.deadline, clock.zone
    if clock.paused_until is not None:
        until = format_instant(clock.paused_until, zone)
        return (ClockFace(ClockState.PAUSED.value, clock.paused_until, until),)
    faces = [
        ClockFace(state.value, at, format_instant(at, zone))
        for state, at in (
            (ClockState.OPEN, deadline.orders_at),
            (ClockState.CLOSED, deadline.adjudicate_at),
        )
    ]
    faces.append(ClockFace(ClockState.DUE.value))
    if deadline.adjudicate_at == deadline.orders_at:
        del faces[1]
    states = [face.state for face in faces]
    # Orders can be locked early and then still be adjudicated at the same instant.
    present = clock.state.value
    return tuple(faces[states.index(present) :] if present in states else faces[-1:])
