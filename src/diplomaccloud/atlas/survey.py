"""A survey of the generator: maps from many seeds, measured and compared with the targets."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from itertools import islice
from statistics import mean, median, pstdev

from diplomaccloud.atlas.fairness import BOARD_TARGETS, fairness
from diplomaccloud.judge.board import Board, Terrain
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.palette import find_least_difference
from diplomaccloud.judge.geography import geography


@dataclass(frozen=True, slots=True)
class Task:
    """A map to make and measure."""

    seed: str
    players: int


@dataclass(frozen=True, slots=True)
class MapResult:
    """The result for one map.

    `faults` are the constraints that it breaks; `failure` says why there is no map. `figures` are
    measurements by name, and `seconds` is the time it took to make the map.
    """

    seed: str
    players: int
    seconds: float = 0.0
    faults: tuple[str, ...] = ()
    failure: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)

    def to_line(self) -> str:
        """Return one line of JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @staticmethod
    def from_line(line: str) -> "MapResult":
        """Return the result in a line from `to_line`; raise `ValueError` for other text."""
        try:
            data = json.loads(line)
            return MapResult(**{**data, "faults": tuple(data["faults"])})
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not a line of a survey: {line[:40]!r}") from error


def list_tasks(seeds: int, others: int) -> list[Task]:
    """Return `seeds` maps for 7 players and `others` for every other number from 2 to 10."""
    return [
        Task(f"survey {number}", players)
        for players in (7, 2, 3, 4, 5, 6, 8, 9, 10)
        for number in range(seeds if players == 7 else others)
    ]


def measure_maps(tasks: Iterable[Task], *, jobs: int) -> Iterator[MapResult]:
    """Yield the result for each map when it is ready, using `jobs` processes."""
    if jobs == 1:
        yield from map(measure_map, tasks)
        return
    remaining = iter(tasks)
    with ProcessPoolExecutor(jobs) as pool:
        # In small batches, so that stopping doesn't have to wait for thousands of maps.
        while batch := list(islice(remaining, 8 * jobs)):
            for future in as_completed([pool.submit(measure_map, task) for task in batch]):
                yield future.result()


def measure_map(task: Task) -> MapResult:
    """Return the result for the map of `task`."""
    from diplomaccloud.atlas.generator.constraints import find_faults  # noqa: PLC0415
    from diplomaccloud.atlas.generator.pipeline import GenerationError, make_chart  # noqa: PLC0415
    from diplomaccloud.atlas.landforms import find_named_faults  # noqa: PLC0415

    started = time.perf_counter()
    try:
        chart = make_chart(task.seed, task.players)
    except (GenerationError, ValueError) as error:
        return MapResult(task.seed, task.players, failure=str(error)[:200])
    seconds = round(time.perf_counter() - started, 3)
    broken = (*map(str, find_faults(chart)), *find_named_faults(chart))
    figures = fairness(chart.board) | dict(chart.fairness) | drawing_figures(chart)
    return MapResult(task.seed, task.players, seconds, broken, figures=figures)


def standard_figures(chart: Chart) -> dict[str, float]:
    """Return the same measurements for a chart that was not generated."""
    return fairness(chart.board) | size_figures(chart.board) | drawing_figures(chart)


def size_figures(board: Board) -> dict[str, float]:
    """Return the mean degree, the share of seas, and the provinces per center."""
    count, around = len(board.provinces), geography(board).around
    seas = sum(province.terrain is Terrain.SEA for province in board.provinces)
    degrees = sum(len(around[province.code]) for province in board.provinces)
    return {
        "mean_degree": round(degrees / count, 4),
        "sea_share": round(seas / count, 4),
        "spaces_per_center": round(count / len(board.centers), 4),
    }


def drawing_figures(chart: Chart) -> dict[str, float]:
    """Return the variation of land areas, the share of full names, and the color difference."""
    terrain = {p.code: p.terrain for p in chart.board.provinces}
    areas = [
        chart.area(shape) for shape in chart.shapes if terrain[shape.province] is not Terrain.SEA
    ]
    named = sum(shape.anchors.label_size > 0 for shape in chart.shapes)
    return {
        "cv_land_area": round(pstdev(areas) / mean(areas), 4),
        "full_names": round(named / len(chart.shapes), 4),
        "colour_difference": round(find_least_difference([*chart.palette.values()]), 2),
    }


_RULE = re.compile("[,:]")
"""The end of the rule in a fault: "rule 4, PAR: …" or "Isthmus: …"."""


def find_medians(maps: Sequence[MapResult]) -> dict[str, float]:
    """Return the median of each measurement, over the maps that have it."""
    names = sorted({name for result in maps for name in result.figures})
    return {
        name: round(median(result.figures[name] for result in maps if name in result.figures), 4)
        for name in names
    }


def count_broken_rules(maps: Sequence[MapResult]) -> dict[str, int]:
    """Return how many maps break each constraint or could not be made."""
    broken = Counter(
        rule for result in maps for rule in {_RULE.split(fault)[0] for fault in result.faults}
    )
    missing = sum(bool(result.failure) for result in maps)
    return dict(sorted(broken.items())) | ({"no map": missing} if missing else {})


