"""Clauses and findings as sentences, and terms that cannot be offered."""

import pytest
from judge.tests.shorthand import BOARD, order, position
from tests.deals.test_ledger import peace, powers, promise, zone

from diplomaccloud.deals import (
    Alliance,
    DealNames,
    DealTurn,
    DealVerdict,
    Draw,
    Finding,
    Ordered,
    Terms,
    TermsError,
    describe_clause,
    describe_finding,
    require_possible,
)
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.phases import Phase

FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
NAMES = DealNames(BOARD, {GERMANY: "Prussia"})
BUR = {ProvinceCode("BUR"): GERMANY}
SENTENCES = [
    (promise("A PAR - BUR"), "France’s army in Paris moves to Burgundy."),
    (promise("A PAR - BUR", given=False), "France’s army in Paris does not move to Burgundy."),
    (promise("A PAR H"), "France’s army in Paris holds."),
    (
        promise("A PAR S A BUR", "FRANCE", BUR),
        "France’s army in Paris supports Prussia’s",
    ),
    (
        promise("A GAS S A MAR - BUR"),
        "France’s army in Gascony supports the move of its army in Marseilles to Burgundy.",
    ),
    (
        promise("F ENG C A BRE - LON"),
        "France’s fleet in the English Channel convoys its army in Brest to London.",
    ),
    (promise("F STP/NC B", "RUSSIA"), "Russia builds a fleet in St. Petersburg (north coast)."),
    (promise("A PAR D"), "France’s army in Paris disbands."),
    (promise("A PAR R GAS"), "France’s army in Paris retreats to Gascony."),
    (
        zone("BUR", "RUH"),
        "France and Prussia stay out of Burgundy and Ruhr for the rest of the game.",
    ),
    (
        zone("ENG", who=["FRANCE"], until=DealTurn.parse("F1903")),
        "France stays out of the English Channel through Fall 1903.",
    ),
    (peace(until=DealTurn.parse("S1902")), "France and Prussia keep peace through Spring 1902."),
    (
        Alliance(powers("FRANCE", "GERMANY"), powers("ITALY", "AUSTRIA")),
        "France and Prussia are allied against Austria and Italy.",
    ),
    (
        Draw(powers("FRANCE", "GERMANY", "ITALY")),
        "France, Prussia and Italy each vote for a draw if the others do.",
    ),
]


@pytest.mark.parametrize(("clause", "sentence"), SENTENCES, ids=[row[1] for row in SENTENCES])
def test_a_clause_reads_as_a_sentence(clause, sentence):
    assert describe_clause(clause, NAMES).startswith(sentence)


@pytest.mark.parametrize(
    ("verdict", "fault", "sentence"),
    [
        (DealVerdict.KEPT, None, "France kept this."),
        (DealVerdict.MOOT, None, "France no longer had to keep this."),
        (DealVerdict.BROKEN, "A PAR - BUR", "France broke this by ordering A PAR - BUR."),
        (DealVerdict.BROKEN, None, "France broke this by giving no such order."),
    ],
)
def test_a_finding_reads_as_a_sentence(verdict, fault, sentence):
    given = order(fault, "FRANCE") if fault else None
    assert describe_finding(Finding(0, FRANCE, verdict, given), peace(), NAMES) == sentence


START = position("FRANCE: A PAR H, F BRE H\nGERMANY: A MUN H", "S1902M")
IMPOSSIBLE = [
    ((promise("A GAS H"),), "[0].order", "no unit"),
    ((promise("A PAR - MOS"),), "[0].order", "Moscow"),
    ((peace(), peace(until=DealTurn.parse("F1901"))), "[1].until", "Fall 1901 is over."),
    ((promise("A PAR H"), promise("A PAR - BUR")), "[1]", "This clause contradicts clause 1."),
    ((promise("A PAR H"), promise("A PAR H", given=False)), "[1]", "contradicts clause 1."),
    ((peace(), peace()), "[1]", "This clause repeats clause 1."),
]


@pytest.mark.parametrize(("clauses", "place", "message"), IMPOSSIBLE)
def test_terms_that_cannot_be_offered(clauses, place, message):
    terms = Terms(START.phase, (FRANCE, GERMANY), (clauses,))
    with pytest.raises(TermsError, match=message) as error:
        require_possible(terms, BOARD, START)
    assert error.value.place == f"alternatives[0]{place}"


def test_terms_of_another_phase_cannot_be_offered():
    terms = Terms(Phase.parse("S1901M"), (FRANCE, GERMANY), ((peace(),),))
    with pytest.raises(TermsError, match="Spring 1901, Movement, which is over") as error:
        require_possible(terms, BOARD, START)
    assert error.value.place == "phase"


def test_possible_terms():
    excluded = Ordered(order("A PAR - PIC", "FRANCE"), given=False)
    clauses = (promise("A PAR - BUR"), excluded, peace(until=DealTurn.parse("S1902")))
    require_possible(Terms(START.phase, (FRANCE, GERMANY), (clauses,)), BOARD, START)
