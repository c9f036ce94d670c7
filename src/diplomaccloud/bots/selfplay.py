"""How evenly a board treats its powers: many games in which one bot plays them all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pstdev, variance

from diplomaccloud.bots.arena import Played, play_games
from diplomaccloud.bots.player import Bot
from diplomaccloud.judge.board import Board, Power

YEARS = 18
"""How long a game goes on at most. Inequality grows with time: after 12 years the shares on the
standard board vary by 0.24, after 18 by 0.32, which is the figure our targets are set beside."""


@dataclass(frozen=True, slots=True)
class PowerRecord:
    """What one power came to: its mean share of all owned centers, and shares of games."""

    power: Power
    share: float
    solos: float
    eliminated: float


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """What the games showed.

    `spread` is the coefficient of variation of the powers' shares, 0 for a board on which all
    do equally well; `error` is its standard error, from leaving out one game after the other.
    `chance` is what so many such games would show as spread on a board that is perfectly even;
    `None` where nobody has reckoned it.
    `years` is the mean length of a game; `limit` what it would be if nobody won.
    """

    games: int
    limit: int
    years: float
    powers: tuple[PowerRecord, ...]
    spread: float
    error: float
    chance: float | None = None


def self_play(board: Board, bot: Bot, *, games: int, seed: str, years: int = YEARS) -> SelfPlay:
    """Return what `games` games show in which `bot` plays every power; the same for one seed."""
    until = board.first_year + years - 1
    return summary(board, play_games(board, [bot], games=games, until=until, seed=seed), years)


def summary(board: Board, games: Iterable[Played], limit: int) -> SelfPlay:
    """Return what games of at most `limit` years showed; raise `ValueError` if there are none."""
    played = list(games)
    if not played:
        raise ValueError("no games to sum up")
    powers = list(board.power_info)
    rows = shares(board, played)
    totals = [sum(column) for column in zip(*rows, strict=True)]
    records = tuple(
        PowerRecord(
            power,
            totals[i] / len(rows),
            fmean(game.ending is not None and power in game.ending.winners for game in played),
            fmean(not row[i] for row in rows),
        )
        for i, power in enumerate(powers)
    )
    return SelfPlay(
        games=len(played),
        limit=limit,
        years=fmean(_years(board, game, limit) for game in played),
        powers=records,
        spread=_variation(totals),
        error=_jackknife(rows, totals),
        chance=chance(rows),
    )


def shares(board: Board, games: Iterable[Played]) -> list[list[float]]:
    """Return for each game the share of each power, in board order, of all owned centers."""
    powers = list(board.power_info)
    return [_shares(game, powers) for game in games]


def _shares(game: Played, powers: Sequence[Power]) -> list[float]:
    counts = [len(game.final.centers_of(power)) for power in powers]
    return [count / (sum(counts) or 1) for count in counts]


def spread(rows: Sequence[Sequence[float]]) -> float:
    """Return the coefficient of variation of the powers' mean shares over games (rows)."""
    return _variation([sum(column) for column in zip(*rows, strict=True)])


def chance(rows: Sequence[Sequence[float]]) -> float:
    """Return the spread that as many games would show if all powers were alike.

    The root of its mean square: what chance adds to the square of the spread of any board,
    estimated from how much the shares differ from game to game. 0 for a single game.
    """
    many = len(rows)
    if many < 2:
        return 0.0
    columns = list(zip(*rows, strict=True))
    mean = fmean(fmean(column) for column in columns)
    return sqrt(fmean(variance(column) for column in columns) / many) / mean


def _years(board: Board, game: Played, limit: int) -> int:
    """Return in which year of play the game ended; a victory comes with the end of a Fall."""
    phase = game.final.phase
    over = phase.year - board.first_year + (phase.order[1] > 0)
    return min(over, limit)


def _variation(values: Sequence[float]) -> float:
    return pstdev(values) / fmean(values)


def _jackknife(rows: Sequence[Sequence[float]], totals: Sequence[float]) -> float:
    """Return the standard error of the variation of column sums; 0 for a single row."""
    many = len(rows)
    if many < 2:
        return 0.0
    left = [
        _variation([total - one for total, one in zip(totals, row, strict=True)]) for row in rows
    ]
    middle = fmean(left)
    return sqrt((many - 1) / many * sum((one - middle) ** 2 for one in left))
