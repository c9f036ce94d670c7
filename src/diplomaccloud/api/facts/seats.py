"""The caller's own seat, which only its holder may see."""

from collections.abc import Iterable
from itertools import groupby

from diplomaccloud.api.ids import IdOf, make_id
from diplomaccloud.api.problems import no_such, refuse_field
from diplomaccloud.api.schemas.base import OrderAnswer
from diplomaccloud.api.schemas.seats import (
    DraftState,
    LegalOrders,
    LegalUnit,
    MissingOrders,
    OwnSeat,
    SavedOrders,
    VoteState,
)
from diplomaccloud.games.conditional_orders.read import read_conditions
from diplomaccloud.games.deadlines.read import is_done_talking, read_clock
from diplomaccloud.games.orders.actions import Problem, Saved
from diplomaccloud.games.orders.read import read_missing_orders
from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.read import DraftOrders, Reader
from diplomaccloud.games.votes.read import Vote, read_draw_vote, read_votes
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.conditional_orders import write_player_text
from diplomaccloud.judge.kernel.layout import number_order, pack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage


def require_own_seat(reader: Reader) -> Reader:
    """Return the reader of a game in which the viewer plays; raise a problem otherwise."""
    if not reader.has_seat:
        raise no_such("You have no seat in this game.")
    return reader


def describe_own_seat(reader: Reader, unread: int | None) -> OwnSeat:
    """Return the viewer's seat with its orders; `unread` counts unread messages, or is None."""
    phase, own = reader.phase, reader.own_submission
    votes, conditions, last = read_votes(reader), read_conditions(reader), reader.read_last_save()
    missing, clock = read_missing_orders(reader), read_clock(reader)
    return OwnSeat(
        game=reader.game.slug,
        powers=list(reader.own_powers),
        country=reader.own_country,
        phase=None if phase is None else str(phase.phase),
        sequence=None if phase is None else phase.sequence,
        due_at=None if phase is None else phase.due_at,
        closed=own.locked or phase is None or phase.locked or clock is None or clock.closed,
        must_order=reader.must_order,
        missing=MissingOrders(
            units=list(map(str, missing.units)),
            adjustments={str(power): left for power, left in missing.adjustments.items()},
        ),
        ready=own.ready,
        saved_at=own.saved_at,
        orders=sorted(map(str, reader.live_draft.orders)),
        drafts=[
            DraftState(
                name=draft.name,
                live=draft.live,
                saved_at=draft.saved_at,
                version=draft.version,
                orders=sorted(map(str, draft.orders)),
            )
            for draft in reader.drafts
        ],
        conditional_orders="\n".join(write_player_text(conditions.by_power, reader.board))
        if conditions
        else "",
        conditional_orders_version=conditions.version if conditions else "",
        draw_vote=read_draw_vote(reader),
        votes=[_describe_vote(vote) for vote in votes.votes] if votes else [],
        questions=[question.value for question in votes.askable] if votes else [],
        surrendered=reader.has_surrendered,
        done_talking=is_done_talking(reader),
        receipt=last.digest if last else None,
        unread_messages=unread,
    )


def list_legal(reader: Reader, unit: str, *, with_rows: bool = False) -> LegalOrders:
    """Return the legal orders of the viewer's units, or of one unit.

    Raises `WrongMoment`, or a problem for a unit that the viewer does not have.

    `with_rows` adds the rows of orders and of the position for `judge.batch`.
    """
    phase = reader.phase
    if phase is None or not reader.is_running:
        raise WrongMoment("The game is not accepting orders now.")
    units = [
        _describe_legal(reader, power, name, list(orders), with_rows=with_rows)
        for power in reader.own_powers
        if reader.must_order
        for name, orders in groupby(_list_orders(reader, power), _name_unit)
        if not unit or name == unit
    ]
    if unit and not units and unit not in _list_units(reader):
        raise refuse_field("unit", f"You have no unit {unit!r} in this phase.")
    state = list(pack_state(reader.board, reader.position)) if with_rows else None
    due: dict[str, int] = {}
    if phase.phase.stage is Stage.ADJUSTMENTS:
        due = {
            power: adjustments_owed(reader.board, reader.position, power)
            for power in reader.own_powers
        }
    return LegalOrders(
        phase=str(phase.phase), sequence=phase.sequence, units=units, due=due, state=state
    )


def _list_units(reader: Reader) -> set[str]:
    """Return the viewer's units, such as `A PAR`, whether they need orders or not."""
    return {str(unit) for unit in reader.position.units if unit.power in reader.own_powers}


def describe_saved(saved: Saved, sequence: int, *, ready: bool) -> SavedOrders:
    """Return what was saved, and each refused text with its reason.

    `ready` says whether the seat is ready, perhaps since an earlier request.
    """
    return SavedOrders(
        sequence=sequence,
        draft=saved.draft,
        live=saved.live,
        accepted=[str(order) for order in saved.orders],
        refused=describe_refused(saved.problems),
        orders=list(saved.counts),
        ready=ready,
        not_ready=saved.not_ready.value if saved.not_ready and not ready else None,
        receipt=saved.receipt or None,
    )


def describe_refused(problems: Iterable[Problem]) -> list[OrderAnswer]:
    """Return each refused text with its reason."""
    return [
        OrderAnswer(text=problem.short, message=problem.message, unit=problem.key)
        for problem in problems
    ]


def describe_draft(draft: DraftOrders, sequence: int) -> SavedOrders:
    """Return the saved orders of a draft when a request added no orders to it."""
    return SavedOrders(
        sequence=sequence,
        draft=draft.name,
        live=draft.live,
        accepted=[],
        refused=[],
        orders=sorted(map(str, draft.orders)),
        ready=False,
        not_ready=None,
        receipt=None,
    )


def _describe_legal(
    reader: Reader, power: Power, name: str, orders: list[Order], *, with_rows: bool
) -> LegalUnit:
    rows = None
    if with_rows:
        table = table_of(reader.board)
        # Waived builds have no row: in a batch, they are simply left out.
        rows = [
            list(number_order(table, order)) for order in orders if not isinstance(order, Waive)
        ]
    return LegalUnit(
        power=power, unit=name or None, orders=[str(order) for order in orders], rows=rows
    )


def _list_orders(reader: Reader, power: Power) -> list[Order]:
    """Return the orders of a power by unit. Waives come last: a program may take the first ones."""
    orders = legal_orders(reader.board, reader.position, power, reader.game.rules)
    own = [order for order in orders if power_of(order) == power]
    return sorted(own, key=lambda order: (isinstance(order, Waive), _name_unit(order)))


def _name_unit(order: Order) -> str:
    return "" if isinstance(order, Waive) else str(order.unit)


def _describe_vote(vote: Vote) -> VoteState:
    return VoteState(
        id=make_id(IdOf.VOTE, vote.key),
        question=vote.question.value,
        power=vote.terms.power,
        cause=vote.terms.cause,
        agreed=vote.agreed,
        against=vote.against,
        needed=vote.needed,
        closes_at=vote.closes_at,
        own=vote.own,
        may_vote=vote.may_vote,
        may_withdraw=vote.may_withdraw,
        outcome=vote.outcome,
    )
