"""A game's record as a chain of lines with the site's seal, and the viewer's own receipts."""

import datetime as dt
import random
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from django.db import Error

from diplomaccloud.games.conditional_orders.plans import parse_conditional_orders
from diplomaccloud.games.seats.wording import name_holder
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.log_models import RecordLine, SaveReceipt, SigningKey, current_key
from diplomaccloud.games.table.models import Game, Status, Tenure
from diplomaccloud.games.table.phase_models import (
    ConditionalOrders,
    OrderRow,
    Phase,
    Receipt,
)
from diplomaccloud.games.table.read import GameRows, Reader, read_once
from diplomaccloud.games.visibility.read import Holder, Viewer, tenure_holder
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import order_from_json
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol import Written
from diplomaccloud.judge.protocol import dump_record as dump_phases
from diplomaccloud.judge.results import Resolution
from diplomaccloud.record.chain import Body, ChainLine, make_lines
from diplomaccloud.record.commitments import draw_numbers, place_proof, salted_digest
from diplomaccloud.record.lines import Receipt as SignedReceipt
from diplomaccloud.record.lines import receipt_line, seal_line
from diplomaccloud.record.signatures import dump_keys

Played = tuple[Position, Resolution]
_LINES_AT_ONCE = 200
"""A line with a phase has a few kilobytes, and a line with a map a few hundred."""


@dataclass(frozen=True, slots=True)
class RecordEnd:
    """The number of lines in the record of a game, and the hash of the last line."""

    lines: int
    head: str


@read_once
def read_record_end(reader: Reader) -> RecordEnd | None:
    """Return the end of the record, or None for a game older than this kind of record."""
    game = reader.rows.game
    return RecordEnd(game.record_length, game.record_head) if game.record_length else None


def dump_record(reader: Reader, *, with_receipts: bool = False) -> Iterator[str]:
    """Yield the lines of the record and the seal, for `diplomaccloud replay`.

    They are the same for every viewer; `with_receipts` adds the viewer's receipts.
    """
    end = read_record_end(reader)
    if end is None:
        return _dump_game(reader.rows)
    return _dump_chain(reader.rows, end, with_receipts=with_receipts)


def _dump_chain(rows: GameRows, end: RecordEnd, *, with_receipts: bool) -> Iterator[str]:
    # Lines never change, so they can be read in chunks.
    lines = RecordLine.objects.filter(game=rows.game).order_by("number")
    for first in range(1, end.lines + 1, _LINES_AT_ONCE):
        last = min(first + _LINES_AT_ONCE - 1, end.lines)
        chunk = lines.filter(number__gte=first, number__lte=last)
        yield from chunk.values_list("text", flat=True)
    key, slug = current_key.find(), rows.game.slug
    seal = seal_line(game=slug, lines=end.lines, head=end.head, key=key.key if key else None)
    bodies = [seal, *(_read_receipts(rows) if with_receipts else ())]
    for line in make_lines(bodies, after=ChainLine(end.lines, "", end.head)):
        yield line.text


@dataclass(frozen=True, slots=True)
class OwnNumber:
    """The number of the viewer's seat, and how to check it against the first line of the record.

    The SHA-256 of `proof` is entry `place` of the line's `places`.
    """

    number: int
    place: int
    proof: str


def find_own_number(reader: Reader) -> OwnNumber | None:
    """Return the number of the viewer's seat, or None if the viewer did not take it at the start.

    A successor must not learn when the first player joined.
    """
    rows = reader.rows
    seat, secret = rows.own_seat, rows.game.seat_secret
    if seat is None or seat.number is None or not secret:
        return None
    first = Tenure.objects.filter(seat=seat).order_by("pk").values_list("user", flat=True).first()
    if first != rows.viewer.user_id:
        return None
    place = draw_numbers(secret, len(rows.seats)).index(seat.number) + 1
    return OwnNumber(seat.number, place, place_proof(secret, place, seat.number))


@dataclass(frozen=True, slots=True)
class SiteKey:
    """A public key of the site; `retired_at` is None while the site signs with it."""

    key_id: str
    public: str
    created_at: dt.datetime
    retired_at: dt.datetime | None


