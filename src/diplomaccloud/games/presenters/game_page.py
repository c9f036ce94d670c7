"""What pages print of a game: frozen values without any row behind them."""

import datetime as dt
from dataclasses import dataclass

from django.utils.safestring import SafeString

from diplomaccloud.games.presenters.game_status import LifeView
from diplomaccloud.games.presenters.results import PhaseLink, PhaseReport
from diplomaccloud.games.presenters.seats import PowerBoard, SeatView
from diplomaccloud.games.presenters.shown_desk import Desk
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
class EndingView:
    """How the game ended; `shares` says who has a part and who has none, where that is asked."""

    winners: tuple[SeatView, ...]
    reason: str
    year: int
    shares: str = ""


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
class Inkwell:
    """The colours that one of the viewer's powers, `seat`, may be given."""

    seat: SeatView
    inks: tuple[Ink, ...]

    @property
    def printed(self) -> bool:
        """Whether the power has the map's own color, not one of its player's choice."""
        return not any(ink.chosen for ink in self.inks)


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
    inkwells: tuple[Inkwell, ...] = ()
    idle: tuple[str, ...] = ()
    masked: bool = False
    invited: bool = False
    ranked_by: str = "centers"

    @property
    def has_bots(self) -> bool:
        """Whether a bot plays along."""
        return any(seat.is_bot for seat in self.seats)
