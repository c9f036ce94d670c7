"""A survey of the generator: maps from many seeds, measured and compared with the targets."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from itertools import islice
from statistics import mean, median, pstdev

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.palette import find_least_difference
from diplomaccloud.judge.board import Board, Terrain
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
    from diplomaccloud.atlas.generator import make_chart  # noqa: PLC0415 heavy; not for readers
    from diplomaccloud.atlas.generator.constraints import find_faults  # noqa: PLC0415
    from diplomaccloud.atlas.generator.pipeline import GenerationError  # noqa: PLC0415

    started = time.perf_counter()
    try:
        chart = make_chart(task.seed, task.players)
    except (GenerationError, ValueError) as error:
        return MapResult(task.seed, task.players, failure=str(error)[:200])
    seconds = round(time.perf_counter() - started, 3)
    broken = tuple(str(fault) for fault in find_faults(chart))
    figures = fairness(chart.board) | dict(chart.fairness) | drawing_figures(chart)
    return MapResult(task.seed, task.players, seconds, broken, figures=figures)


def standard_figures(chart: Chart) -> dict[str, float]:
    """Return the same measurements for a chart that was not generated."""
    return fairness(chart.board) | size_figures(chart.board) | drawing_figures(chart)


def size_figures(board: Board) -> dict[str, float]:
    """Return the mean degree, the share of seas, and the provinces per center."""
    count, around = len(board.provinces), geography(board).around
    seas = sum(province.terrain is Terrain.SEA for province in board.provinces)
    return {
        "mean_degree": round(
            sum(len(around[province.code]) for province in board.provinces) / count, 4
        ),
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
        rule for result in maps for rule in {fault.split(",")[0] for fault in result.faults}
    )
    missing = sum(bool(result.failure) for result in maps)
    return dict(sorted(broken.items())) | ({"no map": missing} if missing else {})
