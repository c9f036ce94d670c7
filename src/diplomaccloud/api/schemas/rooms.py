"""The waiting room of a game that has not started, and vacant seats."""

import datetime as dt
from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from diplomaccloud.api.ids import PublicId
from diplomaccloud.api.schemas.base import Answer, Given
from diplomaccloud.api.schemas.lobby import BOTS_ABOUT
from diplomaccloud.games.table.options import MAX_YEAR


class RoomSeat(Answer):
    """A taken seat; `key` identifies it in `dismissals`.

    While names are hidden, `name` is blank, only the creator gets `key`, and `ready` is null except
    on your own seat.
    """

    key: str
    name: str
    bot: bool
    you: bool
    ready: bool | None


class Room(Answer):
    """The waiting room of a game. `code` and `invited` are blank unless you may share them.

    `ready` counts the people who are ready to start. While names are hidden, the order of `seats`
    means nothing.
    """

    game: str
    code: str
    seats: list[RoomSeat]
    free: int
    ready: int
    invited: list[str]


class CodeFound(Answer):
    """The private game for a code. If `needs_code` is true, send the code when you join."""

    game: str
    needs_code: bool


class OfferState(Answer):
    """A vacant seat of a public game."""

    game: str
    world: str
    phase: str
    power: str
    country: str
    centers: int
    units: int
    since: dt.datetime


class OfferList(Answer):
    """Vacant seats that you may take over. The longest vacant come first."""

    offers: list[OfferState]


class InvitationGiven(Given):
    """A person to invite, identified by screen name."""

    name: Annotated[str, Field(min_length=1, max_length=40)]


class DismissalGiven(Given):
    """The key of the seat in the waiting room to free."""

    seat: PublicId


class ReadinessGiven(Given):
    """Whether you are ready to start."""

    ready: StrictBool


class CountryGiven(Given):
    """The name of your country. Blank restores the printed name."""

    country: Annotated[str, Field(max_length=100)]


class ColorGiven(Given):
    """The color of one of your powers, as `#rrggbb`. Blank restores the printed color."""

    power: Annotated[str, Field(max_length=40)] = ""
    color: Annotated[str, Field(pattern="^(#[0-9a-f]{6})?$")]


class SoloGiven(Given):
    """A game against bots; `map` is `standard` or the hash of a map."""

    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] = "standard"
    bot: Annotated[str, Field(max_length=200)] = Field("level:2", description=BOTS_ABOUT)
    world: Annotated[str, Field(max_length=40)] = Field(
        "", description="The name of the game. Blank for one that the site chooses."
    )
    last_year: Annotated[StrictInt, Field(ge=1, le=MAX_YEAR)] | None = Field(
        None, description="The year in which the game ends. Without it, the game has 35 years."
    )
