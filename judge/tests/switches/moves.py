"""Rows for the switches of movement: convoys, their paradoxes, a power's own units."""

from judge.tests.shorthand import BOARD, orders, position, unit
from judge.tests.switches.looking import Looking, Row, retreats, sheet, told, word

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Location, ProvinceCode
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.rules import ConvoyIntent, ConvoyPath, Paradox, ViaWithoutConvoy

TWO_ROUTES = """
ENGLAND: A LON - BEL, F ENG C A LON - BEL, F NTH C A LON - BEL
FRANCE: F BRE - ENG, F MAO S F BRE - ENG
"""
PANDIN = """
ENGLAND: F LON S F WAL - ENG, F WAL - ENG
FRANCE: A BRE - LON, F ENG C A BRE - LON
"""
BETRAYED = """
ENGLAND: F LON S F WAL - ENG, F WAL - ENG
FRANCE: A BRE - LON, F ENG C A BRE - LON, F YOR S A BRE - LON
GERMANY: F NTH S F BEL - ENG, F BEL - ENG
"""
ALTERNATIVE = """
FRANCE: A TUN - NAP, F TYS C A TUN - NAP, F ION C A TUN - NAP
ITALY: F NAP S F ROM - TYS, F ROM - TYS
"""
DEFENDED = """
FRANCE: A TUN - NAP, F TYS C A TUN - NAP
ITALY: F NAP S F ION, F ION C A TUN - NAP
TURKEY: F AEG S F EAS - ION, F EAS - ION
"""
KIDNAPPED = """
ENGLAND: A NWY - SWE
RUSSIA: F SWE - NWY
GERMANY: F SKA C A NWY - SWE
"""
OWN_FLEET = """
ENGLAND: A NWY - SWE, F SKA C A NWY - SWE
RUSSIA: A SWE - NWY
"""
FOREIGN_CONVOY = """
ENGLAND: A WAL - YOR, F IRI C A WAL - YOR, F NAO H, F NWG H
GERMANY: A YOR - WAL, F ENG C A WAL - YOR, F NTH C A WAL - YOR
"""
OWN_SWAP = """
ENGLAND: A NWY - SWE, A SWE - NWY
GERMANY: F SKA C A NWY - SWE
"""
ROUNDABOUT = """
FRANCE: A GAS - MAR, A BUR S A GAS - MAR
ENGLAND: F MAO C A GAS - MAR, F WES C A GAS - MAR, F LYO C A GAS - MAR
ITALY: A MAR H
"""
LOST_CONVOY = """
FRANCE: A PIC - BEL VIA, F ENG C A PIC - BEL
ENGLAND: F WAL - ENG, F LON S F WAL - ENG
"""
NO_CONVOY = """
FRANCE: A BEL - HOL VIA
ENGLAND: F NTH - HEL, A HOL - KIE
"""
NO_FLEET = """
FRANCE: A BEL - HOL VIA
"""
HALF_A_CONVOY = """
ITALY: A APU - ROM, F TYS C A APU - ROM, F ION H
"""
FROM_THE_SEA = """
AUSTRIA: A TRI - VEN VIA, F ADR C A TRI - VEN
ITALY: A VEN S F ALB - TRI, F ALB - TRI
"""
ROUND_TRIP = ROUNDABOUT.replace("A GAS - MAR,", "A GAS - MAR VIA,")
THIRD_PARTY = """
ENGLAND: A NWY - SWE VIA, F SKA C A NWY - SWE, F DEN S A NWY - SWE
RUSSIA: F SWE - NWY
GERMANY: F BAR - NWY
"""
OWN_CUT = "FRANCE: A PAR S A MAR - GAS, A MAR - GAS, A BUR - PAR"
OWN_BEHIND = """
FRANCE: A BUR H, A PAR S A MUN - BUR
GERMANY: A MUN - BUR, A RUH S A MUN - BUR
"""


def path_of(*seas: str) -> Looking:
    """Look at an army whose order names `seas`, with its fleet in the North Sea dislodged."""
    text = """
    ENGLAND: A LON H, F NTH C A LON - BEL, F ENG C A LON - BEL
    GERMANY: F DEN - NTH, F HEL S F DEN - NTH
    """
    start = position(text)
    army = unit("A LON", "ENGLAND")
    path = tuple(ProvinceCode(sea) for sea in seas)
    listed = [Move(army, Location("BEL"), path=path), *orders(text, start)[1:]]
    return told("A LON", lambda rules: adjudicate(BOARD, start, listed, rules))


