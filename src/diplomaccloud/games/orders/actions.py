"""Saving the orders of a seat, and marking it as ready.

Saving never loses orders. A unit whose new order is refused keeps its saved one; builds and
disbands replace the saved ones only if none is refused; and the form carries a hash of the orders
that it shows, so that an older page overwrites nothing. A hash and not a counter: to send the same
orders twice is no conflict, and nobody learns how often a player saves.

A page with scripts saves each change by itself. It names itself and numbers its changes, because it
may not hear the answer to one before it sends the next, and they may arrive in another order: the
newest set of a page wins, and is no conflict with the older ones. Such a save leaves no event, and
its receipt takes the place of the one before it.

Any attempt to order counts as presence, even if all orders are refused: see `Submission.tried_at`.
"""

import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from diplomaccloud.entry.orders import OrderTextTooLong, Problem, Reading, read_orders
from diplomaccloud.games.deadlines.actions import end_phase_early
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import InputOutdated, SeatIsReady, TooMuchText, WrongMoment
from diplomaccloud.games.table.lock import OpenSeat, require_open_seat
from diplomaccloud.games.table.log_models import SaveReceipt
from diplomaccloud.games.table.order_rows import (
    Lines,
    add_adjustments,
    find_or_create_draft,
    issue_receipt,
    keep_adjustments,
    list_lines,
    list_orders,
    replace_orders,
    submit,
    write_lines,
)
from diplomaccloud.games.table.phase_models import (
    Draft,
    OrderRow,
    Submission,
    is_readiness_public,
    version_of_lines,
)
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Hold, Order, Retreat, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.record.chain import format_time
from diplomaccloud.shared.prepared_queries import PreparedQuery

_NOT_SAVED = "Your orders were not saved."
_NOT_SAVED_OR_READY = "Your orders were not saved, and you were not marked as ready."
_UNIT = re.compile(r"\s*[AF]\s+[A-Z]{3}(/[NESW]C)?\b", re.IGNORECASE)


