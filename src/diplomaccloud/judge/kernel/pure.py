"""The pure-Python kernel: whole phases over flat rows. `compiled` is its twin."""

from array import array
from collections.abc import Iterator, MutableSequence, Sequence

from diplomaccloud.judge.kernel.adjudication import resolve as resolve  # noqa: PLC0414 - kernel API
from diplomaccloud.judge.kernel.cycles import resolve_orders
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENTS,
    BUILD,
    CONVOY,
    DISBAND,
    FALL_MOVEMENT,
    HEAD,
    HOLD,
    MOVEMENT_PHASES,
    OPEN_SOURCE,
    PHASE,
    PLACE_MASK,
    PLACE_SHIFT,
    POWER_SHIFT,
    RETREAT,
    RETREAT_PHASES,
    SPRING_MOVEMENT,
    WINNER,
    YEAR,
    order_width,
    retreat_options,
    width,
)
from diplomaccloud.judge.kernel.legal_orders import LegalRow, build_sites, find_owed, list_orders
from diplomaccloud.judge.kernel.movement import MOVED, KernelState
from diplomaccloud.judge.kernel.table import ARMY, Table, count_steps

NAME = "python"
VERSION = 3
"""Goes up when the kernels' behavior or interface changes, so that an old build is not used."""

Ints = Sequence[int]
Row = MutableSequence[int]

_MASK = (1 << 64) - 1


# Whole phases.


