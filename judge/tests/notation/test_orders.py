"""Orders in every style that the documents print, and what is said about the others."""

import re
from pathlib import Path

import pytest
from judge.tests.notation.positions import BOARD, NORTH, RETREATS, WINTER

from diplomaccloud.judge.board import (
    Location,
    Power,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.notation import NotationError, parse_order, parse_sheet
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit


@pytest.mark.parametrize(
    ("power", "text", "canonical"),
    [
        # The sample orders of the 1961 booklet.
        ("GERMANY", "A MUN H", "A MUN H"),
        ("GERMANY", "A RUH—HOL", "A RUH - HOL"),
        ("GERMANY", "F HEL S F NTH", "F HEL S F NTH"),
        ("GERMANY", "F HEL S A RUH—HOL", "F HEL S A RUH - HOL"),
        ("GERMANY", "A HOL S A FRA PIC—BEL", "A HOL S A PIC - BEL"),
        ("GERMANY", "A HOL S A RUS BEL", "A HOL S A BEL"),
        ("GERMANY", "A HOL—NWY", "A HOL - NWY"),
        ("GERMANY", "F NTH C A HOL—NWY", "F NTH C A HOL - NWY"),
        # The 2000 rulebook and the forum's reference files.
        ("FRANCE", "A Paris-Burgundy", "A PAR - BUR"),
        ("FRANCE", "A Par S A Mar-Bur", "A PAR S A MAR - BUR"),
        ("FRANCE", "F GoL C A Spa-Nap", "F LYO C A SPA - NAP"),
        ("FRANCE", "F Wes C English A Lon-Tun", "F WES C A LON - TUN"),
        ("ENGLAND", "F Edi Holds", "F EDI H"),
        ("ENGLAND", "F Edi-Holds", "F EDI H"),
        ("ENGLAND", "F Eng—C A Lon—Bel", "F ENG C A LON - BEL"),
        ("ITALY", "F Con-Bul EC", "F CON - BUL/EC"),
        # Plain English.
        (
            "FRANCE",
            "the army in Paris supports the army moving from Marseilles to Burgundy",
            "A PAR S A MAR - BUR",
        ),
        ("ENGLAND", "Yorkshire army to Holland by North Sea fleet", "A YOR - HOL"),
        ("FRANCE", "Picardy army supports Paris army in attack on Burgundy", "A PIC S A PAR - BUR"),
        (
            "FRANCE",
            "The fleet in the Gulf of Lyon convoys the army from Spain to Naples",
            "F LYO C A SPA - NAP",
        ),
        ("GERMANY", "Our army in Munich is to attack Tyrolia", "A MUN - TYR"),
        ("GERMANY", "Munich stands in place", "A MUN H"),
        # No unit letter, or the wrong one, or the wrong nation's name.
        ("GERMANY", "MUN - TYR", "A MUN - TYR"),
        ("GERMANY", "F MUN - TYR", "A MUN - TYR"),
        ("GERMANY", "HEL S F RUH - HOL", "F HEL S A RUH - HOL"),
        ("GERMANY", "A HOL S ENGLISH A BEL", "A HOL S A BEL"),
        ("GERMANY", "German A Mun H", "A MUN H"),
        # No place, when there is only one unit of that kind.
        ("AUSTRIA", "F stands", "F BUL/SC H"),
        ("AUSTRIA", "A S Fleet in Bulgaria", "A TYR S F BUL/SC"),
        # Orders in brackets, and remnants of tags.
        ("GERMANY", "A Mun S (A Ruh-Hol)", "A MUN S A RUH - HOL"),
        ("GERMANY", "A MUN S (Ruhr - Hol)", "A MUN S A RUH - HOL"),
        ("GERMANY", "A MUN S (A RUH)", "A MUN S A RUH"),
        ("GERMANY", "F NTH C (A HOL - NWY)", "F NTH C A HOL - NWY"),
        ("GERMANY", "A MUN - (TYR)", "A MUN - TYR"),
        ("GERMANY", "the a[/u]rmy in Munich to Tyrolia", "A MUN - TYR"),
        ("GERMANY", "[b]A MUN[/b] - TYR", "A MUN - TYR"),
        # Words for moves.
        ("GERMANY", "A MUN -> TYR", "A MUN - TYR"),
        ("GERMANY", "A MUN m TYR", "A MUN - TYR"),
        ("GERMANY", "a mun moves to tyrolia", "A MUN - TYR"),
        ("GERMANY", "A MUN TYR", "A MUN - TYR"),
        ("GERMANY", "A MUN – TYR.", "A MUN - TYR"),
        # Coasts of every shape; a coast that cannot be meant is ignored.
        ("ENGLAND", "F MAO - SPA/NC", "F MAO - SPA/NC"),
        ("ENGLAND", "F MAO - SPA (nc)", "F MAO - SPA/NC"),
        ("ENGLAND", "F MAO - SPA NC", "F MAO - SPA/NC"),
        ("ENGLAND", "F MAO - Spain north coast", "F MAO - SPA/NC"),
        ("ENGLAND", "F MAO - the north coast of Spain", "F MAO - SPA/NC"),
        ("ENGLAND", "F MAO-SPA-NC", "F MAO - SPA/NC"),
        ("FRANCE", "F WES - SPA", "F WES - SPA/SC"),
        ("FRANCE", "A MAR - SPA/NC", "A MAR - SPA"),
        ("AUSTRIA", "F BUL/EC - AEG", "F BUL/SC - AEG"),
        ("AUSTRIA", "F BUL - CON", "F BUL/SC - CON"),
        ("RUSSIA", "F STP/SC - BOT", "F STP/SC - BOT"),
        ("GERMANY", "A MUN S F STP/NC - BOT", "A MUN S F STP/SC - BOT"),
        # Convoys that the army's order names.
        ("ENGLAND", "A LON - BEL VIA", "A LON - BEL"),
        ("GERMANY", "A HOL - BEL via convoy", "A HOL - BEL VIA"),
        ("GERMANY", "A HOL - BEL (via convoy)", "A HOL - BEL VIA"),
        ("ENGLAND", "A LON - NTH - NWY", "A LON - NWY"),
        ("RUSSIA", "A BEL S A HOL - NWY VIA", "A BEL S A HOL - NWY"),
        ("GERMANY", "F NTH C A HOL - NWY via convoy", "F NTH C A HOL - NWY"),
        # Names with several meanings, of which the position or the unit leaves one.
        ("ENGLAND", "F Mid - NAt", "F MAO - NAO"),
        ("FRANCE", "F WES - Tyr", "F WES - TYS"),
        ("GERMANY", "A MUN - Tyr", "A MUN - TYR"),
        ("ITALY", "F Tyr - Gulf of L.", "F TYS - LYO"),
        ("RUSSIA", "A Nor - St. P.", "A NWY - STP"),
        ("RUSSIA", "F Stp S Nor - Swe", "F STP/SC S A NWY - SWE"),
        ("ENGLAND", "eng s eng f edi", "F ENG S F EDI"),
        ("ENGLAND", "F EDI - Norw. Sea", "F EDI - NWG"),
        ("ENGLAND", "F ENG - NorthSea", "F ENG - NTH"),
        ("ENGLAND", "F MAO - W. Med", "F MAO - WES"),
    ],
)
def test_a_movement_order_is_understood(power: str, text: str, canonical: str) -> None:
    assert str(parse_order(text, BOARD, NORTH, Power(power))) == canonical


@pytest.mark.parametrize(
    ("power", "text", "canonical"),
    [
        ("GERMANY", "A KIE B", "A KIE B"),
        ("GERMANY", "BUILD A KIE", "A KIE B"),
        ("GERMANY", "F Kie", "F KIE B"),
        ("GERMANY", "Germany builds F Kiel", "F KIE B"),
        ("GERMANY", "build a fleet in Kiel", "F KIE B"),
        ("GERMANY", "Germany builds a new Fleet in Kiel", "F KIE B"),
        ("GERMANY", "WAIVE", "WAIVE"),
        ("GERMANY", "waive build", "WAIVE"),
        ("GERMANY", "build waived", "WAIVE"),
        ("RUSSIA", "F STP/NC B", "F STP/NC B"),
        ("RUSSIA", "B F STP (sc)", "F STP/SC B"),
        ("RUSSIA", "build STP south coast", "F STP/SC B"),
        ("RUSSIA", "WAR B", "A WAR B"),
        ("RUSSIA", "A St P", "A STP B"),
        ("ENGLAND", "A YOR D", "A YOR D"),
        ("ENGLAND", "REMOVE A YOR", "A YOR D"),
        ("ENGLAND", "DISBAND NWY", "F NWY D"),
        ("ENGLAND", "England removes A Wales", "A WAL D"),
        ("ENGLAND", "A BEL", "A BEL D"),
    ],
)
def test_an_adjustment_is_understood(power: str, text: str, canonical: str) -> None:
    assert str(parse_order(text, BOARD, WINTER, Power(power))) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A BUR R GAS", "A BUR R GAS"),
        ("A Bur-Gas", "A BUR R GAS"),
        ("Bur retreats to Gascony", "A BUR R GAS"),
        ("retreat A BUR to PIC", "A BUR R PIC"),
        ("A BUR GAS", "A BUR R GAS"),
        ("A BUR D", "A BUR D"),
        ("disband BUR", "A BUR D"),
        ("F POR R SPA/NC", "F POR R SPA/NC"),
    ],
)
def test_the_dislodged_unit_is_found_under_its_attacker(text: str, canonical: str) -> None:
    order = parse_order(text, BOARD, RETREATS, Power("FRANCE"))
    assert str(order) == canonical


