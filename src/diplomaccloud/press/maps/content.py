"""The content of a conference map: checking its encoded text, and comparing two maps."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from diplomaccloud.judge.drawing.chart import Chart, Mark
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.maps.library import find_chart
from diplomaccloud.press.table.errors import BadMap
from diplomaccloud.sandbox.address import read_state
from diplomaccloud.sandbox.engine import SandboxError, SandboxState

MAX_ORDERS: Final = 250
"""The maximum number of orders on a map, in all phases together."""
MAX_STEPS: Final = 6
"""The maximum number of adjudicated phases on a map."""
MAX_BYTES: Final = 64 * 1024
"""The maximum size of the content, which is shorter when encoded in an address."""


def read_content(text: str, chart: Chart, map_hash: str) -> SandboxState:
    """Return the map that a person drew; raise `BadMap` if any part of it cannot be stored."""
    if len(text.encode(errors="replace")) > MAX_BYTES:
        raise BadMap(f"A map can have at most {MAX_BYTES // 1024} KB. Remove orders or marks.")
    try:
        reading = read_state(text, chart.board, map_hash)
    except SandboxError as error:
        raise BadMap(f"{error} The map was not saved.") from error
    if reading.problems:
        raise BadMap(f"{reading.problems[0]} The map was not saved.")
    state = reading.state
    count = count_orders(state)
    if count > MAX_ORDERS:
        raise BadMap(
            f"A map can have at most {MAX_ORDERS} orders. This one has {count}: "
            f"remove {count - MAX_ORDERS} of them."
        )
    if len(state.past) > MAX_STEPS:
        raise BadMap(f"A map can be adjudicated for {MAX_STEPS} phases. Go back to change one.")
    return state


@lru_cache(maxsize=256)
def load_content(text: str, map_hash: str) -> SandboxState:
    """Return a map that `read_content` accepted. Maps never change, so some are cached."""
    return read_state(text, find_chart(map_hash).board, map_hash).state


def count_orders(state: SandboxState) -> int:
    """Return how many orders a map has, in all phases together."""
    return len(state.orders) + sum(map(len, state.past))


def first_orders(state: SandboxState) -> tuple[Order, ...]:
    """Return the orders of a map's first phase."""
    return state.past[0] if state.past else state.orders


def is_same_position(one: Position, two: Position) -> bool:
    """Return whether two positions have the same phase, units, owners and dislodged units."""
    first, second = (
        (
            position.phase,
            set(position.units),
            dict(position.centers),
            {(entry.unit, entry.by, frozenset(entry.retreats)) for entry in position.dislodged},
        )
        for position in (one, two)
    )
    return first == second


@dataclass(frozen=True, slots=True)
class Changes:
    """The differences between two maps. `changed` has pairs of an order before and after.

    `moved` says whether the maps start from different positions.
    """

    added: tuple[Order, ...]
    removed: tuple[Order, ...]
    changed: tuple[tuple[Order, Order], ...]
    added_marks: tuple[Mark, ...]
    removed_marks: tuple[Mark, ...]
    moved: bool


def compare_maps(before: SandboxState, after: SandboxState) -> Changes:
    """Return what `after` changes in the first phase of `before` and in its marks."""
    old, new = _by_unit(first_orders(before)), _by_unit(first_orders(after))
    return Changes(
        added=tuple(order for unit, order in new.items() if unit not in old),
        removed=tuple(order for unit, order in old.items() if unit not in new),
        changed=tuple(
            (old[unit], order) for unit, order in new.items() if unit in old and old[unit] != order
        ),
        added_marks=tuple(mark for mark in after.marks if mark not in before.marks),
        removed_marks=tuple(mark for mark in before.marks if mark not in after.marks),
        moved=not is_same_position(before.start, after.start),
    )


def _by_unit(orders: tuple[Order, ...]) -> dict[object, Order]:
    """Return the orders by their subject: a unit, or a power that waives a build."""
    waived: dict[object, int] = {}
    by_unit: dict[object, Order] = {}
    for order in orders:
        if isinstance(order, Waive):
            waived[order.power] = waived.get(order.power, 0) + 1
            by_unit[order.power, waived[order.power]] = order
        else:
            by_unit[order.unit] = order
    return by_unit