def _iterate_states(table: Table, states: Ints) -> Iterator["array[int]"]:
    """Yield each state of a batch; raises `ValueError` for a number out of range."""
    state_size = width(table)
    for n in range(len(states) // state_size):
        row = array("i", states[n * state_size : (n + 1) * state_size])
        if not _is_valid(table, row):
            raise ValueError(f"state {n} of the batch holds a number out of range")
        yield row


def _is_valid(table: Table, row: Ints) -> bool:
    size, places, powers = table.provinces, table.places, len(table.powers)
    province_of = table.province_of
    for start in (HEAD, HEAD + size) if row[PHASE] in RETREAT_PHASES else (HEAD,):
        for p, unit in enumerate(row[start : start + size]):
            if unit >= 0:
                place = unit >> PLACE_SHIFT & PLACE_MASK
                if place >= places or province_of[place] != p or unit >> POWER_SHIFT >= powers:
                    return False
    return SPRING_MOVEMENT <= row[PHASE] <= ADJUSTMENTS and max(row[HEAD + 4 * size :]) < powers


def adjudicate(
    table: Table,
    states: Ints,
    orders: Ints,
    after: Row,
    outcomes: Row,
    dislodgers: Row,
    reopen: int = 0,
    removal: int = 0,
) -> None:
    """Adjudicate a batch of states; see `batch.adjudicate`."""
    state_size, size = width(table), table.provinces
    for n, row in enumerate(_iterate_states(table, states)):
        given = orders[n * order_width(table) : (n + 1) * order_width(table)]
        out = array("i", [-1]) * size
        by = array("i", [-1]) * size
        _phase(table, row, given, out, by, reopen, removal)
        after[n * state_size : (n + 1) * state_size] = row
        outcomes[n * size : (n + 1) * size] = out
        dislodgers[n * size : (n + 1) * size] = by


def _phase(
    table: Table, row: Row, orders: Ints, out: Row, by: Row, reopen: int, removal: int
) -> None:
    phase = row[PHASE]
    if phase in MOVEMENT_PHASES:
        if _move(table, row, orders, out, by, reopen):
            row[PHASE] += 1
            return
    elif phase in RETREAT_PHASES:
        _retreat(table, row, orders)
    else:
        _adjust(table, row, orders, removal)
        row[YEAR] += 1
        row[PHASE] = SPRING_MOVEMENT
        return
    if phase < FALL_MOVEMENT:
        row[PHASE] = FALL_MOVEMENT
    else:
        _close_year(table, row)


def _move(table: Table, row: Row, orders: Ints, out: Row, by: Row, reopen: int) -> bool:
    """Adjudicate moves; return whether retreats are due."""
    size = table.provinces
    _clear(table, row)
    here = [p for p in range(size) if row[HEAD + p] >= 0]
    units = [row[HEAD + p] for p in here]
    given = [(orders[p], orders[size + p], orders[2 * size + p]) for p in here]
    for i, (code, target, to) in enumerate(given):
        if not (0 <= code <= CONVOY and 0 <= target < size and 0 <= to < table.places):
            given[i] = HOLD, 0, 0
    codes, goals = [code for code, _, _ in given], [to for _, _, to in given]
    movement = resolve_orders(
        table,
        (
            [code >> PLACE_SHIFT & PLACE_MASK for code in units],
            [code & 1 for code in units],
            [code >> POWER_SHIFT for code in units],
            codes,
            [target for _, target, _ in given],
            goals,
        ),
    )
    outcomes, dislodgers = movement.find_outcomes(codes), movement.find_dislodgers()
    dislodged = [i for i, dislodger in enumerate(dislodgers) if dislodger >= 0]
    for i, p in enumerate(here):
        out[p] = outcomes[i]
        if outcomes[i] == MOVED:
            row[HEAD + p] = -1
    for i in dislodged:
        row[HEAD + here[i]] = -1
        by[here[i]] = here[dislodgers[i]]
    for i in movement.movers:
        if movement.answers[i]:
            row[HEAD + movement.goal[i]] = (
                units[i] & ~(PLACE_MASK << PLACE_SHIFT) | goals[i] << PLACE_SHIFT
            )
    return bool(dislodged) and _record_dislodged(table, row, movement, units, dislodgers, reopen)


def _record_dislodged(
    table: Table, row: Row, movement: KernelState, units: Ints, dislodgers: Ints, reopen: int
) -> bool:
    """Record the dislodged units that can retreat; return whether there are any."""
    size, here = table.provinces, movement.here
    for to in movement.find_standoffs():
        row[HEAD + 3 * size + to] = 1
    retreats_due = False
    for i, dislodger in enumerate(dislodgers):
        if dislodger >= 0:
            p = here[i]
            back = reopen and movement.route[dislodger] is not None
            row[HEAD + size + p] = units[i]
            row[HEAD + 2 * size + p] = here[dislodger] + OPEN_SOURCE * bool(back)
            if retreat_options(table, row, p):
                retreats_due = True
            else:
                row[HEAD + size + p] = row[HEAD + 2 * size + p] = -1
    if not retreats_due:
        _clear(table, row)
    return retreats_due


def _clear(table: Table, row: Row) -> None:
    size = table.provinces
    row[HEAD + size : HEAD + 3 * size] = array("i", [-1]) * (2 * size)
    row[HEAD + 3 * size : HEAD + 4 * size] = array("i", [0]) * size


def _retreat(table: Table, row: Row, orders: Ints) -> None:
    size = table.provinces
    goals: dict[int, list[tuple[int, int]]] = {}
    for p in range(size):
        unit, to = row[HEAD + size + p], orders[2 * size + p]
        if unit >= 0 and orders[p] == RETREAT and to in retreat_options(table, row, p):
            goals.setdefault(table.province_of[to], []).append((unit, to))
    for goal, arrivals in goals.items():
        if len(arrivals) == 1:
            unit, to = arrivals[0]
            row[HEAD + goal] = unit & ~(PLACE_MASK << PLACE_SHIFT) | to << PLACE_SHIFT
    _clear(table, row)


def _close_year(table: Table, row: Row) -> None:
    size = table.provinces
    owner = HEAD + 4 * size
    for p in table.centers:
        if row[HEAD + p] >= 0:
            row[owner + p] = row[HEAD + p] >> POWER_SHIFT
    owners = row[owner : owner + size]
    counts = [owners.count(power) for power in range(len(table.powers))]
    most = max(counts, default=0)
    if most >= table.victory and counts.count(most) == 1:
        row[WINNER] = counts.index(most)
    row[PHASE] = ADJUSTMENTS
    if not any(find_owed(table, row)):
        row[YEAR] += 1
        row[PHASE] = SPRING_MOVEMENT


# Adjustments.


def _adjust(table: Table, row: Row, orders: Ints, removal: int) -> None:
    before = array("i", row)
    for power, count in enumerate(find_owed(table, before)):
        if count > 0:
            _build(table, row, orders, power, count)
        elif count < 0:
            _disband(table, row, orders, power, -count)
            _remove(table, row, before, power, removal)


def _build(table: Table, row: Row, orders: Ints, power: int, count: int) -> None:
    size = table.provinces
    for p in build_sites(table, row, power):
        kind, to = orders[size + p], orders[2 * size + p]
        fits = to == p if kind == ARMY else to in table.landings[p]
        if count and orders[p] == BUILD and fits:
            row[HEAD + p] = power << POWER_SHIFT | to << PLACE_SHIFT | kind
            count -= 1


def _disband(table: Table, row: Row, orders: Ints, power: int, count: int) -> None:
    for p in range(table.provinces):
        if count and row[HEAD + p] >> POWER_SHIFT == power and orders[p] == DISBAND:
            row[HEAD + p] = -1
            count -= 1


def _remove(table: Table, row: Row, before: Ints, power: int, removal: int) -> None:
    """Remove the units that `power` still owes, by the rule for civil disorder."""
    size = table.provinces
    owner = HEAD + 4 * size
    owned = [p for p in range(size) if row[owner + p] == power]
    units = [p for p in range(size) if row[HEAD + p] >> POWER_SHIFT == power]
    distance = count_steps(owned, table.around, size) if removal else []

    def removal_key(p: int) -> tuple[int, int, int]:
        code = before[HEAD + p]
        if removal:
            far = distance[p]
        elif code & 1:
            far = table.sail_steps[power][code >> PLACE_SHIFT & PLACE_MASK]
        else:
            far = table.walk_steps[power][p]
        return -far, -(code & 1), table.rank[p]

    for p in sorted(units, key=removal_key)[: max(0, len(units) - len(owned))]:
        row[HEAD + p] = -1


# Listing and random play.


def list_batch(table: Table, states: Ints) -> tuple["array[int]", "array[int]"]:
    """List the legal orders of a batch of states; see `batch.legal_orders`."""
    rows, offsets = array("i"), array("i", [0])
    for row in _iterate_states(table, states):
        for legal in list_orders(table, row):
            rows.extend(legal)
        offsets.append(len(rows) // 4)
    return offsets, rows


def _draw_number(seeds: MutableSequence[int], n: int, below: int) -> int:
    """Return a number below `below`, by splitmix64 with the state `seeds[n]`."""
    seeds[n] = z = (seeds[n] + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return ((z ^ z >> 31) >> 32) * below >> 32


def random_orders(table: Table, states: Ints, seeds: MutableSequence[int], orders: Row) -> None:
    """Draw legal orders for a batch of states; see `batch.random_orders`."""
    order_size = order_width(table)
    for n, row in enumerate(_iterate_states(table, states)):
        given = array("i", [0]) * order_size
        choices: dict[int, list[LegalRow]] = {}
        for legal in list_orders(table, row):
            choices.setdefault(legal[0], []).append(legal)
        if row[PHASE] == ADJUSTMENTS:
            _draw_adjustments(table, row, choices, seeds, n, given)
        else:
            for listed in choices.values():
                _write_order(table, given, listed[_draw_number(seeds, n, len(listed))])
        orders[n * order_size : (n + 1) * order_size] = given


def _write_order(table: Table, given: Row, legal: LegalRow) -> None:
    here, code, target, to = legal
    size = table.provinces
    given[here], given[size + here], given[2 * size + here] = code, target, to


def _draw_adjustments(
    table: Table,
    row: Ints,
    choices: dict[int, list[LegalRow]],
    seeds: MutableSequence[int],
    n: int,
    given: Row,
) -> None:
    for power, count in enumerate(find_owed(table, row)):
        sites = [p for p in choices if _owner_of(table, row, p) == power]
        for _ in range(abs(count)):
            drawn = _draw_number(seeds, n, len(sites))
            listed = choices[sites[drawn]]
            sites[drawn] = sites[-1]
            sites.pop()
            _write_order(table, given, listed[_draw_number(seeds, n, len(listed))])


def _owner_of(table: Table, row: Ints, p: int) -> int:
    return row[HEAD + p] >> POWER_SHIFT if row[HEAD + p] >= 0 else table.home[p]


def play(table: Table, states: Row, seeds: MutableSequence[int], phases: int, start: Ints) -> None:
    """Play random legal orders in place; see `batch.play`."""
    state_size, order_size, size = width(table), order_width(table), table.provinces
    orders = array("i", [0]) * order_size
    out, by = array("i", [-1]) * size, array("i", [-1]) * size
    for n, first in enumerate(_iterate_states(table, states)):
        row = first
        for _ in range(phases):
            if row[WINNER] >= 0:
                row = array("i", start)
            seed = array("Q", [seeds[n]])
            random_orders(table, row, seed, orders)
            seeds[n] = seed[0]
            _phase(table, row, orders, out, by, 0, 0)
        states[n * state_size : (n + 1) * state_size] = row
