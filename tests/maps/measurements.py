"""Made-up measurements, for tests of what is stored and shown."""

import datetime as dt
from dataclasses import replace

from diplomaccloud.atlas.chartfile import content_hash, dump_chart
from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.bots.standings import Estimate
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.gallery_file import ShippedMap
from diplomaccloud.maps.measurement import (
    SCALE_PLAN,
    YEARS,
    BotRow,
    Measurement,
    Series,
    plan_measurement,
)

DATE = dt.date(2026, 1, 31)
POWERS = tuple(standard_chart().board.power_info)


def make_estimate(value: float, reach: float = 0.02) -> Estimate:
    numbers = (value, reach / 2, max(0.0, value - reach), value + reach)
    return Estimate(*(round(number, 4) for number in numbers))


def make_row(
    series: Series,
    spread: float,
    powers: int = 7,
    shares: tuple[float, ...] = (),
    reach: float = 0.02,
) -> BotRow:
    bot, games = series
    values = shares or (round(1 / powers, 4),) * powers
    estimates = tuple(make_estimate(value, 0.01) for value in values)
    return BotRow(bot, make_estimate(spread, reach), estimates, ((4,) * powers,) * games)


def make_measurement(
    key: str = "0" * 64,
    spread: float = 0.2,
    *,
    quick: bool = False,
    powers: tuple[Power, ...] = POWERS,
    shares: tuple[float, ...] = (),
    seed: str = "some seed",
) -> Measurement:
    """Return a measurement with the same spread for all bots; `quick` has the first bot alone."""
    plan = plan_measurement(len(powers))[: 1 if quick else None]
    rows = tuple(make_row(series, spread, len(powers), shares) for series in plan)
    return Measurement(key, seed, YEARS, "1.0", DATE, powers, rows)


def make_scale(spread: float = 0.3, reach: float = 0.05) -> Measurement:
    """Return a scale on which all bots have the same spread."""
    rows = tuple(make_row(series, spread, reach=reach) for series in SCALE_PLAN)
    return Measurement("f" * 64, "the scale", YEARS, "1.0", DATE, POWERS, rows)


def make_shipped(world: str, spread: float = 0.2) -> ShippedMap:
    """Return a map for seven with this spread, and with made-up pictures."""
    chart = replace(standard_chart(), world=world)
    found = make_measurement(content_hash(chart), spread)
    pictures = {"light-small": b"light picture", "dark-small": b"dark picture"}
    return ShippedMap(dump_chart(chart), found, renderer_version(), pictures)
