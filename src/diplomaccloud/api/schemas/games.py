"""The public view of games, alone and in lists, and the caller."""

import datetime as dt
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from diplomaccloud.api.schemas.base import Answer
from diplomaccloud.api.schemas.boards import BoardState, PhaseRef
from diplomaccloud.api.schemas.options import OPTIONS
from diplomaccloud.api.tokens import Scope

GameStatus = Annotated[
    str, Field(json_schema_extra={"enum": ["forming", "running", "finished", "canceled"]})
]

UnratedReason = Annotated[
    str | None,
    Field(
        json_schema_extra={"enum": ["few people", "given up", None]},
        description="Why the game's result does not count, as things stand; null if it counts.",
    ),
]


class PhaseState(Answer):
    """The open phase, or the last phase of a finished game."""

    sequence: int = Field(description="The number of the phase. Send it with your orders.")
    name: str = Field(
        description="For example S1901M; after a rollback, two phases can share a name."
    )
    title: str
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    closed: bool
    paused_until: dt.datetime | None
    quiet_from: dt.datetime | None


class HolderState(Answer):
    """The holder of a seat: `person` (the name is blank if hidden), `bot`, or `vacant`."""

    kind: Annotated[str, Field(json_schema_extra={"enum": ["person", "bot", "vacant"]})]
    name: str


class SeatState(Answer):
    """The public view of a seat; `ready` is null if it is hidden or does not apply."""

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
    """The public state of a game, the same for everyone who may see it."""

    id: str
    version: int = Field(description="Increases whenever the public state changes.")
    world: str
    map: str = Field(description="The hash of the map.")
    map_name: str
    status: GameStatus
    private: bool
    anonymous: bool
    suspended: bool
    rules: str
    options: Annotated[dict[str, Any], WithJsonSchema(OPTIONS)]
    centers_to_win: int
    master: str | None
    phase: PhaseState | None
    board: BoardState
    standoffs: list[str] = Field(
        description="In a retreat phase, places no unit may retreat to because of a standoff."
    )
    seats: list[SeatState]
    last_phase: PhaseRef | None
    ending: EndingState | None
    unrated: UnratedReason


class ListedState(Answer):
    """A game in a list; `reliability` is the least one of a player in percent, 0 for none."""

    id: str
    world: str
    map: str
    map_name: str
    status: GameStatus
    phase: str | None
    due_at: dt.datetime | None
    people: int
    bots: int
    seats: int
    private: bool
    reliability: int
    suspended: bool


class OwnGame(ListedState):
    """One of the caller's games; `needs_you` is true until the orders are saved and ready."""

    plays: bool
    country: str
    invited: bool
    needs_you: bool


class GamePage(Answer):
    """A page of games, newest first. Send `older` as `before` for the next page."""

    games: list[ListedState]
    older: str | None
    next_start: int | None = Field(
        None, description="The `start` for the next page, if `older` is null."
    )


class Me(Answer):
    """The person whose token this is, and that person's games."""

    screen_name: str
    token: str
    scopes: list[Scope]
    expires_at: dt.datetime
    seat: str | None = Field(description="The game that the token is limited to, if any.")
    unread_messages: int | None
    games: list[OwnGame]
