"""A small position, or a few, for every switch of the rules: what the page of switches draws.

`docs/rules.md` says what each value means and why the default is what it is. The build adjudicates
every position by every value; it fails if two values of a switch differ on none of its positions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.legality.standing_orders import (
    OrderSet,
    Proxy,
    add_perpetual_orders,
    apply_proxies,
    merge_order_sets,
    merge_undated_sets,
    remove_surplus,
)
from diplomaccloud.judge.orders import Move, Order, SupportHold, power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import Removal, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

Prepare = Callable[[Position, Sequence[Order], RuleSet], tuple[Position, Sequence[Order]]]
"""Returns the position and the orders that are adjudicated, where a switch changes those."""


@dataclass(frozen=True)
class Example:
    """A position with orders that one switch decides.

    `orders` has a line for each power and places its units, unless `units` does. If `as_written`,
    the orders are read as a sheet by the rules in question. `listed` replaces the orders of
    the judge where no canonical text says what is meant; `prepare` changes them by the rules.
    `base` sets other switches. `after` draws the next position instead of the orders, and
    `values` limits the values that are shown.
    """

    about: str
    orders: str
    phase: str = "S1901M"
    units: str = ""
    centers: Mapping[str, str] = field(default_factory=dict)
    base: Mapping[str, object] = field(default_factory=dict)
    as_written: bool = False
    listed: tuple[Order, ...] = ()
    prepare: Prepare | None = None
    after: bool = False
    values: tuple[object, ...] = ()


@dataclass(frozen=True)
class Switch:
    """A question that the rules leave open, with the positions that show the answers."""

    question: str
    examples: tuple[Example, ...]


def make_unit(text: str, power: str) -> Unit:
    """Return the unit that `text` names, e.g. `F SPA/NC`."""
    kind, _, place = text.partition(" ")
    return Unit(UnitKind(kind), Location(place), Power(power))


A_PAR, F_PAR = make_unit("A PAR", "FRANCE"), make_unit("F PAR", "FRANCE")


def _name_seas(
    position: Position, orders: Sequence[Order], _: RuleSet
) -> tuple[Position, list[Order]]:
    """Let the order of the army in London name the North Sea."""
    army = make_unit("A LON", "ENGLAND")
    move = Move(army, Location("BEL"), path=(ProvinceCode("NTH"),))
    return position, [move, *(o for o in orders if not isinstance(o, Move) or o.unit != army)]


def _merge_sheets(*replaces: bool | None) -> Prepare:
    """Make each order a sheet of its own; `replaces` is what each says about the sheets before."""

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


def _add_perpetual(
    position: Position, orders: Sequence[Order], rules: RuleSet
) -> tuple[Position, Sequence[Order]]:
    """Take the first order as one of this turn, and the others as standing orders."""
    return position, add_perpetual_orders(orders[:1], orders[1:], rules)


def _by_proxy(*, announced: bool) -> Prepare:
    def prepare(
        position: Position, _: Sequence[Order], rules: RuleSet
    ) -> tuple[Position, Sequence[Order]]:
        italian = Move(make_unit("A PAR", "ITALY"), Location("BUR"))
        proxy = Proxy(A_PAR, Power("ITALY"), announced)
        orders = apply_proxies([italian], [proxy], rules)
        return position, [order for order in orders if power_of(order) == A_PAR.power]

    return prepare


def _remove_surplus(
    position: Position, orders: Sequence[Order], rules: RuleSet
) -> tuple[Position, Sequence[Order]]:
    left = remove_surplus(standard_board(), position, rules)
    return left, [order for order in orders if getattr(order, "unit", None) in left.units]


HOME = {"FRANCE": "BRE PAR MAR"}
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
        "A convoyed army would cut the very support that decides about its own convoy. What now?",
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
        "An army is ordered next door “via convoy”, but there is no convoy. Does it walk?",
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
        "What do the seas mean that an army’s order names?",
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

COASTS = {
    "default_move_coast": Switch(
        "A fleet reaches two coasts and names none. Does it go to the first?",
        (Example("Both coasts of Spain are in reach.", "FRANCE: F MAO - SPA"),),
    ),
    "fill_in_only_coast": Switch(
        "A fleet reaches one coast and does not name it. Does it go there?",
        (Example("From Gascony only the north coast is in reach.", "FRANCE: F GAS - SPA"),),
    ),
    "mend_impossible_coast": Switch(
        "A fleet names the coast that it cannot reach. Does it go to the other?",
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
        "An order names the wrong coast of the fleet that it is for. Is it followed?",
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
        "A fleet is built where there are two coasts, and the order names none. "
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
        "An order does not say whose the foreign unit is that it supports. Is it valid?",
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
        "An order gives the wrong nationality of the unit that it supports. Is it valid?",
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
        "A power has sent two sheets, and it is unknown which is the last. Do both count?",
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
        "May a power leave a build out?",
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
        "May the units of a power that gave no orders be supported to hold?",
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

OTHERS = {
    "illegal_orders_count": Switch(
        "Is an impossible order an order of its unit?",
        (
            Example(
                "The army in Venice is ordered to Moscow. Can it be supported to hold?",
                """
                AUSTRIA: A VEN - MOS
                ITALY: A ROM S A VEN
                FRANCE: A PIE - VEN, A TUS S A PIE - VEN
                """,
            ),
        ),
    ),
    "orders_clarify": Switch(
        "An order leaves the coast open, and an own support names it. Does that count?",
        (
            Example(
                "The support names the north coast of Spain, the fleet none.",
                "FRANCE: F MAO - SPA, A GAS S F MAO - SPA/NC",
            ),
        ),
    ),
    "implicit_orders": Switch(
        "A unit without an order is supported to move by its own power. Does it move?",
        (
            Example(
                "Germany orders only A RUH S F KIE - HOL.",
                "GERMANY: A RUH S F KIE - HOL",
                units="GERMANY: A RUH, F KIE",
            ),
        ),
    ),
    "perpetual_orders": Switch(
        "May orders be given once for all turns to come?",
        (
            Example(
                "A PAR - BUR was written this turn; A MAR S A PAR - BUR is a standing order.",
                "FRANCE: A PAR - BUR, A MAR S A PAR - BUR",
                prepare=_add_perpetual,
            ),
        ),
    ),
    "proxy_orders": Switch(
        "May a power let another one order its unit?",
        (
            Example(
                "France announced before the deadline that Italy orders A PAR. "
                "Italy orders A PAR - BUR.",
                "",
                units="FRANCE: A PAR",
                prepare=_by_proxy(announced=True),
            ),
            Example(
                "France says so only in its orders.",
                "",
                units="FRANCE: A PAR",
                prepare=_by_proxy(announced=False),
            ),
        ),
    ),
    "flying_dutchman": Switch(
        "A power has more units than centers in Spring, by a mistake. Is one removed?",
        (
            Example(
                "France has two units and one center.",
                "FRANCE: A PAR H, A BUR H",
                phase="S1902M",
                centers={"FRANCE": "PAR"},
                prepare=_remove_surplus,
            ),
        ),
    ),
    "own_attack_cuts_support": Switch(
        "Does an attack by a unit of the same power cut a support?",
        (
            Example(
                "The army in Burgundy attacks the one in Paris, which supports.",
                "FRANCE: A PAR S A MAR - GAS, A MAR - GAS, A BUR - PAR",
            ),
        ),
    ),
    "own_attack_void": Switch(
        "A power supports a foreign attack on its own unit. Can the attack dislodge that unit "
        "by other supports?",
        (
            Example(
                "Paris supports the attack on Burgundy, and so does the Ruhr.",
                """
                FRANCE: A BUR H, A PAR S A MUN - BUR
                GERMANY: A MUN - BUR, A RUH S A MUN - BUR
                """,
            ),
        ),
    ),
    "victory": Switch(
        "What wins: enough centers, or most of the pieces on the board?",
        (
            Example(
                "France has two of the three pieces.",
                "FRANCE: A PAR H, A MAR H\nITALY: A PIE H",
                phase="S1902M",
            ),
        ),
    ),
}

GROUPS: dict[str, Mapping[str, Switch]] = {
    "Convoys": CONVOYS,
    "Coasts": COASTS,
    "Units and nationalities": WRITING,
    "Too many and too few orders": CHOOSING,
    "Other choices": OTHERS,
}
"""All switches, by the heading under which the page has them."""

ALIKE = frozenset({Removal.HOME_1971, Removal.HOME_2000})
"""Two wordings of one way to count; see `docs/rules.md`, 4.D.8."""
