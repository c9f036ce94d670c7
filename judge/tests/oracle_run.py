"""Compares the judge with the oracle on random positions: `python -m judge.tests.oracle_run`.

Prints every disagreement as a position that can be pasted into a test, then the counts.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from judge.tests.oracle import Judgment, judge_orders
from judge.tests.oracle_equations import TooLargeError
from judge.tests.river_board import ruled_board
from judge.tests.scenes import (
    CROSSINGS,
    NORTH,
    SOUTH,
    generated_boards,
    random_board,
    random_knot,
    random_orders,
)
from judge.tests.scenes import random_position as put

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Board, Location, ProvinceCode, province_of
from diplomaccloud.judge.orders import Move, MovementOrder, SupportHold, SupportMove, Waive
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet
from diplomaccloud.judge.standard.europe import standard_board

Facts = dict[str, object]

_LAND = replace(DEFAULT, land_behind_convoy=True)
RULES = {
    **EDITIONS,
    "land-behind": _LAND,
    "land-behind-retreats": replace(_LAND, retreat_to_convoyed_attacker=True),
    "land-behind-cuts": replace(_LAND, convoyed_attack_cuts=True),
}
"""The editions, and rules in which an army may go by land after all."""


def found_by_judge(board: Board, orders: Sequence[MovementOrder], rules: RuleSet) -> Facts:
    """What the judge makes of `orders`."""
    start = Position(Phase.parse("S1901M"), tuple(order.unit for order in orders), {})
    resolution = adjudicate(board, start, orders, rules)
    words = [(result.order, result.outcome) for result in resolution.results]
    places = {
        wanted: {
            o.unit.province for o, word in words if word is wanted and not isinstance(o, Waive)
        }
        for wanted in (Outcome.MOVED, Outcome.GIVEN, Outcome.NOPATH)
    }
    return {
        "moved": places[Outcome.MOVED],
        "given": places[Outcome.GIVEN],
        "nopath": places[Outcome.NOPATH],
        "dislodged": {
            one.unit.province: (one.by, set(one.retreats)) for one in resolution.dislodged
        },
        "standoffs": set(resolution.standoffs),
        "units": {str(unit) for unit in resolution.next.units},
    }


def found_by_oracle(board: Board, orders: Sequence[MovementOrder], rules: RuleSet) -> Facts:
    """What the oracle makes of `orders`; raises `TooLargeError` where it gives up."""
    return list_facts(judge_orders(board, orders, rules))


def list_facts(found: Judgment) -> Facts:
    """Return what a judgment of the oracle means for every unit."""
    table, trial = found.table, found.trial
    backing = {s for supporters in table.backers.values() for s in supporters}
    fates = {p: _fate(found, p) for p in table.orders}
    stand = {p: place for p, place in fates.items() if place is not None}
    after = {province_of(place) for place in stand.values()}
    tried = {
        goal for goal, starts in table.into.items() if any(trial.prevent(s)[0] for s in starts)
    }
    standoffs = tried - after
    return {
        "moved": set(found.moved),
        "given": {s for s in backing if trial.given(s)},
        "nopath": {move for move in table.moves if not trial.path(move)},
        "dislodged": {
            p: _driven_out(found, p, after | standoffs)
            for p, place in fates.items()
            if place is None
        },
        "standoffs": standoffs,
        "units": {f"{table.orders[p].unit.kind} {place}" for p, place in stand.items()},
    }


def _fate(found: Judgment, province: ProvinceCode) -> Location | None:
    """Where the unit of `province` stands afterward; `None` if it is dislodged."""
    order = found.table.orders[province]
    if province in found.moved:
        assert isinstance(order, Move)
        return order.to
    driven = any(start in found.moved for start in found.table.into.get(province, ()))
    return None if driven else order.unit.location


def _driven_out(
    found: Judgment, province: ProvinceCode, closed: set[ProvinceCode]
) -> tuple[ProvinceCode, set[Location]]:
    table = found.table
    unit = table.orders[province].unit
    by = next(start for start in table.into[province] if start in found.moved)
    if not (found.trial.sails(by) and table.rules.retreat_to_convoyed_attacker):
        closed = closed | {by}
    near = table.board.destinations(unit.kind, unit.location)
    return by, {place for place in near if province_of(place) not in closed}


def differences(board: Board, orders: Sequence[MovementOrder], rules: RuleSet) -> list[str]:
    """Return what the judge and the oracle see differently, one line for each."""
    judged, read = found_by_judge(board, orders, rules), found_by_oracle(board, orders, rules)
    return [f"{k}: judge {judged[k]}, oracle {read[k]}" for k in read if judged[k] != read[k]]


def written(orders: Iterable[MovementOrder]) -> str:
    """Return `orders` as text, by power."""
    return "\n".join(f"{order.unit.power}: {_text(order)}" for order in orders)


def _text(order: MovementOrder) -> str:
    if isinstance(order, SupportHold | SupportMove):
        return f"{order}  ({order.target.power})"
    return str(order)


def scene(rng: random.Random, boards: Sequence[Board]) -> tuple[Board, list[MovementOrder]]:
    """Return a board and dense orders on it: Europe crowded, a corner of it, or a knot."""
    board = boards[0]
    pick = rng.random()
    if pick < 0.2:
        return board, random_knot(board, rng)
    if pick < 0.25:
        return board, random_knot(board, rng, CROSSINGS, most=8)
    if pick < 0.35:
        places = rng.choice([NORTH, SOUTH])
        position = put(board, rng, rng.randint(6, len(places)), 3, places)
    elif pick < 0.6 and len(boards) > 1:
        board = rng.choice(boards[1:])
        size = len(board.provinces)
        position = put(board, rng, rng.randint(size // 2, size * 9 // 10))
    else:
        position = put(board, rng, rng.randint(22, 40), rng.choice([2, 3, 7]))
    return board, random_orders(board, position, rng)


def main() -> int:
    """Compare, report, and return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--editions", nargs="*", default=list(RULES), choices=list(RULES))
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    boards = [standard_board(), *generated_boards()]
    boards += [
        make(random.Random(number)) for make in (random_board, ruled_board) for number in range(20)
    ]
    differing = given_up = 0
    for number in range(asked.positions):
        board, orders = scene(rng, boards)
        for edition in asked.editions:
            try:
                unlike = differences(board, orders, RULES[edition])
            except TooLargeError:
                given_up += 1
                continue
            if unlike:
                differing += 1
                _say(f"--- position {number} on {board.name}, {edition}", *unlike)
                _say(written(orders))
    compared = asked.positions * len(asked.editions) - given_up
    _say(f"{compared} compared, {differing} differ, {given_up} too large for the oracle")
    return 1 if differing else 0


def _say(*told: str) -> None:
    sys.stdout.write("\n".join(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
