"""What pages print of a game's life: its clock, log, votes, vacant seats, its master's console."""

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClockView:
    """The time of the open phase in words; `at` is the instant that is counted down to.

    `when` and `adjudicated` say whether it is at the latest or exactly then, as `bound` does.
    `state` is `open`, `closed` (orders are closed and will be adjudicated), `due` (being
    adjudicated) or `paused`, and then `until` says how long and `ends` how it ends. `times` are
    the instants that all this is about, each with a word, which `when` tells by the clocks in
    `zone`: a page tells them by its reader's.
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


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the public log; `by` is blank for the software."""

    at: dt.datetime
    kind: str
    text: str
    reason: str
    by: str
    phase: str


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, newest first."""

    lines: tuple[LogLine, ...]
    page: int
    pages: int
    master: str


@dataclass(frozen=True, slots=True)
class MotionView:
    """A vote: counts, never names. `mine` is `yes`, `no` or blank; `outcome` once it is over."""

    pk: int
    text: str
    agreed: int
    against: int
    asked: int
    needed: int
    closes_at: dt.datetime
    mine: str
    may_vote: bool
    may_withdraw: bool
    outcome: str = ""
    closed_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class LengthChoice:
    """A length of time to choose, in seconds and words."""

    seconds: int
    words: str


@dataclass(frozen=True, slots=True)
class Movable:
    """A question that may be put to the vote now, with what it asks for besides."""

    kind: str
    label: str
    lengths: tuple[LengthChoice, ...] = ()
    powers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class VotesView:
    """The votes of a game for those who play in it."""

    open: tuple[MotionView, ...]
    closed: tuple[MotionView, ...]
    movable: tuple[Movable, ...]


@dataclass(frozen=True, slots=True)
class VacantSeat:
    """A seat that somebody may take over, and how its country stands.

    `barred` says why the viewer may not, though others may; blank if nothing is in the way.
    """

    power: str
    country: str
    color: str
    centers: int
    units: int
    since_at: dt.datetime
    world: str = ""
    url: str = ""
    phase: str = ""
    barred: str = ""


@dataclass(frozen=True, slots=True)
class LifeView:
    """The life of a game on its pages.

    `ballot` is what the viewer wrote with the orders (`none`, `draw`, `surrender`), blank for
    whoever has no vote. `votes` is None for those who do not play. `asks_code` says that the
    viewer needs the game's code to take over a seat.
    """

    clock: ClockView | None
    lines: tuple[LogLine, ...]
    master: str
    is_master: bool
    votes: VotesView | None
    ballot: str
    vacant: tuple[VacantSeat, ...]
    given_up: bool
    can_take: bool
    asks_code: bool
    can_resign: bool
    can_seat_bot: bool
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AbandonedLine:
    """Phases that a roll-back left behind: when, why, and the ways to them."""

    at: dt.datetime
    text: str
    reason: str
    phases: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HistoryView:
    """What a phase's page tells besides its results.

    `told` are the votes written with the orders; `left` is set on a phase that was rolled
    back; `lines` are all that were.
    """

    told: str
    left: AbandonedLine | None
    lines: tuple[AbandonedLine, ...]


@dataclass(frozen=True, slots=True)
class MasterView:
    """What a game master can do now. `key` makes a button pressed twice one act."""

    key: str
    plays: bool
    paused: bool
    extensions: tuple[LengthChoice, ...]
    pauses: tuple[LengthChoice, ...]
    people: tuple[tuple[str, str, str], ...]
    back: tuple[tuple[int, str], ...]
    forward: bool