# The survey as a table: our medians, the targets, and the standard board's values.


@dataclass(frozen=True, slots=True)
class Target:
    """A measurement, its value in the generator of 2009, and its target range for 7 players."""

    name: str
    title: str
    of_2009: float | None
    minimum: float | None
    maximum: float | None

    def is_met(self, value: float) -> bool:
        """Return whether `value` is in the target range."""
        return (self.minimum is None or value >= self.minimum) and (
            self.maximum is None or value <= self.maximum
        )

    @property
    def range_text(self) -> str:
        """The range in words."""
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum:g}–{self.maximum:g}"
        return f"≥ {self.minimum:g}" if self.minimum is not None else f"≤ {self.maximum:g}"


_BOARD_TITLES = (
    ("neutrals_two_moves", "CV neutrals within 2 moves", 0.31),
    ("neutral_share", "CV share of neutrals", 0.41),
    ("moves_to_threaten", "CV moves to threaten a home", 0.25),
    ("distance_to_win", "CV sum of distances to the winning number of centers", 0.19),
    ("enemy_homes_three_moves", "CV enemy homes within 3", 0.35),
    ("voronoi_share", "CV Voronoi share", 0.19),
    ("frontier", "CV frontier length", 0.28),
)
TARGETS = (
    *(
        Target(f"cv_{name}", title, of_2009, None, BOARD_TARGETS[name])
        for name, title, of_2009 in _BOARD_TITLES
    ),
    Target("cv_land_area", "CV land area", 0.97, 0.08, 0.25),
    Target("full_names", "share of full names on the map", 0.0, 0.98, None),
    Target("colour_difference", "least color difference (ΔE76)", None, 30, None),
)
"""From the specification of maps; self-play has its own table, `map table --selfplay`."""


def build_table(maps: Sequence[MapResult], standard: Mapping[str, float]) -> str:
    """Return the survey as lines of text."""
    seven = [result for result in maps if result.players == 7]
    return "\n".join([*_constraints(maps), "", *_targets(seven, standard), "", *_others(maps)])


def build_json(maps: Sequence[MapResult], standard: Mapping[str, float]) -> dict[str, object]:
    """Return the survey as JSON values."""
    return {
        "standard": dict(standard),
        "targets": {target.name: [target.minimum, target.maximum] for target in TARGETS},
        "players": {
            str(players): {
                "maps": len(group),
                "broken": count_broken_rules(group),
                "medians": find_medians(group),
                "seconds": _seconds(group),
            }
            for players, group in _by_players(maps).items()
        },
    }


def _by_players(maps: Sequence[MapResult]) -> dict[int, list[MapResult]]:
    numbers = sorted({result.players for result in maps})
    return {number: [result for result in maps if result.players == number] for number in numbers}


def _seconds(maps: Sequence[MapResult]) -> list[float]:
    """Return the median and the 95th percentile of the time."""
    times = sorted(result.seconds for result in maps if not result.failure)
    return [times[int(len(times) * part)] for part in (0.5, 0.95)] if times else []


def _constraints(maps: Sequence[MapResult]) -> list[str]:
    lines = [
        f"{'players':>7}  {'maps':>5}  {'sound':>7}  {'s p50':>6}  {'s p95':>6}  per 1,000 maps"
    ]
    for players, group in _by_players(maps).items():
        sound = sum(not result.faults and not result.failure for result in group)
        broken = ", ".join(
            f"{name}: {1000 * count / len(group):g}"
            for name, count in count_broken_rules(group).items()
        )
        half, slow = (f"{value:.2f}" for value in _seconds(group) or (0.0, 0.0))
        lines.append(
            f"{players:>7}  {len(group):>5}  {sound / len(group):>7.1%}  {half:>6}  {slow:>6}  "
            f"{broken or 'none broken'}"
        )
    return lines


def _targets(maps: Sequence[MapResult], standard: Mapping[str, float]) -> list[str]:
    medians = find_medians(maps)
    lines = [f"{'medians, 7 players':<36}{'2009':>8}{'standard':>10}{'target':>12}{'ours':>9}"]
    for target in TARGETS:
        value, usual = medians.pop(target.name, None), _format(standard.get(target.name))
        met = "" if value is None or target.is_met(value) else "  missed"
        lines.append(
            f"{target.title:<36}{_format(target.of_2009):>8}{usual:>10}"
            f"{target.range_text:>12}{_format(value):>9}{met}"
        )
    for name, value in medians.items():
        usual = _format(standard.get(name))
        lines.append(f"{name:<36}{'–':>8}{usual:>10}{'–':>12}{_format(value):>9}")
    return lines


def _others(maps: Sequence[MapResult]) -> list[str]:
    by_players = {players: find_medians(group) for players, group in _by_players(maps).items()}
    lines = [f"{'medians by players':<36}" + "".join(f"{n:>7}" for n in by_players)]
    for target in TARGETS:
        cells = "".join(f"{_format(group.get(target.name)):>7}" for group in by_players.values())
        lines.append(f"{target.title:<36}{cells}")
    return lines


def _format(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
