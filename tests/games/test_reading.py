import pytest

from diplomaccloud.games.reading import TooMuchText, read_orders
from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.standard import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
FRANCE = Power("FRANCE")
OPENING = starting_position(BOARD)
TWO_BUILDS = Position(
    Phase.parse("W1901A"),
    (Unit(UnitKind.ARMY, Location("SPA"), FRANCE),),
    {BOARD.by_code[code].code: FRANCE for code in ("PAR", "MAR", "SPA")},
)


def read(sheet="", choices=(), position=OPENING):
    reading = read_orders(BOARD, position, [FRANCE], choices=choices, sheet=sheet)
    return [str(order) for order in reading.orders], list(reading.problems)


@pytest.mark.parametrize(
    ("sheet", "choices", "orders"),
    [
        pytest.param("a par-bur", [], ["A PAR - BUR"], id="a typed line"),
        pytest.param("", ["A PAR - BUR"], ["A PAR - BUR"], id="a choice"),
        pytest.param(
            "Paris army to Burgundy; F BRE - MAO, A MAR H",
            [],
            ["A PAR - BUR", "F BRE - MAO", "A MAR H"],
            id="several orders on a line",
        ),
        pytest.param("A PAR - PIC", ["A PAR - BUR"], ["A PAR - PIC"], id="typing wins"),
        pytest.param(
            "A PAR - PIC",
            ["A PAR H", "F BRE - MAO"],
            ["A PAR - PIC", "F BRE - MAO"],
            id="choices for other units stay",
        ),
        pytest.param("\n\n  \n", ["", " "], [], id="blank lines are nothing"),
    ],
)
def test_legal_orders_are_read(sheet, choices, orders):
    assert read(sheet, choices) == (orders, [])


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        pytest.param("A PRA H", "PRA", id="unknown province"),
        pytest.param("A MUN - BUR", "not yours", id="another's unit"),
        pytest.param("A PAR - LON", "does not touch London", id="too far"),
        pytest.param("A PAR - BUR\nA PAR - PIC", "already", id="two orders for one unit"),
        pytest.param("A PAR B", "is no order for Spring 1901", id="a build in spring"),
        pytest.param("robert'); drop table", "", id="nonsense"),
    ],
)
def test_a_bad_line_is_refused_with_its_reason_and_the_others_stay(sheet, reason):
    orders, problems = read(f"F BRE - MAO\n{sheet}")
    assert "F BRE - MAO" in orders
    assert len(problems) == 1
    assert reason in problems[0].message
    assert problems[0].text == sheet.splitlines()[-1]


def test_a_bad_order_does_not_take_the_others_on_its_line_with_it():
    orders, problems = read("A MAR H; sail away, A PAR - BUR")
    assert orders == ["A MAR H", "A PAR - BUR"]
    assert [problem.text for problem in problems] == ["sail away"]


def test_no_more_is_built_than_owed():
    orders, problems = read("BUILD A PAR\nBUILD F MAR\nBUILD A BRE", position=TWO_BUILDS)
    assert orders == ["A PAR B", "F MAR B"]
    assert [problem.message for problem in problems] == ["Only 2 can be ordered in this phase."]


def test_a_province_is_built_in_once():
    orders, problems = read(choices=["A PAR B", "A PAR B"], position=TWO_BUILDS)
    assert orders == ["A PAR B"]
    assert "PAR has an order already" in problems[0].message


def test_typed_builds_come_before_chosen_ones():
    assert read("BUILD F MAR", ["A MAR B", "A PAR B"], TWO_BUILDS) == (["F MAR B", "A PAR B"], [])


@pytest.mark.parametrize("sheet", ["A PAR H\n" * 121, "x" * 8001], ids=["lines", "characters"])
def test_there_is_an_end_to_what_is_read(sheet):
    with pytest.raises(TooMuchText):
        read(sheet)