@pytest.mark.parametrize(
    ("position", "power", "text", "message"),
    [
        (NORTH, "GERMANY", "PRA H", "'PRA' is not a province. Did you mean PAR, PRU or POR?"),
        (NORTH, "GERMANY", "A MUN - TIROLYA", "'TIROLYA' is not a province. Did you mean TYR?"),
        (NORTH, "GERMANY", "A MUN - SWI", "Switzerland is impassable: no unit may enter it"),
        (NORTH, "GERMANY", "A MUN - Switzerland", "Switzerland is impassable"),
        (NORTH, "GERMANY", "A PIC H", "A PIC is not yours: it belongs to France"),
        (NORTH, "ITALY", "TYR H", "A TYR is not yours: it belongs to Austria"),
        (NORTH, "GERMANY", "A DEN H", "There is no unit in DEN (Denmark)"),
        (NORTH, "GERMANY", "A MUN S A BUR", "There is no unit in BUR (Burgundy)"),
        (NORTH, "ENGLAND", "F EDI - NOR", "'NOR' is ambiguous: write NAF (North Africa), NWY"),
        (NORTH, "GERMANY", "A MUN - Liv", "'LIV' is ambiguous: write LVP (Liverpool) or LVN"),
        (NORTH, "ENGLAND", "F EDI - Gulf of", "'GULF' is ambiguous: write BOT"),
        (NORTH, "ENGLAND", "F MAO - SPA", "SPA has several coasts: write SPA/NC or SPA/SC"),
        (NORTH, "ENGLAND", "F MAO - SPA/XX", "'XX' is not a coast"),
        (NORTH, "GERMANY", "A MUN", "No order follows A MUN. Write A MUN - …,"),
        (NORTH, "GERMANY", "A MUN jumps", "'jumps' is not an order for A MUN. Write"),
        (
            NORTH,
            "GERMANY",
            "A MUN R TYR",
            "'R' after A MUN is not an order for Spring 1901, Movement",
        ),
        (NORTH, "GERMANY", "A MUN - TYR now", "'now' makes no sense after A MUN - TYR"),
        (NORTH, "GERMANY", "A MUN -", "A province is missing at the end of the order"),
        (NORTH, "GERMANY", "A HOL - BEL(", "A coast is missing at the end of the order"),
        (NORTH, "GERMANY", "(", "A province is missing at the end of the order"),
        (NORTH, "GERMANY", "(A MUN H)", "The bracket or slash before 'A' makes no sense"),
        (NORTH, "GERMANY", "(not A MUN - TYR)", "The bracket or slash before 'NOT' makes no"),
        (NORTH, "GERMANY", "A MUN S (A RUX - HOL)", "'RUX' is not a province"),
        (NORTH, "GERMANY", "A MUN H (A RUH - HOL)", "'(A RUH - HOL)' makes no sense after A MUN"),
        (NORTH, "GERMANY", "A MUN H or (A RUH - HOL)", "'or (A RUH - HOL)' makes no sense after"),
        (NORTH, "GERMANY", "A MUN H unless  F NTH - STP/NC", "'unless' makes no sense after A MUN"),
        (NORTH, "GERMANY", "A MUN H or STP/NC", "'or STP/NC' makes no sense after A MUN H"),
        (NORTH, "GERMANY", "A RUH - MUN - KIE", "A RUH cannot go through MUN"),
        (NORTH, "GERMANY", "F NTH C A YOR", "The order does not say where A YOR goes"),
        (NORTH, "GERMANY", "F H", "Say which fleet: you have F HEL and F NTH"),
        (NORTH, "GERMANY", "", "The order is empty"),
        (NORTH, "GERMANY", "...", "The order is empty"),
        (NORTH, "GERMANY", "А MUN H", "Orders cannot contain the character 'а' (cyrillic"),
        (NORTH, "GERMANY", "A MUN\x00H", "Orders cannot contain the character '\\x00'"),
        (NORTH, "GERMANY", "A MUN H" + " " * 300, "An order has at most 300 characters"),
        (WINTER, "GERMANY", "KIE", "Specify army or fleet: write A KIE B or F KIE B"),
        (WINTER, "GERMANY", "F MUN B", "No fleet can stand in MUN (Munich)"),
        (WINTER, "RUSSIA", "F STP B", "STP has several coasts: write F STP/NC or F STP/SC"),
        (WINTER, "ENGLAND", "A YOR H", "'H' is not an order for Winter 1901"),
        (WINTER, "ENGLAND", "REMOVE A MUN", "A MUN is not yours: it belongs to Germany"),
        (RETREATS, "FRANCE", "A BUR H", "'H' after A BUR is not an order for Fall 1901, Retreats"),
        (RETREATS, "GERMANY", "A BUR R GAS", "A BUR is not yours: it belongs to France"),
        (RETREATS, "ENGLAND", "A PAR R GAS", "The unit in PAR was not dislodged"),
        (RETREATS, "FRANCE", "A GAS R PAR", "There is no dislodged unit in GAS (Gascony)"),
    ],
)
def test_the_error_says_what_is_wrong(
    position: Position, power: str, text: str, message: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_order(text, BOARD, position, Power(power))
    assert str(caught.value).startswith(message)


def test_the_examples_in_the_documentation_are_read_as_it_says() -> None:
    text = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
    table = text.partition("| Germany writes | read as |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1:3] for row in table.splitlines()[2:]]
    assert len(rows) >= 8
    for written, canonical in rows:
        for example in re.findall("`([^`]+)`", written):
            order = parse_order(example, BOARD, NORTH, Power("GERMANY"))
            assert str(order) == canonical.strip().strip("`"), example


def test_every_name_code_and_alias_of_the_board_is_understood() -> None:
    for province in BOARD.provinces:
        kind = UnitKind.FLEET if province.terrain is Terrain.SEA else UnitKind.ARMY
        unit = Unit(kind, Location(province.code), Power("ITALY"))
        position = Position(Phase.parse("S1901M"), (unit,), {})
        for spelling in (province.code, province.name, *province.aliases):
            for written in (spelling, spelling.upper(), spelling.lower()):
                order = parse_order(f"{kind} {written} H", BOARD, position, Power("ITALY"))
                assert str(order) == f"{unit} H", spelling


def test_no_two_provinces_share_a_name_or_alias() -> None:
    owners: dict[str, str] = {}
    for province in BOARD.provinces:
        for spelling in (province.code, province.name, *province.aliases):
            assert owners.setdefault(spelling.upper(), province.code) == province.code, spelling


def test_a_sheet_gives_its_orders_and_an_error_for_each_bad_line() -> None:
    text = """# our plan
    Germany: A MUN - TYR
    A RUH H; F HEL H, A HOL - BLE

    France: A PIC H
    F NTH - NWY
    """
    sheet = parse_sheet(text, BOARD, NORTH, Power("GERMANY"))
    assert [str(order) for order in sheet.orders] == [
        "A MUN - TYR",
        "A RUH H",
        "F HEL H",
        "F NTH - NWY",
    ]
    assert [(one.line, one.text) for one in sheet.errors] == [
        (3, "A HOL - BLE"),
        (5, "France: A PIC H"),
    ]
    assert sheet.errors[0].message == "'BLE' is not a province. Did you mean BEL, BUL or BRE?"
    assert sheet.errors[1].message == "This is an order for France, not for you."


@pytest.mark.parametrize(
    ("position", "power", "line", "orders"),
    [
        (
            NORTH,
            "GERMANY",
            "A Mun. S Ruhr—Hol. A Hol.—Bel. F North Sea S A Hol.-Bel F Hel Stands",
            ["A MUN S A RUH - HOL", "A HOL - BEL", "F NTH S A HOL - BEL", "F HEL H"],
        ),
        (NORTH, "GERMANY", "A MUN H and A RUH H", ["A MUN H", "A RUH H"]),
        (WINTER, "GERMANY", "builds F Kiel and A Ber", ["F KIE B", "A BER B"]),
        (WINTER, "ENGLAND", "removes A Wal A Yor", ["A WAL D", "A YOR D"]),
    ],
)
def test_orders_may_follow_each_other_on_a_line(
    position: Position, power: str, line: str, orders: list[str]
) -> None:
    sheet = parse_sheet(line, BOARD, position, Power(power))
    assert sheet.errors == ()
    assert [str(order) for order in sheet.orders] == orders


def test_a_single_order_is_not_followed_by_another() -> None:
    with pytest.raises(NotationError, match="'a ruh h' makes no sense after A MUN H"):
        parse_order("A MUN H A RUH H", BOARD, NORTH, Power("GERMANY"))
