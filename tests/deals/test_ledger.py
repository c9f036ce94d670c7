"""The ledger: each clause kept and broken, by orders and not by luck."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.scenes import random_orders, random_position
from judge.tests.shorthand import BOARD, lines, order, position

from diplomaccloud.deals import (
    Agreed,
    Alliance,
    DealTurn,
    DealVerdict,
    Draw,
    Ordered,
    Peace,
    PhaseFacts,
    Terms,
    Zone,
    judge_terms,
    powers_bound,
)
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Phase

FRANCE, GERMANY, ITALY = Power("FRANCE"), Power("GERMANY"), Power("ITALY")
FALL_1902 = DealTurn.parse("F1902")


def powers(*names):
    return tuple(sorted(Power(name) for name in names))


def zone(*codes, who=("FRANCE", "GERMANY"), until=None):
    return Zone(powers(*who), tuple(ProvinceCode(code) for code in codes), until)


def peace(*who, until=None):
    return Peace(powers(*(who or ("FRANCE", "GERMANY"))), until)


def promise(text, power="FRANCE", owners=None, *, given=True):
    return Ordered(order(text, power, owners), given)


def facts_of(text, phase="S1901M", centers=None, **more):
    """Return the facts of a phase in which each unit of the text got its order."""
    start = position(text, phase, centers)
    owners = {unit.province: unit.power for unit in start.units}
    orders = [order(line, power, owners) for power, line in lines(text)]
    return PhaseFacts(BOARD, start, tuple(orders), **more)


def judge(clause, facts, *, parties=("FRANCE", "GERMANY"), phase="S1901M"):
    """Return what the ledger says of each power that the clause binds."""
    terms = Terms(Phase.parse(phase), powers(*parties), ((clause,),))
    found = judge_terms(terms, 0, facts).findings
    return {finding.power.title(): finding.verdict.value for finding in found}


OWNERS = {ProvinceCode("BUR"): GERMANY, ProvinceCode("MUN"): GERMANY}
ORDERED = [
    ("the unit has that order", promise("A PAR - BUR"), "A PAR - BUR", "kept"),
    ("it has another one", promise("A PAR - BUR"), "A PAR - PIC", "broken"),
    ("it holds instead", promise("A PAR - BUR"), "A PAR H", "broken"),
    ("the way of a move does not count", promise("A BRE - PIC"), "A BRE - PIC VIA", "kept"),
    ("any coast does if none was agreed", promise("F MAR - SPA"), "F MAR - SPA/SC", "kept"),
    ("the agreed coast counts", promise("F POR - SPA/NC"), "F POR - SPA/SC", "broken"),
    ("a hold", promise("A PAR H"), "A PAR H", "kept"),
    ("not that order", promise("A PAR - BUR", given=False), "A PAR - PIC", "kept"),
    ("the excluded order", promise("A PAR - BUR", given=False), "A PAR - BUR", "broken"),
]


@pytest.mark.parametrize(
    ("clause", "text", "verdict"), [row[1:] for row in ORDERED], ids=[row[0] for row in ORDERED]
)
def test_an_order_that_was_promised(clause, text, verdict):
    assert judge(clause, facts_of(f"FRANCE: {text}")) == {"France": verdict}


def test_a_support_that_is_cut_is_kept():
    text = """
        FRANCE: A GAS S A BUR - MAR, A BUR - MAR
        ITALY: A PIE - MAR, A SPA - GAS
    """
    clause = promise("A GAS S A BUR - MAR")
    facts = facts_of(text)
    outcomes = adjudicate(BOARD, facts.position, facts.orders).results
    assert "cut" in {result.outcome.value for result in outcomes}
    assert judge(clause, facts) == {"France": "kept"}


def test_a_support_for_another_move_is_broken():
    clause = promise("A GAS S A MAR - BUR")
    facts = facts_of("FRANCE: A GAS S A MAR, A MAR H")
    assert judge(clause, facts) == {"France": "broken"}


ZONE = [
    ("nobody goes there", "FRANCE: A PAR - PIC\nGERMANY: A MUN H", "kept kept"),
    ("a move", "FRANCE: A PAR - BUR\nGERMANY: A MUN H", "broken kept"),
    ("a move that bounces", "FRANCE: A PAR - BUR\nGERMANY: A MUN - BUR", "broken broken"),
    (
        "help for the move of a third",
        "FRANCE: A PAR S A MAR - BUR\nITALY: A MAR - BUR\nGERMANY: A MUN H",
        "broken kept",
    ),
    (
        "support for a unit inside",
        "FRANCE: A PAR H\nITALY: A BUR H\nGERMANY: A MUN S A BUR",
        "kept broken",
    ),
    ("a unit that leaves", "FRANCE: A BUR - PAR\nGERMANY: A MUN H", "kept kept"),
    (
        "a unit that bounces as it leaves",
        "FRANCE: A BUR - PIC\nITALY: A PAR - PIC\nGERMANY: A MUN H",
        "kept kept",
    ),
    ("a unit that stays", "FRANCE: A BUR H\nGERMANY: A MUN H", "broken kept"),
    ("a unit that supports out of it", "FRANCE: A BUR S A PAR, A PAR H", "broken kept"),
    ("a unit that moves within it", "FRANCE: A RUH - BUR\nGERMANY: A MUN H", "broken kept"),
]


@pytest.mark.parametrize(
    ("text", "verdicts"), [row[1:] for row in ZONE], ids=[row[0] for row in ZONE]
)
def test_a_zone(text, verdicts):
    france, germany = verdicts.split()
    found = judge(zone("BUR", "RUH"), facts_of(text))
    assert found == {"France": france, "Germany": germany}


def test_a_convoy_into_a_zone():
    facts = facts_of("FRANCE: A BRE - LON, F ENG C A BRE - LON\nGERMANY: F NTH C A BRE - LON")
    assert judge(zone("LON"), facts) == {"France": "broken", "Germany": "broken"}


def test_a_unit_without_a_way_out_may_stay_in_a_zone():
    facts = facts_of("FRANCE: A POR H")
    assert judge(zone("POR", "SPA", who=["FRANCE"]), facts) == {"France": "kept"}


@pytest.mark.parametrize(
    ("text", "phase", "verdict"),
    [
        ("A BUR R RUH", "S1902R", "broken"),
        ("A BUR R GAS", "S1902R", "kept"),
        ("A BUR D", "S1902R", "kept"),
        ("A PAR B", "W1902A", "kept"),
        ("A MAR B", "W1902A", "broken"),
        ("A MAR D", "W1902A", "kept"),
        ("WAIVE", "W1902A", "kept"),
    ],
)
def test_retreats_and_builds_into_a_zone(text, phase, verdict):
    facts = PhaseFacts(BOARD, position("FRANCE: F BRE H", phase), (order(text, "FRANCE"),))
    assert judge(zone("RUH", "MAR", who=["FRANCE"]), facts) == {"France": verdict}


PEACE = [
    ("nobody attacks", "FRANCE: A PAR - BUR\nGERMANY: A MUN H", "kept kept"),
    ("a move into a unit", "FRANCE: A BUR - MUN\nGERMANY: A MUN H", "broken kept"),
    ("a move into an empty center", "FRANCE: A BUR - BEL\nGERMANY: A MUN H", "broken kept"),
    (
        "support for a third one's attack",
        "FRANCE: A BUR S A TYR - MUN\nITALY: A TYR - MUN\nGERMANY: A MUN H",
        "broken kept",
    ),
    (
        "support for the partner's own move",
        "FRANCE: A BUR S A MUN - BEL\nGERMANY: A MUN - BEL",
        "kept kept",
    ),
    ("support for a partner that holds", "FRANCE: A BUR S A MUN\nGERMANY: A MUN H", "kept kept"),
    ("a meeting in the open", "FRANCE: A PAR - BUR\nGERMANY: A MUN - BUR", "kept kept"),
]


@pytest.mark.parametrize(
    ("text", "verdicts"), [row[1:] for row in PEACE], ids=[row[0] for row in PEACE]
)
def test_peace(text, verdicts):
    france, germany = verdicts.split()
    facts = facts_of(text, centers={"GERMANY": "BEL MUN", "FRANCE": "PAR"})
    assert judge(peace(), facts) == {"France": france, "Germany": germany}
    allied = Alliance(powers("FRANCE", "GERMANY"), (ITALY,))
    assert judge(allied, facts) == {"France": france, "Germany": germany}


def test_an_attack_that_was_agreed_on_does_not_break_peace():
    text = "FRANCE: A BUR - MUN\nGERMANY: A MUN H"
    move = order("A BUR - MUN", "FRANCE")
    with_partner = Agreed(move, frozenset({FRANCE, GERMANY}))
    with_another = Agreed(move, frozenset({FRANCE, ITALY}))
    assert judge(peace(), facts_of(text, agreed=[with_partner]))["France"] == "kept"
    assert judge(peace(), facts_of(text, agreed=[with_another]))["France"] == "broken"


@pytest.mark.parametrize(
    ("draws", "verdicts"),
    [
        ("FRANCE GERMANY", {"France": "kept", "Germany": "kept"}),
        ("FRANCE", {"France": "kept", "Germany": "broken"}),
        ("", {"France": "moot", "Germany": "moot"}),
        ("ITALY", {"France": "moot", "Germany": "moot"}),
    ],
)
def test_a_draw(draws, verdicts):
    facts = facts_of("FRANCE: A PAR H", draws=powers(*draws.split()))
    assert judge(Draw(powers("FRANCE", "GERMANY")), facts) == verdicts


def test_a_draw_waits_for_a_phase_with_votes():
    terms = Terms(Phase.parse("W1901A"), (FRANCE, GERMANY), ((Draw((FRANCE, GERMANY)),),))
    builds = PhaseFacts(BOARD, position("FRANCE: A PAR H", "W1901A"), ())
    found = judge_terms(terms, 0, builds)
    assert not found.findings
    assert not found.final
    assert judge_terms(terms, 0, facts_of("FRANCE: A PAR H", "S1902M", draws=())).final


def test_what_lasts_is_judged_until_it_ends():
    terms = Terms(Phase.parse("S1902M"), (FRANCE, GERMANY), ((peace(until=FALL_1902),),))
    text = "FRANCE: A PAR H\nGERMANY: A MUN H"
    assert not judge_terms(terms, 0, facts_of(text, "S1902M")).final
    assert not judge_terms(terms, 0, facts_of(text, "F1902M")).final
    last = judge_terms(terms, 0, facts_of(text, "F1902R"))
    assert last.final
    assert len(last.findings) == 2
    over = judge_terms(terms, 0, facts_of(text, "S1903M"))
    assert over.final
    assert not over.findings


def test_a_breach_ends_the_deal():
    facts = facts_of("FRANCE: A BUR - MUN\nGERMANY: A MUN H")
    terms = Terms(Phase.parse("S1901M"), (FRANCE, GERMANY), ((peace(),),))
    found = judge_terms(terms, 0, facts)
    assert found.final
    assert found.breakers == (FRANCE,)
    assert [str(finding.fault) for finding in found.findings] == ["A BUR - MUN", "None"]


def test_a_power_that_is_gone_makes_terms_moot():
    text = "FRANCE: A BUR - MUN\nGERMANY: A MUN H\nITALY: A VEN - TYR"
    gone = facts_of(text, gone=frozenset({GERMANY}))
    terms = Terms(Phase.parse("S1901M"), (FRANCE, GERMANY), ((peace(),),))
    assert judge_terms(terms, 0, gone).final
    assert set(judge(peace(), gone).values()) == {"moot"}
    three = ("FRANCE", "GERMANY", "ITALY")
    found = judge(peace(*three), gone, parties=three)
    assert found == {"France": "kept", "Germany": "moot", "Italy": "kept"}


def test_a_power_without_a_player_breaks_nothing():
    facts = facts_of("FRANCE: A PAR H", absent=frozenset({FRANCE}))
    assert judge(promise("A PAR - BUR"), facts) == {"France": "moot"}


@examples(60)
@given(st.integers(0, 2**32 - 1))
def test_luck_changes_no_verdict(seed):
    """Every order that was promised and given is kept, and the opposite promise is broken."""
    rng = random.Random(seed)
    start = random_position(BOARD, rng, 12)
    orders = random_orders(BOARD, start, rng)
    facts = PhaseFacts(BOARD, start, orders)
    everyone = tuple(sorted(BOARD.power_info))
    for given_order in orders:
        parties = (power_of(given_order), *[p for p in everyone if p != power_of(given_order)])
        for is_given, verdict in ((True, DealVerdict.KEPT), (False, DealVerdict.BROKEN)):
            terms = Terms(start.phase, parties, ((Ordered(given_order, is_given),),))
            (finding,) = judge_terms(terms, 0, facts).findings
            assert finding.verdict is verdict


@examples(60)
@given(st.integers(0, 2**32 - 1))
def test_standing_still_outside_keeps_everything_that_lasts(seed):
    rng = random.Random(seed)
    start = random_position(BOARD, rng, 12)
    facts = PhaseFacts(BOARD, start, [])
    everyone = tuple(sorted(BOARD.power_info))
    empty = [code for code in BOARD.by_code if start.unit_in(code) is None]
    clauses = (Peace(everyone), Zone(everyone, tuple(rng.sample(empty, 5))))
    found = judge_terms(Terms(start.phase, everyone, (clauses,)), 0, facts)
    assert {finding.verdict for finding in found.findings} == {DealVerdict.KEPT}
    bound = [power for clause in clauses for power in powers_bound(clause)]
    assert [finding.power for finding in found.findings] == bound
