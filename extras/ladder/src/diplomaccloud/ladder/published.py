"""The published ladder: one file with everything that its pages show.

It has the current ratings and a few games, so neither the file nor a page grows as the ladder's
history does.
"""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from diplomaccloud.atlas.chartfile import dump_chart, hash_text
from diplomaccloud.entry.orders import read_orders
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.codec import CodecError, Json, Node
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, PhaseError
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.requests import read_position
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.ladder.ratings import Ladder, Rating
from diplomaccloud.sandbox.address import encode_state
from diplomaccloud.sandbox.engine import SandboxError, open_position

FORMAT, VERSION = "diplomaccloud published ladder", 1
MAX_BOTS: Final = 40
"""The most bots to publish; only the best are."""
MAX_SAMPLES: Final = 12
MAX_PHASES: Final = 600
MAX_BYTES: Final = 8_000_000
"""The size of the largest file that is read."""
BUILT_IN: Final = Path(__file__).with_name("built-in.json")
"""The built-in ladder: the five levels."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SampleSeat:
    """A power in a sample game: its bot, and its centers at the end."""

    power: str
    bot: str
    centers: int


@dataclass(frozen=True, slots=True)
class SamplePhase:
    """A phase of a sample game: its short name and its address in the sandbox."""

    name: str
    board: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A game on the map with the hash `map_hash`; `winner` is blank if nobody won outright."""

    map_hash: str
    winner: str
    seats: tuple[SampleSeat, ...]
    phases: tuple[SamplePhase, ...]


@dataclass(frozen=True, slots=True)
class PublishedLadder:
    """The bots with their ratings, best first, the day of the last games, and sample games."""

    day: str
    bots: tuple[tuple[str, Rating], ...]
    samples: tuple[Sample, ...]


def publish(ladder: Ladder, samples: list[Sample]) -> PublishedLadder:
    """Return the part of a ladder that the pages show."""
    day = ladder.entries[-1].day if ladder.entries else ""
    return PublishedLadder(day, tuple(ladder.rank()[:MAX_BOTS]), tuple(samples[:MAX_SAMPLES]))


def dump_published(published: PublishedLadder) -> str:
    """Return the ladder as the text of a file."""
    data: Json = {
        "format": FORMAT,
        "v": VERSION,
        "day": published.day,
        "bots": [
            {"name": name, "mu": round(each.mu, 4), "sigma": round(each.sigma, 4)}
            | {"games": each.games}
            for name, each in published.bots
        ],
        "samples": [
            {
                "map": sample.map_hash,
                "winner": sample.winner,
                "seats": [[seat.power, seat.bot, seat.centers] for seat in sample.seats],
                "phases": [[phase.name, phase.board] for phase in sample.phases],
            }
            for sample in published.samples
        ],
    }
    return json.dumps(data, indent=1) + "\n"


