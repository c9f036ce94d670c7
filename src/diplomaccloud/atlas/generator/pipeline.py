"""Make maps: take the first usable land, place centers and finish the chart.

A stage is retried if its result is unusable.
"""

from dataclasses import dataclass, replace

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.assembly import (
    ChartParts,
    assemble_chart,
    assign_names,
    choose_palette,
)
from diplomaccloud.atlas.generator.center_placement import place_centers
from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.drawn_map import DrawnMap, draw_map
from diplomaccloud.atlas.generator.free_space import CrowdedError
from diplomaccloud.atlas.generator.lands import Land, make_lands
from diplomaccloud.atlas.generator.map_spec import MapSpec, Progress, build_spec
from diplomaccloud.atlas.generator.names import NamingError
from diplomaccloud.atlas.generator.possible_starts import PlacementError
from diplomaccloud.atlas.generator.random_streams import random_stream

_NUMBERS_RULE = 10
"""The hard constraint on the numbers of provinces and centers."""

_MAX_PLACEMENT_TRIES = 2
_MAX_DRAWINGS = 4


class GenerationError(RuntimeError):
    """No map could be generated from the seed in the attempts allowed."""


def make_chart(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float = 0.25,
    placement: int = 0,
    progress: Progress | None = None,
) -> Chart:
    """Return the map that `seed` gives for `players`, from 2 to 10.

    `provinces`: their number; by default in proportion to the standard board. `sea`: the share of
    seas among them, from 0.17 to 0.32. `placement`, from 0: each number gives different homes and
    neutral centers on the same land. `progress` is called at each stage and changes nothing.

    Raises `ValueError` for a number out of range and for a seed that is too long or not printable,
    `GenerationError` if no map can be generated.
    """
    if placement < 0:
        raise ValueError(f"placement: {placement} is less than 0")
    spec = build_spec(seed, players, provinces, sea, progress)
    land, first = _make_first_map(spec)
    chart = first if placement == 0 else _make_placement(spec, land, placement)
    if chart is None:
        raise GenerationError(
            f"no map could be generated for placement {placement} of the seed {seed!r}"
        )
    return chart


def make_placements(
    seed: str, players: int = 7, *, count: int, provinces: int | None = None, sea: float = 0.25
) -> tuple[Chart, ...]:
    """Return the maps for placements 0 to `count` - 1 of `seed` on one land.

    The land is made only once. The first map is the result of `make_chart`; placements that give no
    map are left out. Raises the same errors as `make_chart`.
    """
    spec = build_spec(seed, players, provinces, sea)
    land, first = _make_first_map(spec)
    later_charts = (_make_placement(spec, land, placement) for placement in range(1, count))
    return (first, *(chart for chart in later_charts if chart is not None))


@dataclass(frozen=True)
class OpenLand:
    """A land on which homes and neutral centers can still be placed, and its first map."""

    spec: MapSpec
    land: Land
    first: Chart

    def random_stream(self, stage: str) -> np.random.Generator:
        """Return a random stream for `stage`, separate from those of the seed's placements."""
        return random_stream(self.spec.key, f"open {self.land.attempt} {stage}")

    def finish_chart(self, parts: ChartParts, kind: str) -> Chart | None:
        """Return the map for `parts`, a placement on this land, or `None` if it has faults.

        `kind` is added to the chart's `maker`, after the version.
        """
        chart = _finish_chart(parts, self.spec, self.land.drawn)
        return None if chart is None else replace(chart, maker=f"{chart.maker}, {kind}")


def open_land(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float = 0.25,
    progress: Progress | None = None,
) -> OpenLand:
    """Return the land of `make_chart`, to try many placements on; raises the same errors."""
    spec = build_spec(seed, players, provinces, sea, progress)
    return OpenLand(spec, *_make_first_map(spec))


def _make_first_map(spec: MapSpec) -> tuple[Land, Chart]:
    """Return the first land on which placement 0 gives a map, and that map."""
    for land in make_lands(spec):
        chart = _make_placement(spec, land, 0)
        if chart is not None:
            return land, chart
    raise GenerationError(f"no map could be generated from the seed {spec.seed!r}")


def _make_placement(spec: MapSpec, land: Land, placement: int) -> Chart | None:
    """Return the map of one placement on `land`, or `None` if several attempts fail."""
    stage = f"homes {land.attempt}" + (f" placement {placement}" if placement else "")
    for attempt in range(_MAX_PLACEMENT_TRIES):
        spec.report_progress("homes and centers")
        try:
            centers = place_centers(
                land.layout, spec.players, random_stream(spec.key, stage, attempt)
            )
        except PlacementError:
            break
        parts = ChartParts(
            land.mesh, land.elevation, land.division, land.lines, land.layout, centers
        )
        chart = _finish_chart(parts, spec, land.drawn)
        if chart is not None:
            maker = f"{chart.maker}, placement {placement}" if placement else chart.maker
            return replace(chart, maker=maker)
    return None


def _finish_chart(parts: ChartParts, spec: MapSpec, drawn: DrawnMap) -> Chart | None:
    """Return a chart of `parts` without faults, or `None` if several attempts fail.

    The first attempt uses the land's drawing. All maps of a specification have the same colors.
    """
    palette = choose_palette(spec.players, random_stream(spec.key, "colours"))
    for attempt in range(_MAX_DRAWINGS):
        try:
            spec.report_progress("names")
            names = assign_names(parts, random_stream(spec.key, "names", attempt))
            spec.report_progress("coasts and lettering")
            if attempt:
                rng = random_stream(spec.key, "lines", attempt)
                drawn = draw_map(parts.mesh, parts.division, parts.lines, rng)
            chart = assemble_chart(parts, names, spec.seed, drawn, palette)
        except NamingError:
            continue
        except CrowdedError:
            # Other names would not help: if a name does not fit, the code is printed.
            return None
        # The number of provinces is up to the caller.
        if all(fault.rule == _NUMBERS_RULE for fault in find_faults(chart)):
            return chart
    return None
