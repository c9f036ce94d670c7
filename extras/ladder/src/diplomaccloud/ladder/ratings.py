"""The ladder: ratings of bots over time, from their ranks in arena games.

The strength of a seat is that of its bot and its power together, so both have a rating, and a bot
gains nothing from playing an easy power. DumbBot stays at 25; all other ratings are relative to it.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from diplomaccloud.bots.player import DumbBot
from diplomaccloud.bots.standings import Tally
from diplomaccloud.judge.codec import CodecError, Json, Node
from diplomaccloud.ratings import Rating, Seat, rate_game

__all__ = ["Entry", "Ladder", "Rating", "add_games", "dump_ladder", "load_ladder"]
FORMAT, VERSION = "diplomaccloud ladder", 1
FIXED = DumbBot.name
_FIXED_SPREAD = 0.0001
_LARGEST = 1000.0
"""Far above any real value on a ladder; with larger values the computation overflows."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The games of one arena run that were added on a day, and the values after them."""

    run: str
    games: int
    day: str
    values: dict[str, float]


@dataclass(slots=True)
class Ladder:
    """Ratings of bots by name and of powers by map and name, with all additions so far."""

    bots: dict[str, Rating] = field(default_factory=dict)
    powers: dict[str, dict[str, Rating]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)

    def rank(self) -> list[tuple[str, Rating]]:
        """Return the bots, best first."""
        return sorted(self.bots.items(), key=lambda item: (-item[1].value, item[0]))


def add_games(ladder: Ladder, heading: str, tallies: Sequence[Tally], day: str) -> int:
    """Rate the games of a run that the ladder doesn't have yet; return how many there were.

    `heading` identifies the run, and `day` is the date of the addition as text.
    """
    run = hashlib.sha256(heading.encode()).hexdigest()[:16]
    known = sum(entry.games for entry in ladder.entries if entry.run == run)
    new = tallies[known:]
    for tally in new:
        _rate(ladder, tally)
    if new:
        values = {name: rating.value for name, rating in ladder.rank()}
        ladder.entries.append(Entry(run, len(new), day, values))
    return len(new)


def _rate(ladder: Ladder, tally: Tally) -> None:
    """Update the ratings for one game; skip a game with a single power."""
    if len(tally.bots) < 2:
        return
    scores = [tally.score(power) for power in tally.bots]
    seats = [
        Seat(bot, str(power), 1 + sum(rival > score for rival in scores))
        for (power, bot), score in zip(tally.bots.items(), scores, strict=True)
    ]
    if FIXED in tally.bots.values():
        ladder.bots.setdefault(FIXED, Rating(sigma=_FIXED_SPREAD))
    powers = ladder.powers.setdefault(tally.map, {})
    bots, changed_powers = rate_game(seats, ladder.bots, powers)
    if FIXED in bots:
        bots[FIXED] = replace(ladder.bots[FIXED], games=bots[FIXED].games)
    ladder.bots.update(bots)
    powers.update(changed_powers)


def dump_ladder(ladder: Ladder) -> str:
    """Return the ladder as the text of a file."""
    data: Json = {
        "format": FORMAT,
        "v": VERSION,
        "bots": _dump(ladder.bots),
        "powers": {name: _dump(powers) for name, powers in ladder.powers.items()},
        "entries": [
            {"run": each.run, "games": each.games, "day": each.day, "values": each.values}
            for each in ladder.entries
        ],
    }
    return json.dumps(data, indent=1) + "\n"


def _dump(ratings: dict[str, Rating]) -> Json:
    return {
        name: {"mu": each.mu, "sigma": each.sigma, "games": each.games}
        for name, each in ratings.items()
    }


def load_ladder(text: str) -> Ladder:
    """Return the ladder in the text of a file; raise `CodecError` for anything else."""
    try:
        node = Node(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from error
    if "format" not in node or node["format"].value != FORMAT:
        raise CodecError("not a ladder")
    if node["v"].value != VERSION:
        raise node["v"].error(f"not version {VERSION}")
    bots = _load(node["bots"])
    powers = {name.text(): _load(each) for name, each in node["powers"].entries()}
    entries = []
    for each in node["entries"].items():
        values = {name.text(): n.number(-1e7, 1e7) for name, n in each["values"].entries()}
        run, games, day = each["run"].text(), each["games"].integer(1), each["day"].text()
        entries.append(Entry(run, games, day, values))
    return Ladder(bots, powers, entries)


def _load(node: Node) -> dict[str, Rating]:
    return {
        name.line(): Rating(
            rating["mu"].number(-_LARGEST, _LARGEST),
            rating["sigma"].number(0, _LARGEST),
            rating["games"].integer(0, 2**53),
        )
        for name, rating in node.entries()
    }