def load_published(text: str) -> PublishedLadder:
    """Return the ladder in the text of a file; raise `CodecError` for anything else."""
    try:
        node = Node(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from error
    if "format" not in node or node["format"].value != FORMAT:
        raise CodecError("not a published ladder")
    node["v"].integer(VERSION, VERSION)
    bots = tuple(
        (
            bot["name"].line(),
            Rating(
                bot["mu"].number(-1e6, 1e6),
                bot["sigma"].number(0, 1e6),
                bot["games"].integer(0, 2**53),
            ),
        )
        for bot in list(node["bots"].items())[:MAX_BOTS]
    )
    samples = [_read_sample(sample) for sample in list(node["samples"].items())[:MAX_SAMPLES]]
    return PublishedLadder(node["day"].text(), bots, tuple(samples))


def _read_sample(node: Node) -> Sample:
    seats = [
        SampleSeat(power.line(), bot.line(), centers.integer(0, 10_000))
        for power, bot, centers in (entry.items(3) for entry in node["seats"].items())
    ]
    entries = [entry.items(2) for entry in list(node["phases"].items())[:MAX_PHASES]]
    phases = [SamplePhase(_read_phase(name), board.text()) for name, board in entries]
    if not (seats and phases):
        raise node.error("a game without a seat or a phase")
    return Sample(node["map"].line(_HASH), node["winner"].text(), tuple(seats), tuple(phases))


def _read_phase(node: Node) -> str:
    try:
        return str(Phase.parse(node.line()))
    except PhaseError as error:
        raise node.error(str(error)) from error


def read_published(path: Path) -> PublishedLadder:
    """Return the ladder in a file, or the built-in one if the file is missing or unreadable.

    A file is read again when it has changed.
    """
    try:
        facts = path.stat()
        return _read_file(path, facts.st_mtime_ns, facts.st_size)
    except FileNotFoundError:
        return _read_built_in()
    except OSError:
        _log.exception("the ladder cannot be read: %s", path)
        return _read_built_in()


@lru_cache(maxsize=4)
def _read_file(path: Path, _changed_at: int, size: int) -> PublishedLadder:
    """Return the ladder in a file; log a damaged file once and use the built-in ladder instead."""
    try:
        if size > MAX_BYTES:
            raise CodecError(f"longer than {MAX_BYTES:,} bytes")
        return load_published(path.read_text(encoding="utf-8"))
    except ValueError:
        _log.exception("the ladder cannot be read: %s", path)
        return _read_built_in()


@cache
def _read_built_in() -> PublishedLadder:
    return load_published(BUILT_IN.read_text(encoding="utf-8"))


BOARD: Final = standard_chart().board


def read_samples(path: Path) -> list[Sample]:
    """Return the games in a record, up to the number that are published.

    Raises `CodecError` for any other file, and for a map other than the standard one, which is the
    only one that every site has in its sandbox.
    """
    samples: list[Sample] = []
    game: list[Node] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                node = Node(json.loads(line), f"line {number}")
            except (ValueError, RecursionError) as error:
                raise CodecError(f"line {number} is not JSON: {error}") from error
            game.append(node)
            if node["kind"].value == "seal":
                samples.append(_read_game(game))
                game = []
            if len(samples) == MAX_SAMPLES:
                break
    return samples


def _read_game(lines: list[Node]) -> Sample:
    map_hash = hash_text(dump_chart(standard_chart()))
    if lines[0]["map"].value != "standard":
        raise lines[0]["map"].error("not the standard map, the only one with sample games")
    if len(lines) == 1:
        raise lines[0].error("a game without a draw of seats")
    seats = {
        power.line(): seat["bot"].line()
        for seat in lines[1]["seats"].items()
        for power in seat["powers"].items()
    }
    phases: list[SamplePhase] = []
    position: Position | None = None
    for node in lines:
        if node["kind"].value == "open" and position is None:
            position = _read_next(node["position"], None, ())
        elif node["kind"].value == "resolve" and position is not None:
            texts = [text.line() for _, each in node["orders"].entries() for text in each.items()]
            powers = tuple(info.power for info in BOARD.powers)
            orders = read_orders(
                BOARD, position, powers, choices=texts, text="", rules=DEFAULT
            ).orders
            try:
                state = open_position(BOARD, position, orders, DEFAULT.name)
                board = encode_state(state, BOARD, map_hash)
            except SandboxError as error:
                raise node.error(f"the sandbox cannot show it: {error}") from error
            phases.append(SamplePhase(str(position.phase), board))
            position = _read_next(node["next"], position, orders)
    if position is None:
        raise lines[0].error("a game without a phase")
    counts = {power: sum(o == power for o in position.centers.values()) for power in seats}
    most = max(counts, key=lambda power: counts[power])
    winner = most if counts[most] >= BOARD.victory_centers else ""
    played = [SampleSeat(power, bot, counts[power]) for power, bot in seats.items()]
    return Sample(map_hash, winner, tuple(played), tuple(phases))


def _read_next(node: Node, before: Position | None, orders: Sequence[Order]) -> Position:
    """Return the position at `node`; `before` and its orders show who dislodged whom."""
    position = read_position(node, Phase.parse(node["phase"].line()), BOARD)
    if before is None or before.phase == position.phase or not position.dislodged:
        return position
    after = adjudicate(BOARD, before, orders, DEFAULT, seed="").next
    return after if after.phase == position.phase else position
