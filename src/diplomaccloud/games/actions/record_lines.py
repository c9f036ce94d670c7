"""Building the lines of a game's public record from its rows, one function for each kind of line.

Everyone who may see the game can read a line at once, so it identifies seats by number, names no
people, and contains nothing that is still secret.
"""

import datetime as dt
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from diplomaccloud.games.actions.chain import add_line
from diplomaccloud.games.models import (
    Game,
    LogEntry,
    OrderRow,
    Phase,
    Receipt,
    RecordLine,
    Seat,
    Vote,
    powers_played_by,
)
from diplomaccloud.games.models.seats import holder_since
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.results import Ending
from diplomaccloud.record import lines
from diplomaccloud.record.chain import format_time
from diplomaccloud.record.commitments import Purpose, commit
from diplomaccloud.record.lines import DrawnSeat, Kind, LockedSeat, Sealed, SeatChange
from diplomaccloud.schedule import move_from_json

OPENED: Final = "opened"
_ENTRIES: Final = {"aside": "suspended", "released": "resumed"}
"""Plain words for kinds of log entries that are stored under older names."""
_PUBLIC_DATA: Final = ("draws", "surrendered", "power")
"""The public data of a log entry besides its text; the rest are keys of rows."""

_PUBLIC_TERMS: Final = ("power", "seconds", "bot", "to", "phase")
"""The public terms of a vote; the reason appears in the log if the vote is carried."""


def begin_record(game: Game, now: dt.datetime) -> None:
    """Write the first line of a new game, before anyone joins."""
    commits = {Purpose.DRAW.value: commit(Purpose.DRAW, game.draw_secret)}
    if coin := game.coins.get(str(game.branch)):
        commits[Purpose.COIN.value] = commit(Purpose.COIN, coin)
    body = lines.game_line(
        game=game.slug,
        board=game.board,
        rules=game.rules,
        setup=game.options.setup,
        seats=len(game.players),
        commits=commits,
        options=game.options.to_json(),
        at=now,
    )
    add_line(game, body)


def add_draw(game: Game, seats: Sequence[Seat], now: dt.datetime) -> None:
    """Add which seat plays which powers; `seats` are in the order of their numbers."""
    drawn = [DrawnSeat(powers_played_by(seat.power, game.players), seat.bot) for seat in seats]
    add_line(game, lines.draw_line(secret=game.draw_secret, seats=drawn, at=now))


def add_open(phase: Phase, now: dt.datetime) -> None:
    """Add the opening of a phase, with the commitments to its secrets."""
    game = phase.game
    body = lines.open_line(
        sequence=phase.sequence,
        branch=phase.branch,
        position=phase.position,
        commits={
            Purpose.JUDGE.value: commit(Purpose.JUDGE, phase.judge_secret),
            Purpose.BOTS.value: commit(Purpose.BOTS, phase.bots_secret),
        },
        disorder={Power(power): why for power, why in phase.civil_disorder.items()},
        due_at=phase.due_at,
        board=phase.board if _has_new_board(phase) else None,
        at=now,
    )
    add_line(game, body)


def _has_new_board(phase: Phase) -> bool:
    """Return whether the phase is played on a different board than the phase opened before it."""
    setup = phase.game.setup
    if setup is None or setup.coin is None:
        return False
    last = phase.game.phases.filter(sequence=phase.sequence - 1).first()
    board = phase.game.board if last is None else phase.game.board_at(last.judge_phase)
    return board != phase.board


def add_lock(phase: Phase, receipts: Iterable[Receipt], now: dt.datetime) -> None:
    """Add the digests of all seats that could order, whether or not they did."""
    seats = [
        LockedSeat(row.seat.number or 0, row.digest or None, row.sealed_digest or None)
        for row in receipts
    ]
    add_line(phase.game, lines.lock_line(sequence=phase.sequence, seats=seats, at=now))


def add_results(
    phase: Phase,
    orders: Sequence[OrderRow],
    now: dt.datetime,
    *,
    promised: Collection[int] = frozenset(),
    replaced: Collection[tuple[int, str]] = frozenset(),
) -> None:
    """Add the orders, the results, and the secrets of the phase.

    `orders` are the live orders, in the sequence in which they were adjudicated. `promised` holds
    the keys of bots' seats whose orders keep a promise, and `replaced` the keys of seats, with
    their bots, for which the greedy bot ordered.
    """
    # Not a join: for a small table, PostgreSQL may read all seats of the site.
    receipts = list(phase.receipts.exclude(digest="").prefetch_related("seat"))
    bots = {row.seat_id: row.seat for row in receipts if row.seat.bot}
    if bots:
        # A bot that took the seat after the lock has not ordered anything.
        held = phase.submissions.filter(seat__in=bots).annotate(since=holder_since("seat"))
        ordered = held.filter(since__lte=phase.locked_at).values_list("seat_id", flat=True)
        bots = {key: bots[key] for key in ordered}
    body = lines.resolve_line(
        sequence=phase.sequence,
        board=phase.board,
        rules=phase.game.rules,
        position=phase.position,
        orders=[row.canonical for row in orders],
        resolution=phase.resolution,
        salts={row.seat.number or 0: row.salt for row in receipts},
        secrets={
            Purpose.JUDGE.value: phase.judge_secret,
            Purpose.BOTS.value: phase.bots_secret,
        },
        bots={seat.number or 0: seat.bot for seat in bots.values()},
        promised={seat.number or 0 for key, seat in bots.items() if key in promised},
        replaced={seat.number or 0 for key, seat in bots.items() if (key, seat.bot) in replaced},
        written=_collect_written(orders),
        at=now,
    )
    add_line(phase.game, body)


