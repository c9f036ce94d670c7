"""Retreats, ownership, winters, civil disorder and victory."""

from dataclasses import replace

import pytest
from judge.tests.shorthand import (
    BOARD,
    driven_out,
    order,
    play,
    position,
    result,
    standing,
    unit,
    words,
)

from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.adjustments import adjustments_owed, removal_order
from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import EDITIONS


@pytest.mark.parametrize(
    "orders",
    [
        ("A BOH R TYR", "A VIE R TYR"),
        ("F MAO R SPA/NC", "F WES R SPA/SC"),
        ("A GAS R SPA", "F WES R SPA/SC"),
    ],
)
def test_units_that_retreat_to_one_province_are_disbanded(orders: tuple[str, str]) -> None:
    """On any of its coasts: a province has room for one unit."""
    units, places = zip(*(text.split(" R ") for text in orders), strict=True)
    start = replace(
        position("ITALY: A ROM H", "S1901R"),
        dislodged=tuple(
            Dislodged(unit(text, "ITALY"), ProvinceCode("MUN"), (Location(place),))
            for text, place in zip(units, places, strict=True)
        ),
    )
    resolution = adjudicate(BOARD, start, [order(text, "ITALY") for text in orders])
    assert words(resolution, *units) == dict.fromkeys(units, "disbanded")
    assert not result(resolution, units[0]).succeeded
    assert standing(resolution) == ["ITALY A ROM"]
    assert str(resolution.next.phase) == "F1901M"


def test_an_illegal_retreat_disbands_and_does_not_bounce_another() -> None:
    start = replace(
        position("ITALY: A ROM H", "S1901R"),
        dislodged=(
            Dislodged(unit("A BOH", "ITALY"), ProvinceCode("MUN"), (Location("VIE"),)),
            Dislodged(unit("A VEN", "ITALY"), ProvinceCode("TRI"), (Location("TYR"),)),
        ),
    )
    given = [order("A BOH R TYR", "ITALY"), order("A VEN R TYR", "ITALY")]
    resolution = adjudicate(BOARD, start, given)
    assert words(resolution, "A BOH", "A VEN") == {"A BOH": "void", "A VEN": "retreated"}
    assert resolution.destroyed == (unit("A BOH", "ITALY"),)


def test_ownership_changes_only_after_fall() -> None:
    spring = play("GERMANY: F DEN H", phase="S1901M")
    assert (spring.gained, dict(spring.next.centers)) == ((), {})
    fall = play("GERMANY: F DEN H", phase="F1901M")
    assert fall.gained == (("DEN", "GERMANY"),)
    assert dict(fall.next.centers) == {"DEN": "GERMANY"}


def test_a_winter_with_nothing_to_order_is_skipped() -> None:
    assert str(play("GERMANY: F DEN H", phase="F1901M").next.phase) == "S1902M"
    assert str(play("GERMANY: F DEN H, A RUH H", phase="F1901M").next.phase) == "W1901A"


def winter(text: str, centers: dict[str, str]) -> Position:
    return position(text, "W1901A", centers)


def test_builds_are_limited_by_vacant_owned_home_centers() -> None:
    start = winter("GERMANY: A BER H, A DEN H", {"GERMANY": "BER MUN DEN HOL BEL", "FRANCE": "KIE"})
    assert adjustments_owed(BOARD, start, Power("GERMANY")) == 1
    assert powers_to_order(BOARD, start) == {"GERMANY"}


def test_the_first_possible_builds_count_and_the_rest_is_void() -> None:
    start = winter("GERMANY: F DEN H", {"GERMANY": "BER MUN DEN"})
    given = [order(text, "GERMANY") for text in ("A WAR B", "A MUN B", "F MUN B", "A KIE B")]
    given += [order("F BER B", "GERMANY"), order("WAIVE", "GERMANY")]
    resolution = adjudicate(BOARD, start, given)
    told = {str(one.order): one.outcome.value for one in resolution.results}
    assert told == {
        "A MUN B": "built",
        "F BER B": "built",
        "A WAR B": "void",
        "F MUN B": "void",
        "A KIE B": "void",
        "WAIVE": "void",
    }
    assert standing(resolution) == ["GERMANY A MUN", "GERMANY F BER", "GERMANY F DEN"]
    assert str(resolution.next.phase) == "S1902M"


def test_builds_nobody_ordered_are_waived() -> None:
    start = winter("GERMANY: F DEN H", {"GERMANY": "BER MUN DEN"})
    resolution = adjudicate(BOARD, start, [order("A MUN B", "GERMANY")])
    waived = [one for one in resolution.results if one.outcome is Outcome.WAIVED]
    assert [one.implicit for one in waived] == [True]


