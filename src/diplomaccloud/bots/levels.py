"""Five levels of one opponent, from Recruit to Marshal: `level:1` to `level:5`.

Weak levels are less careful and less farsighted, but none gives random orders. Recruit and Captain
don't look ahead: they play like DumbBot, Recruit with more heat and Captain with more supports. The
others look ahead to the next Spring. General has 4 times Colonel's budget, and Marshal 20 times
General's, so it also looks a year further and forecasts its neighbors' orders. A name may add a
character, as in `level:4:avenger`.
"""

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.characters import (
    CHARACTERS,
    choose_by_character,
    count_prospects,
    list_best,
)
from diplomaccloud.bots.pacts import NO_PACT, Pact
from diplomaccloud.bots.policy import DUMBBOT, Style, measure_states, read_orders
from diplomaccloud.bots.repairs import combine_attacks, has_slip, read_row, repair
from diplomaccloud.bots.search import find_plan
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import PHASE, SPRING_MOVEMENT, YEAR, pack_state
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
        rules: RuleSet,  # noqa: ARG002 required by the protocol
        rng: random.Random,
        *,
        pact: Pact = NO_PACT,
    ) -> Sequence[Order]:
        """Return the orders of `power`; the same for the same state of `rng`."""
        state, number = pack_state(board, position), table_of(board).power_of[power]
        source = Source(board, state, number, rng, pact)
        row = self._search(source) if self.level.budget else self._sample(source)
        return read_orders(board, position, state, power, read_row(repair(source, row)))

    def _sample(self, source: Source) -> bytes:
        candidate = source.sample_in_style(1, self.level.style)[0]
        return combine_attacks(source, candidate) if self.level.combines else candidate

    def _search(self, source: Source) -> bytes:
        """Return the good candidate that the character likes best; those with slips come last.

        In the first turn, one is drawn at random, because always playing the same opening is dull.
        It is most likely one that brings many units next to foreign centers.
        """
        plan = find_plan(source, self.level.budget)
        sound = tuple(each for each in plan.alternatives if not has_slip(source, each[0]))
        if _is_opening(source):
            return _draw_opening(source, list_best(sound or plan.alternatives, OPENING_TOLERANCE))
        return choose_by_character(self.character, source, sound or plan.alternatives)


def _draw_opening(source: Source, candidates: Sequence[bytes]) -> bytes:
    """Return a random candidate; each unit with prospects makes it four times as likely."""
    weights = [4 ** count_prospects(source, read_row(each)) for each in candidates]
    return source.rng.choices(candidates, weights)[0]


def _is_opening(source: Source) -> bool:
    state = source.state
    return (state[YEAR], state[PHASE]) == (source.board.first_year, SPRING_MOVEMENT)


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
