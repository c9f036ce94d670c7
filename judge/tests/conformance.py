"""Writes the table of DATC cases by our editions and by other adjudicators: docs/conformance.md.

Our columns are judged when the table is written. Those of other adjudicators come from
`peers.toml`: what their own test suites expect, for the cases that have the units of ours.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import chain
from typing import Any

from judge.tests.cases import HERE, Case, case_position, load_cases, read_orders
from judge.tests.datc_words import EDITION, REASONS, list_differences, load_words
from judge.tests.peer.package_reading import HABITS

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.orders import Move, Waive
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board

DOCUMENT = HERE.parents[1] / "docs" / "conformance.md"
PEERS_FILE = HERE / "peers.toml"
BOARD = standard_board()
EDITIONS_SHOWN = ("2000", "2023", "1982", "1971", "1961", "CD-ROM")
SECTIONS = "abcdefghij"
FACTS = ("moves", "stays", "dislodged", "via")
SAME, DIFFERENT, UNKNOWN, NOT_APPLICABLE = "=", "≠", "?", "–"


@dataclass(frozen=True)
class Judged:
    """The outcome of a case: all results, to compare them, and the units moved and dislodged."""

    results: Mapping[str, object]
    moved: frozenset[str]
    dislodged: frozenset[str]


@dataclass(frozen=True)
class Expected:
    """What a peer's test suite expects of a case; units that it does not mention are unknown.

    `via` are the armies that it orders to go by convoy where our case does not say so.
    """

    moves: frozenset[str]
    stays: frozenset[str]
    dislodged: frozenset[str]
    via: frozenset[str]

    def list_differences(self, judged: Judged) -> list[str]:
        """Return how the expectation differs from what was judged, as short sentences."""
        return [
            *(f"{unit} moves" for unit in sorted(self.moves - judged.moved)),
            *(f"{unit} does not move" for unit in sorted(self.stays & judged.moved)),
            *(f"{unit} is dislodged" for unit in sorted(self.dislodged - judged.dislodged)),
        ]


@dataclass(frozen=True)
class Peer:
    """Another adjudicator, our edition that makes its choices, and where its column comes from."""

    name: str
    edition: str
    project: str
    files: tuple[str, ...]
    commit: str
    date: date
    datc: str
    not_applicable: frozenset[str]
    cases: Mapping[str, Expected]


def load_peers() -> list[Peer]:
    """Return the peers of the committed file, in its order."""
    rows = tomllib.loads(PEERS_FILE.read_text(encoding="utf-8"))["peer"]
    return [_read_peer(row) for row in rows]


def _read_peer(row: Mapping[str, Any]) -> Peer:
    cases = {
        number: Expected(*(frozenset(facts.get(key, ())) for key in FACTS))
        for number, facts in row["cases"].items()
    }
    lists = {"files": tuple(row["files"]), "not_applicable": frozenset(row["not_applicable"])}
    return Peer(**{**row, **lists, "cases": cases})


@cache
def load_numbered_cases() -> dict[str, list[Case]]:
    """Return the cases of DATC chapter 6 by their number, with the readings of other editions."""
    numbered: dict[str, list[Case]] = {}
    for section in SECTIONS:
        for case in load_cases(HERE / "datc" / f"6.{section}.toml"):
            numbered.setdefault(case.id.partition(" ")[0], []).append(case)
    return numbered


def find_case(number: str, edition: str) -> Case:
    """Return the reading of a case for an edition; those that follow a peer read it as 2000."""
    readings = load_numbered_cases()[number]
    for name in (edition, "2000"):
        for case in readings:
            if name in case.rules:
                return case
    raise KeyError(number)


@cache
def judge_case(number: str, edition: str, via: frozenset[str] = frozenset()) -> Judged:
    """Return the outcome of a case in an edition, with the phase that follows if it has orders.

    The armies `via` go by convoy.
    """
    case = find_case(number, edition)
    rules = EDITIONS[edition]
    position = case_position(case, BOARD)
    results: dict[str, object] = {}
    moved: set[str] = set()
    dislodged: set[str] = set()
    for phase in (case, case.following):
        if phase is None:
            continue
        orders = [
            replace(order, via_convoy=True)
            if isinstance(order, Move) and str(order.unit) in via
            else order
            for order in read_orders(phase, BOARD, position, rules).orders
        ]
        resolution = adjudicate(BOARD, position, orders, rules)
        for result in resolution.results:
            results[f"{position.phase} {result.order}"] = result.outcome
            if phase is case and result.outcome is Outcome.MOVED:
                assert not isinstance(result.order, Waive)
                moved.add(str(result.order.unit))
        if phase is case:
            dislodged = {str(entry.unit) for entry in resolution.dislodged}
        results |= {f"out {entry.unit}": entry.retreats for entry in resolution.dislodged}
        position = resolution.next
        results[f"after {phase.id}"] = (position.units, tuple(sorted(position.centers.items())))
    return Judged(results, frozenset(moved), frozenset(dislodged))


def mark_edition(number: str, edition: str) -> str:
    """Return whether an edition judges a case as 2000 does."""
    same = judge_case(number, edition).results == judge_case(number, "2000").results
    return SAME if same else DIFFERENT


def mark_peer(number: str, peer: Peer) -> str:
    """Return whether a peer expects of a case what our edition 2000 judges."""
    if number in peer.not_applicable:
        return NOT_APPLICABLE
    if number not in peer.cases:
        return UNKNOWN
    return DIFFERENT if list_peer_differences(number, peer, "2000") else SAME


def list_peer_differences(number: str, peer: Peer, edition: str) -> list[str]:
    """Return how the expectation of a peer differs from an edition of ours."""
    expected = peer.cases.get(number)
    if expected is None:
        return []
    return expected.list_differences(judge_case(number, edition, expected.via))


def write_document() -> str:
    """Return the text of the document."""
    peers = load_peers()
    tables = (
        _write_sources(peers),
        _write_tables(peers),
        _write_other_editions(),
        _write_differences(peers),
        _write_words(),
        _write_habits(),
    )
    return "\n".join([INTRODUCTION, *chain.from_iterable(tables)]) + "\n"


INTRODUCTION = """# Conformance

