import pytest
from hypothesis import given
from hypothesis import strategies as st

from diplomaccloud.games.conditional_orders.plans import (
    ConditionError,
    choose_adjustments,
    choose_retreats,
    parse_conditional_orders,
)
from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.notation import parse_unit
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()
GERMANY, ENGLAND = Power("GERMANY"), Power("ENGLAND")

READ = [
    ("if MUN is dislodged: BER, KIE", "if MUN is dislodged: BER, KIE"),
    (
        "If MUN is dislodged, retreats (in order of preference): BER, KIE",
        "if MUN is dislodged: BER, KIE",
    ),
    ("If the army in Munich is dislodged: Berlin, then Kiel.", "if MUN is dislodged: BER, KIE"),
    ("if A MUN dislodged: BER or disband", "if MUN is dislodged: BER, disband"),
    ("if MAO is dislodged: Spain (south coast)", "if MAO is dislodged: SPA/SC"),
    ("if two gained: A LON, F EDI; if one: F LON", "if 2 gained: A LON, F EDI; if 1 gained: F LON"),
    (
        "If two Supply Centers are gained, build A LON and F EDI; "
        "if only one is gained, build F LON",
        "if 2 gained: A LON, F EDI; if 1 gained: F LON",
    ),
    ("if 1 lost: F NTH", "if 1 lost: F NTH"),
    ("if one lost: F NTH\nif two: A YOR, F NTH", "if 1 lost: F NTH; if 2 lost: A YOR, F NTH"),
    ("if two gained: F LON, waive", "if 2 gained: F LON, waive"),
    (
        "if MUN is dislodged: BER; if KIE is dislodged: HOL",
        "if MUN is dislodged: BER; if KIE is dislodged: HOL",
    ),
    ("", ""),
    (" ; \n", ""),
]


@pytest.mark.parametrize(("text", "canonical"), READ, ids=[text[:40] for text, _ in READ])
def test_conditional_orders_are_understood_and_read_back(text, canonical):
    plan = parse_conditional_orders(text, BOARD, ENGLAND)
    assert str(plan) == canonical
    assert parse_conditional_orders(str(plan), BOARD, ENGLAND) == plan


