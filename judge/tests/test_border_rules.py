"""Rivers and closed borders, case by case in the manner of DATC, on a board with one river."""

# ruff: noqa: E501 - a case is easier to read on one line

import json
import random
from dataclasses import dataclass, field, replace

import pytest
from judge.tests.cases import ALL_EDITIONS
from judge.tests.legality.slow_legality import SlowLegality
from judge.tests.oracle_run import differences
from judge.tests.river_board import BOTH, river_board, ruled_board
from judge.tests.scenes import random_position

from diplomaccloud import judge
from diplomaccloud.judge.board import BoardError, BorderKind, BorderRule, Location, UnitKind
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.rules import EDITIONS

BOARD = river_board()


@dataclass(frozen=True)
class Case:
    """Orders by power, outcomes by unit, and retreats by dislodged unit."""

    title: str
    west: str
    east: str = ""
    outcomes: dict[str, str] = field(default_factory=dict)
    retreats: dict[str, str] = field(default_factory=dict)


CASES = [
    Case("R.1 from bank to bank", "F AST - BEL", "F BUR - ALP", {"F AST": "moved", "F BUR": "moved"}),
    Case("R.2 not along one bank", "F AST - AMB", "F BUR - BOR", {"F AST": "void", "F BUR": "void"}),
    Case("R.3 from the sea into the mouth, not farther", "F MAR - BEL", "F OCE - BUR", {"F MAR": "moved", "F OCE": "void"}),
    Case("R.4 an army crosses the river", "A AMB - BUR", "A BOR - ALP", {"A AMB": "moved", "A BOR": "moved"}),
    Case("R.5 banks do not change places", "F AMB - BUR", "F BUR - AMB", {"F AMB": "bounced", "F BUR": "bounced"}),
    Case("R.6 a gorge stops armies, not fleets", "A AST - BEL", "", {"A AST": "void"}),
    Case("R.7 a fleet follows the gorge", "F BEL - AST", "", {"F BEL": "moved"}),
    Case("R.8 a ridge stops armies", "A AMB - ALP", "A HIL - ALP", {"A AMB": "void", "A HIL": "moved"}),
    Case("R.9 a ridge stops fleets", "F ALP - AMB", "", {"F ALP": "void"}),
    Case("R.10 a ridge stops support", "A AMB S A HIL - ALP, A HIL - ALP", "F ALP H", {"A AMB": "void", "A HIL": "bounced"}),
    Case("R.11 support across the river", "A HIL - ALP, F BUR S A HIL - ALP", "F ALP H", {"F BUR": "given", "A HIL": "moved"}, {"F ALP": "BOR"}),
    Case("R.12 support along the river holds", "F AMB H, F BEL S F AMB", "A BUR - AMB, F BOR - BUR", {"F BEL": "given", "A BUR": "bounced", "F BOR": "void"}),
    Case("R.13 an attack across the river cuts", "F AMB H, F BEL S F AMB", "A BUR - AMB, F ALP S A BUR - AMB, F AST - BEL", {"F ALP": "void", "F BEL": "cut", "F AST": "bounced", "A BUR": "bounced"}),
    Case("R.14 a fleet retreats across the river only", "A BEL - AMB, A BUR S A BEL - AMB", "F AMB H", {"A BEL": "moved"}, {"F AMB": ""}),
    Case("R.15 a free bank is a retreat", "A AST - AMB, F BEL S A AST - AMB", "F AMB H", {"A AST": "moved"}, {"F AMB": "BUR"}),
    Case("R.16 an army retreats across the river", "A AST - AMB, F BEL S A AST - AMB", "A AMB H", {"A AST": "moved"}, {"A AMB": "BUR"}),
    Case("R.17 a fleet on a river does not convoy", "A AST - AMB, A AMB - BUR", "F BEL C A AST - BUR", {"F BEL": "void"}),
    Case("R.18 no convoy passes a river", "F MAR C A AST - BUR, A AST - BUR", "F BEL C A AST - BUR", {"F MAR": "void", "A AST": "void"}),
    Case("R.19 a convoy from mouth to coast", "F MAR C A AST - CAP, A AST - CAP", "", {"F MAR": "convoyed", "A AST": "moved"}),
    Case("R.20 a convoy across the mouth passes the gorge", "F MAR C A AST - BEL, A AST - BEL", "", {"F MAR": "convoyed", "A AST": "moved"}),
    Case("R.21 the coast on the river", "F CAP/EC - BUR", "", {"F CAP/EC": "moved"}),
    Case("R.22 the coast off the river", "F CAP/WC - BUR", "", {"F CAP/WC": "void"}),
    Case("R.23 onto the coast on the river", "F BUR - CAP/EC", "F BEL - CAP/WC", {"F BUR": "bounced", "F BEL": "bounced"}),
    Case("R.24 not onto the other coast", "F BUR - CAP/WC", "F BEL - CAP/EC", {"F BUR": "void", "F BEL": "void"}),
    Case("R.25 support from the river to the other coast", "F MAR - CAP/WC, F BUR S F MAR - CAP/WC", "F CAP/EC H", {"F BUR": "given", "F MAR": "moved"}, {"F CAP/EC": "OCE"}),
    Case("R.26 support needs the coast on the river", "A AMB - BUR, F CAP/WC S A AMB - BUR", "F BUR H", {"F CAP/WC": "void", "A AMB": "bounced"}),
    Case("R.27 a closed shore", "F OCE - HIL", "A HIL - OCE", {"F OCE": "void", "A HIL": "void"}),
    Case("R.28 three fleets around one bend", "F BEL - AMB, F AMB - BUR", "F BUR - BEL", {"F BEL": "bounced", "F AMB": "bounced", "F BUR": "void"}),
    Case("R.29 a chain up the river", "F BEL - AMB, F AMB - BUR", "F BUR - ALP, F ALP - BOR", {"F BEL": "moved", "F AMB": "moved", "F BUR": "moved", "F ALP": "moved"}),
]  # fmt: skip