def _collect_written(orders: Iterable[OrderRow]) -> Mapping[Power, Mapping[str, str]]:
    """Return the texts of orders as typed, if they differ from the canonical texts."""
    written: dict[Power, dict[str, str]] = {}
    for row in orders:
        text = str(row.canonical)
        if row.written != text:
            written.setdefault(power_of(row.canonical), {})[text] = row.written
    return written


def add_seat_change(seat: Seat, change: str, now: dt.datetime) -> None:
    """Add that a player left a seat, or that a person or a bot took it."""
    body = lines.seat_line(seat=seat.number or 0, change=SeatChange(change), bot=seat.bot, at=now)
    add_line(seat.game, body)


def add_vote(vote: Vote, state: str, now: dt.datetime) -> None:
    """Add that a vote was opened, or how it was closed; the ballots stay secret."""
    game = vote.game
    body = lines.vote_line(
        vote=game.votes.filter(pk__lte=vote.pk).count(),
        question=vote.kind,
        state=state,
        terms={name: vote.data[name] for name in _PUBLIC_TERMS if vote.data.get(name)},
        at=now,
    )
    add_line(game, body)


def add_log_entry(entry: LogEntry) -> None:
    """Add an entry of the public log."""
    game = entry.game
    by = "site"
    if entry.by_id is not None:
        by = "master" if entry.by_id == game.master_id else "player"
    data: dict[str, object] = {
        name: value for name, value in entry.data.items() if name in _PUBLIC_DATA
    }
    if "moved" in entry.data:
        moved = move_from_json(entry.data["moved"])
        data["due_at"] = format_time(moved.new.orders_at)
        data["adjudicate_at"] = format_time(moved.new.adjudicate_at)
    body = lines.log_line(
        entry=_ENTRIES.get(entry.kind, entry.kind),
        text=entry.text,
        by=by,
        sequence=entry.phase.sequence if entry.phase else None,
        reason=entry.reason,
        data=data,
        at=entry.at,
    )
    add_line(game, body)


def add_coin(game: Game, joins: JudgePhase, power: Power, now: dt.datetime) -> None:
    """Add which player gets `power` in the phase `joins`, with the secret of the coin flip."""
    coin = game.coins.get(str(game.branch))
    if coin is None:
        return
    first = next(powers[0] for powers in game.players_at(joins) if power in powers)
    seat = game.seats.get(power=first)
    body = lines.coin_line(secret=coin, power=power, seat=seat.number or 0, at=now)
    add_line(game, body)


def add_rollback(
    game: Game, *, to: int, now: dt.datetime, forward: bool = False, coin: str = ""
) -> None:
    """Add that the game goes back or forward to the phase `to`; `coin` is a new secret, if any."""
    body = lines.rollback_line(
        forward=forward,
        branch=game.branch,
        to=to,
        commits={Purpose.COIN.value: commit(Purpose.COIN, coin)} if coin else None,
        at=now,
    )
    add_line(game, body)


def add_end(game: Game, ending: Ending, now: dt.datetime) -> None:
    """Add everything that was sealed when phases were locked, and then how the game ended."""
    for sequence, sealed in _read_sealed(game).items():
        add_line(game, lines.reveal_line(sequence=sequence, sealed=sealed, at=now))
    add_line(game, lines.end_line(ending=ending, at=now))


def _read_sealed(game: Game) -> dict[int, list[Sealed]]:
    """Return what was sealed in each phase processed since the game last ended, by sequence."""
    last = RecordLine.objects.filter(game=game, kind=Kind.REVEAL).order_by("number").last()
    rows = Receipt.objects.filter(
        phase__game=game,
        phase__processed_at__isnull=False,
        phase__sequence__gt=json.loads(last.text)["sequence"] if last else 0,
    )
    sealed: dict[int, list[Sealed]] = {}
    for sequence, number, salt, text in (
        rows.exclude(sealed_digest="")
        .order_by("phase__sequence", "seat__number")
        .values_list("phase__sequence", "seat__number", "sealed_salt", "sealed_text")
    ):
        sealed.setdefault(sequence, []).append(Sealed(number or 0, salt, text))
    return sealed
