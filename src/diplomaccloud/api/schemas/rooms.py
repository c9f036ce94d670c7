"""The waiting room of a game that has not started, and seats that wait for someone."""

import datetime as dt
from typing import Annotated

from pydantic import Field, StrictBool

from diplomaccloud.api.ids import PublicId
from diplomaccloud.api.schemas.base import Answer, Given


class RoomSeat(Answer):
    """A taken seat; a blank name is hidden. `key` names it for `dismissals`."""

    key: str
    name: str
    bot: bool
    you: bool
    ready: bool | None


class Room(Answer):
    """Who waits for the start. `code` and `invited` are blank for those who may not share them."""

    game: str
    code: str
    seats: list[RoomSeat]
    free: int
    invited: list[str]


class CodeFound(Answer):
    """The private game that a code opens; with `needs_code`, join with it."""

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
    """Vacant seats that you may take over, the longest vacant first."""

    offers: list[OfferState]


class InvitationGiven(Given):
    """A person to invite, by the screen name."""

    name: Annotated[str, Field(min_length=1, max_length=40)]


class DismissalGiven(Given):
    """The key of a seat in the waiting room, whose person or bot has to go."""

    seat: PublicId


class ReadinessGiven(Given):
    """Whether you are ready for the start."""

    ready: StrictBool


class CountryGiven(Given):
    """What your country is called; blank for the printed name."""

    country: Annotated[str, Field(max_length=100)]


class ColorGiven(Given):
    """The color of one of your powers, as `#rrggbb`; blank for the printed one."""

    power: Annotated[str, Field(max_length=40)] = ""
    color: Annotated[str, Field(pattern="^(#[0-9a-f]{6})?$")]


class SoloGiven(Given):
    """A game against bots; `map` is `standard` or the hash of a map."""

    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] = "standard"
    bot: Annotated[str, Field(max_length=200)] = "level:2"
    world: Annotated[str, Field(max_length=40)] = ""
