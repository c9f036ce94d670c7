"""Values of the wrong type: every public function says which argument, or which part, is wrong."""

from array import array
from collections.abc import Callable

import pytest
from judge.tests.shorthand import BOARD, unit

from diplomaccloud import judge
from diplomaccloud.judge import batch, orders
from diplomaccloud.judge.board import Location, UnitKind
from diplomaccloud.judge.position import Dislodged

START = judge.starting_position(BOARD)
FRANCE = judge.Power("FRANCE")
PARIS = unit("A PAR", "FRANCE")
LETTER = judge.Unit("A", Location("PAR"), FRANCE)  # type: ignore[arg-type]
HOLD = orders.Hold(PARIS)
WRONG: tuple[object, ...] = (None, 7, 2.5, True, b"x", [], ["A PAR H"], {}, object(), START, HOLD)
PHASES = [
    START,
    judge.parse_position("F1901R GERMANY: A PAR; dislodged FRANCE: A PAR (GAS PIC)"),
    judge.parse_position("W1901A FRANCE: A PAR; centers FRANCE: BRE MAR"),
]

CALLS: dict[str, tuple[str, Callable[..., object]]] = {
    "adjudicate board": ("board", lambda x: judge.adjudicate(x, START, [])),
    "adjudicate position": ("position", lambda x: judge.adjudicate(BOARD, x, [])),
    "adjudicate rules": ("rules", lambda x: judge.adjudicate(BOARD, START, [], x)),
    "adjudicate seed": ("seed", lambda x: judge.adjudicate(BOARD, START, [], seed=x)),
    "legal_orders board": ("board", lambda x: judge.legal_orders(x, START)),
    "legal_orders position": ("position", lambda x: judge.legal_orders(BOARD, x)),
    "legal_orders rules": ("rules", lambda x: judge.legal_orders(BOARD, START, None, x)),
    "why_illegal board": ("board", lambda x: judge.why_illegal(x, START, FRANCE, HOLD)),
    "why_illegal power": ("power", lambda x: judge.why_illegal(BOARD, START, x, HOLD)),
    "parse_order text": ("text", lambda x: judge.parse_order(x, BOARD, START, FRANCE)),
    "parse_order board": ("board", lambda x: judge.parse_order("A PAR H", x, START, FRANCE)),
    "parse_order position": (
        "position",
        lambda x: judge.parse_order("A PAR H", BOARD, x, FRANCE),
    ),
    "parse_order power": ("power", lambda x: judge.parse_order("A PAR H", BOARD, START, x)),
    "parse_sheet text": ("text", lambda x: judge.parse_sheet(x, BOARD, START, FRANCE)),
    "parse_sheet rules": (
        "rules",
        lambda x: judge.parse_sheet("", BOARD, START, FRANCE, rules=x),
    ),
    "to_daide order": ("order", lambda x: judge.to_daide(x, BOARD, START)),
    "to_daide board": ("board", lambda x: judge.to_daide(HOLD, x, START)),
    "to_webdiplomacy order": ("order", lambda x: judge.to_webdiplomacy(x, BOARD, START)),
    "to_webdiplomacy position": ("position", lambda x: judge.to_webdiplomacy(HOLD, BOARD, x)),
    "starting_position": ("board", judge.starting_position),
    "parse_position": ("text", judge.parse_position),
    "Position.unit_in": ("province", START.unit_in),
    "Phase.parse": ("phase", judge.Phase.parse),
    "Game rules": ("rules", lambda x: judge.Game(rules=x)),
    "Game seed": ("seed", lambda x: judge.Game(seed=x)),
    "Game.order power": ("power", lambda x: judge.Game().order(x, "A PAR H")),
    "Game.unit_in": ("province", lambda x: judge.Game().unit_in(x)),
    "batch.start": ("count", lambda x: batch.start(x if x != 7 else "7")),
    "batch.unpack": ("states", batch.unpack),
    "batch.legal_orders": ("states", batch.legal_orders),
    "batch.adjudicate rules": (
        "rules",
        lambda x: batch.adjudicate(batch.start(0), array("i"), x),
    ),
    "batch.row_lengths": ("board", lambda x: batch.row_lengths(x if x is not None else 0)),
}
RIGHT = {("adjudicate position", START), ("legal_orders position", START)}


@pytest.mark.parametrize(("name", "call"), CALLS.values(), ids=CALLS)
def test_the_wrong_argument_is_named(name: str, call: Callable[..., object]) -> None:
    for value in WRONG:
        if (value is START and name == "position") or (value is HOLD and name == "order"):
            continue
        with pytest.raises((TypeError, ValueError)) as caught:
            call(value)
        assert str(caught.value).startswith(f"{name}: "), value
        assert "object" not in str(caught.value).partition("not ")[0]


