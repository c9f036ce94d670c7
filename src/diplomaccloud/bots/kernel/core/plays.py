"""The functions of the policy for batches of states; `bots.policy` describes them."""

from collections.abc import MutableSequence, Sequence
from typing import cast

from diplomaccloud.judge.kernel.core import codes, native
from diplomaccloud.judge.kernel.core.batches import require_length, require_range
from diplomaccloud.judge.kernel.table import Table

from . import doubles
from .player import Player

PLAYERS = "players"
"""Where a table keeps the players that nothing uses."""


def borrow_player(table: Table) -> Player:
    """Return a player on the board that nothing else uses, until it is put back."""
    try:
        return cast("Player", table.native[__name__ + PLAYERS].pop())
    except (KeyError, IndexError):
        return Player(table)


def return_player(table: Table, player: Player) -> None:
    """Leave a player to the next caller."""
    table.native.setdefault(__name__ + PLAYERS, []).append(player)


def choose_orders(
    table: Table,
    states: Sequence[int],
    seeds: MutableSequence[int],
    orders: MutableSequence[int],
    heat: float,
    tolerance: float,
    truces: Sequence[int] | None = None,
) -> None:
    """Choose the orders of all powers in a batch of states; see `policy.choose_orders`."""
    state_view, order_view = native.open_ints(states, False), native.open_ints(orders, True)
    seed_view = native.open_seeds(seeds)
    size = table.provinces
    count = len(state_view) // (codes.HEAD + 5 * size)
    require_length(len(seed_view), count * len(table.powers))
    require_length(len(order_view), count * 3 * size)
    player = borrow_player(table)
    set_style(player, heat, tolerance, truces)
    first, chosen = native.get_ints(state_view), native.get_ints(order_view)
    seed = native.get_seeds(seed_view)
    thread = native.release_lock()
    wrong = player.choose_states(first, seed, chosen, count)
    native.restore_lock(thread)
    return_player(table, player)
    require_range(wrong)


def sample_orders(
    table: Table,
    state: Sequence[int],
    power: int,
    forced: Sequence[int],
    seeds: MutableSequence[int],
    orders: MutableSequence[int],
    heat: float,
    tolerance: float,
    truces: Sequence[int] | None = None,
) -> None:
    """Choose the orders of one power for each seed; see `policy.sample_orders`."""
    state_view, order_view = native.open_ints(state, False), native.open_ints(orders, True)
    forced_view, seed_view = native.open_ints(forced, False), native.open_seeds(seeds)
    size = table.provinces
    count = len(seed_view)
    require_length(len(state_view), codes.HEAD + 5 * size)
    require_length(len(forced_view), 3 * size)
    require_length(len(order_view), count * 3 * size)
    require_power(table, power)
    player = borrow_player(table)
    set_style(player, heat, tolerance, truces)
    first, chosen = native.get_ints(state_view), native.get_ints(order_view)
    given, seed = native.get_ints(forced_view), native.get_seeds(seed_view)
    if not player.policy.fits(given):
        return_player(table, player)
        raise ValueError("a forced order holds a number out of range")
    thread = native.release_lock()
    wrong = player.sample_state(first, power, given, seed, chosen, count)
    native.restore_lock(thread)
    return_player(table, player)
    require_range(wrong)


def measure_states(table: Table, states: Sequence[int], values: MutableSequence[float]) -> None:
    """Measure what the states of a batch are worth to each power; see `policy.measure_states`."""
    state_view, value_view = native.open_ints(states, False), doubles.open_doubles(values)
    count = len(state_view) // (codes.HEAD + 5 * table.provinces)
    require_length(len(value_view), count * len(table.powers))
    player = borrow_player(table)
    first, worth = native.get_ints(state_view), doubles.get_doubles(value_view)
    thread = native.release_lock()
    wrong = player.measure_states(first, worth, count)
    native.restore_lock(thread)
    return_player(table, player)
    require_range(wrong)


def play_policy(
    table: Table,
    states: MutableSequence[int],
    seeds: MutableSequence[int],
    phases: int,
    start: Sequence[int],
    heat: float,
    tolerance: float,
) -> None:
    """Play the policy for all powers in place; see `policy.play`."""
    state_view, start_view = native.open_ints(states, True), native.open_ints(start, False)
    seed_view = native.open_seeds(seeds)
    width = codes.HEAD + 5 * table.provinces
    count = len(state_view) // width
    require_length(len(seed_view), count * len(table.powers))
    require_length(len(start_view), width)
    player = borrow_player(table)
    set_style(player, heat, tolerance, None)
    first, begin = native.get_ints(state_view), native.get_ints(start_view)
    seed = native.get_seeds(seed_view)
    thread = native.release_lock()
    wrong = player.play_states(first, seed, phases, begin, count)
    native.restore_lock(thread)
    return_player(table, player)
    require_range(wrong)


def try_candidates(
    table: Table,
    state: Sequence[int],
    power: int,
    candidates: Sequence[int],
    replies: Sequence[int],
    pairs: Sequence[int],
    seeds: MutableSequence[int],
    values: MutableSequence[float],
    heat: float,
    tolerance: float,
    truces: Sequence[int] | None = None,
    years: int = 0,
) -> None:
    """Play candidates of one power against replies; see `policy.try_candidates`."""
    state_view, pair_view = native.open_ints(state, False), native.open_ints(pairs, False)
    candidate_view = native.open_ints(candidates, False)
    reply_view = native.open_ints(replies, False)
    seed_view, value_view = native.open_seeds(seeds), doubles.open_doubles(values)
    size, powers = table.provinces, len(table.powers)
    count = len(pair_view) // 2
    require_length(len(state_view), codes.HEAD + 5 * size)
    require_length(len(seed_view), count * powers)
    require_length(len(value_view), count * powers)
    require_power(table, power)
    player = borrow_player(table)
    set_style(player, heat, tolerance, truces)
    first, mine = native.get_ints(state_view), native.get_ints(candidate_view)
    others, matches = native.get_ints(reply_view), native.get_ints(pair_view)
    seed, worth = native.get_seeds(seed_view), doubles.get_doubles(value_view)
    rows, more = len(candidate_view) // (3 * size), len(reply_view) // (3 * size)
    if not player.are_rows(matches, count, rows, more):
        return_player(table, player)
        raise ValueError("a pair holds a number of no order row")
    thread = native.release_lock()
    wrong = player.try_candidates(first, power, mine, others, matches, seed, worth, count, years)
    native.restore_lock(thread)
    return_player(table, player)
    require_range(wrong)


def set_style(player: Player, heat: float, tolerance: float, truces: Sequence[int] | None) -> None:
    """Let the policy choose with this heat and tolerance, under these truces or none."""
    powers = player.tables.powers
    player.policy.heat, player.policy.tolerance = heat, tolerance
    native.fill(player.policy.truces, 0, powers * powers, 0)
    if truces is not None:
        view = native.open_ints(truces, False)
        require_length(len(view), powers * powers)
        native.copy(player.policy.truces, 0, native.get_ints(view), 0, powers * powers)


def require_power(table: Table, power: int) -> None:
    """Raise `ValueError` unless a power has this number."""
    if power < 0 or power >= len(table.powers):
        raise ValueError(f"there is no power {power}")
