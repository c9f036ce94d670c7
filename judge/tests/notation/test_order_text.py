"""Whole order sheets, by country, as the rulebooks print them."""

import pytest
from judge.tests.effort import count_calls
from judge.tests.shorthand import BOARD

from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.notation import (
    parse_sheet,
    parse_sheets,
    parse_unit,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position, starting_position

START = starting_position(BOARD)


def at(phase: str, **units: str) -> Position:
    placed = [
        parse_unit(text, BOARD, Power(power))
        for power, texts in units.items()
        for text in texts.split(", ")
    ]
    return Position(Phase.parse(phase), tuple(placed), START.centers)


def read(text: str, position: Position) -> tuple[dict[str, list[str]], list[str]]:
    """Return the orders by power, and what was wrong."""
    sheets = parse_sheets(text, BOARD, position)
    orders = {power: [str(one) for one in sheet.orders] for power, sheet in sheets.items()}
    return orders, [error.message for sheet in sheets.values() for error in sheet.errors]


FALL_1901 = at(
    "F1901M",
    AUSTRIA="A TRI, A BUD, F ALB",
    ENGLAND="A YOR, F NTH, F NWG",
    FRANCE="A BUR, A SPA, F PIC",
    GERMANY="A KIE, A RUH, F DEN",
    ITALY="A PIE, A VEN, F ION",
    RUSSIA="A UKR, A WAR, F BOT, F SEV",
    TURKEY="A BUL, A CON, F ANK",
)
SPRING_1902 = at(
    "S1902M",
    AUSTRIA="A TRI, A VIE, A BUD, F GRE",
    ENGLAND="A NWY, F NTH, F BAR, F EDI",
    FRANCE="A BUR, A POR, F PIC, F MAR",
    GERMANY="A HOL, A RUH, A MUN, F DEN, F KIE",
    ITALY="A VEN, A PIE, F TUN, F NAP",
    RUSSIA="A UKR, A GAL, A STP, A SEV, F SWE, F RUM",
    TURKEY="A BUL, A CON, A SMY, F BLA",
)
FALL_1902 = at(
    "F1902M",
    AUSTRIA="A VIE, A TRI, A SER, F GRE",
    ENGLAND="A NWY, F BAR, F NTH, F EDI",
    FRANCE="A BUR, F PIC, A SPA, F MAR",
    GERMANY="A RUH, A MUN, A BEL, F DEN, F HOL",
    ITALY="A VEN, A PIE, F WES, F TYS",
    RUSSIA="A STP, F SWE, F RUM, A SEV, A GAL, A UKR",
    TURKEY="A BUL, A CON, A ARM, F BLA",
)

SHEETS: dict[str, tuple[str, Position, dict[str, list[str]]]] = {
    "Spring 1901 of 1961": (
        """England: A Liv.—Yor. F Lon.—North Sea F Edi.—Norw. Sea
        Russia: A Mos.—Ukr. A War.—Gal. F St. P.—Both. F Sev.—Bla.
        Austria-Hungary: A Vie.—Tri. A Bud.—Gal. F Tri.—Alb.
        Italy: A Ven.—Pie. A Rome—Ven. F Nap.—Ion.""",
        START,
        {
            "ENGLAND": ["A LVP - YOR", "F LON - NTH", "F EDI - NWG"],
            "RUSSIA": ["A MOS - UKR", "A WAR - GAL", "F STP/SC - BOT", "F SEV - BLA"],
            "AUSTRIA": ["A VIE - TRI", "A BUD - GAL", "F TRI - ALB"],
            "ITALY": ["A VEN - PIE", "A ROM - VEN", "F NAP - ION"],
        },
    ),
    "Fall 1901 of 1961, with empty lines between": (
        """England: A Yor.—Norway F North Sea C A Yor.—Norway F Norw. Sea—Bar.

        Germany: A Kiel—Hol. A Ruhr—Bel. F Stands

        Russia: A Ukr S F Sev.—Rum. A War.—Gal. F Both.—Swe. F Sev.—Rum.

        Austria-Hungary: A Tri. Stand A Bud.—Ser. F Alb.—Gre.""",
        FALL_1901,
        {
            "ENGLAND": ["A YOR - NWY", "F NTH C A YOR - NWY", "F NWG - BAR"],
            "GERMANY": ["A KIE - HOL", "A RUH - BEL", "F DEN H"],
            "RUSSIA": ["A UKR S F SEV - RUM", "A WAR - GAL", "F BOT - SWE", "F SEV - RUM"],
            "AUSTRIA": ["A TRI H", "A BUD - SER", "F ALB - GRE"],
        },
    ),
    "Spring 1902 of 1961, a sheet going on after an empty line": (
        """Russia: A Ukr. S F Rum. A Gal.—Bud. A St. P.—Norway A Sev. S F Rum. F
        Swe. S St. P.—Norway F Rum. Stands
        Italy: A Ven. Stands A Pie.—Mar. F Tun.—W Med. F Nap.—Tyr.
        England: A Nor.—St. P. F North Sea—Norway F Bar. S Nor.—St. P

        F Edi.—North Sea""",
        SPRING_1902,
        {
            "RUSSIA": [
                "A UKR S F RUM",
                "A GAL - BUD",
                "A STP - NWY",
                "A SEV S F RUM",
                "F SWE S A STP - NWY",
                "F RUM H",
            ],
            "ITALY": ["A VEN H", "A PIE - MAR", "F TUN - WES", "F NAP - TYS"],
            "ENGLAND": ["A NWY - STP", "F NTH - NWY", "F BAR S A NWY - STP", "F EDI - NTH"],
        },
    ),
    "Fall 1902 of 1961, orders broken between lines": (
        """Turkey: A Bul.—Rum. A Con.—Bul. A Arm.—Sev. F S A Bul.—Rum.

        Austria-Hungary: A Vie.—Gal. A Tri.—Bud. A Ser. S Turk. A Bul.
        Rum. F Stands

        Italy: A Ven.—Pie. A Pie.—Mar. F W Med.—Mid. F Tyr.—Gulf of L.

        France: A Bur.—Bel. F Pic. S Bur.—Bel. A Spa. S F Mar. F Mar. S A
        Spa.""",
        FALL_1902,
        {
            "TURKEY": ["A BUL - RUM", "A CON - BUL", "A ARM - SEV", "F BLA S A BUL - RUM"],
            "AUSTRIA": ["A VIE - GAL", "A TRI - BUD", "A SER S A BUL - RUM", "F GRE H"],
            "ITALY": ["A VEN - PIE", "A PIE - MAR", "F WES - MAO", "F TYS - LYO"],
            "FRANCE": ["A BUR - BEL", "F PIC S A BUR - BEL", "A SPA S F MAR", "F MAR S A SPA"],
        },
    ),
    "Spring 1902 of 2000": (
        """Austria: A Tri-Bud, A Vie-bud, A Bud-Ser, F Gre Holds
        England: A Nwy-StP, F Nth-Nwy, F Bar S A Nwy-Stp, F Edi-Nth
        France: A Bur S F Pic-Bel, A Port-Spa, F Pic-Bel,
        F Mar Holds
        Italy: A Ven Holds, A Pie-Mar, F Tun-West, F Nap-Tyn""",
        SPRING_1902,
        {
            "AUSTRIA": ["A TRI - BUD", "A VIE - BUD", "A BUD - SER", "F GRE H"],
            "ENGLAND": ["A NWY - STP", "F NTH - NWY", "F BAR S A NWY - STP", "F EDI - NTH"],
            "FRANCE": ["A BUR S F PIC - BEL", "A POR - SPA", "F PIC - BEL", "F MAR H"],
            "ITALY": ["A VEN H", "A PIE - MAR", "F TUN - WES", "F NAP - TYS"],
        },
    ),
    "countries one after the other on a line": (
        "Germany: Army Prussia to Warsaw, Army Silesia supports Prussia to Warsaw. "
        "Russia: Army Warsaw stands, Army Bohemia to Silesia.",
        at("S1901M", GERMANY="A PRU, A SIL", RUSSIA="A WAR, A BOH"),
        {
            "GERMANY": ["A PRU - WAR", "A SIL S A PRU - WAR"],
            "RUSSIA": ["A WAR H", "A BOH - SIL"],
        },
    ),
    "what the introduction of 1961 writes": (
        'Germany writes, "Munich army to Ruhr, Kiel fleet to Holland,\nBerlin army to Silesia." '
        'England writes, "London fleet to North Sea,\nEdinburgh fleet to Norwegian Sea, '
        'Liverpool army to Yorkshire."',
        START,
        {
            "GERMANY": ["A MUN - RUH", "F KIE - HOL", "A BER - SIL"],
            "ENGLAND": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"],
        },
    ),
    "sentences with the unit's kind behind": (
        "Germany: Burgundy army to Paris. Picardy army supports Burgundy army in attack on Paris.",
        at("S1901M", GERMANY="A BUR, A PIC"),
        {"GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"]},
    ),
    "one order on a line under a country's name alone": (
        "GERMANY\nMUN - TYR\nA BER H\n\nFRANCE\nPAR - BUR",
        START,
        {"GERMANY": ["A MUN - TYR", "A BER H"], "FRANCE": ["A PAR - BUR"]},
    ),
    "a table copied with its bars and underlining": (
        "| | |\n|----------|--|\n| Austria: | A Vie-Tri, <u>A Bud-Gal</u> , F Tri-Alb |\n"
        "| Russia: | A Mos-Ukr, <u>A War-Gal</u> , F StP-Bot, <u>F Sev-Bl</u> |\n\n"
        "| Turkey: | A Con-Bul, A Smy-Con, <u>F Ank-Bl</u> |",
        START,
        {
            "AUSTRIA": ["A VIE - TRI", "A BUD - GAL", "F TRI - ALB"],
            "RUSSIA": ["A MOS - UKR", "A WAR - GAL", "F STP/SC - BOT", "F SEV - BLA"],
            "TURKEY": ["A CON - BUL", "A SMY - CON", "F ANK - BLA"],
        },
    ),
    "builds and removals of 1961": (
        "England builds F Edi., Germany builds F Kiel and A Mun., Austria-Hungary builds A\n"
        "Vie., Italy does not change, France removes A Spa.",
        at(
            "W1901A",
            ENGLAND="A NWY",
            GERMANY="A HOL",
            AUSTRIA="A TRI",
            FRANCE="A SPA, A BUR, A PIC, A GAS",
        ),
        {
            "ENGLAND": ["F EDI B"],
            "GERMANY": ["F KIE B", "A MUN B"],
            "AUSTRIA": ["A VIE B"],
            "ITALY": [],
            "FRANCE": ["A SPA D"],
        },
    ),
}


