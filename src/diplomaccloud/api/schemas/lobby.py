"""Creating games and taking seats."""

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import Answer, Given


class GameGiven(Given):
    """A game to create; `map` is `standard` or the hash of a map."""

    world: Annotated[str, Field(min_length=1, max_length=40)]
    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] = "standard"
    preset: Literal["2009", "table", "invitation", "live", "daily"] = "daily"
    private: StrictBool = False
    options: dict[str, Any] = Field({}, description="Options that differ from the preset's.")


class JoinGiven(Given):
    """A seat to take; `power` only for a vacant seat of a running game."""

    power: Annotated[str, Field(max_length=40)] = ""
    code: Annotated[str, Field(max_length=20)] = ""


class BotGiven(Given):
    """The name of a bot, or several with commas; blank for the usual one."""

    bot: Annotated[str, Field(max_length=200)] = ""


class Left(Answer):
    """The game in which the caller no longer has a seat."""

    game: str
