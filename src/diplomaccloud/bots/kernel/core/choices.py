"""Games for learning programs: what can be chosen in each province, and what choices lead to.

Each province has a list of the orders from which one can be chosen, of at most `most`, and in
every phase the first of them is what happens without an order: a unit holds, a dislodged one is
disbanded, and in winter nothing is built or disbanded. `Course` does the work.
"""

from array import array
from collections.abc import MutableSequence, Sequence

from diplomaccloud.judge.kernel.core import codes, native
from diplomaccloud.judge.kernel.core.batches import (
    Workspace,
    borrow_workspace,
    require_length,
    require_range,
    return_workspace,
)
from diplomaccloud.judge.kernel.core.tables import Reader, Rows
from diplomaccloud.judge.kernel.table import Table


class Course:
    """Games that go on by what was chosen, in a workspace; `most` orders a list has at most."""

    def __init__(self, work: Workspace, most: int) -> None:
        self.work = work
        self.tables, self.state, self.judge = self.work.tables, self.work.state, self.work.judge
        self.listing = self.work.listing
        self.most = most
        self.cut = 0

    def list_states(
        self, states: Reader, firsts: Rows, actors: Rows, counts: Rows, count: int
    ) -> int:
        """List the choices of a batch; return the first state out of range, or -1."""
        self.listing.count = 0
        for n in range(count):
            if not self.state.load(states, n * (codes.HEAD + 5 * self.tables.provinces)):
                return n
            self.count_pieces(counts, n)
            self.list_choices(firsts, actors, n)
        return -1

    def play_states(
        self,
        states: Rows,
        orders: Reader,
        start: Reader,
        last_year: int,
        finals: Rows,
        endings: Rows,
        firsts: Rows,
        actors: Rows,
        counts: Rows,
        count: int,
    ) -> int:
        """Play a phase of a batch and list what comes next; return the first state out of range.

        A game that is won, or goes on after the last year, leaves its state in `finals`, and 1 or
        2 in `endings`, and starts over; `counts` are those before. Returns -1 if all is well.
        """
        size = self.tables.provinces
        width = codes.HEAD + 5 * size
        self.listing.count = 0
        for n in range(count):
            if not self.state.load(states, n * width):
                return n
            spare = self.work.spare
            self.judge.adjudicate_phase(orders, 3 * n * size, spare, spare, 0)
            if self.judge.by_pieces:
                self.judge.find_winner_by_pieces()
            self.count_pieces(counts, n)
            endings[n] = 0
            if self.state.winner >= 0:
                endings[n] = 1
            elif self.state.year > last_year:
                endings[n] = 2
            if endings[n]:
                self.state.store(finals, n * width)
                if not self.state.load(start, 0):
                    return n
            self.state.store(states, n * width)
            self.list_choices(firsts, actors, n)
        return -1

    def count_pieces(self, counts: Rows, n: int) -> None:
        """Write how many centers each power has in the state, then how many units."""
        powers = self.tables.powers
        at = 2 * n * powers
        for k in range(2 * powers):
            counts[at + k] = 0
        for p in range(self.tables.provinces):
            if self.state.owner[p] >= 0:
                counts[at + self.state.owner[p]] += 1
            if self.state.unit[p] >= 0:
                counts[at + powers + (self.state.unit[p] >> codes.POWER_SHIFT)] += 1
            if self.state.dislodged[p] >= 0:
                counts[at + powers + (self.state.dislodged[p] >> codes.POWER_SHIFT)] += 1

    def list_choices(self, firsts: Rows, actors: Rows, n: int) -> None:
        """Add the lists of the state, which is number `n`, to the rows of the listing."""
        size = self.tables.provinces
        k = self.listing.count
        self.listing.list_orders()
        end, self.listing.count = self.listing.count, k
        for p in range(size):
            firsts[n * size + p] = self.listing.count
            actors[n * size + p] = -1
            if k < end and self.listing.rows[4 * k] == p:
                actors[n * size + p] = self.find_actor(p)
                k = self.keep_rows(k, end, p)
        firsts[(n + 1) * size] = self.listing.count

    def keep_rows(self, k: int, end: int, p: int) -> int:
        """Keep the orders of province `p` from row `k` on; return the first row after them."""
        kept = 0
        while k < end and self.listing.rows[4 * k] == p:
            if kept < self.most:
                if self.listing.count != k:
                    self.move_row(k, self.listing.count)
                self.listing.count += 1
            kept += 1
            k += 1
        if kept > self.most:
            self.cut += 1
        return k

    def move_row(self, k: int, to: int) -> None:
        """Move a row of the listing to an earlier place."""
        native.copy(self.listing.rows, 4 * to, self.listing.rows, 4 * k, 4)

    def find_actor(self, p: int) -> int:
        """Return the power that chooses in province `p`."""
        if self.state.is_retreat_phase():
            return self.state.dislodged[p] >> codes.POWER_SHIFT
        return self.work.find_owner(p)

    def read_choices(
        self, choices: Reader, firsts: Reader, rows: Reader, orders: Rows, count: int, room: int
    ) -> int:
        """Write the chosen orders of a batch; return the index of the first wrong choice, or -1.

        `rows` has `room` orders.
        """
        size = self.tables.provinces
        native.fill(orders, 0, 3 * count * size, 0)
        for n in range(count):
            at = 3 * n * size
            for p in range(size):
                i = n * size + p
                choice = choices[i]
                length = firsts[i + 1] - firsts[i]
                if choice < 0 or choice >= length:
                    if choice or length:
                        return i
                    continue
                k = firsts[i] + choice
                if k < 0 or k >= room:
                    return i
                k = 4 * k
                orders[at + p] = rows[k + 1]
                orders[at + size + p] = rows[k + 2]
                orders[at + 2 * size + p] = rows[k + 3]
        return -1


