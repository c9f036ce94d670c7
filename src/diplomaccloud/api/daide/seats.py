"""The seats of one game that are open to clients, each with its player's token."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils import timezone

from diplomaccloud.api.limits import TOKEN_CALLS, counters
from diplomaccloud.api.problems import Problem
from diplomaccloud.api.tokens import Bearer, Scope, find_bearer
from diplomaccloud.daide.table.play import Declined
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.board import Power


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat with the token that opens it; `talks` says whether the token allows press."""

    power: Power
    token: str
    token_id: int
    user_id: int
    talks: bool

    @property
    def viewer(self) -> Viewer:
        """The viewer of the game from this seat."""
        return Viewer(self.user_id)


class OpenSeats:
    """The open seats of the game `slug`, in the order of their tokens.

    Raises `ValueError` with an explanation if a token opens no seat, or two open the same seat.
    """

    def __init__(self, slug: str, tokens: Iterable[str]) -> None:
        self.slug = slug
        self.by_power: dict[Power, OpenSeat] = {}
        for number, token in enumerate(tokens, start=1):
            seat = self._open(token, f"token {number}")
            if seat.power in self.by_power:
                raise ValueError(f"token {number} is for a seat that another token already opens")
            self.by_power[seat.power] = seat
        if not self.by_power:
            raise ValueError("no token was given; make one for your seat on the API tokens page")

    def _open(self, token: str, name: str) -> OpenSeat:
        bearer = self._find_bearer(token)
        if bearer is None:
            raise ValueError(
                f"{name} opens no seat: it must be for a seat in the game {self.slug}, allow "
                "playing, and not be expired or revoked"
            )
        powers = Reader(self.slug, Viewer(bearer.user_id)).own_powers
        if not powers:
            raise ValueError("the game has not started")
        if len(powers) > 1:
            raise ValueError(
                f"{name} is for {len(powers)} countries, but a DAIDE client can play only one"
            )
        talks = Scope.PRESS in bearer.scopes
        return OpenSeat(powers[0], token, bearer.token_id, bearer.user_id, talks)

    def _find_bearer(self, token: str) -> Bearer | None:
        """Return the bearer of a token; None if the token doesn't open a seat in the game now."""
        bearer = find_bearer(token, timezone.now())
        if bearer is None or bearer.banned or Scope.PLAY not in bearer.scopes:
            return None
        return bearer if bearer.seat is not None and bearer.seat.slug == self.slug else None

    def find(self, token: str) -> OpenSeat | None:
        """Return the seat that a token opens; None if there is none."""
        return next((seat for seat in self.by_power.values() if seat.token == token), None)

    def require(self, power: Power) -> OpenSeat:
        """Return the seat for something that changes the game; raise `Declined`.

        It does so if the token has been revoked, or after too many changes in a minute.
        """
        seat = self.by_power.get(power)
        if seat is None or self._find_bearer(seat.token) is None:
            raise Declined
        try:
            counters.add(f"token {seat.token_id}", TOKEN_CALLS)
        except Problem:
            raise Declined from None
        return seat

    def close_dead(self) -> Mapping[Power, OpenSeat]:
        """Remove and return the seats whose tokens no longer work or whose players have left."""
        dead = {p: s for p, s in self.by_power.items() if self._find_bearer(s.token) is None}
        for power in dead:
            del self.by_power[power]
        return dead
