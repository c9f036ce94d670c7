"""Five levels of one opponent, from Recruit to Marshal: `level:1` to `level:5`.

Weak levels are less careful and less farsighted, but none gives random orders. Recruit and Captain
don't look ahead: they play like DumbBot, Recruit with more heat and Captain with more supports. The
others look ahead to the next Spring. General has 4 times Colonel's budget, and Marshal 20 times
General's, so it also looks a year further and forecasts its neighbors' orders. A name may add a
character, as in `level:4:avenger`: its preferences among orders that are nearly as good as the
best. A bot keeps its character for a whole game, and a character sees only the position, so it has
no memory.
"""

import random
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from diplomaccloud.bots.candidates import Source, read_row
from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.bots.pacts import NO_PACT, Pact
from diplomaccloud.bots.player import Bot, DumbBot
from diplomaccloud.bots.policy import DUMBBOT, Style, measure_states, read_orders
from diplomaccloud.bots.repairs import combine_attacks, has_slip, repair
from diplomaccloud.bots.search import (
    FAR_BUDGET,
    SearchBot,
    find_plan,
    list_best,
    measure_candidates,
)
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.core.codes import (
    FIRST_PHASE,
    HEAD,
    PHASE,
    POWER_SHIFT,
    SUPPORT_HOLD,
    YEAR,
)
from diplomaccloud.judge.kernel.layout import pack_orders, pack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet

LEVEL: Final = "level"

OPENING_TOLERANCE: Final = 0.1
"""How much worse than the best an opening may be, as a fraction of the best."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of play: the evaluations per phase, or 0 and the style of its units.

    A bot that `combines` lets idle units support attacks of their neighbors.
    """

    number: int
    title: str
    budget: int = 0
    style: Style = DUMBBOT
    combines: bool = False

    @property
    def name(self) -> str:
        """The name of the bot."""
        return f"{LEVEL}:{self.number}"


LEVELS: Final = (
    Level(1, "Recruit", style=Style(heat=0.9, tolerance=0.8)),
    Level(2, "Captain", combines=True),
    Level(3, "Colonel", budget=50),
    Level(4, "General", budget=200),
    Level(5, "Marshal", budget=4000),
)


TOLERANCE: Final = 0.05
"""How much worse than the best a character's choice may be, as a fraction of the best."""

Row = Sequence[int]
"""An order row."""


def _find_goals(source: Source, row: Row) -> list[int]:
    return [g for unit in source.units if (g := source.find_goal(row, unit)) is not None]


def _find_victims(source: Source, row: Row) -> list[int]:
    """Return the power whose unit or center is attacked, for each attack."""
    codes = [(goal, source.state[HEAD + goal]) for goal in _find_goals(source, row)]
    victims = [code >> POWER_SHIFT if code >= 0 else source.owners[goal] for goal, code in codes]
    return [victim for victim in victims if victim not in {-1, source.power}]


def _count_gains(source: Source, row: Row) -> float:
    """Return how many units move to another power's center."""
    owners, centers = source.owners, source.table.centers
    goals = _find_goals(source, row)
    return float(sum(goal in centers and owners[goal] != source.power for goal in goals))


def _count_guards(source: Source, row: Row) -> float:
    """Return how many of its centers have a unit, plus half the number of supported holds."""
    stays = [unit for unit in source.units if source.find_goal(row, unit) is None]
    ends = {*stays, *_find_goals(source, row)}
    guarded = sum(source.owners[province] == source.power for province in ends)
    return guarded + 0.5 * sum(row[unit] == SUPPORT_HOLD for unit in source.units)


def _avoid_new_enemies(source: Source, row: Row) -> float:
    """Return a higher value the fewer powers are attacked."""
    return -float(len(set(_find_victims(source, row))))


def _count_weak_victims(source: Source, row: Row) -> float:
    """Return a value that counts each attack, and more so if the victim has few centers."""
    owners = source.owners
    return sum(1 / (1 + owners.count(victim)) for victim in _find_victims(source, row))


def _count_strong_victims(source: Source, row: Row) -> float:
    """Count the attacks on powers that own its home centers, or else on the leader."""
    owners, table = source.owners, source.table
    hated = {owners[center] for center in table.centers if table.home[center] == source.power}
    leader = max(range(len(table.powers)), key=owners.count)
    hated = hated - {-1, source.power} or {leader}
    return float(sum(victim in hated for victim in _find_victims(source, row)))


CHARACTERS: Final[Mapping[str, Callable[[Source, Row], float]]] = {
    "expander": _count_gains,
    "guardian": _count_guards,
    "loyalist": _avoid_new_enemies,
    "opportunist": _count_weak_victims,
    "avenger": _count_strong_victims,
}
"""Functions by character that rate an order row."""


