"""Orders as other sites and programs write them, and our orders in their words."""

import doctest
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.notation.positions import BOARD, CENTERS, NORTH, RETREATS, WINTER, units
from judge.tests.notation.test_any_text import positions

from diplomaccloud.judge.board import Location, Power, UnitKind, province_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import (
    NotationError,
    parse_order,
    parse_pieces,
    parse_sheet,
    to_daide,
    to_webdiplomacy,
)
from diplomaccloud.judge.notation.words import CONDITIONS, DENIALS
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Hold,
    InvalidOrder,
    Move,
    Order,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit

BUILDS = Position(WINTER.phase, (), CENTERS)
COASTS = Position(
    Phase.parse("S1901M"),
    units(FRANCE="A PAR, A MAR, F SPA/SC, A POR", TURKEY="F CON, A SMY", RUSSIA="F STP/SC, A NWY"),
    {},
)

MOVEMENT = [
    # DAIDE
    ("FRANCE", "(FRA AMY PAR) MTO BUR", "A PAR - BUR"),
    ("FRANCE", "( ( FRA AMY PAR ) MTO BUR )", "A PAR - BUR"),
    ("FRANCE", "( fra amy par ) mto bur", "A PAR - BUR"),
    ("GERMANY", "(GER AMY MUN) HLD", "A MUN H"),
    ("FRANCE", "(FRA AMY PIC) SUP (FRA AMY PAR)", "A PIC S A PAR"),
    ("FRANCE", "(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR", "A PIC S A PAR - BUR"),
    ("FRANCE", "(FRA FLT WES) SUP (FRA FLT GOL) MTO SPA", "F WES S F LYO - SPA/SC"),
    ("ENGLAND", "(ENG FLT MAO) MTO (SPA NCS)", "F MAO - SPA/NC"),
    ("ENGLAND", "(ENG FLT ECH) MTO BEL", "F ENG - BEL"),
    ("ENGLAND", "(ENG FLT ECH) CVY (ENG AMY LON) CTO BEL", "F ENG C A LON - BEL"),
    ("ENGLAND", "(ENG AMY LON) CTO NWY VIA (NTH)", "A LON - NWY"),
    ("GERMANY", "(GER AMY HOL) CTO BEL VIA (NTH)", "A HOL - BEL VIA"),
    ("GERMANY", "(GER AMY HOL) CTO BEL VIA ( NTH ECH )", "A HOL - BEL VIA"),
    ("RUSSIA", "(RUS FLT (STP SCS)) MTO GOB", "F STP/SC - BOT"),
    # webDiplomacy
    ("GERMANY", "The army at Munich hold.", "A MUN H"),
    ("FRANCE", "The army at Paris move to Burgundy.", "A PAR - BUR"),
    (
        "FRANCE",
        "The army at Picardy support move to Burgundy from Paris.",
        "A PIC S A PAR - BUR",
    ),
    ("FRANCE", "Picardy support move to Burgundy from Marseilles", "A PIC S A MAR - BUR"),
    ("FRANCE", "The army at Picardy support hold to Paris.", "A PIC S A PAR"),
    ("FRANCE", "The army at Picardy support hold the army in Paris", "A PIC S A PAR"),
    (
        "ENGLAND",
        "The fleet at English Channel convoy to Belgium from London.",
        "F ENG C A LON - BEL",
    ),
    (
        "ENGLAND",
        "The fleet at English Channel convoy an army to Belgium from London",
        "F ENG C A LON - BEL",
    ),
    ("GERMANY", "The army at Holland move to Belgium via convoy.", "A HOL - BEL VIA"),
    ("GERMANY", "The army at Holland move to Belgium via land", "A HOL - BEL"),
    ("GERMANY", "The army at Holland move to Norway (via convoy)", "A HOL - NWY"),
    ("ENGLAND", "The fleet at Mid-Atlantic Ocean move to Spain (North Coast).", "F MAO - SPA/NC"),
    ("ITALY", "The fleet at Constantinople move to Bulgaria (North Coast).", "F CON - BUL/EC"),
    ("ITALY", "The fleet at Constantinople move to Bulgaria (South Coast).", "F CON - BUL/SC"),
    ("GERMANY", "The fleet at Heligoland Bight hold", "F HEL H"),
    ("FRANCE", "F LYO -> SPA (sc)", "F LYO - SPA/SC"),
    ("FRANCE", "A PIC S A PAR -> BUR", "A PIC S A PAR - BUR"),
    ("GERMANY", "A HOL -> BEL via convoy", "A HOL - BEL VIA"),
    # diplicity
    ("FRANCE", "A Paris Move to Burgundy", "A PAR - BUR"),
    ("GERMANY", "A Holland Move via Convoy to Belgium", "A HOL - BEL VIA"),
    ("ENGLAND", "A London Move via Convoy to Norway", "A LON - NWY"),
    ("FRANCE", "A Picardy Supports A Paris", "A PIC S A PAR"),
    ("FRANCE", "A Picardy Supports A Paris to Burgundy", "A PIC S A PAR - BUR"),
    ("FRANCE", "Army Picardy support Paris to hold", "A PIC S A PAR"),
    ("ENGLAND", "F English Channel Convoys A London to Belgium", "F ENG C A LON - BEL"),
    ("FRANCE", "par move bur", "A PAR - BUR"),
    ("GERMANY", "hol move bel via convoy", "A HOL - BEL VIA"),
    ("FRANCE", "pic support par move bur", "A PIC S A PAR - BUR"),
    ("ENGLAND", "eng convoy lon move bel", "F ENG C A LON - BEL"),
    # DiplomacyGM
    ("FRANCE", "A Picardy s h Paris", "A PIC S A PAR"),
    ("FRANCE", "Picardy supports_hold Paris", "A PIC S A PAR"),
    ("FRANCE", "Picardy sh Paris", "A PIC S A PAR"),
    ("FRANCE", "army Picardy Supports Paris Hold", "A PIC S A PAR"),
    ("FRANCE", "army Picardy Supports Paris - Burgundy", "A PIC S A PAR - BUR"),
    ("FRANCE", "A Picardy s A Paris m Burgundy", "A PIC S A PAR - BUR"),
    ("GERMANY", "fleet North Sea Convoys Holland - Norway", "F NTH C A HOL - NWY"),
    ("GERMANY", "army Holland Convoys - Belgium", "A HOL - BEL VIA"),
    # Backstabbr
    ("FRANCE", "A Par - Bur", "A PAR - BUR"),
    ("FRANCE", "Par → Bur", "A PAR - BUR"),
    ("GERMANY", "F NTH C A Hol - Nwy", "F NTH C A HOL - NWY"),
    ("FRANCE", "A Pic supports A Par -> Bur", "A PIC S A PAR - BUR"),
    ("FRANCE", "A Pic supports Par to hold", "A PIC S A PAR"),
    # E-mail judges, forums
    ("FRANCE", "A(PAR)-BUR", "A PAR - BUR"),
    ("FRANCE", "A (Par) - Bur", "A PAR - BUR"),
    ("FRANCE", "A(Pic) S A(Par)-Bur", "A PIC S A PAR - BUR"),
    ("RUSSIA", "F(STP/SC)-BOT", "F STP/SC - BOT"),
    ("RUSSIA", "F(STP(SC))-BOT", "F STP/SC - BOT"),
    ("FRANCE", "A PIC (S) A PAR - BUR", "A PIC S A PAR - BUR"),
    ("FRANCE", "A PIC (S) PAR - BUR", "A PIC S A PAR - BUR"),
    ("FRANCE", "A(PIC)(S)A(PAR)-BUR", "A PIC S A PAR - BUR"),
    ("FRANCE", "A PIC (supports) A PAR", "A PIC S A PAR"),
    ("ENGLAND", "F ENG (C) A LON - BEL", "F ENG C A LON - BEL"),
    ("GERMANY", "A MUN (H)", "A MUN H"),
    ("RUSSIA", "F STP (S) A NWY - SWE", "F STP/SC S A NWY - SWE"),
    ("RUSSIA", "F STP (S) - BOT", "F STP/SC - BOT"),
    ("RUSSIA", "F STP (s) S A NWY - SWE", "F STP/SC S A NWY - SWE"),
    # By land
    ("GERMANY", "A HOL - BEL by land", "A HOL - BEL"),
    ("GERMANY", "A HOL - BEL (by land)", "A HOL - BEL"),
    ("GERMANY", "A HOL - BEL overland", "A HOL - BEL"),
    ("FRANCE", "A PIC supports the move from Paris to Burgundy", "A PIC S A PAR - BUR"),
    # Lists
    ("FRANCE", "* A PAR - BUR", "A PAR - BUR"),
    ("FRANCE", "- A PAR - BUR", "A PAR - BUR"),
    ("FRANCE", "• A PAR - BUR", "A PAR - BUR"),
    ("FRANCE", "1. A PAR - BUR", "A PAR - BUR"),
    ("FRANCE", "(2) A PAR - BUR", "A PAR - BUR"),
    ("FRANCE", "3.) A PAR - BUR", "A PAR - BUR"),
    ("FRANCE", "+ A PAR - BUR", "A PAR - BUR"),
]


