"""How bots answer proposals: from the position, the terms and their own ledger alone."""

import random

import pytest
from judge.tests.shorthand import BOARD, order, position

from diplomaccloud.bots.negotiation import NEGOTIATORS, Breach, Offer
from diplomaccloud.deals import Draw, Ordered, Peace, Terms, Zone
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.phases import Phase

FRANCE, GERMANY, ITALY = Power("FRANCE"), Power("GERMANY"), Power("ITALY")
START = position(
    """
    FRANCE: A PAR H, A MAR H
    GERMANY: A BUR H, A MUN H
    ITALY: A PIE H
    """,
    "S1903M",
    {"FRANCE": "PAR MAR BRE BUR", "GERMANY": "MUN"},
)
OWNERS = {unit.province: unit.power for unit in START.units}


def promise(text, power="FRANCE", *, given=True):
    return Ordered(order(text, power, OWNERS), given)


def zone(*codes):
    return Zone((FRANCE, GERMANY), tuple(ProvinceCode(code) for code in codes))


def answer(*alternatives, bot="greedy", seed=1, breaches=(), partner=GERMANY):
    parties = tuple(sorted((FRANCE, partner)))
    terms = Terms(START.phase, parties, alternatives)
    offer = Offer(BOARD, START, frozenset({FRANCE}), terms, breaches)
    return NEGOTIATORS[bot](offer, random.Random(seed))


GREEDY = [
    ("a draw", (Draw((FRANCE, GERMANY)),), True),
    ("peace with one far from its centers", (Peace((FRANCE, ITALY)),), True),
    ("peace with one who stands in its center", (Peace((FRANCE, GERMANY)),), False),
    ("a hold", (promise("A PAR H"),), True),
    ("leaving a center next to a foreign unit", (promise("A PAR - PIC"),), False),
    ("a promise not to move", (promise("A PAR - PIC", given=False),), True),
    ("support for an attack on its center", (promise("A PAR S A BUR - MAR"),), False),
    ("support elsewhere", (promise("A PAR S A BUR - PIC"),), True),
    ("a foreign move into its center", (promise("A BUR - PAR", "GERMANY"),), False),
    ("a foreign move elsewhere", (promise("A MUN - RUH", "GERMANY"),), True),
    ("a zone around a center in danger", (zone("PAR", "RUH"),), False),
    ("a zone with nothing to lose", (zone("RUH", "BRE"),), True),
]


@pytest.mark.parametrize(
    ("clauses", "accepts"), [row[1:] for row in GREEDY], ids=[row[0] for row in GREEDY]
)
def test_the_greedy_bot_accepts_what_costs_no_center(clauses, accepts):
    partner = ITALY if Peace((FRANCE, ITALY)) in clauses else GERMANY
    assert answer(clauses, partner=partner).accepts is accepts


def test_the_greedy_bot_takes_the_first_good_alternative():
    found = answer((promise("A PAR - PIC"),), (promise("A PAR H"),), (promise("A MAR H"),))
    assert (found.accepts, found.alternative) == (True, 1)


@pytest.mark.parametrize(("year", "accepts"), [(1902, False), (1901, True)])
def test_a_breach_is_remembered_for_two_years(year, accepts):
    breaches = (Breach(GERMANY, Phase.parse(f"F{year}M")),)
    assert answer((promise("A PAR H"),), breaches=breaches).accepts is accepts
    other = (Breach(ITALY, Phase.parse("F1902M")),)
    assert answer((promise("A PAR H"),), breaches=other).accepts


def test_the_hold_bot_accepts_what_it_keeps_by_holding():
    assert answer((promise("A PAR H"), Peace((FRANCE, GERMANY))), bot="hold").accepts
    assert not answer((promise("A PAR - PIC"),), bot="hold").accepts
    assert not answer((zone("PAR"),), bot="hold").accepts


@pytest.mark.parametrize("bot", sorted(NEGOTIATORS))
def test_the_same_seed_gives_the_same_reply(bot):
    alternatives = ((promise("A PAR H"),), (promise("A MAR H"),))
    for seed in range(10):
        assert answer(*alternatives, bot=bot, seed=seed) == answer(
            *alternatives, bot=bot, seed=seed
        )


def test_the_random_bot_gives_every_answer():
    alternatives = ((promise("A PAR H"),), (promise("A MAR H"),))
    found = {answer(*alternatives, bot="random", seed=seed) for seed in range(40)}
    assert len(found) == 3
