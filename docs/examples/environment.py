"""Many games as one environment for learning programs: `reset` and `step` over NumPy arrays.

An action is the index of one of a unit's legal orders. Units without an action hold, builds
without one are waived. Games that are won, or that reach the last year, start over.
"""

import numpy as np

from diplomaccloud import judge

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
BOARD = judge.standard_board()
PROVINCES, POWERS = len(BOARD.provinces), len(BOARD.powers)
YEAR, WINNER, HEADER = 0, 2, 3
OWNERS = slice(HEADER + 4 * PROVINCES, HEADER + 5 * PROVINCES)


class Environment:
    """`count` games that are played in parallel by the 2000 rules."""

    def __init__(self, count: int, last_year: int = 1910) -> None:
        self.count, self.last_year = count, last_year
        self.states = self.reset()

    def reset(self) -> IntArray:
        """Start all games over, and return the observations: a row of integers for each game."""
        start = np.frombuffer(judge.batch.start(self.count), np.int32)
        self.states = start.reshape(self.count, -1).copy()
        return self.states

    def legal_orders(self) -> list[IntArray]:
        """Return the legal orders of each game, with rows of province, code, target and goal."""
        firsts, table = judge.batch.legal_orders(self.states.data)
        return np.split(np.frombuffer(table, np.int32).reshape(-1, 4), firsts[1:-1])

    def step(self, chosen: list[IntArray]) -> tuple[IntArray, IntArray, np.ndarray]:
        """Play a phase, and return the observations, the rewards of the powers, and who is done.

        `chosen` are rows of `legal_orders`, at most one for each province of a game.
        """
        orders = np.zeros((self.count, 3, PROVINCES), np.int32)
        for game, rows in zip(orders, chosen, strict=True):
            game[:, rows[:, 0]] = rows[:, 1:].T
        before = self.count_centers()
        after = judge.batch.adjudicate(self.states.data, orders.data)
        self.states = np.frombuffer(after.states, np.int32).reshape(self.count, -1).copy()
        rewards = self.count_centers() - before
        done = (self.states[:, WINNER] >= 0) | (self.states[:, YEAR] > self.last_year)
        observed = self.states.copy()
        if done.any():
            first = judge.batch.start(1)
            self.states[done] = np.frombuffer(first, np.int32)
        return observed, rewards, done

    def count_centers(self) -> IntArray:
        """Return the number of centers of each power in each game."""
        owners = self.states[:, OWNERS]
        return np.stack([(owners == power).sum(axis=1) for power in range(POWERS)], axis=1)


def choose_at_random(orders: IntArray, random: np.random.Generator) -> IntArray:
    """Return one legal order for each province."""
    shuffled = random.permutation(orders)
    return shuffled[np.unique(shuffled[:, 0], return_index=True)[1]]


if __name__ == "__main__":
    random = np.random.default_rng(1)
    environment = Environment(count=32)
    total = np.zeros((32, POWERS), np.int64)
    for _ in range(40):
        legal = environment.legal_orders()
        chosen = [choose_at_random(rows, random) for rows in legal]
        _observed, rewards, done = environment.step(chosen)
        total += rewards
        total[done] = 0
    names = [info.name for info in BOARD.powers]
    for name, gained in zip(names, total.mean(axis=0), strict=True):
        print(f"{name:8} {gained:+.2f} centers")
