"""Bots: players that are programs. `BOTS` holds one of each, by name."""

from typing import Final

from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.levels import LEVEL, find_level_bot
from diplomaccloud.bots.pinned import PINNED_BOTS
from diplomaccloud.bots.player import Bot, DumbBot, HoldBot, RandomBot
from diplomaccloud.bots.search import SearchBot

__all__ = ["BOTS", "BOT_CHOICES", "Bot", "find_bot", "name_bot"]

BOTS: dict[str, Bot] = {bot.name: bot for bot in (GreedyBot(), DumbBot(), RandomBot(), HoldBot())}

_SEARCH: Final = "search"

_TITLES: Final = {DumbBot.name: "DumbBot"}


def find_bot(name: str) -> Bot:
    """Return the bot with this name.

    `search:N` looks ahead with N evaluations per phase; `level:N` is one of five levels. Names such
    as `captain-1` are pinned bots, which always play the same way.

    Raises `ValueError` for unknown names and numbers out of range.
    """
    kind, _, number = name.partition(":")
    if kind == LEVEL:
        return find_level_bot(name)
    if kind == _SEARCH:
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise ValueError(f"{name!r}: a search takes a number of evaluations, as in search:300")
        return SearchBot(int(number))
    if name in PINNED_BOTS:
        return PINNED_BOTS[name]
    if name not in BOTS:
        choices = ", ".join([*BOTS, *PINNED_BOTS, "search:N", "level:N"])
        raise ValueError(f"there is no bot {name!r} (choose from: {choices})")
    return BOTS[name]


def name_bot(name: str) -> str:
    """Return a bot's display name: `Greedy bot` for `greedy`, and `General` for `level:4`."""
    if name.startswith(f"{LEVEL}:"):
        return find_level_bot(name).level.title
    return _TITLES.get(name, f"{name.capitalize()} bot")


BOT_CHOICES: Final = tuple((name, name_bot(name)) for name in BOTS)
"""The bots to choose from: each with its name and its display name."""