def play(case, edition):
    """Return the turn of a case, with each unit where its order says."""
    orders = {
        power: [one.strip() for one in text.split(", ") if one]
        for power, text in (("WEST", case.west), ("EAST", case.east))
    }
    units = "; ".join(
        f"{power}: {', '.join(' '.join(one.split()[:2]) for one in texts)}"
        for power, texts in orders.items()
        if texts
    )
    game = judge.Game(BOARD, edition, position=f"S1901M {units}")
    for power, texts in orders.items():
        game.order(power, texts)
    return game.adjudicate()


@pytest.mark.parametrize("edition", ALL_EDITIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case, edition):
    turn = play(case, edition)
    found = {str(one.order.unit): one.outcome.value for one in turn.resolution.results}
    assert {unit: found[unit] for unit in case.outcomes} == case.outcomes
    retreats = {str(one.unit): " ".join(one.retreats) for one in turn.resolution.dislodged}
    assert retreats == case.retreats
    assert all(result.why for result in turn.values())
    assert explain(BOARD, turn.position, turn.orders, EDITIONS[edition], seed="")
    given = {order.unit: order for order in turn.orders}
    read = [
        given[unit] if found[str(unit)] != "void" and unit in given else Hold(unit)
        for unit in turn.position.units
    ]
    assert differences(BOARD, read, EDITIONS[edition]) == []


def test_fleets_are_built_on_a_river():
    text = "W1901A WEST: F MAR; centers WEST: AST, AMB; centers EAST: BOR, BUR, CAP"
    game = judge.Game(BOARD, position=text)
    assert {unit for unit in game.legal_orders("EAST") if unit != "WAIVE"} == {
        "A BOR", "F BOR", "A BUR", "F BUR",
    }  # fmt: skip
    game.order("WEST", "F AMB B")
    game.order("EAST", "F BOR B, A BUR B")
    built = game.adjudicate().resolution.next
    assert [str(unit) for unit in built.units_of("WEST")] == ["F AMB", "F MAR"]
    assert [str(unit) for unit in built.units_of("EAST")] == ["A BUR", "F BOR"]


def test_a_fleet_far_up_the_river_is_removed_first():
    """Civil disorder counts the steps of fleets along the river (2000 rulebook)."""
    text = "W1901A EAST: F AST, F BEL; centers EAST: BOR"
    (left,) = judge.Game(BOARD, position=text).adjudicate().resolution.next.units_of("EAST")
    assert str(left) == "F BEL"


def test_a_sentence_says_where_a_unit_can_go():
    game = judge.Game(BOARD, position="S1901M WEST: F CAP/WC, F AST")
    for text, near in (("F AST - AMB", ["Belmouth"]), ("F CAP/WC - BUR", ["Belmouth", "Mare"])):
        (problem,) = game.order("WEST", text)
        assert all(name in str(problem) for name in near)


def test_a_game_on_the_river_is_stored_and_read():
    game, rng = judge.Game(BOARD), random.Random(7)
    for _ in range(12):
        for power in game.powers_to_order:
            game.order(power, [rng.choice(one) for one in game.legal_orders(power).values()])
        game.adjudicate()
    stored = json.loads(json.dumps(game.to_json()))
    assert judge.Game.from_json(stored).board == BOARD
    assert judge.Game.from_json(stored).position == game.position


@pytest.mark.parametrize("seed", range(12))
def test_a_slow_list_of_legal_orders_agrees(seed):
    rng = random.Random(seed)
    board = BOARD if seed < 4 else ruled_board(rng)
    start = random_position(board, rng, rng.randint(3, 9))
    for info in board.powers:
        listed = {str(order) for order in legal_orders(board, start, info.power)}
        assert listed == set(SlowLegality(board, start).orders(info.power))


def test_rules_move_nothing():
    """The borders alone decide: without its rules, a board has the same moves."""
    bare = replace(BOARD, border_rules=())
    for kind in UnitKind:
        assert bare.locations(kind) == BOARD.locations(kind)
        for place in BOARD.locations(kind):
            assert bare.destinations(kind, place) == BOARD.destinations(kind, place)


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (BorderRule(BorderKind.RIVER, Location("AST"), Location("BEL")), "it is there twice"),
        (BorderRule(BorderKind.CLOSED, Location("AMB"), Location("BUR"), BOTH), "lets the army"),
        (BorderRule(BorderKind.RIVER, Location("CAP/WC"), Location("BUR")), "needs the same pair"),
    ],
)
def test_rules_that_contradict_the_borders_are_refused(rule, fault):
    with pytest.raises(BoardError, match=fault):
        replace(BOARD, border_rules=(*BOARD.border_rules, rule))
    with pytest.raises(TypeError, match=r"border_rules\[0\]: expected a BorderRule"):
        replace(BOARD, border_rules=("AST-BEL",))
