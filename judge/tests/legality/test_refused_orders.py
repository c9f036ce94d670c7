"""Orders that the kernel itself refuses: the reader refuses them, too, and says why."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from judge.tests.scenes import random_orders, random_position

from diplomaccloud.judge import adjudication
from diplomaccloud.judge.board import Location, Power, UnitKind, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.values import Separation
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Outcome, Resolution
from diplomaccloud.judge.rules import EDITIONS, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
PLACES = [Location(code) for code in BOARD.by_code] + [
    place for kind in UnitKind for place in BOARD.locations(kind)
]
NAMES = list(EDITIONS)


def _name_unit(rng: random.Random, position: Position) -> Unit:
    """Return a unit, sometimes with one thing wrong."""
    unit = rng.choice(position.units)
    wrong = rng.random()
    if wrong < 0.15:
        return replace(unit, power=rng.choice(BOARD.powers).power)
    if wrong < 0.2:
        return replace(unit, kind=rng.choice(list(UnitKind)))
    return unit.at(rng.choice(PLACES)) if wrong < 0.25 else unit


def _give_wrong_order(rng: random.Random, position: Position) -> MovementOrder:
    unit, target = _name_unit(rng, position), _name_unit(rng, position)
    near = sorted(BOARD.destinations(unit.kind, unit.location))
    to = rng.choice(near if near and rng.random() < 0.4 else PLACES)
    return rng.choice(
        [
            Hold(unit),
            Move(unit, to, via_convoy=rng.random() < 0.5),
            SupportHold(unit, target),
            SupportMove(unit, target, to),
            Convoy(unit, target, BOARD.by_code[target.province].code),
            Convoy(unit, target, province_of(to)),
        ]
    )


def _play(monkeypatch: pytest.MonkeyPatch, seed: int) -> tuple[Resolution, Resolution, bool]:
    """Return the resolution, that by the reader alone, and whether the kernel refused orders."""
    rng = random.Random(seed)
    position = random_position(BOARD, rng, rng.choice([5, 15, 30]), powers=7)
    orders = random_orders(BOARD, position, rng)
    for _ in range(rng.randint(1, 3)):
        wrong = _give_wrong_order(rng, position)
        if rng.random() < 0.5:
            orders = [order for order in orders if order.unit != wrong.unit]
        orders.insert(rng.randint(0, len(orders)), wrong)
    rules = EDITIONS[NAMES[seed % len(NAMES)]]
    judged = KERNEL.resolve_listed(BOARD, position.units, orders, rules)
    ours = adjudication.adjudicate(BOARD, position, orders, rules)
    theirs = _adjudicate_by_reading(monkeypatch, position, orders, rules)
    return ours, theirs, isinstance(judged, Separation) and judged.refused is not None


def _adjudicate_by_reading(
    monkeypatch: pytest.MonkeyPatch, position: Position, orders: list[MovementOrder], rules: RuleSet
) -> Resolution:
    with monkeypatch.context() as patch:
        patch.setattr(KERNEL, "resolve_listed", lambda *_: None)
        return adjudication.adjudicate(BOARD, position, orders, rules)


def test_a_convoy_that_no_route_needs_has_the_same_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many fleets are to convoy one army, which most of them cannot help."""
    rng = random.Random(1)
    seas = sorted(geography(BOARD).seas)
    coasts = sorted(geography(BOARD).ports)
    needless: Counter[Outcome] = Counter()
    for _ in range(150):
        start, goal = rng.sample(coasts, 2)
        units = [
            Unit(UnitKind.FLEET, Location(sea), Power(rng.choice(["ENGLAND", "FRANCE"])))
            for sea in rng.sample(seas, 14)
        ]
        army = Unit(UnitKind.ARMY, Location(start), Power("ENGLAND"))
        position = Position(Phase.parse("S1901M"), (*units, army), {})
        orders: list[MovementOrder] = [Convoy(fleet, army, goal) for fleet in units]
        orders.append(Move(army, Location(goal), via_convoy=rng.random() < 0.2))
        for at in rng.sample(range(len(units)), 4):
            near = sorted(BOARD.destinations(UnitKind.FLEET, units[at].location))
            orders[at] = Move(units[at], rng.choice(near))
        rules = EDITIONS[rng.choice(NAMES)]
        ours = adjudication.adjudicate(BOARD, position, orders, rules)
        theirs = _adjudicate_by_reading(monkeypatch, position, orders, rules)
        assert ours.outcomes == tuple(result.outcome for result in ours.results)
        assert ours == theirs
        reasons = [result.why for result in ours.results]
        assert reasons == [result.why for result in theirs.results]
        keys = [one.message.key if one.message else "" for one in ours.results]
        needless.update(
            one.outcome
            for one, key in zip(ours.results, keys, strict=True)
            if key.startswith("convoy_not_needed")
        )
    assert needless[Outcome.CONVOYED] > 20


def test_what_the_kernel_refuses_the_reader_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = 0
    for seed in range(400):
        ours, theirs, by_kernel = _play(monkeypatch, seed)
        refused += by_kernel
        assert ours == theirs, seed
        assert [result.why for result in ours.results] == [result.why for result in theirs.results]
        assert ours.outcomes == tuple(result.outcome for result in ours.results), seed
    assert refused > 50
