"""Learn a linear value of positions by self-play, then play against DumbBot.

The value of a position to a power is a weighted sum of features, with weights for each phase.
Orders are found by looking one phase ahead: all powers start with random orders, and each keeps a
change to one of its orders if the resulting position is worth more to it. The weights are fitted to
the centers that powers held later in these games. The only rules it knows are the results of
phases.

    python linear_value.py [--generations N] [--games N] [--trials N] [--cores N] [--seed N]
"""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import starmap
from typing import Any

import numpy as np

from diplomaccloud import judge
from diplomaccloud.environments import VectorEnv

Array = np.ndarray[Any, Any]
Run = Callable[[Callable[..., Any], list[tuple[Any, ...]]], list[Any]]
BOARD = judge.standard_board()
PROVINCES, POWERS = len(BOARD.provinces), len(BOARD.powers)
PHASE, WINNER, HEADER, PHASES = 1, 2, 3, 5
UNITS, DISLODGED = HEADER, HEADER + PROVINCES
CENTERS = [number for number, info in enumerate(BOARD.provinces) if info.code in BOARD.centers]
OWNERS = [HEADER + 4 * PROVINCES + number for number in CENTERS]
FACTS = 20
PATIENCE = 0.85
"""The discount for a center that is held one phase later."""


@cache
def find_reach() -> tuple[Array, Array]:
    """Return a number for each kind of unit at each place, and a row with the centers it reaches.

    The numbers are by the lower bits of a unit in a state. A row has 1 for the centers under the
    unit, then for those one move away, and then for those two moves away.
    """
    standing = [(kind, place) for kind in judge.UnitKind for place in BOARD.locations(kind)]
    bits = {}
    for kind, place in standing:
        unit = judge.Unit(kind, place, BOARD.powers[0].power)
        alone = judge.Position(judge.Phase.parse("S1901M"), (unit,), {})
        bits[kind, place] = max(judge.batch.pack([alone])[UNITS : UNITS + PROVINCES])
    codes = [BOARD.provinces[number].code for number in CENTERS]
    on = np.array([[str(place)[:3] == code for code in codes] for _, place in standing])
    steps = np.array(
        [
            [kind == other and to in BOARD.destinations(kind, place) for other, to in standing]
            for kind, place in standing
        ]
    )
    near = steps @ on
    far = (steps @ near) & ~near & ~on
    numbers = np.zeros(2048, int)
    numbers[[bits[unit] for unit in standing]] = np.arange(len(standing))
    return numbers, np.concatenate([on, near, far], axis=1).astype(np.float32)


def find_facts(states: Array, powers: Array) -> Array:
    """Return the features of each state for the power with that number."""
    count, size = len(states), len(CENTERS)
    codes = states[:, UNITS : UNITS + PROVINCES]
    games, places = np.nonzero(codes >= 0)
    found = codes[games, places]
    theirs = (found >> 11) != powers[games]
    numbers, reach = find_reach()
    standing = np.zeros((2 * count, len(reach)), np.float32)
    standing[2 * games + theirs, numbers[found & 2047]] = 1
    sums = (standing @ reach).reshape(count, 6, size).transpose(1, 0, 2)
    mine_on, mine_near, mine_far, on, near, _ = sums
    owners = states[:, OWNERS]
    mine, free = owners == powers[:, None], owners < 0
    other = ~mine & ~free
    held = np.stack([(owners == power).sum(1) for power in range(POWERS)], 1)
    rival = np.where(np.arange(POWERS) == powers[:, None], 0, held).max(1)
    out = states[:, DISLODGED : DISLODGED + PROVINCES]
    columns = [
        np.ones(count),
        mine.sum(1),
        np.bincount(games[~theirs], minlength=count),
        (free * mine_on).sum(1),
        (other * mine_on).sum(1),
        (mine * mine_on).sum(1),
        (mine * on).sum(1),
        (free & (mine_near > 0)).sum(1),
        (free & (mine_near > near + on)).sum(1),
        (other & (mine_near > 0)).sum(1),
        (other & (mine_near > near + on)).sum(1),
        (mine & (near > 0)).sum(1),
        (mine & (near > mine_near + mine_on)).sum(1),
        (free & (mine_far > 0)).sum(1),
        (other & (mine_far > 0)).sum(1),
        (other * np.minimum(mine_near, 3)).sum(1),
        (mine * np.minimum(mine_near, 2)).sum(1),
        rival,
        ((out >= 0) & (out >> 11 == powers[:, None])).sum(1),
        states[:, WINNER] == powers,
    ]
    return np.stack(columns, 1).astype(np.float32)


def find_values(states: Array, powers: Array, weights: Array) -> Array:
    """Return the value of each state to the power with that number."""
    values: Array = (find_facts(states, powers) * weights[states[:, PHASE]]).sum(1)
    return values


