"""Measure how the cost of press grows with the number of messages: `python benchmarks/press`.

One conversation in one game is measured with 50 messages on an otherwise empty site, and again with
`--messages` in `--games`, a fortieth of them in that conversation. Times are the fastest of
`--rounds`; reads are measured in processor time on SQLite and in elapsed time on a server. The
database is a SQLite file, or DIPLOMACCLOUD_CHECKS_DATABASE:

    scripts/servers.py postgresql .venv/bin/python benchmarks/press --messages 1000000
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402

_COLUMNS = "{:<32}{:>10}{:>10}{:>8}{:>9}{:>9}  {}"
_BUDGETS = {
    "send to one": 10,
    "send to everyone": 10,
    "conversation, newest 50": 6,
    "conversation, oldest 50": 6,
    "everyone, newest 50": 6,
    "conversations of a game": 8,
    "messages over all games": 8,
    "sent over all games": 8,
    "unread over all games": 1,
    "versions for 200 streams": 1,
    "search in a game": None,
    "search everywhere": None,
    "a person with the header's numbers": 1,
    "send, and write the notices": None,
    "page: game without press": 15,
    "page: game": 15,
    "page: conversations": 12,
    "page: conversation": 12,
    "page: conversation, new part": 6,
    "page: ledger": 12,
    "page: messages": 12,
    "page: notices": 8,
    "page: what-if": 4,
}
"""The maximum number of queries for each line."""
_CPU = {
    "send to one": 12,
    "send to everyone": 12,
    "conversation, newest 50": 20,
    "everyone, newest 50": 20,
    "messages over all games": 25,
    "page: what-if": 25,
}
"""The maximum processor time in milliseconds."""
_GAME_PAGE = 5
"""The same for the time that press adds to a game's page."""


def main() -> None:
    """Create the site, measure it, grow it, and measure it again."""
    parser = argparse.ArgumentParser(description="Measure press with many messages.")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with fresh_site(os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE", "")):
        run(options)


def run(options: argparse.Namespace) -> None:
    """Print one line for each kind of work, with both sizes side by side."""
    from django.db import connection
    from many_messages import Scene, grow

    scene = Scene()
    small = {name: measure(work, options.rounds) for name, work in scene.works().items()}
    started = time.perf_counter()
    grow(scene, messages=options.messages, games=options.games)
    seconds = time.perf_counter() - started
    print(f"{connection.vendor}: {options.messages} messages in {seconds:.0f} s", flush=True)
    print(_COLUMNS.format("", "small, ms", "large, ms", "ratio", "CPU, ms", "queries", "missed"))
    large = {}
    for name, work in scene.works().items():
        before, after = small[name], measure(work, options.rounds)
        large[name] = after
        most, cpu = _BUDGETS[name], _CPU.get(name)
        missed = ["queries"] if most is not None and after[2] > most else []
        missed += ["CPU"] if cpu is not None and after[1] > cpu else []
        row = (f"{before[0]:.1f}", f"{after[0]:.1f}", f"{after[0] / before[0]:.2f}")
        line = _COLUMNS.format(name, *row, f"{after[1]:.1f}", after[2], " ".join(missed))
        print(line, flush=True)
    works = scene.works()
    added = compare(works["page: game"], works["page: game without press"], options.rounds * 5)
    asked = large["page: game"][2] - large["page: game without press"][2]
    verdict = "missed" if added > _GAME_PAGE or asked > 3 else ""
    print(f"press adds {added:.1f} ms and {asked} queries to the page of a game {verdict}")


def compare(work, reference, rounds):
    """Return how much more processor time `work` takes than the reference, in ms.

    The two alternate, and the result is the median of the differences, because noise from other
    work on the machine affects both equally.
    """
    differences = []
    for _ in range(rounds):
        started = time.process_time()
        reference()
        between = time.process_time()
        work()
        differences.append(time.process_time() - between - (between - started))
    return statistics.median(differences) * 1000


def measure(work, rounds):
    """Return the fastest elapsed and processor times of `work` in ms, and its queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    work()
    with CaptureQueriesContext(connection) as captured:
        work()
    verbs = ("SELECT", "INSERT", "UPDATE", "DELETE")
    asked = [query for query in captured if query["sql"].startswith(verbs)]
    wall, cpu = [], []
    for _ in range(rounds):
        started, used = time.perf_counter(), time.process_time()
        work()
        cpu.append(time.process_time() - used)
        wall.append(time.perf_counter() - started)
    on_server = connection.vendor != "sqlite"
    return (min(wall if on_server else cpu) * 1000, min(cpu) * 1000, len(asked))


main()