@pytest.mark.parametrize(("power", "text", "canonical"), MOVEMENT)
def test_a_movement_order_is_read(power: str, text: str, canonical: str) -> None:
    assert str(parse_order(text, BOARD, NORTH, Power(power))) == canonical
    sheet = parse_sheet(text, BOARD, NORTH, Power(power))
    assert (list(map(str, sheet.orders)), sheet.errors) == ([canonical], ())


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(FRA AMY PAR) BLD", "A PAR B"),
        ("Build army at Paris.", "A PAR B"),
        ("Build an army at Paris", "A PAR B"),
        ("Build Army in Paris", "A PAR B"),
        ("par Build Army", "A PAR B"),
        ("build paris a", "A PAR B"),
        ("place fleet Brest", "F BRE B"),
        ("(FRA WVE)", "WAIVE"),
        ("( ( FRA WVE ) )", "WAIVE"),
        ("Do not use build order.", "WAIVE"),
        ("Wait/Postpone build.", "WAIVE"),
        ("France waives", "WAIVE"),
    ],
)
def test_a_build_is_read(text: str, canonical: str) -> None:
    assert str(parse_order(text, BOARD, BUILDS, Power("FRANCE"))) == canonical
    sheet = parse_sheet(text, BOARD, BUILDS, Power("FRANCE"))
    assert (list(map(str, sheet.orders)), sheet.errors) == ([canonical], ())


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(ENG AMY WAL) REM", "A WAL D"),
        ("Destroy the unit at Norway.", "F NWY D"),
        ("Destroy a unit at Norway", "F NWY D"),
        ("remove wal", "A WAL D"),
        ("wal disband", "A WAL D"),
        ("Destroy F NWY", "F NWY D"),
    ],
)
def test_a_removal_is_read(text: str, canonical: str) -> None:
    assert str(parse_order(text, BOARD, WINTER, Power("ENGLAND"))) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(FRA AMY BUR) RTO GAS", "A BUR R GAS"),
        ("(FRA FLT POR) RTO (SPA NCS)", "F POR R SPA/NC"),
        ("(FRA AMY BUR) DSB", "A BUR D"),
        ("The army at Burgundy retreat to Gascony.", "A BUR R GAS"),
        ("The army at Burgundy disband.", "A BUR D"),
        ("A BUR retreats to GAS", "A BUR R GAS"),
        ("A BUR disbands", "A BUR D"),
        ("A BUR (R) GAS", "A BUR R GAS"),
    ],
)
def test_a_retreat_is_read(text: str, canonical: str) -> None:
    assert str(parse_order(text, BOARD, RETREATS, Power("FRANCE"))) == canonical


