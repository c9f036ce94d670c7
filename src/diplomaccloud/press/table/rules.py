"""Who may speak when: the rules of press as pure functions of a game's state at a time."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from diplomaccloud.games.table.options import Press
from diplomaccloud.judge.phases import Stage
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.schedule import Deadline, DeadlineMove, MoveKind, find_quiet_time

WRITING_MOVES: Final = (MoveKind.PAUSED, MoveKind.RESUMED, MoveKind.GRACE, MoveKind.TALKED)
"""The kinds of deadline moves that affect who may speak."""


class Moment(StrEnum):
    """What a game allows at a time: a column in the table of who may speak."""

    FORMING = "forming"
    OPEN = "open"
    CLOSED = "closed"
    OVER = "over"


class Why(StrEnum):
    """Why a conversation is closed now; blank if it is open."""

    NOTHING = ""
    QUIET = "quiet time"
    PAUSED = "paused"
    ORDERS_CLOSED = "orders closed"
    RETREATS = "retreats"
    BUILDS = "builds"
    SUSPENDED = "suspended"
    UNTIL_END = "until the end"
    NOT_STARTED = "not started"
    STARTED = "started"
    LEFT = "left"
    SILENT = "silent"
    VACANT = "vacant"
    READER = "reader"
    NO_MASTER = "no master"
    REFUSED = "refused"
    LIMITED = "limited"


class PressVerdict(Enum):
    """Whether a message may be sent. For an absent kind, the answer is a 404."""

    ALLOWED = "allowed"
    CLOSED = "closed"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class PressPhase:
    """The newest phase, with the `WRITING_MOVES` of its deadline in `moves`, oldest first.

    `closed` says whether its orders are locked or it has been processed.
    """

    stage: Stage
    deadline: Deadline
    closed: bool
    moves: Sequence[DeadlineMove] = ()


@dataclass(frozen=True, slots=True)
class PressState:
    """What a game allows at a time, why it allows no more, and when quiet time starts.

    `quiet_from` is None without quiet time, and in the past once it has started.
    """

    moment: Moment
    why: Why = Why.NOTHING
    quiet_from: dt.datetime | None = None


_ALL: Final = frozenset({AddressKind.PUBLIC, AddressKind.GRAY, AddressKind.SEATS})
_PUBLIC: Final = frozenset({AddressKind.PUBLIC, AddressKind.GRAY})
_NONE: Final[frozenset[AddressKind]] = frozenset()
TABLE: Final[Mapping[Press, Mapping[Moment, frozenset[AddressKind]]]] = {
    Press.FULL: {Moment.OPEN: _ALL, Moment.CLOSED: _ALL, Moment.OVER: _ALL},
    Press.PUBLIC: {Moment.OPEN: _PUBLIC, Moment.CLOSED: _PUBLIC, Moment.OVER: _ALL},
    Press.RULEBOOK: {Moment.OPEN: _ALL, Moment.CLOSED: _NONE, Moment.OVER: _ALL},
    Press.NONE: {Moment.OPEN: _NONE, Moment.CLOSED: _NONE, Moment.OVER: _PUBLIC},
}
"""The kinds of conversations that seats may write to, under each rule at each moment."""


def find_state(
    phase: PressPhase | None, *, over: bool, suspended: bool, writing: dt.timedelta, at: dt.datetime
) -> PressState:
    """Return what the game allows at `at`; `phase` is None before the start.

    `writing` is the length of quiet time, zero if there is none.
    """
    if over:
        return PressState(Moment.OVER)
    if phase is None:
        return PressState(Moment.FORMING, Why.NOT_STARTED)
    if suspended:
        return PressState(Moment.CLOSED, Why.SUSPENDED)
    return _find_phase_state(phase, writing, at)


def _find_phase_state(phase: PressPhase, writing: dt.timedelta, at: dt.datetime) -> PressState:
    if phase.stage is not Stage.MOVEMENT:
        why = Why.RETREATS if phase.stage is Stage.RETREATS else Why.BUILDS
        return PressState(Moment.CLOSED, why)
    quiet_from = find_quiet_time(phase.deadline, phase.moves, writing) if writing else None
    if phase.closed or phase.deadline.orders_at <= at:
        return PressState(Moment.CLOSED, Why.ORDERS_CLOSED, quiet_from)
    if is_paused(phase.moves, at):
        return PressState(Moment.CLOSED, Why.PAUSED, quiet_from)
    if quiet_from is not None and quiet_from <= at:
        return PressState(Moment.CLOSED, Why.QUIET, quiet_from)
    return PressState(Moment.OPEN, Why.NOTHING, quiet_from)


def is_paused(moves: Sequence[DeadlineMove], at: dt.datetime) -> bool:
    """Return whether the game is paused at `at`; `moves` are oldest first."""
    for move in reversed(moves):
        if move.kind is MoveKind.PAUSED:
            return at < move.at + move.by
        if move.kind is MoveKind.RESUMED:
            return False
    return False


def decide(press: Press, kind: AddressKind, state: PressState) -> tuple[PressVerdict, Why]:
    """Return whether a game's rule of press allows messages to conversations of a kind now.

    A kind that the rule excludes while the game runs is absent. This does not consider the person,
    or kinds that other options turn off; see `state`.
    """
    moment = state.moment
    is_forming = moment is Moment.FORMING
    if kind is AddressKind.PREGAME and not is_forming:
        return PressVerdict.CLOSED, Why.STARTED
    if kind is AddressKind.NOTES or kind is AddressKind.PREGAME:
        return PressVerdict.ALLOWED, Why.NOTHING
    if is_forming:
        return PressVerdict.ABSENT, Why.NOT_STARTED
    if kind is AddressKind.MASTER or kind in TABLE[press][moment]:
        return PressVerdict.ALLOWED, Why.NOTHING
    if kind in TABLE[press][Moment.OPEN]:
        return PressVerdict.CLOSED, state.why
    return PressVerdict.ABSENT, Why.UNTIL_END


OPENED_AT_END: Final = frozenset({AddressKind.SEATS, AddressKind.PREGAME})
"""The kinds that the end of a game opens to everyone who may see it, if the players agreed."""
OPENED_BY_CONSENT: Final = OPENED_AT_END | {AddressKind.MASTER, AddressKind.NOTES}
"""The kinds that open once everyone who could ever read the conversation has agreed."""

QUARTER: Final = dt.timedelta(minutes=15)
"""Gray messages are published every 15 minutes, so that they cannot be matched to log-ins."""


def publication_time(at: dt.datetime) -> dt.datetime:
    """Return when a gray message accepted at `at` is published: the next quarter hour."""
    return last_quarter(at) + QUARTER


def last_quarter(at: dt.datetime) -> dt.datetime:
    """Return the latest quarter hour that is not after `at`."""
    return at.replace(minute=at.minute - at.minute % 15, second=0, microsecond=0)
