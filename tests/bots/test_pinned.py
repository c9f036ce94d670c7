"""Pinned bots: nobody changes how they play unaware, because certificates of maps rest on them."""

from hashlib import sha256

import pytest
from tests.bots.policies import EUROPE

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.arena import Fixture, choose_orders, play_fixtures, play_game
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.levels import LEVELS
from diplomaccloud.bots.pinned import CAPTAIN, GREEDY, PINNED_BOTS, PINNED_TITLES
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.rules import DEFAULT

PLAYS = {
    "greedy-1": "c827ce7e223949e8",
    "captain-1": "b25a5bc85f1e3be4",
    "colonel-1": "4506fa64d3186a51",
    "general-1": "15b491efcebdf03e",
}
"""A digest of all orders of a few years. A bot that plays differently needs a new name."""

GAMES = {
    "greedy-1": (("a", 12), ("b", 8)),
    "captain-1": (("a", 8), ("b", 8)),
    "colonel-1": (("a", 3), ("b", 2)),
    "general-1": (("a", 2), ("b", 1)),
}
"""The seeds of the games, and how many years each lasts."""


def digest_play(name: str) -> str:
    """Return a digest of the orders in a few games on Europe, the only board that never changes."""
    bots, texts = dict.fromkeys(EUROPE.power_info, find_bot(name)), []

    def note(played):
        texts.append(" ".join(sorted(map(str, played[1]))))

    for seed, years in GAMES[name]:
        until = EUROPE.first_year + years - 1
        play_game(EUROPE, bots, seed=seed, until=until, watch=note)
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", PINNED_BOTS)
def test_a_pinned_bot_plays_as_it_always_did(name):
    if SLOW_KERNEL and name not in {GREEDY, CAPTAIN}:
        pytest.skip("needs the compiled kernel")
    assert digest_play(name) == PLAYS[name]


def test_pinned_bots_have_exact_names_and_play_like_the_bots_of_today():
    assert PINNED_BOTS.keys() == PINNED_TITLES.keys() == PLAYS.keys()
    assert all(find_bot(name).name == name for name in PINNED_BOTS)
    position = starting_position(EUROPE)
    for pinned, today in (("greedy-1", "greedy"), ("captain-1", LEVELS[1].name)):
        rows = [
            choose_orders(
                EUROPE, position, dict.fromkeys(EUROPE.power_info, find_bot(name)), DEFAULT, "x"
            )
            for name in (pinned, today)
        ]
        assert rows[0] == rows[1]


def test_a_pinned_bot_plays_many_games_together_as_one_by_one():
    powers = list(EUROPE.power_info)
    fixtures = [Fixture(dict.fromkeys(powers, GREEDY), seed) for seed in ("a", "b")]
    found = [game.final for game in play_fixtures(EUROPE, fixtures, find_bot, until=1902)]
    bots = dict.fromkeys(powers, find_bot(GREEDY))
    assert found == [play_game(EUROPE, bots, seed=s, until=1902).final for s in ("a", "b")]
