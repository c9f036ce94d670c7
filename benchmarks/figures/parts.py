"""The parts that `benchmarks/publish` measures, each in a process of its own.

    python -m benchmarks.figures.parts NAME FILE

measures a part and writes its figures to a file. The measurements are those of the programs in
`benchmarks`; here is which of their values are published, and with how many repetitions.
"""

import json
import signal
import statistics
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.figures.history import RATIO, Figure

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5
STREAMS, TALKERS, TALK_SECONDS, TALK_PAUSE = 1000, 200, 90, 40
GAMES_DUE, WORKERS = 1000, 2
POSITIONS, PLAYED_PHASES, PLAYED_PHASES_IN_PYTHON = 150, 1000, 40
GAMES_OF_BOTS, LAST_YEAR = 100, 1912
MAPS = 20


@dataclass(frozen=True, slots=True)
class Part:
    """A part: what it is called, what it is about, and about how many minutes it takes."""

    title: str
    about: str
    minutes: int
    measure: Callable[[], Iterable[Figure]]
    needs_postgresql: bool = False


def measure_pages() -> Iterator[Figure]:
    """Yield the cost of pages over HTTP, in multiples of an empty page for the same reader."""
    _use("games")
    with _site():
        from over_http import measure_pages

        served = measure_pages(Namespace(rounds=ROUNDS, only=""))
    for name in ("game page, player, 34 units, 80 phases", "statistics, 80 phases"):
        yield Figure(name, served[name].times_player, RATIO)
    for name in ("home, player", "lobby, player"):
        yield Figure(name, served[name].times_player, RATIO)
    for name in ("game page, visitor, 34 units, 80 phases", "home, visitor", "lobby, visitor"):
        yield Figure(name, served[name].times_visitor, RATIO)
    yield Figure("an empty page for a player", served["empty, player"].ms, "ms")
    page = served["game page, player, 34 units, 80 phases"]
    yield Figure("size of a player's game page", page.full_size / 1000, "kB")
    yield Figure("the same, compressed", page.size / 1000, "kB")


def measure_saves() -> Iterator[Figure]:
    """Yield the cost of saving orders by a page, in multiples of an empty page."""
    _use("scale")
    with _site("postgresql"):
        from django.utils import timezone
        from large_site import make_site
        from over_http import measure_pages

        make_site(timezone.now())
        served = measure_pages(Namespace(rounds=ROUNDS, only=""))
    yield Figure("a save of orders", served["save of one order"].times_player, RATIO)
    yield Figure("Ready", served["ready"].times_player, RATIO)


def measure_streams() -> Iterator[Figure]:
    """Yield what live streams cost, and how soon a message is seen."""
    import asyncio

    _use("press")
    with _site("postgresql"):
        from benchmarks.real_server import serve
        from live import make_people, measure

        options = Namespace(talkers=TALKERS, seconds=TALK_SECONDS, pause=TALK_PAUSE)
        people = make_people(STREAMS, TALKERS)
        with serve(1) as server:
            figures = asyncio.run(measure(server, people, options))
    yield Figure("memory of a stream", figures.kilobytes, "kB")
    yield Figure("a message, until its reader's browser has it", figures.median, "s")
    yield Figure("the web server's processor time for a message", figures.message_ms, "ms")


def measure_storm() -> Iterator[Figure]:
    """Yield how fast workers process games that are due together."""
    with _site("postgresql"):
        from benchmarks.storm import storm

        options = Namespace(games=GAMES_DUE, workers=WORKERS, profile=False)
        seconds, cpu = storm(options)
    yield Figure("a phase, processor time of the worker", 1000 * cpu / GAMES_DUE, "ms")
    yield Figure("phases a second", GAMES_DUE / seconds, "a second", is_better_higher=True)


def measure_memory() -> Iterator[Figure]:
    """Yield the memory of a site."""
    from benchmarks.memory import measure_site

    sums = measure_site(maps=30, games=3, pages=500)
    for name, key in (
        ("all processes, new", "new"),
        ("while a map is made", "map"),
        ("after 30 maps, 3 games and 500 pages", "used"),
        ("the supervisor", "supervisor"),
    ):
        yield Figure(name, sums[key], "MB")


def measure_judge() -> Iterator[Figure]:
    """Yield the times of the judge's callers in multiples of the kernel's, and its speed."""
    _use("judge")
    from benchmarks.judge.__main__ import PYTHON, phases_per_second
    from positions import thirty_units
    from ratios import KERNEL, measure_ratios

    for row in measure_ratios(thirty_units(POSITIONS)):
        yield Figure(row.name, row.times, RATIO)
    speed = phases_per_second(KERNEL, PLAYED_PHASES)
    slow = phases_per_second(PYTHON, PLAYED_PHASES_IN_PYTHON)
    yield Figure("phases of random play", speed, "a second", is_better_higher=True)
    if KERNEL.name != PYTHON.name:
        name = "the same, compiled / Python"
        yield Figure(name, speed / slow, RATIO, is_better_higher=True)


