"""Measure the generation and drawing of maps: `python benchmarks/atlas`.

Prints processor time, with one thread, in one process after a first map, over `--maps N` seeds;
then the time from a cold start, as for a command.

With `--ratios`, prints only how the time of `make_chart` for 34 players compares with that for
seven; with `--base FOLDER`, also how the time for seven compares with that of another version,
whose `src` is FOLDER. Both sides take turns.
"""

import argparse
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import fmean, median, quantiles
from time import perf_counter, process_time

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from diplomaccloud.atlas.generator import (  # noqa: E402
    assembly,
    drawn_map,
    pipeline,
)
from diplomaccloud.atlas.generator.pipeline import (  # noqa: E402
    make_chart,
    make_placements,
)
from diplomaccloud.judge.drawing.base import refine_chart, render_base  # noqa: E402
from diplomaccloud.judge.drawing.chart import Chart  # noqa: E402
from diplomaccloud.judge.drawing.decoration import place_decoration  # noqa: E402
from diplomaccloud.judge.drawing.labels import list_names  # noqa: E402
from diplomaccloud.judge.drawing.overlay import render_overlay  # noqa: E402
from diplomaccloud.judge.drawing.sizes import place_badges  # noqa: E402
from diplomaccloud.judge.position import starting_position  # noqa: E402

STAGES = {
    pipeline: (
        "make_mesh", "make_elevation", "divide_land_and_sea", "divide_provinces",
        "redivide_provinces", "trace_borders", "make_layout", "find_unsound_provinces", "draw_map",
        "find_crowded_provinces", "place_centers", "assign_names", "assemble_chart", "find_faults",
    ),
    assembly: ("_build_anchors", "make_relief"),
    drawn_map: ("draw_lines", "rasterize_owners"),
}  # fmt: skip
"""The stages in order.

The stages in `assembly` are parts of `assemble_chart`; the last two are parts of `draw_map`.
"""

GROWTH = (40, 80, 160, 320, 400)
TARGETS = "80 provinces, seed to SVG: 500 ms p50, 1,000 ms p95; 400 provinces: 3,000 ms"
_ROW = "{:<34}{:>8}{:>10}{:>10}{:>10}"


def record_times(spent: dict[str, list[float]]) -> None:
    """Record in `spent` the time of each call of a stage."""
    for module, names in STAGES.items():
        for name in names:
            setattr(module, name, wrap_stage(getattr(module, name), spent[name]))


def wrap_stage(stage: Callable, times: list[float]) -> Callable:
    """Return `stage`, wrapped to append the time of each call to `times`."""

    def call(*args, **options):
        start = process_time()
        try:
            return stage(*args, **options)
        finally:
            times.append(process_time() - start)

    return call


def print_row(name: str, times: list[float], calls: float = 1.0) -> None:
    """Print one row: calls per map, median, 95th percentile and maximum, in ms."""
    steps = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    figures = (f"{1000 * value:,.1f}" for value in (steps[9], steps[18], max(times)))
    print(_ROW.format(name, f"{calls:.2f}", *figures))


def make_maps(
    count: int, label: str, **options: object
) -> tuple[list[float], list[float], list[Chart]]:
    """Return the times from seed to chart and from seed to SVG of `count` maps, and the maps."""
    to_chart, to_picture, charts = [], [], []
    for number in range(count):
        start = process_time()
        chart = make_chart(f"{label} {number}", **options)
        to_chart.append(process_time() - start)
        render_base(chart)
        to_picture.append(process_time() - start)
        charts.append(chart)
    return to_chart, to_picture, charts


def time_overlay(chart: Chart, rounds: int) -> list[float]:
    """Return the time to draw the overlay of the opening position."""
    position, times = starting_position(chart.board), []
    for _ in range(rounds):
        start = process_time()
        render_overlay(chart, position)
        times.append(process_time() - start)
    return times


def time_decoration(charts: list[Chart]) -> list[float]:
    """Return the time to place the decoration of each map, once its names and badges are placed."""
    times = []
    for chart in map(refine_chart, charts):
        list_names(chart)
        place_badges(chart)
        start = process_time()
        place_decoration(chart)
        times.append(process_time() - start)
    return times


def time_cold_start() -> float:
    """Return the time of a process that makes and draws one map, including imports."""
    code = (
        "from diplomaccloud.atlas.generator.pipeline import make_chart\n"
        "from diplomaccloud.judge.drawing.base import render_base\n"
        "render_base(make_chart('cold'))"
    )
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(ROOT / "src")})
    return perf_counter() - start


