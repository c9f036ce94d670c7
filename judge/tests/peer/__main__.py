"""Compares the package `diplomacy` with our edition of its rules: `python -m judge.tests.peer`.

It draws positions with dense convoys, the retreats that follow, winters, and whole games, and
compares the units, retreats and saved games. The package is installed into `build/peers`, away
from everything else, and answers from a process of its own; none of its code is in this
repository. A difference counts as explained if a habit in `package_reading` leads to it.
"""

import argparse
import io
import json
import random
import subprocess
import sys
import time
import venv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.tests.oracle_run import scene, written
from judge.tests.peer.package_reading import TIES, VIA, Outcome, explain, explain_winter
from judge.tests.scenes import random_orders, random_position

from diplomaccloud.judge import (
    EDITIONS,
    Game,
    legal_orders,
    parse_position,
    read_games,
    standard_board,
    write_game,
)
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import province_of
from diplomaccloud.judge.orders import Convoy, Disband, Order, Retreat, SupportMove, Waive, power_of
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.turn import Turn

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = ROOT / "build" / "peers"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
BOARD = standard_board()
RULES = EDITIONS["diplomacy package"]
NOT_TRIED = 77
"""The exit status if the package cannot be installed, as for a server that is missing."""
LAST_YEAR = 1904
State = dict[str, Any]


