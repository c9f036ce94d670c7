"""History: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from typing import Any

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import (
    CentersState,
    LogState,
    ReceiptsState,
    StatisticsState,
    WhyState,
)


class History:
    """The operations of `history`."""

    @operation
    def get_log(self, game: str, *, page: int | None = None) -> Call[LogState]:
        """Return a page of the public log: deadlines, votes, and acts of the game master."""
        return Call("GET", fill("/games/{}/log", game), LogState, query={"page": page})

    @operation
    def get_centers(self, game: str) -> Call[CentersState]:
        """Return who owned which center after each year."""
        return Call("GET", fill("/games/{}/centers", game), CentersState)

    @operation
    def get_statistics(self, game: str) -> Call[StatisticsState]:
        """Return what the powers did to each other."""
        return Call("GET", fill("/games/{}/statistics", game), StatisticsState)

    @operation
    def explain_order(self, game: str, phase: int, number: int) -> Call[WhyState]:
        """Explain the result `number`, counted from 0, of a processed phase."""
        return Call("GET", fill("/games/{}/phases/{}/why/{}", game, phase, number), WhyState)

    @operation
    def get_receipts(self, game: str, *, phase: int | None = None) -> Call[ReceiptsState]:
        """Return the receipts of a locked phase, the newest unless `?phase=`; and your own of saves."""
        return Call("GET", fill("/games/{}/receipts", game), ReceiptsState, query={"phase": phase})

    @operation
    def get_record(self, game: str) -> Call[bytes]:
        """Return the record of a game, the same to everyone, for `diplomaccloud replay`."""
        return Call("GET", fill("/games/{}/record", game), bytes)

    @operation
    def get_own_record(self, game: str) -> Call[bytes]:
        """Return the record of a game with your own receipts."""
        return Call("GET", fill("/games/{}/seat/record", game), bytes)

    @operation
    def get_game_picture(self, game: str) -> Call[bytes]:
        """Return the board as everyone may see it, as a picture."""
        return Call("GET", fill("/games/{}/picture", game), bytes)

    @operation
    def get_keys(self) -> Call[dict[str, Any]]:
        """Return the public keys with which the site signs seals and receipts."""
        return Call("GET", "/keys", dict[str, Any])
