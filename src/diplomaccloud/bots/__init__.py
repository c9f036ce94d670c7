"""Bots: players that are programs. `BOTS` holds one of each, by name."""

from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.hold import HoldBot
from diplomaccloud.bots.player import Bot
from diplomaccloud.bots.random_legal import RandomBot

__all__ = ["BOTS", "Bot"]

BOTS: dict[str, Bot] = {bot.name: bot for bot in (GreedyBot(), RandomBot(), HoldBot())}
