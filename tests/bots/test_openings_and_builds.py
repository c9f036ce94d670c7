"""What people notice first about bots: how they open, and what they build."""

import pytest
from tests.bots.order_rows import read_texts, write_row
from tests.bots.policies import EUROPE

from diplomaccloud.bots.candidates import read_row
from diplomaccloud.bots.levels import count_prospects
from diplomaccloud.bots.repairs import has_slip, repair
from diplomaccloud.judge.notation import parse_position
from diplomaccloud.judge.position import starting_position

NAVY = "ENGLAND: F BEL, F BRE, F NWY, F SWE, F WES; centers ENGLAND: "


@pytest.mark.parametrize(
    ("power", "opening", "count"),
    [
        # Ankara, Smyrna and Syria are next to own centers alone.
        ("TURKEY", "A CON - BUL, A SMY - SYR, F ANK S A CON - BUL", 1),
        ("TURKEY", "A CON - BUL, A SMY - ARM, F ANK - BLA", 3),
        ("AUSTRIA", "A BUD - SER, A VIE S F TRI, F TRI H", 2),
        ("AUSTRIA", "A BUD - SER, A VIE - GAL, F TRI - ALB", 3),
        # Only Sevastopol is next to a foreign center: Rumania.
        ("RUSSIA", "F STP/SC H, A MOS H, A WAR H, F SEV H", 1),
        ("RUSSIA", "F STP/SC - BOT, A MOS H, A WAR - GAL, F SEV - RUM", 3),
    ],
)
def test_prospects_are_units_that_will_be_in_or_next_to_a_foreign_center(
    power: str, opening: str, count: int
) -> None:
    source, row = write_row(starting_position(EUROPE), power, opening)
    assert count_prospects(source, read_row(row)) == count


@pytest.mark.parametrize(
    ("position", "given", "wanted"),
    [
        # Five fleets without an army get one.
        (f"{NAVY}EDI LON LVP BEL BRE NWY SWE", "F EDI B, F LON B", "A EDI B, F LON B"),
        # One of the builds is an army already.
        (f"{NAVY}EDI LON LVP BEL BRE NWY SWE", "A LVP B, F LON B", "A LVP B, F LON B"),
        # Three fleets and the new one are not yet too many.
        (
            "ENGLAND: F BEL, F BRE, F NWY; centers ENGLAND: LON BEL BRE NWY",
            "F LON B",
            "F LON B",
        ),
    ],
)
def test_a_navy_gets_an_army_for_inland_centers(position: str, given: str, wanted: str) -> None:
    source, row = write_row(parse_position(f"W1905A {position}"), "ENGLAND", given)
    repaired = repair(source, row)
    assert read_texts(source, "ENGLAND", repaired) == wanted
    assert not has_slip(source, repaired)


def test_a_navy_that_owns_all_inland_centers_gets_no_army() -> None:
    inland = "MUN PAR MOS WAR VIE BUD SER"
    position = parse_position(f"W1905A {NAVY}EDI LON LVP BEL BRE NWY SWE {inland}")
    source, row = write_row(position, "ENGLAND", "F EDI B, F LON B")
    assert repair(source, row) == row
