"""Compare the judge with the PyPI package `diplomacy`: `python benchmarks/judge`.

It prints medians of processor time, which a busy machine affects least, over fixed positions, in
one process and one thread. `--positions N` sets the number of positions in each set, and `--ratios`
prints only the times of callers relative to the kernel's. The peer is measured if it is installed.
"""

import argparse
import json
import subprocess
import sys
from array import array
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

import peer  # noqa: E402
import ratios  # noqa: E402
from positions import MAX_PROVINCES, STANDARD, Scene, growth, rows, sets, thirty_units  # noqa: E402

from diplomaccloud.judge import Resolution, adjudicate, adjudication, batch  # noqa: E402
from diplomaccloud.judge.kernel.layout import pack_state  # noqa: E402
from diplomaccloud.judge.kernel.selection import choose_kernel, load_kernel  # noqa: E402
from diplomaccloud.judge.kernel.table import table_of  # noqa: E402
from diplomaccloud.judge.legality import reader  # noqa: E402
from diplomaccloud.judge.position import starting_position  # noqa: E402
from diplomaccloud.judge.protocol import requests, serve_lines  # noqa: E402
from diplomaccloud.judge.reasons import facts, statements  # noqa: E402

COLUMNS = "{:<44}" + "{:>18}" * 3
PYTHON = load_kernel("python")


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
    """Make every caller use this kernel."""
    for module in (adjudication, requests, reader, facts, statements):
        module.KERNEL = kernel  # type: ignore[attr-defined]


def each_us(kernel, scenes: list[Scene], work: Callable[[Scene], object]) -> float:
    """Return the median time of `work` on one position."""
    use(kernel)
    times = []
    for scene in scenes:
        start = process_time()
        work(scene)
        times.append((process_time() - start) * 1e6)
    return median(times)


def resolve_legal(scene: Scene) -> object:
    """Only resolve legal orders."""
    return facts.KERNEL.resolve(scene.board, scene.position.units, scene.orders, checked=False)  # type: ignore[attr-defined]


def adjudicate_scene(scene: Scene) -> Resolution:
    """Read and resolve the orders, and build the next position."""
    return adjudicate(scene.board, scene.position, scene.orders)


def explain_scene(scene: Scene) -> object:
    """Adjudicate, and render the reason for every result."""
    return [result.why for result in adjudicate_scene(scene).results]


def protocol_us(kernel, scenes: list[Scene]) -> float:
    """Return the median time to answer one line of the protocol, from text to text."""
    use(kernel)
    times = []
    for scene in scenes:
        request = requests.position_to_request(scene.position)
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
        states, seeds = batch.start(10, STANDARD), array("Q", range(run, run + 10))
        start = process_time()
        kernel.play(table, states, seeds, phases, start_row)
        speeds.append(10 * phases / (process_time() - start))
    return median(speeds)


def table_ms(scene: Scene, kernel) -> float:
    """Return the median time to build a board's table, including the kernel's copy."""
    times = []
    for run in range(5):
        board = replace(scene.board, name=f"copy {run}")
        start = process_time()
        kernel.list_batch(table_of(board), pack_state(board, scene.position))
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
    """Return the median time in ms and memory in MB for importing the judge."""
    costs = []
    for _ in range(9):
        process = subprocess.run(
            [sys.executable, "-c", _IMPORT],
            capture_output=True,
            check=True,
            env={"PYTHONPATH": str(ROOT / "src")},
        )
        costs.append(tuple(map(float, process.stdout.split())))
    return median(time for time, _ in costs), median(size for _, size in costs)


def show(name: str, *cells: float | None) -> None:
    """Print one row of a table."""
    print(COLUMNS.format(name, *("-" if x is None else f"{x:,.2f}" for x in cells)))


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--ratios", action="store_true")
    arguments = parser.parse_args()
    many = arguments.positions
    if arguments.ratios:
        ratios.show_table(thirty_units(many))
        return
    try:
        compiled = choose_kernel("compiled")
    except ImportError as problem:
        compiled = None
        print(f"The compiled kernel is not measured: {problem}.")
    game = peer.load()
    if game is None:
        print(f"The peer is not measured: diplomacy {peer.VERSION} is not installed here.")
    scenes = sets(many)
    _measure_movement(scenes, compiled, game)
    _measure_listing(scenes, compiled, game)
    _measure_play(compiled, game)
    _measure_growth(compiled)
    ratios.show_table(thirty_units(many))
    time, size = import_cost()
    print(f"\nimport diplomaccloud.judge: {time:.0f} ms, {size:.1f} MB")


def _measure_movement(scenes: dict[str, list[Scene]], compiled, game) -> None:
    print("\nOne movement phase, µs (diplomacy: its resolver alone)")
    print(COLUMNS.format("", "compiled", "Python", f"diplomacy {peer.VERSION}"))
    for name, group in scenes.items():
        compiled_time = compiled and batch_us(compiled, group, 40)
        show(f"{name}: batch, flat rows", compiled_time, batch_us(PYTHON, group, 3), None)
        for work, what in ((resolve_legal, "decide"), (adjudicate_scene, "adjudicate")):
            compiled_time = compiled and each_us(compiled, group, work)
            peer_time, share = None, 0.0
            if game and work is adjudicate_scene:
                peer_time, share = peer.resolver_us(game, group)
            show(f"{name}: {what}", compiled_time, each_us(PYTHON, group, work), peer_time)
        compiled_time = compiled and each_us(compiled, group, explain_scene)
        show(f"{name}: and all reasons", compiled_time, each_us(PYTHON, group, explain_scene), None)
        compiled_time = compiled and protocol_us(compiled, group)
        show(f"{name}: protocol, a line", compiled_time, protocol_us(PYTHON, group), None)
        if game:
            print(f"    ({share:.1%} of the orders are known to the peer)")


def _measure_listing(scenes: dict[str, list[Scene]], compiled, game) -> None:
    print("\nAll legal orders of one position, µs")
    for name, group in scenes.items():
        compiled_time = compiled and listing_us(compiled, group, 20)
        show(
            name,
            compiled_time,
            listing_us(PYTHON, group, 2),
            game and peer.listing_us(game, group[:30]),
        )


def _measure_play(compiled, game) -> None:
    print("\nRandom play, phases per second")
    compiled_speed = compiled and phases_per_second(compiled, 1000)
    peer_speed = game and peer.phases_per_second(3)
    show("all phases", compiled_speed, phases_per_second(PYTHON, 40), peer_speed)


def _measure_growth(compiled) -> None:
    grown = growth((10, 25, 50, 100, 200), 20)
    print(f"\nGrowth: coordinated positions on a board of {MAX_PROVINCES} provinces, µs")
    for size, group in grown.items():
        compiled_time = compiled and batch_us(compiled, group, 20)
        show(f"{size} units: batch", compiled_time, batch_us(PYTHON, group, 2), None)
        compiled_time = compiled and each_us(compiled, group, adjudicate_scene)
        show(
            f"{size} units: adjudicate",
            compiled_time,
            each_us(PYTHON, group, adjudicate_scene),
            None,
        )
    print("\nTable of a board, ms")
    standard = sets(1)["random, 22 units"][0]
    for name, scene in (("standard board", standard), (f"{MAX_PROVINCES} provinces", grown[10][0])):
        show(name, compiled and table_ms(scene, compiled), table_ms(scene, PYTHON), None)


if __name__ == "__main__":
    main()
