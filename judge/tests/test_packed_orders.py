"""Orders in batches are read as single positions read them."""

import pytest
from judge.tests.shorthand import BOARD

from diplomaccloud import judge
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Location

SPAIN = judge.parse_position(
    "S1901M FRANCE: F MAO, A GAS, F POR; ITALY: F LYO; ENGLAND: A LON, F ENG, F NTH"
)
WINTER = judge.parse_position(
    "W1901A FRANCE: A PIC; ENGLAND: A YOR, A WAL; centers FRANCE: PAR MAR BRE; centers ENGLAND: LON"
)
RETREATS = judge.parse_position(
    "F1901R ITALY: F MAO, F POR; dislodged FRANCE: F POR (SPA/NC SPA/SC); "
    "dislodged ENGLAND: F MAO (IRI)"
)
SETS = [
    (SPAIN, "2000", {"FRANCE": "F POR - SPA/NC; A GAS - SPA/SC"}),
    (SPAIN, "2000", {"FRANCE": "F MAO - GAS; F MAO - BRE"}),
    (SPAIN, "1961", {"FRANCE": "F MAO - GAS; F MAO - BRE"}),
    (SPAIN, "DiplomacyGM", {"FRANCE": "F MAO - IRI; F MAO - WES"}),
    (SPAIN, "2000", {"FRANCE": "F MAO - WES; F MAO - WES", "ITALY": "F LYO - SPA"}),
    (SPAIN, "2000", {"ENGLAND": "A LON - BEL; F ENG C A LON - BEL; F NTH C A LON - BEL"}),
    (WINTER, "2000", {"FRANCE": "F MAR B; A MAR B; A PAR B; F BRE B"}),
    (WINTER, "2000", {"ENGLAND": "A YOR D; A WAL D"}),
    (RETREATS, "2000", {"FRANCE": "F POR - SPA/NC; F POR - SPA/SC", "ENGLAND": "F MAO - IRI"}),
    (RETREATS, "2000", {"FRANCE": "F POR - SPA/NC"}),
]


@pytest.mark.parametrize(("position", "edition", "texts"), SETS)
def test_packed_orders_give_the_same_positions_as_single_ones(
    position: judge.Position, edition: str, texts: dict[str, str]
) -> None:
    rules = judge.EDITIONS[edition]
    given = [
        order
        for power, text in texts.items()
        for order in judge.parse_sheet(
            text, BOARD, position, judge.Power(power), rules=rules
        ).orders
    ]
    assert given
    rows = batch.pack_orders([position], [given], rules=rules)
    after = batch.adjudicate(batch.pack([position]), rows, rules)
    expected = judge.adjudicate(BOARD, position, given, rules).next
    (found,) = batch.unpack(after.states)
    assert (found.phase, found.units) == (expected.phase, expected.units)


def test_orders_that_lack_a_coast_are_packed_with_it() -> None:
    (fleet,) = SPAIN.units_of(judge.Power("ITALY"))
    moves = [judge.orders.Move(fleet, Location(place)) for place in ("SPA", "SPA/SC")]
    packed = [batch.pack_orders([SPAIN], [[move]]) for move in moves]
    assert packed[0] == packed[1]


@pytest.mark.parametrize(("position", "edition", "texts"), SETS)
def test_canonical_text_is_packed_as_its_order(
    position: judge.Position, edition: str, texts: dict[str, str]
) -> None:
    rules = judge.EDITIONS[edition]
    orders = [
        order
        for power, text in texts.items()
        for order in judge.parse_sheet(text, BOARD, position, judge.Power(power)).orders
    ]
    mixed = [order if number % 3 == 2 else str(order) for number, order in enumerate(orders)]
    packed = batch.pack_orders([position], [orders], rules=rules)
    assert batch.pack_orders([position], [mixed], rules=rules) == packed


def test_texts_and_orders_for_units_elsewhere_are_named() -> None:
    for text in ("A PAR H", "A GAS", "A GAS holds", "WAIVE", ""):
        with pytest.raises(TypeError, match=rf"orders\[1\]: expected an order, not {text}$"):
            batch.pack_orders([SPAIN, SPAIN], [[], [text]])
    with pytest.raises(ValueError, match=r"orders\[0\]: A GAS - ROM: Gascony"):
        batch.pack_orders([SPAIN], [["A GAS - ROM"]])
    with pytest.raises(TypeError, match=r"orders\[0\]: expected a list, not Hold"):
        batch.pack_orders([SPAIN], [judge.orders.Hold(SPAIN.units[0])])  # type: ignore[list-item]
    crowded = judge.parse_position("S1901M FRANCE: A BUR; GERMANY: A BUR")
    with pytest.raises(judge.PositionError, match=r"positions\[0\]: units"):
        batch.pack_orders([crowded], [[]])
