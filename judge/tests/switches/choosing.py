"""Rows for the switches that choose: among too many orders, and what is removed."""

from judge.tests.shorthand import BOARD, order, position
from judge.tests.switches.looking import Looking, Row, removed, winter

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.rules import Pick, Removal, RuleSet


def picked(*texts: str) -> Looking:
    listed = [order(text, "FRANCE") for text in texts]

    def look(rules: RuleSet) -> object:
        after = adjudicate(BOARD, position("FRANCE: A PAR H"), listed, rules).next
        return str(after.units[0])

    return look


HOME = "BRE PAR MAR"

ROWS = [
    Row(
        "several_orders",
        "two different moves",
        picked("A PAR - BUR", "A PAR - PIC"),
        {Pick.NONE: "A PAR", Pick.FIRST: "A BUR", Pick.LAST: "A PIC"},
    ),
    Row(
        "too_many_builds",
        "three for two",
        winter("FRANCE: A SPA H", HOME, "FRANCE", "A PAR B", "A MAR B", "F BRE B"),
        {Pick.NONE: "ASPA", Pick.FIRST: "AMAR APAR ASPA", Pick.LAST: "AMAR ASPA FBRE"},
    ),
    Row(
        "builds_in_one_place",
        "army and fleet in one port",
        winter("FRANCE: A SPA H", HOME, "FRANCE", "A BRE B", "F BRE B"),
        {Pick.NONE: "ASPA", Pick.FIRST: "ABRE ASPA", Pick.LAST: "ASPA FBRE"},
    ),
    Row(
        "too_many_disbands",
        "two for one",
        winter("FRANCE: A SPA H, A PAR H, F LYO H", "PAR MAR", "FRANCE", "A PAR D", "A SPA D"),
        {Pick.NONE: "APAR ASPA", Pick.FIRST: "ASPA FLYO", Pick.LAST: "APAR FLYO"},
    ),
    Row(
        "may_waive",
        "one of two builds is waived",
        winter("FRANCE: A SPA H", HOME, "FRANCE", "F BRE B", "WAIVE"),
        {True: "ASPA FBRE", False: "AMAR ASPA FBRE"},
    ),
    Row(
        "removal",
        "an army next to a home province without center",
        removed("AUSTRIA: A ALB H, A MUN H", "AUSTRIA", "VIE"),
        {Removal.HOME_1961: "A ALB", Removal.HOME_1971: "A MUN", Removal.HOME_2000: "A MUN"},
    ),
    Row(
        "removal",
        "the center owned is far from home",
        removed("ITALY: A WAR H, A TUS H", "ITALY", "WAR"),
        {
            Removal.HOME_1961: "A WAR",
            Removal.HOME_1971: "A WAR",
            Removal.HOME_2000: "A WAR",
            Removal.OWNED_2023: "A TUS",
            Removal.RANDOM_2009: "A WAR",
        },
    ),
    Row(
        "removal",
        "lots are drawn among those abroad",
        removed("FRANCE: A RUH H, A TYR H, A UKR H, A PAR H", "FRANCE", "PAR"),
        {Removal.HOME_2000: "A UKR", Removal.RANDOM_2009: "A TYR"},
    ),
]
