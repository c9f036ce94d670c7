"""Rows for the switches of whole sheets, of standing and proxy orders, and of the end."""

from judge.tests.shorthand import BOARD, order, position, unit
from judge.tests.switches.looking import Looking, Row
from judge.tests.switches.standing_orders import (
    OrderSet,
    Proxy,
    add_perpetual_orders,
    apply_proxies,
    merge_order_sets,
    merge_undated_sets,
    remove_surplus,
)

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.rules import (
    FlyingDutchman,
    OrderSets,
    ProxyOrders,
    RuleSet,
    UndatedSets,
    Victory,
)


def sets_of(*sets: OrderSet) -> Looking:
    return lambda rules: sorted(str(one) for one in merge_order_sets(sets, rules))


def one_set(text: str, replaces: bool | None = None) -> OrderSet:
    return OrderSet(tuple(order(one, "FRANCE") for one in text.split(", ")), replaces)


FIRST = one_set("A PAR - BUR, A MAR H")
SECOND = ["A MAR H", "A PAR - PIC"]


def undated(rules: RuleSet) -> object:
    sets = [[order("A PAR - BUR", "FRANCE")], [order("A MAR - SPA", "FRANCE")]]
    return len(merge_undated_sets(sets, rules))


def perpetual(rules: RuleSet) -> object:
    standing = [order("A SPA S A POR", "FRANCE"), order("A PAR H", "FRANCE")]
    return [
        str(one) for one in add_perpetual_orders([order("A PAR - BUR", "FRANCE")], standing, rules)
    ]


def proxied(announced: bool) -> Looking:
    proxy = Proxy(unit("A PAR", "FRANCE"), Power("ITALY"), announced)

    def look(rules: RuleSet) -> object:
        listed = apply_proxies([order("A PAR - BUR", "ITALY")], [proxy], rules)
        after = adjudicate(BOARD, position("FRANCE: A PAR H"), listed, rules).next
        return str(after.units[0])

    return look


def dutchman(rules: RuleSet) -> object:
    start = position("FRANCE: A PAR H, A UKR H", "S1902M", {"FRANCE": "PAR"})
    return [str(one) for one in remove_surplus(BOARD, start, rules).units]


def won(rules: RuleSet) -> object:
    start = position("FRANCE: A PAR H, A MAR H\nITALY: A ROM H", "S1902M")
    ending = adjudicate(BOARD, start, (), rules).ending
    return ending.winners if ending else None


ROWS = [
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