@pytest.mark.parametrize(
    ("position", "power", "text", "message"),
    [
        (NORTH, "GERMANY", "A HOL - NWY by land", "A HOL cannot go to NWY by land"),
        (NORTH, "ENGLAND", "(ENG AMY LON) MTO NWY", "A LON cannot go to NWY by land"),
        (NORTH, "GERMANY", "A HOL - NTH - NWY by land", "A HOL cannot go to NWY by land"),
        (NORTH, "FRANCE", "(FRA AMY PAR) MTO XYZ", "'XYZ' is not a province"),
        (NORTH, "FRANCE", "(FRA AMY PAR) JMP BUR", "'(FRA AMY PAR) JMP BUR' is not a DAIDE order"),
        (NORTH, "FRANCE", "(FRA AMY PAR", "'(FRA AMY PAR' is not a DAIDE order"),
        (NORTH, "FRANCE", "(FRA AMY PAR) CTO LON VIA ()", "'(FRA AMY PAR) CTO LON VIA ()' is not"),
        (NORTH, "FRANCE", "(FRA AMY PAR) CTO LON", "'(FRA AMY PAR) CTO LON' is not a DAIDE order"),
        (NORTH, "FRANCE", "(XXX AMY PAR) MTO BUR", "'(XXX AMY PAR) MTO BUR' is not a DAIDE order"),
        (NORTH, "FRANCE", "(GER AMY MUN) MTO BUR", "A MUN is not yours: it belongs to Germany"),
        (
            NORTH,
            "FRANCE",
            "A PIC support move to Burgundy",
            "A unit is missing at the end of the order",
        ),
        (NORTH, "FRANCE", "(FRA AMY /) MTO BUR", "'(FRA AMY /) MTO BUR' is not a DAIDE order"),
        (BUILDS, "FRANCE", "(ENG WVE)", "This is an order for England, not for you"),
        (BUILDS, "FRANCE", "England waives", "This is an order for England, not for you"),
    ],
)
def test_the_error_says_what_is_wrong(
    position: Position, power: str, text: str, message: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_order(text, BOARD, position, Power(power))
    assert str(caught.value).startswith(message)


def test_orders_of_daide_may_follow_each_other() -> None:
    text = "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY XYZ) HLD)\n( ( FRA FLT GOL ) HLD )"
    pieces = parse_pieces(text, BOARD, NORTH, [Power("FRANCE")])
    assert [(piece.text, piece.message or str(piece.orders[0])) for piece in pieces] == [
        ("((FRA AMY PAR) MTO BUR)", "A PAR - BUR"),
        ("((FRA AMY XYZ) HLD)", "'XYZ' is not a province."),
        ("( ( FRA FLT GOL ) HLD )", "F LYO H"),
    ]


def test_each_power_may_waive_in_its_own_name() -> None:
    powers = [Power("FRANCE"), Power("ENGLAND")]
    (piece,) = parse_pieces("(ENG WVE)", BOARD, BUILDS, powers)
    assert piece.orders == (Waive(Power("ENGLAND")),)


WRITTEN: list[tuple[str, Position, str, str]] = [
    ("A PAR - BUR", COASTS, "(FRA AMY PAR) MTO BUR", "The army at Paris move to Burgundy."),
    ("A PAR H", COASTS, "(FRA AMY PAR) HLD", "The army at Paris hold."),
    (
        "F SPA/SC S A MAR",
        COASTS,
        "(FRA FLT (SPA SCS)) SUP (FRA AMY MAR)",
        "The fleet at Spain (South Coast) support hold to Marseilles.",
    ),
    (
        "A MAR S A PAR - BUR",
        COASTS,
        "(FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR",
        "The army at Marseilles support move to Burgundy from Paris.",
    ),
    (
        "F SPA/SC - LYO",
        COASTS,
        "(FRA FLT (SPA SCS)) MTO GOL",
        "The fleet at Spain (South Coast) move to Gulf of Lyons.",
    ),
    (
        "A BUR R GAS",
        RETREATS,
        "(FRA AMY BUR) RTO GAS",
        "The army at Burgundy retreat to Gascony.",
    ),
    ("A BUR D", RETREATS, "(FRA AMY BUR) DSB", "The army at Burgundy disband."),
    ("F BRE B", BUILDS, "(FRA FLT BRE) BLD", "Build fleet at Brest."),
    ("WAIVE", BUILDS, "(FRA WVE)", "Do not use build order."),
]


@pytest.mark.parametrize(("text", "position", "daide", "webdiplomacy"), WRITTEN)
def test_an_order_is_written(text: str, position: Position, daide: str, webdiplomacy: str) -> None:
    order = parse_order(text, BOARD, position, Power("FRANCE"))
    assert to_daide(order, BOARD, position) == daide
    assert to_webdiplomacy(order, BOARD, position) == webdiplomacy


@pytest.mark.parametrize(
    ("power", "text", "daide"),
    [
        ("GERMANY", "A HOL - NWY", "(GER AMY HOL) CTO NWY VIA (NTH)"),
        ("GERMANY", "A HOL - BEL VIA", "(GER AMY HOL) CTO BEL VIA (NTH)"),
        ("ENGLAND", "A LON - SPA", "(ENG AMY LON) CTO SPA VIA (ECH MAO)"),
        ("ENGLAND", "A LON - TUN", "(ENG AMY LON) CTO TUN VIA (ECH MAO WES)"),
        # No fleets: the shortest way over any seas. No seas: a move that is refused.
        ("FRANCE", "A MAR - TUN", "(FRA AMY MAR) CTO TUN VIA (GOL TYS)"),
        ("FRANCE", "A PAR - MOS", "(FRA AMY PAR) MTO MOS"),
        ("GERMANY", "A HOL - BEL", "(GER AMY HOL) MTO BEL"),
    ],
)
def test_a_convoyed_army_names_its_seas(power: str, text: str, daide: str) -> None:
    order = parse_order(text, BOARD, NORTH, Power(power))
    assert to_daide(order, BOARD, NORTH) == daide


def test_a_removal_is_not_a_retreat() -> None:
    order = parse_order("F NWY D", BOARD, WINTER, Power("ENGLAND"))
    assert to_daide(order, BOARD, WINTER) == "(ENG FLT NWY) REM"
    assert to_webdiplomacy(order, BOARD, WINTER) == "Destroy the unit at Norway."


def test_what_cannot_be_written_is_an_error() -> None:
    text = InvalidOrder(Power(""), "A PAR jumps")
    for write in (to_daide, to_webdiplomacy):
        with pytest.raises(ValueError, match="not an order: 'A PAR jumps'"):
            write(text, BOARD, NORTH)
    with pytest.raises(ValueError, match="there is no power 'NARNIA' on this board"):
        to_daide(Hold(Unit(UnitKind.ARMY, Location("PAR"), Power("NARNIA"))), BOARD, NORTH)
    inland = Move(Unit(UnitKind.ARMY, Location("PAR"), Power("FRANCE")), Location("BUR"), True)
    with pytest.raises(ValueError, match="no sea connects PAR and BUR"):
        to_daide(inland, BOARD, NORTH)


def drop_coast(order: Order) -> Order:
    """Return what DAIDE keeps of `order`: no coast in a support, unless only one is possible."""
    if isinstance(order, SupportMove) and order.target.kind is UnitKind.FLEET:
        near = BOARD.destinations(UnitKind.FLEET, order.target.location)
        if sum(province_of(place) == province_of(order.to) for place in near) > 1:
            return replace(order, to=Location(province_of(order.to)))
    return order


def require_round_trip(position: Position) -> None:
    for order in legal_orders(BOARD, position):
        power = power_of(order)
        daide = to_daide(order, BOARD, position)
        assert parse_order(daide, BOARD, position, power) == drop_coast(order), daide
        sentence = to_webdiplomacy(order, BOARD, position)
        assert parse_order(sentence, BOARD, position, power) == order, sentence


@examples(12)
@given(positions())
def test_every_legal_order_reads_back(position: Position) -> None:
    require_round_trip(position)


@pytest.mark.parametrize("position", [NORTH, WINTER, RETREATS, BUILDS, COASTS])
def test_every_order_of_a_known_position_reads_back(position: Position) -> None:
    require_round_trip(position)


ORDERS = [(p, order) for p in (NORTH, WINTER, RETREATS) for order in legal_orders(BOARD, p)]


@examples(150)
@given(
    st.sampled_from(ORDERS),
    st.sampled_from([to_daide, to_webdiplomacy]),
    st.integers(0, 12),
    st.sampled_from(sorted(CONDITIONS | DENIALS)),
)
def test_a_word_that_denies_or_qualifies_leaves_no_order(listed, write, place, word) -> None:
    position, order = listed
    words = write(order, BOARD, position).split(" ")
    words.insert(place, word)
    with pytest.raises(NotationError):
        parse_order(" ".join(words), BOARD, position, power_of(order))


def test_a_second_wrong_name_behind_a_route_is_an_error_too() -> None:
    (piece,) = parse_pieces("A BEL - HOL by NTH//", BOARD, NORTH, [Power("GERMANY")])
    assert piece.message.startswith("A BEL is not yours")


def test_the_examples_of_the_guide_are_true() -> None:
    guide = Path(__file__).parents[3] / "docs" / "notation.md"
    assert doctest.testfile(str(guide), module_relative=False).failed == 0


def test_all_kinds_of_orders_are_among_them() -> None:
    listed = {type(order) for p in (NORTH, BUILDS) for order in legal_orders(BOARD, p)}
    assert {Hold, Move, SupportMove, Convoy, Build, Waive} <= listed
