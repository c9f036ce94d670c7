import pytest

from diplomaccloud.entry.orders import (
    OrderTextTooLong,
    compose_rejected_text,
    read_orders,
)
from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
FRANCE = Power("FRANCE")
OPENING = starting_position(BOARD)
TWO_BUILDS = Position(
    Phase.parse("W1901A"),
    (Unit(UnitKind.ARMY, Location("SPA"), FRANCE),),
    {BOARD.by_code[code].code: FRANCE for code in ("PAR", "MAR", "SPA")},
)
# Convoys, both coasts of Spain, and a move by convoy to an adjacent province.
CROWDED = Position(
    Phase.parse("F1903M"),
    tuple(
        Unit(UnitKind(kind), Location(place), power)
        for kind, place, power in (
            ("F", "MAO", FRANCE),
            ("F", "ENG", FRANCE),
            ("F", "SPA/SC", FRANCE),
            ("A", "GAS", FRANCE),
            ("A", "PIC", FRANCE),
            ("A", "BEL", Power("GERMANY")),
            ("F", "NTH", Power("ENGLAND")),
        )
    ),
    {},
)


def read(sheet="", choices=(), position=OPENING):
    reading = read_orders(BOARD, position, [FRANCE], choices=choices, text=sheet)
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
        pytest.param(
            "A PAR - BUR A MAR S A PAR - BUR F BRE - MAO",
            [],
            ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
            id="a sheet on one line",
        ),
        pytest.param(
            "France:\nA PAR - BUR\n# or PIC\nA MAR H # for now",
            [],
            ["A PAR - BUR", "A MAR H"],
            id="one's own name and comments",
        ),
        pytest.param(
            "| France: | A Par-Bur, <u>A Mar H</u> |\n|---|---|",
            [],
            ["A PAR - BUR", "A MAR H"],
            id="a table copied",
        ),
        pytest.param(
            "Paris army to Burgundy. Marseilles army stands.",
            [],
            ["A PAR - BUR", "A MAR H"],
            id="plain English",
        ),
        pytest.param(
            "A Par-Bur (or) A Paris-Burgundy", [], ["A PAR - BUR"], id="one order in two ways"
        ),
        pytest.param(
            "# nothing yet", ["A PAR - BUR"], ["A PAR - BUR"], id="a comment is not a typed order"
        ),
    ],
)
def test_legal_orders_are_read(sheet, choices, orders):
    assert read(sheet, choices) == (orders, [])


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        pytest.param("A PRA H", "PRA", id="unknown province"),
        pytest.param("A MUN - BUR", "not yours", id="another's unit"),
        pytest.param("A PAR - LON", "does not border London", id="too far"),
        pytest.param("A PAR - BUR\nA PAR - PIC", "already", id="two orders for one unit"),
        pytest.param("A PAR B", "is not an order for Spring 1901", id="a build in spring"),
        pytest.param("robert' drop table", "", id="nonsense"),
    ],
)
def test_a_bad_line_is_refused_with_its_reason_and_the_others_stay(sheet, reason):
    orders, problems = read(f"F BRE - MAO\n{sheet}")
    assert "F BRE - MAO" in orders
    assert len(problems) == 1
    assert reason in problems[0].message
    assert problems[0].text == sheet.splitlines()[-1]


def test_a_bad_order_does_not_spoil_the_others_on_its_line():
    orders, problems = read("A MAR H; sail away; A PAR - BUR")
    assert orders == ["A MAR H", "A PAR - BUR"]
    assert [problem.text for problem in problems] == ["sail away"]


def test_each_order_of_a_sheet_keeps_its_own_text():
    sheet = "France: Paris army to Burgundy. Marseilles army stands. F Bre–Mid"
    reading = read_orders(BOARD, OPENING, [FRANCE], choices=[], text=sheet)
    assert [(str(order), text) for order, text in reading.lines] == [
        ("A PAR - BUR", "Paris army to Burgundy."),
        ("A MAR H", "Marseilles army stands."),
        ("F BRE - MAO", "F Bre–Mid"),
    ]


