"""Batches of states, one after another: judged, listed, and played at random.

`judge.batch` describes the functions. Each works in a `Workspace`, of which every thread has one.
"""

from array import array
from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any, cast

from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.units import Unit

from . import codes, native
from .listing import Listing
from .phases import Judge
from .reasons import Reasons
from .tables import Reader, Rows, Tables


class Workspace:
    """What one thread needs to work on the states of one board.

    `given` is an order row of random orders, `spare` has room for outcomes and dislodgers that
    nobody reads. `firsts` has the first order in the list of each unit. `reasons` explains orders
    that are decided. The others are for the modules of values: `units` are the caller's, and
    `place_of` and `power_of` find the numbers of places and powers; `standing` has the unit at each
    place, by kind, `closed` marks provinces, `keys` sorts the orders of one unit, or has the
    province of each order, and `read_code`, `read_target` and `read_to` are the order that was read
    last. If `must_read`, some orders that are not in the list might be legal when they are read;
    `foreign` of the others are for no unit of their power. `paths` has the seas that an army's
    order names, by its province, if the rules ask.
    """

    def __init__(self, table: Table) -> None:
        self.tables = Tables(table)
        self.place_of: Mapping[Any, int] = table.place_of
        self.power_of: Mapping[Any, int] = table.power_of
        self.units: Sequence[Unit] = ()
        self.judge = Judge(self.tables)
        self.state = self.judge.state
        self.listing = Listing(self.tables, self.state)
        self.reasons = Reasons(self.judge.movement)
        self.keep: list[object] = []
        self.given = native.ints(self.keep, [0] * (3 * self.tables.provinces))
        self.spare = native.ints(self.keep, [0] * self.tables.provinces)
        self.standing = native.ints(self.keep, [0] * (2 * self.tables.places))
        self.closed = native.ints(self.keep, [0] * self.tables.provinces)
        self.firsts = list(range(codes.ROOM))
        self.read_code = self.read_target = self.read_to = 0
        self.must_read = False
        self.foreign = 0
        self.paths: dict[int, list[int]] = {}
        self.key_room = 256
        self.keys = native.grow_masks(native.no_masks(), self.key_room)

    def __dealloc__(self) -> None:
        native.free_masks(self.keys)

    def adjudicate_states(
        self,
        states: Reader,
        orders: Reader,
        after: Rows,
        outcomes: Rows,
        dislodgers: Rows,
        count: int,
    ) -> int:
        """Adjudicate a batch; return the first state out of range, or -1."""
        size = self.tables.provinces
        width = codes.HEAD + 5 * size
        for n in range(count):
            if not self.state.load(states, n * width):
                return n
            native.fill(outcomes, n * size, size, -1)
            native.fill(dislodgers, n * size, size, -1)
            self.judge.adjudicate_phase(orders, 3 * n * size, outcomes, dislodgers, n * size)
            if self.judge.by_pieces:
                self.judge.find_winner_by_pieces()
            self.state.store(after, n * width)
        return -1

    def list_states(self, states: Reader, starts: Rows, count: int) -> int:
        """List the orders of a batch; return the first state out of range, or -1."""
        width = codes.HEAD + 5 * self.tables.provinces
        self.listing.count = 0
        for n in range(count):
            if not self.state.load(states, n * width):
                return n
            self.listing.list_orders()
            starts[n + 1] = self.listing.count
        return -1

    def draw_states(self, states: Reader, seeds: Rows, orders: Rows, count: int) -> int:
        """Draw orders for a batch; return the first state out of range, or -1."""
        size = self.tables.provinces
        for n in range(count):
            if not self.state.load(states, n * (codes.HEAD + 5 * size)):
                return n
            self.draw_orders(seeds, n)
            native.copy(orders, 3 * n * size, self.given, 0, 3 * size)
        return -1

    def play_states(self, states: Rows, seeds: Rows, phases: int, start: Reader, count: int) -> int:
        """Play random orders from each state; return the first state out of range, or -1."""
        width = codes.HEAD + 5 * self.tables.provinces
        self.judge.use_rules(0)
        for n in range(count):
            if not self.state.load(states, n * width):
                return n
            for _ in range(phases):
                if self.state.winner >= 0:
                    self.state.load(start, 0)
                self.draw_orders(seeds, n)
                self.judge.adjudicate_phase(self.given, 0, self.spare, self.spare, 0)
            self.state.store(states, n * width)
        return -1

    def draw_orders(self, seeds: Rows, n: int) -> None:
        """Draw legal orders of the state, all equally likely, with the seed `n`."""
        native.fill(self.given, 0, 3 * self.tables.provinces, 0)
        self.listing.count = 0
        self.listing.list_orders()
        if self.state.is_adjustment_phase():
            self.draw_adjustments(seeds, n)
            return
        first = 0
        while first < self.listing.count:
            options = self.count_options(first)
            self.give_order(first + native.draw_number(seeds, n, options))
            first += options

    def count_options(self, first: int) -> int:
        """Return how many orders in the list are for the same province as that in `first`."""
        end = first + 1
        while end < self.listing.count:
            if self.listing.rows[4 * end] != self.listing.rows[4 * first]:
                break
            end += 1
        return end - first

    def make_key_room(self, count: int) -> None:
        """Make `keys` long enough for `count` numbers; without memory, the listing is full."""
        if count > self.key_room:
            keys = native.grow_masks(self.keys, count)
            if not keys:
                self.listing.is_full = True
                return
            self.keys = keys
            self.key_room = count

    def sort_options(self, first: int, options: int) -> None:
        """Sort the orders for a unit, as many as its `options`, from `first` on.

        Each of `keys` ends with the distance from the first order to one of the others.
        """
        self.make_key_room(options)
        if self.listing.is_full:
            return
        for k in range(options):
            at = 4 * (first + k)
            code = self.listing.rows[at + 1]
            key = code << codes.TARGET_BITS
            if code == codes.MOVE_VIA:
                key = codes.MOVE << codes.TARGET_BITS
            if code >= codes.SUPPORT_HOLD:
                key |= self.judge.movement.at[self.listing.rows[at + 2]]
            key = key << codes.ALPHABET_BITS | self.tables.alphabet[self.listing.rows[at + 3]]
            key = key << 1
            if code == codes.MOVE_VIA:
                key |= 1
            self.keys[k] = key << codes.KEY_SHIFT | k
        native.sort_masks(self.keys, options)

    def give_order(self, k: int) -> None:
        """Write an order of the list to the order row."""
        size = self.tables.provinces
        here = self.listing.rows[4 * k]
        self.given[here] = self.listing.rows[4 * k + 1]
        self.given[size + here] = self.listing.rows[4 * k + 2]
        self.given[2 * size + here] = self.listing.rows[4 * k + 3]

    def draw_adjustments(self, seeds: Rows, n: int) -> None:
        """Draw as many builds or disbands of each power as are due."""
        for power in range(self.tables.powers):
            count = 0
            k = 0
            while k < self.listing.count:
                if self.find_owner(self.listing.rows[4 * k]) == power:
                    self.firsts[count] = k
                    count += 1
                k += self.count_options(k)
            due = self.state.balance[power]
            if due < 0:
                due = -due
            while due > 0 and count > 0:
                drawn = native.draw_number(seeds, n, count)
                k = self.firsts[drawn]
                count -= 1
                self.firsts[drawn] = self.firsts[count]
                self.give_order(k + native.draw_number(seeds, n, self.count_options(k)))
                due -= 1

    def find_owner(self, p: int) -> int:
        """Return the power whose unit is in province `p`, or that may build there."""
        if self.state.unit[p] >= 0:
            return self.state.unit[p] >> codes.POWER_SHIFT
        return self.state.owner[p]


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
    state_view, order_view = native.open_ints(states, False), native.open_ints(orders, False)
    after_view, outcome_view = native.open_ints(after, True), native.open_ints(outcomes, True)
    dislodger_view = native.open_ints(dislodgers, True)
    size = table.provinces
    count = len(state_view) // (codes.HEAD + 5 * size)
    require_length(len(order_view), count * 3 * size)
    require_length(len(after_view), count * (codes.HEAD + 5 * size))
    require_length(len(outcome_view), count * size)
    require_length(len(dislodger_view), count * size)
    work = borrow_workspace(table)
    work.judge.use_rules(rules)
    first, given = native.get_ints(state_view), native.get_ints(order_view)
    result, out = native.get_ints(after_view), native.get_ints(outcome_view)
    by = native.get_ints(dislodger_view)
    thread = native.release_lock()
    wrong = work.adjudicate_states(first, given, result, out, by, count)
    native.restore_lock(thread)
    return_workspace(table, work)
    require_range(wrong)


