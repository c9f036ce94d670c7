"""Pinned bots: versions of our bots that never change how they play, for measuring maps.

Each has an exact name, such as `captain-1`. The same board and seed give the same game in every
version of the program, so measurements from different years are comparable and can be checked. A
better bot gets a new name; the old one stays. `tests/bots/test_pinned.py` guards their play.
"""

from collections.abc import Mapping
from typing import Final

from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.levels import Level, LevelBot
from diplomaccloud.bots.search import SearchBot

PinnedBot = GreedyBot | LevelBot | SearchBot

GREEDY: Final = "greedy-1"
CAPTAIN: Final = "captain-1"
COLONEL: Final = "colonel-1"
GENERAL: Final = "general-1"


def _pin(name: str, bot: PinnedBot) -> PinnedBot:
    bot.name = name
    return bot


# The budgets and the style are written out here, because the levels of the site may change.
PINNED_BOTS: Final[Mapping[str, PinnedBot]] = {
    GREEDY: _pin(GREEDY, GreedyBot()),
    CAPTAIN: _pin(CAPTAIN, LevelBot(Level(2, "Captain", combines=True))),
    COLONEL: _pin(COLONEL, SearchBot(50)),
    GENERAL: _pin(GENERAL, SearchBot(200)),
}
"""The pinned bots by name, weakest first."""

PINNED_TITLES: Final[Mapping[str, str]] = {
    GREEDY: "Greedy",
    CAPTAIN: "Captain",
    COLONEL: "Colonel",
    GENERAL: "General",
}
"""Their display names, without the version."""
