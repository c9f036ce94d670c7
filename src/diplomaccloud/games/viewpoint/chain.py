"""A game's record as a chain of lines with the site's seal, and the viewer's own receipts."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.games.models import RecordLine, SaveReceipt, SigningKey, Tenure
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.record.chain import Body, ChainLine, make_lines
from diplomaccloud.record.commitments import draw_numbers, place_proof
from diplomaccloud.record.signatures import dump_keys
from diplomaccloud.record.signed_lines import Receipt, receipt_line, seal_line

_LINES_AT_ONCE = 200
"""A line with a phase has a few kilobytes, and a line with a map a few hundred."""


@dataclass(frozen=True, slots=True)
class RecordEnd:
    """The number of lines in the record of a game, and the hash of the last line."""

    lines: int
    head: str


def read_record_end(rows: GameRows) -> RecordEnd | None:
    """Return the end of the record, or None for a game older than this kind of record."""
    game = rows.game
    return RecordEnd(game.record_length, game.record_head) if game.record_length else None


def dump_chain(rows: GameRows, end: RecordEnd) -> Iterator[str]:
    """Yield the lines up to `end` and the seal, the same for every viewer."""
    yield from _read_lines(rows, end)
    yield from _link(end, [_seal(rows, end)])


def dump_own_chain(rows: GameRows, end: RecordEnd) -> Iterator[str]:
    """Yield the lines of `dump_chain`, followed by the viewer's own receipts."""
    yield from _read_lines(rows, end)
    yield from _link(end, [_seal(rows, end), *_read_receipts(rows)])


@dataclass(frozen=True, slots=True)
class OwnNumber:
    """The number of the viewer's seat, and how to check it against the first line of the record.

    The SHA-256 of `proof` is entry `place` of the line's `places`.
    """

    number: int
    place: int
    proof: str


def find_own_number(rows: GameRows) -> OwnNumber | None:
    """Return the number of the viewer's seat, or None if the viewer did not take it at the start.

    A successor must not learn when the first player joined.
    """
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
    return tuple(
        SiteKey(key.key_id, key.public, key.created_at, key.retired_at)
        for key in SigningKey.objects.order_by("pk")
    )


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


def _read_lines(rows: GameRows, end: RecordEnd) -> Iterator[str]:
    # Lines never change, so they can be read in chunks.
    lines = RecordLine.objects.filter(game=rows.game).order_by("number")
    for first in range(1, end.lines + 1, _LINES_AT_ONCE):
        last = min(first + _LINES_AT_ONCE - 1, end.lines)
        chunk = lines.filter(number__gte=first, number__lte=last)
        yield from chunk.values_list("text", flat=True)


def _seal(rows: GameRows, end: RecordEnd) -> Body:
    key = SigningKey.objects.current()
    return seal_line(
        game=rows.game.slug, lines=end.lines, head=end.head, key=key.key if key else None
    )


def _link(end: RecordEnd, bodies: list[Body]) -> Iterator[str]:
    lines = make_lines(bodies, after=ChainLine(end.lines, "", end.head))
    return (line.text for line in lines)


def _read_receipts(rows: GameRows) -> list[Body]:
    saved = SaveReceipt.objects.filter(phase__game=rows.game, user=rows.viewer.user_id)
    receipts = list(saved.select_related("key", "seat", "phase").defer("phase__position"))
    return [
        receipt_line(
            receipt=Receipt(
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
