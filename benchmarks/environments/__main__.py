"""Measure how many phases per second environments play, and the kernel in the same run.

    python benchmarks/environments [--phases N] [--last-year YEAR]

A phase includes its masks and rewards. `plain` is the environment in `docs/examples`, which uses
only the public batches; `kernel` is random play without lists, masks or rewards. All numbers are
phases per second of processor time on one core; the time to choose orders is not counted.
"""

import argparse
import runpy
import time
from array import array
from collections.abc import Callable
from pathlib import Path

import numpy as np

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.bots.kernel import KERNEL
from diplomaccloud.environments import VectorEnv
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.standard.europe import standard_board

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "environment.py"
ROW = "{:<22}{:>7}{:>10}{:>10}{:>10}{:>10}{:>9}{:>7}"


def main() -> None:
    """Print a row for each board and number of games."""
    parser = argparse.ArgumentParser(description="Measure the environments.")
    parser.add_argument("--phases", type=int, default=40000)
    parser.add_argument("--last-year", type=int, default=1910)
    options = parser.parse_args()
    print(f"Phases a second on one core, kernel {KERNEL.name}")
    names = ("board", "games", "random", "dumbbot", "kernel", "plain", "longest", "cut")
    print(ROW.format(*names))
    boards = {"standard": standard_board()}
    for players in (4, 10):
        boards[f"generated, {players} powers"] = make_chart("benchmark", players).board
    for name, board in boards.items():
        for count in (16, 64, 256):
            steps = max(20, options.phases // count)
            measure(name, board, count, steps, options.last_year)


def measure(name: str, board: Board, count: int, steps: int, last_year: int) -> None:
    """Print the speeds of `count` games on one board."""
    env = VectorEnv(count, board=board, last_year=last_year)
    longest, cut = 0, 0

    def play(choose: Callable[[], np.ndarray], step: Callable[[np.ndarray], object]) -> float:
        nonlocal longest, cut
        env.reset(1)
        taken = 0.0
        for _ in range(steps):
            chosen = choose()
            began = time.process_time()
            step(chosen)
            taken += time.process_time() - began
            longest, cut = max(longest, int(env.lengths.max())), cut + env.cut
        return steps * count / taken

    at_random = play(env.sample, env.step)
    as_dumbbot = play(env.order_as_dumbbot, env.step_orders)
    states, seeds = batch.start(count, board), array("Q", range(count))
    began = time.process_time()
    batch.play(states, seeds, steps, board)
    alone = steps * count / (time.process_time() - began)
    plain = f"{measure_plain(count, last_year):,.0f}" if name == "standard" else ""
    speeds = [f"{speed:,.0f}" for speed in (at_random, as_dumbbot, alone)]
    print(ROW.format(name, count, *speeds, plain, longest, cut))


def measure_plain(count: int, last_year: int) -> float:
    """Return the speed of the example, also without the time to choose orders."""
    example = runpy.run_path(str(EXAMPLE))
    random, steps = np.random.default_rng(1), 40
    environment = example["Environment"](count, last_year)
    taken = 0.0
    for _ in range(steps):
        began = time.process_time()
        legal = environment.legal_orders()
        taken += time.process_time() - began
        chosen = [example["choose_at_random"](rows, random) for rows in legal]
        began = time.process_time()
        environment.step(chosen)
        taken += time.process_time() - began
    return steps * count / taken


main()
