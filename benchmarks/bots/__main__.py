"""Games among greedy bots, played one by one and in lockstep in the same run.

    python benchmarks/bots [--games N] [--until YEAR]

Uses the standard board and generated maps. Both ways must give the same games.
"""

import argparse
import time
from collections.abc import Callable

from diplomaccloud.atlas.generator import make_chart
from diplomaccloud.bots import BOTS
from diplomaccloud.bots.arena import Played, play_game, play_games
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.standard.europe import standard_board


def main() -> None:
    """Print one line per board."""
    parser = argparse.ArgumentParser(description="Measure games among greedy bots.")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--until", type=int, default=1912)
    options = parser.parse_args()
    print(f"{options.games} games of greedy bots to {options.until}, games per second of CPU")
    print(f"{'board':24} {'one by one':>10} {'lockstep':>10} {'ratio':>6}  same games")
    boards = {"standard": standard_board()}
    for players in (7, 10, 4):
        boards[f"generated, {players} powers"] = make_chart("benchmark", players).board
    for name, board in boards.items():
        measure(name, board, options.games, options.until)


def measure(name: str, board: Board, games: int, until: int) -> None:
    """Print the speeds on one board; the slow way plays a tenth of the games."""
    greedy, few = BOTS["greedy"], max(1, games // 10)
    seats = dict.fromkeys(board.power_info, greedy)
    list(play_games(board, [greedy], games=1, until=1901, seed="warm up"))
    slow, singly = measure_time(
        lambda: [play_game(board, seats, seed=f"b/{i}", until=until) for i in range(few)]
    )
    fast, together = measure_time(
        lambda: list(play_games(board, [greedy], games=games, until=until, seed="b"))
    )
    same = together[:few] == singly
    print(
        f"{name:24} {few / slow:10.1f} {games / fast:10.1f} {games / fast * slow / few:6.1f}"
        f"  {'yes' if same else 'NO'}"
    )


def measure_time(play: Callable[[], list[Played]]) -> tuple[float, list[Played]]:
    """Return the CPU seconds that `play` took, and its result."""
    began = time.process_time()
    played = play()
    return time.process_time() - began, played


main()
