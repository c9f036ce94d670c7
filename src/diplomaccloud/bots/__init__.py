"""Bots: players that are programs. `BOTS` holds one of each, by name."""

from typing import Final

from diplomaccloud.bots.dumbbot import DumbBot
from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.hold import HoldBot
from diplomaccloud.bots.player import Bot
from diplomaccloud.bots.random_legal import RandomBot

__all__ = ["BOTS", "BOT_CHOICES", "Bot", "name_bot"]

BOTS: dict[str, Bot] = {bot.name: bot for bot in (GreedyBot(), DumbBot(), RandomBot(), HoldBot())}

_TITLES: Final = {DumbBot.name: "DumbBot"}


def name_bot(name: str) -> str:
    """Return what people call the bot: `Greedy bot` for `greedy`, and `DumbBot` for `dumbbot`."""
    return _TITLES.get(name, f"{name.capitalize()} bot")


BOT_CHOICES: Final = tuple((name, name_bot(name)) for name in BOTS)
"""The bots as people choose them: each with its name and what they call it."""