def find_orders(env: VectorEnv, weights: Array, rounds: int, random: np.random.Generator) -> Array:
    """Return orders for all powers, as rows, improved in `rounds` rounds."""
    count = env.count
    orders = env.find_orders(env.sample()).copy()
    every = np.tile(np.arange(POWERS), count)
    game = np.repeat(np.arange(count), POWERS)
    mine = env.actors[:, None] == np.arange(POWERS)[:, None]
    states = np.repeat(env.states, POWERS, axis=0)
    for _ in range(rounds):
        place = (random.random(mine.shape, np.float32) * mine).argmax(2).reshape(-1)
        lengths = np.where(mine.any(2).reshape(-1), env.lengths[game, place], 0)
        choice = (random.random(len(game)) * lengths).astype(int)
        new = env.orders[np.minimum(env.firsts[game, place] + choice, len(env.orders) - 1), 1:]
        tried = orders[game]
        old = tried[np.arange(len(game)), :, place]
        tried[np.arange(len(game)), :, place] = np.where(lengths[:, None] > 0, new, old)
        after = adjudicate(np.concatenate([states, env.states]), np.concatenate([tried, orders]))
        before = np.repeat(after[len(game) :], POWERS, axis=0)
        better = find_values(after[: len(game)], every, weights) > find_values(
            before, every, weights
        )
        kept = np.flatnonzero(better & (lengths > 0))
        orders[game[kept], :, place[kept]] = new[kept]
    return orders


def adjudicate(states: Array, orders: Array) -> Array:
    """Return the next states."""
    after = judge.batch.adjudicate(np.ascontiguousarray(states).data, orders.data).states
    return np.frombuffer(after, np.int32).reshape(states.shape)


def play_generation(weights: Array, games: int, rounds: int, seed: int) -> tuple[Array, Array]:
    """Play games to the end; return the sums from which weights are fitted."""
    env = VectorEnv(games, last_year=1908)
    env.reset(seed)
    random = np.random.default_rng(seed)
    facts, phases, centers, ended = [], [], [], []
    every = np.tile(np.arange(POWERS), games)
    for _ in range(40):
        facts.append(find_facts(np.repeat(env.states, POWERS, axis=0), every))
        phases.append(np.repeat(env.states[:, PHASE], POWERS))
        _states, _rewards, won, late, more = env.step_orders(
            find_orders(env, weights, rounds, random)
        )
        held = np.where((more["final"][:, WINNER, None] == np.arange(POWERS)) & won[:, None], 34, 0)
        centers.append(np.maximum(more["centers"], held).reshape(-1))
        ended.append(np.repeat(won | late, POWERS))
    squares = np.zeros((PHASES, FACTS, FACTS))
    products = np.zeros((PHASES, FACTS))
    later = centers[-1].astype(float)
    for fact, phase, held, over in zip(
        reversed(facts), reversed(phases), reversed(centers), reversed(ended), strict=True
    ):
        later = np.where(over, held, (1 - PATIENCE) * held + PATIENCE * later)
        for number in range(PHASES):
            chosen = fact[phase == number].astype(float)
            squares[number] += chosen.T @ chosen
            products[number] += chosen.T @ later[phase == number]
    return squares, products


def learn(run: Run, generations: int, games: int, cores: int, seed: int) -> Array:
    """Return the weights after `generations` of self-play; `run` uses all cores."""
    weights: Array = np.zeros((PHASES, FACTS))
    squares = np.zeros((PHASES, FACTS, FACTS)) + np.eye(FACTS)
    products = np.zeros((PHASES, FACTS))
    for generation in range(generations):
        rounds = 0 if generation == 0 else 24
        seeds = [seed + 1000 * generation + core for core in range(cores)]
        for more, sums in run(play_generation, [(weights, games, rounds, each) for each in seeds]):
            squares, products = squares + more, products + sums
        weights = np.linalg.solve(squares, products[..., None])[..., 0]
        squares, products = squares * 0.5, products * 0.5
    return weights


def meet_dumbbot(weights: Array, trials: int, rounds: int, seed: int) -> Array:
    """Return the scores of one learner, or of random orders without `rounds`, among six DumbBots.

    Game `n` seats it as the power with the number `n`, in turn.
    """
    env = VectorEnv(trials, last_year=1910)
    env.reset(seed)
    random = np.random.default_rng(seed)
    seat = np.arange(trials) % POWERS
    scores = np.full(trials, np.nan)
    while np.isnan(scores).any():
        mine = (env.actors == seat[:, None])[:, None]
        learned = find_orders(env, weights, rounds, random)
        _states, rewards, won, late, _more = env.step_orders(
            np.where(mine, learned, env.order_as_dumbbot())
        )
        first = (won | late) & np.isnan(scores)
        scores[first] = rewards[np.arange(trials), seat][first]
    return scores


def show(name: str, scores: Array) -> None:
    """Print the mean score with its 95% interval."""
    error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
    print(f"{name:22} {len(scores):5} {scores.mean():7.3f} ± {error:.3f}")


def main() -> None:
    """Learn, and print the scores."""
    parser = argparse.ArgumentParser(description="Learn a linear value by self-play.")
    for name, value in (("generations", 8), ("games", 24), ("trials", 210), ("cores", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=300)
    options = parser.parse_args()
    began = time.monotonic()
    with ProcessPoolExecutor(options.cores) as pool:

        def run(work: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Any]:
            if options.cores == 1:
                return list(starmap(work, calls))
            return list(pool.map(work, *zip(*calls, strict=True)))

        weights = learn(run, options.generations, options.games, options.cores, options.seed)
        print(f"learned in {time.monotonic() - began:.0f} s")
        print(f"{'one among six DumbBots':22} games   score")
        part = options.trials // options.cores
        for name, rounds in (("random orders", 0), ("linear value", options.rounds)):
            calls = [(weights, part, rounds, options.seed + core) for core in range(options.cores)]
            show(name, np.concatenate(run(meet_dumbbot, calls)))
    print(f"{'as good as DumbBot':22} {'':5} {1 / POWERS:7.3f}")


if __name__ == "__main__":
    main()
