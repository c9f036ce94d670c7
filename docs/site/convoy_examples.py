"""Positions for the convoy switches."""

from collections.abc import Sequence

from switch_parts import Example, Switch, make_unit

from diplomaccloud.judge.board import Location, ProvinceCode
from diplomaccloud.judge.orders import Move, Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet


def _name_seas(
    position: Position, orders: Sequence[Order], _: RuleSet
) -> tuple[Position, list[Order]]:
    """Add the North Sea to the order of the army in London."""
    army = make_unit("A LON", "ENGLAND")
    move = Move(army, Location("BEL"), path=(ProvinceCode("NTH"),))
    return position, [move, *(o for o in orders if not isinstance(o, Move) or o.unit != army)]


ROUNDABOUT = """
FRANCE: A GAS - MAR, A BUR S A GAS - MAR
ENGLAND: F MAO C A GAS - MAR, F WES C A GAS - MAR, F LYO C A GAS - MAR
ITALY: A MAR H
"""

CONVOYS = {
    "any_route_disrupts": Switch(
        "An army has two routes by sea. Does it stay if one of them is lost?",
        (
            Example(
                "The fleet in the English Channel is dislodged, the one in the North Sea is not.",
                """
                ENGLAND: A LON - BEL, F ENG C A LON - BEL, F NTH C A LON - BEL
                FRANCE: F BRE - ENG, F MAO S F BRE - ENG
                """,
            ),
        ),
    ),
    "paradox": Switch(
        "A convoyed army would cut the support that decides its own convoy. What happens?",
        (
            Example(
                "Pandin’s paradox: does the attack on the fleet fail, too?",
                """
                ENGLAND: F LON S F WAL - ENG, F WAL - ENG
                FRANCE: A BRE - LON, F ENG C A BRE - LON
                """,
            ),
            Example(
                "The convoyed army has enough support to dislodge the fleet in London.",
                """
                ENGLAND: F LON S F WAL - ENG, F WAL - ENG
                FRANCE: A BRE - LON, F ENG C A BRE - LON, F YOR S A BRE - LON
                GERMANY: F NTH S F BEL - ENG, F BEL - ENG
                """,
            ),
            Example(
                "The fleet attacked is only one of two routes.",
                """
                FRANCE: A TUN - NAP, F TYS C A TUN - NAP, F ION C A TUN - NAP
                ITALY: F NAP S F ROM - TYS, F ROM - TYS
                """,
            ),
            Example(
                "The support that the army would cut defends a fleet of its own convoy.",
                """
                FRANCE: A TUN - NAP, F TYS C A TUN - NAP
                ITALY: F NAP S F ION, F ION C A TUN - NAP
                TURKEY: F AEG S F EAS - ION, F EAS - ION
                """,
            ),
        ),
    ),
    "convoy_intent": Switch(
        "An army is ordered to an adjacent province, and a fleet convoys it. Does it go by sea?",
        (
            Example(
                "The fleet is foreign, and a fleet comes the other way.",
                """
                ENGLAND: A NWY - SWE
                RUSSIA: F SWE - NWY
                GERMANY: F SKA C A NWY - SWE
                """,
            ),
            Example(
                "The army’s own power orders the convoy.",
                """
                ENGLAND: A NWY - SWE, F SKA C A NWY - SWE
                RUSSIA: A SWE - NWY
                """,
            ),
            Example(
                "The army’s own power orders half of a convoy.",
                "ITALY: A APU - ROM, F TYS C A APU - ROM, F ION H",
            ),
            Example(
                "The fleet is foreign, but two armies of the same power swap places.",
                """
                ENGLAND: A NWY - SWE, A SWE - NWY
                GERMANY: F SKA C A NWY - SWE
                """,
            ),
            Example(
                "No unit comes the other way. By sea, Gascony would be open for the retreat.",
                ROUNDABOUT,
                base={"retreat_to_convoyed_attacker": True},
                after=True,
            ),
        ),
    ),
    "intent_needs_chain": Switch(
        "An own fleet convoys the army, but another fleet of the chain has no such order. "
        "Does the army wait for the convoy?",
        (
            Example(
                "The fleet in the Ionian Sea was not ordered to convoy.",
                "ITALY: A APU - ROM, F TYS C A APU - ROM, F ION H",
            ),
        ),
    ),
    "via_without_convoy": Switch(
        "An army is ordered “via convoy” to an adjacent province without a convoy. Does it walk?",
        (
            Example(
                "The fleet that could convoy sails away.",
                """
                FRANCE: A BEL - HOL VIA
                ENGLAND: F NTH - HEL, A HOL - KIE
                """,
            ),
        ),
    ),
    "land_behind_convoy": Switch(
        "The convoy to an adjacent province fails. Does the army go by land instead?",
        (
            Example(
                "The convoying fleet is dislodged, and the way by land is free.",
                """
                FRANCE: A PIC - BEL VIA, F ENG C A PIC - BEL
                ENGLAND: F WAL - ENG, F LON S F WAL - ENG
                """,
            ),
        ),
    ),
    "convoyed_attack_cuts": Switch(
        "Does a convoyed attack cut a support against the province that the army came from?",
        (
            Example(
                "The army from Trieste arrives by sea and attacks a support against Trieste.",
                """
                AUSTRIA: A TRI - VEN VIA, F ADR C A TRI - VEN
                ITALY: A VEN S F ALB - TRI, F ALB - TRI
                """,
            ),
        ),
    ),
    "retreat_to_convoyed_attacker": Switch(
        "May a dislodged unit retreat to where its attacker came from, if that came by sea?",
        (
            Example(
                "The attacker of Marseilles came from Gascony by convoy. "
                "The retreats that are open are shaded.",
                ROUNDABOUT.replace("A GAS - MAR,", "A GAS - MAR VIA,"),
                base={"convoy_intent": "own-fleet-or-via"},
                after=True,
            ),
        ),
    ),
    "convoy_path": Switch(
        "What effect do seas named in an army’s order have?",
        (
            Example(
                "The order names the North Sea (A LON - NTH - BEL), whose fleet is dislodged; "
                "there is another way.",
                """
                ENGLAND: A LON - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL
                GERMANY: F DEN - NTH, F HEL S F DEN - NTH
                """,
                prepare=_name_seas,
            ),
            Example(
                "The order names no sea.",
                """
                ENGLAND: A LON - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL
                GERMANY: F DEN - NTH, F HEL S F DEN - NTH
                """,
            ),
        ),
    ),
    "dislodged_never_prevents": Switch(
        "A unit is dislodged by a convoyed army. Can its move to where that army came from "
        "still keep a third unit out?",
        (
            Example(
                "A third fleet enters Norway, which the convoyed army has left.",
                """
                ENGLAND: A NWY - SWE VIA, F SKA C A NWY - SWE, F DEN S A NWY - SWE
                RUSSIA: F SWE - NWY
                GERMANY: F BAR - NWY
                """,
            ),
        ),
    ),
}
