"""Replies: half of them follow the forecasts for the powers nearby, and the others the policy."""

import random
from array import array

from tests.bots.policies import EUROPE, play_states

from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.pacts import NO_PACT, Pact
from diplomaccloud.bots.search import Forecast, draw_replies, find_neighbors
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.kernel.core.codes import HOLD, PHASE
from diplomaccloud.judge.kernel.layout import MOVEMENT_PHASES
from diplomaccloud.judge.kernel.table import table_of

NUMBERS = table_of(EUROPE).power_of
FRANCE, GERMANY, ITALY = (NUMBERS[Power(name)] for name in ("FRANCE", "GERMANY", "ITALY"))
SIZE = len(EUROPE.provinces)


def open_source(pact: Pact = NO_PACT, state: "array[int] | None" = None) -> Source:
    """Return a source for France, at the start of the game or in a state."""
    state = batch.start(1, EUROPE) if state is None else state
    return Source(EUROPE, state, FRANCE, random.Random(1), pact)


def make_truces(partner: int) -> "array[int]":
    """Return truces in which a partner spares France."""
    truces = array("i", [0]) * len(NUMBERS) ** 2
    truces[partner * len(NUMBERS) + FRANCE] = 1
    return truces


def forecast_holds(power: int) -> Forecast:
    """Return a forecast that all units of a power hold."""
    units = Source(EUROPE, batch.start(1, EUROPE), power, random.Random(1)).units
    return Forecast(units, [(array("i", [HOLD]) * (3 * SIZE)).tobytes()])


def read_replies(rows: "array[int]", units: "list[int]") -> "list[list[array[int]]]":
    """Return the orders of the units in each reply."""
    replies = [rows[at : at + 3 * SIZE] for at in range(0, len(rows), 3 * SIZE)]
    return [[row[here::SIZE] for here in units] for row in replies]


def test_half_of_the_replies_follow_a_forecast_and_the_others_the_policy() -> None:
    forecast = forecast_holds(GERMANY)
    plain, _ = draw_replies(open_source(), 8)
    mixed, follow = draw_replies(open_source(), 8, [forecast])
    assert len(follow) == 8
    german = read_replies(mixed, list(forecast.units))
    assert german[:4] == [[array("i", [HOLD, 0, 0])] * 3] * 4
    assert german[4:] == read_replies(plain, list(forecast.units))[4:]
    others = [here for here in range(SIZE) if here not in forecast.units]
    assert read_replies(mixed, others) == read_replies(plain, others)


def test_a_promised_order_counts_more_than_a_forecast() -> None:
    forecast = forecast_holds(GERMANY)
    here = forecast.units[0]
    promised = 1, 0, 5
    rows, _ = draw_replies(open_source(Pact(pins={here: promised})), 8, [forecast])
    assert read_replies(rows, [here]) == [[array("i", promised)]] * 8


def test_neighbors_are_the_powers_that_could_meet_a_unit() -> None:
    assert [each.power for each in find_neighbors(open_source())] == sorted(
        NUMBERS[Power(name)] for name in ("ENGLAND", "GERMANY", "ITALY")
    )
    compared = 0
    for state in play_states(EUROPE, 1, 30, seed=3):
        if state[PHASE] not in MOVEMENT_PHASES:
            continue
        source = open_source(state=state)
        near = {each.power for each in find_neighbors(source)}
        for power in set(range(len(NUMBERS))) - {FRANCE}:
            other = Source(EUROPE, state, power, random.Random(1))
            reached = [
                {here, *each.find_reach(here)} for each in (source, other) for here in each.units
            ]
            own, theirs = reached[: len(source.units)], reached[len(source.units) :]
            assert (power in near) == any(not one.isdisjoint(two) for one in own for two in theirs)
            compared += 1
    assert compared


def test_the_policy_replies_for_powers_that_promised_peace() -> None:
    """It knows the truces, and a search for another power does not."""
    near = find_neighbors(open_source(Pact(truces=make_truces(ITALY))))
    assert ITALY not in [each.power for each in near]
    assert GERMANY in [each.power for each in near]