class NotReady(StrEnum):
    """Why a player who wanted to be marked as ready was not.

    `REFUSED`: an order was refused. `NOT_LIVE`: the orders are in a draft that does not count.
    `UNDECIDED`: something is left to order, and the player has to confirm.
    """

    REFUSED = "refused"
    NOT_LIVE = "not-live"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is missing from a set of orders.

    `only_holds`: every unit holds. `retreats`: the number of units that could retreat but will be
    disbanded. `builds`: the number of builds neither used nor waived. `disbands`: the number of
    disbands that are left to the rules.
    """

    only_holds: bool = False
    retreats: int = 0
    builds: int = 0
    disbands: int = 0


NO_GAPS = Gaps()


@dataclass(frozen=True, slots=True)
class SignedReceipt:
    """A receipt as the player keeps it: with its signature and the key to check that with."""

    game: str
    phase: str
    sequence: int
    seat: int
    at: str
    salt: str
    text: str
    digest: str
    key: str
    public: str
    signature: str
    kind: str = "receipt"


@dataclass(frozen=True, slots=True)
class Saved:
    """The outcome of saving: the orders accepted, and each refused order with the reason.

    `counts` holds all orders in the draft after saving, in canonical text; `live` says whether this
    draft counts at the deadline. `ready` says whether the seat was marked as ready; if the player
    wanted that and it was not, `not_ready` says why, and `gaps` what may have been forgotten.
    `due_game_id` is the game, if everyone is ready and its phase has become due. `signed` is the
    signed receipt, or None if the draft is not live; `version` identifies the orders in the draft.
    """

    orders: tuple[Order, ...]
    problems: tuple[Problem, ...]
    counts: tuple[str, ...] = ()
    draft: str = ""
    live: bool = True
    ready: bool = False
    not_ready: NotReady | None = None
    gaps: Gaps = NO_GAPS
    due_game_id: int | None = None
    signed: SignedReceipt | None = None
    version: str = ""

    @property
    def receipt(self) -> str:
        """The digest of the signed receipt, or blank without one."""
        return self.signed.digest if self.signed else ""


@atomic_with_retries
def save_orders(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    choices: Sequence[str],
    sheet: str,
    now: dt.datetime,
    draft: str = "",
    version: str = "",
    ready: bool = False,
    confirmed: bool = False,
    keep: bool = False,
    page: str = "",
    change: int = 0,
    automatic: bool = False,
) -> Saved:
    """Save orders and return the outcome: legal orders replace saved ones, others are refused.

    `choices` are orders in canonical text, at most one per unit; an order in the text `sheet`
    overrides the choice for its unit. A unit whose order is refused keeps its saved order. The
    orders go into the draft of that name, or into the live draft if the name is blank; only the
    live draft submits. With `ready`, the seat is also marked as ready if no order was refused, the
    draft is live, and nothing is left to order or the player has `confirmed` that.

    In an adjustment phase, and if they are `automatic`, sent by a page after each change, the
    orders replace all saved ones, so no orders at all delete them. With `keep`, they don't: see
    `keep_adjustments`.

    `version` identifies the orders that the player saw in the draft, if that is known; if they have
    changed since, raises `InputOutdated` and saves nothing. `page` is the random name of an open
    page that saves each `change` by itself, and numbers them: its own changes since are no reason
    to refuse, and if a later one is saved, that stays and is returned. An automatic save raises
    `SeatIsReady` for orders that the player has marked as ready.

    Raises `DeadlinePassed` if the phase is closed, `NotYourSeat` if the person has no seat in the
    game, `TooMuchText`, or `NoSuchDraft`.
    """
    consequence = _NOT_SAVED_OR_READY if ready else _NOT_SAVED
    open_seat = require_open_seat(slug, user_id, sequence, now, consequence)
    phase, seat = open_seat.phase, open_seat.seat
    reading = _drop_choices(_read_orders(open_seat, choices, sheet), choices)
    if reading.problems and not reading.orders:
        # The player was present, although nothing is saved.
        Submission.objects.update_or_create(phase=phase, seat=seat, defaults={"tried_at": now})
        not_ready = NotReady.REFUSED if ready else None
        return Saved((), reading.problems, not_ready=not_ready)
    row = find_or_create_draft(phase, seat, draft, now)
    before = list_orders(row)
    is_of_page = bool(page) and row.page == page
    if is_of_page and change < row.change:
        return _describe_draft(row, before)
    if open_seat.position.phase.stage is Stage.ADJUSTMENTS:
        lines, problems = _combine_adjustments(open_seat, before, reading, keep=keep)
    else:
        # A page sends its whole set: an order that was taken back is not among them.
        others = () if automatic and not reading.problems else before
        lines, problems = replace_orders(others, reading), reading.problems
    orders = [order for order, _ in lines.values()]
    saved = version_of_lines(str(row.canonical) for row in before)
    # Sending the same orders twice, by a double click or after a lost response, replaces nothing.
    new = version_of_lines(map(str, orders))
    if version not in ("", saved) and not is_of_page and saved != new:
        raise InputOutdated(
            f"The orders in “{row.name}” were changed on another page after you opened this one. "
            "Nothing was saved."
        )
    if automatic and row.live and saved != new:
        _require_not_ready(open_seat)
    gaps = NO_GAPS
    if ready and not confirmed:
        gaps = _find_gaps(open_seat.board, open_seat.position, open_seat.powers, orders)
    not_ready = _find_obstacle(row, problems, gaps) if ready else None
    becomes_ready = ready and not_ready is None
    if row.live:
        submit(phase, seat, now, ready=becomes_ready)
    written = write_lines(row, before, lines, now, page=page, change=change)
    receipt = None
    if row.live:
        receipt = issue_receipt(phase, seat, written, user_id=user_id, now=now, automatic=automatic)
    if not automatic:
        kind = "saved" if row.live else "drafted"
        events.record(game=phase.game, kind=kind, now=now, seat=seat)
    return Saved(
        orders=tuple(order for order in reading.orders if order in orders),
        problems=problems,
        counts=tuple(sorted(map(str, orders))),
        draft=row.name,
        live=bool(row.live),
        ready=becomes_ready,
        not_ready=not_ready,
        gaps=gaps,
        due_game_id=_follow_readiness(open_seat, now) if becomes_ready else None,
        signed=_describe_receipt(open_seat, receipt) if receipt else None,
        version=new,
    )


@dataclass(frozen=True, slots=True)
class Added:
    """The outcome of adding orders to the live draft, and the orders that it had before."""

    saved: Saved
    before: tuple[str, ...]


@atomic_with_retries
def add_orders(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    choices: Sequence[str],
    now: dt.datetime,
    confirmed: bool = False,
) -> Added:
    """Add orders to the live draft, in which other units keep theirs, and return the outcome.

    For a player who is ready, raises `SeatIsReady`, or takes the mark back if that is `confirmed`.
    Otherwise, raises the same errors as `save_orders`.
    """
    open_seat = require_open_seat(slug, user_id, sequence, now, _NOT_SAVED)
    try:
        _require_not_ready(open_seat)
    except SeatIsReady:
        if not confirmed:
            raise
        unset_ready(slug=slug, user_id=user_id, sequence=sequence, now=now)
    draft = find_or_create_draft(open_seat.phase, open_seat.seat, "", now)
    before = tuple(str(row.canonical) for row in list_orders(draft))
    saved = save_orders(
        slug=slug,
        user_id=user_id,
        sequence=sequence,
        choices=choices,
        sheet="",
        now=now,
        keep=True,
    )
    return Added(saved, before)


def _describe_draft(row: Draft, saved: Sequence[OrderRow]) -> Saved:
    texts = tuple(sorted(str(order.canonical) for order in saved))
    return Saved((), (), texts, row.name, bool(row.live), version=version_of_lines(texts))


def _require_not_ready(open_seat: OpenSeat) -> None:
    """Raise `SeatIsReady` if the player, and not a conditional order, has set the ready mark."""
    if _marked_ready.find(open_seat.phase.pk, open_seat.seat.pk):
        raise SeatIsReady


_marked_ready = PreparedQuery(
    lambda phase, seat: (
        Submission.objects.filter(phase=phase, seat=seat, by_conditional_orders__in=[False])
        .exclude(ready_at=None)
        .values_list("pk", flat=True)
    ),
    *(int, int),
)


def _describe_receipt(open_seat: OpenSeat, row: SaveReceipt) -> SignedReceipt:
    return SignedReceipt(
        game=open_seat.phase.game.slug,
        phase=open_seat.phase.name,
        sequence=open_seat.phase.sequence,
        seat=open_seat.seat.number or 0,
        at=format_time(row.at),
        salt=row.salt,
        text=row.text,
        digest=row.digest,
        key=row.key.key_id,
        public=row.key.public,
        signature=row.signature,
    )


@atomic_with_retries
def get_receipt(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Sign a receipt for the live orders as they are now, which the site then keeps.

    Raises the same errors as `save_orders`, and `WrongMoment` if nothing has been saved.
    """
    open_seat = require_open_seat(slug, user_id, sequence, now, "There is no new receipt.")
    phase, seat = open_seat.phase, open_seat.seat
    draft = phase.drafts.held_by(seat).filter(live=True).first()
    if draft is None:
        raise WrongMoment("You have not saved any orders in this phase yet.")
    orders = [row.canonical for row in list_orders(draft)]
    issue_receipt(phase, seat, orders, user_id=user_id, now=now)


