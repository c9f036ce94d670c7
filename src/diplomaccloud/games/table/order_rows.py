"""Writing the orders of a seat as rows: its drafts, what it submits, and its receipts."""

import datetime as dt
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import IntegrityError, transaction
from django.db.models import Case, F, Max, When

from diplomaccloud.entry.orders import Problem, Reading
from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import NoSuchDraft
from diplomaccloud.games.table.log_models import SaveReceipt
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import (
    FIRST_DRAFT,
    MAX_WRITTEN,
    Draft,
    OrderRow,
    Phase,
    Receipt,
    Submission,
    orders_by_unit,
)
from diplomaccloud.games.table.record_lines import ensure_key
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Disband, Order, Waive, power_of
from diplomaccloud.record import commitments as digests
from diplomaccloud.record.lines import Receipt as SignedReceipt
from diplomaccloud.shared.prepared_queries import PreparedQuery

Lines = Mapping[str, tuple[Order, str]]
"""Orders with their texts, by the unit or waive they are for: see `OrderRow.unit`."""


def write_orders(*, phase: Phase, seat: Seat, reading: Reading, now: dt.datetime) -> None:
    """Write a bot's orders, or conditional orders that apply, to the seat's live draft.

    Runs in the caller's transaction. The orders replace all others in the draft.
    """
    submit(phase, seat, now)
    draft = find_or_create_draft(phase, seat, "", now)
    write_lines(draft, list_orders(draft), list_lines(reading), now)
    events.record(game=phase.game, kind="saved", now=now, seat=seat)


def submit(phase: Phase, seat: Seat, now: dt.datetime, *, ready: bool = False) -> None:
    """Record that the seat has submitted and, with `ready`, that it is ready.

    If conditional orders had submitted for the seat, the submission becomes the player's own and
    the ready mark is removed: if saving orders added it, it would show who wrote conditional
    orders.
    """
    submission = phase.submissions.filter(seat=seat)
    kept = Case(When(by_conditional_orders=True, then=None), default=F("ready_at"))
    changes = {"ready_at": now if ready else kept, "by_conditional_orders": False}
    if not submission.update(saved_at=now, **changes):
        ready_at = now if ready else None
        Submission.objects.create(phase=phase, seat=seat, saved_at=now, ready_at=ready_at)


def find_or_create_draft(phase: Phase, seat: Seat, name: str, now: dt.datetime) -> Draft:
    """Return the seat's draft called `name`; a blank name is the live draft.

    If there is no live draft, it is created as saved at `now`. Drafts of earlier holders of the
    seat do not count. Raises `NoSuchDraft` if no draft has the name.
    """
    drafts = _held_drafts.read(phase.pk, seat.pk)
    live = next((draft for draft in drafts if draft.live), None)
    named = next((draft for draft in drafts if draft.name == name), None)
    if named is None and name in ("", FIRST_DRAFT):
        named = live or _create_first_draft(phase, seat, now)
    if named is None:
        raise NoSuchDraft
    named.phase, named.seat = phase, seat
    return named


_held_drafts = PreparedQuery(
    lambda phase, seat: Draft.objects.filter(phase=phase).held_by(seat), int, int
)


def list_orders(draft: Draft) -> list[OrderRow]:
    """Return the rows of the orders in a draft, in the sequence in which they were written."""
    return _orders_of_draft.read(draft.pk)


_orders_of_draft = PreparedQuery(lambda draft: OrderRow.objects.filter(draft=draft), int)


def _create_first_draft(phase: Phase, seat: Seat, now: dt.datetime) -> Draft:
    def create(name: str) -> Draft:
        return Draft.objects.create(phase=phase, seat=seat, name=name, live=True, saved_at=now)

    try:
        with transaction.atomic():
            return create(FIRST_DRAFT)
    except IntegrityError:
        # A draft of an earlier holder of the seat already has this name.
        names = phase.drafts.filter(seat=seat).values_list("name", flat=True)
        return create(find_free_name(FIRST_DRAFT, set(names)))


