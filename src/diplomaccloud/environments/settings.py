"""The settings of environments: the board, the rules, how long a game lasts, and what it pays."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.checks import require_type, require_whole_number
from diplomaccloud.judge.kernel.batch import UnsupportedRulesError
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.position_text import default_board
from diplomaccloud.judge.rules import DEFAULT, RuleSet

YEARS: Final = 10
"""How many years a game lasts unless the last one is given."""

MOST_YEARS: Final = 1000

FEWEST_ORDERS: Final = 256
"""How many orders a list may have, on any board, unless that is given."""


class Reward(StrEnum):
    """What a power is paid, and when.

    `SCORE`: when the game ends, its part of it, 1 in all. The winner gets 1; without one, each
    power gets its share of the sum of squared centers. `CENTERS`: in every phase, the centers that
    it gained less those that it lost.
    """

    SCORE = "score"
    CENTERS = "centers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of an environment.

    `board` is the standard board unless given. A game ends when a power wins, or after
    `last_year`, by default (0) the tenth year of the board. `most_orders` is how many orders the
    list of a province has at most; longer lists are cut. By default (0) there may be 256, or
    three for each province of a larger board. `reward` is one of `Reward`, or its word.

    Raises `TypeError` or `ValueError` that names the setting, and `UnsupportedRulesError` for rules
    that batches do not have.
    """

    board: Board = field(default_factory=lambda: default_board(None))
    last_year: int = 0
    most_orders: int = 0
    reward: Reward | str = Reward.SCORE
    rules: RuleSet = DEFAULT

    def __post_init__(self) -> None:
        """Fill in what is left out, and refuse what makes no sense."""
        require_type("board", self.board, Board)
        require_type("rules", self.rules, RuleSet)
        if not find_support(self.rules).batches:
            raise UnsupportedRulesError(f"rules: no kernel for the rule set {self.rules.name}")
        first = self.board.first_year
        if self.last_year == 0:
            object.__setattr__(self, "last_year", first + YEARS - 1)
        require_whole_number("last_year", self.last_year, first, first + MOST_YEARS)
        if self.most_orders == 0:
            most = max(FEWEST_ORDERS, 3 * len(self.board.provinces))
            object.__setattr__(self, "most_orders", most)
        require_whole_number("most_orders", self.most_orders, 1, 1 << 16)
        words = [reward.value for reward in Reward]
        if self.reward not in words:
            raise ValueError(f"reward: one of {', '.join(words)} is needed, not {self.reward!r}")
        object.__setattr__(self, "reward", Reward(self.reward))
