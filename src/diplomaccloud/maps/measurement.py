"""Measurements: how even the powers of a map are, in games that each of several bots plays.

In each series of games, one pinned bot plays all powers for eight years; a game that is won
earlier counts as it ended. The seeds of all games follow from one text, and a measurement keeps the
centers of every game, so anyone can play any of them again and compare.
"""

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from diplomaccloud.bots.arena import BATCH_SIZE, Fixture, play_fixtures
from diplomaccloud.bots.pinned import CAPTAIN, COLONEL, GENERAL, GREEDY, PINNED_BOTS, PINNED_TITLES
from diplomaccloud.bots.standings import (
    MIN_GAMES,
    Estimate,
    estimate_shares,
    estimate_spread,
)
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import Json, Node

YEARS: Final = 8
"""How long a game lasts: long enough for a lead, short enough that starts still matter most."""

MAX_GENERAL_POWERS: Final = 10
"""With more powers, Generals would take minutes for each game, so Colonels play."""

STRONGEST: Final = (GENERAL, COLONEL)
"""A measurement with one of these bots is complete."""

Series = tuple[str, int]
"""A bot and how many games it plays."""

SCALE_PLAN: Final[tuple[Series, ...]] = (
    (GREEDY, 1000),
    (CAPTAIN, 1000),
    (COLONEL, 400),
    (GENERAL, 400),
)
"""The games on the standard map, with which all other maps are compared."""

FORM: Final = 4
"""The version of the JSON; forms 1 to 3 had only the greedy bot's games of up to 18 years."""

_FORMAT: Final = "diplomaccloud map measurement"
_MAX_ENDS: Final = 1_000_000
_MAX_NUMBER: Final = 1000.0
_MAX_CENTERS: Final = 1000

Counts = tuple[int, ...]
"""The centers of each power at the end of a game, in board order."""

Games = Mapping[str, Sequence[Counts]]
"""The games of each bot."""


def plan_measurement(powers: int) -> tuple[Series, ...]:
    """Return the series for a map with this many powers; the first is the quickest."""
    if powers > MAX_GENERAL_POWERS:
        return ((CAPTAIN, 400), (COLONEL, 100))
    return ((GREEDY, 400), (CAPTAIN, 400), (GENERAL, 100))


def play_series(
    board: Board, bot: str, *, seed: str, first: int, games: int, years: int = YEARS
) -> Iterator[Counts]:
    """Play `games` games of the series of `bot`, from number `first` on, and yield their ends."""
    powers = list(board.power_info)
    fixtures = [
        Fixture(dict.fromkeys(powers, bot), f"{seed}/{bot}/{number}")
        for number in range(first, first + games)
    ]
    until = board.first_year + years - 1
    for played in play_fixtures(board, fixtures, PINNED_BOTS.__getitem__, until=until):
        yield tuple(len(played.final.centers_of(power)) for power in powers)


@dataclass(frozen=True, slots=True)
class BotRow:
    """What one bot's games say: the spread without chance, and the share of each power.

    `games` are the ends of its games.
    """

    bot: str
    spread: Estimate
    shares: tuple[Estimate, ...]
    games: tuple[Counts, ...]

    @property
    def title(self) -> str:
        """The bot's display name."""
        return PINNED_TITLES[self.bot]

    @property
    def word(self) -> str:
        """The bot's name within a sentence."""
        return "greedy bot" if self.bot == GREEDY else self.title


@dataclass(frozen=True, slots=True)
class Measurement:
    """The measurement of one map: its rows by bot, and what is needed to play its games again.

    `map` is the hash of the map, `engine` the version of the program, and `date` the last day of
    the games.
    """

    map: str
    seed: str
    years: int
    engine: str
    date: dt.date
    powers: tuple[Power, ...]
    rows: tuple[BotRow, ...]

    @property
    def strongest(self) -> BotRow:
        """The row of the strongest bot."""
        return self.rows[-1]

    @property
    def is_complete(self) -> bool:
        """Whether all bots of the plan have played all their games."""
        games = {row.bot: len(row.games) for row in self.rows}
        plan = plan_measurement(len(self.powers))
        return all(games.get(bot, 0) >= wanted for bot, wanted in plan)

    def find_row(self, bot: str) -> BotRow | None:
        """Return the row of a bot, if it has played."""
        return next((row for row in self.rows if row.bot == bot), None)