def choose_by_character(
    character: str, source: Source, alternatives: Sequence[tuple[bytes, float]]
) -> bytes:
    """Return the alternative that the character likes best among those nearly as good as the best.

    The first of `alternatives` is the best; a bot without a character chooses it.
    """
    if character not in CHARACTERS:
        return alternatives[0][0]
    taste = CHARACTERS[character]
    return max(list_best(alternatives, TOLERANCE), key=lambda row: taste(source, read_row(row)))


def count_prospects(source: Source, row: Row) -> int:
    """Return how many units will be in or next to a center that the power does not own."""
    owners, prospects = source.owners, 0
    for unit in source.units:
        goal = source.find_goal(row, unit)
        place = None if goal is None else row[2 * source.size + unit]
        near = {unit if goal is None else goal, *source.find_reach(unit, place)}
        centers = near.intersection(source.table.centers)
        prospects += any(owners[each] != source.power for each in centers)
    return prospects


class LevelBot:
    """Plays at a level, optionally with a character."""

    def __init__(self, level: Level, character: str = "") -> None:
        self.level, self.character = level, character
        self.name = f"{level.name}:{character}" if character else level.name

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
        state, number = pack_state(board, position), table_of(board).power_of[power]
        source = Source(board, state, number, rng, pact)
        if self.level.budget:
            row = self._search(source)
        else:
            (row,) = source.sample_in_style(1, self.level.style)
        if self.level.combines:
            row = combine_attacks(source, row)
        return read_orders(board, position, state, power, read_row(repair(source, row)))

    def _search(self, source: Source) -> bytes:
        """Return the good candidate that the character likes best; those with slips come last.

        In the first turn, one is drawn at random, because always playing the same opening is dull.
        It is most likely one that brings many units next to foreign centers: each unit with
        prospects makes it four times as likely.
        """
        plan = find_plan(source, self.level.budget)
        sound = [each for each in plan.alternatives if not has_slip(source, each[0])]
        alternatives = sound or plan.alternatives
        state = source.state
        if (state[YEAR], state[PHASE]) != (source.board.first_year, FIRST_PHASE):
            return choose_by_character(self.character, source, alternatives)
        openings = list_best(alternatives, OPENING_TOLERANCE)
        weights = [4 ** count_prospects(source, read_row(each)) for each in openings]
        return source.rng.choices(openings, weights)[0]


def find_level_bot(name: str) -> LevelBot:
    """Return the bot named, for example, `level:3` or `level:3:guardian`; raise `ValueError`."""
    _, _, rest = name.partition(":")
    number, colon, character = rest.partition(":")
    level = next((level for level in LEVELS if number == str(level.number)), None)
    if level is None or (colon and character not in CHARACTERS):
        raise ValueError(f"{name!r}: the levels are level:1 to level:{len(LEVELS)}")
    return LevelBot(level, character)


STALE_YEARS = 3
"""If no center has changed hands for this many years, bots agree to any draw."""


def accepts_draw(
    board: Board, position: Position, power: Power, *, sharing: int, is_stale: bool
) -> bool:
    """Return whether a bot agrees to a draw among `sharing` players.

    It does if the game is stale, or if its share is worth more than its position.
    """
    if is_stale or sharing < 1:
        return True
    values: array[float] = measure_states(board, pack_state(board, position))
    return 1 / sharing > values[table_of(board).power_of[power]]


# Variety: after a rollback, bots draw their orders among plans that are worth about the same.
#
# Without it, a bot would mostly repeat the orders that everyone has seen, because its own random
# choices matter only between places or plans that it rates nearly alike. A varied bot first makes
# its own plan. It then tries this plan and variations of it against the same replies, as a search
# does, and draws one of those that are worth about as much. Better plans count only for a bot that
# looks ahead anyway; another would soon play above its level.
#
# Raising the heat lowers the repetition as much, but only for bots that don't look ahead. Plans may
# be worth 90 % of the bot's own, which cost no level a measurable share, but a Marshal lost 0.086 ±
# 0.047 in eight games, so its plans must be worth 94 %.


VARIED_TOLERANCE: Final = 0.1
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
        self.tolerance = VARIED_TOLERANCE if self.budget < FAR_BUDGET else _FAR_TOLERANCE
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
            orders = self.bot.orders(*given)
        else:
            orders = self.bot.orders(*given, pact=pact)
        state = pack_state(board, position)
        source = Source(board, state, table_of(board).power_of[power], rng, pact)
        if not source.units:
            return orders
        row = self._draw(source, pack_orders(board, orders).tobytes())
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
