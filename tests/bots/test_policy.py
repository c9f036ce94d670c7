"""What the policy chooses: against its rules written out plainly, and in single positions."""

import random
from array import array
from collections import Counter

import pytest
from tests.bots.policies import (
    EUROPE,
    draw_seeds,
    free_orders,
    generated_board,
    play_states,
    sample_once,
    split_states,
)

from diplomaccloud.bots import policy
from diplomaccloud.bots.kernel.core.pulls import Pulls
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board, Location, Terrain, UnitKind, province_of
from diplomaccloud.judge.kernel.core.codes import (
    BUILD,
    DISBAND,
    HEAD,
    HOLD,
    MOVE,
    PHASE,
    POWER_SHIFT,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WINNER,
)
from diplomaccloud.judge.kernel.core.state import State
from diplomaccloud.judge.kernel.core.tables import Tables
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENT_PHASES,
    RETREAT_PHASES,
    pack_state,
    unpack_state,
)
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.notation import parse_position
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position

CALM = policy.Style(heat=0)
SIZE = len(EUROPE.provinces)

# The rules of the worth of a place, written out.


def find_worth(board: Board, position: Position, power: str) -> dict[tuple[UnitKind, str], float]:
    """Return the worth to the power of an army or a fleet at each place."""
    winter = position.phase.stage is Stage.ADJUSTMENTS
    spring = position.phase.season is Season.SPRING
    attack, defense = (700, 300) if spring or winter else (600, 400)
    weights = [100, 1000] if spring else [1000, 100]
    counts = Counter(position.centers.get(code) for code in board.centers)
    size = {
        owner: counts[owner] ** 2 + 4 * counts[owner] + 16 for owner in (None, *board.power_info)
    }
    beside = [(unit.power, board.reach(unit.kind, unit.location)) for unit in position.units]
    shield = {
        code: max(
            (size[other] for other, near in beside if other != power and code in near), default=0
        )
        for code, owner in position.centers.items()
        if owner == power
    }
    base = {
        code: defense * shield[code]
        if code in shield
        else attack * size[position.centers.get(code)]
        for code in board.centers
    }
    found = {}
    for kind in UnitKind:
        level = {here: base.get(province_of(here), 0) for here in board.locations(kind)}
        total = {here: weights[0] * value for here, value in level.items()}
        for weight in [weights[1], 30, 10, 6, 5, 4, 3, 2, 1]:
            wider = {}
            for here, value in level.items():
                best: dict[str, float] = {}
                for to in board.destinations(kind, here):
                    best[province_of(to)] = max(best.get(province_of(to), 0), level[to])
                wider[here] = (value + sum(best.values())) / 5
            level = wider
            for here, value in level.items():
                total[here] += weight * value
        for here, value in total.items():
            code = province_of(here)
            near = Counter(
                unit.power
                for unit in position.units
                if code in {unit.province, *board.reach(unit.kind, unit.location)}
            )
            ours = near.pop(power, 0)
            own = shield.get(code, 0) if winter else ours - max(near.values(), default=0)
            found[kind, here] = value + 1000 * own
    return found


@pytest.mark.parametrize("number", [-1, 1, 4])
def test_the_worth_of_every_place_is_as_the_rules_say(number: int) -> None:
    board = EUROPE if number < 0 else generated_board(number)
    table = table_of(board)
    tables = Tables(table)
    state = State(tables)
    pulls = Pulls(table, tables, state)
    seen = set()
    for states in play_states(board, 1, 40, seed=5):
        position = unpack_state(board, states)
        seen.add(position.phase.stage)
        assert state.load(states, 0)
        pulls.open_state()
        for power in [*board.power_info][:3]:
            pulls.open_power(table.power_of[power])
            fleets = pulls.needs_fleets()
            for (kind, here), worth in find_worth(board, position, power).items():
                if kind is UnitKind.ARMY or fleets:
                    row = table.place_of[here] + (kind is UnitKind.FLEET) * table.places
                    assert pulls.find_worth(row) == pytest.approx(worth, rel=1e-9, abs=1e-6)
    assert seen == set(Stage)


# What its orders have in common.


@pytest.mark.parametrize("number", [-1, 4])
def test_orders_are_legal_and_units_of_a_power_never_meet(number: int) -> None:
    board = EUROPE if number < 0 else generated_board(number)
    table, rng = table_of(board), random.Random(2)
    size = table.provinces
    seen: set[int] = set()
    for states in play_states(board, 3, 60, seed=6):
        for state in split_states(board, states):
            legal = find_legal(board, state)
            row = policy.choose_orders(board, state, draw_seeds(rng, len(table.powers)))
            seen.update(row[:size])
            arrivals: dict[int, list[int]] = {}
            for here in range(size):
                order = row[here], row[size + here], row[2 * size + here]
                if here in legal and (order[0] or state[PHASE] not in ADJUSTMENT_PHASES):
                    assert order in legal[here]
                else:
                    assert order == (HOLD, 0, 0)
                if order[0] in {MOVE, RETREAT}:
                    arrivals.setdefault(table.province_of[order[2]], []).append(here)
            for goal, movers in arrivals.items():
                block = HEAD + size * (state[PHASE] in RETREAT_PHASES)
                powers = [state[block + here] >> POWER_SHIFT for here in movers]
                assert len(set(powers)) == len(powers)
                occupant = state[HEAD + goal]
                if occupant >= 0 and occupant >> POWER_SHIFT in powers:
                    assert row[goal] == MOVE
    assert seen == {HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, RETREAT, DISBAND, BUILD}


