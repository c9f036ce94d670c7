"""Measures the judge beside the PyPI package `diplomacy`: `python benchmarks/judge`.

It prints medians over fixed positions, in one process and one thread, of processor time, which
a busy machine disturbs least. `--positions N` sets the number of positions in each set. The
peer is measured if it is installed.
"""

import argparse
import json
import subprocess
import sys
from array import array
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import peer  # noqa: E402
from positions import GROWN, STANDARD, Scene, growth, rows, sets  # noqa: E402

from diplomaccloud.judge import Resolution, adjudicate  # noqa: E402
from diplomaccloud.judge.kernel import batch, pure, values  # noqa: E402
from diplomaccloud.judge.kernel.layout import pack_state  # noqa: E402
from diplomaccloud.judge.kernel.selection import choose_kernel  # noqa: E402
from diplomaccloud.judge.kernel.table import table_of  # noqa: E402
from diplomaccloud.judge.movement import kernel_bridge  # noqa: E402
from diplomaccloud.judge.position import starting_position  # noqa: E402
from diplomaccloud.judge.protocol import serve_lines  # noqa: E402
from diplomaccloud.judge.protocol.request import position_to_request  # noqa: E402

COLUMNS = "{:<44}" + "{:>18}" * 3


def batch_us(kernel, scenes: list[Scene], rounds: int) -> float:
    """Return the median time for one position of a batch, retreats included."""
    table = table_of(scenes[0].board)
    states, orders = rows(scenes)
    after = array("i", states)
    spare = array("i", [0]) * (len(scenes) * table.provinces)
    other = array("i", spare)
    times = []
    for _ in range(rounds):
        start = process_time()
        kernel.adjudicate(table, states, orders, after, spare, other)
        times.append((process_time() - start) * 1e6 / len(scenes))
    return median(times)


def use(kernel) -> None:
    """Make every caller of a kernel use this one."""
    values.KERNEL = kernel_bridge.KERNEL = kernel


def each_us(kernel, scenes: list[Scene], work: Callable[[Scene], object]) -> float:
    """Return the median time that `work` takes on one position."""
    use(kernel)
    times = []
    for scene in scenes:
        start = process_time()
        work(scene)
        times.append((process_time() - start) * 1e6)
    return median(times)


def resolve_legal(scene: Scene) -> object:
    """Resolve legal orders, without anything else."""
    return values.adjudicate(scene.board, scene.position.units, scene.orders)


def adjudicate_scene(scene: Scene) -> Resolution:
    """Read and resolve the orders, and build the next position."""
    return adjudicate(scene.board, scene.position, scene.orders)


def explain_scene(scene: Scene) -> object:
    """Adjudicate, and render the reason of every result."""
    return list(adjudicate_scene(scene).results)


def protocol_us(kernel, scenes: list[Scene]) -> float:
    """Return the median time to answer one line of the protocol, from text to text."""
    use(kernel)
    times = []
    for scene in scenes:
        request = position_to_request(scene.position)
        orders: dict[str, list[str]] = {}
        for order in scene.orders:
            orders.setdefault(order.unit.power, []).append(str(order))
        line = json.dumps({**request, "orders": orders}).encode()
        start = process_time()
        serve_lines(BytesIO(line), BytesIO())
        times.append((process_time() - start) * 1e6)
    return median(times)


def listing_us(kernel, scenes: list[Scene], rounds: int) -> float:
    """Return the median time to list all legal orders of a position, in a batch."""
    table, (states, _) = table_of(scenes[0].board), rows(scenes)
    times = []
    for _ in range(rounds):
        start = process_time()
        kernel.list_batch(table, states)
        times.append((process_time() - start) * 1e6 / len(scenes))
    return median(times)


def phases_per_second(kernel, phases: int) -> float:
    """Return the number of phases of random play, of every kind, per second."""
    table, start_row = table_of(STANDARD), pack_state(STANDARD, starting_position(STANDARD))
    speeds = []
    for run in range(5):
        states, seeds = batch.starting_states(STANDARD, 10), array("Q", range(run, run + 10))
        start = process_time()
        kernel.play(table, states, seeds, phases, start_row)
        speeds.append(10 * phases / (process_time() - start))
    return median(speeds)


