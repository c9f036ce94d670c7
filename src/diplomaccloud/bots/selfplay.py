"""Self-play: measures how fair a board is to its powers when one bot plays all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pstdev, variance

from diplomaccloud.bots.arena import Played, play_games
from diplomaccloud.bots.player import Bot
from diplomaccloud.judge.board import Board, Power

MAX_YEARS = 18
"""The maximum length of a game. Inequality grows with time: on the standard board the spread
of shares is 0.24 after 12 years and 0.32 after 18. Our targets are compared with the latter."""


@dataclass(frozen=True, slots=True)
class PowerRecord:
    """The results of one power: its mean share of the owned centers, and how its games ended."""

    power: Power
    share: float
    solos: float
    eliminated: float


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """The results of many games.

    `spread` is the coefficient of variation of the powers' shares, 0 if all do equally well;
    `error` is its standard error (jackknife over games). `chance` is the spread expected from this
    number of games on a perfectly fair board, or `None` if not computed. `years` is the mean length
    of a game, and `limit` the length of a game without a winner.
    """

    games: int
    limit: int
    years: float
    powers: tuple[PowerRecord, ...]
    spread: float
    error: float
    chance: float | None = None


def self_play(board: Board, bot: Bot, *, games: int, seed: str, years: int = MAX_YEARS) -> SelfPlay:
    """Play `games` games in which `bot` plays every power, and return the results."""
    until = board.first_year + years - 1
    played = play_games(board, [bot], games=games, until=until, seed=seed)
    return summarize_games(board, played, years)


def summarize_games(board: Board, games: Iterable[Played], limit: int) -> SelfPlay:
    """Return the results of games of at most `limit` years; raise `ValueError` without games."""
    played = list(games)
    if not played:
        raise ValueError("there are no games to summarize")
    rows = compute_shares(board, played)
    totals = [sum(column) for column in zip(*rows, strict=True)]
    records = tuple(
        PowerRecord(
            power,
            totals[i] / len(rows),
            fmean(game.ending is not None and power in game.ending.winners for game in played),
            fmean(not row[i] for row in rows),
        )
        for i, power in enumerate(board.power_info)
    )
    ends = [game.final.phase for game in played]
    return SelfPlay(
        games=len(played),
        limit=limit,
        # A victory ends the game after Fall.
        years=fmean(
            min(phase.year - board.first_year + (phase.order[1] > 0), limit) for phase in ends
        ),
        powers=records,
        spread=_compute_variation(totals),
        error=_jackknife(rows, totals),
        chance=estimate_chance(rows),
    )


def compute_shares(board: Board, games: Iterable[Played]) -> list[list[float]]:
    """Return each power's share of all owned centers, in board order, for each game."""
    counts = [[len(game.final.centers_of(power)) for power in board.power_info] for game in games]
    return [[count / (sum(row) or 1) for count in row] for row in counts]


def measure_spread(rows: Sequence[Sequence[float]]) -> float:
    """Return the coefficient of variation of the powers' mean shares over games (rows)."""
    return _compute_variation([sum(column) for column in zip(*rows, strict=True)])


def estimate_chance(rows: Sequence[Sequence[float]]) -> float:
    """Return the spread expected from the same number of games if all powers were equal.

    This is the root mean square of what chance adds to the spread on any board, estimated from
    the variance of the shares between games; it is 0 for a single game.
    """
    count = len(rows)
    if count < 2:
        return 0.0
    columns = list(zip(*rows, strict=True))
    mean = fmean(fmean(column) for column in columns)
    return sqrt(fmean(variance(column) for column in columns) / count) / mean


def _compute_variation(values: Sequence[float]) -> float:
    return pstdev(values) / fmean(values)


def _jackknife(rows: Sequence[Sequence[float]], totals: Sequence[float]) -> float:
    """Return the standard error of the variation of column sums; 0 for a single row."""
    count = len(rows)
    if count < 2:
        return 0.0
    partial = [
        _compute_variation([total - share for total, share in zip(totals, row, strict=True)])
        for row in rows
    ]
    mean = fmean(partial)
    return sqrt((count - 1) / count * sum((value - mean) ** 2 for value in partial))