@pytest.mark.parametrize(("text", "position", "orders"), SHEETS.values(), ids=SHEETS)
def test_a_printed_sheet_is_read(
    text: str, position: Position, orders: dict[str, list[str]]
) -> None:
    assert read(text, position) == (orders, [])


def test_retreats_are_read_as_printed() -> None:
    out = [("A STP", "RUSSIA", "MOS"), ("A BUR", "FRANCE", "GAS")]
    gone = tuple(
        Dislodged(parse_unit(text, BOARD, Power(who)), ProvinceCode("NWY"), (Location(to),))
        for text, who, to in out
    )
    position = Position(Phase.parse("F1902R"), (), {}, gone)
    orders, errors = read("Retreats: Russia, St. P.—Mos., France, Bur.—Gas.", position)
    assert orders == {"RUSSIA": ["A STP R MOS"], "FRANCE": ["A BUR R GAS"]}
    assert errors == []


POSTED = """\
F London holds (or) F Lon holds
A Paris-Burgundy (or) A Par-Bur
A Mar S A Par-Bur
(or the a[/u]rmy in Mar[/u]seilles s[/u]upports the a[/u]rmy moving from Par[/u]is to Bur[/u]gundy)
(or the f[/u]leet in the Bla[/u]ck Sea c[/u]onvoys the a[/u]rmy from Ank[/u]ara to Sev[/u]astopol)
"""
"""Orders as document 3 shows them, with what a forum left of its underlining."""


