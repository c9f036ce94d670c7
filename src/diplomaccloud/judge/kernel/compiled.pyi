from array import array
from collections.abc import Iterable, MutableSequence, Sequence

from diplomaccloud.judge.kernel.adjudication import Resolved
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.units import Unit

NAME: str
VERSION: int

def resolve(
    table: Table,
    units: Sequence[Unit],
    orders: Iterable[Order],
    checked: bool = True,
    reopen: bool = False,
) -> Resolved | None: ...
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
def list_batch(table: Table, states: Sequence[int]) -> tuple[array[int], array[int]]: ...
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
