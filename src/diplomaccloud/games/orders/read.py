"""Which players still owe orders in an open phase: secret from everyone but the player."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.db.models import F

from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.log_models import SaveReceipt
from diplomaccloud.games.table.models import Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import (
    OrderRow,
    Phase,
    Receipt,
    Submission,
    is_readiness_public,
    orders_by_unit,
    receipt_digest,
)
from diplomaccloud.games.table.read import GameRows, Reader
from diplomaccloud.games.visibility.read import Holder, tenure_holder
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol import Written
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class MissingOrders:
    """Units without an order, and how many builds (or, if negative, disbands) each power owes."""

    units: tuple[Unit, ...]
    adjustments: Mapping[Power, int]


NOTHING_MISSING = MissingOrders((), {})


class Owed(StrEnum):
    """What a player still owes: all orders, or some of them."""

    ALL = "all"
    SOME = "some"


def find_owed(game: int, sequence: int, due_at: dt.datetime) -> dict[int, Owed] | None:
    """Return what each person owes, by user key; people who owe nothing are left out.

    Returns None if the phase no longer accepts orders, or if its deadline has moved. A player who
    is ready owes nothing, even if conditional orders made the player ready.
    """
    phases = Phase.objects.in_play().filter(locked_at=None).select_related("game")
    phase = phases.filter(game=game, sequence=sequence, due_at=due_at).first()
    if phase is None:
        return None
    orders: dict[int, list[Order]] = {}
    for row in OrderRow.objects.live_in(phase):
        orders.setdefault(row.draft.seat_id, []).append(row.canonical)
    submissions = {row.seat_id: row for row in phase.submissions.all()}
    found = {}
    for seat in phase.people_to_order():
        owed = _find_owed_by(phase, seat, orders.get(seat.pk, ()), submissions.get(seat.pk))
        if owed is not None and seat.user_id is not None:
            found[seat.user_id] = owed
    return found


def _find_owed_by(
    phase: Phase, seat: Seat, orders: Sequence[Order], submission: Submission | None
) -> Owed | None:
    if submission is not None and (submission.ready_at or submission.by_conditional_orders):
        return None
    if phase.is_kept_in_grace(submission):
        return None
    missing = _count_missing(phase, seat, orders)
    if not missing:
        return None
    return Owed.SOME if orders else Owed.ALL


def read_missing_orders(reader: Reader) -> MissingOrders:
    """Return which of the viewer's units and builds have no order yet in the live draft."""
    powers = [power for power in reader.own_powers if power in reader.rows.powers_to_order]
    if not powers:
        return NOTHING_MISSING
    return list_missing(reader.board, reader.position, powers, reader.live_draft.orders)


def list_missing(
    board: Board, position: Position, powers: Collection[Power], orders: Collection[Order]
) -> MissingOrders:
    """Return which units and builds of these powers have no order yet."""
    ordered, units = orders_by_unit(orders), list[Unit]()
    match position.phase.stage:
        case Stage.MOVEMENT:
            units = [unit for power in powers for unit in position.units_of(power)]
        case Stage.RETREATS:
            able = [row.unit for row in position.dislodged if row.retreats]
            units = [unit for unit in able if unit.power in powers]
        case Stage.ADJUSTMENTS:
            given = Counter(power_of(order) for order in orders)
            owed = {power: adjustments_owed(board, position, power) for power in powers}
            missing = {power: abs(number) - given[power] for power, number in owed.items()}
            return MissingOrders(
                (),
                {
                    power: left if owed[power] > 0 else -left
                    for power, left in missing.items()
                    if left > 0
                },
            )
    return MissingOrders(tuple(unit for unit in units if str(unit) not in ordered), {})


def _count_missing(phase: Phase, seat: Seat, orders: Collection[Order]) -> int:
    """Return how many orders the seat may still give."""
    powers = [power for power in phase.powers_of(seat) if power not in phase.civil_disorder]
    missing = list_missing(phase.board, phase.position, powers, orders)
    return len(missing.units) + sum(map(abs, missing.adjustments.values()))


# The orders of processed phases as they were written, with their canonical form.


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """An order as it was written; `by` is None if unknown, and `at` is None if hidden."""

    order: Order
    text: str
    by: Holder | None
    at: dt.datetime | None