def list_keys() -> tuple[SiteKey, ...]:
    """Return the public keys of the site, including retired keys."""
    columns = ("key_id", "public", "created_at", "retired_at")
    return tuple(SiteKey(*row) for row in SigningKey.objects.order_by("pk").values_list(*columns))


def read_keys() -> str:
    """Return the public keys of the site as JSON."""
    return dump_keys(
        {
            "public": key.public,
            "created_at": key.created_at.isoformat(),
            "retired_at": key.retired_at.isoformat() if key.retired_at else None,
        }
        for key in list_keys()
    )


def _read_receipts(rows: GameRows) -> list[Body]:
    saved = SaveReceipt.objects.filter(phase__game=rows.game, user=rows.viewer.user_id)
    receipts = list(saved.select_related("key", "seat", "phase").defer("phase__position"))
    return [
        receipt_line(
            receipt=SignedReceipt(
                game=rows.game.slug,
                phase=row.phase.name,
                sequence=row.phase.sequence,
                seat=row.seat.number or 0,
                at=row.at,
                salt=row.salt,
                text=row.text,
            ),
            key_id=row.key.key_id,
            public=row.key.public,
            signature=row.signature,
            number=number,
            total=len(receipts),
        )
        for number, row in enumerate(receipts, start=1)
    ]


def _dump_game(rows: GameRows) -> Iterator[str]:
    """Yield the lines of the record, which `diplomaccloud replay` can adjudicate again offline.

    The orders of processed phases and the secrets of their lots are public; the seed becomes public
    once the game is over. If the board changes during a game, a second heading follows.
    """
    written = _read_all_written(rows)
    seeds = {
        phase.name: phase.seed
        for phase in rows.processed.defer("position", "results")
        if phase.judge_secret or rows.is_finished
    }
    played = [(row.position, row.resolution) for row in rows.processed.order_by("sequence")]
    for board, phases in groupby(played, lambda played: rows.game.board_at(played[0].phase)):
        yield from dump_phases(
            board,
            rows.game.rules,
            map(_with_orders, phases),
            name=rows.game.slug,
            seed=rows.game.seed if rows.is_finished else "",
            seeds=seeds,
            written=written,
        )


def _with_orders(played: Played) -> tuple[Position, tuple[Order, ...], Resolution]:
    position, resolution = played
    orders = tuple(result.order for result in resolution.results if not result.implicit)
    return position, orders, resolution


_STARTED = (Status.RUNNING, Status.FINISHED)


