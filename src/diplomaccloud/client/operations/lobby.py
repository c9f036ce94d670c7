"""Lobby: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Mapping
from typing import Any, Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import CodeFound, GameState, Left, OfferList, OwnSeat, Room


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
    def cancel_game(self, game: str, *, if_match: str | None = None, key: str = "") -> Call[Left]:
        """Cancel a game that has not started, as its creator."""
        return Call(
            "DELETE",
            fill("/games/{}", game),
            Left,
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def take_seat(
        self,
        game: str,
        *,
        if_match: str | None = None,
        power: str | None = None,
        code: str | None = None,
        key: str = "",
    ) -> Call[GameState]:
        """Join a game that has not started, or with `power` take over a vacant seat of a running one.

        A private game needs its `code`.
        """
        return Call(
            "POST",
            fill("/games/{}/seats", game),
            GameState,
            body={"power": power, "code": code},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def leave_seat(self, game: str, *, if_match: str | None = None, key: str = "") -> Call[Left]:
        """Leave a game that has not started, or resign from a running one."""
        return Call(
            "DELETE",
            fill("/games/{}/seats", game),
            Left,
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def add_bot(
        self, game: str, *, if_match: str | None = None, bot: str | None = None, key: str = ""
    ) -> Call[GameState]:
        """Give a free seat to a bot, as the creator; the last one may start the game."""
        return Call(
            "POST",
            fill("/games/{}/bots", game),
            GameState,
            body={"bot": bot},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def start_game(
        self, game: str, *, if_match: str | None = None, bot: str | None = None, key: str = ""
    ) -> Call[GameState]:
        """Start the game, as its creator; bots take the empty seats."""
        return Call(
            "POST",
            fill("/games/{}/start", game),
            GameState,
            body={"bot": bot},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def find_code(self, code: str) -> Call[CodeFound]:
        """Find the private game that a code opens."""
        return Call("GET", fill("/codes/{}", code), CodeFound)

    @operation
    def list_vacancies(self) -> Call[OfferList]:
        """List vacant seats of public games; `POST /games/{id}/seats` takes one over."""
        return Call("GET", "/vacancies", OfferList)

    @operation
    def get_waiting_room(self, game: str) -> Call[Room]:
        """Return who waits for the start of a game; 409 once it has started."""
        return Call("GET", fill("/games/{}/waiting-room", game), Room)

    @operation
    def set_ready_to_start(
        self, game: str, *, ready: bool, if_match: str | None = None, key: str = ""
    ) -> Call[Room]:
        """Show everyone in the waiting room that you are ready, or no longer are."""
        return Call(
            "PUT",
            fill("/games/{}/seat/ready-to-start", game),
            Room,
            body={"ready": ready},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def invite(
        self, game: str, *, name: str, if_match: str | None = None, key: str = ""
    ) -> Call[Room]:
        """Invite a person to join without the code, as the creator."""
        return Call(
            "POST",
            fill("/games/{}/invitations", game),
            Room,
            body={"name": name},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def withdraw_invitation(
        self, game: str, *, name: str, if_match: str | None = None, key: str = ""
    ) -> Call[Room]:
        """Withdraw the invitation of `?name=`, as the creator; who has joined keeps the seat."""
        return Call(
            "DELETE",
            fill("/games/{}/invitations", game),
            Room,
            query={"name": name},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def dismiss(
        self, game: str, *, seat: str, if_match: str | None = None, key: str = ""
    ) -> Call[Room]:
        """Free a seat in the waiting room, as the creator."""
        return Call(
            "POST",
            fill("/games/{}/dismissals", game),
            Room,
            body={"seat": seat},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def name_country(
        self, game: str, *, country: str, if_match: str | None = None, key: str = ""
    ) -> Call[OwnSeat]:
        """Name your country; a blank name restores the printed one."""
        return Call(
            "PUT",
            fill("/games/{}/seat/country", game),
            OwnSeat,
            body={"country": country},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def color_country(
        self,
        game: str,
        *,
        color: str,
        if_match: str | None = None,
        power: str | None = None,
        key: str = "",
    ) -> Call[OwnSeat]:
        """Choose the color of one of your powers."""
        return Call(
            "PUT",
            fill("/games/{}/seat/color", game),
            OwnSeat,
            body={"power": power, "color": color},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def create_solo_game(
        self,
        *,
        map: str | None = None,
        bot: str | None = None,
        world: str | None = None,
        key: str = "",
    ) -> Call[GameState]:
        """Start a game against bots now; `bot` is one name or several with commas."""
        return Call(
            "POST", "/solo-games", GameState, body={"map": map, "bot": bot, "world": world}, key=key
        )