def list_choices(
    table: Table,
    states: Sequence[int],
    most: int,
    firsts: MutableSequence[int],
    actors: MutableSequence[int],
    counts: MutableSequence[int],
) -> tuple["array[int]", int]:
    """List what can be chosen in a batch of states; see `Course.list_states`."""
    state_view, first_view = native.open_ints(states, False), native.open_ints(firsts, True)
    actor_view, count_view = native.open_ints(actors, True), native.open_ints(counts, True)
    size = table.provinces
    count = len(state_view) // (codes.HEAD + 5 * size)
    require_length(len(first_view), count * size + 1)
    require_length(len(actor_view), count * size)
    require_length(len(count_view), 2 * count * len(table.powers))
    work = borrow_workspace(table)
    course = Course(work, most)
    first, starts = native.get_ints(state_view), native.get_ints(first_view)
    acting, counted = native.get_ints(actor_view), native.get_ints(count_view)
    work.listing.lists_none = True
    thread = native.release_lock()
    wrong = course.list_states(first, starts, acting, counted, count)
    native.restore_lock(thread)
    return take_rows(table, course, wrong)


def play_choices(
    table: Table,
    states: MutableSequence[int],
    orders: Sequence[int],
    start: Sequence[int],
    last_year: int,
    most: int,
    finals: MutableSequence[int],
    endings: MutableSequence[int],
    firsts: MutableSequence[int],
    actors: MutableSequence[int],
    counts: MutableSequence[int],
    rules: int,
) -> tuple["array[int]", int]:
    """Play a phase of a batch of games in place; see `Course.play_states`."""
    state_view, order_view = native.open_ints(states, True), native.open_ints(orders, False)
    start_view, final_view = native.open_ints(start, False), native.open_ints(finals, True)
    ending_view, first_view = native.open_ints(endings, True), native.open_ints(firsts, True)
    actor_view, count_view = native.open_ints(actors, True), native.open_ints(counts, True)
    size = table.provinces
    width = codes.HEAD + 5 * size
    count = len(state_view) // width
    require_length(len(order_view), count * 3 * size)
    require_length(len(start_view), width)
    require_length(len(final_view), count * width)
    require_length(len(ending_view), count)
    require_length(len(first_view), count * size + 1)
    require_length(len(actor_view), count * size)
    require_length(len(count_view), 2 * count * len(table.powers))
    work = borrow_workspace(table)
    work.judge.use_rules(rules)
    course = Course(work, most)
    first, given = native.get_ints(state_view), native.get_ints(order_view)
    begin, final = native.get_ints(start_view), native.get_ints(final_view)
    ended, starts = native.get_ints(ending_view), native.get_ints(first_view)
    acting, counted = native.get_ints(actor_view), native.get_ints(count_view)
    work.listing.lists_none = True
    thread = native.release_lock()
    wrong = course.play_states(
        first, given, begin, last_year, final, ended, starts, acting, counted, count
    )
    native.restore_lock(thread)
    return take_rows(table, course, wrong)


def read_choices(
    table: Table,
    choices: Sequence[int],
    firsts: Sequence[int],
    rows: Sequence[int],
    orders: MutableSequence[int],
) -> int:
    """Write the order rows that were chosen; see `Course.read_choices`."""
    choice_view, first_view = native.open_ints(choices, False), native.open_ints(firsts, False)
    row_view, order_view = native.open_ints(rows, False), native.open_ints(orders, True)
    size = table.provinces
    count = len(choice_view) // size
    require_length(len(first_view), count * size + 1)
    require_length(len(order_view), count * 3 * size)
    work = borrow_workspace(table)
    course = Course(work, 0)
    chosen, starts = native.get_ints(choice_view), native.get_ints(first_view)
    listed, written = native.get_ints(row_view), native.get_ints(order_view)
    thread = native.release_lock()
    wrong = course.read_choices(chosen, starts, listed, written, count, len(row_view) // 4)
    native.restore_lock(thread)
    return_workspace(table, work)
    return wrong


def take_rows(table: Table, course: Course, wrong: int) -> tuple["array[int]", int]:
    """Return the listed rows, and how many lists were cut; and the workspace to the next caller."""
    work = course.work
    work.listing.lists_none = False
    if work.listing.is_full or work.listing.convoys.is_full:
        raise MemoryError
    rows = native.copy_ints(work.listing.rows, 4 * work.listing.count)
    return_workspace(table, work)
    require_range(wrong)
    return rows, course.cut