def summarize(
    key: str, powers: Sequence[Power], games: Games, *, seed: str, engine: str, date: dt.date
) -> Measurement:
    """Return the measurement from the finished games of a map.

    Bots with fewer than `MIN_GAMES` games are left out; raises `ValueError` if that is all.
    """
    rows = tuple(_build_row(bot, games[bot]) for bot in PINNED_BOTS if _is_enough(games, bot))
    if not rows:
        raise ValueError(f"a measurement takes at least {MIN_GAMES} games of a bot")
    return Measurement(key, seed, YEARS, engine, date, tuple(powers), rows)


def _is_enough(games: Games, bot: str) -> bool:
    return len(games.get(bot, ())) >= MIN_GAMES


def _build_row(bot: str, games: Sequence[Counts]) -> BotRow:
    shares = [[count / (sum(counts) or 1) for count in counts] for counts in games]
    return BotRow(bot, estimate_spread(shares), estimate_shares(shares), tuple(games))


def choose_seed(key: str) -> str:
    """Return the seed of the games on the map with this hash; the choice of homes uses others."""
    return f"certificate {FORM} {key}"


def measurement_to_json(found: Measurement) -> Json:
    """Return the measurement as JSON values."""
    return {
        "form": FORM,
        "map": found.map,
        "seed": found.seed,
        "years": found.years,
        "engine": found.engine,
        "date": found.date.isoformat(),
        "powers": list(found.powers),
        "bots": [
            {
                "bot": row.bot,
                "games": len(row.games),
                "spread": _estimate_to_json(row.spread),
                "shares": [_estimate_to_json(share) for share in row.shares],
                # Compact, because there may be a thousand.
                "ends": ";".join(" ".join(map(str, counts)) for counts in row.games),
            }
            for row in found.rows
        ],
    }


def _estimate_to_json(estimate: Estimate) -> list[float]:
    numbers = (estimate.value, estimate.error, estimate.low, estimate.high)
    return [round(number, 4) for number in numbers]


def measurement_from_json(data: object) -> Measurement:
    """Return the measurement that `measurement_to_json` wrote.

    Raises `CodecError` for anything else. Nothing is computed again; see `recompute`.
    """
    node = Node(data)
    if node["form"].integer() != FORM:
        raise node["form"].error(f"is not {FORM}, the only form that this version reads")
    powers = tuple(Power(name.word()) for name in node["powers"].items())
    if not powers or len(set(powers)) < len(powers):
        raise node["powers"].error("are missing, or not all different")
    try:
        date = dt.date.fromisoformat(node["date"].text())
    except ValueError as error:
        raise node["date"].error("is not a date such as 2026-01-31") from error
    rows = tuple(_read_row(row, len(powers)) for row in node["bots"].items())
    if len({row.bot for row in rows}) < max(1, len(rows)):
        raise node["bots"].error("is empty, or names a bot twice")
    return Measurement(
        node["map"].word(),
        node["seed"].text(),
        node["years"].integer(1, 1000),
        node["engine"].text(),
        date,
        powers,
        rows,
    )


def _read_row(node: Node, powers: int) -> BotRow:
    bot = node["bot"].text()
    if bot not in PINNED_BOTS:
        raise node["bot"].error(f"{bot!r} is not a pinned bot of this version")
    shares = tuple(_read_estimate(share) for share in node["shares"].items(powers))
    return BotRow(bot, _read_estimate(node["spread"]), shares, _read_ends(node["ends"], powers))


def _read_estimate(node: Node) -> Estimate:
    return Estimate(*(number.number(0, _MAX_NUMBER) for number in node.items(4)))


def recompute(found: Measurement) -> Measurement:
    """Return the measurement with all numbers computed from its games again."""
    games = {row.bot: row.games for row in found.rows}
    return summarize(
        found.map, found.powers, games, seed=found.seed, engine=found.engine, date=found.date
    )


def _read_ends(node: Node, powers: int) -> tuple[Counts, ...]:
    texts = node.text(_MAX_ENDS).split(";")
    if len(texts) < MIN_GAMES:
        raise node.error(f"has fewer than {MIN_GAMES} games")
    games = []
    for number, text in enumerate(texts, 1):
        words = text.split(" ")
        if len(words) != powers or not all(word.isascii() and word.isdigit() for word in words):
            raise node.error(f"game {number} is not a number of centers for each power")
        counts = tuple(int(word[:5]) for word in words)
        if max(counts) > _MAX_CENTERS:
            raise node.error(f"game {number} has more than {_MAX_CENTERS} centers for a power")
        games.append(counts)
    return tuple(games)


