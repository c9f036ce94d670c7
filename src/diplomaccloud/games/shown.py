"""What pages print of a game: frozen values without any row behind them."""

import datetime as dt
from dataclasses import dataclass

from django.utils.safestring import SafeString

from diplomaccloud.games.shown_life import HistoryView, LifeView
from diplomaccloud.games.shown_papers import (
    AheadView,
    Difference,
    DraftTab,
    ReceiptLine,
    WrittenLine,
)
from diplomaccloud.maps.gallery import MapPicture


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in a list. `needs_you`: the viewer has orders to give or is not ready yet.

    `paused_until` is when its pause ends at the longest; `aside`: put aside by an alarm.
    """

    slug: str
    url: str
    world: str
    map_name: str
    thumb_url: str
    status: str
    phase_title: str
    due_at: dt.datetime | None
    humans: int
    seats: int
    bots: int
    private: bool
    creator: str
    your_country: str
    yours: bool
    invited: bool
    needs_you: bool
    outcome: str
    dark_thumb_url: str = ""
    paused_until: dt.datetime | None = None
    aside: bool = False


@dataclass(frozen=True, slots=True)
class LobbyView:
    """Lists of games: the viewer's own, and public ones of others by status."""

    yours: tuple[GameCard, ...]
    open: tuple[GameCard, ...]
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat; `power` is blank before the draw.

    `ready` is None when it has nothing to order, which `asked` says, and when it is not told.

    A player of several powers has each in `parts`; `power` is then the first, and centers and
    units are those of all. `pk` names the seat to the game's maker before the start.
    """

    power: str
    power_name: str
    country: str
    color: str
    player: str
    is_bot: bool
    is_you: bool
    centers: int
    units: int
    rank: int
    eliminated: bool
    ready: bool | None
    pk: int = 0
    reliability: str = ""
    profile_url: str = ""
    parts: tuple["SeatView", ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class GameHeader:
    """The standard head of every page of a game, as of now.

    `due_at` is when the phase closes at the latest, or if `exact` at that time. `aside`: put
    aside by an alarm.
    """

    slug: str
    url: str
    world: str
    map_name: str
    map_url: str
    status: str
    phase: str
    phase_title: str
    season: str
    year: int
    stage: str
    sequence: int
    due_at: dt.datetime | None
    exact: bool
    edition: str
    private: bool
    creator: str
    victory_centers: int
    end_year: int | None
    version: int
    aside: bool
    orders_url: str
    ready_url: str
    sketch_url: str
    country_url: str
    centers_url: str
    state_url: str
    live_url: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal order; `value` is what a form posts.

    `place` is the printed name of where it leads or happens, `target_title` names the unit it
    helps.
    """

    value: str
    label: str
    kind: str
    unit: str
    target: str
    to: str
    province: str
    place: str
    target_title: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Legal orders of one kind."""

    kind: str
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One line of the order form: a unit, a build or a disband, with every legal choice.

    `selected` is the value in force, the default if nothing is `saved`. `blank` labels an
    empty choice, if there is one. `power` names the country where a player has several.
    """

    key: str
    unit: str
    title: str
    province: str
    dislodged: bool
    by: str
    selected: str
    saved: bool
    blank: str
    groups: tuple[ChoiceGroup, ...]
    power: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """The viewer's own orders in the open phase, as one of the drafts has them.

    `sheet` is what the live draft orders, one order a line; `saved_at` when it was submitted.
    `draft` is the draft shown, and `live` whether it is the one that counts; if not,
    `differences` has a line for each unit. `ahead` is None where nothing can be written ahead,
    `by_plan` says that these orders were. `closed`: no orders are taken any more, and what
    was given is carried out at `judged_at`.
    """

    heading: str
    hint: str
    slots: tuple[Slot, ...]
    sheet: str
    ready: bool
    saved_at: dt.datetime | None
    must_order: bool
    draft: str = ""
    live: bool = True
    live_name: str = ""
    drafts: tuple[DraftTab, ...] = ()
    drafts_url: str = ""
    differences: tuple[Difference, ...] = ()
    ahead: AheadView | None = None
    by_plan: bool = False
    closed: bool = False
    judged_at: dt.datetime | None = None
    copy_url: str = ""
    receipt: ReceiptLine | None = None


@dataclass(frozen=True, slots=True)
class PhaseLink:
    """A processed phase."""

    sequence: int
    name: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One order and what became of it."""

    text: str
    outcome: str
    word: str
    reason: str
    succeeded: bool
    implicit: bool
    dislodged: bool
    destroyed: bool


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


@dataclass(frozen=True, slots=True)
class EndingView:
    """How the game ended; `shares` says who has a part and who has none, where that is asked."""

    winners: tuple[SeatView, ...]
    reason: str
    year: int
    shares: str = ""


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit on the board."""

    text: str
    title: str
    dislodged: bool


@dataclass(frozen=True, slots=True)
class PowerBoard:
    """What a power has on the board: units, and centers by name."""

    seat: SeatView
    units: tuple[UnitLine, ...]
    centers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """Something agreed on: what it is about, and plain sentences."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody invited who has not joined."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour that a country may be given, with its name in words."""

    color: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class GameView:
    """Everything one viewer may see of a game now.

    `desk` is None for whoever has no orders to give; `recent` are the
    last movement phase and what followed it, oldest first. `ranked_by` is `centers` or `pieces`.
    """

    header: GameHeader
    seats: tuple[SeatView, ...]
    you: SeatView | None
    picture: MapPicture
    overlay: SafeString
    desk: Desk | None
    armies: tuple[PowerBoard, ...]
    phases: tuple[PhaseLink, ...]
    recent: tuple[PhaseReport, ...]
    can_join: bool
    can_leave: bool
    can_start: bool
    can_manage: bool
    start_hint: str
    empty_seats: int
    code: str
    invite_url: str
    ending: EndingView | None
    life: LifeView
    rules: tuple[RuleLine, ...] = ()
    guests: tuple[Guest, ...] = ()
    inks: tuple[Ink, ...] = ()
    idle: tuple[str, ...] = ()
    masked: bool = False
    invited: bool = False
    ranked_by: str = "centers"

    @property
    def has_bots(self) -> bool:
        """Whether a bot plays along."""
        return any(seat.is_bot for seat in self.seats)

    @property
    def has_ink(self) -> bool:
        """Whether the viewer's country has a color of its player's choice."""
        return any(ink.chosen for ink in self.inks)


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