def table_ms(scene: Scene, kernel) -> float:
    """Return the median time to build a board's table, the kernel's own copy included."""
    times = []
    for _ in range(5):
        table_of.cache_clear()
        start = process_time()
        kernel.list_batch(table_of(scene.board), pack_state(scene.board, scene.position))
        times.append((process_time() - start) * 1e3)
    return median(times)


_IMPORT = """
import resource, sys, time
def kb():
    return int(next(x for x in open('/proc/self/status') if 'VmRSS' in x).split()[1])
before, start = kb(), time.process_time()
import diplomaccloud.judge
print((time.process_time() - start) * 1e3, (kb() - before) / 1024)
"""


def import_cost() -> tuple[float, float]:
    """Return the median time in ms and memory in MB that importing the judge takes."""
    found = []
    for _ in range(9):
        done = subprocess.run(
            [sys.executable, "-c", _IMPORT],
            capture_output=True,
            check=True,
            env={"PYTHONPATH": str(ROOT / "src")},
        )
        found.append(tuple(map(float, done.stdout.split())))
    return median(time for time, _ in found), median(size for _, size in found)


def show(name: str, *cells: float | None) -> None:
    """Print one row of a table."""
    print(COLUMNS.format(name, *("-" if x is None else f"{x:,.2f}" for x in cells)))


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=200)
    many = parser.parse_args().positions
    try:
        compiled = choose_kernel("compiled")
    except ImportError as problem:
        compiled = None
        print(f"The compiled kernel is not measured: {problem}.")
    game = peer.load()
    if game is None:
        print(f"The peer is not measured: diplomacy {peer.VERSION} is not installed here.")
    scenes = sets(many)
    _movement(scenes, compiled, game)
    _listing(scenes, compiled, game)
    _play(compiled, game)
    _growth(compiled)
    time, size = import_cost()
    print(f"\nimport diplomaccloud.judge: {time:.0f} ms, {size:.1f} MB")


def _movement(scenes: dict[str, list[Scene]], compiled, game) -> None:
    print("\nOne movement phase, µs (diplomacy: its resolver alone)")
    print(COLUMNS.format("", "compiled", "Python", f"diplomacy {peer.VERSION}"))
    for name, some in scenes.items():
        quick = compiled and batch_us(compiled, some, 40)
        show(f"{name}: batch, flat rows", quick, batch_us(pure, some, 3), None)
        for work, what in ((resolve_legal, "decide"), (adjudicate_scene, "adjudicate")):
            quick = compiled and each_us(compiled, some, work)
            theirs, share = None, 0.0
            if game and work is adjudicate_scene:
                theirs, share = peer.resolver_us(game, some)
            show(f"{name}: {what}", quick, each_us(pure, some, work), theirs)
        quick = compiled and each_us(compiled, some, explain_scene)
        show(f"{name}: and all reasons", quick, each_us(pure, some, explain_scene), None)
        quick = compiled and protocol_us(compiled, some)
        show(f"{name}: protocol, a line", quick, protocol_us(pure, some), None)
        if game:
            print(f"    ({share:.1%} of the orders are known to the peer)")


def _listing(scenes: dict[str, list[Scene]], compiled, game) -> None:
    print("\nAll legal orders of one position, µs")
    for name, some in scenes.items():
        quick = compiled and listing_us(compiled, some, 20)
        show(name, quick, listing_us(pure, some, 2), game and peer.listing_us(game, some[:30]))


def _play(compiled, game) -> None:
    print("\nRandom play, phases per second")
    quick = compiled and phases_per_second(compiled, 1000)
    theirs = game and peer.phases_per_second(3)
    show("all phases", quick, phases_per_second(pure, 40), theirs)


def _growth(compiled) -> None:
    grown = growth((10, 25, 50, 100, 200), 20)
    print(f"\nGrowth: coordinated positions on a board of {GROWN} provinces, µs")
    for size, some in grown.items():
        quick = compiled and batch_us(compiled, some, 20)
        show(f"{size} units: batch", quick, batch_us(pure, some, 2), None)
        quick = compiled and each_us(compiled, some, adjudicate_scene)
        show(f"{size} units: adjudicate", quick, each_us(pure, some, adjudicate_scene), None)
    print("\nTable of a board, ms")
    standard = sets(1)["random, 22 units"][0]
    for name, scene in (("standard board", standard), (f"{GROWN} provinces", grown[10][0])):
        show(name, compiled and table_ms(scene, compiled), table_ms(scene, pure), None)


main()
