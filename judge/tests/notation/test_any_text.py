"""Hostile and random text gets an answer, and the text of every order reads back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import count_calls, examples
from judge.tests.notation.positions import BOARD, CENTERS, NORTH, RETREATS, WINTER

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import NotationError, parse_order, parse_sheet
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.units import Unit

HOSTILE = {
    "a megabyte": "A MUN H\n" * 140_000,
    "one endless line": "A" * 60_000,
    "tens of thousands of lines": "x\n" * 30_000,
    "unknown names": "\n".join(f"A QX{number}ZWKVQXZWPP - FOOBAR" for number in range(240)),
    "prefixes": "\n".join("A " + "n " * 140 for _ in range(220)),
    "dashes": "\n".join("A MUN" + " - NTH" * 45 for _ in range(220)),
    "by sea": "\n".join("A HOL - NWY by" + " NTH" * 60 for _ in range(220)),
    "brackets": "(((((" * 12_000,
    "control characters": "\x00\x1b[2J\u202e" * 10_000,
    "accents without end": "A" + "\u0301" * 60_000,
    "one letter that becomes eighteen": "\ufdfa" * 60_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_answered_quickly(text: str) -> None:
    sheet, calls = count_calls(lambda: parse_sheet(text, BOARD, NORTH, Power("GERMANY")))
    assert calls < 1_200_000
    assert sheet.errors or sheet.orders
    assert len(sheet.errors) <= 250


def test_a_sheet_too_long_is_one_clear_error() -> None:
    sheet = parse_sheet("A MUN H\n" * 10_000, BOARD, NORTH, Power("GERMANY"))
    assert sheet.orders == ()
    (error,) = sheet.errors
    assert error.message == "A sheet has at most 65536 characters; this one has 80000."


@given(st.text(max_size=400))
def test_any_text_is_an_order_or_a_notation_error(text: str) -> None:
    for position in (NORTH, WINTER, RETREATS):
        sheet = parse_sheet(text, BOARD, position, Power("FRANCE"))
        assert all(len(error.message) < 400 for error in sheet.errors)


WORDS = (
    "A F MUN Nor St P - / ( ) to S C H via by B D R NC south coast of the army fleet German "
    "WAIVE build EC SPA Gulf in x"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=14))
def test_any_words_are_an_order_or_a_notation_error(words: list[str]) -> None:
    for position in (NORTH, WINTER, RETREATS):
        try:
            parse_order(" ".join(words), BOARD, position, Power("GERMANY"))
        except NotationError:
            continue


PLACES = [Unit(kind, place, Power("X")) for kind in UnitKind for place in BOARD.locations(kind)]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Return a position with up to a dozen units of three powers anywhere on the board."""
    placed = draw(st.lists(st.sampled_from(PLACES), max_size=12, unique_by=lambda u: u.province))
    powers = st.sampled_from(["ENGLAND", "RUSSIA", "TURKEY"])
    found = tuple(Unit(unit.kind, unit.location, Power(draw(powers))) for unit in placed)
    stage = draw(st.sampled_from(["S1901M", "S1901M", "W1901A"]))
    return Position(Phase.parse(stage), found, CENTERS)


@examples(60)
@given(positions())
def test_the_text_of_a_legal_order_reads_back_as_that_order(position: Position) -> None:
    for power in ("ENGLAND", "RUSSIA", "TURKEY"):
        for order in legal_orders(BOARD, position, Power(power)):
            assert parse_order(str(order), BOARD, position, Power(power)) == order


def test_the_text_of_a_retreat_reads_back_as_that_retreat() -> None:
    for order in legal_orders(BOARD, RETREATS, Power("FRANCE")):
        assert parse_order(str(order), BOARD, RETREATS, Power("FRANCE")) == order


AWKWARD = ["VIA", "SUP", "THE", "FOR", "MOV", "RET", "OUR", "FRA", "ARM", "FLE", "DIS", "AND"]


def test_codes_that_look_like_words_of_orders_read_back() -> None:
    """Codes of generated maps may be any three letters; the site prints them, so they win."""
    provinces = tuple(
        Province(ProvinceCode(code), f"{code.title()}onia", Terrain.COASTAL, center=True)
        for code in AWKWARD
    )
    sea = Province(ProvinceCode("ITS"), "Itsian Sea", Terrain.SEA)
    codes = [province.code for province in provinces]
    pairs = [(one, other) for one in codes for other in codes if one < other]
    shores = [(Location(code), Location("ITS")) for code in codes]
    power = Power("FRANCONIA")
    board = Board(
        name="awkward",
        powers=(PowerInfo(power, "Franconia", "Franconian"),),
        provinces=(*provinces, sea),
        army_borders=tuple(pairs),
        fleet_borders=(*[(Location(a), Location(b)) for a, b in pairs], *shores),
        starts=(
            *(Start(power, UnitKind.ARMY, Location(code)) for code in codes[:8]),
            Start(power, UnitKind.FLEET, Location("ITS")),
        ),
        victory_centers=7,
    )
    position = starting_position(board)
    orders = legal_orders(board, position, power)
    assert len(orders) > 500
    for order in orders:
        assert parse_order(str(order), board, position, power) == order
