"""The flat form of positions and orders that the kernel uses.

A *state* is one row of `width(table)` integers: the year, the place of the phase in
`phases.CALENDAR`, the winner or -1, and then five blocks with one entry for each province:

    unit       the unit there, -1 for none: power << 11 | place << 1 | kind (0 army, 1 fleet)
    out        the unit dislodged there, in the same form
    source     where its attacker came from, + 1024 if the unit may retreat there; -1 for none
    contested  1 if a standoff left the province empty, so that no unit may retreat there
    owner      the power that owns the center, or -1

An *order row* has three blocks of the same length: the order's code, its target, its goal.

    HOLD           0
    MOVE           1                                goal: the place moved to
    MOVE_VIA       2   by convoy to a neighbor      goal: the place moved to
    SUPPORT_HOLD   3   target: a province
    SUPPORT_MOVE   4   target: a province           goal: a place, the coast may be left out
    CONVOY         5   target: a province           goal: a province
    RETREAT        6                                goal: a place
    DISBAND        7   of a dislodged unit, or in winter
    BUILD          8   target: 0 army, 1 fleet      goal: a place; the center's owner builds

Every row consists of 32-bit integers in an `array("i")` or another object with such a buffer.
Movement orders must be legal. If there are too many builds or disbands, the first ones by province
count.
"""

from array import array
from collections.abc import Iterable, Sequence, Set

from diplomaccloud.judge.board import Board, Location, ProvinceCode, UnitKind
from diplomaccloud.judge.kernel.core import codes
from diplomaccloud.judge.kernel.table import KINDS, STAGES, Table, table_of
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import CALENDAR, Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.units import Unit

MOVEMENT_PHASES, RETREAT_PHASES, ADJUSTMENT_PHASES = (
    frozenset(number for number, stage in enumerate(STAGES) if stage == wanted)
    for wanted in (codes.OF_MOVES, codes.OF_RETREATS, codes.OF_ADJUSTMENTS)
)
"""The numbers of the phases of each stage."""

OUTCOMES = (
    Outcome.HOLD,
    Outcome.MOVED,
    Outcome.BOUNCED,
    Outcome.NOPATH,
    Outcome.GIVEN,
    Outcome.CUT,
    Outcome.VOID,
    Outcome.CONVOYED,
    Outcome.DISRUPTED,
)
"""The outcomes of movement, indexed by their number in flat results."""

UnitOrder = Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build


def width(table: Table) -> int:
    """Return how many integers a state has on this board."""
    return codes.HEAD + 5 * table.provinces


def order_width(table: Table) -> int:
    """Return how many integers an order row has on this board."""
    return 3 * table.provinces


def pack_unit(table: Table, unit: Unit) -> int:
    """Return `unit` as one integer."""
    place, power = table.place_of[unit.location], table.power_of[unit.power]
    return power << codes.POWER_SHIFT | place << codes.PLACE_SHIFT | (unit.kind is UnitKind.FLEET)


def unpack_unit(table: Table, code: int) -> Unit:
    """Return the unit that `code` stands for."""
    place = code >> codes.PLACE_SHIFT & codes.PLACE_MASK
    return Unit(KINDS[code & 1], table.location_of[place], table.powers[code >> codes.POWER_SHIFT])


def pack_state(board: Board, position: Position) -> "array[int]":
    """Return `position` as a state; raise `KeyError` for places or powers not on `board`."""
    table = table_of(board)
    size = table.provinces
    row = array("i", [-1]) * width(table)
    row[codes.HEAD + 3 * size : codes.HEAD + 4 * size] = array("i", [0]) * size
    row[codes.YEAR] = position.phase.year
    row[codes.PHASE] = CALENDAR.index((position.phase.season, position.phase.stage))
    for unit in position.units:
        code = pack_unit(table, unit)
        row[codes.HEAD + table.province_of[code >> codes.PLACE_SHIFT & codes.PLACE_MASK]] = code
    open_to = {place for entry in position.dislodged for place in entry.retreats}
    for entry in position.dislodged:
        _pack_dislodged(table, row, entry, open_to)
    for center, power in position.centers.items():
        row[codes.HEAD + 4 * size + table.place_of[Location(center)]] = table.power_of[power]
    return row


def _pack_dislodged(
    table: Table, row: "array[int]", entry: Dislodged, open_to: Set[Location]
) -> None:
    """Set a dislodged unit; `open_to` are the places to which any unit may retreat.

    An empty province is barred to the unit if its attacker came from there or a standoff left it
    empty. If the position does not say where the attacker came from, it was the province that is
    barred to this unit but open to another.
    """
    size = table.provinces
    code = pack_unit(table, entry.unit)
    place = code >> codes.PLACE_SHIFT & codes.PLACE_MASK
    here = table.province_of[place]
    allowed = {table.place_of[place] for place in entry.retreats}
    elsewhere = {table.province_of[table.place_of[place]] for place in open_to}
    barred = [
        province
        for to in table.near[(code & 1) * table.places + place]
        if to not in allowed and row[codes.HEAD + (province := table.province_of[to])] < 0
    ]
    source = table.place_of.get(Location(entry.by), -1)
    if source < 0:
        source = next((province for province in barred if province in elsewhere), -1)
    back = any(table.province_of[to] == source for to in allowed)
    row[codes.HEAD + size + here] = code
    row[codes.HEAD + 2 * size + here] = source + codes.OPEN_SOURCE * back
    for province in barred:
        if province != source:
            row[codes.HEAD + 3 * size + province] = 1


