"""Ratings of people and bots, from their places in games.

The strength of a seat is that of its player and its power together, so both have a rating, and
nobody gains from playing an easy power. The model is Plackett–Luce, of `openskill`, with its usual
settings. The same games in the same order give the same ratings, to the last bit.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MEAN: Final = 25.0
SPREAD: Final = 25 / 3
"""The uncertainty of a player of whom nothing is known."""
POWER_SPREAD: Final = 25 / 6
PROVISIONAL_GAMES: Final = 10
"""With fewer rated games, a rating is provisional."""
_CENTER: Final = 1500
_SCALE: Final = 40
_Player = TypeVar("_Player", bound=Hashable)
_Power = TypeVar("_Power", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a player: `mu` is the likeliest value, and `sigma` is its uncertainty."""

    mu: float = MEAN
    sigma: float = SPREAD
    games: int = 0

    @property
    def value(self) -> float:
        """The strength that the player almost certainly has or exceeds."""
        return self.mu - 3 * self.sigma

    @property
    def points(self) -> int:
        """The likeliest strength in points, as people read it: 1500 at the start."""
        return round(_CENTER + _SCALE * (self.mu - MEAN))


NEW_POWER: Final = Rating(0.0, POWER_SPREAD)
"""A power of which nothing is known: it makes its player neither stronger nor weaker."""


@dataclass(frozen=True, slots=True)
class Seat(Generic[_Player, _Power]):
    """A player of a game with the power and the place, 1 for the best; equal places tie.

    A player with `only_up` keeps the old rating if the new one would be lower.
    """

    player: _Player
    power: _Power
    place: int
    only_up: bool = False


def rate_game(
    seats: Sequence[Seat[_Player, _Power]],
    players: Mapping[_Player, Rating],
    powers: Mapping[_Power, Rating],
) -> tuple[dict[_Player, Rating], dict[_Power, Rating]]:
    """Return the ratings after a game of those players and powers whose ratings it changes.

    `players` and `powers` have the ratings before; missing ones start. A player with several
    seats, or a power with several players, gets the mean of what each would give. Fewer than two
    seats change nothing.
    """
    if len(seats) < 2:
        return {}, {}
    model = _make_model()
    pairs = [
        (players.get(seat.player, Rating()), powers.get(seat.power, NEW_POWER)) for seat in seats
    ]
    teams = [[model.rating(mu=each.mu, sigma=each.sigma) for each in pair] for pair in pairs]
    rated = model.rate(teams, ranks=[float(seat.place) for seat in seats])
    by_player: dict[_Player, list[tuple[float, float]]] = {}
    by_power: dict[_Power, list[tuple[float, float]]] = {}
    for seat, (player, power) in zip(seats, rated, strict=True):
        by_player.setdefault(seat.player, []).append((player.mu, player.sigma))
        by_power.setdefault(seat.power, []).append((power.mu, power.sigma))
    new_players = {key: _average(players.get(key), each) for key, each in by_player.items()}
    for seat, (before, _) in zip(seats, pairs, strict=True):
        new = new_players.get(seat.player)
        if seat.only_up and new is not None and new.mu <= before.mu:
            del new_players[seat.player]
    return new_players, {key: _average(powers.get(key), each) for key, each in by_power.items()}


def _average(before: Rating | None, values: Iterable[tuple[float, float]]) -> Rating:
    # All seats of a player start from the same rating and carry the same weight.
    mu, sigma = (fmean(column) for column in zip(*values, strict=True))
    return Rating(mu, sigma, (before.games if before else 0) + 1)


@cache
def _make_model() -> "PlackettLuce":
    # Ratings are part of the site, but the site's other processes need not load it.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()


def find_places(ranks: Sequence[int], left: Sequence[bool]) -> list[int]:
    """Return the places of players by their ranks, the lowest first; equal ranks tie.

    Players who left share the last place, behind all others, whatever their ranks.
    """
    keys = [(gone, 0 if gone else rank) for rank, gone in zip(ranks, left, strict=True)]
    return [1 + sum(rival < key for rival in keys) for key in keys]