def measure_arena() -> Iterator[Figure]:
    """Yield the speed of bots' games."""
    from benchmarks.bots.__main__ import list_boards, measure, measure_policy

    for name, board in list_boards().items():
        speed = measure(board, GAMES_OF_BOTS, LAST_YEAR)
        title = f"greedy bots, games in lockstep / one by one, {name}"
        yield Figure(title, speed.times, RATIO, is_better_higher=True)
        if name == "standard":
            yield Figure(
                "greedy bots, games in lockstep", speed.together, "a second", is_better_higher=True
            )
        ordering, judging, _, played = measure_policy(board, GAMES_OF_BOTS)
        yield Figure(f"DumbBot's orders / judging them, {name}", ordering / judging, RATIO)
        if name == "standard":
            yield Figure("DumbBot's phases", played, "a second", is_better_higher=True)


def measure_maps() -> Iterator[Figure]:
    """Yield how long maps take."""
    from benchmarks.atlas.__main__ import OURS, make_maps, time_cold_start, time_versions

    many, (seven,) = time_versions(MAPS, OURS)
    make_maps(1, "warm")
    to_chart, to_picture, _ = make_maps(MAPS, "map", provinces=80)
    cold = time_cold_start()
    chart, picture = statistics.median(to_chart), statistics.median(to_picture)
    growth = statistics.median(many) / statistics.median(seven)
    yield Figure("a map for 34 players / for seven", growth, RATIO)
    yield Figure("seed to picture / seed to map, 80 provinces", picture / chart, RATIO)
    yield Figure("seed to map, 80 provinces", 1000 * chart, "ms")
    yield Figure("seed to picture, 80 provinces", 1000 * picture, "ms")
    yield Figure("the same in a new process, elapsed time", 1000 * cold, "ms")


PARTS = {
    "pages": Part(
        "Pages",
        "Processor time of a web server, in multiples of an empty page for the same reader, on"
        " SQLite (`benchmarks/games --http`).",
        3,
        measure_pages,
    ),
    "saves": Part(
        "Saves",
        "The same for what players send, on PostgreSQL (`benchmarks/scale --http`).",
        5,
        measure_saves,
        needs_postgresql=True,
    ),
    "streams": Part(
        "Live streams",
        f"{STREAMS:,} streams of one web server, and messages by {TALKERS} people, on PostgreSQL"
        " (`benchmarks/press/live.py`).",
        5,
        measure_streams,
        needs_postgresql=True,
    ),
    "storm": Part(
        "Storm",
        f"{GAMES_DUE:,} games of seven people due in one minute, with {WORKERS} workers, on"
        " PostgreSQL (`benchmarks/storm.py`).",
        5,
        measure_storm,
        needs_postgresql=True,
    ),
    "memory": Part(
        "Memory",
        "Memory (PSS) of a site that `./play` runs; the mapmaker counts only while it makes a map"
        " (`benchmarks/memory.py`).",
        6,
        measure_memory,
    ),
    "judge": Part(
        "Judge",
        "Processor time in multiples of what is behind the slash, in positions with 30 units"
        " (`benchmarks/judge --ratios`).",
        2,
        measure_judge,
    ),
    "arena": Part(
        "Arena", "Games of bots, in processor time (`benchmarks/bots`).", 1, measure_arena
    ),
    "maps": Part(
        "Maps", "Processor time to make and draw maps (`benchmarks/atlas`).", 6, measure_maps
    ),
}


def _use(folder: str) -> None:
    """Let a benchmark's folder be the first on the path, as when it runs alone."""
    sys.path.insert(0, str(ROOT / "benchmarks" / folder))


@contextmanager
def _site(server: str = "") -> Iterator[None]:
    """Set up a new site on SQLite, or on a server that is as safe as a real one."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import servers
    from benchmarks.fresh import fresh_site

    if not server:
        with fresh_site():
            yield
        return
    with servers.run_server(server, durable=True) as url, fresh_site(url):
        yield


def main() -> None:
    """Measure a part, and write its figures with four digits."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    name, file = sys.argv[1:]
    figures = [asdict(figure) for figure in PARTS[name].measure()]
    rounded = [each | {"value": float(f"{each['value']:.4g}")} for each in figures]
    Path(file).write_text(json.dumps(rounded), encoding="utf-8")


if __name__ == "__main__":
    main()