def _find_obstacle(row: Draft, problems: Sequence[Problem], gaps: Gaps) -> NotReady | None:
    """Return why a player who wants to be ready is not marked, or None."""
    if problems:
        return NotReady.REFUSED
    if not row.live:
        return NotReady.NOT_LIVE
    return None if gaps == NO_GAPS else NotReady.UNDECIDED


def _read_orders(open_seat: OpenSeat, choices: Sequence[str], sheet: str) -> Reading:
    try:
        return read_orders(
            open_seat.board,
            open_seat.position,
            open_seat.powers,
            choices=choices,
            text=sheet,
            rules=open_seat.rules,
        )
    except OrderTextTooLong as error:
        raise TooMuchText(str(error)) from error


def _drop_choices(reading: Reading, choices: Sequence[str]) -> Reading:
    """Return `reading` without the choices for units whose typed order was refused.

    The form sends a choice for every unit, and that choice must not replace such a unit's saved
    order.
    """
    units = set()
    for problem in reading.problems:
        if problem.text not in choices:
            begins = _UNIT.match(problem.text)
            units.add(problem.key or (" ".join(begins[0].upper().split()) if begins else ""))
    lines = [
        (order, text)
        for order, text in reading.lines
        if text not in choices or isinstance(order, Waive) or str(order.unit) not in units
    ]
    return replace(reading, lines=tuple(lines))


