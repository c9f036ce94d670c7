"""The judge against the answers of a resolver that was written separately and is gone.

That general resolver evaluated the equations of DATC 5.B with ranges of strengths until nothing was
open, and decided cycles by trying all solutions. Before it was removed, it judged 5,000 positions
with convoys, paradoxes and armies that may go by land or sea, under 16 rule sets.

The first line of `movement_answers.txt.xz` has the rule sets. Every other line has, between tabs:
the board, the owner of each unit (A is the first power), the orders sorted by unit, a digit for
each rule set that is the number of its answer, and the different answers. An answer has a letter
for the outcome of each order, the dislodged units with the origins of their attackers and their
retreats, and the provinces that standoffs left empty.
"""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from judge.tests.scenes import generated_boards

from diplomaccloud.judge import (
    EDITIONS,
    Board,
    Location,
    Outcome,
    Phase,
    Position,
    ProvinceCode,
    RuleSet,
    Unit,
    UnitKind,
    adjudicate,
    standard_board,
)
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)

PATH = Path(__file__).with_name("movement_answers.txt.xz")
BOARDS = {
    "europe": standard_board(),
    **{f"oracle-{number}": board for number, board in enumerate(generated_boards(), 1)},
}
LETTERS = {
    Outcome.MOVED: "m",
    Outcome.BOUNCED: "b",
    Outcome.HOLD: "h",
    Outcome.GIVEN: "g",
    Outcome.CUT: "c",
    Outcome.VOID: "v",
    Outcome.CONVOYED: "y",
    Outcome.DISRUPTED: "d",
    Outcome.NOPATH: "n",
}


@dataclass(frozen=True)
class Answered:
    """A position with its orders, and the answer for each rule set."""

    board: Board
    owners: str
    text: str
    answers: tuple[str, ...]

    def read_orders(self) -> list[MovementOrder]:
        """Return the orders, without the judge's notation."""
        texts = self.text.split(",")
        units: dict[str, Unit] = {}
        for text, owner in zip(texts, self.owners, strict=True):
            kind, place = text.split()[:2]
            power = self.board.powers[ord(owner) - ord("A")].power
            units[f"{kind} {place}"] = Unit(UnitKind(kind), Location(place), power)
        return [_read_order(text, units) for text in texts]


def _read_order(text: str, units: dict[str, Unit]) -> MovementOrder:
    """Return the order in canonical text, e.g. `A PAR S A MAR - BUR`."""
    first, *parts = text.removesuffix(" VIA").split(" - ")
    words = first.split()
    unit = units[" ".join(words[:2])]
    match words[2:]:
        case ["H"]:
            return Hold(unit)
        case ["S", *target] if parts:
            return SupportMove(unit, units[" ".join(target)], Location(parts[0]))
        case ["S", *target]:
            return SupportHold(unit, units[" ".join(target)])
        case ["C", *target]:
            return Convoy(unit, units[" ".join(target)], ProvinceCode(parts[0]))
    seas = tuple(ProvinceCode(sea) for sea in parts[:-1])
    return Move(unit, Location(parts[-1]), text.endswith(" VIA"), seas)


@cache
def load_answers() -> tuple[dict[str, RuleSet], list[str]]:
    """Return the rule sets by name, and the lines of the positions."""
    rules, *lines = lzma.decompress(PATH.read_bytes()).decode().splitlines()
    named = {
        name: EDITIONS[value] if isinstance(value, str) else RuleSet(**value)
        for name, value in json.loads(rules).items()
    }
    return named, lines


def read_positions(first: int, step: int) -> Iterator[Answered]:
    """Yield every `step`th position."""
    for line in load_answers()[1][first::step]:
        board, owners, text, picks, *answers = line.split("\t")
        chosen = tuple(answers[int(digit, 16)] for digit in picks)
        yield Answered(BOARDS[board], owners, text, chosen)


def write_answer(board: Board, orders: list[MovementOrder], rules: RuleSet) -> str:
    """Return what the judge decides, in the form of the file."""
    start = Position(Phase.parse("S1901M"), tuple(order.unit for order in orders), {})
    judged = adjudicate(board, start, orders, rules)
    return "|".join(
        (
            "".join(LETTERS[outcome] for outcome in judged.outcomes),
            ",".join(
                f"{entry.unit.province}<{entry.by}:{' '.join(entry.retreats)}"
                for entry in judged.dislodged
            ),
            " ".join(judged.standoffs),
        )
    )


def _compare(first: int, step: int) -> None:
    rules = load_answers()[0]
    for answered in read_positions(first, step):
        orders = answered.read_orders()
        for (name, value), answer in zip(rules.items(), answered.answers, strict=True):
            judged = write_answer(answered.board, orders, value)
            assert judged == answer, f"{name}: {answered.text}"


def test_there_are_5000_positions_and_16_rule_sets() -> None:
    rules, lines = load_answers()
    assert (len(lines), len(rules)) == (5000, 16)


def test_the_judge_gives_the_same_answers_as_the_general_resolver() -> None:
    _compare(0, 20)


@pytest.mark.long
@pytest.mark.parametrize("first", range(4))
def test_the_judge_gives_all_the_same_answers_as_the_general_resolver(first: int) -> None:
    _compare(first, 4)
