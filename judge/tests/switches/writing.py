"""Rows for the switches of what is written: coasts, kinds of unit, nations, illegal orders."""

from judge.tests.shorthand import unit
from judge.tests.switches.looking import (
    Row,
    build_sheet,
    given,
    retreats,
    sheet,
    told,
    winter,
    word,
)

from diplomaccloud.judge.board import Location
from diplomaccloud.judge.orders import Move, SupportHold, SupportMove
from diplomaccloud.judge.rules import BuildKind, Lapse, SupportCoast

OPEN_COAST = """
FRANCE: F MAO - SPA/NC, A GAS S F MAO - SPA
"""
ALLIED_COAST = """
FRANCE: A GAS S F MAO - SPA
ENGLAND: F MAO - SPA/NC
"""

ROWS = [
    Row(
        "default_move_coast",
        "both coasts are in reach",
        word("F MAO", "FRANCE: F MAO - SPA"),
        {True: "moved", False: "void"},
    ),
    Row(
        "fill_in_only_coast",
        "one coast is in reach",
        word("F GAS", "FRANCE: F GAS - SPA"),
        {True: "moved", False: "void"},
    ),
    Row(
        "mend_impossible_coast",
        "the other coast is named",
        word("F GAS", "FRANCE: F GAS - SPA/SC"),
        {True: "moved", False: "void"},
    ),
    Row(
        "support_coast",
        "an own fleet is supported",
        word("A GAS", OPEN_COAST),
        {
            SupportCoast.IGNORED: "given",
            SupportCoast.OPTIONAL: "given",
            SupportCoast.OWN_OPTIONAL: "given",
            SupportCoast.REQUIRED: "void",
        },
    ),
    Row(
        "support_coast",
        "a foreign fleet is supported",
        word("A GAS", ALLIED_COAST),
        {
            SupportCoast.IGNORED: "given",
            SupportCoast.OPTIONAL: "given",
            SupportCoast.OWN_OPTIONAL: "void",
            SupportCoast.REQUIRED: "void",
        },
    ),
    Row(
        "support_coast",
        "another coast is named",
        word("A GAS", "FRANCE: F MAO - SPA/SC, A GAS S F MAO - SPA/NC"),
        {
            SupportCoast.IGNORED: "given",
            SupportCoast.OPTIONAL: "void",
            SupportCoast.OWN_OPTIONAL: "void",
            SupportCoast.REQUIRED: "void",
        },
    ),
    Row(
        "ignore_wrong_unit_coast",
        "the fleet stands on the south coast",
        told(
            "F SPA/SC",
            given("FRANCE: F SPA/SC H", Move(unit("F SPA/NC", "FRANCE"), Location("LYO"))),
        ),
        {True: "moved", False: "void"},
    ),
    Row(
        "ignore_needless_coast",
        "an army is given a coast",
        word("A GAS", "FRANCE: A GAS - SPA/NC"),
        {True: "moved", False: "void"},
    ),
    Row(
        "default_build_coast",
        "no coast is named",
        winter("RUSSIA: A UKR H", "STP MOS", "RUSSIA", "F STP B"),
        {True: "AUKR FSTP/NC", False: "AUKR"},
    ),
    Row(
        "kind_missing",
        "no letter stands before the unit",
        sheet("A PAR", "FRANCE: A PAR H", "FRANCE", "PAR - BUR"),
        {Lapse.INVALID: "hold", Lapse.VALID: "moved", Lapse.UNLESS_ANOTHER: "moved"},
    ),
    Row(
        "kind_missing",
        "another order has the letter",
        sheet("A PAR", "FRANCE: A PAR H", "FRANCE", "PAR - BUR\nA PAR - PIC"),
        {Lapse.INVALID: "moved", Lapse.VALID: "void", Lapse.UNLESS_ANOTHER: "moved"},
    ),
    Row(
        "kind_wrong",
        "an army is called a fleet",
        told("A PAR", given("FRANCE: A PAR H", Move(unit("F PAR", "FRANCE"), Location("BUR")))),
        {Lapse.INVALID: "void", Lapse.VALID: "moved", Lapse.UNLESS_ANOTHER: "moved"},
    ),
    Row(
        "kind_wrong",
        "another order calls it an army",
        told(
            "A PAR",
            given(
                "FRANCE: A PAR H",
                Move(unit("F PAR", "FRANCE"), Location("BUR")),
                Move(unit("A PAR", "FRANCE"), Location("PIC")),
            ),
        ),
        {Lapse.INVALID: "moved", Lapse.VALID: "void", Lapse.UNLESS_ANOTHER: "moved"},
    ),
    Row(
        "kind_wrong",
        "as text",
        sheet("A PAR", "FRANCE: A PAR H", "FRANCE", "F PAR - BUR"),
        {Lapse.INVALID: "void", Lapse.VALID: "moved"},
    ),
    Row(
        "build_without_kind",
        "inland",
        build_sheet("MUN", "GERMANY", "MUN B"),
        {BuildKind.NONE: "", BuildKind.INLAND: "AMUN", BuildKind.INLAND_OR_COAST: "AMUN"},
    ),
    Row(
        "build_without_kind",
        "where a coast is named",
        build_sheet("STP", "RUSSIA", "STP/NC B"),
        {BuildKind.NONE: "", BuildKind.INLAND: "", BuildKind.INLAND_OR_COAST: "FSTP/NC"},
    ),
    Row(
        "army_for_inland_fleet",
        "a fleet is to be built inland",
        build_sheet("MUN", "GERMANY", "F MUN B"),
        {True: "AMUN", False: ""},
    ),
    Row(
        "nationality_missing",
        "a foreign unit is supported",
        sheet("A PAR", "FRANCE: A PAR H\nGERMANY: A BUR H", "FRANCE", "A PAR S A BUR"),
        {Lapse.INVALID: "hold", Lapse.VALID: "given", Lapse.UNLESS_ANOTHER: "given"},
    ),
    Row(
        "nationality_missing",
        "another order names the nation",
        sheet(
            "A PAR",
            "FRANCE: A PAR H\nGERMANY: A BUR H",
            "FRANCE",
            "A PAR S A BUR - PIC\nA PAR S German A BUR",
        ),
        {Lapse.INVALID: "given", Lapse.VALID: "void", Lapse.UNLESS_ANOTHER: "given"},
    ),
    Row(
        "nationality_wrong",
        "a German unit is called Italian",
        told(
            "A PAR",
            given(
                "FRANCE: A PAR H\nGERMANY: A BUR H",
                SupportHold(unit("A PAR", "FRANCE"), unit("A BUR", "ITALY")),
            ),
        ),
        {Lapse.INVALID: "void", Lapse.VALID: "given", Lapse.UNLESS_ANOTHER: "given"},
    ),
    Row(
        "nationality_wrong",
        "another order calls it German",
        told(
            "A PAR",
            given(
                "FRANCE: A PAR H\nGERMANY: A BUR H",
                SupportMove(unit("A PAR", "FRANCE"), unit("A BUR", "ITALY"), Location("PIC")),
                SupportHold(unit("A PAR", "FRANCE"), unit("A BUR", "GERMANY")),
            ),
        ),
        {Lapse.INVALID: "given", Lapse.VALID: "void", Lapse.UNLESS_ANOTHER: "given"},
    ),
    Row(
        "nationality_wrong",
        "as text",
        sheet("A PAR", "FRANCE: A PAR H\nGERMANY: A BUR H", "FRANCE", "A PAR S Italian A BUR"),
        {Lapse.INVALID: "void", Lapse.VALID: "given"},
    ),
    Row(
        "illegal_orders_count",
        "an impossible move beside a support",
        sheet(
            "A HOL",
            "GERMANY: F KIE H, A HOL H",
            "GERMANY",
            "F KIE H\nA HOL S F KIE\nA HOL - PIC",
        ),
        {True: "void", False: "given"},
    ),
    Row(
        "illegal_orders_count",
        "an impossible move refuses support",
        retreats(
            "A VEN",
            """
            AUSTRIA: A VEN - MOS
            ITALY: A ROM S A VEN
            FRANCE: A PIE - VEN, A TUS S A PIE - VEN
            """,
        ),
        {True: ("APU", "TRI", "TYR"), False: None},
    ),
    Row(
        "orders_clarify",
        "the own support names the coast",
        word("F MAO", "FRANCE: F MAO - SPA, A GAS S F MAO - SPA/NC"),
        {True: "moved", False: "void"},
    ),
    Row(
        "implicit_orders",
        "a move that is only supported",
        told(
            "F KIE",
            given(
                "GERMANY: A RUH H, F KIE H",
                SupportMove(unit("A RUH", "GERMANY"), unit("F KIE", "GERMANY"), Location("HOL")),
            ),
        ),
        {True: "moved", False: "hold"},
    ),
    Row(
        "disorder_supportable",
        "a power without any order is supported",
        told(
            "A PAR",
            given(
                "FRANCE: A PAR H\nGERMANY: A BUR H",
                SupportHold(unit("A PAR", "FRANCE"), unit("A BUR", "GERMANY")),
            ),
        ),
        {True: "given", False: "void"},
    ),
]
