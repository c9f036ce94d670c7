"""Games among bots and their scores. Everything follows from the seed.

The score of a power is its share of the sum of squared center counts, or 1 for a solo.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from diplomaccloud.bots.batched_games import BATCH_SIZE, PlayBatch, play_batch
from diplomaccloud.bots.dumbbot import DumbBot, draw_dumbbot_orders
from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.player import Bot
from diplomaccloud.bots.random_games import draw_orders, draw_random_orders
from diplomaccloud.bots.random_legal import RandomBot
from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import unpack_state
from diplomaccloud.judge.kernel.table import small_table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.victory import find_ending

Watch = Callable[[tuple[Position, tuple[Order, ...], Resolution]], object]
"""Called after each phase of a game with the position, the orders and the resolution."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: the bot of each power, the last position, and the victory if any."""

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
    """Return the orders of all bots in `position`; the same for the same `seed`."""
    if _are_random(board, [bots.get(power) for power in board.power_info]):
        return draw_orders(board, position, seed)
    orders: list[Order] = []
    for power in sorted(powers_to_order(board, position)):
        if power in bots:
            rng = random.Random(f"{phase_seed(seed, position.phase)}/{power}")
            orders.extend(bots[power].orders(board, position, power, rules, rng))
    return orders


def phase_seed(seed: str, phase: Phase) -> str:
    """Return the seed of one phase, for the bots' and the judge's random choices."""
    return f"{seed}/{phase}"


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

    `watch` is called after each phase. Bots and adjudication use random numbers from `seed`.
    """
    position, ending, phases = starting_position(board), None, 0
    while ending is None and position.phase.year <= until:
        orders = choose_orders(board, position, bots, rules, seed)
        lots = phase_seed(seed, position.phase)
        resolution = adjudicate(board, position, orders, rules, seed=lots)
        if watch is not None:
            watch((position, tuple(orders), resolution))
        position, ending = resolution.next, resolution.ending
        phases += 1
    return Played({power: bot.name for power, bot in bots.items()}, position, ending, phases)


def play_games(
    board: Board, bots: Sequence[Bot], *, games: int, until: int, seed: str
) -> Iterator[Played]:
    """Yield `games` games; in each game the bots move on by one power.

    If all bots are greedy, all are DumbBot or all are random, the games are played in lockstep:
    the same games, but faster.
    """
    seeds = [f"{seed}/{i}" for i in range(games)]
    if play := _find_lockstep(board, bots):
        names = dict.fromkeys(board.power_info, bots[0].name)
        for first in range(0, games, BATCH_SIZE):
            for state, phases in play(board, seeds[first : first + BATCH_SIZE], until=until):
                final = unpack_state(board, state)
                yield Played(names, final, _find_last_ending(board, final), phases)
        return
    for number, game_seed in enumerate(seeds):
        yield play_game(board, seat_bots(board, bots, number), seed=game_seed, until=until)


def seat_bots(board: Board, bots: Sequence[Bot], number: int) -> Mapping[Power, Bot]:
    """Return the bot of each power in game `number`, counted from 0."""
    return {p: bots[(place + number) % len(bots)] for place, p in enumerate(board.power_info)}


def seat_one(board: Board, bots: Sequence[Bot]) -> list[Bot]:
    """Return a bot for each power: the first bot once, then the others in turn.

    Raises `ValueError` unless there are two bots.
    """
    if len(bots) < 2:
        raise ValueError("one bot among others takes at least two names, as in search:300,dumbbot")
    others = bots[1:]
    return [bots[0], *(others[n % len(others)] for n in range(len(board.power_info) - 1))]


def _find_lockstep(board: Board, bots: Sequence[Bot]) -> PlayBatch | None:
    """Return what plays many games of these bots together, if anything does."""
    if all(isinstance(bot, GreedyBot) for bot in bots):
        # Imported here because processes that serve pages should not load numpy.
        from diplomaccloud.bots import lockstep  # noqa: PLC0415

        return lockstep.play_batch
    if all(isinstance(bot, DumbBot) for bot in bots):
        return partial(play_batch, choose=draw_dumbbot_orders)
    if _are_random(board, bots):
        return partial(play_batch, choose=draw_random_orders)
    return None


def _are_random(board: Board, bots: Iterable[Bot | None]) -> bool:
    """Return whether the kernel can draw the orders: it knows the board, all bots are random."""
    return all(isinstance(bot, RandomBot) for bot in bots) and small_table_of(board) is not None


def _find_last_ending(board: Board, final: Position) -> Ending | None:
    """Return the victory in the last complete year before `final`, if there was one."""
    phase = final.phase
    year = phase.year if phase.stage is Stage.ADJUSTMENTS else phase.year - 1
    return find_ending(board, final.centers, f"Fall {year}")


def compute_tally(played: Iterable[tuple[Played, Power]]) -> Tally:
    """Return the means over the given games and powers."""
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


def format_report(board: Board, played: Sequence[Played]) -> str:
    """Return a table of the scores by power and, if several bots played, by bot."""
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
        t = compute_tally(seats)
        lines.append(
            f"{name:{width}}  {t.seats:5}  {t.score:5.3f}  {t.centers:7.2f}"
            f"  {t.solos:5.0%}  {t.eliminated:10.0%}"
        )
    solos = sum(game.ending is not None for game in played)
    phases = fmean(game.phases for game in played)
    lines.append(f"{len(played)} games, {solos} won outright, {phases:.0f} phases a game")
    return "\n".join(lines)
