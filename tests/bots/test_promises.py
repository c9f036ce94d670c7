"""Bots keep what they promised: the ledger agrees, and the rest of the plan stays."""

import random

import pytest
from judge.tests.shorthand import BOARD, order, position

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.pacts import keep_promises
from diplomaccloud.deals import (
    Alliance,
    DealVerdict,
    Ordered,
    Peace,
    PhaseFacts,
    Terms,
    Zone,
    find_promises,
    judge_terms,
)
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.rules import DEFAULT

FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
START = position(
    """
    FRANCE: A PAR H, A MAR H, F BRE H, A BUR H
    GERMANY: A RUH H, A MUN H, F HOL H
    """,
    "S1903M",
    {"FRANCE": "PAR MAR BRE", "GERMANY": "MUN HOL BEL"},
)
WINTER = position(
    "FRANCE: A GAS H\nGERMANY: A MUN H",
    "W1903A",
    {"FRANCE": "PAR MAR BRE", "GERMANY": "MUN"},
)
OWNERS = {unit.province: unit.power for unit in START.units}


def promise(text, power="FRANCE", *, given=True):
    return Ordered(order(text, power, OWNERS), given)


def zone(*codes):
    return Zone((FRANCE, GERMANY), tuple(ProvinceCode(code) for code in codes))


def play(clauses, *, where=START, seed=1, bot="greedy"):
    """Return what the bot planned, what it orders, and the terms."""
    terms = Terms(where.phase, (FRANCE, GERMANY), (tuple(clauses),))
    rng = random.Random(seed)
    planned = BOTS[bot].orders(BOARD, where, FRANCE, DEFAULT, rng)
    promises = find_promises([(terms, 0)], [FRANCE], where.phase)
    if FRANCE not in promises:
        return planned, tuple(planned), terms
    given = keep_promises(BOARD, where, planned, promises[FRANCE], rules=DEFAULT, rng=rng)
    return planned, given, terms


DEALS = {
    "an order": [promise("A PAR - PIC")],
    "an order with support": [promise("A PAR S A BUR"), promise("A BUR H")],
    "support for the other": [promise("A BUR S A RUH - BEL")],
    "not an order": [promise("A BUR - BEL", given=False), promise("A BUR - MUN", given=False)],
    "a zone next door": [zone("BEL", "RUH", "MUN")],
    "a zone to leave": [zone("BUR")],
    "a zone to leave for several": [zone("BUR", "MAR", "PAR", "GAS", "PIC")],
    "peace": [Peace((FRANCE, GERMANY))],
    "an alliance": [Alliance((FRANCE, GERMANY), (Power("ITALY"),))],
    "peace, but for one order": [Peace((FRANCE, GERMANY)), promise("A BUR - BEL")],
    "a zone and an order": [zone("BEL"), promise("F BRE - ENG"), promise("A PAR - GAS")],
}


@pytest.mark.parametrize("bot", sorted(BOTS))
@pytest.mark.parametrize("clauses", DEALS.values(), ids=DEALS)
def test_the_ledger_finds_every_promise_kept(clauses, bot):
    for seed in range(8):
        planned, given, terms = play(clauses, seed=seed, bot=bot)
        agreed = find_promises([(terms, 0)], [FRANCE], START.phase)[FRANCE].agreed
        facts = PhaseFacts(BOARD, START, given, agreed=agreed)
        found = judge_terms(terms, 0, facts).findings
        assert {row.verdict for row in found if row.power == FRANCE} <= {DealVerdict.KEPT}
        assert [row.unit for row in given] == [row.unit for row in planned]
        assert not any(why_illegal(BOARD, START, FRANCE, row) for row in given)


def test_the_same_seed_gives_the_same_orders_and_no_promise_changes_nothing():
    clauses = DEALS["a zone to leave"]
    assert play(clauses)[1] == play(clauses)[1]
    planned, given, _ = play([promise("A MUN H", "GERMANY")])
    assert given == tuple(planned)
    # Nothing binds once its turn is over.
    old = Terms(WINTER.phase, (FRANCE, GERMANY), ((promise("A PAR H"),),))
    assert find_promises([(old, 0)], [FRANCE], START.phase) == {}


def test_units_that_no_promise_concerns_do_as_planned():
    planned, given, _ = play([promise("F BRE - ENG")])
    for before, after in zip(planned, given, strict=True):
        if before.unit.province not in ("BRE",) and before != after:
            assert "BRE" in str(before) or "ENG" in str(before)


BUILDS = {
    "a build": ([Ordered(order("F BRE B", "FRANCE", {}))], {"F BRE B"}, set()),
    "not a build": (
        [Ordered(order("A PAR B", "FRANCE", {}), given=False)],
        set(),
        {"A PAR B"},
    ),
    "a zone": ([zone("PAR")], set(), {"A PAR B"}),
}


@pytest.mark.parametrize(("clauses", "has", "lacks"), BUILDS.values(), ids=BUILDS)
def test_builds_keep_promises_too(clauses, has, lacks):
    for seed in range(6):
        planned, given, terms = play(clauses, where=WINTER, seed=seed)
        texts = {str(row) for row in given}
        assert has <= texts
        assert not lacks & texts
        assert len(given) == len(planned) == 2
        found = judge_terms(terms, 0, PhaseFacts(BOARD, WINTER, given)).findings
        assert {row.verdict for row in found if row.power == FRANCE} <= {DealVerdict.KEPT}
