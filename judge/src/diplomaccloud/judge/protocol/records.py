"""Records of games: writes them, and adjudicates them again to find the first difference.

A record is a heading, then one line for each phase with its orders and results. See
`docs/protocol.md`, "Game records".
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import CodecError, Json, Node, board_to_json, rules_to_json
from diplomaccloud.judge.orders import Order, texts_by_power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.answers import answer, words_of
from diplomaccloud.judge.protocol.requests import (
    Boards,
    Request,
    only_standard,
    position_to_request,
    read_request,
)
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.version import __version__

RECORD = "diplomaccloud game"
VERSION = 1

Played = tuple[Position, tuple[Order, ...], Resolution]
"""A finished phase: the position, the orders, and the resolution."""


def require_record(node: Node) -> None:
    """Raise `CodecError` unless `node` claims to be the heading of such a record."""
    if node["record"].value != RECORD or node["v"].value != VERSION:
        raise CodecError(f"record: not a {RECORD!r} of version {VERSION}")


@lru_cache(maxsize=16)
def board_hash(board: Board) -> str:
    """Return the SHA-256 of the board's canonical JSON, in hexadecimal digits."""
    import hashlib  # noqa: PLC0415 loading it takes longer than all of this module

    text = json.dumps(board_to_json(board), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


Written = Mapping[Power, Mapping[str, str]]
"""The original texts of each power's orders, by canonical text."""


def dump_record(
    board: Board,
    rules: RuleSet,
    phases: Iterable[Played],
    *,
    name: str = "",
    seed: str = "",
    seeds: Mapping[str, str] | None = None,
    written: Mapping[str, Written] | None = None,
) -> Iterator[str]:
    """Yield the lines of a game's record, without line breaks.

    The heading names the standard board, and contains any other board in full. `seeds` has the
    seeds of phases that don't use the heading's seed, and `written` has the orders as players wrote
    them, both by the phase's short name.
    """
    standard = board == standard_board()
    heading: Json = {
        "record": RECORD,
        "v": VERSION,
        "engine": __version__,
        "id": name,
        "map": "standard" if standard else board_to_json(board),
        "map_hash": board_hash(board),
        "rules": {key: value for key, value in rules_to_json(rules).items() if key != "v"},
        "seed": seed,
    }
    yield _dump(heading)
    for position, orders, resolution in phases:
        when = str(position.phase)
        line: Json = {
            **position_to_request(position),
            "orders": texts_by_power(orders),
            "results": words_of(Request(board, rules, position), resolution)[0],
            "next": position_to_request(resolution.next),
        }
        if seeds and when in seeds:
            line["seed"] = seeds[when]
        if written and written.get(when):
            line["written"] = {power: dict(texts) for power, texts in written[when].items()}
        yield _dump(line)


def _dump(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))


# Replays.

COMPLETED = "COMPLETED"
"""The phase after the last in some records."""

PARTS = ("phase", "units", "dislodged", "centers")


class RecordError(ValueError):
    """An invalid record of a game; the message names the entry and the part at fault."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between a record and its adjudication, in one sentence."""

    entry: int
    game: str
    phase: str
    what: str

    def __str__(self) -> str:
        where = " ".join(part for part in (self.game, self.phase) if part)
        return f"{where} (entry {self.entry}): {self.what}"


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of a replay: the numbers of games and phases, and each game's first difference."""

    games: int
    phases: int
    differences: tuple[Difference, ...] = ()


def replay(entries: Iterable[object], boards: Boards = only_standard) -> Replayed:
    """Adjudicate every phase in `entries` again and compare it with the record.

    `entries` are JSON values: headings, phases, or whole records (a heading with `phases`). The
    comparison covers `results` and `next`, if a phase has them, and whether each phase starts where
    the one before it ended. After its first difference, the rest of a game is skipped. Raises
    `RecordError` for anything that is not a record.
    """
    player = _Player(boards)
    for number, entry in enumerate(entries, start=1):
        try:
            player.take(number, entry)
        except ValueError as error:
            raise RecordError(f"entry {number}: {error}") from error
    return Replayed(player.games, player.phases, tuple(player.differences))