ROWS = [
    Row(
        "any_route_disrupts",
        "one of two fleets is dislodged",
        word("A LON", TWO_ROUTES),
        {True: "nopath", False: "moved"},
    ),
    Row(
        "paradox",
        "the simplest paradox: the attack on the fleet",
        word("F WAL", PANDIN),
        {
            Paradox.SZYKMAN: "moved",
            Paradox.RULE_1971: "moved",
            Paradox.RULE_1982: "moved",
            Paradox.RULE_2000: "moved",
            Paradox.ALL_HOLD: "bounced",
        },
    ),
    Row(
        "paradox",
        "the convoyed army would dislodge the supporter",
        word("A BRE", BETRAYED),
        {
            Paradox.SZYKMAN: "nopath",
            Paradox.RULE_1971: "moved",
            Paradox.RULE_1982: "moved",
            Paradox.RULE_2000: "moved",
            Paradox.ALL_HOLD: "nopath",
        },
    ),
    Row(
        "paradox",
        "the fleet attacked is one of two routes",
        word("F NAP", ALTERNATIVE),
        {
            Paradox.SZYKMAN: "cut",
            Paradox.RULE_1971: "given",
            Paradox.RULE_1982: "given",
            Paradox.RULE_2000: "cut",
            Paradox.ALL_HOLD: "cut",
        },
    ),
    Row(
        "paradox",
        "the support is for the convoying fleet",
        word("F NAP", DEFENDED),
        {
            Paradox.SZYKMAN: "cut",
            Paradox.RULE_1971: "cut",
            Paradox.RULE_1982: "given",
            Paradox.RULE_2000: "cut",
            Paradox.ALL_HOLD: "cut",
        },
    ),
    Row(
        "convoy_intent",
        "a foreign fleet carries the army off",
        word("A NWY", KIDNAPPED),
        {
            ConvoyIntent.SWAP: "moved",
            ConvoyIntent.OWN_ORDERS: "bounced",
            ConvoyIntent.OWN_FLEET_OR_VIA: "bounced",
            ConvoyIntent.VIA: "bounced",
            ConvoyIntent.EITHER_ROUTE: "moved",
        },
    ),
    Row(
        "convoy_intent",
        "the own fleet shows what is meant",
        word("A NWY", OWN_FLEET),
        {ConvoyIntent.OWN_FLEET_OR_VIA: "moved", ConvoyIntent.VIA: "bounced"},
    ),
    Row(
        "convoy_intent",
        "an own fleet is ordered to convoy, and another stays idle",
        word("A APU", HALF_A_CONVOY),
        {ConvoyIntent.OWN_FLEET_OR_VIA: "nopath", ConvoyIntent.WHOLE_CONVOY_OR_VIA: "moved"},
    ),
    Row(
        "convoy_intent",
        "an own fleet means it, and foreign fleets do it",
        word("A WAL", FOREIGN_CONVOY),
        {ConvoyIntent.WHOLE_CONVOY_OR_VIA: "moved", ConvoyIntent.VIA: "bounced"},
    ),
    Row(
        "intent_needs_chain",
        "an own fleet means it, and foreign fleets do it",
        word("A WAL", FOREIGN_CONVOY),
        {True: "bounced", False: "moved"},
        {"convoy_intent": ConvoyIntent.WHOLE_CONVOY_OR_VIA},
    ),
    Row(
        "convoy_intent",
        "two own armies mean to change places",
        word("A NWY", OWN_SWAP),
        {ConvoyIntent.OWN_ORDERS: "moved", ConvoyIntent.OWN_FLEET_OR_VIA: "bounced"},
    ),
    Row(
        "convoy_intent",
        "nobody comes the other way",
        retreats("A MAR", ROUNDABOUT),
        {ConvoyIntent.SWAP: ("PIE", "SPA"), ConvoyIntent.EITHER_ROUTE: ("GAS", "PIE", "SPA")},
        {"retreat_to_convoyed_attacker": True},
    ),
    Row(
        "land_behind_convoy",
        "the convoy fails, the land route is free",
        word("A PIC", LOST_CONVOY),
        {True: "moved", False: "nopath"},
    ),
    Row(
        "via_without_convoy",
        "the fleet that could convoy sails away",
        word("A BEL", NO_CONVOY),
        {ViaWithoutConvoy.HOLD: "nopath", ViaWithoutConvoy.LAND: "moved"},
    ),
    Row(
        "via_without_convoy",
        "there is no fleet",
        word("A BEL", NO_FLEET),
        {ViaWithoutConvoy.HOLD: "void", ViaWithoutConvoy.LAND: "moved"},
    ),
    Row(
        "intent_needs_chain",
        "an own fleet is ordered to convoy, and another stays idle",
        word("A APU", HALF_A_CONVOY),
        {True: "moved", False: "nopath"},
    ),
    Row(
        "convoyed_attack_cuts",
        "the support is against where the army came from",
        word("A VEN", FROM_THE_SEA),
        {True: "cut", False: "given"},
    ),
    Row(
        "retreat_to_convoyed_attacker",
        "dislodged from next door by sea",
        retreats("A MAR", ROUND_TRIP),
        {True: ("GAS", "PIE", "SPA"), False: ("PIE", "SPA")},
        {"convoy_intent": ConvoyIntent.OWN_FLEET_OR_VIA},
    ),
    Row(
        "convoy_path",
        "a path is named and its fleet lost",
        path_of("NTH"),
        {
            ConvoyPath.IGNORED: "moved",
            ConvoyPath.ALLOWED: "nopath",
            ConvoyPath.REQUIRED: "nopath",
        },
    ),
    Row(
        "convoy_path",
        "no path is named",
        path_of(),
        {ConvoyPath.IGNORED: "moved", ConvoyPath.ALLOWED: "moved", ConvoyPath.REQUIRED: "nopath"},
    ),
    Row(
        "convoy_path",
        "as text",
        sheet(
            "A LON",
            """
            ENGLAND: A LON H, F NTH H, F ENG H
            GERMANY: F DEN - NTH, F HEL S F DEN - NTH
            """,
            "ENGLAND",
            "A LON - NTH - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL",
        ),
        {ConvoyPath.IGNORED: "moved", ConvoyPath.ALLOWED: "nopath"},
    ),
    Row(
        "dislodged_never_prevents",
        "a third unit enters where the convoyed army came from",
        word("F BAR", THIRD_PARTY),
        {True: "moved", False: "bounced"},
    ),
    Row(
        "own_attack_cuts_support",
        "an own army attacks the supporter",
        word("A PAR", OWN_CUT),
        {True: "cut", False: "given"},
    ),
    Row(
        "own_attack_void",
        "an own unit is among the supporters",
        word("A MUN", OWN_BEHIND),
        {True: "bounced", False: "moved"},
    ),
]
