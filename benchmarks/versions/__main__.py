"""Compare a bot between two commits: better, worse, or not known.

    python benchmarks/versions BASE [CHANGE] [--bot search:600] [--games 210] [--until 1910]

CHANGE is the working tree unless given. Each commit is checked out, its kernel is compiled, and its
bot plays in separate processes. In each game, one bot of CHANGE plays against bots of BASE, in each
seat in turn with the same seeds; if nothing changed, it has exactly an equal share. The number of
games is fixed beforehand. The gain is the share of the sum of squares minus an equal share, with
its 95% interval over blocks of games. The script exits with 0 for "better" and "no loss" (the
interval is above -0.03), with 1 for "worse" and "not known", and with 2 for bad input.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from statistics import fmean

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.arena import Fixture, play_game, round_games, seat_games
from diplomaccloud.bots.kernel import HERE as BOTS
from diplomaccloud.bots.standings import estimate_mean
from diplomaccloud.cli.common import find_map, parse_positive
from diplomaccloud.cli.tables import count_cores
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec import board_to_json, order_from_json, position_to_json
from diplomaccloud.judge.kernel.sources import BUILD
from diplomaccloud.judge.kernel.sources import KERNEL as JUDGE

ROOT = Path(__file__).resolve().parents[2]
SEAT = Path(__file__).with_name("seat.py")
TOLERANCE = 0.03
"""A smaller loss counts as no loss."""


class Seat:
    """A bot from another checkout, in its own process; it can be used like a bot of this one."""

    def __init__(self, label: str, checkout: Path, bot: str, board: Board) -> None:
        self.name = label
        self._process = subprocess.Popen(
            [sys.executable, str(SEAT), bot],
            env=os.environ | {"PYTHONPATH": f"{checkout / 'judge/src'}:{checkout / 'src'}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        about = self._ask(board_to_json(board))
        if not Path(about["source"]).is_relative_to(checkout):
            raise RuntimeError(f"{label} runs {about['source']}")
        self.kernel = about["kernel"]

    def orders(self, board, position, power, rules, rng):  # noqa: ARG002 as all bots
        """Return the orders of `power`; the same for the same state of `rng`."""
        asked = {"position": position_to_json(position), "power": power}
        given = self._ask(asked | {"seed": rng.getrandbits(64)})
        return tuple(order_from_json(order) for order in given)

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()

    def _ask(self, data):
        self._process.stdin.write(json.dumps(data) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the bot of {self.name} ended")
        return json.loads(answer)


def main() -> int:
    """Compare the commits, print the verdict and return the exit status."""
    options = read_options()
    try:
        find_bot(options.bot)
        board = find_map(options.map, 7).board
        with ExitStack() as stack:
            base = stack.enter_context(check_out(options.base))
            change = ROOT if not options.change else stack.enter_context(check_out(options.change))
            gains = measure_gains(board, base, change, options)
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        print(f"versions: {error}", file=sys.stderr)
        return 2
    mean, low, high = estimate_mean(gains, [1] * len(gains))
    verdict = judge(low, high)
    print(f"gain {mean:+.3f} ({low:+.3f} to {high:+.3f}), {options.bot}: {verdict}")
    return 0 if verdict in {"better", "no loss"} else 1


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base")
    parser.add_argument("change", nargs="?", help="default: the working tree")
    parser.add_argument("--bot", default="search:600")
    parser.add_argument("--map", default="standard")
    parser.add_argument("--games", type=parse_positive, default=210)
    parser.add_argument("--until", type=parse_positive, default=1910)
    parser.add_argument("--seed", default="versions")
    parser.add_argument("--processes", type=parse_positive, default=count_cores())
    return parser.parse_args()


def judge(low: float, high: float) -> str:
    """Return the verdict on the interval of a gain."""
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "no loss" if low > -TOLERANCE else "not known"


@contextmanager
def check_out(commit: str) -> Iterator[Path]:
    """Yield a temporary folder with the commit and its compiled kernel."""
    git = ["git", "-C", str(ROOT)]
    known = subprocess.run(
        [*git, "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}"],
        stdout=subprocess.DEVNULL,
    )
    if known.returncode:
        raise ValueError(f"there is no commit {commit!r}")
    with tempfile.TemporaryDirectory(prefix="versions-") as parent:
        folder = Path(parent) / "checkout"
        git.append("worktree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(folder), commit], check=True)
        try:
            yield prepare(folder)
        finally:
            subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def prepare(folder: Path) -> Path:
    """Compile the kernels of a checkout, unless ours are of the same sources; return `folder`."""
    for kernel in (JUDGE, BOTS):
        there = folder / kernel.relative_to(ROOT)
        if (kernel / BUILD).exists() and there.exists():
            shutil.copytree(kernel / BUILD, there / BUILD)
    subprocess.run([sys.executable, str(folder / "scripts" / "kernel")], check=True)
    return folder


def measure_gains(board: Board, base: Path, change: Path, options) -> list[float]:
    """Return, for each block of games, how much the change had beyond an equal share."""
    seats = threading.local()
    opened: list[Seat] = []

    def play(fixture: Fixture) -> float:
        if not hasattr(seats, "pair"):
            seats.pair = {
                "change": Seat("change", change, options.bot, board),
                "base": Seat("base", base, options.bot, board),
            }
            opened.extend(seats.pair.values())
        bots = {power: seats.pair[name] for power, name in fixture.bots.items()}
        game = play_game(board, bots, seed=fixture.seed, until=options.until)
        return sum(game.score(power) for power, name in game.bots.items() if name == "change")

    labels = ["change", "base"]
    games = round_games(board, labels, options.games, one_of=True)
    fixtures = islice(seat_games(board, labels, options.seed, one_of=True), games)
    scores: list[float] = []
    with ThreadPoolExecutor(options.processes) as pool:
        try:
            for score in pool.map(play, fixtures):
                scores.append(score)
                print(f"\r{len(scores)} of {games} games", end="", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
            for seat in opened:
                seat.close()
    print(file=sys.stderr)
    if {seat.kernel for seat in opened} == {"python"}:
        print("versions: the kernel is not compiled", file=sys.stderr)
    size = len(board.powers)
    return [fmean(scores[at : at + size]) - 1 / size for at in range(0, games, size)]


if __name__ == "__main__":
    sys.exit(main())
