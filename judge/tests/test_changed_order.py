"""Deciding only what a changed order affects gives the same as deciding the whole phase."""

import random

from hypothesis import given
from hypothesis import strategies as st
from judge.tests.scenes import NORTH, SOUTH, random_knot, random_orders, random_position
from judge.tests.shorthand import BOARD
from tests.examples import examples

from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.movement.changed_order import find_affected, resolve_changed_order
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.orders import Hold, MovementOrder
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, EDITIONS

SEEDS = st.integers(0, 2**32 - 1)
RULES = st.sampled_from(sorted(EDITIONS))


def _draw_orders(rng: random.Random) -> tuple[Position, list[MovementOrder]]:
    """Return a crowded position with its orders; half the time they depend on themselves."""
    if rng.random() < 0.5:
        knot = sorted(random_knot(BOARD, rng), key=lambda order: order.unit)
        return Position(Phase.parse("S1903M"), tuple(order.unit for order in knot), {}), knot
    places = rng.choice([NORTH, SOUTH])
    start = random_position(BOARD, rng, rng.randint(6, 14), places=places)
    return start, random_orders(BOARD, start, rng)


@examples(120)
@given(SEEDS, RULES)
def test_a_unit_that_holds_instead(seed: int, edition: str) -> None:
    rules = EDITIONS[edition]
    start, listed = _draw_orders(random.Random(seed))
    movement = resolve(BOARD, rules, listed)
    for i, unit in enumerate(start.units):
        orders = [*listed[:i], Hold(unit), *listed[i + 1 :]]
        assert resolve_changed_order(movement, i, Hold(unit)) == resolve(BOARD, rules, orders)


@examples(120)
@given(SEEDS, RULES)
def test_a_unit_with_another_order(seed: int, edition: str) -> None:
    rng, rules = random.Random(seed), EDITIONS[edition]
    start, listed = _draw_orders(rng)
    movement = resolve(BOARD, rules, listed)
    legal = [order for order in legal_orders(BOARD, start) if isinstance(order, MovementOrder)]
    for i, unit in enumerate(start.units):
        order = rng.choice([order for order in legal if order.unit == unit])
        orders = [*listed[:i], order, *listed[i + 1 :]]
        assert resolve_changed_order(movement, i, order) == resolve(BOARD, rules, orders)


def test_only_the_affected_orders_are_decided_again() -> None:
    """Otherwise the tests above would show nothing."""
    kept = units = 0
    for seed in range(30):
        start, listed = _draw_orders(random.Random(seed))
        movement = resolve(BOARD, DEFAULT, listed)
        for i, unit in enumerate(start.units):
            orders = [*listed[:i], Hold(unit), *listed[i + 1 :]]
            after = resolve(BOARD, DEFAULT, orders)
            kept += len(orders) - len(find_affected(movement, after))
            units += len(orders)
    assert units / 4 < kept < units