def test_too_few_disbands_are_completed_by_civil_disorder() -> None:
    start = winter("FRANCE: A PAR H, F LYO H, A RUM H", {"FRANCE": "PAR"})
    resolution = adjudicate(BOARD, start, [order("F LYO D", "FRANCE")] * 2)
    told = [(str(one.order), one.outcome.value, one.implicit) for one in resolution.results]
    assert told == [
        ("F LYO D", "disbanded", False),
        ("F LYO D", "void", False),
        ("A RUM D", "disbanded", True),
    ]
    assert standing(resolution) == ["FRANCE A PAR"]


REMOVALS = [
    ("2000", "RUSSIA: A LVN H, A SWE H", {"RUSSIA": "STP"}, "A SWE"),
    ("2023", "RUSSIA: A LVN H, A UKR H", {"RUSSIA": "MOS"}, "A LVN"),
    ("2023", "ITALY: A WAR H, A TUS H", {"ITALY": "WAR"}, "A TUS"),
    ("2000", "ITALY: A WAR H, A TUS H", {"ITALY": "WAR"}, "A WAR"),
    ("2023", "ITALY: A GRE H, A PIE H", {"ITALY": "NAP"}, "A PIE"),
    ("2000", "RUSSIA: A BUD H, F SWE H", {"RUSSIA": "WAR"}, "F SWE"),
    ("2023", "AUSTRIA: A LVN H, A LVP H", {}, "A LVP"),
]


@pytest.mark.parametrize(("edition", "text", "centers", "first"), REMOVALS)
def test_civil_disorder_removes_first(
    edition: str, text: str, centers: dict[str, str], first: str
) -> None:
    start = winter(text, centers)
    power = start.units[0].power
    assert str(removal_order(BOARD, start, power, EDITIONS[edition], "")[0]) == first


def test_the_2009_draw_removes_units_abroad_first_and_depends_only_on_the_seed() -> None:
    start = winter("FRANCE: A PAR H, A RUH H, A MUN H, A BRE H, F NTH H", {})
    rules = EDITIONS["2009"]
    drawn = [removal_order(BOARD, start, Power("FRANCE"), rules, str(seed)) for seed in range(30)]
    assert all({one.province for one in units[:3]} == {"RUH", "MUN", "NTH"} for units in drawn)
    assert len({tuple(units) for units in drawn}) > 3
    again = removal_order(BOARD, start, Power("FRANCE"), rules, "7")
    assert list(again) == list(drawn[7])


ALL = [p.code for p in BOARD.provinces if p.center]


@pytest.mark.parametrize(
    ("mine", "theirs", "winners"),
    [(18, 10, ("TURKEY",)), (17, 10, None), (18, 16, ("TURKEY",))],
)
def test_victory_is_the_sole_lead_with_enough_centers(
    mine: int, theirs: int, winners: tuple[str, ...] | None
) -> None:
    centers = {"TURKEY": " ".join(ALL[:mine]), "FRANCE": " ".join(ALL[mine : mine + theirs])}
    start = position("TURKEY: A MOS H", "F1907M", centers)
    start = replace(start, units=(unit(f"A {ALL[0]}", "TURKEY"),))
    ending = adjudicate(BOARD, start, ()).ending
    assert (ending.winners if ending else None) == winners


def test_a_tie_at_the_top_is_no_victory() -> None:
    board = replace(BOARD, victory_centers=10)
    centers = {"TURKEY": " ".join(ALL[:12]), "FRANCE": " ".join(ALL[12:24])}
    start = position("TURKEY: A BUD H", "F1907M", centers)
    assert adjudicate(board, start, ()).ending is None


def test_a_power_with_nothing_left_has_nothing_to_order() -> None:
    start = replace(starting_position(BOARD), units=(), centers={})
    assert powers_to_order(BOARD, start) == frozenset()
    assert str(adjudicate(BOARD, start, ()).next.phase) == "F1901M"


def test_the_convoyed_attackers_start_is_open_to_retreat_only_in_2023() -> None:
    text = """
    FRANCE: A GAS - MAR VIA, A BUR S A GAS - MAR, F MAO C A GAS - MAR, F WES C A GAS - MAR
    FRANCE: F LYO C A GAS - MAR
    ITALY: A MAR H
    """
    assert driven_out(play(text)) == {"A MAR": ("PIE", "SPA")}
    assert driven_out(play(text, EDITIONS["2023"])) == {"A MAR": ("GAS", "PIE", "SPA")}
