"""Lobby: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Mapping
from typing import Any, Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import GameState, Left


class Lobby:
    """The operations of `lobby`."""

    @operation
    def create_game(
        self,
        *,
        world: str,
        map: str | None = None,
        preset: Literal["2009", "table", "invitation", "live", "daily"] | None = None,
        private: bool | None = None,
        options: Mapping[str, Any] | None = None,
        key: str = "",
    ) -> Call[GameState]:
        """Create a game that waits for players. `options` changes single options of the preset.

        They have the form of `options` in `GET /games/{id}`.
        """
        return Call(
            "POST",
            "/games",
            GameState,
            body={
                "world": world,
                "map": map,
                "preset": preset,
                "private": private,
                "options": options,
            },
            key=key,
        )

    @operation
    def cancel_game(self, game: str, *, key: str = "") -> Call[Left]:
        """Cancel a game that has not started, as its creator."""
        return Call("DELETE", fill("/games/{}", game), Left, key=key)

    @operation
    def take_seat(
        self, game: str, *, power: str | None = None, code: str | None = None, key: str = ""
    ) -> Call[GameState]:
        """Join a game that has not started, or with `power` take over a vacant seat of a running one.

        A private game needs its `code`.
        """
        return Call(
            "POST",
            fill("/games/{}/seats", game),
            GameState,
            body={"power": power, "code": code},
            key=key,
        )

    @operation
    def leave_seat(self, game: str, *, key: str = "") -> Call[Left]:
        """Leave a game that has not started, or resign from a running one."""
        return Call("DELETE", fill("/games/{}/seats", game), Left, key=key)

    @operation
    def add_bot(self, game: str, *, bot: str | None = None, key: str = "") -> Call[GameState]:
        """Give a free seat to a bot, as the creator; the last one may start the game."""
        return Call("POST", fill("/games/{}/bots", game), GameState, body={"bot": bot}, key=key)

    @operation
    def start_game(self, game: str, *, bot: str | None = None, key: str = "") -> Call[GameState]:
        """Start the game, as its creator; bots take the empty seats."""
        return Call("POST", fill("/games/{}/start", game), GameState, body={"bot": bot}, key=key)