def unpack_state(board: Board, row: "array[int]") -> Position:
    """Return the position that a state stands for."""
    table = table_of(board)
    size = table.provinces
    owners = row[codes.HEAD + 4 * size : codes.HEAD + 5 * size]
    season, stage = CALENDAR[row[codes.PHASE]]
    return Position(
        Phase(season, row[codes.YEAR], stage),
        tuple(
            unpack_unit(table, code) for code in row[codes.HEAD : codes.HEAD + size] if code >= 0
        ),
        {
            table.board.provinces[i].code: table.powers[owner]
            for i, owner in enumerate(owners)
            if owner >= 0
        },
        tuple(
            _unpack_dislodged(table, row, here)
            for here in range(size)
            if row[codes.HEAD + size + here] >= 0
        ),
    )


def _unpack_dislodged(table: Table, row: "array[int]", here: int) -> Dislodged:
    size = table.provinces
    places = retreat_options(table, row, here)
    source = row[codes.HEAD + 2 * size + here]
    return Dislodged(
        unpack_unit(table, row[codes.HEAD + size + here]),
        ProvinceCode(table.location_of[source % codes.OPEN_SOURCE] if source >= 0 else ""),
        tuple(sorted(table.location_of[place] for place in places)),
    )


def retreat_options(table: Table, row: Sequence[int], here: int) -> list[int]:
    """Return the places to which the unit dislodged in province `here` may retreat."""
    size = table.provinces
    code, source = row[codes.HEAD + size + here], row[codes.HEAD + 2 * size + here]
    contested = codes.HEAD + 3 * size
    return [
        place
        for place in table.near[
            (code & 1) * table.places + (code >> codes.PLACE_SHIFT & codes.PLACE_MASK)
        ]
        if row[codes.HEAD + (province := table.province_of[place])] < 0
        and not row[contested + province]
        and province != source
    ]


def pack_orders(board: Board, orders: Iterable[Order]) -> "array[int]":
    """Return legal orders as an order row; a unit without an order holds or is disbanded."""
    table = table_of(board)
    size = table.provinces
    row = array("i", [0]) * (3 * size)
    for order in orders:
        if isinstance(order, Waive):
            continue
        here, *codes = number_order(table, order)
        row[here], row[size + here], row[2 * size + here] = codes
    return row


def number_order(table: Table, order: UnitOrder) -> tuple[int, int, int, int]:
    """Return the province of an order, and the code, target and goal for an order row."""
    here = table.province_of[table.place_of[order.unit.location]]
    return here, *order_codes(table, order)


def order_codes(table: Table, order: Order) -> tuple[int, int, int]:
    """Return the code, target and goal of `order`."""
    place, province = table.place_of, table.province_of
    match order:
        case Move():
            return (codes.MOVE_VIA if order.via_convoy else codes.MOVE), 0, place[order.to]
        case SupportHold():
            return codes.SUPPORT_HOLD, province[place[order.target.location]], 0
        case SupportMove():
            return codes.SUPPORT_MOVE, province[place[order.target.location]], place[order.to]
        case Convoy():
            return codes.CONVOY, province[place[order.target.location]], place[Location(order.to)]
        case Retreat():
            return codes.RETREAT, 0, place[order.to]
        case Disband():
            return codes.DISBAND, 0, 0
        case Build():
            return codes.BUILD, KINDS.index(order.unit.kind), place[order.unit.location]
        case Hold() | Waive():
            return codes.HOLD, 0, 0


def read_order(
    table: Table, row: "array[int]", code: int, target: int, to: int, here: int
) -> Order:
    """Return the order with these numbers for the unit in province `here` in the state `row`."""
    size = table.provinces
    if code == codes.BUILD:
        owner = row[codes.HEAD + 4 * size + here]
        return Build(Unit(KINDS[target], table.location_of[to], table.powers[owner]))
    block = codes.HEAD + (size if row[codes.PHASE] in RETREAT_PHASES else 0)
    unit = unpack_unit(table, row[block + here])
    goal = table.location_of[to]
    if code in {codes.MOVE, codes.MOVE_VIA}:
        return Move(unit, goal, via_convoy=code == codes.MOVE_VIA)
    if code == codes.RETREAT:
        return Retreat(unit, goal)
    if code == codes.DISBAND:
        return Disband(unit)
    if code == codes.HOLD:
        return Hold(unit)
    other = unpack_unit(table, row[codes.HEAD + target])
    if code == codes.SUPPORT_HOLD:
        return SupportHold(unit, other)
    if code == codes.SUPPORT_MOVE:
        return SupportMove(unit, other, goal)
    return Convoy(unit, other, table.board.provinces[to].code)


def find_owed(table: Table, row: Sequence[int]) -> list[int]:
    """Return how many units each power may build; if negative, it must disband that many."""
    size = table.provinces
    held = [code >> codes.POWER_SHIFT for code in row[codes.HEAD : codes.HEAD + size] if code >= 0]
    owners = row[codes.HEAD + 4 * size : codes.HEAD + 5 * size]
    balance = [owners.count(power) - held.count(power) for power in range(len(table.powers))]
    return [
        min(count, len(build_sites(table, row, power))) if count > 0 else count
        for power, count in enumerate(balance)
    ]


def build_sites(table: Table, row: Sequence[int], power: int) -> list[int]:
    """Return the empty centers that `power` owns and may build in."""
    owner = codes.HEAD + 4 * table.provinces
    return [
        here
        for here in table.build_centers[power]
        if row[owner + here] == power and row[codes.HEAD + here] < 0
    ]
