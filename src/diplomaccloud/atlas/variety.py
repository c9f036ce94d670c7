"""How different maps look: the distance of each map in a set to its nearest neighbor.

Half of a distance is about silhouettes, half about features such as land masses and peninsulas.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import fsum
from statistics import fmean, median, pstdev

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.atlas.generator.borders import OUTSIDE, PIXEL, rasterize_owners
from diplomaccloud.atlas.landforms import (
    Ground,
    Surface,
    choose_disjoint,
    landform_of,
    number_areas,
    read_ground,
)
from diplomaccloud.judge.drawing.chart import Chart

MIN_MAPS = 2
"""The fewest maps in a set; one alone has no neighbor."""

_COLUMNS, _ROWS = 96, 64
"""The cells of a silhouette."""

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Form:
    """What is compared of a map: its silhouette, rows of cells that are land, and its features.

    `name` is the seed or the file, and `landform` is empty if the map names none.
    """

    name: str
    landform: str
    silhouette: NDArray[np.bool_]
    features: Mapping[str, float]


def measure_form(name: str, chart: Chart) -> Form:
    """Return the form of `chart`."""
    ground = read_ground(chart)
    return Form(
        name, landform_of(chart.maker) or "", draw_silhouette(chart, ground), find_features(ground)
    )


def draw_silhouette(chart: Chart, ground: Ground) -> NDArray[np.bool_]:
    """Return which cells (64×96) have land at their middles, without nameless islets."""
    numbers = number_areas(chart.board)
    scale = np.array([_COLUMNS, _ROWS]) * PIXEL / np.array(chart.size)
    size = (_COLUMNS * PIXEL, _ROWS * PIXEL)
    lines = [
        (
            (np.array(arc.points) * scale).tolist(),
            numbers.get(arc.left, OUTSIDE),
            numbers.get(arc.right, OUTSIDE),
        )
        for arc in chart.arcs
    ]
    # `OUTSIDE` is the last one.
    is_land = np.array([surface is not Surface.SEA for surface in ground.surfaces] + [False])
    return np.asarray(is_land[rasterize_owners(size, lines)])


def find_features(ground: Ground) -> dict[str, float]:
    """Return the features of a map, in various units."""
    provinces = ground.find_areas(Surface.LAND, Surface.SEA)
    dry = ground.find_areas(Surface.LAND, Surface.IMPASSABLE)
    return {
        "mass": ground.mass,
        "masses per player": len(ground.masses) / ground.players,
        "powers on own islands": len(ground.island_powers) / ground.players,
        "enclosed seas": len(choose_disjoint(ground.enclosed_seas)),
        "land at the frame": ground.land_at_frame,
        "bridges": len(ground.bridges),
        "peninsulas": len(choose_disjoint(ground.peninsulas)),
        "impassable share": ground.impassable_share,
        "river borders": len(frozenset().union(*ground.rivers)),
        "coast length": ground.measure_coast(dry) / fsum(ground.sizes) ** 0.5,
        "degree": fmean(len(ground.touching[area].intersection(provinces)) for area in provinces),
        "split coasts": len(ground.split),
        "deviation of homes": pstdev(map(len, ground.homes)),
    }


# Compare them.


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance of a map to its nearest neighbor: the sum of its two halves."""

    name: str
    landform: str
    nearest: str
    silhouette_half: float
    feature_half: float

    @property
    def whole(self) -> float:
        """The distance."""
        return self.silhouette_half + self.feature_half


@dataclass(frozen=True, slots=True)
class Variety:
    """The distances in a set of maps, and the mean and the deviation of each feature."""

    distances: tuple[Distance, ...]
    features: Mapping[str, tuple[float, float]]

    def find_medians(self) -> dict[str, float]:
        """Return the median distance and the medians of its halves."""
        return {
            "distance": median(one.whole for one in self.distances),
            "silhouette half": median(one.silhouette_half for one in self.distances),
            "feature half": median(one.feature_half for one in self.distances),
        }

    def to_json(self) -> dict[str, object]:
        """Return JSON values."""
        return {
            "medians": {name: round(value, 4) for name, value in self.find_medians().items()},
            "features": {
                name: [round(value, 4) for value in values]
                for name, values in self.features.items()
            },
            "maps": [
                asdict(one)
                | {
                    "silhouette_half": round(one.silhouette_half, 4),
                    "feature_half": round(one.feature_half, 4),
                }
                for one in self.distances
            ],
        }


