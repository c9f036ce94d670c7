"""Variety: after a rollback, bots draw their orders among plans that are worth about the same.

Without it, a bot would mostly repeat the orders that everyone has seen, because its own random
choices matter only between places or plans that it rates nearly alike. A varied bot first makes its
own plan. It then tries this plan and variations of it against the same replies, as a search does,
and draws one of those that are worth about as much. Better plans count only for a bot that looks
ahead anyway; another would soon play above its level.

Raising the heat lowers the repetition as much, but only for bots that don't look ahead. Plans may
be worth 90 % of the bot's own, which cost no level a measurable share, but a Marshal lost 0.086 ±
0.047 in eight games, so its plans must be worth 94 %.
"""

import random
from array import array
from collections.abc import Sequence
from math import inf
from typing import Final

from diplomaccloud.bots.candidates import Source, read_row
from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.levels import LevelBot, choose_by_character
from diplomaccloud.bots.pacts import NO_PACT, Pact
from diplomaccloud.bots.player import Bot, DumbBot
from diplomaccloud.bots.policy import Style, read_orders
from diplomaccloud.bots.repairs import repair
from diplomaccloud.bots.search import FAR_BUDGET, SearchBot, measure_candidates
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import pack_orders, pack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet

TOLERANCE: Final = 0.1
"""How much less, or more, than the bot's own plan another may be worth, as a fraction of it."""
_FAR_TOLERANCE: Final = 0.06
"""The same for a bot that looks a year further, to which small differences matter more."""

_VARIATIONS: Final = 24
_CHANGES: Final = 24
"""How many more there are of the plan of a bot that looks ahead, because few others match it."""

_STYLE: Final = Style(heat=0.8, tolerance=1.0)
"""The style of the variations that don't start from the bot's own plan."""

_MIN_REPLIES, _MAX_REPLIES = 4, 48

PlanningBot = GreedyBot | DumbBot | LevelBot | SearchBot


class VariedBot:
    """Plays like another bot, but draws among all plans about as good as that bot's."""

    def __init__(self, bot: PlanningBot) -> None:
        self.bot, self.name, self.budget = bot, bot.name, 0
        if isinstance(bot, LevelBot):
            self.budget = bot.level.budget
        elif isinstance(bot, SearchBot):
            self.budget = bot.budget
        self.tolerance = TOLERANCE if self.budget < FAR_BUDGET else _FAR_TOLERANCE
        # The better the bot, the more exactly its plans must be compared.
        self.replies = min(_MAX_REPLIES, max(_MIN_REPLIES, round(1.7 * self.budget**0.5)))

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,
        rng: random.Random,
        *,
        pact: Pact = NO_PACT,
    ) -> Sequence[Order]:
        """Return the orders of `power`; the same for the same state of `rng`."""
        given = board, position, power, rules, rng
        if isinstance(self.bot, GreedyBot | DumbBot):
            own = self.bot.orders(*given)
        else:
            own = self.bot.orders(*given, pact=pact)
        state = pack_state(board, position)
        source = Source(board, state, table_of(board).power_of[power], rng, pact)
        if not source.units:
            return own
        row = self._draw(source, pack_orders(board, own).tobytes())
        return read_orders(board, position, state, power, row)

    def _draw(self, source: Source, plan: bytes) -> "array[int]":
        """Return a plan that is worth about as much as the bot's own."""
        drawn = source.sample_in_style(_VARIATIONS, _STYLE)
        drawn += [source.vary([plan]) for _ in range(_CHANGES if self.budget else 0)]
        # The bot's own plan, and different ones without slips.
        plans = list(dict.fromkeys([plan, *[repair(source, each) for each in drawn]]))
        worth, *others = measure_candidates(source, plans, self.replies, self.budget)
        margin = self.tolerance * abs(worth)
        rated = zip(plans[1:], others, strict=True)
        most = inf if self.budget else worth + margin
        near = [each for each, value in rated if worth - margin <= value <= most]
        # Of two draws, the bot's character chooses one, so it shows but doesn't repeat itself.
        two = [(each, worth) for each in source.rng.choices([plan, *near], k=2)]
        character = self.bot.character if isinstance(self.bot, LevelBot) else ""
        return read_row(choose_by_character(character, source, two))


def vary(bot: Bot) -> Bot:
    """Return a bot that repeats itself less; the same bot if it is random or never plans."""
    return VariedBot(bot) if isinstance(bot, PlanningBot) else bot
