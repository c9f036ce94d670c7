"""Measure the times of the judge's callers relative to the kernel's, within one run."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from statistics import median
from time import process_time

from positions import STANDARD, Scene

from diplomaccloud.judge import Resolution, adjudicate, legal_orders, parse_order, parse_sheet
from diplomaccloud.judge.kernel import batch
from diplomaccloud.judge.kernel.layout import pack_orders, pack_state
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.protocol import serve_lines
from diplomaccloud.judge.protocol.requests import position_to_request
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, Pick, Removal, Victory
from diplomaccloud.judge.units import Unit

SOURCE = Path(__file__).resolve().parents[2] / "judge" / "src"
ROW = "{:<60}{:>12}{:>12}{:>9}{:>9}"
RUNS = 7

UNRELATED = {
    "removal": replace(DEFAULT, removal=Removal.RANDOM_2009),
    "too_many_builds": replace(DEFAULT, too_many_builds=Pick.LAST),
    "fill_in_only_coast": replace(DEFAULT, fill_in_only_coast=False),
    "victory": replace(DEFAULT, victory=Victory.PIECES),
}


def time_us(work: Callable[[Scene], object], scene: Scene) -> float:
    """Return the shortest of several runs on a scene, which a busy machine affects least."""
    times = []
    for _ in range(RUNS):
        start = process_time()
        work(scene)
        times.append((process_time() - start) * 1e6)
    return min(times)


def show_ratio(name: str, scenes, work, base, goal: float) -> None:
    """Print the medians of both over all scenes, measured alternately, and their ratio."""
    pairs = [(time_us(work, scene), time_us(base, scene)) for scene in scenes]
    show_row(name, median(first for first, _ in pairs), median(base for _, base in pairs), goal)


def show_row(name: str, time: float, base: float, goal: float) -> None:
    """Print a row."""
    print(ROW.format(name, f"{time:,.1f}", f"{base:,.1f}", f"{time / base:.2f}", f"{goal:.2f}"))


def judge(scene: Scene, orders=None, rules=DEFAULT) -> Resolution:
    """Return the resolution of the scene."""
    return adjudicate(
        scene.board, scene.position, scene.orders if orders is None else orders, rules
    )


def explain(scene: Scene) -> object:
    """Return all reasons of the scene."""
    return [result.reason for result in judge(scene).results]


def judge_row(scene: Scene) -> Callable[[Scene], object]:
    """Return a function that judges the scene in the kernel."""
    state, orders = pack_state(scene.board, scene.position), pack_orders(scene.board, scene.orders)
    return lambda _: batch.adjudicate(scene.board, state, orders)


def make_bad(scene: Scene) -> list:
    """Return the orders, with an illegal one at the end."""
    unit = scene.position.units[-1]
    far = next(code for code in scene.board.by_code if code not in near_codes(scene, unit))
    return [*scene.orders[:-1], Move(unit, far)]


def near_codes(scene: Scene, unit: Unit) -> set:
    """Return the provinces that the unit may move to, with its own."""
    return {unit.province, *scene.board.reach(unit.kind, unit.location)}


def make_foreign(scene: Scene) -> list:
    """Return the orders, plus one from a power that does not own the unit."""
    unit = scene.position.units[0]
    owner = next(info.power for info in scene.board.powers if info.power != unit.power)
    return [*scene.orders, Move(replace(unit, power=owner), unit.location)]


def make_needless_via(scene: Scene) -> list:
    """Return the orders, with the first army's move by land marked as a convoy move."""
    unit = scene.position.units[0]
    to = sorted(scene.board.destinations(unit.kind, unit.location))[0]
    rest = [order for order in scene.orders if order.unit != unit]
    return [*rest, Move(unit, to, via_convoy=True)]


def show_table(scenes: list[Scene]) -> None:
    """Print the table of ratios over scenes of the standard board."""
    print(f"\nRatios (the {KERNEL.name} kernel, µs)")
    print(ROW.format("", "time", "base", "ratio", "goal"))
    table = table_of(STANDARD)
    states = {id(scene): pack_state(STANDARD, scene.position) for scene in scenes}
    show_ratio(
        "legal_orders, whole position / kernel's list",
        scenes,
        lambda scene: legal_orders(scene.board, scene.position),
        lambda scene: KERNEL.list_batch(table, states[id(scene)]),
        5,
    )
    rows = {id(scene): judge_row(scene) for scene in scenes}
    kernel_name = "adjudicate / kernel's judgment of one state"
    show_ratio(kernel_name, scenes, judge, lambda scene: rows[id(scene)](scene), 2)
    for name, make in (
        ("a bad order", make_bad),
        ("a foreign order", make_foreign),
        ("a needless VIA", make_needless_via),
    ):
        orders = {id(scene): make(scene) for scene in scenes}
        show_ratio(
            f"{name} / none", scenes, lambda scene, o=orders: judge(scene, o[id(scene)]), judge, 1.5
        )
    for name, rules in UNRELATED.items():
        show_ratio(
            f"the switch {name} / default",
            scenes,
            lambda scene, rules=rules: judge(scene, None, rules),
            judge,
            1.1,
        )
    for name in ("1971", "CD-ROM"):
        rules = EDITIONS[name]
        work = lambda scene, rules=rules: judge(scene, None, rules)  # noqa: E731
        show_ratio(f"the edition {name} / 2000", scenes, work, judge, 3)
    show_ratio("with all reasons / without", scenes, explain, judge, 4)
    _show_texts(scenes)
    _show_import()


def _show_texts(scenes: list[Scene]) -> None:
    show_ratio(
        "parse_sheet, all orders of a power / parse_order of each",
        scenes,
        _read_sheet,
        _read_each,
        1.2,
    )
    lines = {id(scene): _line_of(scene) for scene in scenes}
    show_ratio(
        "protocol line / json.loads of it",
        scenes,
        lambda scene: serve_lines(BytesIO(lines[id(scene)]), BytesIO()),
        lambda scene: json.loads(lines[id(scene)]),
        20,
    )


def _orders_of_first(scene: Scene) -> tuple:
    """Return the first unit's power, and the texts of its orders."""
    power = scene.position.units[0].power
    return power, [str(order) for order in scene.orders if order.unit.power == power]


def _read_sheet(scene: Scene) -> object:
    power, texts = _orders_of_first(scene)
    return parse_sheet("\n".join(texts), scene.board, scene.position, power)


def _read_each(scene: Scene) -> object:
    power, texts = _orders_of_first(scene)
    return [parse_order(text, scene.board, scene.position, power) for text in texts]


def _line_of(scene: Scene) -> bytes:
    orders: dict[str, list[str]] = {}
    for order in scene.orders:
        orders.setdefault(order.unit.power, []).append(str(order))
    return json.dumps({**position_to_request(scene.position), "orders": orders}).encode()


def _show_import() -> None:
    bare, judge_time = (_run_us("pass"), _run_us("import diplomaccloud.judge"))
    show_row("import diplomaccloud.judge / bare Python", judge_time, bare, 4)


def _run_us(program: str) -> float:
    """Return the median processor time of a Python process that runs a program."""
    times = []
    for _ in range(9):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {"PYTHONPATH": str(SOURCE)}
        subprocess.run([sys.executable, "-c", program], check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        times.append(spent * 1e6)
    return median(times)
