"""The ladder: ratings of bots over time, from their ranks in arena games.

The strength of a seat is that of its bot and its power together, so both have a rating, and a bot
gains nothing from playing an easy power. DumbBot stays at 25; all other ratings are relative to it.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from diplomaccloud.bots.player import DumbBot
from diplomaccloud.bots.standings import Tally
from diplomaccloud.judge.codec import CodecError, Json, Node

FORMAT, VERSION = "diplomaccloud ladder", 1
FIXED = DumbBot.name
_MEAN, _SPREAD = 25.0, 25 / 3
_FIXED_SPREAD = 0.0001
_POWER_SPREAD = 25 / 6
_LARGEST = 1000.0
"""Far above any real value on a ladder; with larger values the computation overflows."""


@dataclass(slots=True)
class Rating:
    """A bot's strength: `mu` is the likeliest value, and `sigma` is its uncertainty."""

    mu: float = _MEAN
    sigma: float = _SPREAD
    games: int = 0

    @property
    def value(self) -> float:
        """The strength that the bot almost certainly has or exceeds, which ladders show."""
        return self.mu - 3 * self.sigma


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

    `heading` identifies the run, and `day` is the date of the addition as text. Needs `openskill`.
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
    from openskill.models import PlackettLuce  # noqa: PLC0415 an extra

    powers = ladder.powers.setdefault(tally.map, {})
    model, teams = PlackettLuce(), []
    for power, bot in tally.bots.items():
        first = Rating(sigma=_FIXED_SPREAD) if bot == FIXED else Rating()
        bot_rating = ladder.bots.setdefault(bot, first)
        pair = bot_rating, powers.setdefault(power, Rating(0.0, _POWER_SPREAD))
        teams.append([model.rating(mu=each.mu, sigma=each.sigma) for each in pair])
    scores = [tally.score(power) for power in tally.bots]
    ranks = [float(sum(rival > score for rival in scores)) for score in scores]
    changed: dict[str, list[tuple[float, float]]] = {}
    rated = model.rate(teams, ranks=ranks)
    for (power, bot), (new, new_power) in zip(tally.bots.items(), rated, strict=True):
        changed.setdefault(bot, []).append((new.mu, new.sigma))
        powers[power] = Rating(new_power.mu, new_power.sigma, powers[power].games + 1)
    for bot, values in changed.items():
        rating = ladder.bots[bot]
        rating.games += 1
        if bot != FIXED:
            # All seats of a bot start from the same rating and carry the same weight.
            rating.mu, rating.sigma = (fmean(column) for column in zip(*values, strict=True))


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
