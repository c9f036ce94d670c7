"""Impossible retreats are reported, and never lead to an impossible position."""

import random

import pytest
from judge.tests.shorthand import BOARD, unit

from diplomaccloud.judge import Game, adjudicate, batch, legal_orders
from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.orders import Disband
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position, PositionError, starting_position
from diplomaccloud.judge.protocol.answers import answer
from diplomaccloud.judge.protocol.requests import position_to_request
from diplomaccloud.judge.rules import EDITIONS


def retreats(
    standing: str, dislodged: str, to: str, by: str = "", phase: str = "F1901R"
) -> Position:
    """Return a position of units such as `A PAR FRANCE; A BUR GERMANY`, one of them dislodged."""
    units = [unit(*text.rsplit(" ", 1)) for text in standing.split("; ") if text]
    gone = unit(*dislodged.rsplit(" ", 1))
    places = tuple(Location(place) for place in to.split())
    entry = Dislodged(gone, ProvinceCode(by), places)
    return Position(Phase.parse(phase), tuple(units), {}, (entry,))


BUR, POSSIBLE = "A BUR GERMANY", "A BUR FRANCE"
IMPOSSIBLE = {
    "too far": (retreats(BUR, POSSIBLE, "LON"), "it cannot go to LON"),
    "occupied": (
        retreats(f"{BUR}; A PAR FRANCE", POSSIBLE, "GAS PAR"),
        "it cannot go to PAR, where A PAR of FRANCE stands",
    ),
    "inland": (retreats("F BRE GERMANY", "F BRE FRANCE", "PAR"), "it cannot go to PAR"),
    "unknown": (retreats(BUR, POSSIBLE, "XXX"), "it cannot go to XXX"),
    "no coast": (retreats("F MAO ITALY", "F MAO FRANCE", "SPA"), "it cannot go to SPA"),
    "other coast": (retreats("F SPA/SC ITALY", "F SPA/SC FRANCE", "GAS"), "it cannot go to GAS"),
    "twice": (retreats(BUR, POSSIBLE, "PAR PAR"), "it can go to PAR, but that is listed twice"),
}
UNLIKELY = {
    "no attacker": (
        retreats("", POSSIBLE, "PAR"),
        "no unit in BUR could have dislodged it",
    ),
    "own attacker": (
        retreats("A BUR FRANCE", POSSIBLE, "PAR"),
        "A BUR in its place has the same power and cannot have dislodged it",
    ),
    "unknown origin": (
        retreats(BUR, POSSIBLE, "PAR", "XXX"),
        "its attacker came from XXX, which is not on this board",
    ),
    "far origin": (
        retreats(BUR, POSSIBLE, "PAR", "SEV"),
        "A BUR, its attacker, cannot have come from SEV",
    ),
    "way back": (
        retreats(BUR, POSSIBLE, "MUN PAR", "MUN"),
        "it cannot go to MUN, where its attacker came from",
    ),
    "half of the coasts": (
        retreats("F MAO ITALY", "F MAO FRANCE", "SPA/NC"),
        "it can go to SPA, but SPA/SC is left out",
    ),
}


@pytest.mark.parametrize(("position", "problem"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_retreats_to_where_no_unit_can_go_are_named_and_refused(
    position: Position, problem: str
) -> None:
    dislodged = position.dislodged[0].unit
    named = f"dislodged: {dislodged} of FRANCE: {problem}"
    assert named in position.problems(BOARD)
    order = Disband(dislodged)
    for refuse in (
        lambda: adjudicate(BOARD, position, [order]),
        lambda: legal_orders(BOARD, position),
        lambda: why_illegal(BOARD, position, Power("FRANCE"), order),
        lambda: Game(position=position),
        lambda: batch.pack([position]),
    ):
        with pytest.raises(PositionError) as caught:
            refuse()
        assert any(named in text for text in caught.value.problems)
    answered = answer(position_to_request(position))
    # A place that a request names twice counts once.
    assert str(answered.get("error")).startswith("dislodged") or "twice" in problem


@pytest.mark.parametrize(("position", "problem"), UNLIKELY.values(), ids=UNLIKELY)
def test_units_that_nobody_can_have_dislodged_are_named_and_retreat(
    position: Position, problem: str
) -> None:
    dislodged = position.dislodged[0].unit
    assert position.problems(BOARD) == (f"dislodged: {dislodged} of FRANCE: {problem}",)
    after = adjudicate(BOARD, position, legal_orders(BOARD, position)[:1])
    assert after.results[0].outcome == "retreated"
    assert after.next.problems(BOARD) == ()
    with pytest.raises(PositionError):
        Game(position=position)


@pytest.mark.parametrize("phase", ["F1901M", "W1901A"])
def test_there_are_no_dislodged_units_in_other_phases(phase: str) -> None:
    position = retreats(BUR, POSSIBLE, "PAR", phase=phase)
    assert position.problems(BOARD) == (f"dislodged: there are no retreats in {phase}",)
    for refuse in (adjudicate, legal_orders):
        with pytest.raises(PositionError, match="there are no retreats"):
            refuse(BOARD, position, *([[]] if refuse is adjudicate else []))


def test_only_the_origin_of_the_attacker_is_barred_to_one_unit_alone() -> None:
    position = Position(
        Phase.parse("F1901R"),
        (unit("A BUR", "GERMANY"), unit("A PAR", "GERMANY")),
        {},
        (
            Dislodged(unit("A BUR", "FRANCE"), ProvinceCode(""), (Location("MAR"),)),
            Dislodged(
                unit("A PAR", "FRANCE"), ProvinceCode(""), (Location("GAS"), Location("PIC"))
            ),
        ),
    )
    assert position.problems(BOARD) == (
        "dislodged: A BUR of FRANCE: it can go to GAS and PIC if another unit can",
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_game_comes_to_an_impossible_retreat(edition: str) -> None:
    dice = random.Random(edition)
    rules = EDITIONS[edition]
    position, seen = starting_position(BOARD), 0
    while seen < 12:
        listed: dict[object, list[object]] = {}
        for order in legal_orders(BOARD, position, rules=rules):
            listed.setdefault(getattr(order, "unit", order), []).append(order)
        chosen = [dice.choice(orders) for orders in listed.values()]
        resolution = adjudicate(BOARD, position, chosen, rules)  # type: ignore[arg-type]
        position = resolution.next
        if resolution.ending is not None:
            position = starting_position(BOARD)
        assert position.problems(BOARD) == ()
        if position.dislodged:
            seen += 1
            assert batch.unpack(batch.pack([position])) == [position]
