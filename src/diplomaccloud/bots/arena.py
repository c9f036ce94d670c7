"""Games among bots, and what they show. Everything follows from the seed.

The score of a power is sum of squares: its share of the squared center counts, 1 for a solo.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.player import Bot
from diplomaccloud.judge.adjudicate import adjudicate, powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import unpack_state
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.victory import find_ending

Watch = Callable[[tuple[Position, tuple[Order, ...], Resolution]], object]
"""Is shown each phase of a game: the position, the orders, and what came of them."""


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game: who played what, the last position, and the victory if there was one."""

    bots: Mapping[Power, str]
    final: Position
    ending: Ending | None
    phases: int

    def score(self, power: Power) -> float:
        """Return the sum-of-squares score of `power`, from 0 to 1."""
        if self.ending is not None and len(self.ending.winners) == 1:
            return float(power in self.ending.winners)
        squares = {p: len(self.final.centers_of(p)) ** 2 for p in self.bots}
        return squares[power] / (sum(squares.values()) or 1)


@dataclass(frozen=True, slots=True)
class Tally:
    """Means over games for one power or one bot, shares from 0 to 1."""

    seats: int
    score: float
    centers: float
    solos: float
    eliminated: float


def choose_orders(
    board: Board, position: Position, bots: Mapping[Power, Bot], rules: RuleSet, seed: str
) -> list[Order]:
    """Return the orders that the bots give in `position`; the same for the same `seed`."""
    orders: list[Order] = []
    for power in sorted(powers_to_order(board, position)):
        if power in bots:
            rng = random.Random(f"{seed}/{position.phase}/{power}")
            orders.extend(bots[power].orders(board, position, power, rules, rng))
    return orders


def play_game(
    board: Board,
    bots: Mapping[Power, Bot],
    *,
    seed: str,
    until: int,
    rules: RuleSet = DEFAULT,
    watch: Watch | None = None,
) -> Played:
    """Play one game to victory or to the end of the year `until` and return how it ended.

    `watch` is told of every phase once it is adjudicated, all of them with the lots of `seed`.
    """
    position, ending, phases = starting_position(board), None, 0
    while ending is None and position.phase.year <= until:
        orders = choose_orders(board, position, bots, rules, seed)
        resolution = adjudicate(board, position, orders, rules, seed=seed)
        if watch is not None:
            watch((position, tuple(orders), resolution))
        position, ending = resolution.next, resolution.ending
        phases += 1
    return Played({power: bot.name for power, bot in bots.items()}, position, ending, phases)


def play_games(
    board: Board, bots: Sequence[Bot], *, games: int, until: int, seed: str
) -> Iterator[Played]:
    """Yield `games` games; the bots take turns at the powers, moving on by one each game.

    Games among greedy bots alone are played in lockstep: the same games, sooner.
    """
    if all(isinstance(bot, GreedyBot) for bot in bots):
        yield from _in_lockstep(board, [f"{seed}/{i}" for i in range(games)], until)
        return
    for number in range(games):
        seats = seat_bots(board, bots, number)
        yield play_game(board, seats, seed=f"{seed}/{number}", until=until)


def seat_bots(board: Board, bots: Sequence[Bot], number: int) -> Mapping[Power, Bot]:
    """Return who plays what in the game of that number, the first being 0."""
    return {p: bots[(place + number) % len(bots)] for place, p in enumerate(board.power_info)}


def _in_lockstep(board: Board, seeds: Sequence[str], until: int) -> Iterator[Played]:
    # Numpy is loaded by whoever plays many games, not by a process that serves pages.
    from diplomaccloud.bots.lockstep import AT_ONCE, play_batch  # noqa: PLC0415

    names = dict.fromkeys(board.power_info, GreedyBot.name)
    for first in range(0, len(seeds), AT_ONCE):
        for state, phases in play_batch(board, seeds[first : first + AT_ONCE], until=until):
            final = unpack_state(board, state)
            yield Played(names, final, _ending(board, final), phases)


def _ending(board: Board, final: Position) -> Ending | None:
    """Return the victory in the year that came before `final`, if there was one."""
    phase = final.phase
    year = phase.year if phase.stage is Stage.ADJUSTMENTS else phase.year - 1
    return find_ending(board, final.centers, f"Fall {year}")


def tally(played: Iterable[tuple[Played, Power]]) -> Tally:
    """Return the means over the given seats."""
    seats = list(played)
    counts = [len(game.final.centers_of(power)) for game, power in seats]
    won = [game.ending is not None and power in game.ending.winners for game, power in seats]
    return Tally(
        seats=len(seats),
        score=fmean(game.score(power) for game, power in seats),
        centers=fmean(counts),
        solos=fmean(won),
        eliminated=fmean(count == 0 for count in counts),
    )


def report(board: Board, played: Sequence[Played]) -> str:
    """Return a table of the results by power and, when several bots played, by bot."""
    by_power = {info.name: [(game, info.power) for game in played] for info in board.powers}
    bots = sorted({name for game in played for name in game.bots.values()})
    by_bot = {
        bot: [(game, p) for game in played for p, name in game.bots.items() if name == bot]
        for bot in bots
    }
    groups = by_power | (by_bot if len(by_bot) > 1 else {})
    width = max(map(len, groups))
    lines = [f"{'':{width}}  seats  score  centers  solos  eliminated"]
    for name, seats in groups.items():
        t = tally(seats)
        lines.append(
            f"{name:{width}}  {t.seats:5}  {t.score:5.3f}  {t.centers:7.2f}"
            f"  {t.solos:5.0%}  {t.eliminated:10.0%}"
        )
    solos = sum(game.ending is not None for game in played)
    phases = fmean(game.phases for game in played)
    lines.append(f"{len(played)} games, {solos} won outright, {phases:.0f} phases a game")
    return "\n".join(lines)
