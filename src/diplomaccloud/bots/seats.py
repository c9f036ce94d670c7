"""The bots that may have seats in a game, alone or as a mixture such as `level:1,level:4`."""

import random
from collections.abc import Sequence
from typing import Final

from diplomaccloud.bots import BOTS, find_bot, name_bot
from diplomaccloud.bots.levels import CHARACTERS, LEVELS, LevelBot, vary
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet

ADVISER: Final = "level:4"
"""The bot that gives hints."""

USUAL_BOT: Final = "level:2"
"""The bot for seats if nobody chooses another. It plays about as well as the greedy bot."""

BEGINNERS_BOT: Final = "level:1"
"""The opponent of guests, who play for the first time and have not chosen one."""

MIXED: Final = ",".join(level.name for level in LEVELS)
"""One of each level, in turn."""

_MAX_MIXTURE: Final = 10

SEAT_CHOICES: Final = (
    *((level.name, level.title) for level in LEVELS),
    *((name, name_bot(name)) for name in BOTS),
)
"""The choices for one seat."""


def is_mixture(text: str) -> bool:
    """Return whether the text is a comma-separated list of bots that may have seats."""
    names = text.split(",")
    return len(names) <= _MAX_MIXTURE and all(map(is_seat_bot, names))


def is_seat_bot(name: str) -> bool:
    """Return whether the bot may have a seat."""
    return name in dict(SEAT_CHOICES)


def choose_bot(mixture: str, number: int) -> str:
    """Return the bot for the seat with this number, counted from 0; the bots take turns."""
    names = mixture.split(",")
    return names[number % len(names)]


def give_character(name: str, seed: str) -> str:
    """Return the bot's name with a character drawn from the seed, if it can have one."""
    bot = find_bot(name) if name else None
    if not isinstance(bot, LevelBot) or bot.character or not bot.level.budget:
        return name
    return f"{name}:{random.Random(seed).choice(sorted(CHARACTERS))}"


def hide_character(name: str) -> str:
    """Return the bot's name without its character, as everyone may know it during a game."""
    return ":".join(name.split(":")[:2]) if find_level(name) else name


def ask_bot(
    name: str,
    board: Board,
    position: Position,
    power: Power,
    *,
    rules: RuleSet,
    seed: str,
    varies: bool = False,
) -> Sequence[Order]:
    """Return the orders of the bot with this name; the same `seed` gives the same orders.

    A bot that `varies` is a `VariedBot`.
    """
    bot = vary(find_bot(name)) if varies else find_bot(name)
    return bot.orders(board, position, power, rules, random.Random(seed))


def looks_ahead(name: str) -> bool:
    """Return whether the bot looks ahead, which is too slow to do during a request."""
    level = find_level(name)
    return level > 0 and LEVELS[level - 1].budget > 0


def find_level(name: str) -> int:
    """Return the level of a bot, from 1, or 0 if it has none."""
    kind, _, rest = name.partition(":")
    number = rest.partition(":")[0]
    return int(number) if kind == "level" and number.isdigit() else 0


def word_bot(name: str) -> str:
    """Return the bot's name within a sentence: `greedy bot`, or `General`."""
    return name_bot(name) if find_level(name) else f"{name} bot"


def word_bots(mixture: str) -> str:
    """Return the bots' names within a sentence: `greedy bots`, or `Recruits and Generals`."""
    words: Sequence[str] = list(dict.fromkeys(f"{word_bot(n)}s" for n in mixture.split(",")))
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