def test_a_refusal_names_its_line_and_piece():
    _, problems = read("A PAR - BUR A MAR - XYZ F BRE - MAO\nF BRE - PAR, A PIC H")
    assert [(one.line, one.text, one.key) for one in problems] == [
        (1, "A MAR - XYZ", ""),
        (2, "F BRE - PAR", "F BRE"),
        (2, "A PIC H", ""),
    ]
    assert [one.line for one in read("A PIC H")[1]] == [0]


@pytest.mark.parametrize("begun", ["A MAR S", "A MAR S Germany"])
def test_an_unfinished_line_does_not_spoil_the_next(begun):
    orders, problems = read(f"{begun}\nA PAR - BUR", ["A PAR H", "F BRE H"])
    assert (orders, [one.text for one in problems]) == (["A PAR - BUR", "F BRE H"], [begun])


def test_orders_under_another_power_s_name_are_not_taken():
    text = "Germany:\nA MAR H\nF stands\nFrance: A PAR H; A BRE - XYZ"
    orders, problems = read(text, ["A MAR - LON"])
    assert orders == ["A PAR H"]
    assert [(one.text, one.message) for one in problems[:1]] == [
        ("A MAR H\nF stands", "These are orders for Germany, not for you.")
    ]
    sheet, placed = compose_rejected_text(problems)
    assert sheet == "A MAR - LON\nGermany:\nA MAR H\nF stands\nFrance:\nA BRE - XYZ"
    assert [(one.line, one.text[:11]) for one in placed] == [
        (1, "A MAR - LON"),
        (3, "A MAR H\nF s"),
        (6, "A BRE - XYZ"),
    ]


def test_no_more_is_built_than_owed():
    orders, problems = read("BUILD A PAR\nBUILD F MAR\nBUILD A BRE", position=TWO_BUILDS)
    assert orders == ["A PAR B", "F MAR B"]
    assert [problem.message for problem in problems] == ["Only 2 can be ordered in this phase."]


def test_only_one_unit_is_built_in_a_province():
    orders, problems = read(choices=["A PAR B", "A PAR B"], position=TWO_BUILDS)
    assert orders == ["A PAR B"]
    assert "Paris already has an order" in problems[0].message


def test_typed_builds_come_before_chosen_ones():
    assert read("BUILD F MAR", ["A MAR B", "A PAR B"], TWO_BUILDS) == (["F MAR B", "A PAR B"], [])


def test_a_sheet_may_be_as_long_as_the_box_however_a_browser_ends_its_lines():
    sheet = "A PAR H\r\n" + "\r\n".join(["#" * 98] * 80)[:8060]
    assert read(sheet) == (["A PAR H"], [])


@pytest.mark.parametrize(
    "sheet",
    ["A PAR H\n" * 121, "x" * 8001, "A PAR H;" * 900],
    ids=["lines", "characters", "orders"],
)
def test_the_text_read_is_limited(sheet):
    with pytest.raises(OrderTextTooLong):
        read(sheet)


@pytest.mark.parametrize(
    ("sheet", "choices"),
    [("", ["A PAR H;" * 126] * 2), ("A PAR H;" * 250, ["A PAR H"])],
    ids=["chosen", "typed and chosen"],
)
def test_the_text_read_together_is_limited(sheet, choices):
    with pytest.raises(OrderTextTooLong, match="At most 250 orders are read at once"):
        read(sheet, choices)


@pytest.mark.parametrize("position", [OPENING, CROWDED, TWO_BUILDS], ids=lambda p: str(p.phase))
@pytest.mark.parametrize("edition", ["2023", "1961"])
def test_every_legal_order_is_read_alike_as_a_choice_and_as_text(position, edition):
    rules = EDITIONS[edition]
    for order in legal_orders(BOARD, position, FRANCE, rules):
        text = str(order)
        chosen, typed = (
            read_orders(BOARD, position, [FRANCE], rules=rules, **entered)
            for entered in ({"choices": [text], "text": ""}, {"choices": [], "text": text})
        )
        assert chosen == typed
        assert chosen.orders == (order,)
