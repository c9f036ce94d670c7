"""Master: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import MasterDone


class Master:
    """The operations of `master`."""

    @operation
    def act_as_master(
        self,
        game: str,
        act: Literal[
            "extend",
            "pause",
            "resume",
            "end-phase",
            "try-again",
            "roll-back",
            "roll-forward",
            "remove",
            "reprimand",
            "seat-bot",
        ],
        *,
        phase: int,
        reason: str,
        power: str | None = None,
        bot: str | None = None,
        seconds: int | None = None,
        to: int | None = None,
        key: str = "",
    ) -> Call[MasterDone]:
        """Act as the game master. If you play in the game, the other players are asked instead."""
        return Call(
            "POST",
            fill("/games/{}/master/{}", game, act),
            MasterDone,
            body={
                "phase": phase,
                "reason": reason,
                "power": power,
                "bot": bot,
                "seconds": seconds,
                "to": to,
            },
            key=key,
        )
