"""The contents of record lines: one function for each kind of line, from plain values.

Each returns the body of a line for `chain.make_line`. A body must not name people or contain
anything that is not public when the line is written. `at` is None in games without a clock.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import board_to_json, rules_to_json
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.answers import words_of
from diplomaccloud.judge.protocol.records import RECORD, board_hash
from diplomaccloud.judge.protocol.requests import Request, position_to_request
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.version import __version__
from diplomaccloud.record.chain import Body, canonical_text, format_time, hash_text
from diplomaccloud.record.commitments import salted_digest
from diplomaccloud.record.signatures import SigningKey

VERSION = 2
STANDARD = "standard"
SUBSTITUTE: Final = "greedy"
"""The bot that orders in place of a bot that fails or runs out of time."""


class LineKind(StrEnum):
    """The kinds of lines."""

    GAME = "game"
    DRAW = "draw"
    OPEN = "open"
    LOCK = "lock"
    RESOLVE = "resolve"
    SEAT = "seat"
    VOTE = "vote"
    LOG = "log"
    COIN = "coin"
    ROLLBACK = "rollback"
    REVEAL = "reveal"
    END = "end"
    SEAL = "seal"
    RECEIPT = "receipt"


class Source(StrEnum):
    """Where a game was played. Records of a site have times and signatures."""

    SITE = "site"
    ARENA = "arena"


class SeatChange(StrEnum):
    """What happened to a seat."""

    RESIGNED = "resigned"
    REMOVED = "removed"
    ABANDONED = "abandoned"
    TAKEN = "taken"
    BOT = "bot"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A seat at the start: its powers, and the bot that plays it, or blank for a person.

    `bot` is None in games that hide which seats are bots. The powers of a `reserved` seat were not
    drawn.
    """

    powers: Sequence[Power]
    bot: str | None = None
    reserved: bool = False


@dataclass(frozen=True, slots=True)
class LockedSeat:
    """The digests of a seat at the lock; `orders` is None if the seat has nothing to order.

    `sealed` is the digest of the part that stays private: conditional orders and the draw vote.
    """

    seat: int
    orders: str | None
    sealed: str | None = None


@dataclass(frozen=True, slots=True)
class Sealed:
    """The text behind a `sealed` digest, published at the end of a game."""

    seat: int
    salt: str
    text: str


def game_line(
    *,
    game: str,
    board: Board,
    rules: RuleSet,
    setup: str,
    seats: int,
    commits: Mapping[str, str],
    places: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    reserved: Sequence[str] = (),
    hidden_bots: bool = False,
    source: Source = Source.SITE,
    at: dt.datetime | None = None,
) -> Body:
    """Return the first line, written before anyone joins.

    `setup` is the name of a setup of Europe, or blank for the map's own. `commits` holds the
    commitments to the secrets `draw`, `seats`, `characters` and `coin`, and `places` those to the
    numbers of the seats in the order in which they are taken. The `reserved` powers are the first
    ones of seats whose holders the creator of the game has chosen.
    """
    switches = _dump_rules(rules)
    return {
        **_begin(LineKind.GAME, at),
        "record": RECORD,
        "v": VERSION,
        "id": game,
        "source": source.value,
        "engine": __version__,
        **_dump_board(board),
        "rules": switches,
        "rules_hash": hash_text(canonical_text(switches)),
        "setup": setup,
        "seats": seats,
        "bots": "hidden" if hidden_bots else "public",
        "options": dict(options or {}),
        "commits": dict(commits),
        **({"places": list(places)} if places else {}),
        **({"reserved": list(reserved)} if reserved else {}),
    }


def draw_line(
    *,
    secret: str,
    seats: Sequence[DrawnSeat],
    secrets: Mapping[str, str] | None = None,
    commits: Mapping[str, str] | None = None,
    places: Sequence[str] = (),
    late: bool = False,
    at: dt.datetime | None = None,
) -> Body:
    """Return the line for the draw of powers; seats are numbered from 1 in the order of `seats`.

    `secrets` has the secret `seats` unless names are hidden. `commits` and `places` are those of
    the first line if it is older than they are. The line is `late` if the record should have had it
    before the first phase.
    """
    listed: list[Body] = []
    for number, drawn in enumerate(seats, start=1):
        entry: Body = {"seat": number, "powers": list(drawn.powers)}
        if drawn.reserved:
            entry["reserved"] = True
        listed.append(entry if drawn.bot is None else {**entry, "bot": drawn.bot})
    return {
        **_begin(LineKind.DRAW, at),
        "secret": secret,
        "seats": listed,
        **({"secrets": dict(secrets)} if secrets else {}),
        **({"commits": dict(commits), "places": list(places)} if commits else {}),
        **({"late": True} if late else {}),
    }


