"""Processed phases: their results, the draw votes, and rollbacks."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Q

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import ROLLED_BACK, LogEntry, OrderRow, Phase
from diplomaccloud.games.viewpoint.log import find_draw_results
from diplomaccloud.games.viewpoint.receipts import ReceiptFacts, read_receipts
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.games.viewpoint.written_orders import WrittenOrder, read_written_orders
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.shared.prepared_queries import PreparedQuery
from diplomaccloud.shared.remembered import Remembered


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


def read_names(rows: GameRows) -> tuple[PhaseName, ...]:
    """Return the processed phases, oldest first."""
    last = rows.last_processed
    return _names(_names_until.read(rows.game.pk, last)) if last else ()


def read_newest_name(rows: GameRows) -> PhaseName | None:
    """Return the last processed phase, or None if there is none."""
    newest = rows.processed.order_by("-sequence").values_list("sequence", "name")
    return next(iter(_names(newest[:1])), None)


def read_turn(rows: GameRows, names: Sequence[PhaseName]) -> tuple[ProcessedPhase, ...]:
    """Return the last movement phase among `names` and the phases after it, oldest first."""
    movements = [name.sequence for name in names if name.phase.stage is Stage.MOVEMENT]
    since = max(movements, default=0)
    sequences = [name.sequence for name in names if name.sequence >= since]
    if not sequences:
        return ()
    phases = _phases_of_game.read(rows.game.pk, sequences)
    for phase in phases:
        phase.game = rows.game
    return tuple(_read_processed(phase) for phase in phases)


def find_phase(
    rows: GameRows, names: tuple[PhaseName, ...], sequence: int
) -> tuple[Phase, tuple[PhaseName, ...]]:
    """Return a processed phase and the phases of its branch, oldest first; raise `NoSuchGame`.

    `names` are the phases of the current branch. A phase that was rolled back can be returned too,
    but not one that was processed, rolled back or restored only after `rows` were read.
    """
    phases = rows.game.phases.exclude(processed_at=None)
    phase = phases.filter(sequence=sequence).first()
    if phase is None:
        raise NoSuchGame
    if phase.superseded_at is not None:
        branch = phases.filter(superseded_at=phase.superseded_at).order_by("sequence")
        names = _names(branch.values_list("sequence", "name"))
    if all(name.sequence != sequence for name in names):
        raise NoSuchGame
    return phase, names


def read_processed(rows: GameRows, names: tuple[PhaseName, ...], sequence: int) -> ProcessedPhase:
    """Return a processed phase without its orders; raise `NoSuchGame`, like `find_phase`."""
    phase, _ = find_phase(rows, names, sequence)
    return _read_processed(phase)


def read_phase(
    rows: GameRows, phase: Phase, branch: tuple[PhaseName, ...], orders: Sequence[OrderRow]
) -> PhaseRecord:
    """Return everything about a processed phase; `orders` are its live orders with drafts."""
    of_phase = Q(phase=phase, kind__in=("votes", "vote"))
    entries = rows.game.log.filter(of_phase | Q(kind=ROLLED_BACK)).order_by("-pk")
    backs = [entry for entry in entries if entry.kind == ROLLED_BACK]
    rollbacks = _read_rollbacks(rows, backs)
    undone_by = [
        rollback
        for entry, rollback in zip(backs, rollbacks, strict=True)
        if phase.superseded_at is not None and phase.pk in entry.data["phases"]
    ]
    return PhaseRecord(
        processed=_read_processed(phase),
        branch=branch,
        draw_result=find_draw_results(entries).get(phase.sequence, ""),
        undone_by=undone_by[0] if undone_by else None,
        rollbacks=tuple(rollback for rollback in rollbacks if rollback.phases),
        receipts=read_receipts(rows, phase),
        written=read_written_orders(rows, phase, orders),
    )


def read_live_orders(phase: Phase) -> list[OrderRow]:
    """Return the orders that counted in a processed phase, each with its draft."""
    if phase.processed_at is None:
        raise NoSuchGame
    return list(OrderRow.objects.live_in(phase).select_related("draft"))


def _read_processed(phase: Phase) -> ProcessedPhase:
    return decoded_phases.find_or_make((phase.pk, phase.processed_at), lambda: _decode(phase))


decoded_phases: Remembered[tuple[int, dt.datetime | None], ProcessedPhase] = Remembered(128)
"""Processed phases by the keys and times of their rows, which no longer change.

They are decoded once for everybody who looks at them. The time tells a row from a deleted one that
had the same key.
"""


def _decode(phase: Phase) -> ProcessedPhase:
    name = PhaseName(phase.sequence, JudgePhase.parse(phase.name))
    return ProcessedPhase(name, phase.position, phase.resolution)


def _names(rows: Iterable[tuple[int, str]]) -> tuple[PhaseName, ...]:
    return tuple(PhaseName(sequence, _parse_name(name)) for sequence, name in rows)


def _read_rollbacks(rows: GameRows, backs: Sequence[LogEntry]) -> list[Rollback]:
    phases = rows.game.phases.exclude(superseded_at=None).exclude(processed_at=None)
    by_key = {
        key: PhaseName(sequence, JudgePhase.parse(name))
        for key, sequence, name in (phases.values_list("pk", "sequence", "name") if backs else ())
    }
    return [
        Rollback(
            entry.at,
            entry.text,
            entry.reason,
            tuple(by_key[key] for key in entry.data["phases"] if key in by_key),
        )
        for entry in backs
    ]