REFUSED = [
    ("if MNU is dislodged: BER", "mnu"),
    ("if MUN is dislodged: BRE, PRA", "pra"),
    ("if MUN is dislodged: XYZ", "^'if MUN is dislodged: XYZ': 'XYZ' is not a province\\.$"),
    ("if MUN is dislodged:", "missing"),
    ("if MUN is dislodged: BER,,KIE", "missing"),
    ("if LIV is dislodged: YOR", "LVN"),
    ("MUN - BER", "write 'if"),
    ("if two gained: LON", "A for an army"),
    ("if two gained: F MUN", "F MUN"),
    ("if none gained: F LON", "none"),
    ("if 41 gained: F LON", "41"),
    ("if one lost: waive", "cannot be waived"),
    ("if one gained: F LON; if one gained: A LON", "already"),
    ("if MUN is dislodged: BER; if Munich dislodged: KIE", "already"),
    ("if one gained: remove A LON", "the other way around"),
    ("if one lost, build F LON", "the other way around"),
    ("if MUN is not dislodged: BER", "is not"),
    ("if MUN is dislodged: not BER", "not"),
    ("if MUN is dislodged: BER unless KIE", "unless kie"),
    ("if one gained: F LON, not F EDI", "not"),
    ("cancel if MUN is dislodged: BER", "write 'if"),
    ("// if MUN is dislodged: BER", "write 'if"),
    ("if not one gained: F LON", "write 'if"),
    ("if MUN is dislodged: B\u0336E\u0336R\u0336", "cannot contain the character"),
    ("if MUN is dislodged: " + "BER, " * 500, "characters"),
    ("if MUN is dislodged: BER;" * 70, "conditions"),
    ("if MUN is dislodged: " + "BER," * 50 + "KIE", "choices"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=[text[:40] for text, _ in REFUSED])
def test_a_clause_that_cannot_be_understood_is_named(text, said):
    with pytest.raises(ConditionError, match=f"(?i){said}"):
        parse_conditional_orders(text, BOARD, ENGLAND)


@given(st.text(max_size=200) | st.text("if mundslogeb:,;0123 \n", max_size=200))
def test_any_text_is_read_or_refused(text):
    try:
        plan = parse_conditional_orders(text, BOARD, ENGLAND)
    except ConditionError:
        return
    assert parse_conditional_orders(str(plan), BOARD, ENGLAND) == plan


def dislodged(*texts):
    """Return a position of Germany's with `unit > PROVINCE PROVINCE` dislodged."""
    lost = []
    for text in texts:
        unit, _, retreats = text.partition(" > ")
        found = tuple(Location(one) for one in retreats.split())
        lost.append(Dislodged(parse_unit(unit, BOARD, GERMANY), ProvinceCode("BOH"), found))
    return Position(Phase.parse("S1902R"), (), {}, tuple(lost))


RETREATS = [
    ("the first in reach", "if MUN is dislodged: BER, KIE", ["A MUN > KIE RUH"], ["A MUN R KIE"]),
    ("nothing in reach", "if MUN is dislodged: BER", ["A MUN > KIE RUH"], None),
    ("nothing in reach, so disbanded", "if MUN is dislodged: BER, disband", ["A MUN > KIE"],
     ["A MUN D"]),
    ("a unit not provided for", "if MUN is dislodged: BER", ["A MUN > BER", "A SIL > BER"], None),
    ("two in one place", "if MUN is dislodged: BER, KIE; if SIL is dislodged: BER, PRU",
     ["A MUN > BER KIE", "A SIL > BER PRU"], ["A MUN R BER", "A SIL R PRU"]),
    ("a plan for a unit that stands", "if MUN is dislodged: BER; if KIE is dislodged: HOL",
     ["A MUN > BER"], ["A MUN R BER"]),
    ("the only coast in reach", "if MAO is dislodged: SPA", ["F MAO > SPA/NC GAS"],
     ["F MAO R SPA/NC"]),
    ("which of two coasts is not said", "if MAO is dislodged: SPA", ["F MAO > SPA/NC SPA/SC"],
     None),
    ("nobody dislodged", "if MUN is dislodged: BER", [], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "lost", "orders"), [row[1:] for row in RETREATS], ids=[row[0] for row in RETREATS]
)
def test_a_conditional_retreat_is_used_if_it_applies(text, lost, orders):
    found = choose_retreats(
        parse_conditional_orders(text, BOARD, GERMANY), dislodged(*lost), GERMANY
    )
    assert (None if found is None else [str(order) for order in found]) == orders


def winter(units, centers):
    standing = tuple(parse_unit(unit, BOARD, ENGLAND) for unit in units)
    owned = {BOARD.by_code[code].code: ENGLAND for code in centers}
    return Position(Phase.parse("W1901A"), standing, owned)


TWO = winter(["F NWY"], ["LON", "EDI", "LVP"])
ONE = winter(["F NWY", "A LVP"], ["LON", "EDI", "LVP"])
LESS = winter(["F NWY", "A YOR"], ["LON"])
PLAN = "if two gained: A LON, F EDI; if one: F LVP, F LON; if one lost: A WAL, A YOR"

ADJUSTED = [
    ("two builds", PLAN, TWO, ["A LON B", "F EDI B"]),
    ("one build, the first choice being occupied", PLAN, ONE, ["F LON B"]),
    ("a removal, the first choice being gone", PLAN, LESS, ["A YOR D"]),
    ("a number not provided for", "if one gained: F LON", TWO, None),
    ("too few that are possible", "if two gained: F LON, F LON", TWO, None),
    ("a build waived", "if two gained: F LON, waive", TWO, ["F LON B", "WAIVE"]),
    ("more than owed", "if two gained: A LON, A EDI, A LVP", TWO, ["A LON B", "A EDI B"]),
]


@pytest.mark.parametrize(
    ("text", "position", "orders"), [row[1:] for row in ADJUSTED], ids=[row[0] for row in ADJUSTED]
)
def test_conditional_builds_and_removals_are_used_if_they_apply(text, position, orders):
    plan = parse_conditional_orders(text, BOARD, ENGLAND)
    found = choose_adjustments(plan, BOARD, position, ENGLAND)
    assert (None if found is None else [str(order) for order in found]) == orders
