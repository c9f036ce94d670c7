"""Each switch alone: a position in which nothing but that switch changes what happens.

A row gives what is looked at under each value of the switch; every other switch has its
default, or what the row sets for all values. `test_every_value_of_every_switch_has_a_row` keeps
the table whole.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum

import pytest
from tests.judge.shorthand import BOARD, driven_out, order, orders, play, position, unit, words

from diplomaccloud.judge.adjudicate import adjudicate
from diplomaccloud.judge.adjustments import removal_order
from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.notation import parse_sheet
from diplomaccloud.judge.orders import Move, Order, SupportHold, SupportMove, Waive, power_of
from diplomaccloud.judge.ordersets import (
    OrderSet,
    Proxy,
    merged_sets,
    merged_undated,
    with_perpetual,
    with_proxies,
    without_surplus,
)
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import (
    DEFAULT,
    BuildKind,
    ConvoyIntent,
    ConvoyPath,
    FlyingDutchman,
    Lapse,
    OrderSets,
    Paradox,
    Pick,
    ProxyOrders,
    Removal,
    RuleSet,
    SupportCoast,
    UndatedSets,
    Victory,
)

Looking = Callable[[RuleSet], object]


@dataclass(frozen=True)
class Row:
    """What `look` sees under each value of `switch`."""

    switch: str
    about: str
    look: Looking
    seen: Mapping[object, object]
    base: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.switch}: {self.about}"


def word(name: str, text: str) -> Looking:
    """Look at the outcome of the unit `name` in a movement phase."""
    return lambda rules: words(play(text, rules), name)[name]


def retreats(name: str, text: str) -> Looking:
    """Look at where the dislodged unit `name` may go; `None` if it is not dislodged."""
    return lambda rules: driven_out(play(text, rules)).get(name)


def given(text: str, *listed: Order) -> Callable[[RuleSet], Resolution]:
    """Adjudicate the units of `text` with the orders `listed` instead of those written."""
    return lambda rules: adjudicate(BOARD, position(text), listed, rules)


def told(name: str, done: Callable[[RuleSet], Resolution]) -> Looking:
    """Look at the outcome of the unit in the province of `name`, however an order calls it."""
    place = name.partition(" ")[2].partition("/")[0]

    def look(rules: RuleSet) -> object:
        told = [one for one in done(rules).results if _place(one.order) == place]
        return told[0].outcome.value

    return look


def _place(order: Order) -> str:
    return "" if isinstance(order, Waive) else order.unit.province


def winter(text: str, centers: str, power: str, *texts: str) -> Looking:
    """Look at the units of `power` after a Winter with the adjustments `texts`."""

    def look(rules: RuleSet) -> object:
        start = position(text, "W1901A", {power: centers})
        listed = [order(one, power) for one in texts]
        after = adjudicate(BOARD, start, listed, rules).next
        return " ".join(str(one).replace(" ", "") for one in after.units_of(Power(power)))

    return look


def sheet(name: str, text: str, power: str, written: str) -> Looking:
    """Look at the outcome of the unit `name` when `power` writes `written`, others as `text`."""

    def look(rules: RuleSet) -> object:
        start = position(text)
        others = [one for one in orders(text, start) if power_of(one) != power]
        read = parse_sheet(written, BOARD, start, Power(power), rules=rules)
        done = adjudicate(BOARD, start, [*others, *read.orders], rules)
        return told(name, lambda _: done)(rules)

    return look


def build_sheet(centers: str, power: str, written: str) -> Looking:
    def look(rules: RuleSet) -> object:
        start = position("AUSTRIA: A SYR H", "W1901A", {power: centers})
        read = parse_sheet(written, BOARD, start, Power(power), rules=rules)
        after = adjudicate(BOARD, start, read.orders, rules).next
        return " ".join(str(one).replace(" ", "") for one in after.units_of(Power(power)))

    return look


def removed(text: str, power: str, centers: str) -> Looking:
    """Look at the unit that civil disorder takes first."""
    start = position(text, "W1901A", {power: centers})
    return lambda rules: str(removal_order(BOARD, start, Power(power), rules, "7")[0])


YES_NO = (True, False)

TWO_ROUTES = """
ENGLAND: A LON - BEL, F ENG C A LON - BEL, F NTH C A LON - BEL
FRANCE: F BRE - ENG, F MAO S F BRE - ENG
"""
PANDIN = """
ENGLAND: F LON S F WAL - ENG, F WAL - ENG
FRANCE: A BRE - LON, F ENG C A BRE - LON
"""
BETRAYED = """
ENGLAND: F LON S F WAL - ENG, F WAL - ENG
FRANCE: A BRE - LON, F ENG C A BRE - LON, F YOR S A BRE - LON
GERMANY: F NTH S F BEL - ENG, F BEL - ENG
"""
ALTERNATIVE = """
FRANCE: A TUN - NAP, F TYS C A TUN - NAP, F ION C A TUN - NAP
ITALY: F NAP S F ROM - TYS, F ROM - TYS
"""
DEFENDED = """
FRANCE: A TUN - NAP, F TYS C A TUN - NAP
ITALY: F NAP S F ION, F ION C A TUN - NAP
TURKEY: F AEG S F EAS - ION, F EAS - ION
"""
KIDNAPPED = """
ENGLAND: A NWY - SWE
RUSSIA: F SWE - NWY
GERMANY: F SKA C A NWY - SWE
"""
OWN_FLEET = """
ENGLAND: A NWY - SWE, F SKA C A NWY - SWE
RUSSIA: A SWE - NWY
"""
OWN_SWAP = """
ENGLAND: A NWY - SWE, A SWE - NWY
GERMANY: F SKA C A NWY - SWE
"""
BY_VIA = """
ENGLAND: A NWY - SWE VIA
RUSSIA: A SWE - NWY
GERMANY: F SKA C A NWY - SWE
"""
ROUNDABOUT = """
FRANCE: A GAS - MAR, A BUR S A GAS - MAR
ENGLAND: F MAO C A GAS - MAR, F WES C A GAS - MAR, F LYO C A GAS - MAR
ITALY: A MAR H
"""
LOST_CONVOY = """
FRANCE: A PIC - BEL VIA, F ENG C A PIC - BEL
ENGLAND: F WAL - ENG, F LON S F WAL - ENG
"""
FROM_THE_SEA = """
AUSTRIA: A TRI - VEN VIA, F ADR C A TRI - VEN
ITALY: A VEN S F ALB - TRI, F ALB - TRI
"""
ROUND_TRIP = ROUNDABOUT.replace("A GAS - MAR,", "A GAS - MAR VIA,")
THIRD_PARTY = """
ENGLAND: A NWY - SWE VIA, F SKA C A NWY - SWE, F DEN S A NWY - SWE
RUSSIA: F SWE - NWY
GERMANY: F BAR - NWY
"""
OWN_CUT = "FRANCE: A PAR S A MAR - GAS, A MAR - GAS, A BUR - PAR"
OWN_BEHIND = """
FRANCE: A BUR H, A PAR S A MUN - BUR
GERMANY: A MUN - BUR, A RUH S A MUN - BUR
"""
OPEN_COAST = """
FRANCE: F MAO - SPA/NC, A GAS S F MAO - SPA
"""
ALLIED_COAST = """
FRANCE: A GAS S F MAO - SPA
ENGLAND: F MAO - SPA/NC
"""


def path_of(*seas: str) -> Looking:
    """Look at an army whose order names `seas`, with its fleet in the North Sea dislodged."""
    text = """
    ENGLAND: A LON H, F NTH C A LON - BEL, F ENG C A LON - BEL
    GERMANY: F DEN - NTH, F HEL S F DEN - NTH
    """
    start = position(text)
    army = unit("A LON", "ENGLAND")
    path = tuple(ProvinceCode(sea) for sea in seas)
    listed = [Move(army, Location("BEL"), path=path), *orders(text, start)[1:]]
    return told("A LON", lambda rules: adjudicate(BOARD, start, listed, rules))


ROWS = [
    Row(
        "any_route_disrupts",
        "one of two fleets is dislodged",
        word("A LON", TWO_ROUTES),
        {True: "nopath", False: "moved"},
    ),
    Row(
        "paradox",
        "the simplest paradox: the attack on the fleet",
        word("F WAL", PANDIN),
        {
            Paradox.SZYKMAN: "moved",
            Paradox.RULE_1971: "moved",
            Paradox.RULE_1982: "moved",
            Paradox.RULE_2000: "moved",
            Paradox.ALL_HOLD: "bounced",
        },
    ),
    Row(
        "paradox",
        "the convoyed army would dislodge the supporter",
        word("A BRE", BETRAYED),
        {
            Paradox.SZYKMAN: "nopath",
            Paradox.RULE_1971: "moved",
            Paradox.RULE_1982: "moved",
            Paradox.RULE_2000: "moved",
            Paradox.ALL_HOLD: "nopath",
        },
    ),
    Row(
        "paradox",
        "the fleet attacked is one of two routes",
        word("F NAP", ALTERNATIVE),
        {
            Paradox.SZYKMAN: "cut",
            Paradox.RULE_1971: "given",
            Paradox.RULE_1982: "given",
            Paradox.RULE_2000: "cut",
            Paradox.ALL_HOLD: "cut",
        },
    ),
    Row(
        "paradox",
        "the support is for the convoying fleet",
        word("F NAP", DEFENDED),
        {
            Paradox.SZYKMAN: "cut",
            Paradox.RULE_1971: "cut",
            Paradox.RULE_1982: "given",
            Paradox.RULE_2000: "cut",
            Paradox.ALL_HOLD: "cut",
        },
    ),
    Row(
        "convoy_intent",
        "a foreign fleet carries the army off",
        word("A NWY", KIDNAPPED),
        {
            ConvoyIntent.SWAP: "moved",
            ConvoyIntent.OWN_ORDERS: "bounced",
            ConvoyIntent.OWN_FLEET_OR_VIA: "bounced",
            ConvoyIntent.VIA: "bounced",
            ConvoyIntent.EITHER_ROUTE: "moved",
        },
    ),
    Row(
        "convoy_intent",
        "the own fleet shows what is meant",
        word("A NWY", OWN_FLEET),
        {ConvoyIntent.OWN_FLEET_OR_VIA: "moved", ConvoyIntent.VIA: "bounced"},
    ),
    Row(
        "convoy_intent",
        "two own armies mean to change places",
        word("A NWY", OWN_SWAP),
        {ConvoyIntent.OWN_ORDERS: "moved", ConvoyIntent.OWN_FLEET_OR_VIA: "bounced"},
    ),
    Row(
        "convoy_intent",
        "nobody comes the other way",
        retreats("A MAR", ROUNDABOUT),
        {ConvoyIntent.SWAP: ("PIE", "SPA"), ConvoyIntent.EITHER_ROUTE: ("GAS", "PIE", "SPA")},
        {"retreat_to_convoyed_attacker": True},
    ),
    Row(
        "land_behind_convoy",
        "the convoy fails, the land route is free",
        word("A PIC", LOST_CONVOY),
        {True: "moved", False: "nopath"},
    ),
    Row(
        "convoyed_attack_cuts",
        "the support is against where the army came from",
        word("A VEN", FROM_THE_SEA),
        {True: "cut", False: "given"},
    ),
    Row(
        "retreat_to_convoyed_attacker",
        "dislodged from next door by sea",
        retreats("A MAR", ROUND_TRIP),
        {True: ("GAS", "PIE", "SPA"), False: ("PIE", "SPA")},
        {"convoy_intent": ConvoyIntent.OWN_FLEET_OR_VIA},
    ),
    Row(
        "convoy_path",
        "a path is named and its fleet lost",
        path_of("NTH"),
        {
            ConvoyPath.IGNORED: "moved",
            ConvoyPath.ALLOWED: "nopath",
            ConvoyPath.REQUIRED: "nopath",
        },
    ),
    Row(
        "convoy_path",
        "no path is named",
        path_of(),
        {ConvoyPath.IGNORED: "moved", ConvoyPath.ALLOWED: "moved", ConvoyPath.REQUIRED: "nopath"},
    ),
    Row(
        "convoy_path",
        "as text",
        sheet(
            "A LON",
            """
            ENGLAND: A LON H, F NTH H, F ENG H
            GERMANY: F DEN - NTH, F HEL S F DEN - NTH
            """,
            "ENGLAND",
            "A LON - NTH - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL",
        ),
        {ConvoyPath.IGNORED: "moved", ConvoyPath.ALLOWED: "nopath"},
    ),
    Row(
        "dislodged_never_prevents",
        "a third unit enters where the convoyed army came from",
        word("F BAR", THIRD_PARTY),
        {True: "moved", False: "bounced"},
    ),
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
            SupportCoast.OPTIONAL: "given",
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
    Row(
        "own_attack_cuts_support",
        "an own army attacks the supporter",
        word("A PAR", OWN_CUT),
        {True: "cut", False: "given"},
    ),
    Row(
        "own_attack_void",
        "an own unit is among the supporters",
        word("A MUN", OWN_BEHIND),
        {True: "bounced", False: "moved"},
    ),
]


def picked(*texts: str) -> Looking:
    listed = [order(text, "FRANCE") for text in texts]

    def look(rules: RuleSet) -> object:
        after = adjudicate(BOARD, position("FRANCE: A PAR H"), listed, rules).next
        return str(after.units[0])

    return look


HOME = "BRE PAR MAR"

ROWS += [
    Row(
        "several_orders",
        "two different moves",
        picked("A PAR - BUR", "A PAR - PIC"),
        {Pick.NONE: "A PAR", Pick.FIRST: "A BUR", Pick.LAST: "A PIC"},
    ),
    Row(
        "too_many_builds",
        "three for two",
        winter("FRANCE: A SPA H", HOME, "FRANCE", "A PAR B", "A MAR B", "F BRE B"),
        {Pick.NONE: "ASPA", Pick.FIRST: "AMAR APAR ASPA", Pick.LAST: "AMAR ASPA FBRE"},
    ),
    Row(
        "builds_in_one_place",
        "army and fleet in one port",
        winter("FRANCE: A SPA H", HOME, "FRANCE", "A BRE B", "F BRE B"),
        {Pick.NONE: "ASPA", Pick.FIRST: "ABRE ASPA", Pick.LAST: "ASPA FBRE"},
    ),
    Row(
        "too_many_disbands",
        "two for one",
        winter("FRANCE: A SPA H, A PAR H, F LYO H", "PAR MAR", "FRANCE", "A PAR D", "A SPA D"),
        {Pick.NONE: "APAR ASPA", Pick.FIRST: "ASPA FLYO", Pick.LAST: "APAR FLYO"},
    ),
    Row(
        "may_waive",
        "one of two builds is waived",
        winter("FRANCE: A SPA H", HOME, "FRANCE", "F BRE B", "WAIVE"),
        {True: "ASPA FBRE", False: "AMAR ASPA FBRE"},
    ),
    Row(
        "removal",
        "an army next to a home province without center",
        removed("AUSTRIA: A ALB H, A MUN H", "AUSTRIA", "VIE"),
        {Removal.HOME_1961: "A ALB", Removal.HOME_1971: "A MUN", Removal.HOME_2000: "A MUN"},
    ),
    Row(
        "removal",
        "the center owned is far from home",
        removed("ITALY: A WAR H, A TUS H", "ITALY", "WAR"),
        {
            Removal.HOME_1961: "A WAR",
            Removal.HOME_1971: "A WAR",
            Removal.HOME_2000: "A WAR",
            Removal.OWNED_2023: "A TUS",
            Removal.RANDOM_2009: "A WAR",
        },
    ),
    Row(
        "removal",
        "lots are drawn among those abroad",
        removed("FRANCE: A RUH H, A TYR H, A UKR H, A PAR H", "FRANCE", "PAR"),
        {Removal.HOME_2000: "A UKR", Removal.RANDOM_2009: "A TYR"},
    ),
]


def sets_of(*sets: OrderSet) -> Looking:
    return lambda rules: sorted(str(one) for one in merged_sets(sets, rules))


def one_set(text: str, replaces: bool | None = None) -> OrderSet:
    return OrderSet(tuple(order(one, "FRANCE") for one in text.split(", ")), replaces)


FIRST = one_set("A PAR - BUR, A MAR H")
SECOND = ["A MAR H", "A PAR - PIC"]


def undated(rules: RuleSet) -> object:
    sets = [[order("A PAR - BUR", "FRANCE")], [order("A MAR - SPA", "FRANCE")]]
    return len(merged_undated(sets, rules))


def perpetual(rules: RuleSet) -> object:
    standing = [order("A SPA S A POR", "FRANCE"), order("A PAR H", "FRANCE")]
    return [str(one) for one in with_perpetual([order("A PAR - BUR", "FRANCE")], standing, rules)]


def proxied(announced: bool) -> Looking:
    proxy = Proxy(unit("A PAR", "FRANCE"), Power("ITALY"), announced)

    def look(rules: RuleSet) -> object:
        listed = with_proxies([order("A PAR - BUR", "ITALY")], [proxy], rules)
        after = adjudicate(BOARD, position("FRANCE: A PAR H"), listed, rules).next
        return str(after.units[0])

    return look


def dutchman(rules: RuleSet) -> object:
    start = position("FRANCE: A PAR H, A UKR H", "S1902M", {"FRANCE": "PAR"})
    return [str(one) for one in without_surplus(BOARD, start, rules).units]


def won(rules: RuleSet) -> object:
    start = position("FRANCE: A PAR H, A MAR H\nITALY: A ROM H", "S1902M")
    ending = adjudicate(BOARD, start, (), rules).ending
    return ending.winners if ending else None


ROWS += [
    Row(
        "order_sets",
        "the second sheet says nothing of the first",
        sets_of(FIRST, one_set("A PAR - PIC")),
        {
            OrderSets.COMBINE: SECOND,
            OrderSets.COMBINE_UNLESS_SAID: SECOND,
            OrderSets.REPLACE_UNLESS_SAID: ["A PAR - PIC"],
            OrderSets.REPLACE: ["A PAR - PIC"],
        },
    ),
    Row(
        "order_sets",
        "the second sheet adds to the first",
        sets_of(FIRST, one_set("A PAR - PIC", replaces=False)),
        {OrderSets.REPLACE_UNLESS_SAID: SECOND, OrderSets.REPLACE: ["A PAR - PIC"]},
    ),
    Row(
        "order_sets",
        "the second sheet replaces the first",
        sets_of(FIRST, one_set("A PAR - PIC", replaces=True)),
        {OrderSets.COMBINE: SECOND, OrderSets.COMBINE_UNLESS_SAID: ["A PAR - PIC"]},
    ),
    Row(
        "undated_sets",
        "nobody knows which sheet is the last",
        undated,
        {UndatedSets.HOLD: 0, UndatedSets.COMBINE: 2},
    ),
    Row(
        "perpetual_orders",
        "a standing support and a standing hold",
        perpetual,
        {True: ["A PAR - BUR", "A SPA S A POR"], False: ["A PAR - BUR"]},
    ),
    Row(
        "proxy_orders",
        "announced",
        proxied(announced=True),
        {
            ProxyOrders.ANNOUNCED: "A BUR",
            ProxyOrders.IN_ORDERS: "A BUR",
            ProxyOrders.NONE: "A PAR",
        },
    ),
    Row(
        "proxy_orders",
        "given along with the orders",
        proxied(announced=False),
        {
            ProxyOrders.ANNOUNCED: "A PAR",
            ProxyOrders.IN_ORDERS: "A BUR",
            ProxyOrders.NONE: "A PAR",
        },
    ),
    Row(
        "flying_dutchman",
        "two units with one center in Spring",
        dutchman,
        {FlyingDutchman.REMOVED: ["A PAR"], FlyingDutchman.STANDS: ["A PAR", "A UKR"]},
    ),
    Row(
        "victory",
        "two pieces of three",
        won,
        {Victory.CENTERS: None, Victory.PIECES: ("FRANCE",)},
    ),
]

SEEN = [pytest.param(row, value, id=f"{row} [{value}]") for row in ROWS for value in row.seen]


@pytest.mark.parametrize(("row", "value"), SEEN)
def test_a_switch_alone(row: Row, value: object) -> None:
    rules = replace(DEFAULT, **{**row.base, row.switch: value})  # type: ignore[arg-type]
    assert row.look(rules) == row.seen[value]


# Two wordings of one way to count; see docs/rules.md, 4.D.8.
ALIKE = {Removal.HOME_1971, Removal.HOME_2000}


def test_every_value_of_every_switch_has_a_row_and_makes_a_difference() -> None:
    for switch in fields(RuleSet):
        if switch.name == "name":
            continue
        default = getattr(DEFAULT, switch.name)
        values: Sequence[object] = YES_NO
        if isinstance(default, Enum):
            values = list(type(default))
        rows = [row for row in ROWS if row.switch == switch.name]
        seen = {value: [row.seen.get(value) for row in rows] for value in values}
        assert all(any(value in row.seen for row in rows) for value in values), switch.name
        for value in values:
            alike = [other for other in values if other != value and seen[other] == seen[value]]
            assert {value, *alike} in ({value}, ALIKE), (switch.name, value)
