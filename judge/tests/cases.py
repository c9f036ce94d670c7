"""Test cases as data: TOML files of positions, orders and the results that must follow.

A case stands for one phase. Its orders are written as a player would write them, one on a
line after the power's name and a colon. The keys are described in `Case`; a file of cases
has `section`, `title` and a list of `[[case]]`, a game has a list of `[[phase]]` that follow
each other.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode
from diplomaccloud.judge.notation import NotationError, parse_order, parse_unit
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.results import Outcome, Resolution
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, PEERS, RuleSet
from diplomaccloud.judge.units import Unit

HERE = Path(__file__).parent
ALL_EDITIONS = tuple(name for name in EDITIONS if name not in {"2009", *PEERS})
"""Every rulebook that judges alike each time; 2009 draws lots where 2000 does not."""
_ORDERED = re.compile(r"[AF] [A-Z]{3}(/[NSEW]C)?\b")


@dataclass(frozen=True)
class Case:
    """One phase and its expected results.

    `units` are those on the board, by power; without them every ordered unit exists as its
    order writes it (`F SPA/NC`). `results` gives outcomes by unit (or `WAIVE`) for those the
    case is about. `dislodged` is the exact set of dislodged units, each with exactly its
    retreats or `true`; `void` lists the order lines that the notation refuses or the judge
    calls void, all of them but those for which `results` says so. `next_units` and
    `next_centers` are exact for the powers they name; `next_phase` is the phase that follows,
    `winners` those who have won. `then` are the orders of the phase that follows; the keys
    that begin with it are about its results.
    """

    id: str
    title: str
    orders: str = ""
    phase: str = "S1901M"
    rules: tuple[str, ...] = ALL_EDITIONS
    units: Mapping[str, list[str]] | None = None
    centers: Mapping[str, list[str]] | None = None
    dislodged_units: tuple[Mapping[str, Any], ...] = ()
    results: Mapping[str, str] = field(default_factory=dict)
    dislodged: Mapping[str, Any] = field(default_factory=dict)
    void: tuple[str, ...] = ()
    next_units: Mapping[str, list[str]] = field(default_factory=dict)
    next_centers: Mapping[str, list[str]] = field(default_factory=dict)
    next_phase: str | None = None
    winners: tuple[str, ...] | None = None
    then: str = ""
    then_results: Mapping[str, str] = field(default_factory=dict)
    then_void: tuple[str, ...] = ()
    then_next_units: Mapping[str, list[str]] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        for word in (*self.results.values(), *self.then_results.values()):
            Outcome(word)

    @property
    def following(self) -> "Case | None":
        """The case of the phase that follows, if it has orders."""
        if not self.then:
            return None
        return Case(
            id=f"{self.id}, then",
            title=self.title,
            orders=self.then,
            results=self.then_results,
            void=self.then_void,
            next_units=self.then_next_units,
        )


@dataclass(frozen=True)
class Written:
    """The orders of a case as read: those understood, and the lines refused with the reason."""

    orders: tuple[Order, ...]
    lines: tuple[str, ...]
    refused: Mapping[str, str]


def load_cases(path: Path) -> list[Case]:
    """Return the cases of a file, or the phases of a game."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = data.get("case", [])
    for number, row in enumerate(data.get("phase", []), start=1):
        rows.append({"id": f"{number}", "title": row["phase"]} | row)
    return [_case(row, path) for row in rows]


@dataclass(frozen=True)
class Reach:
    """A diagram of one unit and every province that it could move to."""

    title: str
    unit: str
    reaches: tuple[str, ...]


def load_reaches(folder: Path) -> list[Reach]:
    """Return the `[[reach]]` rows of the files in `folder`."""
    files = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.toml")))
    rows = [row for text in files for row in tomllib.loads(text).get("reach", [])]
    return [Reach(f"{r['id']} {r['title']}", r["unit"], tuple(r["reaches"])) for r in rows]


def _case(row: Mapping[str, Any], path: Path) -> Case:
    if unknown := set(row) - {one.name for one in fields(Case)}:
        raise ValueError(f"{path.name}, {row.get('id')}: unknown keys {sorted(unknown)}")
    lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
    return Case(**{**row, **lists})


def case_lines(case: Case) -> list[tuple[Power, str]]:
    """Return the order lines of `case` with the power that gives each."""
    lines = [line.strip() for line in case.orders.splitlines() if line.strip()]
    parted = (line.partition(":") for line in lines if not line.startswith("#"))
    return [(Power(power.strip().upper()), text.strip()) for power, _, text in parted]


def case_position(case: Case, board: Board) -> Position:
    """Return the position in which the orders of `case` are given."""
    units = _ordered_units(case, board) if case.units is None else _units(case.units, board)
    dislodged = tuple(_dislodged(row, board) for row in case.dislodged_units)
    return Position(Phase.parse(case.phase), units, _centers(case, board), dislodged)


def _units(by_power: Mapping[str, list[str]], board: Board) -> tuple[Unit, ...]:
    return tuple(
        parse_unit(text, board, Power(power)) for power, texts in by_power.items() for text in texts
    )


def _ordered_units(case: Case, board: Board) -> tuple[Unit, ...]:
    if Phase.parse(case.phase).stage is not Stage.MOVEMENT:
        return ()
    found: dict[Unit, None] = {}
    for power, text in case_lines(case):
        if written := _ORDERED.match(text):
            found[parse_unit(written.group(), board, power)] = None
    return tuple(found)


def _dislodged(row: Mapping[str, Any], board: Board) -> Dislodged:
    unit = parse_unit(row["unit"], board, Power(row["power"]))
    retreats = tuple(sorted(Location(place) for place in row.get("retreats", [])))
    return Dislodged(unit, ProvinceCode(row["by"]), retreats)


def _centers(case: Case, board: Board) -> Mapping[ProvinceCode, Power]:
    if case.centers is None:
        return starting_position(board).centers
    owned = case.centers.items()
    return {ProvinceCode(code): Power(power) for power, codes in owned for code in codes}


def read_orders(case: Case, board: Board, position: Position, rules: RuleSet = DEFAULT) -> Written:
    """Return what the notation makes of the orders of `case`."""
    orders: list[Order] = []
    lines: list[str] = []
    refused: dict[str, str] = {}
    for power, text in case_lines(case):
        try:
            orders.append(parse_order(text, board, position, power, rules=rules))
            lines.append(text)
        except NotationError as error:
            refused[text] = str(error)
    return Written(tuple(orders), tuple(lines), refused)


def found_results(case: Case, resolution: Resolution) -> dict[str, str]:
    """Return the outcome of every unit that `case` gives a result for."""
    found: dict[str, str] = {}
    for entry in resolution.results:
        unit = getattr(entry.order, "unit", None)
        key = str(unit or entry.order)
        if key in case.results and (key not in found or entry.outcome is not Outcome.VOID):
            found[key] = str(entry.outcome)
    return found


def found_dislodged(case: Case, resolution: Resolution) -> dict[str, Any]:
    """Return the dislodged units with their retreats, or `True` where `case` does not ask."""
    return {
        str(one.unit): True if case.dislodged.get(str(one.unit)) is True else list(one.retreats)
        for one in resolution.dislodged
    }


def wanted_dislodged(case: Case) -> dict[str, Any]:
    """Return the dislodged units of `case` with their retreats in sorted order."""
    return {
        unit: retreats if retreats is True else sorted(retreats)
        for unit, retreats in case.dislodged.items()
    }


def unit_texts(units: Iterable[Unit]) -> list[str]:
    """Return the texts of `units`, sorted."""
    return sorted(map(str, units))
