"""The signed lines that follow a chain in a download: the seal and receipts."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.record.chain import Body, canonical_text, format_time
from diplomaccloud.record.digests import salted_digest
from diplomaccloud.record.lines import Kind
from diplomaccloud.record.signatures import SigningKey


def seal_line(*, game: str, lines: int, head: str, key: SigningKey | None = None) -> Body:
    """Return the seal of a chain of `lines` lines whose last hash is `head`.

    An arena's seal has no signature.
    """
    body: Body = {"kind": Kind.SEAL.value, "id": game, "lines": lines, "head": head}
    if key is None:
        return body
    signed = key.sign(seal_message(game=game, lines=lines, head=head, key_id=key.key_id))
    return {**body, "key": key.key_id, "public": key.public, "signature": signed}


def seal_message(*, game: str, lines: int, head: str, key_id: str) -> str:
    """Return the text that is signed for a seal."""
    parts = {"kind": "seal", "game": game, "lines": lines, "head": head, "key": key_id}
    return canonical_text(parts)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the site signs when orders are saved: the seat, the orders' digest and the time.

    `digest` is the digest of `salt` and `text`, which only the player has.
    """

    game: str
    phase: str
    sequence: int
    seat: int
    at: dt.datetime
    salt: str
    text: str

    @property
    def digest(self) -> str:
        """The salted digest of the orders."""
        return salted_digest(self.salt, self.text)

    def message(self, key_id: str) -> str:
        """Return the text that is signed for the receipt."""
        return receipt_message(
            game=self.game,
            phase=self.phase,
            sequence=self.sequence,
            seat=self.seat,
            at=format_time(self.at),
            digest=self.digest,
            key_id=key_id,
        )

    def sign(self, key: SigningKey) -> str:
        """Sign the receipt with `key`, and return the signature."""
        return key.sign(self.message(key.key_id))


def receipt_message(
    *, game: str, phase: str, sequence: int, seat: int, at: str, digest: str, key_id: str
) -> str:
    """Return the text that is signed for a receipt."""
    return canonical_text(
        {
            "kind": "receipt",
            "game": game,
            "phase": phase,
            "sequence": sequence,
            "seat": seat,
            "at": at,
            "digest": digest,
            "key": key_id,
        }
    )


def receipt_line(
    *, receipt: Receipt, key_id: str, public: str, signature: str, number: int, total: int
) -> Body:
    """Return one of the reader's own receipts, to follow the seal in a download.

    It is receipt `number` of `total`, counted from 1 and sorted from the oldest to the newest.
    """
    return {
        "kind": Kind.RECEIPT.value,
        "number": number,
        "of": total,
        "at": format_time(receipt.at),
        "game": receipt.game,
        "phase": receipt.phase,
        "sequence": receipt.sequence,
        "seat": receipt.seat,
        "salt": receipt.salt,
        "text": receipt.text,
        "digest": receipt.digest,
        "key": key_id,
        "public": public,
        "signature": signature,
    }
