"""Positions for the switches about reading orders and choosing between several orders."""

from collections.abc import Sequence

from judge.tests.switches.standing_orders import (
    OrderSet,
    merge_order_sets,
    merge_undated_sets,
)
from switch_parts import A_PAR, F_PAR, Example, Prepare, Switch, make_unit

from diplomaccloud.judge.board import Location
from diplomaccloud.judge.orders import Move, Order, SupportHold
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import Removal, RuleSet


def _merge_sheets(*replaces: bool | None) -> Prepare:
    """Put each order on its own sheet; `replaces` says whether it replaces earlier sheets."""

    def prepare(
        position: Position, orders: Sequence[Order], rules: RuleSet
    ) -> tuple[Position, Sequence[Order]]:
        sets = [OrderSet((o,), says) for o, says in zip(orders, replaces, strict=True)]
        return position, merge_order_sets(sets, rules)

    return prepare


def _merge_undated(
    position: Position, orders: Sequence[Order], rules: RuleSet
) -> tuple[Position, Sequence[Order]]:
    return position, merge_undated_sets([[order] for order in orders], rules)


HOME = {"FRANCE": "BRE PAR MAR"}

COASTS = {
    "default_move_coast": Switch(
        "A fleet can reach two coasts and names neither. Does it go to the first?",
        (Example("Both coasts of Spain are in reach.", "FRANCE: F MAO - SPA"),),
    ),
    "fill_in_only_coast": Switch(
        "A fleet can reach one coast and does not name it. Does it go there?",
        (Example("From Gascony only the north coast is in reach.", "FRANCE: F GAS - SPA"),),
    ),
    "mend_impossible_coast": Switch(
        "A fleet names a coast that it cannot reach. Does it go to the other?",
        (Example("From Gascony only the north coast is in reach.", "FRANCE: F GAS - SPA/SC"),),
    ),
    "support_coast": Switch(
        "Must a support for a fleet name the coast that the fleet moves to?",
        (
            Example(
                "The supported fleet is an own one.", "FRANCE: F MAO - SPA/NC, A GAS S F MAO - SPA"
            ),
            Example(
                "The supported fleet is foreign.",
                """
                FRANCE: A GAS S F MAO - SPA
                ENGLAND: F MAO - SPA/NC
                """,
            ),
            Example(
                "The support names the north coast, and the fleet goes to the south coast.",
                "FRANCE: F MAO - SPA/SC, A GAS S F MAO - SPA/NC",
            ),
        ),
    ),
    "ignore_wrong_unit_coast": Switch(
        "An order names the wrong coast for the fleet that is ordered. Is it followed?",
        (
            Example(
                "The fleet stands on the south coast; the order is F SPA/NC - LYO.",
                "",
                units="FRANCE: F SPA/SC",
                listed=(Move(make_unit("F SPA/NC", "FRANCE"), Location("LYO")),),
            ),
        ),
    ),
    "ignore_needless_coast": Switch(
        "An order names a coast for an army. Is it followed?",
        (Example("An army has no coast.", "FRANCE: A GAS - SPA/NC"),),
    ),
    "default_build_coast": Switch(
        "A fleet is built in a province with two coasts, and the order names neither. "
        "Is it built on the first?",
        (
            Example(
                "Russia may build one unit.",
                "RUSSIA: F STP B",
                phase="W1901A",
                units="RUSSIA: A UKR",
                centers={"RUSSIA": "STP MOS"},
            ),
        ),
    ),
}

