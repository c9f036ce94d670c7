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
    options: dict[str, Any] = Field({}, description="Options that override those of the preset.")


class JoinGiven(Given):
    """A seat to take; send `power` only to take over a vacant seat in a running game."""

    power: Annotated[str, Field(max_length=40)] = ""
    code: Annotated[str, Field(max_length=20)] = ""


class BotGiven(Given):
    """The name of a bot, or several names with commas. Blank means the default bot."""

    bot: Annotated[str, Field(max_length=200)] = ""


class Left(Answer):
    """The game the caller left."""

    game: str