def list_sample(size: int) -> list[str]:
    """Return the addresses of at most `size` games: the newest, and a spread of older ones."""
    started = Game.objects.filter(status__in=_STARTED)
    newest = list(started.order_by("-pk").values_list("pk", flat=True)[: size - size // 2])
    last = newest[0] if newest else 0
    # Not `ORDER BY random()`, which would read every row.
    others = [
        started.filter(pk__gte=last * number // (size // 2)).order_by("pk").values_list("pk")[:1]
        for number in range(size // 2)
    ]
    return _list_slugs({*newest, *(key for rows in others for (key,) in rows)})


def draw_sample(size: int, most_lines: int | None = None) -> list[str]:
    """Return the addresses of at most `size` games with records that short, drawn at random."""
    started = Game.objects.filter(status__in=_STARTED).order_by("pk")
    if most_lines is not None:
        started = started.filter(record_length__lte=most_lines)
    last = started.values_list("pk", flat=True).last() or 0
    draws = [random.randint(1, last) for _ in range(size)] if last else []
    keys = [started.filter(pk__gte=number).values_list("pk", flat=True).first() for number in draws]
    return _list_slugs({key for key in keys if key is not None})


def _list_slugs(keys: Collection[int]) -> list[str]:
    return list(Game.objects.filter(pk__in=keys).order_by("pk").values_list("slug", flat=True))


def read_record(slug: str) -> Iterator[str]:
    """Return the lines of a game's record, without anyone's own receipts."""
    game = Game.objects.select_related("chart", "creator", "master").get(slug=slug)
    seats = list(game.seats.all())
    return dump_record(Reader.of_known(game, Viewer(None), game.newest_phase(), seats))


def is_damaged(slug: str) -> bool:
    """Return whether the game's data cannot be read to show and process its newest phase."""
    game = Game.objects.select_related("chart").filter(slug=slug).first()
    if game is None:
        return False
    try:
        for _ in _read_values(game):
            pass
    except Error:
        raise
    except Exception:  # damaged data can raise anything
        return True
    return False


def _read_values(game: Game) -> Iterator[object]:
    """Yield what showing a game and processing its newest phase takes; raise any error."""
    yield game.options, game.ending, dict(game.coins), game.board
    seats = list(game.seats.all())
    colors = game.power_colors(seats)
    yield [colors[seat.power] for seat in seats if seat.power]
    for vote in game.votes.filter(open=True):
        yield Question(vote.kind), vote.terms
    phase = game.newest_phase()
    if phase is None:
        return
    yield dict(phase.civil_disorder), powers_to_order(game.board, phase.position)
    orders = [row.canonical for row in OrderRow.objects.live_in(phase)]
    yield adjudicate(game.board, phase.position, orders, game.rules, seed="").results
    for row in ConditionalOrders.objects.filter(phase=phase).select_related("seat"):
        for power in phase.powers_of(row.seat):
            yield parse_conditional_orders(row.text_for(power), game.board, power)


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """An order as it was written; `by` is None if unknown.

    Not when: pages save each order as it is given, and nobody else can see how a player decides.
    """

    order: Order
    text: str
    by: Holder | None

    @property
    def author(self) -> str:
        """The name of the person who wrote it, blank if unknown."""
        return name_holder(self.by)

    @property
    def differs(self) -> bool:
        """Whether the player typed something other than the canonical order."""
        return self.text != str(self.order)


def read_written_orders(
    rows: GameRows, phase: Phase, orders: Sequence[OrderRow]
) -> Mapping[Power, Sequence[WrittenOrder]]:
    """Return the orders of a processed phase as written, and by whom; empty for other phases.

    `orders` are the live orders, each with its draft.
    """
    written: dict[Power, list[WrittenOrder]] = defaultdict(list)
    if phase.processed_at is None or not orders:
        return written
    tenures: dict[int, list[Tenure]] = defaultdict(list)
    for tenure in rows.tenures:
        tenures[tenure.seat_id].append(tenure)
    for row in orders:
        order, at = row.canonical, row.saved_at
        # Tenures are newest first.
        held = (tenure for tenure in tenures[row.draft.seat_id] if tenure.since_at <= at)
        holding = next(held, None)
        by = tenure_holder(rows.game, holding) if holding else None
        written[power_of(order)].append(WrittenOrder(order, row.written, by))
    return written


def _read_all_written(rows: GameRows) -> dict[str, Written]:
    """Return the texts of the orders of every processed phase, by the phase's short name."""
    orders = OrderRow.objects.filter(draft__phase__in=rows.processed, draft__live=True)
    written: dict[str, dict[Power, dict[str, str]]] = {}
    for name, canonical, text in orders.order_by("pk").values_list(
        "draft__phase__name", "canonical", "written"
    ):
        order = order_from_json(canonical)
        written.setdefault(name, {}).setdefault(power_of(order), {})[str(order)] = text
    return dict(written)


_MAX_SAVES = 50
"""The most receipts of saves that a page shows; the download has all."""


class Part(StrEnum):
    """What a digest covers. Older receipts have one digest for everything."""

    EVERYTHING = "everything"
    ORDERS = "orders"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """A digest of one seat; `salt` and `text` are blank unless it is `open` to the viewer.

    `valid` says whether the digest matches the text that the viewer may read.
    """

    seat: int
    part: Part
    digest: str
    issued_at: dt.datetime
    open: bool
    salt: str = ""
    text: str = ""
    valid: bool = False

    @property
    def command(self) -> str:
        """A line for a POSIX shell that prints the digest, if the viewer may read the text."""
        return _write_command(self.salt, self.text)


@dataclass(frozen=True, slots=True)
class SaveFacts:
    """A signed receipt of the viewer: these orders were saved at that time."""

    phase: JudgePhase
    at: dt.datetime
    digest: str
    text: str
    salt: str
    key: str
    signature: str

    @property
    def command(self) -> str:
        """A line for a POSIX shell that prints the digest."""
        return _write_command(self.salt, self.text)


def _write_command(salt: str, text: str) -> str:
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return f"printf '%s\\n%b' {salt} {shlex.quote(text)} | sha256sum"


@dataclass(frozen=True, slots=True)
class LockedPhases:
    """The locked phases, newest first, and the receipts of `shown`, one of them."""

    phases: tuple[tuple[int, JudgePhase], ...]
    shown: int | None
    receipts: tuple[ReceiptFacts, ...]


def read_receipts(reader: Reader, sequence: int | None) -> LockedPhases:
    """Return the receipts of the phase `sequence`, or of the newest locked phase if it is None.

    Raises `NoSuchGame` for a phase that is not locked.
    """
    rows = reader.rows
    # A game has many phases, so more than the name is read for only one of them.
    locked = rows.phases.exclude(locked_at=None).order_by("-sequence")
    names = list(locked.values_list("pk", "sequence", "name", "processed_at"))
    row = next((each for each in names if sequence in (None, each[1])), None)
    if row is None and sequence is not None:
        raise NoSuchGame
    shown = None if row is None else Phase(pk=row[0], processed_at=row[3])
    return LockedPhases(
        tuple((number, JudgePhase.parse(name)) for _, number, name, _ in names),
        row[1] if row else None,
        read_receipts_of(rows, shown) if shown else (),
    )


def read_receipts_of(rows: GameRows, phase: Phase) -> tuple[ReceiptFacts, ...]:
    """Return the receipts of a locked phase in the order of the seats.

    Everyone can read the digests, but only the person who held the seat at the lock can read texts
    and salts. Those of orders become public once the phase is processed, and the others once the
    game is over. A receipt belongs to a country and does not name a person.
    """
    receipts = {row.seat_id: row for row in phase.receipts.all()}
    user_id = rows.viewer.user_id
    own_tenures = [t for t in rows.tenures if t.user_id == user_id] if receipts and user_id else []
    return tuple(
        facts
        for seat in rows.seats
        if seat.pk in receipts
        for facts in _read_receipt(rows, phase, receipts[seat.pk], own_tenures)
    )


def read_own_receipts(reader: Reader) -> tuple[ReceiptFacts, ...]:
    """Return the viewer's own receipts for the newest phase."""
    rows = reader.rows
    seat, phase = rows.own_seat, rows.phase
    receipts = read_receipts_of(rows, phase) if seat and phase else ()
    return tuple(facts for facts in receipts if seat and facts.seat == seat.pk and facts.open)


def read_saves(reader: Reader, *sequences: int) -> tuple[SaveFacts, ...]:
    """Return the viewer's signed receipts of saves in these phases, newest first."""
    rows = reader.rows
    if rows.viewer.user_id is None:
        return ()
    saves = SaveReceipt.objects.filter(
        phase__game=rows.game, phase__sequence__in=list(sequences), user=rows.viewer.user_id
    )
    columns = ("phase__name", "at", "digest", "text", "salt", "key__key_id", "signature")
    newest = saves.order_by("-pk").values_list(*columns)[:_MAX_SAVES]
    return tuple(SaveFacts(JudgePhase.parse(row[0]), *row[1:]) for row in newest)


def _is_own(receipt: Receipt, tenures: Iterable[Tenure]) -> bool:
    """Return whether one of `tenures` held the receipt's seat when it was issued."""
    return any(
        tenure.seat_id == receipt.seat_id
        and tenure.since_at <= receipt.issued_at
        and (tenure.until_at is None or receipt.issued_at <= tenure.until_at)
        for tenure in tenures
    )


def _read_receipt(
    rows: GameRows, phase: Phase, row: Receipt, own_tenures: Iterable[Tenure]
) -> Iterator[ReceiptFacts]:
    """Yield the facts for each digest of a receipt."""
    is_open = rows.is_finished or _is_own(row, own_tenures)
    is_public = row.is_sealed and phase.processed_at is not None
    orders = Part.ORDERS if row.is_sealed else Part.EVERYTHING
    for part, digest, salt, text, shown in (
        (orders, row.digest, row.salt, row.text, is_open or is_public),
        (Part.SEALED, row.sealed_digest, row.sealed_salt, row.sealed_text, is_open),
    ):
        if digest and shown:
            valid = salted_digest(salt, text) == digest
            yield ReceiptFacts(row.seat_id, part, digest, row.issued_at, True, salt, text, valid)
        elif digest:
            yield ReceiptFacts(row.seat_id, part, digest, row.issued_at, open=False)