def open_line(
    *,
    sequence: int,
    branch: int,
    position: Position,
    commits: Mapping[str, str],
    disorder: Mapping[Power, str] | None = None,
    due_at: dt.datetime | None = None,
    board: Board | None = None,
    at: dt.datetime | None = None,
) -> Body:
    """Return the opening of a phase, with the commitments to the secrets `judge` and `bots`.

    `board` is the board if it has changed since the last line with a board. `disorder` holds
    the powers in civil disorder, with the reasons.
    """
    return {
        **_begin(LineKind.OPEN, at),
        "sequence": sequence,
        "branch": branch,
        "engine": __version__,
        "position": position_to_request(position),
        "disorder": dict(disorder or {}),
        "commits": dict(commits),
        **({"due_at": format_time(due_at)} if due_at else {}),
        **(_dump_board(board) if board else {}),
    }


def lock_line(*, sequence: int, seats: Iterable[LockedSeat], at: dt.datetime | None = None) -> Body:
    """Return the lock of the orders: the digests of all seats that could order, by number."""
    return {
        **_begin(LineKind.LOCK, at),
        "sequence": sequence,
        "seats": [
            {"seat": locked.seat}
            | ({} if locked.orders is None else {"orders": locked.orders})
            | ({} if locked.sealed is None else {"sealed": locked.sealed})
            for locked in sorted(seats, key=lambda locked: locked.seat)
        ],
    }


def resolve_line(
    *,
    sequence: int,
    board: Board,
    rules: RuleSet,
    position: Position,
    orders: Iterable[Order],
    resolution: Resolution,
    salts: Mapping[int, str],
    secrets: Mapping[str, str],
    bots: Mapping[int, str] | None = None,
    promised: Collection[int] = frozenset(),
    replaced: Collection[int] = frozenset(),
    written: Mapping[Power, Mapping[str, str]] | None = None,
    at: dt.datetime | None = None,
) -> Body:
    """Return the results of a phase, with the orders that counted and the salts of the digests.

    `orders` are in the sequence in which they were adjudicated; `salts` holds the salts of the
    `orders` digests at the lock, by seat. `secrets` has `judge`, and `bots` unless bots or their
    characters are hidden. `bots` has the bot of each seat whose orders a bot wrote; `promised` are
    the seats among them whose orders keep a promise that is not in the record; and for the seats in
    `replaced`, the greedy bot ordered because their own bot failed. `written` has the text typed
    for an order, by power and canonical order.
    """
    texts: dict[str, list[str]] = {}
    for order in orders:
        texts.setdefault(power_of(order), []).append(str(order))
    return {
        **_begin(LineKind.RESOLVE, at),
        "sequence": sequence,
        "engine": __version__,
        "orders": texts,
        "results": words_of(Request(board, rules, position), resolution)[0],
        "next": position_to_request(resolution.next),
        **({"ending": _dump_ending(resolution.ending)} if resolution.ending else {}),
        "salts": [{"seat": seat, "salt": salt} for seat, salt in sorted(salts.items())],
        "secrets": dict(secrets),
        **({} if bots is None else {"bots": list_bots(bots, promised, replaced)}),
        **({"written": {p: dict(typed) for p, typed in written.items()}} if written else {}),
    }


def seat_line(
    *, seat: int, change: SeatChange, bot: str | None = None, at: dt.datetime | None = None
) -> Body:
    """Return a change of who plays a seat.

    `bot` is the bot that has the seat now: blank for a person or nobody, None if it is hidden.
    """
    body = {**_begin(LineKind.SEAT, at), "seat": seat, "change": change.value}
    return body if bot is None else {**body, "bot": bot}


def vote_line(
    *,
    vote: int,
    question: str,
    state: str,
    terms: Mapping[str, object] | None = None,
    seat: int | None = None,
    ballots: Mapping[int, bool] | None = None,
    at: dt.datetime | None = None,
) -> Body:
    """Return a vote that opened or closed.

    `vote` is its number in the game, `state` is `opened` or the outcome, and `seat` is the seat
    that called it. `ballots` are by seat, and given only if they are public.
    """
    return {
        **_begin(LineKind.VOTE, at),
        "vote": vote,
        "question": question,
        "state": state,
        **({"terms": dict(terms)} if terms else {}),
        **({} if seat is None else {"seat": seat}),
        **({} if ballots is None else {"ballots": {str(k): v for k, v in ballots.items()}}),
    }


