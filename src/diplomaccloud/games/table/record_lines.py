"""Building the lines of a game's public record from its rows, one function for each kind of line.

Everyone who may see the game can read a line at once, so it identifies seats by number, names no
people, and contains nothing that is still secret.
"""

import datetime as dt
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from diplomaccloud.bots.seats import hide_character
from diplomaccloud.games.table.log import add_line
from diplomaccloud.games.table.log_models import RecordLine, SigningKey, current_key
from diplomaccloud.games.table.models import Game, Seat, holder_since, powers_played_by
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Receipt
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.results import Ending
from diplomaccloud.record import lines
from diplomaccloud.record.chain import Body
from diplomaccloud.record.commitments import Purpose, commit, commit_places
from diplomaccloud.record.lines import DrawnSeat, LineKind, LockedSeat, Sealed, SeatChange
from diplomaccloud.record.signatures import make_key

OPENED: Final = "opened"
_PUBLIC_TERMS: Final = ("power", "cause", "seconds", "bot", "to", "phase")
"""The public terms of a vote; the reason appears in the log if the vote is carried."""


def begin_record(game: Game, now: dt.datetime, reserved: Sequence[str] = ()) -> None:
    """Write the first line of a new game, before anyone joins; `reserved` powers aren't drawn."""
    commits = {Purpose.DRAW.value: commit(Purpose.DRAW, game.draw_secret)} | _commit(game)
    if coin := game.coins.get(str(game.branch)):
        commits[Purpose.COIN.value] = commit(Purpose.COIN, coin)
    body = lines.game_line(
        game=game.slug,
        board=game.board,
        rules=game.rules,
        setup=game.options.setup,
        seats=len(game.players),
        commits=commits,
        places=commit_places(game.seat_secret, len(game.players)),
        options=game.options.to_json(),
        reserved=reserved,
        at=now,
    )
    add_line(game, body)


def _commit(game: Game) -> dict[str, str]:
    secrets = {Purpose.SEATS: game.seat_secret, Purpose.CHARACTERS: game.character_secret}
    return {purpose.value: commit(purpose, secret) for purpose, secret in secrets.items()}


def add_draw(game: Game, seats: Iterable[Seat], now: dt.datetime, *, commits: bool) -> None:
    """Add which seat plays which powers, with `commits` if the record does not have them yet.

    The secret of the seats' numbers is public from the start unless names are hidden.
    """
    drawn = [
        DrawnSeat(
            powers_played_by(seat.power, game.players),
            _public_bot(game, seat.bot),
            reserved=bool(seat.reserved),
        )
        for seat in sorted(seats, key=lambda seat: seat.number or 0)
    ]
    body = lines.draw_line(
        secret=game.draw_secret,
        seats=drawn,
        secrets=None if game.options.anonymous else {Purpose.SEATS.value: game.seat_secret},
        commits=_commit(game) if commits else None,
        places=commit_places(game.seat_secret, len(drawn)) if commits else (),
        at=now,
    )
    add_line(game, body)


def _public_bot(game: Game, bot: str) -> str:
    """Return the name of a bot as everyone may know it during the game."""
    return hide_character(bot) if game.character_secret else bot


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
    their bots, for which the greedy bot ordered. Sets the phase's `sealed_bots` if the bots are not
    public yet.
    """
    # Not a join: for a small table, PostgreSQL may read all seats of the site.
    receipts = list(phase.receipts.exclude(digest="").prefetch_related("seat"))
    bots = {row.seat_id: row.seat for row in receipts if row.seat.bot}
    if bots:
        # A bot that took the seat after the lock has not ordered anything.
        held = phase.submissions.filter(seat__in=bots).annotate(since=holder_since("seat"))
        ordered = held.filter(since__lte=phase.locked_at).values_list("seat_id", flat=True)
        bots = {key: bots[key] for key in ordered}
    played = {seat.number or 0: seat.bot for seat in bots.values()}
    promises = {seat.number or 0 for key, seat in bots.items() if key in promised}
    failed = {seat.number or 0 for key, seat in bots.items() if (key, seat.bot) in replaced}
    secrets = {Purpose.JUDGE.value: phase.judge_secret}
    if any(bot != _public_bot(phase.game, bot) for bot in played.values()):
        # With the secret, everyone could find out which character gives such orders.
        phase.sealed_bots = lines.list_bots(played, promises, failed)
    else:
        secrets[Purpose.BOTS.value] = phase.bots_secret
    body = lines.resolve_line(
        sequence=phase.sequence,
        board=phase.board,
        rules=phase.game.rules,
        position=phase.position,
        orders=[row.canonical for row in orders],
        resolution=phase.resolution,
        salts={row.seat.number or 0: row.salt for row in receipts},
        secrets=secrets,
        bots=None if phase.sealed_bots is not None else played,
        promised=promises,
        replaced=failed,
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
    bot = _public_bot(seat.game, seat.bot)
    body = lines.seat_line(seat=seat.number or 0, change=SeatChange(change), bot=bot, at=now)
    add_line(seat.game, body)


class VoteRow(Protocol):
    """A vote's row, which belongs to a feature: its game, the question, and the terms."""

    pk: int
    game: Game
    kind: str
    data: dict[str, object]


def add_vote(vote: VoteRow, state: str, now: dt.datetime) -> None:
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
    """Add everything that was hidden until the end, and then how the game ended."""
    for body in _list_reveals(game, now):
        add_line(game, body)
    opened = {Purpose.SEATS: game.seat_secret, Purpose.CHARACTERS: game.character_secret}
    secrets = {purpose.value: secret for purpose, secret in opened.items() if secret}
    add_line(game, lines.end_line(ending=ending, secrets=secrets, at=now))


def _list_reveals(game: Game, now: dt.datetime) -> Iterator[Body]:
    """Yield what was hidden in each phase processed since the game last ended."""
    last = RecordLine.objects.filter(game=game, kind=LineKind.REVEAL).order_by("number").last()
    after = json.loads(last.text)["sequence"] if last else 0
    processed = game.phases.filter(processed_at__isnull=False, sequence__gt=after)
    sealed: dict[int, list[Sealed]] = {}
    for sequence, number, salt, text in (
        Receipt.objects.filter(phase__in=processed)
        .exclude(sealed_digest="")
        .order_by("phase__sequence", "seat__number")
        .values_list("phase__sequence", "seat__number", "sealed_salt", "sealed_text")
    ):
        sealed.setdefault(sequence, []).append(Sealed(number or 0, salt, text))
    for phase in processed.order_by("sequence").only("sequence", "bots_secret", "sealed_bots"):
        has_bots = phase.sealed_bots is not None
        if has_bots or phase.sequence in sealed:
            yield lines.reveal_line(
                sequence=phase.sequence,
                bots_secret=phase.bots_secret if has_bots else None,
                bots=phase.sealed_bots,
                sealed=sealed.get(phase.sequence, ()),
                at=now,
            )


# The keys with which the site signs seals and receipts.


def ensure_key(now: dt.datetime) -> SigningKey:
    """Return the site's signing key; create it if the site has none yet."""
    # Two transactions may create the first key at the same time. Both keys are published, and the
    # older one is used.
    return current_key.find() or _create_key(now)


@atomic_with_retries
def rotate_key(*, now: dt.datetime) -> SigningKey:
    """Create and return a new signing key; signatures of older keys stay valid."""
    SigningKey.objects.filter(retired_at=None).update(retired_at=now)
    return _create_key(now)


def _create_key(now: dt.datetime) -> SigningKey:
    key = make_key()
    return SigningKey.objects.create(
        key_id=key.key_id, public=key.public, private=key.private, created_at=now
    )