<!-- Written by `scripts/conformance`. Do not edit. -->

How our editions, and the test suites of other adjudicators, decide the cases of chapter 6 of the
Diplomacy Adjudicator Test Cases (DATC 3.2). [Rules](rules.md) explains the choices. In our edition
2023, every order also has the outcome that DATC says, with [these exceptions](#words).

| mark | in a column of ours | in a column of another adjudicator |
|---|---|---|
| `=` | every result is that of 2000 | its tests expect what 2000 does |
| `≠` | a result differs from 2000 | its tests expect [something else](#differences) |
| `?` | | unknown: no test of the case, or with other units |
| `–` | | its authors say that the case does not apply |

The columns of other adjudicators compare which units move and which are dislodged, as far as their
tests say it, in the movement phases of sections 6.A to 6.G. They show what the tests expect, not
what the programs do. All names of units are ours.

## Sources

| adjudicator | project | file | version | DATC | cases compared |
|---|---|---|---|---|---|"""


def _write_sources(peers: list[Peer]) -> Iterator[str]:
    for peer in peers:
        files = ", ".join(f"`{name}`" for name in peer.files)
        version = f"{peer.commit} of {peer.date}"
        cells = (peer.name, peer.project, files, version, peer.datc, str(len(peer.cases)))
        yield f"| {' | '.join(cells)} |"


def _write_tables(peers: list[Peer]) -> Iterator[str]:
    columns = [*EDITIONS_SHOWN, *(peer.name for peer in peers)]
    numbers = load_numbered_cases()
    for section in SECTIONS.upper():
        yield f"\n## 6.{section}\n"
        yield f"| case | {' | '.join(columns)} |"
        yield "|---|" + ":-:|" * len(columns)
        for number, readings in numbers.items():
            if number.startswith(f"6.{section}."):
                marks = [mark_edition(number, edition) for edition in EDITIONS_SHOWN]
                marks += [mark_peer(number, peer) for peer in peers]
                yield f"| {number} {readings[0].title} | {' | '.join(marks)} |"


def _write_other_editions() -> Iterator[str]:
    yield "\n## Our other editions\n"
    yield "The cases that they judge unlike 2000.\n"
    yield "| edition | cases |"
    yield "|---|---|"
    for edition in EDITIONS:
        if edition not in EDITIONS_SHOWN:
            numbers = [n for n in load_numbered_cases() if mark_edition(n, edition) == DIFFERENT]
            yield f"| {edition} | {', '.join(numbers) or 'none'} |"


def _write_differences(peers: list[Peer]) -> Iterator[str]:
    yield "\n## Differences\n"
    yield "Where the tests of another adjudicator expect something else than our edition 2000.\n"
    yield "| case | adjudicator | expects | our edition that follows it |"
    yield "|---|---|---|---|"
    for number in load_numbered_cases():
        for peer in peers:
            if differences := list_peer_differences(number, peer, "2000"):
                cells = (number, peer.name, ", ".join(differences), _follow(number, peer))
                yield f"| {' | '.join(cells)} |"


def _write_words() -> Iterator[str]:
    yield "\n## Words\n"
    yield "The orders for which our edition 2023 has another word than DATC 3.2.\n"
    yield "| case | unit | DATC | ours | why |"
    yield "|---|---|---|---|---|"
    for number in load_words():
        for each in list_differences(number, find_case(number, EDITION)):
            cells = (number, each.unit, each.words, each.ours, REASONS[number, each.unit])
            yield f"| {' | '.join(cells)} |"


def _write_habits() -> Iterator[str]:
    yield "\n## The package `diplomacy`\n"
    yield COMPARED
    yield from (f"* **{name}**: {habit}" for name, habit in HABITS.items())


COMPARED = """`scripts/long-trials peers` runs the package itself: version 1.1.2 from PyPI, in a
process of its own. It compares units, centers and retreats with our edition on random positions
and in games of random orders, and lets each side read the games that the other saved. `.ci/run`
does so for a minute.

Measured in November 2026 with `--seed 1795955069`, in 15 minutes on a busy machine: 18,000 movement
phases, a quarter of them built around armies whose convoys are attacked, with the 5,964 retreat
phases that followed, 2,000 winters, 200 games with 2,648 phases, and 398 saved games. There are 600
differences, all of them explained: 310 by *convoys*, 251 by *retreats*, 16 by *via* and *retreats*
together, 13 by *walks*, 7 by *heads*, and one each by *via*, *coasts* and *ties*.

What our edition does not follow, by the name that the trial prints. A difference counts as
explained only if these habits, put into the tests' separate reading of the rules, lead to exactly
the package's units and retreats:
"""


def _follow(number: str, peer: Peer) -> str:
    """Return whether our edition for a peer judges a case as the peer expects."""
    return "differs" if list_peer_differences(number, peer, peer.edition) else "agrees"


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(write_document(), encoding="utf-8")


if __name__ == "__main__":
    main()
