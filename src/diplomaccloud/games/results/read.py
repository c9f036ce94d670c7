"""Processed phases: their results, the draw votes, and rollbacks."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from django.core.paginator import Paginator
from django.db.models import Q

from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.record.read import (
    ReceiptFacts,
    WrittenOrder,
    read_receipts_of,
    read_written_orders,
)
from diplomaccloud.games.seats.wording import name_actor
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.log_models import MIN_PEOPLE, ROLLED_BACK, LogEntry, Unrated
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.games.table.read import GameRows, Reader, read_once
from diplomaccloud.games.visibility.read import Actor, actor_of
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.judge import explain
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.reasons.values import Explanation
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.shared.prepared_queries import PreparedQuery
from diplomaccloud.shared.remembered import Remembered

__all__ = ["MIN_PEOPLE", "Unrated"]


@dataclass(frozen=True, slots=True)
class PhaseName:
    """The sequence number and the name of a processed phase."""

    sequence: int
    phase: JudgePhase


@dataclass(frozen=True, slots=True, eq=False)
class ProcessedPhase:
    """A processed phase: its position at the start, and the judge's resolution.

    It is compared by identity, so that what pages make of it can be remembered cheaply.
    """

    name: PhaseName
    position: Position
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Rollback:
    """A rollback: when, why, and the phases that it left behind."""

    at: dt.datetime
    text: str
    reason: str
    phases: tuple[PhaseName, ...]


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """Everything about a processed phase.

    `branch` holds all phases of its branch, oldest first. `draw_result` is what the log says
    about votes on a draw. `undone_by` is set if the phase was rolled back; `rollbacks` are the
    game's rollbacks that left phases behind, newest first.
    """

    processed: ProcessedPhase
    branch: tuple[PhaseName, ...]
    draw_result: str
    undone_by: Rollback | None
    rollbacks: tuple[Rollback, ...]
    receipts: tuple[ReceiptFacts, ...]
    written: Mapping[Power, Sequence[WrittenOrder]]


_names_until = PreparedQuery(
    lambda game, last: (
        Phase.objects.filter(game=game, sequence__lte=last, superseded_at=None)
        .exclude(processed_at=None)
        .order_by("sequence")
        .values_list("sequence", "name")
    ),
    int,
    int,
)
_phases_of_game = PreparedQuery(
    lambda game, numbers: Phase.objects.filter(game=game, sequence__in=numbers).order_by(
        "sequence"
    ),
    int,
    list,
)
_parse_name = lru_cache(1000)(JudgePhase.parse)


@read_once
def read_phase_names(reader: Reader) -> tuple[PhaseName, ...]:
    """Return the processed phases of the current branch, oldest first."""
    rows = reader.rows
    last = rows.last_processed
    return _names(_names_until.read(rows.game.pk, last)) if last else ()


@read_once
def read_newest_name(reader: Reader) -> PhaseName | None:
    """Return the last processed phase of the current branch, or None if there is none."""
    newest = reader.rows.processed.order_by("-sequence").values_list("sequence", "name")
    return next(iter(_names(newest[:1])), None)


@read_once
def read_last_turn(reader: Reader) -> tuple[ProcessedPhase, ...]:
    """Return the last processed movement phase and the phases after it, oldest first."""
    rows, names = reader.rows, read_phase_names(reader)
    movements = [name.sequence for name in names if name.phase.stage is Stage.MOVEMENT]
    since = max(movements, default=0)
    sequences = [name.sequence for name in names if name.sequence >= since]
    if not sequences:
        return ()
    phases = _phases_of_game.read(rows.game.pk, sequences)
    for phase in phases:
        phase.game = rows.game
    return tuple(_read_processed(phase) for phase in phases)


def _find_phase(reader: Reader, sequence: int) -> tuple[Phase, tuple[PhaseName, ...]]:
    """Return a processed phase and the phases of its branch, oldest first; raise `NoSuchGame`.

    A phase that was rolled back can be returned too, but not one that was processed, rolled back or
    restored only after the game was read.
    """
    names = read_phase_names(reader)
    phases = reader.rows.game.phases.exclude(processed_at=None)
    phase = phases.filter(sequence=sequence).first()
    if phase is None:
        raise NoSuchGame
    if phase.superseded_at is not None:
        branch = phases.filter(superseded_at=phase.superseded_at).order_by("sequence")
        names = _names(branch.values_list("sequence", "name"))
    if all(name.sequence != sequence for name in names):
        raise NoSuchGame
    return phase, names


def read_processed(reader: Reader, sequence: int) -> ProcessedPhase:
    """Return a processed phase without its orders; raise `NoSuchGame` if there is none."""
    phase, _ = _find_phase(reader, sequence)
    return _read_processed(phase)


@dataclass(frozen=True, slots=True)
class OrderExplanation:
    """The explanation of the order `number` among `results`, counted from 0.

    `explanation` is None if the current judge would decide the order differently.
    """

    sequence: int
    number: int
    board: Board
    results: tuple[OrderResult, ...]
    explanation: Explanation | None


def read_phase(
    reader: Reader, sequence: int, number: int | None = None
) -> tuple[PhaseRecord, OrderExplanation | None]:
    """Return a processed phase, and the explanation of its order `number` if given.

    Raises `NoSuchGame` if there is no such phase or order.
    """
    rows = reader.rows
    phase, branch = _find_phase(reader, sequence)
    orders = _read_live_orders(phase)
    of_phase = Q(phase=phase, kind__in=("votes", "vote"))
    entries = rows.game.log.filter(of_phase | Q(kind=ROLLED_BACK)).order_by("-pk")
    backs = [entry for entry in entries if entry.kind == ROLLED_BACK]
    rollbacks = _read_rollbacks(rows, backs)
    undone_by = (
        rollback
        for entry, rollback in zip(backs, rollbacks, strict=True)
        if phase.superseded_at is not None and phase.pk in entry.data["phases"]
    )
    record = PhaseRecord(
        processed=_read_processed(phase),
        branch=branch,
        draw_result=find_draw_results(entries).get(phase.sequence, ""),
        undone_by=next(undone_by, None),
        rollbacks=tuple(rollback for rollback in rollbacks if rollback.phases),
        receipts=read_receipts_of(rows, phase),
        written=read_written_orders(rows, phase, orders),
    )
    return record, None if number is None else _explain(phase, orders, number)


def explain_order(reader: Reader, sequence: int, number: int) -> OrderExplanation:
    """Return the explanation of one order of a processed phase; raise `NoSuchGame`."""
    phase = reader.rows.game.phases.filter(sequence=sequence).first()
    if phase is None:
        raise NoSuchGame
    return _explain(phase, _read_live_orders(phase), number)


def _read_live_orders(phase: Phase) -> list[OrderRow]:
    """Return the orders that counted in a processed phase, each with its draft."""
    if phase.processed_at is None:
        raise NoSuchGame
    return list(OrderRow.objects.live_in(phase).select_related("draft"))


def _read_processed(phase: Phase) -> ProcessedPhase:
    def decode() -> ProcessedPhase:
        name = PhaseName(phase.sequence, _parse_name(phase.name))
        return ProcessedPhase(name, phase.position, phase.resolution)

    return decoded_phases.find_or_make((phase.pk, phase.processed_at), decode)


decoded_phases: Remembered[tuple[int, dt.datetime | None], ProcessedPhase] = Remembered(128)
"""Processed phases by the keys and times of their rows, which no longer change.

