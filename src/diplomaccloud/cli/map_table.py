"""`diplomaccloud map table`: measures the generator.

With `--selfplay` it measures the fairness of maps, with `--variety` how different they look.
"""

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import TYPE_CHECKING

from diplomaccloud.cli import map_variety
from diplomaccloud.cli.common import parse_natural, parse_positive, show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from diplomaccloud.atlas.survey import MapResult, Task
    from diplomaccloud.bots.standings import SelfPlay
    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.judge.drawing.chart import Chart

_SPREAD_OF_2009 = 0.40
"""The spread on maps from the 2009 generator."""

_TARGET_SPREAD = 0.22
"""The largest spread of a map for the stock, in games of the greedy bot."""

_BOT, _GAMES = "greedy", 200

_LETTERS = "abcdefgh"
"""How many candidate lands are compared for a map, as for the stock."""


@dataclass(frozen=True, slots=True)
class _Line:
    """The result for one map, with the CPU seconds that making it took.

    `figures` holds the board's measurements that have a target, by name.
    """

    seed: str
    seconds: float
    spread: float
    error: float
    chance: float
    figures: dict[str, float]


def add_options(table: argparse.ArgumentParser) -> None:
    """Add the options for self-play to the parser of `map table`."""
    table.add_argument(
        "--selfplay",
        type=int,
        metavar="N",
        help="instead, let the greedy bot play 200 games on each of N maps for 7 players",
    )
    table.add_argument(
        "--certified",
        action="store_true",
        help="with --selfplay: place homes and centers by test games, as for the stock (minutes)",
    )


def run_selfplay(options: argparse.Namespace) -> int:
    """Print the self-play results of new maps and of the standard map."""
    from diplomaccloud.judge.drawing.europe import standard_chart  # noqa: PLC0415

    if options.selfplay < 1:
        raise ValueError("the number of maps must be at least 1")
    lines = []
    for number in range(options.selfplay):
        show_progress(f"map {number + 1} of {options.selfplay}")
        lines.append(_measure_seed(f"survey {number}", certified=options.certified))
        if not options.json:
            sys.stdout.write(_format_line(lines[-1]) + "\n")
            sys.stdout.flush()
    standard = _measure_maps("standard", standard_chart(), 0.0)
    show_progress("")
    if options.json:
        result = {"standard": asdict(standard), "maps": [asdict(line) for line in lines]}
        sys.stdout.write(json.dumps(result, indent=2) + "\n")
    else:
        sys.stdout.write(_summary(lines, standard) + "\n")
    return 0


def _measure_seed(seed: str, *, certified: bool) -> _Line:
    from diplomaccloud.maps.factory import make_fair_map, make_map  # noqa: PLC0415

    began = process_time()
    lands = [f"{seed}{letter}" for letter in _LETTERS]
    chart = make_fair_map(lands) if certified else make_map(seed)
    return _measure_maps(seed, chart, process_time() - began)


def _measure_maps(seed: str, chart: "Chart", seconds: float) -> _Line:
    from diplomaccloud.atlas.fairness import BOARD_TARGETS, fairness  # noqa: PLC0415

    result = play_games(chart)
    board = fairness(chart.board)
    return _Line(
        seed,
        seconds=round(seconds, 1),
        spread=round(result.spread, 4),
        error=round(result.error, 4),
        chance=round(result.chance or 0.0, 4),
        figures={name: board[f"cv_{name}"] for name in BOARD_TARGETS},
    )


def play_games(chart: "Chart") -> "SelfPlay":
    """Return the result of the games on `chart`, which depends on the map alone."""
    from diplomaccloud.atlas.chartfile import content_hash  # noqa: PLC0415
    from diplomaccloud.bots import find_bot  # noqa: PLC0415
    from diplomaccloud.bots.standings import self_play  # noqa: PLC0415

    return self_play(chart.board, find_bot(_BOT), games=_GAMES, seed=content_hash(chart))


def _format_line(line: _Line) -> str:
    return f"{line.seed:<16} {line.spread:.3f} ± {line.error:.3f}  made in {line.seconds:.1f} s"


