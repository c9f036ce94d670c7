"""Compares our outcomes with the word that DATC 3.2 gives for every order of chapter 6."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge.tests.cases import HERE, Case, case_lines, case_position, read_orders

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Outcome, Resolution
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()
EDITION = "2023"
"""The edition with the choices that DATC prefers."""

OUTCOMES: Mapping[str, frozenset[Outcome]] = {
    "succeeds": frozenset({Outcome.MOVED, Outcome.RETREATED, Outcome.BUILT, Outcome.DISBANDED}),
    "fails": frozenset({Outcome.BOUNCED, Outcome.NOPATH, Outcome.DISBANDED}),
    "stands": frozenset({Outcome.HOLD}),
    "given": frozenset({Outcome.GIVEN}),
    "cut": frozenset({Outcome.CUT}),
    "available": frozenset({Outcome.CONVOYED}),
    "disrupted": frozenset({Outcome.DISRUPTED}),
    "illegal": frozenset({Outcome.VOID}),
    "invalid": frozenset({Outcome.VOID, Outcome.NOPATH}),
    "automatic": frozenset({Outcome.DISBANDED}),
}
"""What we call the outcome of an order with this word. A unit that held and was dislodged has only
a word for its fate."""

FATES = ("dislodged", "destroyed")

_REFUSED = "a refused order is void, whatever was attempted"
_UNUSED = "an army that goes by land uses no convoy"
_SLIP = "a slip: "
REASONS: Mapping[tuple[str, str], str] = {
    ("6.B.11", "F SPA/NC"): _REFUSED,
    ("6.B.14", "F STP"): _REFUSED,
    ("6.D.4", "A BER"): f"{_SLIP}the army in Prussia attacks Berlin and cuts its support",
    ("6.D.8", "A GRE"): f"{_SLIP}there is no province to retreat to",
    ("6.F.12", "F IRI"): "the order matches what the army does, though no route needs it",
    ("6.F.21", "F CLY"): f"{_SLIP}the army from Norway takes Clyde",
    ("6.F.28", "F BOT"): f"{_SLIP}there is no province to retreat to",
    ("6.F.28", "F NWG"): f"{_SLIP}there is no province to retreat to",
    ("6.G.2", "F SKA"): _UNUSED,
    ("6.G.3", "F ENG"): _UNUSED,
    ("6.G.4", "F ENG"): _UNUSED,
    ("6.G.7", "F SKA"): _UNUSED,
    ("6.G.19", "F LYO"): _UNUSED,
    ("6.H.15", "F POR"): f"{_SLIP}without a place to retreat to, there is nothing to order",
}
"""Why our word for the order of a unit is another one, by case."""


@dataclass(frozen=True)
class Difference:
    """An order that we call something else."""

    number: str
    unit: str
    words: str
    ours: str


Words = list[tuple[str, tuple[str, ...]]]
"""The words for the orders of one phase, by unit."""


def load_words() -> dict[str, list[Words]]:
    """Return the words for the phases of each case."""
    lines = (HERE / "datc" / "words.txt").read_text(encoding="utf-8").splitlines()
    split = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {
        number: [_read_words(phase) for phase in text.split(" / ")] for number, _, text in split
    }


def _read_words(text: str) -> Words:
    entries = (entry.split(maxsplit=2) for entry in text.split("; "))
    return [(f"{kind} {place}", tuple(words.split(", "))) for kind, place, words in entries]


def list_differences(number: str, case: Case) -> list[Difference]:
    """Return the orders of a case that we call something else, in its edition."""
    position = case_position(case, BOARD)
    phases: list[Case | None] = [case, case.following]
    found: list[Difference] = []
    for words, phase in zip(load_words()[number], phases, strict=False):
        if phase is None:
            found += [Difference(number, unit, _join(said), "no phase") for unit, said in words]
            break
        ours, position = _judge_phase(phase, position)
        for unit, said in words:
            left = ours.get(unit, [])
            match = next((word for word in left if _is_same(said, word)), None)
            if match is not None:
                left.remove(match)
            elif not any(d.unit == unit for d in found):
                found.append(Difference(number, unit, _join(said), _join(left[0]) if left else ""))
    return found


def _judge_phase(phase: Case, position: Position) -> tuple[dict[str, list[list[str]]], Position]:
    """Return our words for the orders of each unit, and the next position."""
    written = read_orders(phase, BOARD, position, EDITIONS[EDITION])
    resolution = adjudicate(BOARD, position, written.orders, EDITIONS[EDITION])
    ours: dict[str, list[list[str]]] = {}
    for _, text in case_lines(phase):
        if text in written.refused and (match := re.match(r"[AF] [A-Z]{3}(/[NSEW]C)?", text)):
            ours.setdefault(match.group(), []).append([Outcome.VOID.value])
    refused = set(ours)
    for result in resolution.results:
        if not isinstance(result.order, Waive):
            unit = str(result.order.unit)
            if not (result.implicit and unit in refused):
                word = result.outcome
                if result.why.startswith("Convoy disrupted"):
                    word = Outcome.DISRUPTED
                fates = _fates(unit, resolution)
                told = [fate for fate in FATES if fate in result.why.lower()]
                assert fates in (told[-1:], []), result
                assert fates or "destroyed" not in told, result
                ours.setdefault(unit, []).append([word.value, *fates])
    return ours, resolution.next


def _fates(unit: str, resolution: Resolution) -> list[str]:
    """Return the fate of a unit; its reason must say the same."""
    if unit not in {str(entry.unit) for entry in resolution.dislodged}:
        return []
    return [FATES[unit in map(str, resolution.destroyed)]]


def _is_same(said: tuple[str, ...], ours: list[str]) -> bool:
    fates = [word for word in said if word in FATES]
    word = next((word for word in said if word not in FATES), "stands")
    return Outcome(ours[0]) in OUTCOMES[word] and ours[1:] == fates


def _join(words: tuple[str, ...] | list[str]) -> str:
    return ", ".join(words)