They are decoded once for everybody who looks at them. The time tells a row from a deleted one that
had the same key.
"""


def _names(rows: Iterable[tuple[int, str]]) -> tuple[PhaseName, ...]:
    return tuple(PhaseName(sequence, _parse_name(name)) for sequence, name in rows)


def _read_rollbacks(rows: GameRows, backs: Sequence[LogEntry]) -> list[Rollback]:
    phases = rows.game.phases.exclude(superseded_at=None).exclude(processed_at=None)
    names = phases.values_list("pk", "sequence", "name") if backs else ()
    by_key = {key: PhaseName(sequence, _parse_name(name)) for key, sequence, name in names}
    return [
        Rollback(
            entry.at,
            entry.text,
            entry.reason,
            tuple(by_key[key] for key in entry.data["phases"] if key in by_key),
        )
        for entry in backs
    ]


# Why an order of a processed phase had its outcome, as the current judge explains it.


def _explain(phase: Phase, orders: Iterable[OrderRow], number: int) -> OrderExplanation:
    """Return the explanation of the order `number` of a phase, counted from 0.

    `orders` are the live orders. They are read only for a processed phase, whose orders are
    visible to everyone who may see the game. Raises `NoSuchGame` for any other phase, or if
    the order does not exist.
    """
    if phase.processed_at is None:
        raise NoSuchGame
    results = tuple(phase.resolution.results)
    if number >= len(results):
        raise NoSuchGame
    board = phase.board
    explanation = explain.explain_order(
        board,
        phase.position,
        tuple(row.canonical for row in orders),
        number,
        phase.game.rules,
        seed=phase.seed,
    )
    stored = results[number]
    decided = None if explanation is None else (explanation.order, explanation.outcome)
    known = explanation if decided == (stored.order, stored.outcome) else None
    return OrderExplanation(phase.sequence, number, board, results, known)


# How a game ended, and which countries still on the board don't share in the result.


class Excluded(StrEnum):
    """Why a country that is still on the board does not share in the result."""

    SURRENDERED = "surrendered"
    LEFT = "left"
    UNPLAYED = "unplayed"
    NO_UNITS = "no units"


@dataclass(frozen=True, slots=True)
class GameEnding:
    """The winning powers, the reason, and the excluded powers in board order with their reasons."""

    winners: frozenset[Power]
    reason: str
    excluded: tuple[tuple[Power, Excluded], ...]


def read_ending(reader: Reader) -> GameEnding | None:
    """Return how the game ended, or None if it is not over."""
    rows = reader.rows
    ending = rows.game.ending
    if ending is None:
        return None
    winners = frozenset(ending.winners)
    return GameEnding(winners, ending.reason, tuple(_read_excluded(rows, winners).items()))


def _read_excluded(rows: GameRows, winners: frozenset[Power]) -> dict[Power, Excluded]:
    if rows.phase is None:
        return {}
    position = rows.position
    surrendered = {p for p, why in rows.phase.civil_disorder.items() if why == "surrendered"}
    votes = rows.phase.log.filter(kind="votes").order_by("-pk").first()
    surrendered |= {Power(power) for power in votes.data["surrendered"]} if votes else set()
    vacant = {
        p for row in rows.seats if row.vacated_at for p in rows.played_with.get(row.power, ())
    }
    idle = rows.game.idle_powers_at(rows.played_in)
    remaining = set(players_left(position)) - winners
    excluded = {}
    for power in (info.power for info in rows.board.powers if info.power in remaining):
        if power in surrendered:
            excluded[power] = Excluded.SURRENDERED
        elif power in vacant:
            excluded[power] = Excluded.LEFT
        elif power in idle:
            excluded[power] = Excluded.UNPLAYED
        elif not position.units_of(power) and not position.dislodged_of(power):
            excluded[power] = Excluded.NO_UNITS
    return excluded


# The public log of a game, the same for everyone who may see the game.


LINES_PER_PAGE = 30


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; `by` is None if the site did it."""

    at: dt.datetime
    kind: str
    text: str
    reason: str
    by: Actor | None
    phase: JudgePhase | None = None

    @property
    def author(self) -> str:
        """The name of the person who did it, blank for the site."""
        return name_actor(self.by)