def _combine_adjustments(
    open_seat: OpenSeat, saved: Sequence[OrderRow], reading: Reading, *, keep: bool
) -> tuple[Lines, tuple[Problem, ...]]:
    """Return all builds and disbands of the draft after saving, and the refused ones.

    They form one set, so a new set replaces the saved one if none of its orders is refused, unless
    the player wants to `keep` the saved orders.
    """
    if reading.problems or keep:
        board, position = open_seat.board, open_seat.position
        owed = {power: abs(adjustments_owed(board, position, power)) for power in open_seat.powers}
        combine = add_adjustments if reading.problems else keep_adjustments
        reading = combine(saved, reading, owed)
    return list_lines(reading), reading.problems


@atomic_with_retries
def set_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> int | None:
    """Mark the seat as ready; return the key of the game if its phase has become due."""
    open_seat = require_open_seat(
        slug, user_id, sequence, now, "You were not marked as ready in it."
    )
    Submission.objects.update_or_create(
        phase=open_seat.phase,
        seat=open_seat.seat,
        defaults={"ready_at": now, "by_conditional_orders": False, "tried_at": now},
    )
    return _follow_readiness(open_seat, now)


@atomic_with_retries
def unset_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Remove the ready mark."""
    open_seat = require_open_seat(slug, user_id, sequence, now, "You were ready when it ended.")
    submission = open_seat.phase.submissions.filter(seat=open_seat.seat)
    hidden = submission.filter(by_conditional_orders=True)
    if hidden.update(ready_at=None, by_conditional_orders=False):
        # If conditional orders had made the seat ready, nobody could see the mark.
        return
    submission.update(ready_at=None)
    _record_readiness(open_seat, now, ready=False)


def _follow_readiness(open_seat: OpenSeat, now: dt.datetime) -> int | None:
    """Record that the seat is ready; return the key of the game if its phase has become due."""
    _record_readiness(open_seat, now, ready=True)
    return end_phase_early(open_seat.phase, now)


def _record_readiness(open_seat: OpenSeat, now: dt.datetime, *, ready: bool) -> None:
    """Record the event for everyone, or only for the seat in retreats and adjustments."""
    seat = open_seat.seat
    data: dict[str, object] = {"power": seat.power, "ready": ready}
    audience = None if is_readiness_public(open_seat.position.phase) else seat
    events.record(game=open_seat.phase.game, kind="ready", now=now, data=data, seat=audience)


def _find_gaps(
    board: Board, position: Position, powers: Collection[Power], orders: Collection[Order]
) -> Gaps:
    """Return what is missing from the `orders` of these powers, or `NO_GAPS`."""
    match position.phase.stage:
        case Stage.MOVEMENT:
            return Gaps(only_holds=all(isinstance(order, Hold) for order in orders))
        case Stage.RETREATS:
            saved = {order.unit for order in orders if isinstance(order, Retreat)}
            able = [row.unit for row in position.dislodged if row.retreats]
            return Gaps(retreats=sum(unit.power in powers and unit not in saved for unit in able))
        case Stage.ADJUSTMENTS:
            remaining = []
            for power in powers:
                owed = adjustments_owed(board, position, power)
                given = sum(power_of(order) == power for order in orders)
                # A negative number counts disbands.
                remaining.append(owed - given if owed > 0 else owed + given)
            return Gaps(
                builds=sum(number for number in remaining if number > 0),
                disbands=-sum(number for number in remaining if number < 0),
            )
