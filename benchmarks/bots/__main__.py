"""Measure games of greedy bots, one by one and in lockstep, and the speed of DumbBot.

    python benchmarks/bots [--games N] [--until YEAR]

Uses the standard board and generated maps. Both ways must give the same games. DumbBot's speeds are
in microseconds of CPU time per state, with orders for all powers.
"""

import argparse
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.bots import BOTS, policy
from diplomaccloud.bots.arena import play_game, play_games
from diplomaccloud.bots.kernel import KERNEL
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.core.codes import PHASE
from diplomaccloud.judge.kernel.layout import MOVEMENT_PHASES, width
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.standard.europe import standard_board

Result = TypeVar("Result")


def main() -> None:
    """Print one line per board."""
    parser = argparse.ArgumentParser(description="Measure games of greedy bots.")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--until", type=int, default=1912)
    options = parser.parse_args()
    print(f"{options.games} games of greedy bots to {options.until}, games per second of CPU")
    print(f"{'board':24} {'one by one':>10} {'lockstep':>10} {'ratio':>6}  same games")
    boards = list_boards()
    for name, board in boards.items():
        speed = measure(board, options.games, options.until)
        figures = f"{speed.singly:10.1f} {speed.together:10.1f} {speed.times:6.1f}"
        print(f"{name:24} {figures}  {'yes' if speed.is_same else 'NO'}")
    print(f"\nDumbBot, kernel {KERNEL.name}: µs a state; phases of all kinds a second")
    print(f"{'board':24} {'orders':>8} {'judging':>8} {'value':>8} {'played':>8}")
    for name, board in boards.items():
        *times, played = measure_policy(board, options.games)
        print(f"{name:24} {' '.join(f'{each:8.2f}' for each in times)} {played:8.0f}")


def list_boards() -> dict[str, Board]:
    """Return the boards to measure by name."""
    boards = {"standard": standard_board()}
    for players in (7, 10, 4):
        boards[f"generated, {players} powers"] = make_chart("benchmark", players).board
    return boards


@dataclass(frozen=True, slots=True)
class Speed:
    """Games per second, one by one and in lockstep, and whether both ways gave the same games."""

    singly: float
    together: float
    is_same: bool

    @property
    def times(self) -> float:
        """How many times as fast lockstep is."""
        return self.together / self.singly


def measure(board: Board, games: int, until: int) -> Speed:
    """Return the speeds on one board; the slow way plays a tenth of the games."""
    greedy, few = BOTS["greedy"], max(1, games // 10)
    seats = dict.fromkeys(board.power_info, greedy)
    list(play_games(board, [greedy], games=1, until=1901, seed="warm up"))
    slow, singly = measure_time(
        lambda: [play_game(board, seats, seed=f"b/{i}", until=until) for i in range(few)]
    )
    fast, together = measure_time(
        lambda: list(play_games(board, [greedy], games=games, until=until, seed="b"))
    )
    return Speed(few / slow, games / fast, together[:few] == singly)


def measure_policy(board: Board, games: int) -> tuple[float, float, float, float]:
    """Return the times for orders, judging and values of movement phases, and phases per second."""
    powers, wide, deep = len(board.powers), width(table_of(board)), 3 * len(board.provinces)
    states = batch.start(games, board)
    rows, orders = array("i"), array("i")
    for number in range(60):
        chosen = policy.choose_orders(board, states, array("Q", [number]) * (games * powers))
        for n in range(games):
            if states[n * wide + PHASE] in MOVEMENT_PHASES:
                rows += states[n * wide : (n + 1) * wide]
                orders += chosen[n * deep : (n + 1) * deep]
        states = batch.adjudicate(states, chosen, board=board).states
    count = len(rows) // wide
    seeds = array("Q", range(count * powers))
    ordering, judging, valuing = (
        measure_time(act)[0] / count * 1e6
        for act in (
            lambda: policy.choose_orders(board, rows, seeds),
            lambda: batch.adjudicate(rows, orders, board=board),
            lambda: policy.measure_states(board, rows),
        )
    )
    states, seeds = batch.start(games, board), array("Q", range(games * powers))
    taken, _ = measure_time(lambda: policy.play(board, states, seeds, 100))
    return ordering, judging, valuing, games * 100 / taken


def measure_time(play: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds used by `play`, and its result."""
    began = time.process_time()
    played = play()
    return time.process_time() - began, played


if __name__ == "__main__":
    main()
