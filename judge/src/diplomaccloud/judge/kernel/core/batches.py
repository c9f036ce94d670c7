"""The kernel's functions for batches of states; `judge.batch` describes them."""

from array import array
from collections.abc import MutableSequence, Sequence
from typing import cast

from diplomaccloud.judge.kernel.table import Table

from . import buffers, codes, native
from .workspace import Workspace


def borrow_workspace(table: Table) -> Workspace:
    """Return a workspace for the board that nothing else uses, until `return_workspace`."""
    try:
        return cast("Workspace", table.native[__name__].pop())
    except (KeyError, IndexError):
        return Workspace(table)


def return_workspace(table: Table, work: Workspace) -> None:
    """Leave a workspace to the next caller."""
    work.units = ()
    table.native.setdefault(__name__, []).append(work)


def adjudicate(
    table: Table,
    states: Sequence[int],
    orders: Sequence[int],
    after: MutableSequence[int],
    outcomes: MutableSequence[int],
    dislodgers: MutableSequence[int],
    rules: int = 0,
) -> None:
    """Adjudicate a batch of states; see `batch.adjudicate`. `rules` has the bits in `codes`."""
    state_view, order_view = buffers.open_ints(states, False), buffers.open_ints(orders, False)
    after_view, outcome_view = buffers.open_ints(after, True), buffers.open_ints(outcomes, True)
    dislodger_view = buffers.open_ints(dislodgers, True)
    size = table.provinces
    count = len(state_view) // (codes.HEAD + 5 * size)
    require_length(len(order_view), count * 3 * size)
    require_length(len(after_view), count * (codes.HEAD + 5 * size))
    require_length(len(outcome_view), count * size)
    require_length(len(dislodger_view), count * size)
    work = borrow_workspace(table)
    work.judge.use_rules(rules)
    first, given = buffers.get_ints(state_view), buffers.get_ints(order_view)
    result, out = buffers.get_ints(after_view), buffers.get_ints(outcome_view)
    by = buffers.get_ints(dislodger_view)
    thread = native.release_lock()
    wrong = work.adjudicate_states(first, given, result, out, by, count)
    native.restore_lock(thread)
    return_workspace(table, work)
    require_range(wrong)


def list_batch(table: Table, states: Sequence[int]) -> tuple["array[int]", "array[int]"]:
    """List the legal orders of a batch of states; see `batch.legal_orders`."""
    state_view = buffers.open_ints(states, False)
    count = len(state_view) // (codes.HEAD + 5 * table.provinces)
    offsets = array("i", [0]) * (count + 1)
    offset_view = buffers.open_ints(offsets, True)
    work = borrow_workspace(table)
    first, starts = buffers.get_ints(state_view), buffers.get_ints(offset_view)
    thread = native.release_lock()
    wrong = work.list_states(first, starts, count)
    native.restore_lock(thread)
    if work.listing.is_full or work.listing.convoys.is_full:
        raise MemoryError
    rows = native.copy_ints(work.listing.rows, 4 * work.listing.count)
    return_workspace(table, work)
    require_range(wrong)
    return offsets, rows


def random_orders(
    table: Table,
    states: Sequence[int],
    seeds: MutableSequence[int],
    orders: MutableSequence[int],
) -> None:
    """Draw legal orders for a batch of states; see `batch.random_orders`."""
    state_view, order_view = buffers.open_ints(states, False), buffers.open_ints(orders, True)
    seed_view = buffers.open_seeds(seeds)
    size = table.provinces
    count = len(state_view) // (codes.HEAD + 5 * size)
    require_length(len(seed_view), count)
    require_length(len(order_view), count * 3 * size)
    work = borrow_workspace(table)
    first, drawn = buffers.get_ints(state_view), buffers.get_ints(order_view)
    seed = buffers.get_seeds(seed_view)
    thread = native.release_lock()
    wrong = work.draw_states(first, seed, drawn, count)
    native.restore_lock(thread)
    return_workspace(table, work)
    require_range(wrong)


def play(
    table: Table,
    states: MutableSequence[int],
    seeds: MutableSequence[int],
    phases: int,
    start: Sequence[int],
) -> None:
    """Play random legal orders in place; see `batch.play`."""
    state_view, start_view = buffers.open_ints(states, True), buffers.open_ints(start, False)
    seed_view = buffers.open_seeds(seeds)
    width = codes.HEAD + 5 * table.provinces
    count = len(state_view) // width
    require_length(len(seed_view), count)
    require_length(len(start_view), width)
    work = borrow_workspace(table)
    first, begin = buffers.get_ints(state_view), buffers.get_ints(start_view)
    seed = buffers.get_seeds(seed_view)
    thread = native.release_lock()
    wrong = work.play_states(first, seed, phases, begin, count)
    native.restore_lock(thread)
    return_workspace(table, work)
    require_range(wrong)


def require_length(length: int, least: int) -> None:
    """Raise `ValueError` if an array has not room for the batch."""
    if length < least:
        raise ValueError("an array is too short for the batch")


def require_range(wrong: int) -> None:
    """Raise `ValueError` if a state of the batch, the `wrong` one, is out of range."""
    if wrong >= 0:
        raise ValueError(f"state {wrong} of the batch holds a number out of range")
