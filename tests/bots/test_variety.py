"""Varied bots repeat fewer of their orders, and otherwise play like the bots they vary."""

import random
from functools import cache

import pytest
from tests.bots.policies import EUROPE, play_states

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.arena import play_game
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.levels import VariedBot, vary
from diplomaccloud.bots.pacts import Pact, find_pact
from diplomaccloud.bots.player import Bot
from diplomaccloud.bots.talks.press_table import find_diplomat
from diplomaccloud.deals import DealTurn, Peace, Terms
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.kernel.layout import unpack_state
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Hold, Order, SupportHold, power_of
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.rules import DEFAULT

PLANNING = ["greedy", "dumbbot", "level:2", "level:3:avenger"]
needs_compiled_kernel = pytest.mark.skipif(bool(SLOW_KERNEL), reason="too slow without it")


@cache
def fixed_positions() -> list[Position]:
    """Return the movement phases of the first year of a game among greedy bots."""
    found: list[Position] = []
    bots = {power: find_bot("greedy") for power in EUROPE.power_info}
    play_game(EUROPE, bots, seed="g1", until=1901, watch=lambda seen: found.append(seen[0]))
    return [position for position in found if position.phase.stage is Stage.MOVEMENT]


def ask(bot: Bot, position: Position, power: Power, seed: str) -> set[Order]:
    return set(bot.orders(EUROPE, position, power, DEFAULT, random.Random(f"{seed}/{power}")))


def count_repeated(first: Bot, second: Bot) -> int:
    """Return how many orders of the first bot the second repeats with another seed."""
    return sum(
        len(ask(first, position, power, "1") & ask(second, position, power, "2"))
        for position in fixed_positions()
        for power in EUROPE.power_info
    )


@needs_compiled_kernel
@pytest.mark.parametrize("name", PLANNING)
def test_a_varied_bot_repeats_clearly_fewer_orders(name: str) -> None:
    bot = find_bot(name)
    assert count_repeated(bot, vary(bot)) <= 0.85 * count_repeated(bot, bot)


@pytest.mark.parametrize("name", ["hold", "random"])
def test_a_bot_without_plans_stays_as_it_is(name: str) -> None:
    assert vary(find_bot(name)) is find_bot(name)


@needs_compiled_kernel
@pytest.mark.parametrize("name", PLANNING)
def test_the_orders_are_legal_and_follow_from_the_seed(name: str) -> None:
    bot = vary(find_bot(name))
    for states in play_states(EUROPE, 1, 6, seed=5):
        position = unpack_state(EUROPE, states)
        for power in list(EUROPE.power_info)[::3]:
            orders = ask(bot, position, power, "1")
            assert orders <= set(legal_orders(EUROPE, position, power))
            assert orders == ask(bot, position, power, "1")


@needs_compiled_kernel
def test_the_character_of_a_varied_bot_shows() -> None:
    position = fixed_positions()[1]

    def count_guards(character: str) -> int:
        bot, powers = vary(find_bot(f"level:3:{character}")), list(EUROPE.power_info)[::2]
        orders = [
            order
            for power in powers
            for seed in "1234"
            for order in ask(bot, position, power, seed)
        ]
        return sum(isinstance(order, Hold | SupportHold) for order in orders)

    assert count_guards("guardian") > count_guards("expander")


@needs_compiled_kernel
def test_a_varied_bot_keeps_to_a_pact() -> None:
    position, power = starting_position(EUROPE), Power("FRANCE")
    end = DealTurn(Season.WINTER, 1902)
    clause = Peace((power, Power("GERMANY")), end)
    terms = Terms(position.phase, (power, Power("GERMANY")), ((clause,),))
    pact: Pact = find_pact(EUROPE, position, power, [(terms, 0)])
    diplomat = find_diplomat(vary(find_bot("level:3:avenger")))
    assert diplomat is not None
    assert isinstance(diplomat.bot, VariedBot)
    for seed in range(5):
        rng = random.Random(seed)
        orders = diplomat.bot.orders(EUROPE, position, power, DEFAULT, rng, pact=pact)
        assert {power_of(order) for order in orders} == {power}
        assert all(pact.allows(order) for order in orders)
