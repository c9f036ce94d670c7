"""Every case and game written down as data is adjudicated to the result it states."""

from pathlib import Path

import pytest
from judge.tests.cases import (
    HERE,
    Case,
    Reach,
    Written,
    case_position,
    found_dislodged,
    found_results,
    load_cases,
    load_reaches,
    read_orders,
    unit_texts,
    wanted_dislodged,
)

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Location, Power
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import parse_unit
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Outcome, Resolution
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()
FILES = sorted((HERE / "diagrams").glob("*.toml")) + sorted((HERE / "datc").glob("*.toml"))
GAMES = sorted((HERE / "games").glob("*.toml"))


def _parameters() -> list[object]:
    return [
        pytest.param(case, edition, id=f"{case.id} {case.title} [{edition}]")
        for path in FILES
        for case in load_cases(path)
        for edition in case.rules
    ]


@pytest.mark.parametrize(("case", "edition"), _parameters())
def test_case(case: Case, edition: str) -> None:
    position = case_position(case, BOARD)
    resolution = judge(case, position, edition)
    if case.following is not None:
        judge(case.following, resolution.next, edition)


@pytest.mark.parametrize("row", load_reaches(HERE / "diagrams"), ids=lambda row: row.title)
def test_reach(row: Reach) -> None:
    """A unit alone on the board may be ordered to the provinces listed and to no others."""
    unit = parse_unit(row.unit, BOARD, Power("FRANCE"))
    position = Position(Phase.parse("S1901M"), (unit,), {})
    moves = [
        order for order in legal_orders(BOARD, position, unit.power) if isinstance(order, Move)
    ]
    assert {str(order.to) for order in moves} == set(row.reaches)
    for place in BOARD.by_code:
        order = Move(unit, Location(place))
        (entry,) = adjudicate(BOARD, position, [order]).results
        assert (entry.outcome is Outcome.MOVED) == (place in row.reaches), place


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_game(path: Path) -> None:
    """Each phase of a game begins where the one before it ended."""
    position = starting_position(BOARD)
    for case in load_cases(path):
        assert str(position.phase) == case.phase
        for edition in case.rules[1:]:
            judge(case, position, edition)
        position = judge(case, position, case.rules[0]).next


def judge(case: Case, position: Position, edition: str) -> Resolution:
    """Adjudicate one case by one edition, assert all it states, and return the resolution."""
    written = read_orders(case, BOARD, position)
    resolution = adjudicate(BOARD, position, written.orders, EDITIONS[edition])
    where = f"{case.id} {case.title}"
    assert found_results(case, resolution) == dict(case.results), where
    if position.phase.stage is Stage.MOVEMENT:
        assert found_dislodged(case, resolution) == wanted_dislodged(case), where
    _assert_void(case, written, resolution)
    _assert_next(case, resolution)
    return resolution


def _assert_void(case: Case, written: Written, resolution: Resolution) -> None:
    unexpected = {text: why for text, why in written.refused.items() if text not in case.void}
    assert not unexpected, f"{case.id}: lines not understood"
    voided = {one.order for one in resolution.results if one.outcome is Outcome.VOID}
    pairs = list(zip(written.lines, written.orders, strict=True))
    void = set(written.refused) | {text for text, order in pairs if order in voided}
    assert set(case.void) <= void, f"{case.id}: not void: {set(case.void) - void}"
    listed = {order for text, order in pairs if text in case.void}
    listed |= {one for one in voided if case.results.get(str(getattr(one, "unit", one))) == "void"}
    assert voided <= listed, f"{case.id}: void: {voided - listed}"


def _assert_next(case: Case, resolution: Resolution) -> None:
    after = resolution.next
    if case.next_phase is not None:
        assert str(after.phase) == case.next_phase, case.id
    units = {power: unit_texts(after.units_of(Power(power))) for power in case.next_units}
    assert units == {power: sorted(texts) for power, texts in case.next_units.items()}, case.id
    owned = {power: list(after.centers_of(Power(power))) for power in case.next_centers}
    assert owned == {power: sorted(codes) for power, codes in case.next_centers.items()}, case.id
    if case.winners is not None:
        winners = resolution.ending.winners if resolution.ending else ()
        assert sorted(winners) == sorted(case.winners), case.id
