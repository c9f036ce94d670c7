"""The results of many games: mean scores of bots with 95% confidence intervals, and self-play.

A game counts as one observation of a bot, however many seats the bot had in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import sqrt
from statistics import fmean, pstdev, variance

from diplomaccloud.bots.arena import Played, play_games
from diplomaccloud.bots.player import Bot, score_centers
from diplomaccloud.bots.talks.press_table import YEARS_TO_PAY, PressFigures
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import Json, Node


@dataclass(frozen=True, slots=True)
class Tally:
    """A finished game: each power's bot and final centers, and the winner, if any.

    `press` has the press statistics, if the bots negotiated.
    """

    map: str
    bots: Mapping[Power, str]
    centers: Mapping[Power, int]
    winner: Power | None
    phases: int
    press: PressFigures | None = None

    def score(self, power: Power) -> float:
        """Return the sum-of-squares score of `power`, from 0 to 1."""
        return score_centers(self.centers, self.winner, power)


def read_tally(played: Played, map_name: str) -> Tally:
    """Return the tally of a game played on the map with this name."""
    centers = {power: len(played.final.centers_of(power)) for power in played.bots}
    return Tally(map_name, played.bots, centers, played.winner, played.phases, played.press)


def tally_to_json(tally: Tally) -> Json:
    """Return the tally as JSON values."""
    press = {} if tally.press is None else {"press": asdict(tally.press)}
    seats = [[power, bot, tally.centers[power]] for power, bot in tally.bots.items()]
    start = {"map": tally.map, "seats": seats, "winner": tally.winner, "phases": tally.phases}
    return {**start, **press}


def tally_from_json(data: object) -> Tally:
    """Return the tally that `tally_to_json` wrote; raise `CodecError` for anything else."""
    node = Node(data)
    bots: dict[Power, str] = {}
    centers: dict[Power, int] = {}
    for seat in node["seats"].items():
        name, bot, count = seat.items(3)
        power = Power(name.word())
        bots[power], centers[power] = bot.line(), count.integer(0, 1000)
    if not bots:
        raise node["seats"].error("a game without powers")
    winner = None if node["winner"].is_null() else Power(node["winner"].word())
    if winner is not None and winner not in bots:
        raise node["winner"].error("not one of the powers")
    press = None
    if "press" in node:
        figures = node["press"]
        press = PressFigures(**{f.name: figures[f.name].integer(0) for f in fields(PressFigures)})
    return Tally(node["map"].text(), bots, centers, winner, node["phases"].integer(0), press)


Seats = Sequence[tuple[Tally, Sequence[Power]]]
"""Games, each with the powers that a bot played."""

_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's t for 95%, for one degree of freedom and up."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one bot or power: means over its seats, and shares from 0 to 1.

    `low` and `high` are the ends of the 95% confidence interval of `score`.
    """

    games: int
    seats: int
    score: float
    low: float
    high: float
    centers: float
    solos: float
    eliminated: float


def compute_standings(tallies: Iterable[Tally]) -> dict[str, Standing]:
    """Return the standing of each bot, by name."""
    seats: dict[str, list[tuple[Tally, list[Power]]]] = {}
    for tally in tallies:
        for bot in dict.fromkeys(tally.bots.values()):
            powers = [power for power, name in tally.bots.items() if name == bot]
            seats.setdefault(bot, []).append((tally, powers))
    return {bot: compute_standing(seats[bot]) for bot in sorted(seats)}


def compute_standing(seats: Seats) -> Standing:
    """Return the standing over the given games and powers."""
    centers = [tally.centers[power] for tally, powers in seats for power in powers]
    solos = [tally.winner == power for tally, powers in seats for power in powers]
    sums = [sum(tally.score(power) for power in powers) for tally, powers in seats]
    counts = [len(powers) for _, powers in seats]
    mean, low, high = estimate_mean(sums, counts)
    return Standing(
        games=len(seats),
        seats=sum(counts),
        score=mean,
        low=max(0.0, low),
        high=min(1.0, high),
        centers=fmean(centers),
        solos=fmean(solos),
        eliminated=fmean(count == 0 for count in centers),
    )


def estimate_mean(sums: Sequence[float], counts: Sequence[int]) -> tuple[float, float, float]:
    """Return a mean and the ends of its 95% interval, from the sum and count of each game.

    With a single game, the interval is infinite.
    """
    games, total = len(sums), sum(counts)
    mean = sum(sums) / total
    if games < 2:
        return mean, float("-inf"), float("inf")
    squares = sum((one - n * mean) ** 2 for one, n in zip(sums, counts, strict=True))
    error = sqrt(squares * games / (games - 1)) / total
    reach = error * _find_quantile(games - 1)
    return mean, mean - reach, mean + reach


def _find_quantile(freedom: int) -> float:
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    # The first terms of the expansion in 1 / freedom; accurate to three digits from here on.
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def standings_to_json(standings: Mapping[str, Standing]) -> dict[str, object]:
    """Return the games, scores and intervals of bots as JSON values."""
    return {
        "bots": {
            name: {"games": each.games, "sos": each.score, "low": each.low, "high": each.high}
            for name, each in standings.items()
        }
    }


