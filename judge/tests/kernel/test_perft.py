"""Legal orders counted: fixed positions against numbers, random ones against a slow list."""

import math
import random
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from judge.tests.legality.slow_legality import SlowLegality
from judge.tests.scenes import random_position
from judge.tests.shorthand import BOARD, position, unit

from diplomaccloud.judge.board import ProvinceCode, Terrain
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position

PERFT = tomllib.loads((Path(__file__).parent / "perft.toml").read_text(encoding="utf-8"))


def _position(units: dict[str, list[str]]) -> Position:
    placed = [unit(text, power) for power, texts in units.items() for text in texts]
    return Position(Phase.parse("S1905M"), tuple(placed), {})


def _name(one: Order) -> str:
    return "" if isinstance(one, Waive) else str(one.unit)


@pytest.mark.parametrize("case", PERFT["position"], ids=lambda case: case["name"])
def test_every_unit_has_this_many_orders(case: dict[str, object]) -> None:
    start = _position(case["units"])
    counts = Counter(_name(one) for one in legal_orders(BOARD, start))
    assert counts == case["counts"]
    assert str(math.prod(counts.values())) == case["product"]


def test_the_first_move_is_that_of_the_game() -> None:
    case = PERFT["position"][0]
    assert _position(case["units"]).units == starting_position(BOARD).units


@pytest.mark.parametrize("seed", range(12))
def test_a_slow_list_has_the_same_orders(seed: int) -> None:
    rng = random.Random(seed)
    # At most seven fleets at sea, because the slow list tries every set of them.
    seas = {p.code for p in BOARD.provinces if p.terrain is Terrain.SEA}
    sailed = rng.sample(sorted(seas), rng.randint(2, 7))
    ashore = [p.code for p in BOARD.provinces if p.code not in seas]
    places: list[ProvinceCode] = [*sailed, *rng.sample(ashore, 9)]
    start = random_position(BOARD, rng, len(places), places=places)
    slow = SlowLegality(BOARD, start)
    everyone: list[Order] = []
    for power in sorted({one.power for one in start.units}):
        listed = legal_orders(BOARD, start, power)
        assert len(set(listed)) == len(listed)
        assert {str(one) for one in listed} == set(slow.orders(power))
        everyone += listed
    assert Counter(legal_orders(BOARD, start)) == Counter(everyone)


@pytest.mark.parametrize(
    ("units", "phase", "centers", "texts"),
    [
        (
            "RUSSIA: A MOS H\nITALY: A ROM H, F NAP H",
            "W1902A",
            {"RUSSIA": "MOS STP", "ITALY": "ROM"},
            ["A ROM D", "F NAP D", "A STP B", "F STP/NC B", "F STP/SC B", "WAIVE"],
        ),
        ("RUSSIA: A MOS H", "W1902A", {"RUSSIA": "MOS"}, []),
    ],
)
def test_all_powers_adjust(
    units: str, phase: str, centers: dict[str, str], texts: list[str]
) -> None:
    start = position(units, phase, centers)
    assert [str(one) for one in legal_orders(BOARD, start)] == texts
