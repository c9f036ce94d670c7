"""Many games at once, as NumPy arrays, for reinforcement learning.

An action is a number for each province: an index in its list of legal orders, in the order in which
the kernel lists them. Choice 0 is what happens without an order. So a mask is a row of ones
followed by zeros, and the order of the kernel's lists is part of the interface. One list of all
conceivable orders would differ for each map, and few would apply. Each step overwrites the arrays,
because copying the masks would take as long as adjudicating.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.bots import policy
from diplomaccloud.bots.kernel import KERNEL
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.checks import describe, require_type, require_whole_number
from diplomaccloud.judge.kernel.core.codes import PHASE, WINNER
from diplomaccloud.judge.kernel.layout import ADJUSTMENT_PHASES, find_owed, read_order
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.rules import DEFAULT, Removal, RuleSet
from diplomaccloud.judge.standard.europe import default_board

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]


def read_ints(name: str, given: object, shape: tuple[int, ...]) -> Ints:
    """Return the whole numbers in `given` as a 32-bit array; copy it only if it has another type.

    Raises `TypeError` unless `given` is an array or a list of whole numbers, and `ValueError` if
    its shape differs from `shape` or a number does not fit into 32 bits; the error names the first.
    """
    try:
        array: NDArray[Any] = np.asarray(given)
    except ValueError as error:
        raise TypeError(f"{name}: expected an array of integers with rows of equal length") from (
            error
        )
    if array.dtype.kind not in "iu":
        what = f"an array of {array.dtype}" if isinstance(given, np.ndarray) else describe(given)
        raise TypeError(f"{name}: expected an array of integers, not {what}")
    if array.shape != shape:
        raise ValueError(f"{name}: expected the shape {shape}, not {array.shape}")
    limits = np.iinfo(np.int32)
    if array.dtype.itemsize >= 4 and array.dtype != np.int32:
        wrong = np.argwhere((array > limits.max) | (array < limits.min))
        if len(wrong):
            at = tuple(wrong[0].tolist())
            place = ", ".join(map(str, at))
            raise ValueError(f"{name}[{place}]: {array[at]} does not fit into 32 bits")
    return np.ascontiguousarray(array, np.int32)


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
        batch.require_rows_for(self.rules)
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


MOST_GAMES: Final = 1 << 17

Step = tuple[Ints, NDArray[np.float32], Flags, Flags, dict[str, Any]]
"""Observations, rewards, which games were won, which ran out of time, and further information."""


class VectorEnv:
    """`count` games played side by side; a game that ends starts over at once.

    Each step overwrites all arrays, so copy what you want to keep. Below, `n` is a game, `p` a
    province in the order of `provinces`, and `k` a power in the order of `powers`.

    `states[n]` is the observation, a row of the kernel. At `(n, p)`, `actors` has the power that
    chooses, or -1; `lengths` has the number of orders to choose from; and `masks`, with a third
    index, marks the choices. Choice 0 is what happens without an order: a unit holds, a dislodged
    unit is disbanded, and in winter nothing is done. It is the only choice where no power chooses.
    `orders` has a row for each order that could be chosen, with its province, code, target and
    goal; those for `(n, p)` start at `firsts[n, p]`. `centers[n, k]` and `units[n, k]` are counts,
    and `cut` is the number of lists that were too long in the last step.

    Takes the keywords of `settings.Settings`, and raises the same errors. Also raises `TypeError`
    or `ValueError` for a bad `count`.
    """

    def __init__(self, count: int, **settings: Any) -> None:
        require_whole_number("count", count, 1, MOST_GAMES)
        self.settings = Settings(**settings)
        self.board = board = self.settings.board
        self._table = table = table_of(board)
        self.count = count
        self.provinces = tuple(str(info.code) for info in board.provinces)
        self.powers = tuple(str(power) for power in table.powers)
        size, powers, most = len(self.provinces), len(self.powers), self.settings.most_orders
        self._start = np.frombuffer(batch.start(1, board), np.int32)
        width = len(self._start)
        self.states: Ints = np.zeros((count, width), np.int32)
        self.actors: Ints = np.full((count, size), -1, np.int32)
        self.lengths: Ints = np.zeros((count, size), np.int32)
        self.masks: Flags = np.zeros((count, size, most), np.bool_)
        self.orders: Ints = np.zeros((0, 4), np.int32)
        self.cut = 0
        self._bounds: Ints = np.zeros(count * size + 1, np.int32)
        self.firsts: Ints = self._bounds[:-1].reshape(count, size)
        self._counts: Ints = np.zeros((count, 2, powers), np.int32)
        self._order_rows: Ints = np.zeros((count, 3, size), np.int32)
        self._finals: Ints = np.zeros((count, width), np.int32)
        self._endings: Ints = np.zeros(count, np.int32)
        self._prefixes = np.tri(most + 1, most, -1, np.bool_)
        self._prefixes[0, 0] = True
        self.reset()

    @property
    def centers(self) -> Ints:
        """Return how many centers each power has in each game."""
        return self._counts[:, 0]

    @property
    def units(self) -> Ints:
        """Return how many units each power has in each game, including dislodged ones."""
        return self._counts[:, 1]

    def reset(self, seed: int | None = None, states: object = None) -> tuple[Ints, dict[str, Any]]:
        """Start all games over, from `states` if given; return the observations and information.

        `seed` makes `sample` and `order_as_dumbbot` reproducible; without it they are random.
        Raises `TypeError` or `ValueError` naming the first of `states` that is not a position.
        """
        given = self._start
        if states is not None:
            given = read_ints("states", states, self.states.shape)
            # Raises ValueError for bad states.
            batch.legal_orders(given.reshape(-1), self.board)  # type: ignore[arg-type]
        self._random = np.random.default_rng(seed)
        seeds = (self.count, len(self.powers))
        self._seeds = self._random.integers(0, 1 << 64, seeds, np.uint64)
        self.states[:] = given
        self._endings[:] = 0
        rows, self.cut = KERNEL.list_choices(
            self._table,
            self.states.reshape(-1),
            self.settings.most_orders,
            self._bounds,
            self.actors.reshape(-1),
            self._counts.reshape(-1),
        )
        self._start_counts = self._counts[0].copy()
        self._show_choices(rows)
        return self.states, self._describe()

    def step(self, choices: object) -> Step:
        """Play a phase with these choices, an array of shape `(count, provinces)`.

        Returns the observations, the rewards at `(n, k)`, which games were won, which ran out of
        time, and a dictionary. Its `action_mask` is the attribute `masks`; `actors` and `lengths`
        are those attributes; `final` has the last observation of each game that ended; `centers`
        and `units` are the counts right after the phase.
        Raises `TypeError` or `ValueError` naming the first number that is not a choice; then
        nothing is played.
        """
        return self._play(self.find_orders(choices))

    def step_orders(self, orders: object) -> Step:
        """Play a phase with rows of orders of shape `(count, 3, provinces)`; otherwise like `step`.

        A row has the code, the target and the goal for each province. Orders must be legal; an
        order that is out of range counts as none.
        """
        return self._play(read_ints("orders", orders, self._order_rows.shape))

    def find_orders(self, choices: object) -> Ints:
        """Return the rows of orders behind `choices`; raise the same errors as `step`."""
        given = read_ints("choices", choices, self.lengths.shape)
        wrong = KERNEL.read_choices(
            self._table,
            given.reshape(-1),
            self._bounds,
            self.orders.reshape(-1),
            self._order_rows.reshape(-1),
        )
        if wrong >= 0:
            game, province = divmod(wrong, len(self.provinces))
            name, length = self.provinces[province], int(self.lengths[game, province])
            choices = f"nobody chooses in {name}, so it must be 0"
            if length:
                choices = f"{name} has the choices 0 to {length - 1}"
            given_choice = given[game, province]
            raise ValueError(f"choices[{game}, {province}]: {choices}, not {given_choice}")
        return self._order_rows

    def sample(self) -> Ints:
        """Return random choices, all equally likely, drawn from the seed given to `reset`."""
        drawn = self._random.random(self.lengths.shape, np.float32) * self.lengths
        return np.minimum(drawn.astype(np.int32), np.maximum(self.lengths - 1, 0))

    def order_as_dumbbot(self) -> Ints:
        """Return DumbBot's orders for all powers, as rows for `step_orders`."""
        seeds = self._seeds.reshape(-1)
        rows = policy.choose_orders(self.board, self.states.reshape(-1), seeds)  # type: ignore[arg-type] # buffers
        return np.frombuffer(rows, np.int32).reshape(self._order_rows.shape)

    def find_owed(self, game: int) -> list[int]:
        """Return how many units each power may build in winter; if negative, it must disband."""
        return find_owed(self._table, self.states[game].tolist())

    def list_texts(self, game: int, province: int) -> list[str]:
        """Return the choices in a province as text; in winter, `-` means to do nothing."""
        first = int(self.firsts[game, province])
        rows = self.orders[first : first + int(self.lengths[game, province])].tolist()
        state = self.states[game].tolist()
        winter = state[PHASE] in ADJUSTMENT_PHASES
        return [
            "-"
            if winter and code == 0
            else str(read_order(self._table, state, code, target, goal, site))
            for site, code, target, goal in rows
        ]

    def _play(self, orders: Ints) -> Step:
        before, rules = self._counts[:, 0].copy(), self.settings.rules
        if rules.removal is Removal.RANDOM_2009:
            lots = self._random.integers(0, 1 << 64, self.count, np.uint64)
            given = self.states.reshape(-1), orders.reshape(-1), rules, [str(lot) for lot in lots]
            orders = np.frombuffer(batch.draw_removals(self.board, *given), np.int32)  # type: ignore[arg-type]
        rows, self.cut = KERNEL.play_choices(
            self._table,
            self.states.reshape(-1),
            orders.reshape(-1),
            self._start,
            self.settings.last_year,
            self.settings.most_orders,
            self._finals.reshape(-1),
            self._endings,
            self._bounds,
            self.actors.reshape(-1),
            self._counts.reshape(-1),
            find_support(rules).number,
        )
        self._show_choices(rows)
        won, late = self._endings == 1, self._endings == 2
        ended, counts = np.flatnonzero(self._endings), self._counts.copy()
        after = {"final": self._finals, "centers": counts[:, 0], "units": counts[:, 1]}
        rewards = self._pay(before, counts[:, 0], ended)
        self._counts[ended] = self._start_counts
        return self.states, rewards, won, late, self._describe() | after

    def _pay(self, before: Ints, after: Ints, ended: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the rewards for a phase; `ended` are the games that are over."""
        if self.settings.reward is Reward.CENTERS:
            return (after - before).astype(np.float32)
        rewards = np.zeros(after.shape, np.float32)
        for game in ended.tolist():
            squares = np.square(after[game], dtype=np.float32)
            winner = int(self._finals[game, WINNER])
            if winner >= 0:
                rewards[game, winner] = 1
            elif squares.any():
                rewards[game] = squares / squares.sum()
        return rewards

    def _show_choices(self, rows: Any) -> None:
        self.orders = np.frombuffer(rows, np.int32).reshape(-1, 4)
        np.subtract(self._bounds[1:], self._bounds[:-1], out=self.lengths.reshape(-1))
        np.take(self._prefixes, self.lengths, axis=0, out=self.masks, mode="clip")

    def _describe(self) -> dict[str, Any]:
        return {"action_mask": self.masks, "actors": self.actors, "lengths": self.lengths}
