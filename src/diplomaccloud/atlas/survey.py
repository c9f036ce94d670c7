"""A survey of the generator: maps of many seeds, measured and put beside the targets."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import islice
from statistics import mean, median, pstdev

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.palette import find_least_difference
from diplomaccloud.judge.board import Board, Terrain
from diplomaccloud.judge.geography import geography


@dataclass(frozen=True, slots=True)
class Task:
    """A map to be made and measured."""

    seed: str
    players: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What one map showed.

    `faults` are the hard constraints that it breaks, by number and words; `failure` says why
    there is no map at all. `figures` are measures by name, `seconds` the time to make it.
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
    def from_line(line: str) -> "Measured":
        """Return what `to_line` wrote; raises `ValueError` for anything else."""
        try:
            data = json.loads(line)
            return Measured(**{**data, "faults": tuple(data["faults"])})
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not a line of a survey: {line[:40]!r}") from error


def tasks(seeds: int, others: int) -> list[Task]:
    """Return `seeds` maps for 7 players and `others` for every other number from 2 to 10."""
    return [
        Task(f"survey {number}", players)
        for players in (7, 2, 3, 4, 5, 6, 8, 9, 10)
        for number in range(seeds if players == 7 else others)
    ]


def measured(wanted: Iterable[Task], *, jobs: int) -> Iterator[Measured]:
    """Yield what each map showed as it is ready, made by `jobs` processes at once."""
    if jobs == 1:
        yield from map(measure, wanted)
        return
    left = iter(wanted)
    with ProcessPoolExecutor(jobs) as pool:
        # So few at a time that stopping does not mean waiting for thousands.
        while batch := list(islice(left, 8 * jobs)):
            for done in as_completed([pool.submit(measure, task) for task in batch]):
                yield done.result()


def measure(task: Task) -> Measured:
    """Return what the map of `task` shows."""
    from diplomaccloud.atlas.generator import make_chart  # noqa: PLC0415 heavy; not for readers
    from diplomaccloud.atlas.generator.constraints import find_faults  # noqa: PLC0415
    from diplomaccloud.atlas.generator.pipeline import GenerationError  # noqa: PLC0415

    began = time.perf_counter()
    try:
        chart = make_chart(task.seed, task.players)
    except (GenerationError, ValueError) as error:
        return Measured(task.seed, task.players, failure=str(error)[:200])
    seconds = round(time.perf_counter() - began, 3)
    broken = tuple(str(fault) for fault in find_faults(chart))
    figures = _board_figures(chart.board) | dict(chart.fairness) | drawing_figures(chart)
    return Measured(task.seed, task.players, seconds, broken, figures=figures)


def standard_figures(chart: Chart) -> dict[str, float]:
    """Return the same measures of a chart that was not made by the generator."""
    return _board_figures(chart.board) | size_figures(chart.board) | drawing_figures(chart)


def _board_figures(board: Board) -> dict[str, float]:
    try:
        # Found by name: the table can be printed where the judge does not measure boards yet.
        fairness = import_module("diplomaccloud.atlas.fairness").fairness
    except ModuleNotFoundError:
        return {}
    return dict(fairness(board))


def size_figures(board: Board) -> dict[str, float]:
    """Return the mean degree, the share of seas and the provinces for each center."""
    count, around = len(board.provinces), geography(board).around
    seas = sum(province.terrain is Terrain.SEA for province in board.provinces)
    return {
        "mean_degree": round(sum(len(around[one.code]) for one in board.provinces) / count, 4),
        "sea_share": round(seas / count, 4),
        "spaces_per_center": round(count / len(board.centers), 4),
    }


def drawing_figures(chart: Chart) -> dict[str, float]:
    """Return how unequal the land provinces are, the share of full names, and colors apart."""
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


def medians(maps: Sequence[Measured]) -> dict[str, float]:
    """Return the median of every measure that some of the maps have, by name."""
    names = sorted({name for one in maps for name in one.figures})
    return {
        name: round(median(one.figures[name] for one in maps if name in one.figures), 4)
        for name in names
    }


def broken_rules(maps: Sequence[Measured]) -> dict[str, int]:
    """Return how many of the maps break each hard constraint, or are missing altogether."""
    found = Counter(rule for one in maps for rule in {fault.split(",")[0] for fault in one.faults})
    missing = sum(bool(one.failure) for one in maps)
    return dict(sorted(found.items())) | ({"no map": missing} if missing else {})