def _summary(lines: list[_Line], standard: _Line) -> str:
    low, median_spread, high = _quartiles([line.spread for line in lines])
    met = sum(line.spread <= _TARGET_SPREAD for line in lines)
    titles = ("2009", "standard", "target", "ours")
    return "\n".join(
        [
            "",
            f"{'medians':54}" + "".join(f"{title:>10}" for title in titles),
            _row(
                "CV of shares in self-play",
                _SPREAD_OF_2009,
                standard.spread,
                _TARGET_SPREAD,
                median_spread,
            ),
            *_board_rows(lines, standard),
            f"The middle half of the CVs in self-play is from {low:.3f} to {high:.3f}.",
            f"{met} of {len(lines)} maps meet the target; making one takes"
            f" {median(line.seconds for line in lines):.1f} s of CPU time (median).",
            f"{_GAMES} games per map, with the bot {_BOT!r} playing every power; on a perfectly"
            f" even map the CV would be {median(line.chance for line in lines):.3f} by chance.",
        ]
    )


def _board_rows(lines: list[_Line], standard: _Line) -> list[str]:
    from diplomaccloud.atlas.survey import TARGETS  # noqa: PLC0415

    return [
        _row(
            target.title,
            target.of_2009 or 0.0,
            standard.figures[name],
            target.maximum or 0.0,
            median(line.figures[name] for line in lines),
        )
        for target in TARGETS
        if (name := target.name.removeprefix("cv_")) in standard.figures
    ]


def _row(title: str, of_2009: float, standard: float, target: float, measured: float) -> str:
    values = (f"{of_2009:.2f}", f"{standard:.3f}", f"≤ {target:.2f}", f"{measured:.3f}")
    missed = "" if measured <= target else "  missed"
    return f"{title:54}" + "".join(f"{value:>10}" for value in values) + missed


def _quartiles(values: list[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return low, middle, high


def add(commands: "Commands") -> None:
    """Add the command."""
    table = commands.add_parser("table", help="measure the generator on many seeds")
    table.add_argument("--seeds", type=parse_natural, default=1000, help="maps for 7 players")
    table.add_argument(
        "--others",
        type=parse_natural,
        default=100,
        help="maps for each other player count, 2 to 10",
    )
    table.add_argument("--jobs", type=parse_positive, default=2, help="number of processes")
    table.add_argument(
        "--keep", type=Path, help="save results in this file; the next run resumes from it"
    )
    table.add_argument("--json", action="store_true", help="print JSON")
    add_options(table)
    map_variety.add_options(table)
    table.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table; return 1 if a map breaks a constraint or cannot be made.

    With `--selfplay`, print the results of test games instead; with `--variety`, distances.
    """
    if options.selfplay is not None:
        return run_selfplay(options)
    if options.certified:
        raise ValueError("--certified requires --selfplay N")
    if options.variety is not None:
        return map_variety.run(options)
    if options.against is not None:
        raise ValueError("--against requires --variety")
    from diplomaccloud.atlas.survey import (  # noqa: PLC0415  # noqa: PLC0415
        build_json,
        build_table,
        list_tasks,
        standard_figures,
    )
    from diplomaccloud.judge.drawing.europe import standard_chart  # noqa: PLC0415

    requested = list_tasks(options.seeds, options.others)
    if not requested:
        raise ValueError("there is no map to measure: both numbers are 0")
    maps = list(_measure(requested, options))
    show_progress("")
    standard = standard_figures(standard_chart())
    if options.json:
        sys.stdout.write(json.dumps(build_json(maps, standard), indent=2) + "\n")
    else:
        sys.stdout.write(build_table(maps, standard) + "\n")
    return 1 if any(result.faults or result.failure for result in maps) else 0


def _measure(requested: "list[Task]", options: argparse.Namespace) -> "Iterator[MapResult]":
    """Yield the results of an earlier run, then new ones as they are measured."""
    from diplomaccloud.atlas.survey import Task, measure_maps  # noqa: PLC0415

    remaining = dict.fromkeys(requested)
    count = len(remaining)
    for result in _read_results(options.keep):
        if (task := Task(result.seed, result.players)) in remaining:
            del remaining[task]
            yield result
    for result in measure_maps(list(remaining), jobs=options.jobs):
        del remaining[Task(result.seed, result.players)]
        show_progress(f"{count - len(remaining)} of {count} maps")
        if options.keep is not None:
            with options.keep.open("a", encoding="utf-8") as file:
                file.write(result.to_line() + "\n")
        yield result


def _read_results(path: Path | None) -> "list[MapResult]":
    from diplomaccloud.atlas.survey import MapResult  # noqa: PLC0415

    if path is None or not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [MapResult.from_line(line) for line in lines if line]