class Package:
    """The package, in a process of its own."""

    def __init__(self, python: Path) -> None:
        """Start it; raises `OSError` if that fails."""
        program = Path(__file__).with_name("package_process.py")
        self._process = subprocess.Popen(
            [str(python), str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request: object) -> dict[str, Any]:
        """Return its answer; `package_process` says what may be asked."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def install_package() -> Path:
    """Return the Python that has the package, after installing it; raises `OSError` if it cannot.

    The error has the last line that pip wrote.
    """
    python = ENVIRONMENT / "bin" / "python"
    stamp = ENVIRONMENT / "installed.txt"
    if not (stamp.exists() and stamp.read_text() == REQUIREMENTS.read_text()):
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "-r", str(REQUIREMENTS)]
        pip = [str(python), "-m", "pip", "install", *options]
        done = subprocess.run(pip, check=False, capture_output=True, text=True)
        if done.returncode:
            raise OSError((done.stderr.strip() or "pip failed").splitlines()[-1])
        stamp.write_text(REQUIREMENTS.read_text())
    return python


@dataclass
class Comparison:
    """What was compared, and how it went."""

    package: Package
    rng: random.Random
    compared: Counter[str] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    unexplained: int = 0

    def report(self, title: str, *lines: str) -> None:
        """Count and print a difference that nothing explains."""
        self.unexplained += 1
        say(f"--- {title}", *lines)

    def note(self, habits: Iterable[str]) -> None:
        """Count an explained difference."""
        self.explained[" + ".join(habits)] += 1

    # Positions.

    def compare_movement(self) -> None:
        """Compare a movement phase, and the retreats after it."""
        _, orders = scene(self.rng, [BOARD])
        phase = Phase.parse(self.rng.choice(["S1903M", "F1903M"]))
        centers = {code: self.rng.choice(BOARD.powers).power for code in sorted(BOARD.centers)}
        position = Position(phase, tuple(order.unit for order in orders), centers)
        answer = self.package.ask(state=write_state(position), orders=list_texts(orders))
        self.compared["movement phases"] += 1
        judged = adjudicate(BOARD, position, orders, RULES)
        ours = (
            frozenset(map(str, judged.next.units)),
            {str(e.unit): frozenset(map(str, e.retreats)) for e in judged.dislodged if e.retreats},
        )
        theirs = read_outcome(answer["state"])
        if ours != theirs or answer["refused"]:
            habits = explain(BOARD, orders, answer["words"], theirs)
            if habits is None or answer["refused"]:
                self.report(
                    f"movement: ours {list_unlike(ours, theirs)}, theirs "
                    f"{list_unlike(theirs, ours)} {answer['refused']}",
                    written(orders),
                    str(answer["words"]),
                )
                return
            self.note(habits)
        if theirs[1]:
            self.compare_retreats(answer["state"])

    def compare_retreats(self, state: State) -> None:
        """Compare the retreat phase that the package has reached."""
        position = read_position(state)
        orders: list[Order] = []
        for entry in position.dislodged:
            if entry.retreats and self.rng.random() < 0.85:
                orders.append(Retreat(entry.unit, self.rng.choice(entry.retreats)))
            elif self.rng.random() < 0.7:
                orders.append(Disband(entry.unit))
        self.compare_phase("retreat phases", position, state, orders)

    def compare_winter(self) -> None:
        """Compare a winter with random units and centers."""
        size, powers = self.rng.randint(8, 30), self.rng.choice([3, 7])
        drawn = random_position(BOARD, self.rng, size, powers)
        position = Position(Phase.parse("W1903A"), drawn.units, drawn.centers)
        orders = draw_adjustments(position, self.rng)
        self.compare_phase("winters", position, write_state(position), orders)

    def compare_phase(
        self, name: str, position: Position, state: State, orders: list[Order]
    ) -> None:
        """Compare the position after a phase without moves."""
        self.compared[name] += 1
        answer = self.package.ask(state=state, orders=list_texts(orders))
        theirs, ours = answer["state"], adjudicate(BOARD, position, orders, RULES).next
        if answer["refused"]:
            self.report(f"{name}: refused {answer['refused']}", position.to_text(), str(orders))
        elif unlike := list_unlike_parts(ours, theirs):
            is_winter = position.phase.stage is Stage.ADJUSTMENTS
            if is_winter and explain_winter(BOARD, position, orders, read_units(theirs)):
                self.note([TIES])
                return
            texts = ", ".join(map(str, orders))
            self.report(f"{name}: {unlike}", position.to_text(), texts, str(theirs["units"]))

    # Games.

    def compare_game(self, number: int) -> None:
        """Compare a game of random orders, and then how each side reads the other's saved game."""
        game = Game(rules=RULES)
        state = self.package.ask(new=True)["phases"][-1]["state"]
        while game.ending is None and game.position.phase.year <= LAST_YEAR:
            orders = draw_orders(game.position, self.rng)
            answer = self.package.ask(orders=list_texts(orders))
            habits: tuple[str, ...] | None = ()
            before = game.position
            for order in orders:
                game.order(power_of(order), order)
            game.adjudicate()
            self.compared["phases of games"] += 1
            state = answer["state"]
            if state["name"][-1] == "R" and game.position.phase.stage is not Stage.RETREATS:
                state = self.package.ask(orders={})["state"]  # all of them disband
            if before.phase.stage is Stage.MOVEMENT:
                habits = self.explain_turn(before, orders, answer, game)
            elif list_unlike_parts(game.position, state):
                habits = None
                if before.phase.stage is Stage.ADJUSTMENTS:
                    known = explain_winter(BOARD, before, orders, read_units(state))
                    habits = (TIES,) if known else None
            if habits is None or answer["refused"]:
                self.report(
                    f"game {number}, {before.phase}: {list_unlike_parts(game.position, state)} "
                    f"{answer['refused']}",
                    before.to_text(),
                    str(list_texts(orders)),
                )
                return
            if habits:
                self.note(habits)
            if list_unlike_parts(game.position, state):
                return  # it goes on in another way, for a known reason
        self.compare_saved(number, game, state)

    def explain_turn(
        self, before: Position, orders: list[Order], answer: dict[str, Any], game: Game
    ) -> tuple[str, ...] | None:
        """Return the habits behind a movement phase of a game, `None` if none explain it."""
        judged = game.turns[-1].resolution
        ours = (
            frozenset(map(str, judged.next.units)),
            {str(e.unit): frozenset(map(str, e.retreats)) for e in judged.dislodged if e.retreats},
        )
        theirs = read_outcome(answer["state"])
        if ours == theirs:
            return ()
        return explain(BOARD, orders, answer["words"], theirs)  # type: ignore[arg-type]

    def compare_saved(self, number: int, game: Game, state: State) -> None:
        """Compare what each side reads in the other's saved game."""
        self.compared["saved games"] += 2
        (saved,) = read_games(io.BytesIO(json.dumps(self.package.ask()).encode()))
        if saved.errors or saved.game is None:
            self.report(f"game {number}: we cannot read their saved game: {saved.errors}")
        elif unlike := list_unlike_parts(saved.game.position, state):
            self.report(f"game {number}: we read another position: {unlike}")
        try:
            line = write_game(game, "diplomacy", "ours")
        except ValueError as error:
            if any(str(turn.phase) in str(error) and has_own_support(turn) for turn in game.turns):
                self.note([VIA])
            else:
                self.report(f"game {number}: our writer refuses it: {error}")
            return
        answer = self.package.ask(saved=json.loads(line))
        if not answer["valid"]:
            self.report(f"game {number}: their validator refuses our saved game")
        elif unlike := list_unlike_parts(game.position, answer["state"]):
            self.report(f"game {number}: they read another position: {unlike}")


def has_own_support(turn: Turn) -> bool:
    """Return whether a support is for a convoyed move against a unit of its own power."""
    convoyed = {order.target for order in turn.orders if isinstance(order, Convoy)}
    for order in turn.orders:
        if isinstance(order, SupportMove) and order.target in convoyed:
            victim = turn.position.unit_in(province_of(order.to))
            if victim is not None and victim.power == order.unit.power:
                return True
    return False


def say(*lines: str) -> None:
    """Print lines at once."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


# Between the two forms.


def write_state(position: Position) -> State:
    """Return a position without dislodged units in the package's form."""
    powers = [info.power for info in BOARD.powers]
    return {
        "name": str(position.phase),
        "map": "standard",
        "units": {power: [str(unit) for unit in position.units_of(power)] for power in powers},
        "centers": {power: sorted(position.centers_of(power)) for power in powers},
    }


def list_texts(orders: Iterable[Order]) -> dict[str, list[str]]:
    """Return the orders as texts of the package, by power; an empty list for those without any."""
    texts: dict[str, list[str]] = {info.power: [] for info in BOARD.powers}
    for order in orders:
        texts[power_of(order)].append("WAIVE" if isinstance(order, Waive) else str(order))
    return texts


def read_units(state: State) -> frozenset[str]:
    """Return the units that stand in provinces, without their powers."""
    return frozenset(unit for units in state["units"].values() for unit in units if unit[0] != "*")


def read_outcome(state: State) -> Outcome:
    """Return the units and retreats of a state."""
    lists = state["retreats"].values()
    return read_units(state), {u: frozenset(p) for each in lists for u, p in each.items()}


def read_position(state: State) -> Position:
    """Return a retreat phase as a position, without the retreats to occupied provinces."""
    taken = {unit.split()[1][:3] for unit in read_units(state)}
    parts = [state["name"]]
    for power, units in state["units"].items():
        if standing := [unit for unit in units if unit[0] != "*"]:
            parts.append(f"{power}: {', '.join(standing)}")
        if centers := state["centers"][power]:
            parts.append(f"centers {power}: {' '.join(centers)}")
        for unit, places in state["retreats"][power].items():
            free = " ".join(place for place in places if place[:3] not in taken)
            parts.append(f"dislodged {power}: {unit} ({free})")
    return parse_position("; ".join(parts))


def list_unlike(these: Outcome, others: Outcome) -> list[str]:
    """Return what is only in the first of two outcomes."""
    retreats = [
        f"{u} ({' '.join(sorted(p))})" for u, p in these[1].items() if others[1].get(u) != p
    ]
    return sorted(these[0] - others[0]) + retreats


def list_unlike_parts(ours: Position, theirs: State) -> list[str]:
    """Return how a position differs from a state in its phase, units and centers."""
    mine = write_state(ours)
    unlike = []
    if theirs["name"] != "COMPLETED" and mine["name"] != theirs["name"]:
        unlike.append(f"phase {mine['name']}, not {theirs['name']}")
    for info in BOARD.powers:
        standing = {unit for unit in theirs["units"][info.power] if unit[0] != "*"}
        for name, one, other in (
            ("units", set(mine["units"][info.power]), standing),
            ("centers", set(mine["centers"][info.power]), set(theirs["centers"][info.power])),
        ):
            if one != other:
                unlike.append(
                    f"{info.power} {name} {sorted(one - other)}, not {sorted(other - one)}"
                )
    return unlike


# Orders.


def draw_adjustments(position: Position, rng: random.Random) -> list[Order]:
    """Return some of the builds or disbands that each power may order, or too few, or none."""
    orders: list[Order] = []
    for info in BOARD.powers:
        owed = adjustments_owed(BOARD, position, info.power)
        legal = list(legal_orders(BOARD, position, info.power, RULES))
        rng.shuffle(legal)
        chosen: dict[str, Order] = {}
        for order in legal:
            if not isinstance(order, Waive):
                chosen.setdefault(order.unit.province, order)
        count = abs(owed) if rng.random() < 0.6 else rng.randint(0, abs(owed))
        orders += list(chosen.values())[:count]
    return orders


def draw_orders(position: Position, rng: random.Random) -> list[Order]:
    """Return random orders for a phase of a game."""
    if position.phase.stage is Stage.MOVEMENT:
        return list(random_orders(BOARD, position, rng))
    if position.phase.stage is Stage.ADJUSTMENTS:
        return draw_adjustments(position, rng)
    return [
        Retreat(entry.unit, rng.choice(entry.retreats))
        if entry.retreats and rng.random() < 0.9
        else Disband(entry.unit)
        for entry in position.dislodged
    ]


def compare(comparison: Comparison, positions: int, seconds: float) -> None:
    """Compare positions, and a game for every hundred of them, until the time is up."""
    end = time.monotonic() + seconds
    for number in range(1, positions + 1):
        if time.monotonic() > end:
            return
        if number % 10 == 0:
            comparison.compare_winter()
        else:
            comparison.compare_movement()
        if number % 100 == 0:
            comparison.compare_game(number // 100)


def main() -> int:
    """Compare and report; return 1 if a difference is not explained."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        package = Package(install_package())
    except (OSError, subprocess.CalledProcessError) as problem:
        say(f"peers: not tried, because the package `diplomacy` cannot be installed: {problem}")
        return NOT_TRIED
    comparison = Comparison(package, random.Random(asked.seed))
    compare(comparison, asked.positions, asked.seconds)
    package.close()
    for name, count in sorted(comparison.compared.items()):
        say(f"{count} {name}")
    for name, count in sorted(comparison.explained.items()):
        say(f"{count} explained by: {name}")
    say(f"{comparison.unexplained} unexplained differences")
    return 1 if comparison.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