_SCALE_FILE: Final = Path(__file__).with_name("europe_scale.json")


@cache
def load_scale() -> Measurement:
    """Return the measurement of the standard map, with which others are compared.

    `diplomaccloud map certify standard --scale` made the file.
    """
    return measurement_from_json(json.loads(_SCALE_FILE.read_bytes()))


@dataclass(frozen=True, slots=True)
class Batch:
    """A few games of a series, from number `first` on, that one process plays."""

    board: Board
    bot: str
    seed: str
    first: int
    games: int


def play_batch(batch: Batch) -> list[Counts]:
    """Play the games, and return their ends."""
    return list(
        play_series(batch.board, batch.bot, seed=batch.seed, first=batch.first, games=batch.games)
    )


def list_batches(
    board: Board, plan: Sequence[Series], games: Games, *, seed: str
) -> Iterator[Batch]:
    """Yield the games of the plan that are missing, in order; the quickest bot comes first."""
    for bot, wanted in plan:
        size = _BATCH_SIZES[bot]
        for first in range(len(games.get(bot, ())), wanted, size):
            yield Batch(board, bot, seed, first, min(size, wanted - first))


_BATCH_SIZES: Final[Mapping[str, int]] = {GREEDY: BATCH_SIZE, CAPTAIN: 10, COLONEL: 1, GENERAL: 1}
"""How many games are played at a time: about a second for seven powers."""


def find_differences(
    board: Board, found: Measurement, sample: int, *, years: int = YEARS
) -> Iterator[tuple[str, int, bool]]:
    """Play `sample` games of each bot again, spread evenly over its series.

    Yields the bot, the number of the game from 0, and whether it ended as `found` says.
    """
    for row in found.rows:
        count = len(row.games)
        size = min(sample, count)
        for number in (place * count // size for place in range(size)):
            (end,) = play_series(
                board, row.bot, seed=found.seed, first=number, games=1, years=years
            )
            yield row.bot, number, end == row.games[number]


class GamesFile:
    """The finished games of a measurement, one a line, so that a killed run continues from them.

    Only one process can have the file open. Raises `ValueError` if another one does, or if the file
    has games of another map or seed, or is damaged before its last line.
    """

    def __init__(self, path: Path, key: str, seed: str, powers: int) -> None:
        """Prepare the file at `path` for the map with this hash."""
        self._path, self._powers = path, powers
        about = {"format": _FORMAT, "form": FORM, "map": key, "seed": seed, "years": YEARS}
        self._heading = json.dumps(about)
        self._file: BinaryIO | None = None
        self.games: dict[str, list[Counts]] = {bot: [] for bot in PINNED_BOTS}

    def __enter__(self) -> Self:
        """Open the file and read its games."""
        self._file = self._path.open("a+b")
        try:
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def add(self, bot: str, counts: Counts) -> None:
        """Save the next game of `bot`."""
        self._write(json.dumps([bot, *counts]))
        self.games[bot].append(counts)

    def _lock(self) -> None:
        import fcntl  # noqa: PLC0415 not on all systems

        if self._file is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ValueError(f"{self._path} is in use by another process") from error

    def _read(self) -> None:
        if self._file is None:
            return
        self._file.seek(0)
        content = self._file.read()
        whole, _, torn = content.rpartition(b"\n")
        if torn:
            # The process was killed while it wrote this line.
            self._file.truncate(len(content) - len(torn))
        lines = whole.decode(errors="replace").split("\n") if whole else []
        if not lines:
            self._write(self._heading)
            return
        if lines[0] != self._heading:
            raise ValueError(f"{self._path} has games of another map or of another version")
        for number, line in enumerate(lines[1:], 2):
            try:
                bot, *counts = json.loads(line)
                valid = [count for count in counts if type(count) is int and count >= 0]
                if len(valid) != self._powers or len(valid) < len(counts):
                    raise ValueError("not a number of centers for each power")
                self.games[bot].append(tuple(valid))
            except (ValueError, TypeError, KeyError) as error:
                raise ValueError(f"{self._path}: line {number} is damaged") from error

    def _write(self, line: str) -> None:
        if self._file is not None:
            self._file.write(line.encode() + b"\n")
            self._file.flush()
