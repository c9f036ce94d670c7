"""The habits of the package `diplomacy` lead to what it answered; nothing else is explained."""

import pytest
from judge.tests.peer.package_reading import (
    COASTS,
    CONVOYS,
    CUTS,
    HABITS,
    HEADS,
    RETREATS,
    TIES,
    VIA,
    WALKS,
    explain,
    explain_winter,
)
from judge.tests.shorthand import BOARD, orders, position

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.rules import EDITIONS

SEEN = [
    (
        (CONVOYS,),
        """
        AUSTRIA: A LON - BEL, F ENG S A LON - BEL, F SKA - NTH
        FRANCE: F NTH C A LON - BEL, F BEL S F NTH, F HEL S F SKA - NTH
        """,
        {"A LON": ["no convoy"], "F ENG": ["no convoy"], "F NTH": ["disrupted"]},
        "A LON, F BEL, F ENG, F HEL, F NTH, F SKA",
        {},
    ),
    (
        (VIA, RETREATS),
        """
        ENGLAND: A ANK - ARM VIA
        FRANCE: A SYR S A ANK - ARM, F ARM H, F BLA C A ANK - ARM
        """,
        {"F ARM": ["dislodged"]},
        "A ARM, A SYR, F BLA",
        {"F ARM": "ANK BLA SEV"},
    ),
    (
        (HEADS,),
        """
        AUSTRIA: F HOL - NTH, F NWG S F HOL - NTH, F BEL S F NTH - HOL
        ENGLAND: F NTH - HOL, F DEN S F HOL - NTH
        """,
        {"F NTH": ["bounce", "dislodged"], "F BEL": ["void"], "F DEN": ["void"]},
        "F BEL, F DEN, F NTH, F NWG",
        {"F NTH": "EDI ENG HEL LON NWY SKA YOR"},
    ),
    (
        (WALKS,),
        """
        ENGLAND: A DEN - SWE, F SKA C A DEN - SWE
        FRANCE: F NTH - SKA, F NWY S F NTH - SKA
        """,
        {"F SKA": ["dislodged"]},
        "A SWE, F NWY, F SKA",
        {"F SKA": "DEN"},
    ),
    (
        (WALKS,),
        """
        AUSTRIA: A BER - KIE VIA
        ENGLAND: A DEN - SWE VIA, F BAL C A BER - KIE, F KIE - BER
        FRANCE: F LVN - BAL, F SKA C A DEN - SWE, F SWE S F LVN - BAL
        """,
        {"A BER": ["bounce"], "F KIE": ["bounce"], "F SWE": ["cut"]},
        "A BER, A DEN, F BAL, F KIE, F LVN, F SKA, F SWE",
        {},
    ),
    (
        (CONVOYS, CUTS),
        """
        FRANCE: A BRE - LON, F EDI - NTH, F NWG S F YOR - NTH
        ENGLAND: A NWY - BEL, F ENG C A BRE - LON, F YOR - NTH
        AUSTRIA: F BEL S F PIC - ENG, F LON S F EDI - NTH, F NTH C A NWY - BEL, F PIC - ENG
        """,
        {"A NWY": ["no convoy"], "F BEL": ["cut"], "F LON": ["cut"], "F NTH": ["dislodged"]},
        "A BRE, A NWY, F BEL, F EDI, F ENG, F LON, F NTH, F NWG, F PIC",
        {"F NTH": "DEN HEL HOL SKA"},
    ),
    (
        (COASTS,),
        """
        ENGLAND: F POR - SPA/NC
        FRANCE: A GAS S F POR - SPA/SC
        ITALY: A SPA H
        """,
        {"A GAS": ["void"], "F POR": ["bounce"]},
        "A GAS, A SPA, F POR",
        {},
    ),
    (
        (RETREATS,),
        """
        FRANCE: A ROM - NAP VIA, F TYS C A ROM - NAP, A APU S A ROM - NAP
        ITALY: F NAP H
        """,
        {"F NAP": ["dislodged"]},
        "A APU, A NAP, F TYS",
        {"F NAP": "APU ION ROM TYS"},
    ),
]
"""Habits, orders, and the package's answer: its words, the units, the retreats."""


@pytest.mark.parametrize(("habits", "text", "words", "units", "retreats"), SEEN)
def test_a_habit_explains_what_the_package_answered(habits, text, words, units, retreats):
    start = position(text)
    listed = orders(text, start)
    after = frozenset(units.split(", "))
    offered = {unit: frozenset(places.split()) for unit, places in retreats.items()}
    assert explain(BOARD, listed, words, (after, offered)) == habits
    resolution = adjudicate(BOARD, start, listed, EDITIONS["diplomacy package"])
    ours = {str(e.unit): frozenset(map(str, e.retreats)) for e in resolution.dislodged}
    assert (frozenset(map(str, resolution.next.units)), ours) != (after, offered)
    unit = min(after)
    assert explain(BOARD, listed, words, (after - {unit}, offered)) is None


def test_a_tie_explains_that_the_package_removed_another_unit():
    start = position("ITALY: A LON, A LVP", "W1901A", {"ITALY": "ROM"})
    ours = adjudicate(BOARD, start, [], EDITIONS["diplomacy package"]).next
    assert [str(unit) for unit in ours.units] == ["A LON"]  # Liverpool comes before London
    assert explain_winter(BOARD, start, [], frozenset({"A LVP"}))
    assert not explain_winter(BOARD, start, [], frozenset({"A LON", "A LVP"}))
    near = position("ITALY: A LON, A TUN", "W1901A", {"ITALY": "ROM"})
    assert not explain_winter(BOARD, near, [], frozenset({"A LON"}))


def test_every_habit_has_a_position():
    assert {name for row in SEEN for name in row[0]} | {TIES} == set(HABITS)
