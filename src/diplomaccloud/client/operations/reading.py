"""Reading: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from typing import Any, Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import GamePage, GameState, Me, PhaseList, PhaseResult


class Reading:
    """The operations of `reading`."""

    @operation
    def get_me(self) -> Call[Me]:
        """Return who the token stands for, and the person's games, the most urgent first."""
        return Call("GET", "/me", Me)

    @operation
    def get_map(self, map_hash: str) -> Call[dict[str, Any]]:
        """Return a map: board, names and shapes, as `docs/map-format.md` says. It never changes."""
        return Call("GET", fill("/maps/{}", map_hash), dict[str, Any])

    @operation
    def list_games(
        self,
        *,
        status: Literal["forming", "running", "finished"] | None = None,
        before: str | None = None,
        start: int | None = None,
        q: str | None = None,
        players: int | None = None,
        map: Literal["", "standard", "other"] | None = None,
        speed: Literal["", "live", "daily", "slow"] | None = None,
        free: Literal["", "last", "few", "several"] | None = None,
        order: Literal["newest", "seats", "speed", "players"] | None = None,
    ) -> Call[GamePage]:
        """List public games of others, the newest first unless `order`. Your own are in `/me`.

        Of a list that speed, free seats or an order decide, the next page begins at `?start=`.
        """
        return Call(
            "GET",
            "/games",
            GamePage,
            query={
                "status": status,
                "before": before,
                "start": start,
                "q": q,
                "players": players,
                "map": map,
                "speed": speed,
                "free": free,
                "order": order,
            },
        )

    @operation
    def get_game(self, game: str) -> Call[GameState]:
        """Return the public state of a game. With `If-None-Match`: 304 while nothing has changed."""
        return Call("GET", fill("/games/{}", game), GameState)

    @operation
    def list_phases(self, game: str) -> Call[PhaseList]:
        """List the processed phases that were not rolled back, the oldest first."""
        return Call("GET", fill("/games/{}/phases", game), PhaseList)

    @operation
    def get_phase(self, game: str, phase: str) -> Call[PhaseResult]:
        """Return the orders of a processed phase with their results and reasons. It never changes.

        A name such as `S1901M` leads to the number of that phase by a redirect.
        """
        return Call("GET", fill("/games/{}/phases/{}", game, phase), PhaseResult)