def read_written_orders(
    rows: GameRows, phase: Phase, orders: Sequence[OrderRow]
) -> Mapping[Power, Sequence[WrittenOrder]]:
    """Return the orders of a processed phase as written, by whom and when; empty for other phases.

    `orders` are the live orders, each with its draft. The times of retreats and adjustments are
    hidden until the game is over, because they would reveal who wrote conditional orders.
    """
    written: dict[Power, list[WrittenOrder]] = defaultdict(list)
    if phase.processed_at is None or not orders:
        return written
    timed = rows.is_finished or is_readiness_public(JudgePhase.parse(phase.name))
    tenures: dict[int, list[Tenure]] = defaultdict(list)
    for tenure in rows.tenures:
        tenures[tenure.seat_id].append(tenure)
    for row in orders:
        order = row.canonical
        by = _find_author(rows, tenures[row.draft.seat_id], row)
        written[power_of(order)].append(
            WrittenOrder(order, row.written, by, row.saved_at if timed else None)
        )
    return written


def read_all_written(rows: GameRows) -> dict[str, Written]:
    """Return the texts of the orders of every processed phase, by the phase's short name."""
    orders = OrderRow.objects.filter(draft__phase__in=rows.processed, draft__live=True)
    written: dict[str, dict[Power, dict[str, str]]] = {}
    for name, canonical, text in orders.order_by("pk").values_list(
        "draft__phase__name", "canonical", "written"
    ):
        order = order_from_json(canonical)
        written.setdefault(name, {}).setdefault(power_of(order), {})[str(order)] = text
    return dict(written)


def _find_author(rows: GameRows, tenures: Iterable[Tenure], row: OrderRow) -> Holder | None:
    """Return who held the seat when the order was saved; `tenures` are newest first."""
    tenure = next((tenure for tenure in tenures if tenure.since_at <= row.saved_at), None)
    return tenure_holder(rows.game, tenure) if tenure else None


