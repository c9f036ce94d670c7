"""Players: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import PeoplePage, ProfileState


class Players:
    """The operations of `players`."""

    @operation
    def list_players(
        self,
        *,
        q: str | None = None,
        after: str | None = None,
        order: Literal["name", "newest", "login"] | None = None,
    ) -> Call[PeoplePage]:
        """List players, those with `?q=` in their names; the next page begins `?after=` a name."""
        return Call("GET", "/people", PeoplePage, query={"q": q, "after": after, "order": order})

    @operation
    def get_player(self, name: str) -> Call[ProfileState]:
        """Return a player, with the finished games that you may see."""
        return Call("GET", fill("/people/{}", name), ProfileState)

    @operation
    def save_status(self, *, status: str, key: str = "") -> Call[ProfileState]:
        """Set the line about you that everyone can read; a blank one clears it."""
        return Call("PUT", "/me/status", ProfileState, body={"status": status}, key=key)
