"""Games among bots: their seats, the games and their scores. The seed determines everything.

Seats rotate through the games of a *block* with one seed. In a block, each bot has each power
equally often. If one bot sits among others, it has each power at least once, and the others share
the remaining seats equally. Later blocks start with the bots and powers in another order, drawn
from the seed, so that neighbors change.

The score of a power is its share of the sum of squared center counts, or 1 for a solo.
"""

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from math import ceil, gcd

from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.player import (
    Bot,
    DumbBot,
    RandomBot,
    draw_dumbbot_orders,
    draw_orders,
    draw_random_orders,
    score_centers,
)
from diplomaccloud.bots.talks.press_table import PressFigures, PressTable
from diplomaccloud.judge import batch
from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.core.codes import WINNER, YEAR
from diplomaccloud.judge.kernel.layout import unpack_state, width
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.victory import find_ending


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


Watch = Callable[[tuple[Position, tuple[Order, ...], Resolution]], object]
"""Called after each phase of a game with the position, the orders and the resolution."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: the bot of each power, the last position, and the victory, if any.

    `press` has the statistics of the negotiations, if the bots negotiated.
    """

    bots: Mapping[Power, str]
    final: Position
    ending: Ending | None
    phases: int
    press: PressFigures | None = None

    @property
    def winner(self) -> Power | None:
        """The power that won outright."""
        winners = () if self.ending is None else self.ending.winners
        return winners[0] if len(winners) == 1 else None

    def score(self, power: Power) -> float:
        """Return the sum-of-squares score of `power`, from 0 to 1."""
        counts = {p: len(self.final.centers_of(p)) for p in self.bots}
        return score_centers(counts, self.winner, power)


def choose_orders(
    board: Board,
    position: Position,
    bots: Mapping[Power, Bot],
    rules: RuleSet,
    seed: str,
    *,
    table: PressTable | None = None,
) -> list[Order]:
    """Return the orders of all bots in `position`; the same `seed` gives the same orders.

    Bots with a diplomat at the `table` keep or break the deals that they made there.
    """
    if all(isinstance(bots.get(power), RandomBot) for power in board.power_info):
        return draw_orders(board, position, seed)
    orders: list[Order] = []
    for power in sorted(powers_to_order(board, position)):
        if table is not None and power in table.diplomats:
            orders.extend(
                table.choose_orders(position, power, rules, phase_seed(seed, position.phase))
            )
        elif power in bots:
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
    table: PressTable | None = None,
) -> Played:
    """Play one game to victory or to the end of the year `until` and return the finished game.

    `watch` is called after each phase. Bots and adjudication use random numbers from `seed`. The
    bots negotiate if there is a `table`.
    """
    position, ending, phases = starting_position(board), None, 0
    while ending is None and position.phase.year <= until:
        lots = phase_seed(seed, position.phase)
        if table is not None:
            table.talk(position, lots)
        orders = choose_orders(board, position, bots, rules, seed, table=table)
        resolution = adjudicate(board, position, orders, rules, seed=lots)
        if watch is not None:
            watch((position, tuple(orders), resolution))
        if table is not None:
            table.judge(position, [result.order for result in resolution.results])
        position, ending = resolution.next, resolution.ending
        phases += 1
    played = Played({power: bot.name for power, bot in bots.items()}, position, ending, phases)
    if table is None:
        return played
    return replace(played, press=table.close(position, played.winner))


def play_games(
    board: Board,
    bots: Sequence[Bot],
    *,
    games: int,
    until: int,
    seed: str,
    one_of: bool = False,
) -> Iterator[Played]:
    """Yield the first `games` games of these bots, with the seats and seeds of `seat_games`.

    If all bots are greedy, all are DumbBot, or all are random, the games are played in lockstep,
    which gives the same games faster.
    """
    by_name = {bot.name: bot for bot in bots}
    seated = seat_games(board, [bot.name for bot in bots], seed, one_of=one_of)
    yield from play_fixtures(board, list(islice(seated, games)), by_name.__getitem__, until=until)


def play_fixtures(
    board: Board, fixtures: Sequence[Fixture], find: Callable[[str], Bot], *, until: int
) -> Iterator[Played]:
    """Play the games in order and yield them; `find` returns the bot with a name."""
    names = dict.fromkeys(name for fixture in fixtures for name in fixture.bots.values())
    bots = {name: find(name) for name in names}
    if play := find_lockstep(list(bots.values())):
        seated = dict.fromkeys(board.power_info, *bots)
        for first in range(0, len(fixtures), BATCH_SIZE):
            seeds = [fixture.seed for fixture in fixtures[first : first + BATCH_SIZE]]
            for state, phases in play(board, seeds, until=until):
                final = unpack_state(board, state)
                # A victory ends a game after Fall, so it was in the last complete year.
                phase = final.phase
                year = phase.year - (phase.stage is not Stage.ADJUSTMENTS)
                ending = find_ending(board, final.centers, f"Fall {year}")
                yield Played(seated, final, ending, phases)
        return
    for fixture in fixtures:
        seats = {power: bots[name] for power, name in fixture.bots.items()}
        yield play_game(board, seats, seed=fixture.seed, until=until)


BATCH_SIZE = 50
"""Games per batch: enough to spread the cost of a call, few enough to fit in the CPU cache."""

ChooseOrders = Callable[[Board, "array[int]", Sequence[str]], "array[int]"]
"""Returns order rows for rows of states and the seed of each game."""

PlayBatch = Callable[..., Iterable[tuple["array[int]", int]]]
"""Plays games with these seeds on a board until a year, as `play_batch` does."""


def play_batch(
    board: Board, seeds: Sequence[str], *, until: int, choose: ChooseOrders
) -> Iterator[tuple["array[int]", int]]:
    """Play a game for each seed, in order; yield its last state and its number of phases.

    All games play their next phase together, with orders from the kernel: the same games as one by
    one, but faster. A game ends with a victory, which the state shows, or after the year `until`.
    """
    size = width(table_of(board))
    rows = batch.start(len(seeds), board)
    playing = list(range(len(seeds)))
    ended: dict[int, tuple[array[int], int]] = {}
    phases = 0
    while playing:
        orders = choose(board, rows, [seeds[game] for game in playing])
        after = batch.adjudicate(rows, orders, board=board).states
        phases += 1
        rows, still_playing = array("i"), []
        for number, game in enumerate(playing):
            row = after[number * size : (number + 1) * size]
            if row[WINNER] >= 0 or row[YEAR] > until:
                ended[game] = row, phases
            else:
                rows += row
                still_playing.append(game)
        playing = still_playing
    return (ended[game] for game in range(len(seeds)))


def find_lockstep(bots: Sequence[Bot]) -> PlayBatch | None:
    """Return a function that plays many games of these bots together, if there is one."""
    if all(isinstance(bot, GreedyBot) for bot in bots):
        try:
            # Imported here because processes that serve pages should not load numpy.
            from diplomaccloud.bots import lockstep  # noqa: PLC0415
        except ModuleNotFoundError:
            # Without numpy: the same games, but slower.
            return None
        return lockstep.play_batch
    if all(isinstance(bot, DumbBot) for bot in bots):
        return partial(play_batch, choose=draw_dumbbot_orders)
    if all(isinstance(bot, RandomBot) for bot in bots):
        return partial(play_batch, choose=draw_random_orders)
    return None
