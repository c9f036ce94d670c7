"""Games among random bots alone: the kernel draws the orders of all powers at once.

All games of a batch play their next phase together, and each is the same game as played alone.
Everything follows from the seeds.
"""

from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.batch import adjudicate, random_orders, starting_states
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENTS,
    HEAD,
    PHASE,
    RETREAT_PHASES,
    WINNER,
    YEAR,
    pack_state,
    read_order,
    width,
)
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position

BATCH_SIZE = 50
"""Games per batch: enough to share the cost of a call, few enough to stay in the CPU cache."""

_PHASES = (("S", "M"), ("S", "R"), ("F", "M"), ("F", "R"), ("W", "A"))


def play_random_batch(
    board: Board, seeds: Sequence[str], *, until: int
) -> Iterator[tuple["array[int]", int]]:
    """Yield the last state and the number of phases of each seed's game, in order.

    A game ends with a victory, which the state shows, or after the year `until`.
    """
    size = width(table_of(board))
    rows = starting_states(board, len(seeds))
    playing = list(range(len(seeds)))
    ended: dict[int, tuple[array[int], int]] = {}
    phases = 0
    while playing:
        drawn = array(
            "Q",
            [
                _hash_seed(seeds[game], rows[at + PHASE], rows[at + YEAR])
                for game, at in zip(playing, range(0, len(rows), size), strict=True)
            ],
        )
        after = adjudicate(board, rows, random_orders(board, rows, drawn)).states
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


def draw_orders(board: Board, position: Position, seed: str) -> list[Order]:
    """Return random legal orders of all powers, as a game with this seed draws them."""
    table, state = table_of(board), pack_state(board, position)
    drawn = array("Q", [_hash_seed(seed, state[PHASE], state[YEAR])])
    row = random_orders(board, state, drawn)
    size = table.provinces
    block = HEAD + (size if state[PHASE] in RETREAT_PHASES else 0)
    return [
        read_order(table, state, row[here], row[size + here], row[2 * size + here], here)
        for here in range(size)
        if row[here] or (state[PHASE] != ADJUSTMENTS and state[block + here] >= 0)
    ]


def _hash_seed(seed: str, phase: int, year: int) -> int:
    """Return the kernel's seed for one phase of a game."""
    season, stage = _PHASES[phase]
    text = f"{seed}/{season}{year}{stage}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
