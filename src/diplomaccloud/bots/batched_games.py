"""Plays many games at once, with orders from the kernel: the same games as one by one, but faster.

All games of a batch play their next phase together. The seeds determine everything.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.batch import adjudicate, starting_states
from diplomaccloud.judge.kernel.layout import WINNER, YEAR, width
from diplomaccloud.judge.kernel.table import table_of

BATCH_SIZE = 50
"""Games per batch: enough to spread the cost of a call, few enough to fit in the CPU cache."""

ChooseOrders = Callable[[Board, "array[int]", Sequence[str]], "array[int]"]
"""Returns order rows for rows of states and the seed of each game."""

PlayBatch = Callable[..., Iterable[tuple["array[int]", int]]]
"""Plays games with these seeds on a board until a year, as `play_batch` does."""

_LETTERS = (("S", "M"), ("S", "R"), ("F", "M"), ("F", "R"), ("W", "A"))


def name_phase(phase: int, year: int) -> str:
    """Return the name of a phase, such as `S1901M`, from its numbers in a state."""
    season, stage = _LETTERS[phase]
    return f"{season}{year}{stage}"


def play_batch(
    board: Board, seeds: Sequence[str], *, until: int, choose: ChooseOrders
) -> Iterator[tuple["array[int]", int]]:
    """Play a game for each seed, in order; yield its last state and its number of phases.

    A game ends with a victory, which the state shows, or after the year `until`.
    """
    size = width(table_of(board))
    rows = starting_states(board, len(seeds))
    playing = list(range(len(seeds)))
    ended: dict[int, tuple[array[int], int]] = {}
    phases = 0
    while playing:
        orders = choose(board, rows, [seeds[game] for game in playing])
        after = adjudicate(board, rows, orders).states
        phases += 1
        rows, still_playing = array("i"), []
        for number, game in enumerate(playing):
            at = number * size
            row = after[at : at + size]
            if row[WINNER] >= 0 or row[YEAR] > until:
                ended[game] = row, phases
            else:
                rows += row
                still_playing.append(game)
        playing = still_playing
    return (ended[game] for game in range(len(seeds)))
