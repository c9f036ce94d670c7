"""Master: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Sequence
from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import LookState, MasterDone, PreviewState


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
        if_match: str | None = None,
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
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def preview_results(
        self, game: str, *, phase: int, reason: str, if_match: str | None = None, key: str = ""
    ) -> Call[PreviewState]:
        """Return the results of the orders as they are now; the log says that you looked."""
        return Call(
            "POST",
            fill("/games/{}/previews", game),
            PreviewState,
            body={"phase": phase, "reason": reason},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def look_at_conversation(
        self,
        game: str,
        *,
        powers: Sequence[str],
        reason: str,
        if_match: str | None = None,
        key: str = "",
    ) -> Call[LookState]:
        """Read a private conversation, where the players agreed on that; it is logged and announced."""
        return Call(
            "POST",
            fill("/games/{}/looks", game),
            LookState,
            body={"powers": powers, "reason": reason},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )
