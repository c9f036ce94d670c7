"""What must hold of every adjudication, on positions nobody thought of."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judge.oracle import Table, Trial, consistent_moves
from tests.judge.scenes import NORTH, SOUTH, random_knot, random_orders, random_position

from diplomaccloud.judge.adjudicate import adjudicate, powers_to_order
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.legality import legal_orders
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.orders import Convoy, MovementOrder, Order, SupportHold, SupportMove, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, EDITIONS
from diplomaccloud.judge.standard import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.sampled_from([NORTH, SOUTH]), st.integers(4, 11))
def test_the_resolver_agrees_with_the_equations(seed: int, places: list[str], size: int) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, size, places=places)
    _agree(random_orders(BOARD, position, rng))


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_the_resolver_agrees_where_orders_depend_on_themselves(seed: int) -> None:
    _agree(random_knot(BOARD, random.Random(seed)))


def _agree(orders: list[MovementOrder]) -> None:
    """Assert that the only solution is found, or else one that a paradox rule explains."""
    battle = resolve(BOARD, DEFAULT, orders)
    moved = frozenset(battle.provinces[i] for i, won in enumerate(battle.moves) if won)
    sunk = {battle.provinces[i] for i in battle.drowned}
    table = Table(BOARD, orders)
    found = consistent_moves(table)
    if len(found) == 1:
        assert (moved, sunk) == (found[0], set())
    assert Trial(table, moved, sunk).consistent()
    assert sunk or found
    if not sunk:
        assert not any(moved < other for other in found)


@settings(max_examples=80, deadline=None)
@given(SEEDS, st.sampled_from(sorted(EDITIONS)))
def test_units_are_neither_made_nor_lost_nor_crowded(seed: int, edition: str) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, rng.randint(10, 34), powers=5)
    resolution = adjudicate(BOARD, position, random_orders(BOARD, position, rng), EDITIONS[edition])
    after = resolution.next.units
    assert len({unit.province for unit in after}) == len(after)
    assert len(after) + len(resolution.dislodged) == len(position.units)
    for one in resolution.dislodged:
        taken = {unit.province for unit in after} | set(resolution.standoffs)
        assert not taken & {place.split("/")[0] for place in one.retreats}


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_the_order_of_orders_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, 18)
    orders: list[Order] = [*random_orders(BOARD, position, rng)]
    orders += [*random_orders(BOARD, position, rng)][:4]
    one = adjudicate(BOARD, position, orders)
    rng.shuffle(orders)
    assert adjudicate(BOARD, position, orders) == one


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_renaming_powers_commutes(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, 18, powers=4)
    orders = random_orders(BOARD, position, rng)
    keys = [info.power for info in BOARD.powers]
    names = dict(zip(keys, rng.sample(keys, len(keys)), strict=True))
    plain = adjudicate(BOARD, position, orders)
    other = adjudicate(BOARD, _rename(position, names), [_rename_order(o, names) for o in orders])
    assert [(r.outcome, r.by) for r in other.results] == [(r.outcome, r.by) for r in plain.results]
    assert other.next.units == _rename(plain.next, names).units
    assert dict(other.next.centers) == dict(_rename(plain.next, names).centers)


def _rename_unit(unit: Unit, names: dict[Power, Power]) -> Unit:
    return replace(unit, power=names[unit.power])


def _rename(position: Position, names: dict[Power, Power]) -> Position:
    return replace(
        position,
        units=tuple(_rename_unit(unit, names) for unit in position.units),
        centers={code: names[power] for code, power in position.centers.items()},
        dislodged=(),
    )


def _rename_order(order: Order, names: dict[Power, Power]) -> Order:
    assert not isinstance(order, Waive)
    unit = _rename_unit(order.unit, names)
    if isinstance(order, SupportHold | SupportMove | Convoy):
        return replace(order, unit=unit, target=_rename_unit(order.target, names))
    return replace(order, unit=unit)


@pytest.mark.parametrize("seed", range(3))
def test_random_games_always_have_something_to_order(seed: int) -> None:
    """Twelve years of random legal orders: no void result, no phase without work."""
    rng = random.Random(seed)
    position = starting_position(BOARD)
    while position.phase.year < 1913:
        orders: list[Order] = []
        for power in sorted(powers_to_order(BOARD, position)):
            legal = legal_orders(BOARD, position, power)
            assert legal
            orders += _one_for_each_unit(legal, rng)
        resolution = adjudicate(BOARD, position, orders, seed=str(seed))
        matched = position.phase.stage is not Stage.ADJUSTMENTS
        if matched:
            refused = [r for r in resolution.results if r.outcome is Outcome.VOID]
            assert all(r.reason.startswith("Void:") for r in refused)
        following = resolution.next
        assert powers_to_order(BOARD, following) or following.phase.stage is Stage.MOVEMENT
        assert following.phase.order > position.phase.order
        position = following


def _one_for_each_unit(legal: tuple[Order, ...], rng: random.Random) -> list[Order]:
    choices: dict[ProvinceCode, list[Order]] = {}
    for order in legal:
        if not isinstance(order, Waive):
            choices.setdefault(order.unit.province, []).append(order)
    return [rng.choice(options) for options in choices.values()]