def list_batch(table: Table, states: Sequence[int]) -> tuple["array[int]", "array[int]"]:
    """List the legal orders of a batch of states; see `batch.legal_orders`."""
    state_view = native.open_ints(states, False)
    count = len(state_view) // (codes.HEAD + 5 * table.provinces)
    offsets = array("i", [0]) * (count + 1)
    offset_view = native.open_ints(offsets, True)
    work = borrow_workspace(table)
    first, starts = native.get_ints(state_view), native.get_ints(offset_view)
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
    state_view, order_view = native.open_ints(states, False), native.open_ints(orders, True)
    seed_view = native.open_seeds(seeds)
    size = table.provinces
    count = len(state_view) // (codes.HEAD + 5 * size)
    require_length(len(seed_view), count)
    require_length(len(order_view), count * 3 * size)
    work = borrow_workspace(table)
    first, drawn = native.get_ints(state_view), native.get_ints(order_view)
    seed = native.get_seeds(seed_view)
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
    state_view, start_view = native.open_ints(states, True), native.open_ints(start, False)
    seed_view = native.open_seeds(seeds)
    width = codes.HEAD + 5 * table.provinces
    count = len(state_view) // width
    require_length(len(seed_view), count)
    require_length(len(start_view), width)
    work = borrow_workspace(table)
    first, begin = native.get_ints(state_view), native.get_ints(start_view)
    seed = native.get_seeds(seed_view)
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
