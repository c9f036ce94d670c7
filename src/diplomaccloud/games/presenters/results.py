"""What pages print of a game's record: phases and their results, centers through the years."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from diplomaccloud.games.presenters.drafts import ReceiptLine, WrittenLine
from diplomaccloud.games.presenters.explanation import ExplanationView
from diplomaccloud.games.presenters.game_status import HistoryView
from diplomaccloud.games.presenters.seats import SeatView
from diplomaccloud.maps.gallery import MapPicture


@dataclass(frozen=True, slots=True)
class PhaseLink:
    """A processed phase."""

    sequence: int
    name: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One order and what became of it.

    `number` is its place among the results of its phase, from 0; `province` is where its unit
    stands, blank if there is none.
    """

    text: str
    outcome: str
    word: str
    reason: str
    succeeded: bool
    implicit: bool
    dislodged: bool
    destroyed: bool
    number: int
    province: str


@dataclass(frozen=True, slots=True)
class PowerReport:
    """The results of one power."""

    seat: SeatView
    lines: tuple[ResultLine, ...]


@dataclass(frozen=True, slots=True)
class Gain:
    """A center that changed hands."""

    province: str
    code: str
    seat: SeatView


@dataclass(frozen=True, slots=True)
class WrittenPower:
    """What was written for one power."""

    seat: SeatView
    lines: tuple[WrittenLine, ...]


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """A processed phase with everybody's orders, and the ways to its neighbours."""

    sequence: int
    name: str
    title: str
    url: str
    overlay: SafeString
    picture: MapPicture
    powers: tuple[PowerReport, ...]
    standoffs: tuple[str, ...]
    gained: tuple[Gain, ...]
    first_url: str
    previous_url: str
    next_url: str
    last_url: str
    number: int
    of: int
    history: HistoryView | None = None
    receipts: tuple[ReceiptLine, ...] = ()
    written: tuple[WrittenPower, ...] = ()
    why: ExplanationView | None = None


@dataclass(frozen=True, slots=True)
class CenterRow:
    """One power's number of centers after each year."""

    seat: SeatView
    counts: tuple[int, ...]
    change: int


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """One center's owner after each year."""

    code: str
    name: str
    owners: tuple[SeatView | None, ...]


@dataclass(frozen=True, slots=True)
class CentersView:
    """The supply centers through the years."""

    years: tuple[int, ...]
    rows: tuple[CenterRow, ...]
    owners: tuple[OwnerRow, ...]