def find_legal(board: Board, state: "array[int]") -> dict[int, set[tuple[int, int, int]]]:
    _, rows = batch.legal_orders(state, board)
    legal: dict[int, set[tuple[int, int, int]]] = {}
    for at in range(0, len(rows), 4):
        legal.setdefault(rows[at], set()).add((rows[at + 1], rows[at + 2], rows[at + 3]))
    return legal


def test_samples_keep_what_is_forced_and_support_it() -> None:
    """Burgundy to Munich is forced; Tyrolia, which would gain nothing elsewhere, helps."""
    position = parse_position(
        "F1903M FRANCE: A BUR, A TYR, A MUN; GERMANY: A KIE, A BER; centers FRANCE: PAR MUN"
    )
    forced = free_orders(EUROPE)
    for code, order in {"BUR": (MOVE, 0, place("RUH")), "MUN": (MOVE, 0, place("BER"))}.items():
        forced[place(code) :: SIZE] = array("i", order)
    for row in sample_once(position, "FRANCE", 50, forced=forced):
        assert find_order(row, "BUR") == (MOVE, 0, place("RUH"))
        assert find_order(row, "MUN") == (MOVE, 0, place("BER"))
        assert row[2 * SIZE + place("TYR")] != place("BER") or row[place("TYR")] == SUPPORT_MOVE
        assert find_order(row, "KIE") == (HOLD, 0, 0)


def test_forced_retreats_and_adjustments_count() -> None:
    position = parse_position(
        "F1903R FRANCE: A PAR; GERMANY: A BUR, A MAR; dislodged FRANCE: A BUR (GAS RUH PIC); "
        "dislodged FRANCE: A MAR (GAS SPA PIE)"
    )
    forced = free_orders(EUROPE)
    forced[place("MAR") :: SIZE] = array("i", (RETREAT, 0, place("GAS")))
    for row in sample_once(position, "FRANCE", 50, forced=forced, style=policy.Style(heat=1)):
        assert find_order(row, "BUR")[2] != place("GAS")
    winter = parse_position("W1903A FRANCE: A BUR, A SPA; centers FRANCE: PAR MAR BRE BEL")
    forced = free_orders(EUROPE)
    forced[place("MAR") :: SIZE] = array("i", (BUILD, 0, place("MAR")))
    for row in sample_once(winter, "FRANCE", 50, forced=forced):
        built = {code for code in ("PAR", "MAR", "BRE") if row[place(code)] == BUILD}
        assert len(built) == 2
        assert "MAR" in built


# Single positions in Europe.


def find_order(row: "array[int]", code: str) -> tuple[int, int, int]:
    here = place(code)
    return row[here], row[SIZE + here], row[2 * SIZE + here]


def place(code: str) -> int:
    return table_of(EUROPE).place_of[Location(code)]


def test_a_contested_center_is_entered_with_support() -> None:
    position = parse_position(
        "F1901M FRANCE: A BUR, A PIC; GERMANY: A HOL, A KIE; centers FRANCE: PAR MAR BRE"
    )
    helped = 0
    for row in sample_once(position, "FRANCE", 200):
        orders = [find_order(row, code) for code in ("BUR", "PIC")]
        assert orders[0][2] != orders[1][2] or {MOVE, SUPPORT_MOVE} == {orders[0][0], orders[1][0]}
        helped += orders[0][2] == orders[1][2]
    assert helped > 40


def test_without_heat_a_lone_unit_always_does_the_same_and_with_it_not() -> None:
    position = parse_position("S1901M FRANCE: A PAR; centers FRANCE: PAR")
    rows = [sample_once(position, "FRANCE", 50, style=policy.Style(heat, 1)) for heat in (0, 0.9)]
    calm, hot = [{find_order(row, "PAR") for row in found} for found in rows]
    assert len(calm) == 1
    assert len(hot) > 2


