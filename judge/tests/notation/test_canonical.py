"""Orders in canonical text are read as the parser for prose reads them."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.grids import grid_board
from judge.tests.notation.positions import RETREATS
from judge.tests.scenes import random_orders, random_position

from diplomaccloud.judge import legal_orders
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.notation import CanonicalOrders, NotationError, parse_order
from diplomaccloud.judge.notation.orders import OrderText
from diplomaccloud.judge.notation.units import require_end
from diplomaccloud.judge.orders import Move, Order, Retreat, power_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.rules import DEFAULT, Lapse
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
SEEDS = st.integers(0, 2**32 - 1)
GRID = grid_board(9, 7)


def parse_as_prose(text: str, board: Board, position: Position, power: Power) -> Order:
    """Return the order that the parser for prose reads."""
    reading = OrderText(text, board, position, power)
    order = reading.order()
    require_end(reading, order)
    return order


def _same(
    text: str,
    power: Power,
    position: Position,
    canonical: CanonicalOrders,
    board: Board = BOARD,
) -> bool:
    """Assert that what is read is what the parser reads; return whether anything was."""
    order = canonical.read(text, power)
    if order is not None:
        assert order == parse_as_prose(text, board, position, power), text
    return order is not None


@examples(60)
@given(SEEDS, st.sampled_from([BOARD, GRID]))
def test_every_legal_order_is_read(seed: int, board: Board) -> None:
    rng = random.Random(seed)
    position = random_position(board, rng, rng.randint(3, 30), powers=7)
    canonical = CanonicalOrders(board, position, DEFAULT)
    listed = legal_orders(board, position)
    for order in [*random_orders(board, position, rng), *rng.sample(listed, min(60, len(listed)))]:
        assert _same(str(order), power_of(order), position, canonical, board)


@examples(100)
@given(SEEDS)
def test_nothing_is_read_that_the_parser_refuses(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, 20, powers=7)
    canonical = CanonicalOrders(BOARD, position, DEFAULT)
    texts = [str(order) for order in random_orders(BOARD, position, rng)]
    words = [word for text in texts for word in text.split(" ")]
    words += ["VIA", "", "-", "S", "C", "H", "STP", "STP/NC", "SPA", "par", "NO", "SWI"]
    for text in texts:
        changed = text.split(" ")
        changed[rng.randrange(len(changed))] = rng.choice(words)
        changed = changed[: rng.randint(2, 8)]
        power = rng.choice(position.units).power
        try:
            _same(" ".join(changed), power, position, canonical)
        except NotationError as error:
            pytest.fail(f"{changed} is read, but: {error}")


WINTERS = [
    ("WAIVE", True),
    ("A PAR B", True),
    ("F BRE B", True),
    ("F PAR B", False),
    ("A BUR B", False),
    ("A MUN B", False),
    ("A GAS D", True),
    ("F GAS D", False),
    ("A MUN D", False),
    ("X PAR B", False),
    ("A GAS H", False),
]


@pytest.mark.parametrize(("text", "is_read"), WINTERS)
def test_adjustments_are_read_as_the_parser_reads_them(text: str, is_read: bool) -> None:
    units = tuple(
        Unit(UnitKind.ARMY, Location(place), Power(power))
        for place, power in (("GAS", "FRANCE"), ("MUN", "GERMANY"))
    )
    position = Position(Phase.parse("W1901A"), units, {})
    canonical = CanonicalOrders(BOARD, position, DEFAULT)
    assert _same(text, Power("FRANCE"), position, canonical) is is_read


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("A BUR R GAS", True),
        ("A BUR D", True),
        ("F POR R SPA/NC", True),
        ("F POR R SPA", False),
        ("A PAR D", False),
        ("A BUR H", False),
        ("WAIVE", False),
    ],
)
def test_retreats_are_read_as_the_parser_reads_them(text: str, is_read: bool) -> None:
    canonical = CanonicalOrders(BOARD, RETREATS, DEFAULT)
    assert _same(text, Power("FRANCE"), RETREATS, canonical) is is_read


def test_rules_that_require_nationality_need_the_parser() -> None:
    unit = Unit(UnitKind.ARMY, Location("PAR"), Power("FRANCE"))
    position = Position(Phase.parse("S1901M"), (unit,), {})
    assert CanonicalOrders(BOARD, position, DEFAULT).read("A PAR H", unit.power) is not None
    strict = replace(DEFAULT, nationality_missing=Lapse.INVALID)
    assert CanonicalOrders(BOARD, position, strict).read("A PAR H", unit.power) is None


def test_an_order_of_an_earlier_phase_is_not_read_in_a_later_one() -> None:
    unit = Unit(UnitKind.ARMY, Location("BUR"), Power("FRANCE"))
    text = "A BUR - GAS"
    moving = Position(Phase.parse("F1901M"), (unit,), {})
    assert parse_order(text, BOARD, moving, unit.power) == Move(unit, Location("GAS"))
    gone = Dislodged(unit, ProvinceCode("MUN"), (Location("GAS"),))
    retreating = Position(Phase.parse("F1901R"), (), {}, (gone,))
    assert parse_order(text, BOARD, retreating, unit.power) == Retreat(unit, Location("GAS"))
    with pytest.raises(NotationError):
        parse_order(text, BOARD, moving.at(Phase.parse("W1901A")), unit.power)
