"""Every bot gives legal orders on any board; the arena plays whole games from a seed."""

import random

import pytest

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.arena import Played, choose_orders, play_game, play_games
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import parse_position
from diplomaccloud.judge.orders import Build, Order, SupportMove, Waive, power_of
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()


STAGES = (
    "S1901M FRANCE: A PAR, F BRE; GERMANY: A BUR",
    "F1901R FRANCE: A MAR; GERMANY: A PAR, A BUR; dislodged FRANCE: A PAR (GAS PIC)",
    "W1901A FRANCE: A PAR; GERMANY: A MUN; centers FRANCE: BRE MAR PAR; centers GERMANY: MUN",
    "W1901A FRANCE: A GAS, A PAR, F BRE; GERMANY: A MUN; centers FRANCE: PAR; centers GERMANY: MUN",
)


@pytest.mark.parametrize("name", BOTS)
def test_each_unit_gets_one_legal_order_in_every_stage_and_in_a_game(name):
    for text in STAGES:
        assert choose_legal_orders(parse_position(text), name, "stage")
    position = starting_position(BOARD)
    for number in range(40):
        orders = choose_legal_orders(position, name, f"turn {number}")
        position = adjudicate(BOARD, position, orders).next


def choose_legal_orders(position: Position, name: str, seed: str) -> list[Order]:
    orders = choose_orders(
        BOARD, position, dict.fromkeys(BOARD.power_info, BOTS[name]), DEFAULT, seed
    )
    for power in BOARD.power_info:
        own = [order for order in orders if power_of(order) == power]
        assert set(own) <= set(legal_orders(BOARD, position, power))
        assert len(own) == orders_due(position, power)
    return orders


def orders_due(position: Position, power: Power) -> int:
    match position.phase.stage:
        case Stage.MOVEMENT:
            return len(position.units_of(power))
        case Stage.RETREATS:
            return len(position.dislodged_of(power))
        case Stage.ADJUSTMENTS:
            return abs(adjustments_owed(BOARD, position, power))


def test_the_same_seed_plays_the_same_game_and_another_seed_another():
    bots = dict.fromkeys(BOARD.power_info, BOTS["greedy"])
    first, again, other = (
        play_game(BOARD, bots, seed=seed, until=1904) for seed in ("a", "a", "b")
    )
    assert first == again
    assert first != other


def test_the_greedy_bot_outgrows_random_and_holding_ones():
    bots = [BOTS["greedy"], *[BOTS["random"]] * 3, *[BOTS["hold"]] * 3]
    for game in play_games(BOARD, bots, games=2, until=1906, seed="growth"):
        counts = {
            name: [len(game.final.centers_of(p)) for p, n in game.bots.items() if n == name]
            for name in ("greedy", "random", "hold")
        }
        assert counts["greedy"][0] > max(counts["random"] + counts["hold"])


def test_greedy_units_support_one_another_when_a_place_is_contested():
    position = starting_position(BOARD)
    bots = dict.fromkeys(BOARD.power_info, BOTS["greedy"])
    supports = 0
    for _ in range(10):
        orders = choose_orders(BOARD, position, bots, DEFAULT, "supports")
        supports += sum(isinstance(order, SupportMove) for order in orders)
        position = adjudicate(BOARD, position, orders).next
    assert supports > 3


@pytest.mark.parametrize("name", BOTS)
def test_builds_follow_the_seed_and_are_as_many_as_owed_in_different_provinces(name):
    start = starting_position(BOARD)
    france, brest = Power("FRANCE"), ProvinceCode("BRE")
    position = Position(
        phase=Phase.parse("W1901A"),
        units=[unit for unit in start.units if unit.province == brest],
        centers=start.centers,
    )
    drawn = [
        [
            BOTS[name].orders(BOARD, position, france, DEFAULT, random.Random(seed))
            for seed in "abcd"
        ]
        for _ in range(2)
    ]
    assert drawn[0] == drawn[1]
    orders = drawn[0][0]
    assert len(orders) == 2
    builds = [order.unit.province for order in orders if isinstance(order, Build)]
    assert len(set(builds)) == len(builds)
    assert brest not in builds
    assert all(isinstance(order, Build | Waive) for order in orders)


def test_a_solo_scores_one_and_everything_else_shares_by_squares():
    bots = {Power("FRANCE"): "greedy", Power("ITALY"): "greedy"}
    start = starting_position(BOARD)
    even = Played(bots, start, None, 1)
    assert even.score(Power("FRANCE")) == even.score(Power("ITALY")) == 0.5
    won = Played(bots, start, Ending((Power("ITALY"),), "18 centers"), 1)
    assert (won.score(Power("FRANCE")), won.score(Power("ITALY"))) == (0, 1)
