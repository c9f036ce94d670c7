"""Measure the times of the judge's callers relative to the kernel's, within one run."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import product
from pathlib import Path
from statistics import median
from time import process_time

from positions import STANDARD, Scene

from diplomaccloud.judge import (
    Game,
    Resolution,
    adjudicate,
    batch,
    legal_orders,
    parse_order,
    parse_sheet,
)
from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.kernel.layout import pack_orders, pack_state
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.messages.catalog import RefusalKey
from diplomaccloud.judge.orders import Convoy, Move, SupportMove
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


@dataclass(frozen=True, slots=True)
class Ratio:
    """The time of a caller, and that of what it is compared with, in µs."""

    name: str
    time: float
    base: float
    goal: float

    @property
    def times(self) -> float:
        """How many times as long the caller takes."""
        return self.time / self.base


def time_us(work: Callable, scene: Scene, prepare: Callable = lambda scene: scene) -> float:
    """Return the shortest of several runs on a scene, which a busy machine affects least.

    `prepare` makes what `work` gets from the scene, for each run and outside of the measurement.
    """
    times = []
    for given in [prepare(scene) for _ in range(RUNS)]:
        start = process_time()
        work(given)
        times.append((process_time() - start) * 1e6)
    return min(times)


def compare(name: str, scenes, work, base, goal: float, *, prepare=lambda scene: scene) -> Ratio:
    """Return the medians of both over all scenes, measured alternately.

    `work` gets what `prepare` makes from a scene.
    """
    pairs = [(time_us(work, scene, prepare), time_us(base, scene)) for scene in scenes]
    return Ratio(name, median(first for first, _ in pairs), median(base for _, base in pairs), goal)


def judge(scene: Scene, orders=None, rules=DEFAULT) -> Resolution:
    """Return the resolution of the scene."""
    return adjudicate(
        scene.board, scene.position, scene.orders if orders is None else orders, rules
    )


def explain(scene: Scene) -> object:
    """Return all reasons of the scene."""
    return [result.why for result in judge(scene).results]


def judge_row(scene: Scene) -> Callable[[Scene], object]:
    """Return a function that judges the scene in the kernel."""
    state, orders = pack_state(scene.board, scene.position), pack_orders(scene.board, scene.orders)
    return lambda _: batch.adjudicate(state, orders, board=scene.board)


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


def make_refused(scene: Scene, keys: set[RefusalKey], kind: type) -> list | None:
    """Return the orders with one of this kind that is refused for one of `keys`, if possible.

    The order supports or convoys an army to a province that is not adjacent to it.
    """
    reader = Reader(scene.board, scene.position)
    armies = [unit for unit in scene.position.units if unit.kind is UnitKind.ARMY]
    for unit, army, code in product(scene.position.units, armies, scene.board.by_code):
        if code not in near_codes(scene, army):
            order = kind(unit, army, code)
            try:
                reader.read(unit.power, order)
            except Refusal as refusal:
                if refusal.key in keys:
                    return [order, *[each for each in scene.orders if each.unit != unit]]
    return None


def make_needless_convoy(scene: Scene) -> list | None:
    """Return the orders with a convoy by a fleet that no route needs, if there can be one."""
    return make_refused(scene, {RefusalKey.CONVOY_BY_DETOUR, RefusalKey.CONVOY_NOT_NEEDED}, Convoy)


def make_own_convoy(scene: Scene) -> list | None:
    """Return the orders with a support that needs the supporter's own convoy, if possible."""
    return make_refused(scene, {RefusalKey.ARMY_NEEDS_SUPPORTER}, SupportMove)


def show_table(scenes: list[Scene]) -> None:
    """Print the table of ratios over scenes of the standard board."""
    print(f"\nRatios (the {KERNEL.name} kernel, µs)")
    print(ROW.format("", "time", "base", "ratio", "goal"))
    for row in measure_ratios(scenes):
        figures = (f"{row.time:,.1f}", f"{row.base:,.1f}", f"{row.times:.2f}", f"{row.goal:.2f}")
        print(ROW.format(row.name, *figures))


