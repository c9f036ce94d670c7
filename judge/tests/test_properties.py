"""Properties of every adjudication, checked on random positions."""

import random
from collections.abc import Sequence
from dataclasses import fields, replace

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.oracle import consistent_moves, consistent_routes, judge_orders
from judge.tests.oracle_equations import TooLargeError
from judge.tests.oracle_run import (
    differences,
    found_by_judge,
    found_by_oracle,
    scene,
    written,
)
from judge.tests.river_board import ruled_board
from judge.tests.scenes import (
    CROSSINGS,
    KNOTS,
    MOVEMENT_SWITCHES,
    NORTH,
    RARE,
    SOUTH,
    generated_boards,
    name_seas,
    random_board,
    random_knot,
    random_orders,
    random_position,
)

from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.legality.legal_orders import legal_orders
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
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
SEEDS = st.integers(0, 2**32 - 1)


EUROPE = [BOARD]
GRIDS = [
    *generated_boards(),
    *(random_board(random.Random(seed)) for seed in range(8)),
    *(ruled_board(random.Random(seed)) for seed in range(8)),
]
NAMED = st.sampled_from(sorted(EDITIONS))


@pytest.mark.long
@examples(400)
@given(SEEDS, NAMED)
def test_the_judge_agrees_with_the_oracle_in_europe(seed: int, edition: str) -> None:
    board, listed = scene(random.Random(seed), EUROPE)
    _agree(board, listed, EDITIONS[edition])


@examples(400)
@given(SEEDS, NAMED, st.sampled_from(GRIDS))
def test_the_judge_agrees_with_the_oracle_on_small_boards(
    seed: int, edition: str, board: Board
) -> None:
    rng = random.Random(seed)
    start = random_position(board, rng, rng.randint(6, 18))
    _agree(board, random_orders(board, start, rng), EDITIONS[edition])


@examples(300)
@given(SEEDS, NAMED)
def test_the_judge_agrees_where_orders_depend_on_themselves(seed: int, edition: str) -> None:
    _agree(BOARD, random_knot(BOARD, random.Random(seed)), EDITIONS[edition])


FALLING_BACK = (
    EDITIONS["CD-ROM"],
    EDITIONS["1971"],
    replace(DEFAULT, land_behind_convoy=True),
    replace(DEFAULT, land_behind_convoy=True, retreat_to_convoyed_attacker=True),
    replace(DEFAULT, land_behind_convoy=True, convoyed_attack_cuts=True),
)


@examples(300)
@given(SEEDS, st.sampled_from(FALLING_BACK))
def test_the_judge_agrees_where_armies_may_go_by_land_after_all(seed: int, rules: RuleSet) -> None:
    _agree(BOARD, random_knot(BOARD, random.Random(seed), CROSSINGS, most=8), rules)


@examples(200)
@given(SEEDS, st.sampled_from(FALLING_BACK))
def test_only_one_way_to_send_armies_by_sea_or_land_comes_true(seed: int, rules: RuleSet) -> None:
    """If only one assignment is consistent, it is the verdict, no matter how it is found."""
    orders = random_knot(BOARD, random.Random(seed), CROSSINGS, most=8)
    try:
        ways = consistent_routes(BOARD, orders, rules)
    except TooLargeError:
        reject()
    if len(ways) == 1:
        assert found_by_judge(BOARD, orders, rules)["moved"] == ways[0].moved, written(orders)


@examples(200)
@given(SEEDS, st.data())
def test_the_judge_agrees_whatever_the_switches(seed: int, data: st.DataObject) -> None:
    switches = {
        name: data.draw(st.sampled_from(values), name) for name, values in MOVEMENT_SWITCHES.items()
    }
    rng = random.Random(seed)
    board, listed = scene(rng, [BOARD, *GRIDS])
    rules = replace(DEFAULT, **switches)  # type: ignore[arg-type]
    _agree(board, name_seas(listed, rng), rules)


CHANGES = [
    (name, value)
    for name, values in MOVEMENT_SWITCHES.items()
    for value in values
    if value != getattr(DEFAULT, name)
]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_the_judge_agrees_where_a_switch_decides(name: str, value: object) -> None:
    rng, rules = random.Random(name), replace(DEFAULT, **{name: value})  # type: ignore[arg-type]
    decided = 0
    for _ in range(1000):
        listed = random_knot(BOARD, rng, rng.choice([KNOTS, CROSSINGS, RARE]), most=5)
        listed = name_seas(listed, rng)
        if found_by_oracle(BOARD, listed, rules) != found_by_oracle(BOARD, listed, DEFAULT):
            _agree(BOARD, listed, rules)
            decided += 1
        if decided == 4:
            return
    pytest.fail(f"{name} decides only {decided} positions of a thousand")


def test_no_other_switch_decides_legal_moves() -> None:
    """So the oracle, which is given legal moves, need not know the others."""
    rng = random.Random(1)
    for field in fields(RuleSet):
        if field.name in {"name", *MOVEMENT_SWITCHES}:
            continue
        kind = type(field.default)
        for value in (False, True) if kind is bool else tuple(kind):
            rules = replace(DEFAULT, **{field.name: value})
            for _ in range(3):
                board, listed = scene(rng, [BOARD, *GRIDS])
                judged = found_by_judge(board, listed, rules)
                assert judged == found_by_judge(board, listed, DEFAULT), (field.name, value)


