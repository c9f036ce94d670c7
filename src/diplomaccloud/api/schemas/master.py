"""The acts of game masters."""

from typing import Annotated

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import Answer, Given, PhaseNumber


class MasterGiven(Given):
    """What an act of a game master needs: `power`, `bot`, `seconds` or the phase `to` return to."""

    phase: PhaseNumber
    reason: Annotated[str, Field(max_length=1_000)]
    power: Annotated[str, Field(max_length=40)] = ""
    bot: Annotated[str, Field(max_length=20)] = ""
    seconds: Annotated[StrictInt, Field(ge=0, le=10**7)] | None = None
    to: Annotated[StrictInt, Field(ge=0, le=999_999)] = 0


class MasterDone(Answer):
    """Whether the act was done, or the players are asked."""

    done: bool
    asked: bool
