"""The kernel as Python against the compiled one, and both against the judge."""

import random
from array import array
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.cases import HERE, case_position, load_cases, read_orders
from judge.tests.effort import examples
from judge.tests.kernel.kernels import (
    BOARD,
    COMPILED,
    EVERY_BOARD,
    PYTHON,
    SEEDS,
    Kernel,
    board_called,
    each_kernel,
)
from judge.tests.scenes import (
    CROSSINGS,
    NORTH,
    SOUTH,
    random_knot,
    random_movement_rules,
    random_orders,
    random_position,
)

from diplomaccloud.judge import batch
from diplomaccloud.judge.adjudication import adjudicate, orders_followed
from diplomaccloud.judge.board import (
    Board,
    Location,
    ProvinceCode,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.kernel.core.codes import HEAD
from diplomaccloud.judge.kernel.layout import (
    OUTCOMES,
    order_codes,
    pack_orders,
    pack_state,
    read_order,
    unpack_state,
)
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.supported_rules import pack_rules
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.legality.reader import PhaseOrders, Reader, Refusal
from diplomaccloud.judge.orders import (
    Convoy,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.reasons.statements import Phrasebook
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet

# Movement in both kernels. The oracle and the answers of other judges are compared elsewhere.


def _decided(
    one: Kernel, board: Board, orders: list[MovementOrder], rules: RuleSet
) -> tuple[object, ...]:
    """Return all that a kernel says about orders: decisions, results with reasons, and facts."""
    units, book = [order.unit for order in orders], Phrasebook(table_of(board))
    results = one.explain_orders(board, units, orders, rules, book.known, book.explain_row)
    judged = one.resolve(board, units, orders, rules, checked=False)
    assert [result.outcome for result in results] == list(judged.outcomes)
    messages = [result.message for result in results]
    return judged, judged.leads, results, messages, one.find_facts(board, units, orders, rules)


def _assert_both_agree(board: Board, orders: list[MovementOrder], rules: RuleSet) -> None:
    if COMPILED is None:
        pytest.skip("not compiled: run scripts/kernel")
    assert _decided(PYTHON, board, orders, rules) == _decided(COMPILED, board, orders, rules)


@examples(120)
@given(SEEDS, EVERY_BOARD, st.integers(4, 60))
def test_movement_is_the_same_in_both_kernels(seed: int, name: str, size: int) -> None:
    rng = random.Random(seed)
    board = board_called(name)
    places = rng.choice([NORTH, SOUTH, []]) if name == "standard" else []
    position = random_position(board, rng, min(size, len(places) or size), places=places)
    orders, rules = random_orders(board, position, rng), random_movement_rules(rng)
    _assert_both_agree(board, orders, rules)


@examples(150)
@given(SEEDS, st.booleans())
def test_paradoxes_are_the_same_in_both_kernels(seed: int, crossing: bool) -> None:
    rng = random.Random(seed)
    orders = random_knot(BOARD, rng, CROSSINGS) if crossing else random_knot(BOARD, rng)
    _assert_both_agree(BOARD, orders, random_movement_rules(rng))


def test_every_case_of_the_documents_is_the_same_in_both_kernels() -> None:
    for path in sorted((HERE / "datc").glob("*.toml")) + sorted((HERE / "diagrams").glob("*.toml")):
        for case in load_cases(path):
            position = case_position(case, BOARD)
            if position.phase.stage is Stage.MOVEMENT and position.units:
                written = read_orders(case, BOARD, position)
                sheet = PhaseOrders(BOARD, position, written.orders, DEFAULT)
                for rules in EDITIONS.values():
                    _assert_both_agree(BOARD, orders_followed(position, sheet), rules)


# Whole phases against the judge.


@each_kernel
@examples(60)
@given(SEEDS, EVERY_BOARD, st.sampled_from(sorted(EDITIONS.keys() - {"2009"})))
def test_phases_are_as_the_judge_has_them(one: Kernel, seed: int, name: str, edition: str) -> None:
    """Moves, then the retreats and adjustments that follow, some orders left out."""
    rng = random.Random(seed)
    board, rules = board_called(name), EDITIONS[edition]
    position = random_position(board, rng, rng.randint(8, 45), powers=7)
    orders: list[Order] = [*random_orders(board, position, rng)]
    for _ in range(6):
        kept = [order for order in orders if rng.random() < 0.9]
        position = _same_phase(one, board, position, kept, rules)
        orders = _drawn(board, position, rng)


def _same_phase(
    one: Kernel, board: Board, position: Position, orders: list[Order], rules: RuleSet
) -> Position:
    """Assert that kernel and judge agree about one phase; return the next position."""
    table = table_of(board)
    state = pack_state(board, position)
    assert unpack_state(board, state) == position
    after = array("i", state)
    outcomes = array("i", [-1]) * table.provinces
    dislodgers = array("i", outcomes)
    given, number = pack_orders(board, orders), pack_rules(rules)
    one.adjudicate(table, state, given, after, outcomes, dislodgers, number)
    resolution = adjudicate(board, position, orders, rules)
    assert unpack_state(board, after) == resolution.next
    winner = table.powers[after[2]] if after[2] >= 0 else None
    assert winner == (resolution.ending.winners[0] if resolution.ending else None)
    if position.phase.stage is Stage.MOVEMENT:
        for result in resolution.results:
            assert not isinstance(result.order, Waive)
            here = table.place_of[Location(result.order.unit.province)]
            assert OUTCOMES[outcomes[here]] == result.outcome
        driven = {
            table.place_of[Location(out.unit.province)]: table.place_of[Location(out.by)]
            for out in resolution.dislodged
        }
        assert driven == {here: by for here, by in enumerate(dislodgers) if by >= 0}
    return resolution.next


def _drawn(board: Board, position: Position, rng: random.Random) -> list[Order]:
    table, state = table_of(board), pack_state(board, position)
    row = batch.random_orders(state, array("Q", [rng.getrandbits(64)]), board)
    size = table.provinces
    standing = HEAD + (size if position.phase.stage is Stage.RETREATS else 0)
    return [
        read_order(table, state, row[here], row[size + here], row[2 * size + here], here)
        for here in range(size)
        if row[here] or (state[1] != 4 and state[standing + here] >= 0)
    ]


@each_kernel
@examples(40)
@given(SEEDS, EVERY_BOARD)
def test_legal_orders_are_listed_as_by_the_judge(one: Kernel, seed: int, name: str) -> None:
    rng = random.Random(seed)
    board = board_called(name)
    position = random_position(board, rng, rng.randint(5, 34), powers=7)
    for _ in range(4):
        _same_listing(one, board, position)
        orders = _drawn(board, position, rng)
        position = adjudicate(board, position, orders).next


def _same_listing(one: Kernel, board: Board, position: Position) -> None:
    table = table_of(board)
    wanted = {
        (table.place_of[Location(order.unit.province)], *order_codes(table, order))
        for info in board.powers
        for order in legal_orders(board, position, info.power)
        if not isinstance(order, Waive)
    }
    offsets, rows = one.list_batch(table, pack_state(board, position))
    listed = [tuple(rows[at : at + 4]) for at in range(0, len(rows), 4)]
    assert list(offsets) == [0, len(listed)]
    assert len(listed) == len(set(listed))
    assert set(listed) == wanted


@examples(60)
@given(SEEDS)
def test_values_are_decided_as_by_the_judge(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, rng.randint(5, 34), powers=7)
    orders = random_orders(BOARD, position, rng)
    rules = EDITIONS[rng.choice([*EDITIONS])]
    verdict = KERNEL.resolve(BOARD, position.units, orders, rules, checked=False)
    assert verdict is not None
    resolution = adjudicate(BOARD, position, orders, rules)
    assert verdict.outcomes == tuple(result.outcome for result in resolution.results)
    assert set(verdict.units) == set(resolution.next.units)
    assert set(verdict.dislodged) == set(resolution.dislodged)


def _altered(order: MovementOrder, position: Position, rng: random.Random) -> MovementOrder:
    """Return the order with one part of it put at random."""
    places = [Location(code) for code in BOARD.by_code] + list(BOARD.locations(UnitKind.FLEET))
    changes: list[dict[str, object]] = [
        {"unit": rng.choice(position.units)},
        {"unit": replace(order.unit, kind=rng.choice(list(UnitKind)))},
        {"unit": replace(order.unit, location=rng.choice(places))},
    ]
    if isinstance(order, SupportHold | SupportMove | Convoy):
        changes.append({"target": rng.choice(position.units)})
    if isinstance(order, Move | SupportMove | Convoy):
        changes += [{"to": rng.choice(places)}, {"to": province_of(Location(order.to))}]
    if isinstance(order, Move):
        changes += [{"via_convoy": not order.via_convoy}, {"path": (ProvinceCode("NTH"),)}]
    return replace(order, **rng.choice(changes))


@each_kernel
@examples(150)
@given(SEEDS)
def test_orders_that_the_reader_leaves_unchanged_are_accepted(one: Kernel, seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, rng.randint(3, 34), powers=7)
    orders = random_orders(BOARD, position, rng)
    wanted = one.resolve(BOARD, position.units, orders)
    assert wanted is not None
    for _ in range(12):
        order = _altered(rng.choice(orders), position, rng)
        try:
            same = Reader(BOARD, position).read(order.unit.power, order) == order
        except Refusal:
            same = False
        found = one.resolve(BOARD, position.units, [order])
        assert (found is not None) == same, str(order)
        if order not in orders:
            found = one.resolve(BOARD, position.units, [*orders, order])
            assert found is None, "a unit has two orders"
    assert one.resolve(BOARD, position.units, orders * 2) == wanted


@each_kernel
@examples(150)
@given(SEEDS)
def test_a_year_closed_with_the_moves_is_closed_as_after_them(one: Kernel, seed: int) -> None:
    rng, powers = random.Random(seed), table_of(BOARD).powers
    position = random_position(BOARD, rng, rng.randint(3, 34), powers=7)
    orders = random_orders(BOARD, position, rng)
    centers = {code: rng.choice(powers) for code in BOARD.centers if rng.random() < 0.7}
    judged = one.resolve_listed(BOARD, position.units, orders, DEFAULT, centers)
    if any(entry.retreats for entry in judged.dislodged):
        assert judged.closed is None
    else:
        assert judged.closed == one.close_year(BOARD, judged.units, centers)
    plain = one.resolve_listed(BOARD, position.units, orders)
    assert (judged, judged.leads) == (plain, plain.leads)
    assert plain.closed is None
    stranger = one.resolve_listed(BOARD, position.units, orders, DEFAULT, {"XYZ": "FRANCE"})
    assert stranger.closed is None
