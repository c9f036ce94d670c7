"""The state kept while reading a game's record, small enough for the longest game."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import Json, Node
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.record.chain import canonical_text
from diplomaccloud.record.commitments import commit
from diplomaccloud.record.report import RecordFault, Report
from diplomaccloud.setups import Setup, flip_coin

MAX_PHASES = 5_000
"""The most phases of a game; a century of play has about 500."""

MAX_ROLLBACKS = 1_000
MAX_BOARDS = 20
"""How many times the board of a game may change."""

MAX_STORED = 64 * 1024 * 1024
"""The most bytes of compressed positions that are kept to check hidden bots at the end."""

MAX_TEXT = 100_000
"""The most characters in the orders, or the conditional orders, of a seat in one phase."""

HASH_LENGTH = 64
_HEX = frozenset("0123456789abcdef")


@dataclass(slots=True)
class LockedDigests:
    """What is kept about a seat at a lock: its digests, and the hash of its orders as text.

    `place` is the line of the lock.
    """

    orders: str | None
    sealed: str | None
    text_hash: str | None = None
    is_revealed: bool = False
    """Whether the sealed text has been published."""


@dataclass(slots=True)
class RecordedPhase:
    """A phase: with its position while it is open, and later only with digests."""

    sequence: int
    branch: int
    phase: Phase
    engine: str
    position_hash: str
    commits: Mapping[str, str]
    disorder: frozenset[Power]
    board: Board
    position: Position | None
    data: Json | None
    lock_place: int | None = None
    locked_at: str | None = None
    seats: dict[int, LockedDigests] = field(default_factory=dict)
    powers: dict[int, tuple[Power, ...]] = field(default_factory=dict)
    bots: dict[int, str] = field(default_factory=dict)
    """The bots at the opening, if they are public."""

    seats_changed: set[int] = field(default_factory=set)
    draws: dict[int, str] = field(default_factory=dict)
    """What the characters of these bots were drawn for."""

    is_resolved: bool = False
    is_sealed: bool = False
    """Whether its bots must be revealed at the end of the game."""

    stored: bytes | None = None
    """The compressed position and orders, if the bots are still hidden."""

    @property
    def title(self) -> str:
        """The short name of the phase."""
        return str(self.phase)

    def close(self) -> None:
        """Drop everything that only an open phase needs."""
        self.position, self.data = None, None


@dataclass(frozen=True, slots=True)
class Left:
    """The state that a rollback left behind, in case it is undone."""

    line: tuple[int, ...]
    branch: int
    after: Json | None
    ending: Json | None
    is_ended: bool
    coin_commit: str
    coin: str | None


@dataclass(slots=True)
class RecordedGame:
    """The state of a game as of the last line read."""

    name: str
    board: Board
    rules: RuleSet
    rules_data: object
    setup: Setup | None
    seat_count: int
    is_site: bool
    engine: str
    hides_bots: bool
    draw_commit: str
    coin_commit: str
    coin: str | None = None
    """The secret of the coin flip once it is public."""

    seats_commit: str = ""
    places: tuple[str, ...] = ()
    """The commitments to the numbers of the seats, in the order in which they were taken."""

    reserved: tuple[str, ...] = ()
    """The powers that may go to their seats without a draw."""

    knows_seats: bool = False
    """Whether the secret of the numbers is public."""

    characters_commit: str = ""
    """The commitment to the secret of the bots' characters, if they stay hidden until the end."""

    draws: dict[int, str] = field(default_factory=dict)
    """What the character of each seat's bot was drawn for."""

    characters: dict[str, str] = field(default_factory=dict)
    """The bots that were revealed, with their characters, by what these were drawn for."""

    powers: dict[int, tuple[Power, ...]] = field(default_factory=dict)
    """The powers of each seat at the start; empty before the draw."""

    bots: dict[int, str] = field(default_factory=dict)
    """The bot of each seat that a bot plays now, if that is public."""

    phases: dict[int, RecordedPhase] = field(default_factory=dict)
    line: list[int] = field(default_factory=list)
    """The sequence numbers of the phases that have not been rolled back."""

    rollbacks: list[Left] = field(default_factory=list)
    branch: int = 0
    top_branch: int = 0
    expected: int | None = None
    """The phase that the next `open` line must reopen after a rollback."""

    after: Json | None = None
    """The position after the last processed phase."""

    ending: Json | None = None
    """The ending that the last processed phase has led to."""

    is_ended: bool = False
    has_votes: bool = False
    is_late: bool = False
    """Whether the record has its draw too late, so that it cannot prove the start of the game."""

    is_blind: bool = False
    """Whether nothing is known of the open phase, until the next one opens."""

    skipped: int = 0
    """The phases before the first one that is checked, in a late record."""

    used_commits: set[bytes] = field(default_factory=set)
    boards: int = 1
    stored: int = 0

    @property
    def current(self) -> RecordedPhase | None:
        """The newest phase, processed or not."""
        return self.phases[self.line[-1]] if self.line else None

    def skips(self, sequence: int) -> bool:
        """Return whether the phase came before the first one that is checked."""
        return self.is_late and (not self.phases or sequence <= self.skipped)

    def powers_of(self, seat: int, when: Phase) -> tuple[Power, ...]:
        """Return the powers that a seat plays in the phase `when`."""
        powers = self.powers[seat]
        coin = self.setup.coin if self.setup else None
        if coin is None or self.setup is None or when.order < coin.joins.order:
            return powers
        if self.coin is None:
            raise RecordFault("the coin flip must be published before its power joins the game")
        winner = self.setup.players[flip_coin(self.coin, len(self.setup.players))]
        return (*powers, coin.power) if powers == winner else powers

    def add_commit(self, digest: str) -> str:
        """Return a commitment; raise `RecordFault` if it was used before in this game."""
        # A reused secret may already have been published.
        packed = bytes.fromhex(digest)
        if packed in self.used_commits:
            raise RecordFault(f"the commitment {digest[:12]}… has been used before in this game")
        self.used_commits.add(packed)
        return digest

    def store(self, phase: RecordedPhase, data: object) -> None:
        """Keep what the bots of a phase saw and ordered until their secret is published."""
        packed = zlib.compress(canonical_text(data).encode())
        if self.stored + len(packed) <= MAX_STORED:
            self.stored += len(packed)
            phase.stored = packed


