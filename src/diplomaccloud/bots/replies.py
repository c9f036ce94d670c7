"""Replies: the orders of the other powers that a bot's candidates are tried against.

The policy draws them. Where a power near the bot's units has a *forecast*, half of the replies
follow it instead: it has orders that small searches found for that power.
"""

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from diplomaccloud.bots import policy
from diplomaccloud.bots.candidates import Source

Replies = tuple["array[int]", list["array[int]"]]
"""Order rows with the orders of all powers, and the seeds for the phases after each."""

_FORECAST_SHARE = 0.5
"""The part of the replies that follow the forecasts."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one power may order: the provinces of its units, and equally likely order rows."""

    units: Sequence[int]
    rows: Sequence[bytes]


def draw_replies(source: Source, count: int, forecasts: Sequence[Forecast] = ()) -> Replies:
    """Return replies of the other powers under the pact of the source."""
    powers = len(source.board.powers)
    rows = policy.choose_orders(
        source.board,
        source.state * count,
        _draw_seeds(source.rng, count * powers),
        truces=source.pact.truces,
    )
    doubtful = round(source.pact.doubt * count)
    if doubtful:
        rows[: 3 * source.size * doubtful] = policy.choose_orders(
            source.board,
            source.state * doubtful,
            _draw_seeds(source.rng, doubtful * powers),
            truces=source.pact.doubt_truces(source.power),
        )
    for forecast in forecasts:
        _follow(source, forecast, rows, range(round(_FORECAST_SHARE * count)))
    for here, codes in source.pact.pins.items():
        for at in range(here, len(rows), 3 * source.size):
            rows[at : at + 2 * source.size + 1 : source.size] = array("i", codes)
    return rows, [_draw_seeds(source.rng, powers) for _ in range(count)]


def _follow(source: Source, forecast: Forecast, rows: "array[int]", replies: range) -> None:
    """Replace the power's orders in these replies by orders drawn from its forecast."""
    size = source.size
    for number in replies:
        drawn = array("i")
        drawn.frombytes(source.rng.choice(forecast.rows))
        for here in forecast.units:
            at = 3 * size * number + here
            rows[at : at + 2 * size + 1 : size] = drawn[here::size]


def _draw_seeds(rng: random.Random, count: int) -> "array[int]":
    return array("Q", [rng.getrandbits(64) for _ in range(count)])


def find_neighbors(source: Source) -> list[Source]:
    """Return sources for the powers with a unit that could meet one of the power's this phase.

    Powers that have promised peace to it are left out.
    """
    powers, truces = len(source.board.powers), source.pact.truces
    near = _find_touched(source)
    others = [
        Source(source.board, source.state, power, source.rng)
        for power in range(powers)
        if power != source.power and not (truces and truces[power * powers + source.power])
    ]
    return [other for other in others if not near.isdisjoint(_find_touched(other))]


def _find_touched(source: Source) -> set[int]:
    """Return the provinces where the power has a unit or could move one without a convoy."""
    return set(source.units).union(*map(source.find_reach, source.units))