WRITING = {
    "kind_missing": Switch(
        "An order does not say whether the unit is an army or a fleet. Is it valid?",
        (
            Example(
                "France writes PAR - BUR.",
                "FRANCE: PAR - BUR",
                units="FRANCE: A PAR",
                as_written=True,
            ),
            Example(
                "France writes PAR - BUR, and A PAR - PIC below it.",
                "FRANCE: PAR - BUR; A PAR - PIC",
                units="FRANCE: A PAR",
                as_written=True,
            ),
        ),
    ),
    "kind_wrong": Switch(
        "An order calls an army a fleet. Is it valid?",
        (
            Example(
                "The order is F PAR - BUR.",
                "",
                units="FRANCE: A PAR",
                listed=(Move(F_PAR, Location("BUR")),),
            ),
            Example(
                "The orders are F PAR - BUR and A PAR - PIC.",
                "",
                units="FRANCE: A PAR",
                listed=(Move(F_PAR, Location("BUR")), Move(A_PAR, Location("PIC"))),
            ),
        ),
    ),
    "build_without_kind": Switch(
        "A build does not say whether it is an army or a fleet. Is it valid?",
        (
            Example(
                "Germany writes MUN B. Munich is inland.",
                "GERMANY: MUN B",
                phase="W1901A",
                units="GERMANY: A SIL",
                centers={"GERMANY": "MUN BER"},
                as_written=True,
            ),
            Example(
                "Russia writes STP/NC B. Only a fleet has a coast.",
                "RUSSIA: STP/NC B",
                phase="W1901A",
                units="RUSSIA: A UKR",
                centers={"RUSSIA": "STP MOS"},
                as_written=True,
            ),
        ),
    ),
    "army_for_inland_fleet": Switch(
        "A fleet is ordered to be built inland. Is an army built instead?",
        (
            Example(
                "Germany writes F MUN B.",
                "GERMANY: F MUN B",
                phase="W1901A",
                units="GERMANY: A SIL",
                centers={"GERMANY": "MUN BER"},
                as_written=True,
            ),
        ),
    ),
    "nationality_missing": Switch(
        "An order supports a foreign unit without naming its power. Is it valid?",
        (
            Example(
                "France writes A PAR S A BUR. The army in Burgundy is German.",
                "FRANCE: A PAR S A BUR",
                units="FRANCE: A PAR\nGERMANY: A BUR",
                as_written=True,
            ),
            Example(
                "France writes A PAR S A BUR - PIC, and A PAR S German A BUR below it.",
                "FRANCE: A PAR S A BUR - PIC; A PAR S German A BUR",
                units="FRANCE: A PAR\nGERMANY: A BUR",
                as_written=True,
            ),
        ),
    ),
    "nationality_wrong": Switch(
        "An order gives the wrong nationality for the unit that it supports. Is it valid?",
        (
            Example(
                "France supports the Italian army in Burgundy, which is German.",
                "",
                units="FRANCE: A PAR\nGERMANY: A BUR",
                listed=(SupportHold(A_PAR, make_unit("A BUR", "ITALY")),),
            ),
            Example(
                "France also orders A PAR - PIC.",
                "",
                units="FRANCE: A PAR\nGERMANY: A BUR",
                listed=(
                    SupportHold(A_PAR, make_unit("A BUR", "ITALY")),
                    Move(A_PAR, Location("PIC")),
                ),
            ),
        ),
    ),
}
CHOOSING = {
    "order_sets": Switch(
        "A power sends two sheets of orders. What does the second one replace?",
        (
            Example(
                "The first sheet orders A MAR - SPA, the second A PAR - BUR and says no more.",
                "FRANCE: A MAR - SPA, A PAR - BUR",
                prepare=_merge_sheets(None, None),
            ),
            Example(
                "The second sheet says that it adds to the first.",
                "FRANCE: A MAR - SPA, A PAR - BUR",
                prepare=_merge_sheets(None, False),
            ),
            Example(
                "The second sheet says that it replaces the first.",
                "FRANCE: A MAR - SPA, A PAR - BUR",
                prepare=_merge_sheets(None, True),
            ),
        ),
    ),
    "undated_sets": Switch(
        "A power has sent two sheets, and nobody knows which came last. Do both count?",
        (
            Example(
                "One sheet orders A MAR - SPA, the other A PAR - BUR.",
                "FRANCE: A MAR - SPA, A PAR - BUR",
                prepare=_merge_undated,
            ),
        ),
    ),
    "several_orders": Switch(
        "A unit has two different legal orders. Which of them counts?",
        (
            Example(
                "France orders A PAR - BUR and A PAR - PIC.", "FRANCE: A PAR - BUR, A PAR - PIC"
            ),
        ),
    ),
    "too_many_builds": Switch(
        "A power orders more builds than it has. Which of them count?",
        (
            Example(
                "France may build two and orders Paris, Marseilles and Brest.",
                "FRANCE: A PAR B, A MAR B, F BRE B",
                phase="W1901A",
                units="FRANCE: A SPA",
                centers=HOME,
            ),
        ),
    ),
    "builds_in_one_place": Switch(
        "A power orders two builds in one province. Which of them counts?",
        (
            Example(
                "France orders an army and a fleet in Brest.",
                "FRANCE: A BRE B, F BRE B",
                phase="W1901A",
                units="FRANCE: A SPA",
                centers=HOME,
            ),
        ),
    ),
    "too_many_disbands": Switch(
        "A power orders more disbands than it owes. Which of them count?",
        (
            Example(
                "France has three units and two centers, and orders two disbands.",
                "FRANCE: A PAR D, A SPA D",
                phase="W1901A",
                units="FRANCE: A SPA, A PAR, F LYO",
                centers={"FRANCE": "PAR MAR"},
            ),
        ),
    ),
    "may_waive": Switch(
        "May a power waive a build?",
        (
            Example(
                "France may build two, orders F BRE B, and waives the other.",
                "FRANCE: F BRE B, WAIVE",
                phase="W1901A",
                units="FRANCE: A SPA",
                centers=HOME,
            ),
        ),
    ),
    "removal": Switch(
        "A power owes a disband and orders none. Which unit does it lose?",
        (
            Example(
                "Trieste is an Austrian home province, but no Austrian center now.",
                "",
                phase="W1901A",
                units="AUSTRIA: A ALB, A MUN",
                centers={"AUSTRIA": "VIE"},
            ),
            Example(
                "Italy’s only center is far from home.",
                "",
                phase="W1901A",
                units="ITALY: A WAR, A TUS",
                centers={"ITALY": "WAR"},
                values=(
                    Removal.HOME_1961,
                    Removal.HOME_1971,
                    Removal.HOME_2000,
                    Removal.OWNED_2023,
                ),
            ),
            Example(
                "By lot among the units outside the home country; here with the seed 7.",
                "",
                phase="W1901A",
                units="FRANCE: A RUH, A TYR, A UKR, A PAR",
                centers={"FRANCE": "PAR MAR BRE"},
                values=(Removal.HOME_1971, Removal.HOME_2000, Removal.RANDOM_2009),
            ),
        ),
    ),
    "disorder_supportable": Switch(
        "Can units of a power that gave no orders be supported to hold?",
        (
            Example(
                "Germany has given no orders.",
                "",
                units="FRANCE: A PAR\nGERMANY: A BUR",
                listed=(SupportHold(A_PAR, make_unit("A BUR", "GERMANY")),),
            ),
        ),
    ),
}