# Receipts: proof of each seat's orders when a phase was locked, and of the viewer's saves.


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
    found = next((row for row in names if sequence in (None, row[1])), None)
    if found is None and sequence is not None:
        raise NoSuchGame
    shown = None if found is None else Phase(pk=found[0], processed_at=found[3])
    return LockedPhases(
        tuple((number, JudgePhase.parse(name)) for _, number, name, _ in names),
        found[1] if found else None,
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
    own = [t for t in rows.tenures if t.user_id == user_id] if receipts and user_id else []
    return tuple(
        facts
        for seat in rows.seats
        if seat.pk in receipts
        for facts in _read_receipt(rows, phase, receipts[seat.pk], own)
    )


def read_own_receipts(reader: Reader) -> tuple[ReceiptFacts, ...]:
    """Return the viewer's own receipts for the newest phase."""
    rows = reader.rows
    own, phase = rows.own_seat, rows.phase
    receipts = read_receipts_of(rows, phase) if own and phase else ()
    return tuple(facts for facts in receipts if own and facts.seat == own.pk and facts.open)


def read_saves(reader: Reader, *sequences: int) -> tuple[SaveFacts, ...]:
    """Return the viewer's signed receipts of saves in these phases, newest first."""
    rows = reader.rows
    if rows.viewer.user_id is None:
        return ()
    saves = SaveReceipt.objects.filter(
        phase__game=rows.game, phase__sequence__in=list(sequences), user=rows.viewer.user_id
    )
    newest = saves.select_related("key").order_by("-pk").annotate(phase_name=F("phase__name"))
    return tuple(
        SaveFacts(
            phase=JudgePhase.parse(str(vars(row)["phase_name"])),
            at=row.at,
            digest=row.digest,
            text=row.text,
            salt=row.salt,
            key=row.key.key_id,
            signature=row.signature,
        )
        for row in newest[:_MAX_SAVES]
    )


def _is_own(receipt: Receipt, tenures: Iterable[Tenure]) -> bool:
    """Return whether one of `tenures` held the receipt's seat when it was issued."""
    return any(
        tenure.seat_id == receipt.seat_id
        and tenure.since_at <= receipt.issued_at
        and (tenure.until_at is None or receipt.issued_at <= tenure.until_at)
        for tenure in tenures
    )


def _read_receipt(
    rows: GameRows, phase: Phase, row: Receipt, own: Iterable[Tenure]
) -> Iterator[ReceiptFacts]:
    """Yield the facts for each digest of a receipt."""
    is_open = rows.is_finished or _is_own(row, own)
    is_public = row.is_sealed and phase.processed_at is not None
    if row.digest:
        part = Part.ORDERS if row.is_sealed else Part.EVERYTHING
        proof = _Proof(row.digest, row.salt, row.text)
        yield _read_proof(row, part, proof, is_open=is_open or is_public)
    if row.sealed_digest:
        proof = _Proof(row.sealed_digest, row.sealed_salt, row.sealed_text)
        yield _read_proof(row, Part.SEALED, proof, is_open=is_open)


@dataclass(frozen=True, slots=True)
class _Proof:
    digest: str
    salt: str
    text: str


def _read_proof(row: Receipt, part: Part, proof: _Proof, *, is_open: bool) -> ReceiptFacts:
    if not is_open:
        return ReceiptFacts(row.seat_id, part, proof.digest, row.issued_at, open=False)
    return ReceiptFacts(
        row.seat_id,
        part,
        proof.digest,
        row.issued_at,
        open=True,
        salt=proof.salt,
        text=proof.text,
        valid=receipt_digest(proof.salt, proof.text) == proof.digest,
    )


# The orders that a person wrote in all games, for the download of personal data.


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A period in which a person held a seat; `orders` are as written, by phase.

    `number` distinguishes several periods in the same seat.
    """

    slug: str
    world: str
    country: str
    power: str
    number: int
    since_at: dt.datetime
    until_at: dt.datetime | None
    orders: tuple[tuple[str, tuple[str, ...]], ...]


def list_own_games(user_id: int) -> Iterator[OwnGame]:
    """Yield the games of a person, oldest first, with the live orders of each phase."""
    tenures = Tenure.objects.filter(user=user_id).select_related("seat__game").order_by("pk")
    numbers: dict[int, int] = {}
    for tenure in tenures:
        seat = tenure.seat
        numbers[seat.pk] = number = numbers.get(seat.pk, 0) + 1
        yield OwnGame(
            slug=seat.game.slug,
            world=seat.game.world,
            country=seat.country_name,
            power=seat.power or "",
            number=number,
            since_at=tenure.since_at,
            until_at=tenure.until_at,
            orders=_list_orders(tenure),
        )


def _list_orders(tenure: Tenure) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the live orders that were saved while the person held the seat."""
    rows = OrderRow.objects.filter(draft__seat=tenure.seat_id, draft__live=True)
    rows = rows.filter(saved_at__gte=tenure.since_at)
    if tenure.until_at is not None:
        rows = rows.filter(saved_at__lte=tenure.until_at)
    # A phase that was replayed after a rollback has a different number.
    names = ("draft__phase__sequence", "draft__phase__name", "written")
    orders: dict[str, list[str]] = {}
    for sequence, phase, written in rows.order_by(names[0], "pk").values_list(*names):
        orders.setdefault(f"{sequence} {phase}", []).append(written)
    return tuple((phase, tuple(found)) for phase, found in orders.items())


# Whether a player is ready, without reading the rest of the game.


def is_seat_ready(slug: str, user_id: int, sequence: int) -> bool:
    """Return whether the person's seat is marked as ready in a phase of a game."""
    submissions = Submission.objects.filter(
        phase__game__slug=slug, phase__sequence=sequence, seat__user_id=user_id
    )
    return submissions.exclude(ready_at=None).exists()


# The games in which a person can send orders by Slack.


MAX_GAMES: Final = 40
"""A person with more running games than this can order by Slack only in the newest."""


@dataclass(frozen=True, slots=True)
class OrderGame:
    """A running game that takes orders by Slack."""

    slug: str
    world: str


def list_order_games(user_id: int) -> tuple[OrderGame, ...]:
    """Return the person's running games that take orders by Slack, newest first."""
    seats = Seat.objects.filter(user=user_id, finished_at=None, game__status=Status.RUNNING)
    seats = seats.select_related("game").order_by("-game")[:MAX_GAMES]
    return tuple(
        OrderGame(seat.game.slug, seat.game.world) for seat in seats if seat.game.options.slack
    )