def find_free_name(name: str, taken: Collection[str]) -> str:
    """Return `name`, followed by a number if it is already in `taken`."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


def list_lines(reading: Reading) -> Lines:
    """Return the legal orders of `reading` by the unit or waive they are for."""
    texts = [text for _, text in reading.lines]
    by_unit = orders_by_unit(reading.orders).items()
    return {unit: (order, text) for (unit, order), text in zip(by_unit, texts, strict=True)}


def replace_orders(saved: Sequence[OrderRow], reading: Reading) -> Lines:
    """Return the `saved` orders; an order of `reading` replaces the saved one for the same unit."""
    return {row.unit: (row.canonical, row.written) for row in saved} | dict(list_lines(reading))


def add_adjustments(
    saved: Sequence[OrderRow], reading: Reading, owed: Mapping[Power, int]
) -> Reading:
    """Return the new set of builds or disbands if some orders in `reading` were refused.

    A saved order stays unless the new set has one for the same province. New orders are added up to
    the number that each power is `owed`, and the rest are refused. A saved waive gives way to a
    build.
    """
    provinces = {order.unit.province for order in reading.orders if not isinstance(order, Waive)}
    units = [row for row in saved if not isinstance(row.canonical, Waive)]
    replaced = {_province(row.canonical) for row in units} & provinces
    lines = [
        (row.canonical, row.written) for row in units if _province(row.canonical) not in provinces
    ]
    problems = list(reading.problems)
    # Orders that replace saved ones come first, since they don't add to the number.
    for order, text in sorted(reading.lines, key=lambda line: _province(line[0]) not in replaced):
        if _has_room(lines, order, owed):
            lines.append((order, text))
        else:
            most = owed[power_of(order)]
            stay = "your saved order stays" if most == 1 else f"your {most} saved orders stay"
            why = f"Only {most} can be ordered in this phase, and {stay}"
            problems.append(Problem(text, f"{why} because an order was refused."))
    waives = [row for row in saved if isinstance(row.canonical, Waive)]
    for row in waives[sum(isinstance(order, Waive) for order in reading.orders) :]:
        if _has_room(lines, row.canonical, owed):
            lines.append((row.canonical, row.written))
    return Reading(tuple(lines), tuple(problems))


def keep_adjustments(
    saved: Sequence[OrderRow], reading: Reading, owed: Mapping[Power, int]
) -> Reading:
    """Return the new builds and disbands with the saved ones that they don't replace.

    New builds and waives of a power replace all that it has saved. A saved disband stays if the
    new orders leave room for it, the oldest first, so that disbands can be ordered one by one.
    """
    powers = set(map(power_of, reading.orders))
    named = {order.unit for order in reading.orders if isinstance(order, Disband)}
    lines = list(reading.lines)
    # The sequence of the rows says nothing of their age.
    for row in sorted(saved, key=lambda each: each.saved_at):
        order = row.canonical
        if isinstance(order, Disband):
            is_replaced = order.unit in named
        else:
            is_replaced = power_of(order) in powers
        if not is_replaced and _has_room(lines, order, owed):
            lines.append((order, row.written))
    return Reading(tuple(lines))


def _province(order: Order) -> str:
    return "" if isinstance(order, Waive) else order.unit.province


def _has_room(lines: Sequence[tuple[Order, str]], order: Order, owed: Mapping[Power, int]) -> bool:
    power = power_of(order)
    return sum(power_of(line) == power for line, _ in lines) < owed[power]


def write_lines(
    draft: Draft,
    saved: Sequence[OrderRow],
    lines: Lines,
    now: dt.datetime,
    *,
    page: str = "",
    change: int = 0,
) -> list[Order]:
    """Replace the rows `saved` of `draft` by `lines`; rows that stay the same keep their time.

    Returns the orders in the sequence of their rows: by unit, because the sequence becomes public,
    and must not show which order was given last. `page` and `change` are those of the `Draft`.
    """
    stamp = {"saved_at": now, "page": page, "change": change}
    changed = [name for name, value in stamp.items() if getattr(draft, name) != value]
    if changed:
        for name in changed:
            setattr(draft, name, stamp[name])
        draft.save(update_fields=changed)
    rows = [
        OrderRow(draft=draft, unit=unit, written=text[:MAX_WRITTEN], canonical=order, saved_at=now)  # type: ignore[misc]  # see TypedJSONField
        for unit, (order, text) in sorted(lines.items())
    ]
    known = {row.unit: row for row in saved}
    for row in rows:
        if _is_same(row, known.get(row.unit)):
            row.saved_at = known[row.unit].saved_at
    pairs = list(zip(rows, saved, strict=False))
    same = next((n for n, pair in enumerate(pairs) if not _is_same(*pair)), len(pairs))
    if replaced := [row.pk for row in saved[same:]]:
        draft.orders.filter(pk__in=replaced).delete()
    OrderRow.objects.bulk_create(rows[same:])
    return [row.canonical for row in rows]


def _is_same(row: OrderRow, saved: OrderRow | None) -> bool:
    return saved is not None and (row.unit, row.canonical, row.written) == (
        saved.unit,
        saved.canonical,
        saved.written,
    )


def make_receipts(phase: Phase, orders: Iterable[OrderRow], now: dt.datetime) -> list[Receipt]:
    """Return a new receipt for each seat that can order or vote in a phase that is being locked."""
    seats, played = phase.game.seat_list, phase.played_with
    to_order = phase.powers_to_order()
    standing = set(players_left(phase.position)) - set(phase.civil_disorder)
    ordering = [seat for seat in seats if to_order.intersection(played.get(seat.power, ()))]
    sealing = [
        seat
        for seat in seats
        if seat.user_id is not None and standing.intersection(played.get(seat.power, ()))
    ]
    orders_of: dict[int, list[Order]] = {}
    for row in orders:
        orders_of.setdefault(row.draft.seat_id, []).append(row.canonical)
    texts = {seat.pk: _write_orders(phase, seat, orders_of.get(seat.pk, ())) for seat in ordering}
    sealed_texts = _write_sealed_texts(phase, sealing)
    salts = _choose_salts(phase, ordering, texts)
    receipts = []
    for seat in seats:
        receipt = Receipt(phase=phase, seat=seat, issued_at=now)
        if seat.pk in texts:
            receipt.text, receipt.salt = texts[seat.pk], salts[seat.pk]
            receipt.digest = digests.salted_digest(receipt.salt, receipt.text)
        if seat.pk in sealed_texts:
            receipt.sealed_text, receipt.sealed_salt = sealed_texts[seat.pk], _make_salt()
            receipt.sealed_digest = digests.salted_digest(receipt.sealed_salt, receipt.sealed_text)
        if receipt.text or receipt.sealed_text:
            receipts.append(receipt)
    return receipts


def _choose_salts(phase: Phase, seats: Sequence[Seat], texts: Mapping[int, str]) -> dict[int, str]:
    """Return the salt of each seat: that of the last signed receipt if it was for the same orders.

    That way players find the digest of their receipt in the record. Other seats get a new salt,
    which looks the same.
    """
    # A player may have saved hundreds of times, and the game is locked meanwhile.
    players = phase.save_receipts.order_by().values("seat", "user")
    newest = players.annotate(newest=Max("pk")).values("newest")
    rows = SaveReceipt.objects.filter(pk__in=newest).only("seat", "user", "text", "salt")
    saved = {(row.seat_id, row.user_id): (row.text, row.salt) for row in rows}
    salts = {}
    for seat in seats:
        text, salt = saved.get((seat.pk, seat.user_id or 0), ("", ""))
        salts[seat.pk] = salt if text == texts[seat.pk] else _make_salt()
    return salts


def _make_salt() -> str:
    return secrets.token_hex(16)


def _write_orders(phase: Phase, seat: Seat, orders: Iterable[Order]) -> str:
    """Return the text of the orders of a seat; `orders` are in the sequence they were written."""
    texts: dict[Power, list[str]] = {}
    for order in orders:
        texts.setdefault(power_of(order), []).append(str(order))
    return digests.orders_text(
        game=phase.game.slug,
        sequence=phase.sequence,
        phase=phase.name,
        seat=seat.number or 0,
        powers=phase.played_with.get(seat.power, ()),
        orders=texts,
    )


def _write_sealed_texts(phase: Phase, seats: Iterable[Seat]) -> dict[int, str]:
    """Return the texts of everything that stays private after processing, by seat key."""
    conditional = {row.seat_id: row for row in phase.conditional_orders.all()}
    return {
        seat.pk: digests.sealed_text(
            game=phase.game.slug,
            sequence=phase.sequence,
            phase=phase.name,
            seat=seat.number or 0,
            conditional={
                power: conditional[seat.pk].text_for(power)
                for power in phase.played_with.get(seat.power, ())
                if seat.pk in conditional
            },
            draw_vote=phase.draw_votes.get(seat.pk, ""),
        )
        for seat in seats
    }


def issue_receipt(
    phase: Phase,
    seat: Seat,
    orders: Iterable[Order],
    *,
    user_id: int,
    now: dt.datetime,
    automatic: bool = False,
) -> SaveReceipt:
    """Sign and return a receipt that a player saved these live orders at `now`.

    Called in the transaction that saves the orders. `orders` are in the sequence of their rows. An
    `automatic` receipt takes the place of the one before it, so that the last one is there at the
    lock, and the number of them says nothing about how often the player saved.
    """
    if automatic:
        SaveReceipt.objects.filter(
            phase=phase, seat=seat, user=user_id, automatic__in=[True]
        ).delete()
    receipt = SignedReceipt(
        game=phase.game.slug,
        phase=phase.name,
        sequence=phase.sequence,
        seat=seat.number or 0,
        at=now,
        salt=_make_salt(),
        text=_write_orders(phase, seat, orders),
    )
    key = ensure_key(now)
    return SaveReceipt.objects.create(
        phase=phase,
        seat=seat,
        user_id=user_id,
        at=now,
        text=receipt.text,
        salt=receipt.salt,
        digest=receipt.digest,
        key=key,
        signature=receipt.sign(key.key),
        automatic=automatic,
    )