@dataclass(frozen=True, slots=True)
class LogPage:
    """One page of the log, newest line first, and the number of pages."""

    lines: tuple[LogLine, ...]
    number: int
    pages: int


def read_newest_lines(reader: Reader, count: int) -> tuple[LogLine, ...]:
    """Return the newest lines of the log, newest first."""
    game = reader.rows.game
    return tuple(_read_line(game, entry) for entry in reader.rows.newest_entries[:count])


@read_once
def read_draw_results(reader: Reader) -> Mapping[int, str]:
    """Return what the newest lines of the log say about votes on a draw, by number of the phase."""
    return find_draw_results(reader.rows.newest_entries)


def find_draw_results(entries: Iterable[LogEntry]) -> dict[int, str]:
    """Return what the log says about votes on a draw, by the number of the phase.

    These are the draw votes written with the orders, and separate votes that were not carried.
    `entries` are lines of the log, newest first.
    """
    results: dict[int, str] = {}
    for entry in entries:
        # Damaged data must not keep anyone from the page.
        data = entry.data if isinstance(entry.data, dict) else {}
        number = data.get("sequence")
        if entry.kind == "votes":
            number = int(entry.key.rpartition(" ")[2])
        elif entry.kind != "vote" or data.get("question") != Question.DRAW:
            continue
        if number is not None:
            results[number] = f"{entry.text} {results.get(number, '')}".strip()
    return results


def read_log(reader: Reader, number: int) -> LogPage:
    """Return one page of the log; a number out of range gives the nearest page."""
    game = reader.rows.game
    entries = game.log.select_related("by", "phase").order_by("-pk")
    page = Paginator(entries, LINES_PER_PAGE).get_page(number)
    lines = tuple(_read_line(game, entry, entry.phase) for entry in page.object_list)
    return LogPage(lines, page.number, page.paginator.num_pages)


def _read_line(game: Game, entry: LogEntry, phase: Phase | None = None) -> LogLine:
    """Return one line of the log; in an anonymous game its author has no name."""
    judge_phase = _parse_name(phase.name) if phase else None
    by = actor_of(game, entry.by)
    return LogLine(entry.at, entry.kind, entry.text, entry.reason, by, judge_phase)