OURS = (ROOT / "judge" / "src", ROOT / "src")
_WORKER = """
import sys
from time import process_time
from diplomaccloud.atlas.generator.pipeline import make_chart
make_chart("warm")
for line in sys.stdin:
    players, seed = line.rstrip("\\n").split(" ", 1)
    start = process_time()
    make_chart(seed, int(players))
    print(process_time() - start, flush=True)
"""
"""Prints how long `make_chart` takes for each line of players and a seed."""


def start_worker(*folders: Path) -> subprocess.Popen[str]:
    """Return a process that measures the version in `folders`."""
    path = os.pathsep.join(map(str, folders))
    environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-c", _WORKER]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def time_chart(worker: subprocess.Popen[str], players: int, seed: str) -> float:
    """Return the time that the version of `worker` takes for one map."""
    if worker.stdin is None or worker.stdout is None:
        raise ValueError("the worker has no pipes")
    worker.stdin.write(f"{players} {seed}\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


def print_ratio(name: str, times: list[float], others: list[float], target: float) -> None:
    """Print the ratio of the medians and of the means of `times` and `others`."""
    pairs = [(measure(times), measure(others)) for measure in (median, fmean)]
    figures = ", ".join(
        f"{which} {1000 * mine:,.0f} ms, {mine / other:.2f} times {1000 * other:,.0f} ms"
        for which, (mine, other) in zip(("median", "mean"), pairs, strict=True)
    )
    print(f"{name}: {figures} (target: {target} times)")


def time_versions(maps: int, *folders: Iterable[Path]) -> tuple[list[float], list[list[float]]]:
    """Return the times of `make_chart` for 34 players in the first version, and for seven in each.

    There are `maps` seeds with seven players, and fewer with 34. `folders` are those of a version.
    """
    workers = [start_worker(*version) for version in folders]
    seven: list[list[float]] = [[] for _ in workers]
    many: list[float] = []
    for number in range(maps):
        for worker, times in zip(workers, seven, strict=True):
            times.append(time_chart(worker, 7, f"ratio {number}"))
        if number % 4 == 0:
            many.append(time_chart(workers[0], 34, f"ratio {number}"))
    for worker in workers:
        worker.communicate()
    return many, seven


def print_ratios(maps: int, base: Path | None) -> None:
    """Print the ratios of `make_chart`."""
    many, seven = time_versions(maps, OURS, *([(base,)] if base else []))
    print_ratio("34 players against seven", many, seven[0], 8)
    if base:
        print_ratio(f"seven players against {base}", seven[0], seven[1], 1.5)


def main() -> None:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", type=int, default=40)
    parser.add_argument("--ratios", action="store_true")
    parser.add_argument("--base", type=Path)
    arguments = parser.parse_args()
    maps = arguments.maps
    if arguments.ratios:
        print_ratios(maps, arguments.base)
        return
    spent: dict[str, list[float]] = defaultdict(list)
    record_times(spent)
    render_base(make_chart("warm"))
    spent_before = {name: len(times) for name, times in spent.items()}
    print(f"Targets. {TARGETS}\n")
    print(_ROW.format("7 powers, 80 provinces, ms", "calls", "p50", "p95", "most"))
    to_chart, to_picture, charts = make_maps(maps, "map", provinces=80)
    for name, times in spent.items():
        own = times[spent_before[name] :]
        if own:
            print_row(f"  {name}", own, len(own) / maps)
    print_row("seed to chart", to_chart)
    print_row("seed to SVG", to_picture)
    base = [whole - made for whole, made in zip(to_picture, to_chart, strict=True)]
    print_row("the base map of these", base)
    print_row("the decoration, once for a map", time_decoration(charts))
    print_row("overlay of one phase", time_overlay(charts[-1], 5 * maps))
    start = process_time()
    many = make_placements("map 0", count=8, provinces=80)
    print_row("one more placement on a land", [(process_time() - start) / len(many)])
    print("\n" + _ROW.format("Growth: seed to SVG, ms", "calls", "p50", "p95", "most"))
    for provinces in GROWTH:
        players = 3 if provinces < 80 else 7
        print_row(
            f"  {provinces} provinces, {players} powers",
            make_maps(max(3, maps // 4), "growth", players=players, provinces=provinces)[1],
        )
    print(f"\nA cold process, seed to SVG, wall clock: {1000 * time_cold_start():,.0f} ms")


if __name__ == "__main__":
    main()
