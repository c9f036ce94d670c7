"""Measure the PyPI package `diplomacy` on the same positions."""

import random
from statistics import median
from time import process_time

from positions import Scene

VERSION = "1.1.2"


def load():
    """Return a game of the peer, or `None` if it is not installed."""
    try:
        from diplomacy import Game
    except ImportError:
        return None
    return Game()


def resolver_us(game, scenes: list[Scene]) -> tuple[float, float]:
    """Return the median time of only its resolver, and the share of orders it accepted."""
    times, accepted, total = [], 0, 0
    for scene in scenes:
        _set_position(game, scene)
        game._determine_orders()
        game._add_coasts()
        accepted += len(game.orders)
        total += len(scene.orders)
        start = process_time()
        game._resolve_moves()
        times.append((process_time() - start) * 1e6)
    return median(times), accepted / total


def listing_us(game, scenes: list[Scene]) -> float:
    """Return the median time to list all legal orders."""
    times = []
    for scene in scenes:
        _set_position(game, scene)
        start = process_time()
        game.get_all_possible_orders()
        times.append((process_time() - start) * 1e6)
    return median(times)


def phases_per_second(seconds: float) -> float:
    """Return the number of phases of random play per second."""
    from diplomacy import Game

    rng = random.Random(1)
    game, played, start = Game(), 0, process_time()
    while process_time() - start < seconds:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            places = game.get_orderable_locations(power)
            game.set_orders(power, [rng.choice(possible[at]) for at in places if possible[at]])
        game.process()
        played += 1
        if game.is_game_done:
            game = Game()
    return played / (process_time() - start)


def _set_position(game, scene: Scene) -> None:
    game.clear_orders()
    game.clear_units()
    for power in game.powers:
        units = [str(unit) for unit in scene.position.units if unit.power == power]
        game.set_units(power, units, reset=True)
    for power in game.powers:
        game.set_orders(power, [str(order) for order in scene.orders if order.unit.power == power])
