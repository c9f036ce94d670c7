"""Adjudicates the record of a game again and finds the first difference."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from diplomaccloud.judge.codec.reader import CodecError, Node
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.answers import answer
from diplomaccloud.judge.protocol.record import RECORD, VERSION, board_hash
from diplomaccloud.judge.protocol.request import (
    Boards,
    only_standard,
    position_to_request,
    read_request,
)

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
        self._left = False
        self._next: Mapping[str, object] | None = None

    def take(self, number: int, entry: object) -> None:
        if not isinstance(entry, dict):
            raise CodecError("not an object")
        if "record" in entry:
            self._open(entry)
        if "phases" in entry:
            for phase in Node(entry)["phases"].items():
                self._phase(number, phase)
        elif "record" not in entry:
            self._phase(number, Node(entry))

    def _open(self, heading: dict[str, object]) -> None:
        node = Node(heading)
        if node["record"].value != RECORD or node["v"].value != VERSION:
            raise CodecError(f"record: not a {RECORD!r} of version {VERSION}")
        names = ("map", "rules", "seed", "id")
        self._heading = {key: heading[key] for key in names if key in heading}
        self._begin(self._heading.get("id"))
        if "map_hash" in heading:
            board = self._boards(heading.get("map", "standard"))
            if board_hash(board) != heading["map_hash"]:
                raise CodecError("map_hash: the map is not the one that the game was played on")

    def _begin(self, game: object) -> None:
        self.games += 1
        self._game, self._left, self._next = game, False, None

    def _phase(self, number: int, node: Node) -> None:
        if not isinstance(node.value, dict):
            raise node.error("not an object")
        request = {**self._heading, **node.value, "explain": False}
        if not self.games or self._game != request.get("id"):
            self._begin(request.get("id"))
        if self._left:
            return
        answered = answer(request, self._boards)
        if "error" in answered:
            raise node.error(str(answered["error"]))
        position = read_request(request, self._boards).position
        self.phases += 1
        if what := self._jump(position) or compare_phase(node.value, answered):
            game, phase = str(self._game or "")[:80], str(position.phase)
            self.differences.append(Difference(number, game, phase, what))
            self._left = True
        after = answered["next"]
        self._next = after if isinstance(after, dict) else None

    def _jump(self, position: Position) -> str | None:
        """Return how the position differs from the end of the previous phase, if it does."""
        if self._next is None or _is_idle(position):
            return None
        # Lines without a heading may be a selection from a game, but a record must be complete.
        if not self._heading and self._next["phase"] != str(position.phase):
            return None
        here = position_to_request(position)
        return compare_positions(here, self._next)


def compare_positions(begun: Mapping[str, object], ended: Mapping[str, object]) -> str | None:
    """Return how the start of a phase differs from the end of the one before, if it does."""
    return _differs("it begins with", begun, "the phase before ended with", ended)


def _is_idle(position: Position) -> bool:
    """Return whether this is a retreat phase without a choice, which some records leave out."""
    retreats = position.phase.stage is Stage.RETREATS
    return retreats and not any(entry.retreats for entry in position.dislodged)


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
        return _differs("judged", after, "the record says", recorded)
    return None


def _differs(
    one: str, here: Mapping[str, object], other: str, there: Mapping[str, object]
) -> str | None:
    """Return the first difference between `here` and `there` as a sentence."""
    for part in PARTS:
        if part in here and part in there and _plain(here[part]) != _plain(there[part]):
            return _describe_difference(part, one, here[part], other, there[part])
    return None


def _describe_difference(part: str, one: str, ours: object, other: str, theirs: object) -> str:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for power in sorted({*ours, *theirs}, key=str):
            here, there = ours.get(power, []), theirs.get(power, [])
            if _plain(here) != _plain(there):
                return f"{part} of {power}: {one} {_text(here)}, {other} {_text(there)}"
    return f"{part}: {one} {_text(ours)}, {other} {_text(theirs)}"


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
        found = [f"{unit} ({' '.join(map(str, _as_list(to)))})" for unit, to in value.items()]
    else:
        found = [str(item) for item in _as_list(value)]
    return (", ".join(sorted(found)) or "nothing")[:300]


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