def format_report(tallies: Sequence[Tally]) -> str:
    """Return a table of scores with intervals, by bot and by power or map."""
    standings = compute_standings(tallies)
    maps = list(dict.fromkeys(tally.map for tally in tallies))
    groups = {} if len(standings) == 1 and len(maps) == 1 else standings
    if len(maps) == 1:
        groups |= {
            power.capitalize(): compute_standing([(tally, [power]) for tally in tallies])
            for power in tallies[0].bots
        }
    width = max(map(len, groups))
    lines = [f"{'':{width}}  seats  score  95 % interval  centers  solos  eliminated"]
    for name, each in groups.items():
        interval = f"{each.low:5.3f} to {each.high:5.3f}"
        lines.append(
            f"{name:{width}}  {each.seats:5}  {each.score:5.3f}  {interval}"
            f"  {each.centers:7.2f}  {each.solos:5.0%}  {each.eliminated:10.0%}"
        )
    if len(maps) > 1:
        lines += ["", *_format_maps(tallies, maps, list(standings))]
    solos = sum(tally.winner is not None for tally in tallies)
    phases = fmean(tally.phases for tally in tallies)
    lines += _format_press(tallies)
    lines.append(f"{len(tallies)} games, {solos} won outright, {phases:.0f} phases a game")
    return "\n".join(lines)


def sum_press(tallies: Iterable[Tally]) -> PressFigures | None:
    """Return the press statistics of all games together; None if no bots negotiated."""
    games = [tally.press for tally in tallies if tally.press is not None]
    return sum(games, PressFigures()) if games else None


def _format_press(tallies: Sequence[Tally]) -> list[str]:
    figures = sum_press(tallies)
    if figures is None:
        return []
    kept = 1 - figures.broken / figures.deals if figures.deals else 1.0
    lines = [
        f"press: {figures.messages} messages, {figures.proposals} proposals, {figures.deals} deals,"
        f" of which {kept:.1%} were never broken",
        f"{figures.promises} promises by power and phase, {figures.breaches} broken",
    ]
    if figures.stabs:
        paid = f"{figures.paid} of {figures.judged} raised the score of those who stabbed"
        lines.append(f"{figures.stabs} stabs; after {YEARS_TO_PAY} years, {paid}")
    return lines


def _format_maps(tallies: Sequence[Tally], maps: Sequence[str], bots: Sequence[str]) -> list[str]:
    width = max(map(len, [*maps, "score by map"]))
    lines = [f"{'score by map':{width}}  {'  '.join(f'{bot:>5}' for bot in bots)}".rstrip()]
    for name in maps:
        standings = compute_standings(tally for tally in tallies if tally.map == name)
        scores = (f"{standings[bot].score:5.3f}" if bot in standings else "-" for bot in bots)
        cells = (f"{score:>{max(5, len(bot))}}" for bot, score in zip(bots, scores, strict=True))
        lines.append(f"{name:{width}}  {'  '.join(cells)}".rstrip())
    return [*lines, ""]


# Self-play: how fair a board is to its powers when one bot plays all of them.


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


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value, its standard error, and the ends of its 95% interval."""

    value: float
    error: float
    low: float
    high: float


MIN_GAMES = 3
"""Fewer games say nothing about chance."""


def estimate_spread(rows: Sequence[Sequence[float]]) -> Estimate:
    """Return the spread of the powers' true mean shares, without what chance adds in few games.

    `rows` has the share of each power in each game. The square of the spread is estimated as the
    variance of the powers' mean shares minus their mean sampling variance, both in units of the
    squared mean share: the moment estimator of a variance component (Searle, Casella and McCulloch,
    *Variance Components*, 1992, chapter 3). Unlike its root, it is unbiased if the shares of a game
    add up to 1. Its standard error is the jackknife's over games (Efron, *The Jackknife, the
    Bootstrap and Other Resampling Plans*, 1982, chapter 3), which also holds for shares that
    depend on each other. The interval is that of the square, with Student's t, and then its root is
    taken; negative squares count as 0.

    Raises `ValueError` with fewer than `MIN_GAMES` games.
    """
    count = len(rows)
    if count < MIN_GAMES:
        raise ValueError(f"a spread takes at least {MIN_GAMES} games, not {count}")
    columns = list(zip(*rows, strict=True))
    sums = [sum(column) for column in columns]
    squares = [sum(share * share for share in column) for column in columns]
    found = _compute_unevenness(sums, squares, count)
    partial = [
        _compute_unevenness(
            [total - share for total, share in zip(sums, row, strict=True)],
            [total - share * share for total, share in zip(squares, row, strict=True)],
            count - 1,
        )
        for row in rows
    ]
    reach = sqrt((count - 1) * pstdev(partial) ** 2) * _find_quantile(count - 1)
    low, high = sqrt(max(found - reach, 0.0)), sqrt(max(found, 0.0) + reach)
    error = (high - low) / 2 / _find_quantile(count - 1)
    return Estimate(sqrt(max(found, 0.0)), error, low, high)


def _compute_unevenness(sums: Sequence[float], squares: Sequence[float], count: int) -> float:
    """Return the square of the spread without chance, from sums over games; may be negative."""
    means = [total / count for total in sums]
    noise = fmean(
        (square - count * mean * mean) / (count - 1)
        for square, mean in zip(squares, means, strict=True)
    )
    return (pstdev(means) ** 2 - noise / count) / fmean(means) ** 2


def estimate_shares(rows: Sequence[Sequence[float]]) -> tuple[Estimate, ...]:
    """Return the mean share of each power, with its 95% interval by Student's t.

    Raises `ValueError` with fewer than `MIN_GAMES` games.
    """
    count = len(rows)
    if count < MIN_GAMES:
        raise ValueError(f"shares take at least {MIN_GAMES} games, not {count}")
    estimates = []
    for column in zip(*rows, strict=True):
        mean, low, high = estimate_mean(column, [1] * count)
        error = (high - low) / 2 / _find_quantile(count - 1)
        estimates.append(Estimate(mean, error, max(0.0, low), min(1.0, high)))
    return tuple(estimates)