def test_orders_are_read_as_posted_each_in_two_ways() -> None:
    position = at("S1901M", FRANCE="A PAR, A MAR, F LON, F BLA, A ANK")
    sheet = parse_sheet(POSTED, BOARD, position, Power("FRANCE"))
    assert sheet.errors == ()
    assert list(dict.fromkeys(map(str, sheet.orders))) == [
        "F LON H",
        "A PAR - BUR",
        "A MAR S A PAR - BUR",
        "F BLA C A ANK - SEV",
    ]


def test_other_ways_that_mean_something_else_are_other_orders() -> None:
    position = at("S1901M", FRANCE="A PAR")
    sheet = parse_sheet("A Par-Bur (or) A Par-Gas", BOARD, position, Power("FRANCE"))
    assert [str(one) for one in sheet.orders] == ["A PAR - BUR", "A PAR - GAS"]


def test_a_wrong_order_does_not_spoil_the_others_on_its_line() -> None:
    sheet = parse_sheet(
        "A Bur.—Bel. F Pic. S Bur.—Bel. A Spa. S F Maer. F Mar. Stands",
        BOARD,
        FALL_1902,
        Power("FRANCE"),
    )
    assert [str(one) for one in sheet.orders] == ["A BUR - BEL", "F PIC S A BUR - BEL", "F MAR H"]
    (error,) = sheet.errors
    assert error.text == "A Spa. S F Maer."
    assert error.message == "'MAER' is not a province. Did you mean MAR?"


