"""The settings of environments: the board, the rules, the length of a game, and the reward."""

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
"""How many years a game lasts unless `last_year` is given."""

MOST_YEARS: Final = 1000

FEWEST_ORDERS: Final = 256
"""How many orders a province's list may have on any board unless `most_orders` is given."""


class Reward(StrEnum):
    """What a power is rewarded for, and when.

    `SCORE`: at the end of the game, the powers divide 1 point. A winner gets all of it; otherwise
    each power gets its share of the sum of squared center counts. `CENTERS`: in every phase, each
    power gets the number of centers it gained minus those it lost.
    """

    SCORE = "score"
    CENTERS = "centers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of an environment.

    `board` is the standard board unless given. A game ends when a power wins or after `last_year`:
    by default (0), the board's tenth year. `most_orders` limits the orders in a province's list;
    longer lists are cut. By default (0), the limit is 256, or three orders for each province if
    that is more. `reward` is a `Reward` or its name.

    Raises `TypeError` or `ValueError` naming the setting at fault, and `UnsupportedRulesError` for
    rules that batches do not support.
    """

    board: Board = field(default_factory=lambda: default_board(None))
    last_year: int = 0
    most_orders: int = 0
    reward: Reward | str = Reward.SCORE
    rules: RuleSet = DEFAULT

    def __post_init__(self) -> None:
        """Fill in the defaults and check every setting."""
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
            raise ValueError(f"reward: expected one of {', '.join(words)}, not {self.reward!r}")
        object.__setattr__(self, "reward", Reward(self.reward))
