"""Games come back from JSON unchanged: every edition, several boards, every phase."""

import json
import random

import pytest
from judge.tests.grids import smaller_europe
from judge.tests.scenes import generated_boards
from judge.tests.shorthand import BOARD, unit

from diplomaccloud import judge
from diplomaccloud.judge.board import Location, ProvinceCode
from diplomaccloud.judge.position import Dislodged

BOARDS = [BOARD, generated_boards()[0], smaller_europe(1870)]
WRONG = [
    "A PAR - XYZ",
    "F BRE flies",
    "A MAR - LON; A MAR - SPA",
    "WAIVE",
    "F STP - NWY",
    "x" * 400,
]


def play(board: judge.Board, edition: str, dice: random.Random) -> judge.Game:
    """Return a game of some phases with good, bad, contradictory and foreign orders."""
    game = judge.Game(board, edition, seed="lots")
    for phase in range(6):
        for power in game.powers_to_order:
            for orders in game.legal_orders(power).values():
                game.order(power, dice.choice(orders))
            if dice.random() < 0.4:
                game.order(power, dice.choice(WRONG))
        if phase < 5 and game.ending is None:
            game.adjudicate()
        if dice.random() < 0.2 and game.turns:
            game.undo()
    return game


def look_at(game: judge.Game) -> list[object]:
    seen = [game.position, game.orders, game.problems, game.board, game.rules, game.seed]
    for turn in game.turns:
        seen += [dict(turn), turn.orders, turn.problems, turn.position, turn.next]
    return [*seen, game.ending]


@pytest.mark.parametrize("number", range(len(BOARDS)))
@pytest.mark.parametrize("edition", judge.EDITIONS)
def test_a_stored_game_is_the_same_game(edition: str, number: int) -> None:
    game = play(BOARDS[number], edition, random.Random(f"{edition} {number}"))
    same = judge.Game.from_json(json.dumps(game.to_json()))
    assert look_at(same) == look_at(game)
    assert same.to_json() == game.to_json()
    while game.turns:
        game.undo()
        same.undo()
        assert look_at(same) == look_at(game)


def test_the_words_of_orders_are_kept() -> None:
    game = judge.Game()
    game.order("FRANCE", "Paris to Burgundy; the fleet in Brest goes to London")
    game.order("AUSTRIA", "A VIE - GAL; A VIE - TRI; A BUD dances")
    same = judge.Game.from_json(game.to_json())
    assert same.problems == game.problems
    assert [problem.text for problem in same.problems] == [
        "A VIE - GAL; A VIE - TRI",
        "A BUD dances",
        "the fleet in Brest goes to London",
    ]


def test_where_the_first_attackers_came_from_is_kept() -> None:
    entry = Dislodged(
        unit("A PAR", "FRANCE"), ProvinceCode("BUR"), (Location("GAS"), Location("PIC"))
    )
    start = judge.Position(judge.Phase.parse("F1901R"), (unit("A PAR", "GERMANY"),), {}, (entry,))
    game = judge.Game(position=start)
    assert judge.Game.from_json(game.to_json()).position == start
    game.adjudicate()
    assert judge.Game.from_json(game.to_json()).turns[0].position == start


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"written": {"NARNIA": {}}}, "now.written: key: there is no power 'NARNIA'"),
        ({"written": {"FRANCE": {"A PAR H": 7}}}, "now.written.FRANCE.A PAR H: not a text"),
        (
            {"errors": [{"power": "X", "order": "", "message": ""}]},
            r"now.errors\[0\].power: there is no power 'X'",
        ),
        ({"attackers": {"PAR": 7}}, "now.attackers.PAR: not a text"),
    ],
)
def test_the_part_at_fault_is_named(change: dict[str, object], error: str) -> None:
    data = judge.Game().to_json()
    data["now"] = {**data["now"], **change}  # type: ignore[dict-item]
    with pytest.raises(judge.CodecError, match=f"^{error}"):
        judge.Game.from_json(data)
