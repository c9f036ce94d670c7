"""One game as both PettingZoo APIs see it: its agents, their observations and their choices."""

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from diplomaccloud.environments.arrays import Flags, Ints
from diplomaccloud.environments.settings import Settings
from diplomaccloud.environments.vector import Step, VectorEnv
from diplomaccloud.judge.kernel.layout import unpack_state

LIMITS: Final = np.iinfo(np.int32)


class OneGame:
    """One game, with the names of the powers that are still playing."""

    def __init__(self, settings: Settings) -> None:
        given = {name: getattr(settings, name) for name in Settings.__slots__}
        self.games = VectorEnv(1, **given)
        self.powers = self.games.powers
        self.living: list[str] = []
        self.final: Ints | None = None

    def reset(self, seed: int | None) -> None:
        """Start over."""
        self.games.reset(seed)
        self.final = None
        self.living = self._find_living(self.games.centers, self.games.units)

    def play(self, choices: Ints) -> tuple[dict[str, float], dict[str, bool], dict[str, bool]]:
        """Play a phase; return the rewards, terminations and truncations of the living powers.

        Eliminated powers count as living until the next phase. When the game has ended, `final`
        is its last state.
        """
        step: Step = self.games.step(choices)
        _states, rewards, won, late, more = step
        left = self._find_living(more["centers"], more["units"])
        over, ended = bool(won[0]), bool(won[0] or late[0])
        if ended:
            self.final = more["final"][0].copy()
        paid = {name: float(rewards[0, self.powers.index(name)]) for name in self.living}
        terminated = {name: over or name not in left for name in self.living}
        truncated = {name: ended and not terminated[name] for name in self.living}
        self.living = [] if ended else left
        return paid, terminated, truncated

    def show_state(self) -> Ints:
        """Return the row of the current state, or of the last one if the game has ended."""
        return self.games.states[0].copy() if self.final is None else self.final.copy()

    def find_lengths(self, name: str) -> Ints:
        """Return how many choices a power has in each province; 1 where it has only choice 0."""
        mine = self.games.actors[0] == self.powers.index(name)
        if self.final is not None:
            mine = np.zeros_like(mine)
        return np.where(mine, self.games.lengths[0], 1).astype(np.int32)

    def find_orders(self, name: str) -> Ints:
        """Return the orders in a power's lists: province, code, target, goal."""
        rows = self.games.orders
        mine: Flags = self.games.actors[0, rows[:, 0]] == self.powers.index(name)
        return rows[mine & (self.final is None)]

    def describe(self) -> str:
        """Return the position as text."""
        row: Any = self.show_state()
        return unpack_state(self.games.board, row).to_text()

    def _find_living(self, centers: Ints, units: Ints) -> list[str]:
        alive = (centers[0] > 0) | (units[0] > 0)
        return [name for name, lives in zip(self.powers, alive, strict=True) if lives]


def make_box(length: int) -> spaces.Box:
    """Return the space of integer rows with this length."""
    return spaces.Box(LIMITS.min, LIMITS.max, (length,), np.int32)
