"""Games as everyone may see them, alone and in lists, and who calls."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer
from diplomaccloud.api.schemas.boards import BoardState, PhaseRef
from diplomaccloud.api.tokens import Scope


class PhaseState(Answer):
    """The phase that takes orders, or the last one of a finished game."""

    sequence: int = Field(description="Identifies the phase; orders name it.")
    name: str = Field(description="For example S1901M; after a rollback a name can occur twice.")
    title: str
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    closed: bool
    paused_until: dt.datetime | None
    quiet_from: dt.datetime | None


class HolderState(Answer):
    """Who holds a seat: `person` (blank name: hidden), `bot`, or nobody (`vacant`)."""

    kind: str
    name: str


class SeatState(Answer):
    """A seat as everyone may see it; `ready` is null where that is hidden or means nothing."""

    powers: list[str]
    country: str
    holder: HolderState
    centers: int
    units: int
    eliminated: bool
    must_order: bool
    ready: bool | None


class EndingState(Answer):
    """How a game ended."""

    winners: Sequence[str]
    reason: str


class GameState(Answer):
    """What everyone who may see the game may know; the same for all of them."""

    id: str
    version: int = Field(description="Grows whenever something public changes.")
    world: str
    map: str = Field(description="The hash of the map.")
    map_name: str
    status: str
    private: bool
    anonymous: bool
    suspended: bool
    rules: str
    options: dict[str, Any]
    centers_to_win: int
    master: str | None
    phase: PhaseState | None
    board: BoardState
    standoffs: list[str] = Field(description="Places no unit may retreat to, in a retreat phase.")
    seats: list[SeatState]
    last_phase: PhaseRef | None
    ending: EndingState | None


class ListedState(Answer):
    """A game in a list."""

    id: str
    world: str
    map: str
    map_name: str
    status: str
    phase: str | None
    due_at: dt.datetime | None
    people: int
    bots: int
    seats: int
    private: bool
    suspended: bool


class OwnGame(ListedState):
    """A game of the caller's own: `needs_you` until its orders are given and ready."""

    plays: bool
    country: str
    invited: bool
    needs_you: bool


class GamePage(Answer):
    """Games, the newest first; `older` is what to send as `before` for the next ones."""

    games: list[ListedState]
    older: str | None
    next_start: int | None = Field(
        None, description="What to send as `start`, where `older` is null."
    )


class Me(Answer):
    """Who the token stands for, and the games of that person."""

    screen_name: str
    token: str
    scopes: list[Scope]
    expires_at: dt.datetime
    seat: str | None = Field(description="The only game of a token for one seat.")
    unread_messages: int | None
    games: list[OwnGame]