class _Player:
    """Replays entries one at a time, keeping the heading and the position after the last phase."""

    def __init__(self, boards: Boards) -> None:
        self.games = 0
        self.phases = 0
        self.differences: list[Difference] = []
        self._boards = boards
        self._heading: Mapping[str, object] = {}
        self._game: object = None
        self._differs = False
        self._next: Mapping[str, object] | None = None

    def take(self, number: int, entry: object) -> None:
        if not isinstance(entry, dict):
            raise CodecError("not an object")
        if "record" in entry:
            self._open(entry)
        if "phases" in entry:
            for phase in Node(entry)["phases"].items():
                self._play(number, phase)
        elif "record" not in entry:
            self._play(number, Node(entry))

    def _open(self, heading: dict[str, object]) -> None:
        require_record(Node(heading))
        names = ("map", "rules", "seed", "id")
        self._heading = {key: heading[key] for key in names if key in heading}
        self._begin(self._heading.get("id"))
        if "map_hash" in heading:
            board = self._boards(heading.get("map", "standard"))
            if board_hash(board) != heading["map_hash"]:
                raise CodecError("map_hash: the map is not the one that the game was played on")

    def _begin(self, game: object) -> None:
        self.games += 1
        self._game, self._differs, self._next = game, False, None

    def _play(self, number: int, node: Node) -> None:
        if not isinstance(node.value, dict):
            raise node.error("not an object")
        request = {**self._heading, **node.value, "explain": False}
        if not self.games or self._game != request.get("id"):
            self._begin(request.get("id"))
        if self._differs:
            return
        answered = answer(request, self._boards)
        if "error" in answered:
            raise node.error(str(answered["error"]))
        position = read_request(request, self._boards).position
        self.phases += 1
        if what := self._find_jump(position) or compare_phase(node.value, answered):
            game, phase = str(self._game or "")[:80], str(position.phase)
            self.differences.append(Difference(number, game, phase, what))
            self._differs = True
        after = answered["next"]
        self._next = after if isinstance(after, dict) else None

    def _find_jump(self, position: Position) -> str | None:
        """Return how the position differs from the end of the previous phase, if it does."""
        # Some records leave out a retreat phase without a choice.
        is_retreat = position.phase.stage is Stage.RETREATS
        is_idle = is_retreat and not any(entry.retreats for entry in position.dislodged)
        if self._next is None or is_idle:
            return None
        # Lines without a heading may be a selection from a game, but a record must be complete.
        if not self._heading and self._next["phase"] != str(position.phase):
            return None
        return compare_positions(position_to_request(position), self._next)


def compare_positions(begun: Mapping[str, object], ended: Mapping[str, object]) -> str | None:
    """Return how the start of a phase differs from the end of the one before, if it does."""
    return tell_difference("it begins with", begun, "the phase before ended with", ended)


def compare_phase(entry: Mapping[str, object], answered: Mapping[str, object]) -> str | None:
    """Return the first difference between a phase's record and its adjudication as a sentence."""
    judged, written = answered["results"], entry.get("results")
    if isinstance(judged, dict) and isinstance(written, dict):
        for unit in sorted({*judged, *written}, key=str):
            if judged.get(unit) != written.get(unit):
                ours, theirs = judged.get(unit, "nothing"), written.get(unit, "nothing")
                return f"{unit}: judged {ours}, the record says {str(theirs)[:40]}"
    after, recorded = answered["next"], entry.get("next")
    if isinstance(after, dict) and isinstance(recorded, dict):
        if "ending" in answered and recorded.get("phase") == COMPLETED:
            after = {**after, "phase": COMPLETED}
        return tell_difference("judged", after, "the record says", recorded)
    return None


def tell_difference(
    one: str, first: Mapping[str, object], two: str, second: Mapping[str, object]
) -> str | None:
    """Return the first difference between two positions as a sentence."""
    for part in PARTS:
        if part not in first or part not in second:
            continue
        name, ours, theirs = part, first[part], second[part]
        if _plain(ours) == _plain(theirs):
            continue
        if isinstance(ours, dict) and isinstance(theirs, dict):
            for power in sorted({*ours, *theirs}, key=str):
                if _plain(ours.get(power, [])) != _plain(theirs.get(power, [])):
                    name = f"{part} of {power}"
                    ours, theirs = ours.get(power, []), theirs.get(power, [])
                    break
        return f"{name}: {one} {_text(ours)}, {two} {_text(theirs)}"
    return None


def _plain(value: object) -> object:
    """Return `value` with its lists sorted and without powers that have nothing."""
    if isinstance(value, dict):
        plain = {key: _plain(member) for key, member in value.items()}
        return {key: member for key, member in plain.items() if member not in ([], {})}
    if isinstance(value, list):
        return sorted(map(str, value))
    return value


def _text(value: object) -> str:
    """Return units, centers, or units with their retreats, as text."""
    if isinstance(value, dict):
        items = [f"{unit} ({' '.join(map(str, _as_list(to)))})" for unit, to in value.items()]
    else:
        items = [str(item) for item in _as_list(value)]
    return (", ".join(sorted(items)) or "nothing")[:300]


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