def measure_ratios(scenes: list[Scene]) -> Iterator[Ratio]:
    """Yield each ratio over scenes of the standard board."""
    table = table_of(STANDARD)
    states = {id(scene): pack_state(STANDARD, scene.position) for scene in scenes}
    yield compare(
        "legal_orders, whole position / kernel's list",
        scenes,
        lambda scene: legal_orders(scene.board, scene.position),
        lambda scene: KERNEL.list_batch(table, states[id(scene)]),
        5,
    )
    rows = {id(scene): judge_row(scene) for scene in scenes}
    kernel_name = "adjudicate / kernel's judgment of one state"
    yield compare(kernel_name, scenes, judge, lambda scene: rows[id(scene)](scene), 2)
    for name, make in (
        ("a bad order", make_bad),
        ("a foreign order", make_foreign),
        ("a needless VIA", make_needless_via),
        ("a needless convoy", make_needless_convoy),
        ("a support that needs the supporter's own convoy", make_own_convoy),
    ):
        orders = {id(scene): make(scene) for scene in scenes}
        possible = [scene for scene in scenes if orders[id(scene)] is not None]
        work = lambda scene, o=orders: judge(scene, o[id(scene)])  # noqa: E731
        yield compare(f"{name} / none", possible, work, judge, 1.5)
    for name, rules in UNRELATED.items():
        yield compare(
            f"the switch {name} / default",
            scenes,
            lambda scene, rules=rules: judge(scene, None, rules),
            judge,
            1.1,
        )
    for name in ("1971", "CD-ROM"):
        rules = EDITIONS[name]
        work = lambda scene, rules=rules: judge(scene, None, rules)  # noqa: E731
        yield compare(f"the edition {name} / 2000", scenes, work, judge, 3)
    yield compare("with all reasons / without", scenes, explain, judge, 4)
    yield from _compare_texts(scenes)
    yield from _compare_games(scenes)
    yield from _compare_packing(scenes)
    yield from _compare_import()


def _compare_texts(scenes: list[Scene]) -> Iterator[Ratio]:
    yield compare(
        "parse_sheet, all orders of a power / parse_order of each",
        scenes,
        _read_sheet,
        _read_each,
        1.2,
    )
    lines = {id(scene): _line_of(scene) for scene in scenes}
    yield compare(
        "protocol line / json.loads of it",
        scenes,
        lambda scene: serve_lines(BytesIO(lines[id(scene)]), BytesIO()),
        lambda scene: json.loads(lines[id(scene)]),
        20,
    )


def _texts_of(scene: Scene) -> dict[str, list[str]]:
    """Return the texts of the scene's orders by power."""
    texts: dict[str, list[str]] = {}
    for order in scene.orders:
        texts.setdefault(order.unit.power, []).append(str(order))
    return texts


def _compare_games(scenes: list[Scene]) -> Iterator[Ratio]:
    """Yield the rows of `Game`, which goes through the same steps as the functions."""
    texts = {id(scene): _texts_of(scene) for scene in scenes}

    def use_functions(scene: Scene) -> None:
        orders = [
            parse_order(text, scene.board, scene.position, power)
            for power, listed in texts[id(scene)].items()
            for text in listed
        ]
        adjudicate(scene.board, scene.position, orders)

    def open_game(scene: Scene) -> tuple[Game, dict[str, list[str]]]:
        return Game(scene.board, position=scene.position), texts[id(scene)]

    def give_all(opened: tuple[Game, dict[str, list[str]]]) -> None:
        game, by_power = opened
        for power, listed in by_power.items():
            game.order(power, listed)
        game.adjudicate()

    def give_each(opened: tuple[Game, dict[str, list[str]]]) -> None:
        game, by_power = opened
        for power, listed in by_power.items():
            for text in listed:
                game.order(power, text)
        game.adjudicate()

    def try_orders(opened: tuple[Game, dict[str, list[str]]]) -> None:
        game, by_power = opened
        trial = game.copy()
        for power, listed in by_power.items():
            trial.order(power, listed)
        trial.adjudicate()

    base = "parse_order, adjudicate"
    yield compare(
        f"Game.order for each power / {base}",
        scenes,
        give_all,
        use_functions,
        1.5,
        prepare=open_game,
    )
    yield compare(
        f"Game.order, one string at a time / {base}",
        scenes,
        give_each,
        use_functions,
        2,
        prepare=open_game,
    )
    yield compare(
        f"Game.copy, order, adjudicate / {base}",
        scenes,
        try_orders,
        use_functions,
        3,
        prepare=open_game,
    )


def _compare_packing(scenes: list[Scene]) -> Iterator[Ratio]:
    """Yield the rows of `batch.pack_orders`."""
    texts = {id(scene): [str(order) for order in scene.orders] for scene in scenes}

    def parse_all(scene: Scene) -> None:
        for order, text in zip(scene.orders, texts[id(scene)], strict=True):
            parse_order(text, scene.board, scene.position, order.unit.power)

    yield compare(
        "batch.pack_orders of values / parse_order of each",
        scenes,
        lambda scene: batch.pack_orders([scene.position], [scene.orders]),
        parse_all,
        0.3,
    )
    yield compare(
        "batch.pack_orders of canonical text / parse_order of each",
        scenes,
        lambda scene: batch.pack_orders([scene.position], [texts[id(scene)]]),
        parse_all,
        0.7,
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
    return json.dumps({**position_to_request(scene.position), "orders": _texts_of(scene)}).encode()


def _compare_import() -> Iterator[Ratio]:
    bare, judge_time = (_run_us("pass"), _run_us("import diplomaccloud.judge"))
    yield Ratio("import diplomaccloud.judge / bare Python", judge_time, bare, 4)
    game_time = _run_us("from diplomaccloud import judge; judge.Game()")
    yield Ratio("Game() in a new process / bare Python", game_time, bare, 5)


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