def measure_variety(*sets: Sequence[Form]) -> tuple[Variety, ...]:
    """Return the variety of each set, of at least two maps.

    Each feature is scaled to 0–1 over all sets, so that these can be compared.
    """
    values = np.array([[*form.features.values()] for forms in sets for form in forms])
    low, spread = values.min(axis=0), np.ptp(values, axis=0)
    scaled = (values - low) / np.where(spread > 0, spread, 1.0)
    bounds = np.cumsum([0, *map(len, sets)]).tolist()
    return tuple(
        _measure_set(forms, values[start:stop], scaled[start:stop])
        for forms, start, stop in zip(sets, bounds, bounds[1:], strict=False)
    )


def _measure_set(forms: Sequence[Form], values: _Floats, scaled: _Floats) -> Variety:
    silhouettes = compare_silhouettes(np.array([form.silhouette for form in forms])) / 2
    features = np.abs(scaled[:, None] - scaled[None]).mean(axis=2) / 2
    whole = silhouettes + features
    np.fill_diagonal(whole, np.inf)
    nearest = whole.argmin(axis=1).tolist()
    return Variety(
        tuple(
            Distance(
                form.name,
                form.landform,
                forms[other].name,
                float(silhouettes[number, other]),
                float(features[number, other]),
            )
            for number, (form, other) in enumerate(zip(forms, nearest, strict=True))
        ),
        {
            name: (float(column.mean()), float(column.std()))
            for name, column in zip(forms[0].features, values.T, strict=True)
        },
    )


def compare_silhouettes(silhouettes: NDArray[np.bool_]) -> _Floats:
    """Return 1 − intersection over union of any two silhouettes (n×rows×columns).

    It is the smallest of the four for the second one as it is, mirrored, or mirrored twice.
    """
    count = len(silhouettes)
    flat = silhouettes.reshape(count, -1).astype(np.float64)
    sizes = flat.sum(axis=1)
    best = np.zeros((count, count))
    for across in (1, -1):
        for down in (1, -1):
            mirrored = silhouettes[:, ::down, ::across].reshape(count, -1).astype(np.float64)
            common = flat @ mirrored.T
            union = sizes[:, None] + sizes[None] - common
            best = np.maximum(best, np.where(union > 0, common / np.maximum(union, 1.0), 1.0))
    return np.asarray(1.0 - best)


# The comparison as a table.

TARGETS = {"distance": 1.4, "feature half": 2.0}
"""How many times the medians of an older generator should be reached."""


def build_table(ours: Variety, theirs: Variety | None) -> str:
    """Return the distances in our set and, if there is another set, the comparison as text."""
    lines = [
        f"{'map':<16}{'landform':<14}{'distance':>9}{'silhouette':>12}{'features':>10}  nearest"
    ]
    lines += [
        f"{one.name:<16}{one.landform or '–':<14}{one.whole:>9.3f}{one.silhouette_half:>12.3f}"
        f"{one.feature_half:>10.3f}  {one.nearest}"
        for one in sorted(ours.distances, key=lambda one: -one.whole)
    ]
    other = "" if theirs is None else f"{'against':>10}{'ratio':>8}{'target':>9}"
    lines += ["", f"{f'medians of {len(ours.distances)} maps':<24}{'ours':>10}{other}"]
    medians = {} if theirs is None else theirs.find_medians()
    for name, value in ours.find_medians().items():
        line = f"{name:<24}{value:>10.4f}"
        if name in medians:
            ratio, target = value / (medians[name] or np.inf), TARGETS.get(name, 0.0)
            line += f"{medians[name]:>10.4f}{ratio:>8.2f}" + f"{f'≥ {target:g}':>9}" * (target > 0)
            line += "  missed" * (ratio < target)
        lines.append(line)
    title = f"{'features, mean ± deviation':<28}{'ours':>16}"
    lines += ["", title if theirs is None else f"{title}{'against':>18}"]
    for name, values in ours.features.items():
        both = [values] if theirs is None else [values, theirs.features[name]]
        cells = "  ".join(f"{mean:>8.3f} ± {deviation:<5.3f}" for mean, deviation in both)
        lines.append(f"{name:<28}{cells.rstrip()}")
    return "\n".join(lines)
