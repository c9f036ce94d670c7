"""An army that goes by land if its convoy fails, and by sea if nothing breaks it."""

from dataclasses import replace

import pytest
from judge.tests.shorthand import BOARD, orders, position

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, ConvoyIntent, RuleSet

LAND_BEHIND = replace(DEFAULT, land_behind_convoy=True)
CD_ROM = EDITIONS["CD-ROM"]

SWAP = """
RUSSIA: A BER - KIE VIA
TURKEY: F BAL C A BER - KIE
AUSTRIA: F KIE - BER
GERMANY: F LVN - BAL, F SWE S F LVN - BAL
"""
NO_CONVOY_TO_SWEDEN = f"{SWAP}ITALY: A DEN - SWE VIA"
LOST_CONVOY_TO_SWEDEN = f"""{SWAP.replace(" VIA", "")}ITALY: A DEN - SWE
ENGLAND: F SKA C A DEN - SWE
FRANCE: F NTH - SKA, F NWY S F NTH - SKA
"""


def judge(text: str, rules: RuleSet) -> Resolution:
    start = position(text)
    return adjudicate(BOARD, start, orders(text, start), rules)


def words(resolution: Resolution) -> dict[str, str]:
    return {str(result.order): result.outcome.value for result in resolution.results}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (NO_CONVOY_TO_SWEDEN, LAND_BEHIND),
        (NO_CONVOY_TO_SWEDEN, CD_ROM),
        (LOST_CONVOY_TO_SWEDEN, CD_ROM),
    ],
)
def test_an_army_by_land_saves_the_convoy_of_another(text: str, rules: RuleSet) -> None:
    """The army from Denmark goes by land and cuts the support against the Baltic fleet."""
    resolution = judge(text, rules)
    units = {str(unit) for unit in resolution.next.units}
    assert {"A KIE", "F BER", "F BAL"} <= units
    assert words(resolution)["F BAL C A BER - KIE"] == "convoyed"


def test_a_convoy_that_holds_is_not_void() -> None:
    text = """
    AUSTRIA: A CLY - LVP, F NAO C A CLY - LVP
    ITALY: F NWG - NAO, F LVP S F NWG - NAO
    """
    resolution = judge(text, CD_ROM)
    assert words(resolution) == {
        "A CLY - LVP": "bounced",
        "F NAO C A CLY - LVP": "convoyed",
        "F NWG - NAO": "bounced",
        "F LVP S F NWG - NAO": "cut",
    }


def test_a_unit_may_retreat_to_where_a_convoyed_army_came_from() -> None:
    text = """
    ENGLAND: F ARM S F CON - BLA, F CON - BLA
    TURKEY: A ANK - ARM VIA, A SYR S A ANK - ARM, F BLA C A ANK - ARM
    """
    resolution = judge(text, replace(LAND_BEHIND, retreat_to_convoyed_attacker=True))
    assert resolution.next.dislodged[0].retreats == ("ANK", "SEV")


def test_an_army_goes_by_land_where_its_fleet_is_lost() -> None:
    text = """
    FRANCE: A PIC - BEL VIA, F ENG C A PIC - BEL
    ENGLAND: F WAL - ENG, F LON S F WAL - ENG
    """
    said = words(judge(text, LAND_BEHIND))
    assert said["A PIC - BEL VIA"] == "moved"
    assert said["F ENG C A PIC - BEL"] == "void"


def test_an_attack_that_cuts_nothing_waits_for_no_paradox_rule() -> None:
    """The army from York has no convoy; this once took forever."""
    text = """
    AUSTRIA: A NWY - SWE, A SWE - NWY, F SKA C A NWY - SWE
    ENGLAND: A YOR - DEN, F DEN S F NTH - SKA
    FRANCE: F NTH - SKA
    """
    rules = replace(EDITIONS["1982"], convoy_intent=ConvoyIntent.EITHER_ROUTE)
    found = words(judge(text, rules))
    assert found["F DEN S F NTH - SKA"] == "given"
    assert found["F NTH - SKA"] == "moved"


def test_two_that_swap_by_convoy_let_no_third_unit_in() -> None:
    text = """
    ENGLAND: A TRI - ALB VIA, F ADR C A TRI - ALB
    FRANCE: A ALB - TRI, A BUD S A ALB - TRI
    AUSTRIA: A VIE - TRI
    """
    found = words(judge(text, replace(DEFAULT, dislodged_never_prevents=True)))
    assert (found["A ALB - TRI"], found["A VIE - TRI"]) == ("moved", "bounced")
