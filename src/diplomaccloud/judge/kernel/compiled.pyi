from array import array
from collections.abc import MutableSequence, Sequence

from diplomaccloud.judge.kernel.table import Table

NAME: str
VERSION: int

def resolve(
    table: Table,
    places: Sequence[int],
    kinds: Sequence[int],
    powers: Sequence[int],
    codes: Sequence[int],
    targets: Sequence[int],
    goals: Sequence[int],
) -> tuple[list[int], list[int], list[int], list[int]]: ...
def adjudicate(
    table: Table,
    states: Sequence[int],
    orders: Sequence[int],
    after: MutableSequence[int],
    outcomes: MutableSequence[int],
    dislodgers: MutableSequence[int],
    reopen: int = 0,
    removal: int = 0,
) -> None: ...
def legal(table: Table, states: Sequence[int]) -> tuple[array[int], array[int]]: ...
def random_orders(
    table: Table, states: Sequence[int], seeds: MutableSequence[int], orders: MutableSequence[int]
) -> None: ...
def play(
    table: Table,
    states: MutableSequence[int],
    seeds: MutableSequence[int],
    phases: int,
    start: Sequence[int],
) -> None: ...
