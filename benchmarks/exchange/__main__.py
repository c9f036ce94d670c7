"""Write a large file of saved games, some damaged, and read it: `python benchmarks/exchange`.

The file has 20,000 games (or `--games N`) in the format of the package `diplomacy`, 1.3 GB: 500
games of random orders, 26 phases each, which stand in it 40 times, each time with other orders in
the last phase. One game in a hundred is damaged in one of ten ways. The file is read in a process
of its own, and so is its first tenth. Exits with 1 unless every damaged game is named and every
other one is equal, in all positions and orders; memory is below 150 MB, and for the whole file
within a tenth of that for the first tenth; and reading takes at most 15 times as much processor
time as `json.loads` of the same lines.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src")]

from diplomaccloud import judge  # noqa: E402

RULES = "diplomacy package"
PHASES = 26
VARIANTS = 40
EVERY = 100
"""How many games there are to one that is damaged."""
MOST_MEMORY, MOST_GROWTH, MOST_TIME = 150, 1.1, 15


def main() -> None:
    """Write the file, read it, and print what came out; or read one in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="default: 20,000")
    parser.add_argument("--folder", type=Path, help="where to write; default: a temporary folder")
    parser.add_argument("--read", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(read(options.folder, options.games)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        start = perf_counter()
        size = write(folder, options.games)
        print(
            f"wrote {options.games} games, {size / 1e9:.2f} GB, in {perf_counter() - start:.0f} s"
        )
        few, all_ = (start_reading(folder, count) for count in (options.games // 10, options.games))
    ratio, growth = all_["cpu"] / all_["json"], all_["memory"] / few["memory"]
    print(f"read in {all_['cpu']:.0f} s of processor time, {ratio:.1f} times json.loads")
    print(f"memory {few['memory']:.1f} MB for a tenth, {all_['memory']:.1f} MB for all")
    print(
        f"damaged {all_['damaged']}, named {all_['named']}, good {all_['good']}, equal "
        f"{all_['equal']}: {all_['kinds']}"
    )
    failed = [
        what
        for what, is_right in {
            "named": all_["named"] == all_["damaged"] == -(-options.games // EVERY),
            "equal": all_["equal"] == all_["good"] == options.games - all_["damaged"],
            "memory": all_["memory"] < MOST_MEMORY and growth <= MOST_GROWTH,
            "time": ratio <= MOST_TIME,
        }.items()
        if not is_right
    ]
    sys.exit(f"exchange: failed: {', '.join(failed)}" if failed else 0)


def start_reading(folder: Path, games: int) -> dict:
    """Return what another process finds in the first games of the file."""
    command = [sys.executable, __file__, "--read", "--games", str(games), "--folder", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True)
    found: dict = json.loads(done.stdout)
    return found


# Writing.


def write(folder: Path, games: int) -> int:
    """Write the games, and what is expected of each; return the size of the file in bytes."""
    rng = random.Random(1)
    lines = islice(vary(rng), games)
    with (
        (folder / "games.jsonl").open("wb") as file,
        (folder / "expected.txt").open("w") as expected,
    ):
        for number, (line, digest) in enumerate(lines):
            is_bad = number % EVERY == EVERY // 2
            file.write((damage(line, number // EVERY, rng) if is_bad else line.encode()) + b"\n")
            expected.write(f"{'damaged' if is_bad else digest}\n")
        return file.tell()


def vary(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield games without end, each as a line with its digest."""
    number = 0
    while True:
        number += 1
        game = play(rng)
        try:
            text = judge.write_game(game, "diplomacy", "game")
        except ValueError:
            continue
        before, _, after = text.strip().rpartition('"orders":')
        after = after[after.index("}") + 1 :]
        before = before.removeprefix('{"id":"game"')
        phases = json.loads(text)["phases"][:-1]
        played = digest(game, [phase["orders"] for phase in phases])
        for variant in range(VARIANTS):
            orders = choose(game, rng)
            name = f"game {number}.{variant}"
            line = f'{{"id":"{name}"{before}"orders":{json.dumps(orders)}{after}'
            hashed = played.copy()
            hashed.update(sort_texts(orders))
            yield line, hashed.hexdigest()


def play(rng: random.Random) -> judge.Game:
    """Return a game of random legal orders."""
    game = judge.Game(rules=RULES)
    while len(game.turns) < PHASES and game.ending is None:
        for power, orders in choose(game, rng).items():
            game.order(power, orders)
        game.adjudicate()
    return game if game.ending is None else play(rng)


def choose(game: judge.Game, rng: random.Random) -> dict[str, list[str]]:
    """Return a random legal order for each unit that has to be ordered."""
    chosen: dict[str, list[str]] = {power: [] for power in game.powers}
    for power in game.powers_to_order:
        for unit, texts in game.legal_orders(power).items():
            if unit != "WAIVE":
                chosen[power].append(rng.choice(texts))
    return chosen


def digest(game: judge.Game, orders: list[dict[str, list[str]]]) -> "hashlib._Hash":
    """Return the digest of all positions of a game, and of the orders of its phases."""
    made = hashlib.sha256()
    for position in (*(turn.position for turn in game.turns), game.position):
        made.update(position.to_text().encode())
    for each in orders:
        made.update(sort_texts(each))
    return made


def sort_texts(orders: dict[str, list[str]]) -> bytes:
    """Return the orders as bytes; the package writes `VIA` also if there is no way by land."""
    listed = [text.removesuffix(" VIA") for texts in orders.values() for text in texts]
    return "\n".join(sorted(listed)).encode()


def list_orders(game: judge.Game) -> list[dict[str, list[str]]]:
    """Return the orders of each phase, also of the one that is not adjudicated."""
    given = [{"": list(map(str, turn.orders))} for turn in game.turns]
    return [*given, {power: list(texts) for power, texts in game.orders.items()}]


# Damages.


def damage(line: str, number: int, rng: random.Random) -> bytes:
    """Return a line that is damaged in one of ten ways."""
    raw = line.encode()
    at = rng.randrange(len(raw) // 4, len(raw) * 3 // 4)
    quote = raw.index(b'"', at)
    saved = json.loads(line)
    phase = rng.randrange(2, PHASES - 2)
    ways: list[Callable[[], bytes]] = [
        lambda: raw[:at],
        lambda: raw[:quote] + raw[quote + 1 :],
        lambda: raw[:quote] + b"\xff" + raw[quote:],
        lambda: raw[:quote] + b"\0" + raw[quote:],
        lambda: raw.replace(b'"timestamp":0', b'"timestamp":NaN', 1),
        lambda: raw.replace(b'"map":', b'"id":"again","map":', 1),
        lambda: raw[:50] + b'{"deep":' + b"[" * 100_000,
        lambda: change(saved, phase, order),
        lambda: change(saved, phase, lose),
        lambda: change(saved, phase, conquer),
    ]
    return ways[number % len(ways)]()


def change(saved: dict, number: int, work: Callable[[dict], None]) -> bytes:
    """Return a game with another phase, from `number` on the first with moves."""
    phases = saved["phases"]
    work(next(phase for phase in phases[number:] if phase["name"].endswith("M")))
    return json.dumps(saved).encode()


def order(phase: dict) -> None:
    """Add an order to a province that does not exist."""
    next(texts for texts in phase["orders"].values() if texts)[0] = "A PAR - XYZ"


def lose(phase: dict) -> None:
    """Take a unit away."""
    next(texts for texts in phase["state"]["units"].values() if texts).pop()


def conquer(phase: dict) -> None:
    """Give a center to another power."""
    first, second = list(phase["state"]["centers"].values())[:2]
    (second if first else first).append((first or second).pop())


# Reading.


def read(folder: Path, games: int) -> dict:
    """Return what the first games of the file are, and what it takes to read them."""
    found: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    with (folder / "games.jsonl").open("rb") as file, (folder / "expected.txt").open() as expected:
        begin, spent, number = process_time(), 0.0, 0
        for number, saved in enumerate(judge.read_games(islice(file, games)), start=1):
            start = process_time()
            wanted = expected.readline().strip()
            if wanted == "damaged":
                found["damaged"] += 1
                found["named"] += bool(saved.errors) and saved.number == saved.line == number
                kinds.update(error.kind for error in saved.errors)
            else:
                found["good"] += 1
                if saved.is_complete and saved.game and not saved.errors:
                    made = digest(saved.game, list_orders(saved.game))
                    found["equal"] += made.hexdigest() == wanted
            spent += process_time() - start
        cpu = process_time() - begin - spent
    memory = find_peak()
    begin = process_time()
    with (folder / "games.jsonl").open("rb") as file, (folder / "expected.txt").open() as expected:
        for line, wanted in zip(islice(file, games), expected, strict=False):
            if wanted.strip() != "damaged":
                json.loads(line)
    return {**found, "kinds": kinds, "cpu": cpu, "json": process_time() - begin, "memory": memory}


def find_peak() -> float:
    """Return the most memory that this process has had, in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    return 0.0


if __name__ == "__main__":
    main()