@dataclass(slots=True)
class Context:
    """What all checks of a game share: its state, the report, and the line being read."""

    state: RecordedGame
    report: Report
    place: int = 0


MAX_SECRET = 200


def read_secret(node: Node, *, is_site: bool) -> str:
    """Return a secret; on a site, it must have 64 hexadecimal digits, so it cannot be guessed."""
    return read_hash(node) if is_site else node.text(MAX_SECRET)


def read_hash(node: Node) -> str:
    """Return a hash or a secret: 64 hexadecimal digits."""
    text = node.text()
    if len(text) != HASH_LENGTH or not _HEX.issuperset(text):
        raise node.error("not 64 hexadecimal digits")
    return text


def read_salt(node: Node) -> str:
    """Return a salt, which must be hexadecimal, so that no part of a text can pass for a salt."""
    text = node.text(HASH_LENGTH)
    if not text or not _HEX.issuperset(text):
        raise node.error("not hexadecimal digits")
    return text


def read_seat(node: Node, count: int) -> int:
    """Return the number of a seat of a game with `count` seats."""
    return node.integer(1, count)


def check_secret(purpose: str, secret: str, digest: str, report: Report) -> None:
    """Raise `RecordFault` if `digest` is not the commitment to `secret`."""
    if commit(purpose, secret) != digest:
        raise RecordFault(f"the secret {str(purpose)!r} is not the one that the game committed to")
    report.checked["commitments"] += 1
