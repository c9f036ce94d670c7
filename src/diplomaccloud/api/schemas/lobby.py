"""Creating games and taking seats."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, StrictBool, WithJsonSchema

from diplomaccloud.api.schemas.base import Answer, Given
from diplomaccloud.api.schemas.options import OPTIONS_GIVEN
from diplomaccloud.bots.seats import SEAT_CHOICES


class GameGiven(Given):
    """A game to create; `map` is `standard` or the hash of a map."""

    world: Annotated[str, Field(min_length=1, max_length=40)]
    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] = "standard"
    preset: Literal["2009", "table", "invitation", "live", "daily"] = "daily"
    private: StrictBool = False
    options: Annotated[dict[str, Any], WithJsonSchema(OPTIONS_GIVEN)] = {}


class JoinGiven(Given):
    """A seat to take; send `power` only to take over a vacant seat in a running game."""

    power: Annotated[str, Field(max_length=40)] = Field(
        "", description="The power of the vacant seat in a running game."
    )
    code: Annotated[str, Field(max_length=20)] = Field("", description="For a private game.")


BOTS_ABOUT: Final = (
    "One of "
    + ", ".join(f"`{name}` ({title})" for name, title in SEAT_CHOICES)
    + "; or several, with commas, which take turns."
)


class BotGiven(Given):
    """The name of a bot, or several names with commas. Blank means Captains."""

    bot: Annotated[str, Field(max_length=200)] = Field("", description=BOTS_ABOUT)


class Left(Answer):
    """The game the caller left."""

    game: str
