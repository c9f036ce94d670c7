"""Values that are not orders, impossible positions, and powers that do not exist."""

from copy import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.shorthand import BOARD, order, unit

from diplomaccloud.judge import (
    adjudicate,
    legal_orders,
    parse_order,
    parse_position,
    parse_sheet,
)
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.codec import order_from_json, order_to_json
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.notation import parse_pieces
from diplomaccloud.judge.orders import Hold, InvalidOrder, Move
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, PositionError, starting_position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.units import Unit

START = starting_position(BOARD)
FRANCE = Power("FRANCE")
PARIS = unit("A PAR", "FRANCE")
PHASES = [
    START,
    START.at(Phase.parse("S1901R")),
    START.at(Phase.parse("W1901A"), {ProvinceCode("BUR"): FRANCE}),
]


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


NOT_ORDERS = [
    "A PAR - BUR",
    None,
    5,
    b"A PAR H",
    {"order": "hold"},
    ["A PAR H"],
    PARIS,
    Hold("A PAR"),  # type: ignore[arg-type]
    Move(PARIS, None),  # type: ignore[arg-type]
    Move(PARIS, Location("BUR"), path=None),  # type: ignore[arg-type]
    Hold(Unit("A", Location("PAR"), FRANCE)),  # type: ignore[arg-type]
    Hold(Unit(UnitKind.ARMY, 7, FRANCE)),  # type: ignore[arg-type]
    Unprintable(),
]


@pytest.mark.parametrize("start", PHASES, ids=lambda start: str(start.phase))
def test_anything_may_be_passed_as_orders(start: Position) -> None:
    plain = adjudicate(BOARD, start, [])
    resolution = adjudicate(BOARD, start, NOT_ORDERS)  # type: ignore[arg-type]
    assert resolution.next == plain.next
    refused = resolution.results[len(plain.results) :]
    assert len(refused) == len(NOT_ORDERS)
    assert {result.outcome for result in refused} == {Outcome.VOID}
    assert all(isinstance(result.order, InvalidOrder) for result in refused)
    assert len(explain(BOARD, start, NOT_ORDERS)) == len(resolution.results)  # type: ignore[arg-type]


@examples(40)
@given(st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_nothing_passed_as_orders_raises(orders: object) -> None:
    adjudicate(BOARD, START, orders)  # type: ignore[arg-type]


def test_a_text_is_pointed_to_the_parser() -> None:
    resolution = adjudicate(BOARD, START, ["A PAR - BUR"])  # type: ignore[list-item]
    reason = resolution.results[-1].why
    assert reason == "The text A PAR - BUR is not an order until parse_order has read it."
    assert why_illegal(BOARD, START, FRANCE, "A PAR - BUR") == reason  # type: ignore[arg-type]


def test_good_orders_count_beside_bad_ones() -> None:
    orders = ["A MAR H", Move(PARIS, Location("BUR"))]
    resolution = adjudicate(BOARD, START, orders)  # type: ignore[arg-type]
    assert resolution.next.unit_in(ProvinceCode("BUR")) == unit("A BUR", "FRANCE")


def test_an_invalid_order_survives_json() -> None:
    order = InvalidOrder(Power(""), "A PAR - BUR")
    assert order_from_json(order_to_json(order)) == order


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((BOARD, START, [], 1971), "rules: expected a RuleSet or an edition's name, not '1971'"),
        ((BOARD, "S1901M", []), "position: expected a Position, not 'S1901M'"),
        (("standard", START, []), "board: expected a Board, not 'standard'"),
    ],
)
def test_other_arguments_of_the_wrong_type_are_named(
    arguments: tuple[object, ...], problem: str
) -> None:
    with pytest.raises(TypeError) as caught:
        adjudicate(*arguments)  # type: ignore[arg-type]
    assert str(caught.value) == problem


WRONG = {
    "two armies": (["A PAR FRANCE", "A PAR GERMANY"], "two units in PAR"),
    "a fleet inland": (["F PAR FRANCE"], "Paris is inland, where no fleet can be"),
    "an army at sea": (["A NTH FRANCE"], "North Sea is water, where no army can be"),
    "no coast": (["F SPA FRANCE"], "a fleet there stands on SPA/NC or SPA/SC"),
    "a coast for an army": (["A SPA/NC FRANCE"], "an army has no coast: write A SPA"),
    "no such power": (["A PAR NARNIA"], "there is no power NARNIA on this board"),
    "an unknown province": (["A XXX FRANCE"], "there is no province XXX on this board"),
}


def crowd(texts: list[str], phase: str = "S1901M") -> Position:
    units = [unit(text.rpartition(" ")[0], text.rpartition(" ")[2]) for text in texts]
    return Position(Phase.parse(phase), tuple(units), {})


@pytest.mark.parametrize("phase", ["S1901M", "F1901R", "W1901A"])
@pytest.mark.parametrize(("texts", "problem"), WRONG.values(), ids=WRONG)
def test_units_that_cannot_be_there_are_named_and_refused(
    texts: list[str], problem: str, phase: str
) -> None:
    position = crowd(texts, phase)
    assert problem in position.problems(BOARD)[0]
    with pytest.raises(PositionError) as caught:
        adjudicate(BOARD, position, [])
    assert caught.value.problems == position.problems(BOARD)
    if phase == "S1901M" and ("two units" in problem or "no province" in problem):
        with pytest.raises(PositionError) as caught:
            legal_orders(BOARD, position)
        assert caught.value.problems == position.problems(BOARD)


def test_centers_and_retreats_are_checked_too() -> None:
    owners = {ProvinceCode("BUR"): FRANCE, ProvinceCode("PAR"): Power("NARNIA")}
    assert Position(START.phase, (), owners).problems(BOARD) == (
        "centers: BUR: there is no such supply center on this board",
        "centers: PAR: there is no power NARNIA on this board",
    )
    assert START.problems(BOARD) == ()


@pytest.mark.parametrize("power", ["france", "Narnia", "", 7])
def test_orders_of_an_unknown_power_are_not_silently_none(power: object) -> None:
    with pytest.raises(ValueError, match=r"there is no power .* on this board"):
        legal_orders(BOARD, START, power)  # type: ignore[arg-type]


def test_an_unknown_power_is_named_however_its_orders_are_given() -> None:
    power = Power("FRANCIA")
    calls = (
        lambda: parse_order("A PAR H", BOARD, START, power),
        lambda: parse_sheet("A PAR H", BOARD, START, power),
        lambda: parse_pieces("A PAR H", BOARD, START, [Power("FRANCE"), power]),
        lambda: why_illegal(BOARD, START, power, order("A PAR H", "FRANCE")),
    )
    for call in calls:
        with pytest.raises(
            ValueError, match=r"there is no power 'FRANCIA' on this board \(choose from: AUSTRIA"
        ):
            call()


def test_the_error_suggests_the_power() -> None:
    with pytest.raises(ValueError, match=r"'france' on this board \(write FRANCE"):
        legal_orders(BOARD, START, Power("france"))


def test_equal_positions_have_equal_hashes() -> None:
    again = Position(START.phase, tuple(reversed(START.units)), dict(START.centers))
    assert {START, again} == {again}
    assert hash(START) == hash(again)
    assert len({START, START.at(Phase.parse("F1901M"))}) == 2


def test_a_copy_of_the_error_of_a_position_says_the_same() -> None:
    with pytest.raises(PositionError) as caught:
        parse_position("S1901M FRANCE: F PAR, F MUN")
    copied = copy(caught.value)
    assert str(copied) == str(caught.value)
    assert copied.problems == caught.value.problems