def test_any_unit_may_be_disbanded_the_weakest_most_often() -> None:
    """Each successively stronger unit is disbanded half as often, whatever its worth."""
    position = parse_position(
        "W1904A GERMANY: A MUN, A KIE, A SWE, F HOL; centers GERMANY: MUN KIE BER"
    )
    chosen = Counter(
        code
        for row in sample_once(position, "GERMANY", 4000)
        for code in ("MUN", "KIE", "SWE", "HOL")
        if find_order(row, code)[0] == DISBAND
    )
    for count, wanted in zip(sorted(chosen.values()), [500, 500, 1000, 2000], strict=True):
        assert abs(count - wanted) < 160
    (calm,) = sample_once(position, "GERMANY", 1, style=CALM)
    assert find_order(calm, max(chosen, key=chosen.__getitem__))[0] == DISBAND


# What a position is worth.


def measure(text: str) -> dict[str, float]:
    values = policy.measure_states(EUROPE, pack_state(EUROPE, parse_position(text)))
    return dict(zip(EUROPE.power_info, values, strict=True))


def test_values_are_shares_and_more_for_who_is_nearer() -> None:
    start = policy.measure_states(EUROPE, batch.start(1, EUROPE))
    assert sum(start) == pytest.approx(1)
    assert start[5] == max(start)
    near = measure(
        "S1905M FRANCE: A BUR; GERMANY: A BER; centers FRANCE: PAR; centers GERMANY: BER MUN"
    )
    away = measure(
        "S1905M FRANCE: A SPA; GERMANY: A BER; centers FRANCE: PAR; centers GERMANY: BER MUN"
    )
    assert near["FRANCE"] > away["FRANCE"]
    assert near["ITALY"] == 0


def test_a_victory_is_worth_all_and_an_empty_board_nothing() -> None:
    won = batch.start(1, EUROPE)
    won[WINNER] = 3
    assert list(policy.measure_states(EUROPE, won)) == [0, 0, 0, 1, 0, 0, 0]
    assert set(measure("S1905M").values()) == {0}


# Bad input, and positions with little or much to do.


@pytest.mark.parametrize(
    ("style", "message"),
    [
        ({"heat": 1.1}, "chance from 0 to 1, not 1.1"),
        ({"heat": float("nan")}, "not nan"),
        ({"tolerance": 0}, "positive number, not 0"),
        ({"tolerance": float("inf")}, "positive number, not inf"),
    ],
)
def test_styles_without_sense_are_refused(style: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        policy.Style(**style)


def test_wrong_lengths_and_numbers_out_of_range_are_refused() -> None:
    state, seeds = batch.start(1, EUROPE), array("Q", range(7))
    with pytest.raises(ValueError, match=f"^{len(state) - 1} integers"):
        policy.choose_orders(EUROPE, state[:-1], seeds)
    with pytest.raises(ValueError, match="1 states need 7 seeds"):
        policy.choose_orders(EUROPE, state, seeds[:1])
    with pytest.raises(ValueError, match=f"^{len(state) - 1} integers"):
        policy.measure_states(EUROPE, state[:-1])
    with pytest.raises(ValueError, match="a state has"):
        policy.sample_orders(EUROPE, state * 2, 0, seeds)
    for power in (-1, 7):
        with pytest.raises(ValueError, match=f"there is no power {power}"):
            policy.sample_orders(EUROPE, state, power, seeds)
    for block, number in [(0, -2), (0, 9), (1, -1), (1, SIZE), (2, -1), (2, 1000)]:
        forced = free_orders(EUROPE)
        forced[block * SIZE + 3] = number
        with pytest.raises(ValueError, match="out of range"):
            policy.sample_orders(EUROPE, state, 0, seeds, forced=forced)
    with pytest.raises(ValueError, match="too short"):
        policy.sample_orders(EUROPE, state, 0, seeds, forced=array("i", [0]))
    state[HEAD] = 7 << POWER_SHIFT
    with pytest.raises(ValueError, match="state 0"):
        policy.sample_orders(EUROPE, state, 0, seeds)
    with pytest.raises(ValueError, match="state 0"):
        policy.play(EUROPE, state, seeds, 1)


def test_a_power_with_forty_units_and_one_with_none_get_orders() -> None:
    lands = [p.code for p in EUROPE.provinces if p.terrain is not Terrain.SEA][:40]
    units = ", ".join(f"A {code}" for code in lands)
    for phase in ("S1905M", "W1905A"):
        position = parse_position(f"{phase} FRANCE: {units}; centers FRANCE: PAR")
        for row in sample_once(position, "FRANCE", 20, style=policy.Style(0.9, 1)):
            disbanded = sum(row[place(code)] == DISBAND for code in lands)
            assert disbanded == (39 if phase == "W1905A" else 0)
        (row,) = sample_once(position, "ITALY", 1)
        assert set(row) == {0}


def test_a_power_whose_homes_are_lost_builds_nothing() -> None:
    position = parse_position(
        "W1905A FRANCE: A SPA; centers FRANCE: SPA POR; centers GERMANY: PAR MAR BRE"
    )
    (row,) = sample_once(position, "FRANCE", 1)
    assert set(row) == {0}