def _agree(board: Board, listed: list[MovementOrder], rules: RuleSet) -> None:
    try:
        unlike = differences(board, listed, rules)
    except TooLargeError:
        reject()
    assert not unlike, "\n".join([*unlike, written(listed)])


@examples(100)
@given(SEEDS, NAMED)
def test_an_only_consistent_assignment_is_the_judgment(seed: int, edition: str) -> None:
    """Every truth assignment of the moves tried out, none put together from parts."""
    rng, rules = random.Random(seed), EDITIONS[edition]
    start = random_position(BOARD, rng, 7, places=rng.choice([NORTH, SOUTH]))
    judged = judge_orders(BOARD, random_orders(BOARD, start, rng), rules)
    found = consistent_moves(judged.table)
    if len(found) == 1:
        assert (judged.moved, judged.sunk) == (found[0], frozenset())
    else:
        assert judged.sunk or judged.moved in found


@examples(60)
@given(SEEDS, NAMED, st.sampled_from([BOARD, *GRIDS]))
def test_mirroring_the_board_commutes(seed: int, edition: str, board: Board) -> None:
    """The names of provinces, and where they stand in lists, change nothing."""
    rng = random.Random(seed)
    start = random_position(board, rng, rng.randint(8, 18))
    listed = random_orders(board, start, rng)
    mirror = Mirror(board)
    rules = EDITIONS[edition]
    plain = found_by_judge(board, listed, rules)
    other = found_by_judge(mirror.board, [mirror.order(one) for one in listed], rules)
    assert {key: mirror.facts(fact) for key, fact in plain.items()} == other


class Mirror:
    """A board whose provinces have changed names and places in every list."""

    def __init__(self, board: Board) -> None:
        codes = sorted(board.by_code)
        self._codes = dict(zip(codes, reversed(codes), strict=True))
        self.board = replace(
            board,
            name="mirror",
            provinces=tuple(
                replace(p, code=self._codes[p.code]) for p in reversed(board.provinces)
            ),
            army_borders=tuple((self._codes[b], self._codes[a]) for a, b in board.army_borders),
            fleet_borders=tuple((self.at(b), self.at(a)) for a, b in board.fleet_borders),
            starts=(),
            border_rules=(),
        )

    def at(self, place: Location) -> Location:
        code, _, coast = place.partition("/")
        other = self._codes[ProvinceCode(code)]
        return Location(f"{other}/{coast}" if coast else other)

    def order(self, order: MovementOrder) -> MovementOrder:
        order = replace(order, unit=order.unit.at(self.at(order.unit.location)))
        if isinstance(order, SupportHold | SupportMove | Convoy):
            order = replace(order, target=order.target.at(self.at(order.target.location)))
        if isinstance(order, Convoy):
            return replace(order, to=ProvinceCode(self.at(Location(order.to))))
        if isinstance(order, Move | SupportMove):
            return replace(order, to=self.at(order.to))
        return order

    def facts(self, fact: object) -> object:
        """Return what the judge found, in the names of this board."""
        if isinstance(fact, str):
            kind, _, place = fact.rpartition(" ")
            return f"{kind} {self.at(Location(place))}".strip()
        if isinstance(fact, dict):
            return {self.facts(key): self.facts(value) for key, value in fact.items()}
        assert isinstance(fact, set | tuple)
        return type(fact)(self.facts(one) for one in fact)


@examples(80)
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


@examples(60)
@given(SEEDS, NAMED)
def test_the_order_of_orders_changes_nothing(seed: int, edition: str) -> None:
    rng, rules = random.Random(seed), EDITIONS[edition]
    position = random_position(BOARD, rng, 18)
    orders: list[Order] = [*random_orders(BOARD, position, rng)]
    orders += [*random_orders(BOARD, position, rng)][:4]
    one = adjudicate(BOARD, position, orders, rules)
    rng.shuffle(orders)
    assert adjudicate(BOARD, position, orders, rules) == one


@examples(60)
@given(SEEDS, NAMED)
def test_the_order_of_units_changes_nothing(seed: int, edition: str) -> None:
    """A position sorts its units; the kernel must not depend on that."""
    rng, rules = random.Random(seed), EDITIONS[edition]
    listed = random_knot(BOARD, rng)
    plain = _decide(listed, rules)
    rng.shuffle(listed)
    assert _decide(listed, rules) == plain


def _decide(listed: Sequence[MovementOrder], rules: RuleSet) -> tuple[object, ...]:
    """Return the outcome of each unit, the dislodged units and the standoffs."""
    units = [order.unit for order in listed]
    verdict = KERNEL.resolve(BOARD, units, listed, rules, checked=False)
    assert verdict is not None
    outcomes = dict(zip(units, verdict.outcomes, strict=True))
    return outcomes, verdict.units, set(verdict.dislodged), verdict.standoffs


@examples(60)
@given(SEEDS, NAMED)
def test_renaming_powers_commutes(seed: int, edition: str) -> None:
    rng, rules = random.Random(seed), EDITIONS[edition]
    position = random_position(BOARD, rng, 18, powers=4)
    orders = random_orders(BOARD, position, rng)
    keys = [info.power for info in BOARD.powers]
    names = dict(zip(keys, rng.sample(keys, len(keys)), strict=True))
    plain = adjudicate(BOARD, position, orders, rules)
    other = adjudicate(
        BOARD, _rename(position, names), [_rename_order(o, names) for o in orders], rules
    )
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
            assert all(r.why.startswith("Void:") for r in refused)
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