def test_lines_are_not_joined_where_each_makes_sense() -> None:
    sheet = parse_sheet("A BUR S A BEL\nF MAR - LYO", BOARD, FALL_1902, Power("FRANCE"))
    assert [str(one) for one in sheet.orders] == ["A BUR S A BEL", "F MAR - LYO"]


def test_errors_name_the_line_of_the_whole_text() -> None:
    sheets = parse_sheets("England: A NWY H\nFrance:\nA BUR - XYZ", BOARD, FALL_1902)
    assert [error.line for error in sheets[Power("FRANCE")].errors] == [3]


HOSTILE = {
    "headings": "France: " * 50_000,
    "headings without colons": "France " * 60_000,
    "blanks after a heading": "France" + " " * 450_000,
    "half orders": "France: " + "A BUR S\n" * 50_000,
    "one word a line": "France:\n" + "x\n" * 200_000,
    "kinds": "France: " + "a " * 200_000,
    "orders on one line": "France: " + "A BUR H " * 490,
    "units in lines": "France:\n" + ("A BUR S " * 400 + "\n") * 100,
    "letters of other alphabets": "Fгаnсе: А ВUR Н\n" * 20_000,
    "control characters": "France:\x00\x07\x1b[31m\x85\u2028" * 30_000,
    "a megabyte": "France: A BUR H\n" * 65_536,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_sheets_are_answered_quickly(text: str) -> None:
    sheets, calls = count_calls(lambda: parse_sheets(text, BOARD, FALL_1902))
    assert calls < 2_300_000
    for sheet in sheets.values():
        assert len(sheet.orders) + len(sheet.errors) <= 251


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("Ａ ＢＵＲ － ＢＥＬ", "A BUR - BEL"),
        ("𝐀 𝐁𝐔𝐑 𝐇", "A BUR H"),
        ("A Bür - Bél", "A BUR - BEL"),
        ("А BUR H", None),
        ("A ВUR H", None),
        ("A BUR\u200b H", None),
        ("A BUR\u202e H", None),
        ("A BUR \u0397", None),
    ],
)
def test_letters_that_look_alike_are_read_or_named(text: str, read_as: str | None) -> None:
    sheet = parse_sheet(text, BOARD, FALL_1902, Power("FRANCE"))
    if read_as is None:
        assert sheet.orders == ()
        assert sheet.errors[0].message.startswith("Orders cannot contain the character")
    else:
        assert [str(one) for one in sheet.orders] == [read_as]
