"""The pure-Python kernel: whole phases over flat rows. `native` is its compiled twin."""

from array import array
from collections.abc import Iterator, MutableSequence, Sequence

from diplomaccloud.judge.kernel.adjudication import judge as judge  # noqa: PLC0414 - one of the kernel's
from diplomaccloud.judge.kernel.cycles import decide
from diplomaccloud.judge.kernel.layout import (
    BUILD,
    CONVOY,
    DISBAND,
    HEAD,
    HOLD,
    OPEN_SOURCE,
    RETREAT,
    order_width,
    retreats,
    width,
)
from diplomaccloud.judge.kernel.listing import Legal, build_sites, legal_rows, owed
from diplomaccloud.judge.kernel.movement import MOVED, Fight
from diplomaccloud.judge.kernel.table import ARMY, Table, steps

NAME = "python"
VERSION = 2
"""Goes up whenever what the kernels do changes, so that an old build is not used."""

Ints = Sequence[int]
Row = MutableSequence[int]

_MASK = (1 << 64) - 1


# Whole phases.


def _states(table: Table, states: Ints) -> Iterator["array[int]"]:
    """Yield each state of a batch; raises `ValueError` for a number out of its range."""
    wide = width(table)
    for n in range(len(states) // wide):
        row = array("i", states[n * wide : (n + 1) * wide])
        if not _is_whole(table, row):
            raise ValueError(f"state {n} of the batch holds a number out of its range")
        yield row


def _is_whole(table: Table, row: Ints) -> bool:
    size, places, powers = table.provinces, table.places, len(table.powers)
    province_of = table.province_of
    for start in (HEAD, HEAD + size) if row[1] in (1, 3) else (HEAD,):
        for p, unit in enumerate(row[start : start + size]):
            if unit >= 0:
                place = unit >> 1 & 1023
                if place >= places or province_of[place] != p or unit >> 11 >= powers:
                    return False
    return 0 <= row[1] <= 4 and max(row[HEAD + 4 * size :]) < powers


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
    wide, size = width(table), table.provinces
    for n, row in enumerate(_states(table, states)):
        given = orders[n * order_width(table) : (n + 1) * order_width(table)]
        out = array("i", [-1]) * size
        by = array("i", [-1]) * size
        _phase(table, row, given, out, by, reopen, removal)
        after[n * wide : (n + 1) * wide] = row
        outcomes[n * size : (n + 1) * size] = out
        dislodgers[n * size : (n + 1) * size] = by


def _phase(
    table: Table, row: Row, orders: Ints, out: Row, by: Row, reopen: int, removal: int
) -> None:
    phase = row[1]
    if phase in (0, 2):
        if _move(table, row, orders, out, by, reopen):
            row[1] += 1
            return
    elif phase in (1, 3):
        _retreat(table, row, orders)
    else:
        _adjust(table, row, orders, removal)
        row[0] += 1
        row[1] = 0
        return
    if phase < 2:
        row[1] = 2
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
    fight = decide(
        table,
        (
            [code >> 1 & 1023 for code in units],
            [code & 1 for code in units],
            [code >> 11 for code in units],
            codes,
            [target for _, target, _ in given],
            goals,
        ),
    )
    outcomes, drivers = fight.outcomes(codes), fight.dislodgers()
    driven = [i for i, driver in enumerate(drivers) if driver >= 0]
    for i, p in enumerate(here):
        out[p] = outcomes[i]
        if outcomes[i] == MOVED:
            row[HEAD + p] = -1
    for i in driven:
        row[HEAD + here[i]] = -1
        by[here[i]] = here[drivers[i]]
    for i in fight.movers:
        if fight.state[i]:
            row[HEAD + fight.goal[i]] = units[i] & ~(1023 << 1) | goals[i] << 1
    return bool(driven) and _drive_out(table, row, fight, units, drivers, reopen)


def _drive_out(
    table: Table, row: Row, fight: Fight, units: Ints, drivers: Ints, reopen: int
) -> bool:
    """Note who is dislodged, and destroy who cannot retreat; return whether any is left."""
    size, here = table.provinces, fight.here
    for to in fight.standoffs():
        row[HEAD + 3 * size + to] = 1
    left = False
    for i, driver in enumerate(drivers):
        if driver >= 0:
            p = here[i]
            back = reopen and fight.route[driver] is not None
            row[HEAD + size + p] = units[i]
            row[HEAD + 2 * size + p] = here[driver] + OPEN_SOURCE * bool(back)
            if retreats(table, row, p):
                left = True
            else:
                row[HEAD + size + p] = row[HEAD + 2 * size + p] = -1
    if not left:
        _clear(table, row)
    return left


def _clear(table: Table, row: Row) -> None:
    size = table.provinces
    row[HEAD + size : HEAD + 3 * size] = array("i", [-1]) * (2 * size)
    row[HEAD + 3 * size : HEAD + 4 * size] = array("i", [0]) * size


def _retreat(table: Table, row: Row, orders: Ints) -> None:
    size = table.provinces
    goals: dict[int, list[tuple[int, int]]] = {}
    for p in range(size):
        unit, to = row[HEAD + size + p], orders[2 * size + p]
        if unit >= 0 and orders[p] == RETREAT and to in retreats(table, row, p):
            goals.setdefault(table.province_of[to], []).append((unit, to))
    for goal, came in goals.items():
        if len(came) == 1:
            unit, to = came[0]
            row[HEAD + goal] = unit & ~(1023 << 1) | to << 1
    _clear(table, row)


def _close_year(table: Table, row: Row) -> None:
    size = table.provinces
    owner = HEAD + 4 * size
    for p in table.centers:
        if row[HEAD + p] >= 0:
            row[owner + p] = row[HEAD + p] >> 11
    owners = row[owner : owner + size]
    counts = [owners.count(power) for power in range(len(table.powers))]
    most = max(counts, default=0)
    if most >= table.victory and counts.count(most) == 1:
        row[2] = counts.index(most)
    row[1] = 4
    if not any(owed(table, row)):
        row[0] += 1
        row[1] = 0


# Adjustments.


def _adjust(table: Table, row: Row, orders: Ints, removal: int) -> None:
    before = array("i", row)
    for power, count in enumerate(owed(table, before)):
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
            row[HEAD + p] = power << 11 | to << 1 | kind
            count -= 1


def _disband(table: Table, row: Row, orders: Ints, power: int, count: int) -> None:
    for p in range(table.provinces):
        if count and row[HEAD + p] >> 11 == power and orders[p] == DISBAND:
            row[HEAD + p] = -1
            count -= 1


def _remove(table: Table, row: Row, before: Ints, power: int, removal: int) -> None:
    """Remove what `power` still owes by the rule for civil disorder."""
    size = table.provinces
    owner = HEAD + 4 * size
    owned = [p for p in range(size) if row[owner + p] == power]
    units = [p for p in range(size) if row[HEAD + p] >> 11 == power]
    distance = steps(owned, table.around, size) if removal else []

    def late(p: int) -> tuple[int, int, int]:
        code = before[HEAD + p]
        if removal:
            far = distance[p]
        elif code & 1:
            far = table.sail_steps[power][code >> 1 & 1023]
        else:
            far = table.walk_steps[power][p]
        return -far, -(code & 1), table.rank[p]

    for p in sorted(units, key=late)[: max(0, len(units) - len(owned))]:
        row[HEAD + p] = -1


# Listing and random play.


def legal(table: Table, states: Ints) -> tuple["array[int]", "array[int]"]:
    """List the legal orders of a batch of states; see `batch.legal_orders`."""
    rows, offsets = array("i"), array("i", [0])
    for row in _states(table, states):
        for one in legal_rows(table, row):
            rows.extend(one)
        offsets.append(len(rows) // 4)
    return offsets, rows


def _draw(seeds: MutableSequence[int], n: int, below: int) -> int:
    """Return a number below `below`, by splitmix64 with the state `seeds[n]`."""
    seeds[n] = z = (seeds[n] + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return ((z ^ z >> 31) >> 32) * below >> 32


def random_orders(table: Table, states: Ints, seeds: MutableSequence[int], orders: Row) -> None:
    """Draw legal orders for a batch of states; see `batch.random_orders`."""
    deep = order_width(table)
    for n, row in enumerate(_states(table, states)):
        given = array("i", [0]) * deep
        choices: dict[int, list[Legal]] = {}
        for one in legal_rows(table, row):
            choices.setdefault(one[0], []).append(one)
        if row[1] == 4:
            _draw_adjustments(table, row, choices, seeds, n, given)
        else:
            for listed in choices.values():
                _give(table, given, listed[_draw(seeds, n, len(listed))])
        orders[n * deep : (n + 1) * deep] = given


def _give(table: Table, given: Row, one: Legal) -> None:
    here, code, target, to = one
    size = table.provinces
    given[here], given[size + here], given[2 * size + here] = code, target, to


def _draw_adjustments(
    table: Table,
    row: Ints,
    choices: dict[int, list[Legal]],
    seeds: MutableSequence[int],
    n: int,
    given: Row,
) -> None:
    for power, count in enumerate(owed(table, row)):
        sites = [p for p in choices if _whose(table, row, p) == power]
        for _ in range(abs(count)):
            drawn = _draw(seeds, n, len(sites))
            listed = choices[sites[drawn]]
            sites[drawn] = sites[-1]
            sites.pop()
            _give(table, given, listed[_draw(seeds, n, len(listed))])


def _whose(table: Table, row: Ints, p: int) -> int:
    return row[HEAD + p] >> 11 if row[HEAD + p] >= 0 else table.home[p]


def play(table: Table, states: Row, seeds: MutableSequence[int], phases: int, start: Ints) -> None:
    """Play random legal orders in place; see `batch.play`."""
    wide, deep, size = width(table), order_width(table), table.provinces
    orders = array("i", [0]) * deep
    out, by = array("i", [-1]) * size, array("i", [-1]) * size
    for n, first in enumerate(_states(table, states)):
        row = first
        for _ in range(phases):
            if row[2] >= 0:
                row = array("i", start)
            seed = array("Q", [seeds[n]])
            random_orders(table, row, seed, orders)
            seeds[n] = seed[0]
            _phase(table, row, orders, out, by, 0, 0)
        states[n * wide : (n + 1) * wide] = row
