"""Orders in canonical text are read as the parser for prose reads them."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.judge.grids import grid_board
from tests.judge.scenes import random_orders, random_position

from diplomaccloud.judge import (
    DEFAULT,
    Board,
    Location,
    Phase,
    Position,
    Power,
    Unit,
    UnitKind,
    legal_orders,
    parse_order,
    power_of,
    standard_board,
)
from diplomaccloud.judge.notation import NotationError
from diplomaccloud.judge.protocol.canonical import Canonical
from diplomaccloud.judge.rules import Lapse

BOARD = standard_board()
SEEDS = st.integers(0, 2**32 - 1)
GRID = grid_board(9, 7)


def _same(
    text: str, power: Power, position: Position, canonical: Canonical, board: Board = BOARD
) -> bool:
    """Assert that what is read is what the parser reads; return whether anything was."""
    found = canonical.read(text, power)
    if found is not None:
        assert found == parse_order(text, board, position, power), text
    return found is not None


@examples(60)
@given(SEEDS, st.sampled_from([BOARD, GRID]))
def test_every_legal_order_is_read(seed: int, board: Board) -> None:
    rng = random.Random(seed)
    position = random_position(board, rng, rng.randint(3, 30), powers=7)
    canonical = Canonical(board, position, DEFAULT)
    listed = legal_orders(board, position)
    for order in [*random_orders(board, position, rng), *rng.sample(listed, min(60, len(listed)))]:
        assert _same(str(order), power_of(order), position, canonical, board)


@examples(100)
@given(SEEDS)
def test_nothing_is_read_that_the_parser_refuses(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(BOARD, rng, 20, powers=7)
    canonical = Canonical(BOARD, position, DEFAULT)
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


def test_rules_that_require_nationality_need_the_parser() -> None:
    unit = Unit(UnitKind.ARMY, Location("PAR"), Power("FRANCE"))
    position = Position(Phase.parse("S1901M"), (unit,), {})
    assert Canonical(BOARD, position, DEFAULT).read("A PAR H", unit.power) is not None
    strict = replace(DEFAULT, nationality_missing=Lapse.INVALID)
    assert Canonical(BOARD, position, strict).read("A PAR H", unit.power) is None