PARTS: dict[str, tuple[str, Callable[[], object]]] = {
    "a phase as a text": ("phase: expected a Phase", lambda: judge.Position("S1901M", (), {})),  # type: ignore[arg-type]
    "no units": ("units: expected a list", lambda: judge.Position(START.phase, None, {})),  # type: ignore[arg-type]
    "a unit as a text": (
        r"units\[1\]: expected a Unit, not 'A PAR'",
        lambda: judge.Position(START.phase, (PARIS, "A PAR"), {}),  # type: ignore[arg-type]
    ),
    "a kind as a text": (
        r"units\[0\].kind: expected a UnitKind, not 'A'",
        lambda: judge.Position(START.phase, (LETTER,), {}),
    ),
    "centers as a list": (
        "centers: expected a Mapping",
        lambda: judge.Position(START.phase, (), ["PAR"]),  # type: ignore[arg-type]
    ),
    "an owner that is none": (
        r"centers\['PAR'\]: expected text",
        lambda: judge.Position(START.phase, (), {"PAR": None}),  # type: ignore[dict-item]
    ),
    "retreats that are none": (
        r"dislodged\[0\].retreats: expected a tuple",
        lambda: judge.Position(PHASES[1].phase, (), {}, (Dislodged(PARIS, "", None),)),  # type: ignore[arg-type]
    ),
    "a winter of moves": (
        "phase: there is no phase S1901A",
        lambda: judge.Position(
            judge.Phase(START.phase.season, 1901, PHASES[2].phase.stage), (), {}
        ),
    ),
    "a board without powers": (
        "powers: expected a tuple",
        lambda: judge.Board("x", None, (), (), (), (), 1),  # type: ignore[arg-type]
    ),
    "a border of one province": (
        r"army_borders\[0\]: expected a pair of strings",
        lambda: judge.Board("x", (), (), (("PAR",),), (), (), 1),  # type: ignore[arg-type]
    ),
}


@pytest.mark.parametrize(("error", "make"), PARTS.values(), ids=PARTS)
def test_the_wrong_part_of_a_value_is_named(error: str, make: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{error}"):
        make()


@pytest.mark.parametrize("start", PHASES, ids=lambda start: str(start.phase))
@pytest.mark.parametrize("kind", [orders.Hold, orders.Disband, orders.Build])
def test_a_kind_that_is_a_text_makes_no_order_anywhere(
    start: judge.Position, kind: Callable[[judge.Unit], judge.Order]
) -> None:
    order = kind(LETTER)
    resolution = judge.adjudicate(BOARD, start, [order])
    assert isinstance(resolution.results[-1].order, orders.InvalidOrder)
    assert resolution.next == judge.adjudicate(BOARD, start, []).next
    assert judge.why_illegal(BOARD, start, FRANCE, order) is not None
    with pytest.raises(TypeError, match=r"orders\[0\]: "):
        judge.Game(position=start).order("FRANCE", [order])
    with pytest.raises(TypeError, match=r"orders\[0\]: expected an order"):
        batch.pack_orders([start], [[order]])
    with pytest.raises(TypeError, match="order: expected an order"):
        judge.to_daide(order, BOARD, start)


def test_retreats_are_sorted_so_that_equal_positions_are_equal() -> None:
    places = (Location("GAS"), Location("PIC"))
    made = [
        judge.Position(
            START.phase, (), {}, (Dislodged(PARIS, judge.parse_position.__name__, each),)
        )  # type: ignore[arg-type]
        for each in (places, places[::-1])
    ]
    assert made[0] == made[1]


def test_keys_of_a_turn_that_are_no_units_are_not_in_it() -> None:
    game = judge.Game()
    turn = game.adjudicate()
    assert turn[PARIS].order == HOLD  # type: ignore[index]
    for value in (None, 7, b"A PAR", [], HOLD, "A XXX"):
        assert value not in turn
        with pytest.raises(KeyError):
            turn[value]  # type: ignore[index]


@pytest.mark.parametrize("phases", [-1, 2**31, 2**70])
def test_the_number_of_phases_has_limits(phases: int) -> None:
    states, seeds = batch.start(1), array("Q", [1])
    with pytest.raises(ValueError, match="phases: expected a number from 0 to"):
        batch.play(states, seeds, phases)
    assert states == batch.start(1)


def test_what_is_written_to_must_not_be_read_only() -> None:
    frozen = memoryview(bytes(batch.start(1))).cast("i")
    with pytest.raises(ValueError, match="states: the buffer must be writable"):
        batch.play(frozen, array("Q", [1]), 1)
    with pytest.raises(ValueError, match="seeds: the buffer must be writable"):
        batch.random_orders(batch.start(1), memoryview(bytes(8)).cast("Q"))
    assert batch.unpack(frozen) == [START]


def test_the_kinds_of_units_are_public() -> None:
    assert judge.UnitKind is UnitKind
    made = judge.Unit(judge.UnitKind.FLEET, Location("BRE"), FRANCE)
    assert made in START.units
