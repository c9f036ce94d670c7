"""Assigns seats, which rotate through the games of a *block* with one seed, and scores games.

In a block, each bot has each power equally often. If one bot sits among others, it has each power
at least once, and the others share the remaining seats equally. Later blocks start with the bots
and powers in another order, drawn from the seed, so that neighbors change.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, gcd

from diplomaccloud.judge.board import Board, Power


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to play: the name of each power's bot, and the seed for all random choices."""

    bots: Mapping[Power, str]
    seed: str


def require_others(names: Sequence[str]) -> None:
    """Raise `ValueError` unless one bot can sit among others."""
    if len(names) < 2:
        raise ValueError("one bot among others takes at least two names, as in search:300,dumbbot")


def seat_games(
    board: Board, names: Sequence[str], seed: str, *, one_of: bool = False
) -> Iterator[Fixture]:
    """Yield an endless series of games of the bots with these names, determined by `seed`.

    With `one_of`, the first bot has one seat in each game, and the others have the remaining seats.
    Raises `ValueError` if there are no others.
    """
    if one_of:
        require_others(names)
    elif len(set(names)) == 1:
        names = names[:1]
    powers = list(board.power_info)
    first = [0] if one_of else []
    for block in count():
        rest, places = list(range(len(first), len(names))), list(range(len(powers)))
        if block:
            rng = random.Random(f"{seed}/{block}/seats")
            rng.shuffle(places)
            rng.shuffle(rest)
        seen: dict[tuple[str, ...], int] = {}
        for turn in _rotate(first + rest, len(powers), one_of=one_of):
            seats = [turn[place] for place in places]
            line = tuple(names[bot] for bot in seats)
            again = seen[line] = seen.get(line, -1) + 1
            # The same bots in the same seats would repeat the game with the same seed.
            game_seed = f"{seed}/{block}" + (f"/{again}" if again else "")
            yield Fixture(dict(zip(powers, line, strict=True)), game_seed)


def _rotate(order: Sequence[int], seats: int, *, one_of: bool) -> Iterator[list[int]]:
    """Yield the bot number of each seat, for each game of a block."""
    size = len(order)
    if not one_of:
        for game in range(size):
            yield [order[(place + game) % size] for place in range(seats)]
        return
    one, others = order[0], order[1:]
    for turn in range(count_turns(size, seats)):
        rest = [others[(turn * (seats - 1) + n) % len(others)] for n in range(seats - 1)]
        line = [one, *rest]
        for game in range(seats):
            yield [line[(place + game) % seats] for place in range(seats)]


def count_turns(bots: int, seats: int) -> int:
    """Return how often one bot has each power in a block so that the others have equal shares."""
    return (bots - 1) // gcd(bots - 1, seats - 1)


def round_games(board: Board, names: Sequence[str], games: int, *, one_of: bool) -> int:
    """Return `games`, rounded up until every bot has an equal share of the seats."""
    size, seats = len(names), len(board.powers)
    if one_of:
        require_others(names)
        size = seats * count_turns(size, seats)
    elif len(set(names)) == 1:
        size = 1
    return ceil(games / size) * size


def score_centers(centers: Mapping[Power, int], winner: Power | None, power: Power) -> float:
    """Return the sum-of-squares score of `power`: its share of squares, or 1 for a solo."""
    if winner is not None:
        return float(power == winner)
    return centers[power] ** 2 / (sum(count**2 for count in centers.values()) or 1)