def log_line(
    *,
    entry: str,
    text: str,
    by: str | int = "site",
    sequence: int | None = None,
    reason: str = "",
    data: Mapping[str, object] | None = None,
    at: dt.datetime | None = None,
) -> Body:
    """Return an entry of the public log; `by` is `site`, `master`, `player` or a seat's number."""
    return {
        **_begin(LineKind.LOG, at),
        "entry": entry,
        "text": text,
        "by": by,
        **({} if sequence is None else {"sequence": sequence}),
        **({"reason": reason} if reason else {}),
        **({"data": dict(data)} if data else {}),
    }


def coin_line(*, secret: str, power: Power, seat: int, at: dt.datetime | None = None) -> Body:
    """Return the result of the coin flip of 1914: `power` joins `seat`."""
    return {**_begin(LineKind.COIN, at), "secret": secret, "power": power, "seat": seat}


def rollback_line(
    *,
    forward: bool,
    branch: int,
    to: int,
    commits: Mapping[str, str] | None = None,
    at: dt.datetime | None = None,
) -> Body:
    """Return a rollback to the phase `to`, or its undoing.

    After going back, an `open` line follows, with the position of the phase `to` and a new sequence
    number. After going forward, the game continues in the phase `to`, which was the newest before
    the rollback. `branch` is the branch on which the game continues. `commits` has a new commitment
    to the secret `coin` if the old secret is known.
    """
    return {
        **_begin(LineKind.ROLLBACK, at),
        "direction": "forward" if forward else "back",
        "branch": branch,
        "to": to,
        **({"commits": dict(commits)} if commits else {}),
    }


def reveal_line(
    *,
    sequence: int,
    bots_secret: str | None = None,
    bots: Sequence[Body] | None = None,
    sealed: Iterable[Sealed] = (),
    at: dt.datetime | None = None,
) -> Body:
    """Return the secrets of a phase that were hidden until the end of the game.

    `bots` are those whose orders counted, from `list_bots`.
    """
    return {
        **_begin(LineKind.REVEAL, at),
        "sequence": sequence,
        **({} if bots_secret is None else {"secrets": {"bots": bots_secret}}),
        **({} if bots is None else {"bots": list(bots)}),
        "sealed": [
            {"seat": private.seat, "salt": private.salt, "text": private.text}
            for private in sorted(sealed, key=lambda private: private.seat)
        ],
    }


def end_line(
    *,
    ending: Ending,
    secrets: Mapping[str, str] | None = None,
    at: dt.datetime | None = None,
) -> Body:
    """Return the end of the game, with the secrets that were still hidden, e.g. `seats`."""
    return {
        **_begin(LineKind.END, at),
        "ending": _dump_ending(ending),
        "secrets": dict(secrets or {}),
    }


def _begin(kind: LineKind, at: dt.datetime | None) -> Body:
    return {"kind": kind.value} if at is None else {"kind": kind.value, "at": format_time(at)}


def _dump_rules(rules: RuleSet) -> Body:
    return {key: value for key, value in rules_to_json(rules).items() if key != "v"}


def _dump_board(board: Board) -> Body:
    is_standard = board == standard_board()
    return {
        "map": STANDARD if is_standard else board_to_json(board),
        "map_hash": board_hash(board),
    }


def list_bots(
    bots: Mapping[int, str],
    promised: Collection[int] = frozenset(),
    replaced: Collection[int] = frozenset(),
) -> list[Body]:
    """Return the bots whose orders counted in a phase, by seat, as for `resolve_line`."""
    return [
        {
            "seat": seat,
            "bot": bot,
            **({"instead": SUBSTITUTE} if seat in replaced else {}),
            **({"promised": True} if seat in promised else {}),
        }
        for seat, bot in sorted(bots.items())
    ]


def _dump_ending(ending: Ending) -> Body:
    return {"winners": list(ending.winners), "reason": ending.reason}


# The signed lines that follow a chain in a download: the seal and receipts.


def seal_line(*, game: str, lines: int, head: str, key: SigningKey | None = None) -> Body:
    """Return the seal of a chain of `lines` lines whose last hash is `head`.

    An arena's seal has no signature.
    """
    body: Body = {"kind": LineKind.SEAL.value, "id": game, "lines": lines, "head": head}
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
        "kind": LineKind.RECEIPT.value,
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
