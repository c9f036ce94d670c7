"""Orders: which are legal, saving them, drafts, conditional orders and hints."""

from collections.abc import Mapping
from itertools import groupby
from typing import Annotated, Final, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query
from pydantic import Field, StrictBool

from diplomaccloud.api.answers import ApiAnswer, Given, OrderAnswer, PhaseNumber, Text, reply
from diplomaccloud.api.auth import PLAY, READ, bearer_of
from diplomaccloud.api.ids import GameId
from diplomaccloud.api.operations import Area, act_in, read_seat
from diplomaccloud.api.problems import Problem as ApiProblem
from diplomaccloud.api.problems import naming, refuse_field
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.seats import OwnSeat, show_seat
from diplomaccloud.games.bots import actions as bots_actions
from diplomaccloud.games.bots.page import present_hint
from diplomaccloud.games.conditional_orders import actions as conditional_orders_actions
from diplomaccloud.games.drafts import actions as drafts_actions
from diplomaccloud.games.drafts.actions import drop_draft, make_live, new_draft
from diplomaccloud.games.orders import actions as orders_actions
from diplomaccloud.games.orders.actions import Saved, unset_ready
from diplomaccloud.games.orders.read import is_seat_ready
from diplomaccloud.games.table.errors import InputOutdated, WrongMoment
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.read import DraftOrders, Reader
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.kernel.layout import number_order, pack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage


class LegalUnit(ApiAnswer):
    """The legal orders of a unit, in winter of a unit that you can build or disband.

    If you have builds, the last entry of each power has `"unit": null` and the order `WAIVE`, which
    gives up one build.
    """

    power: str
    unit: str | None = Field(description="For example `A PAR`; null for `WAIVE`.")
    orders: list[str]
    rows: list[list[int]] | None = Field(
        None, description="Each order as province, code, target, goal. See `docs/library.md`."
    )


class LegalOrders(ApiAnswer):
    """Every legal order of the caller's powers in the open phase."""

    phase: str
    sequence: int
    units: list[LegalUnit]
    due: Mapping[str, int] = Field(
        description="In winter, how many builds each power has; a negative number counts disbands. "
        "More builds or disbands may be legal than are due: choose as many as are due."
    )
    state: list[int] | None = Field(None, description="The position as a row of a batch.")


class SavedOrders(ApiAnswer):
    """What was saved. Legal orders are saved even if others in the request are refused."""

    sequence: int
    draft: str
    live: bool
    accepted: list[Text] = Field(description="The orders of this request, as they were read.")
    refused: list[OrderAnswer]
    orders: list[str] = Field(description="All orders in the draft now.")
    ready: bool = Field(
        description="Whether the seat is ready now. Saving other orders does not clear the mark."
    )
    not_ready: str | None = Field(
        description="Why the seat is not ready although you sent `ready`: `refused`, `not-live` or "
        "`undecided`."
    )
    receipt: str | None = Field(description="The digest of the signed receipt, for the live draft.")


OrderTexts = Annotated[
    list[Annotated[str, Field(max_length=300, pattern=r"\S")]], Field(max_length=120)
]

_ORDERS: Final = (
    "Without `orders`, or with an empty list, all saved orders stay. In winter, the builds and "
    "waives in the list replace all builds and waives that the power has saved; saved disbands "
    "stay while there is room. If an order is refused, saved builds stay too, and new ones are "
    "added only while there is room."
)


class OrdersGiven(Given):
    """Orders for the phase with this number. Units that you don't name keep their orders."""

    phase: PhaseNumber
    orders: OrderTexts | None = Field(None, description=_ORDERS)
    ready: StrictBool | None = Field(
        None, description="Set the ready mark (true), clear it (false), or leave it (null)."
    )
    confirmed: StrictBool = Field(
        False, description="With `ready`, confirms that some units are meant to have no order."
    )
    draft: Annotated[str, Field(max_length=60)] = ""
    version: Annotated[str, Field(max_length=64)] = Field(
        "", description="The draft version you are editing. Returns 409 if the draft has changed."
    )


class DraftGiven(Given):
    """Orders for a draft. Units that you don't name keep their orders in the draft."""

    phase: PhaseNumber
    orders: OrderTexts | None = Field(None, description=_ORDERS)
    live: StrictBool = Field(False, description="Whether to make this the live draft.")
    copied: StrictBool = Field(
        False, description="Whether to start a new draft as a copy of the live one."
    )
    version: Annotated[str, Field(max_length=64)] = ""


class ConditionalOrdersGiven(Given):
    """Conditional orders, one clause on each line, as on the page."""

    phase: PhaseNumber
    text: Annotated[str, Field(max_length=8_000)]
    version: Annotated[str, Field(max_length=64)] = ""


class RenameGiven(Given):
    """A new name for a draft."""

    phase: PhaseNumber
    new_name: Annotated[str, Field(min_length=1, max_length=60)]


class HintGiven(Given):
    """The phase for which to get a hint."""

    phase: PhaseNumber


class HintState(ApiAnswer):
    """Orders suggested by a General. While it thinks, `asked` is true and `orders` is empty.

    The General keeps your deals; `warnings` has a sentence for each promise that it could not keep.
    """

    available: bool
    asked: bool
    orders: list[str]
    warnings: list[str]


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
    return SavedOrders.of(
        sequence=sequence,
        draft=saved.draft,
        live=saved.live,
        accepted=saved.orders,
        refused=saved.problems,
        orders=saved.counts,
        ready=ready,
        not_ready=saved.not_ready.value if saved.not_ready and not ready else None,
        receipt=saved.receipt or None,
    )


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


area = Area("seat", READ)


@area.reads("/games/{game}/seat/legal", LegalOrders)
def list_legal_orders(
    request: HttpRequest,
    game: GameId,
    unit: Annotated[str, Query(max_length=20)] = "",
    form: Annotated[Literal["texts", "rows"], Query(alias="format")] = "texts",
) -> HttpResponse:
    """List the legal orders of your units in the open phase, or of one unit with `?unit=A PAR`.

    `?format=rows` adds the orders as numbers, as in the judge's batches.
    """
    reader, name = read_seat(request, game), " ".join(unit.upper().split())
    return reply(list_legal(reader, name, with_rows=form == "rows"))


@area.writes("PUT /games/{game}/seat/orders", SavedOrders, guard=PLAY)
def save_orders(request: HttpRequest, game: GameId, given: OrdersGiven) -> Effect:
    """Save orders, and set or clear the ready mark. Legal orders are saved even if others aren't.

    The answer shows how each order was read, or why it was refused. Units you don't name keep their
    orders, and without `orders`, all saved orders stay. In winter, the builds and waives you send
    replace all saved ones of that power; saved disbands stay while there is room. Returns 409 once
    the phase is over; an order never carries over to the next phase.
    """
    action = act_in(request, game, given.phase)
    if given.ready is False:
        unset_ready(**action)
        if not (given.orders or given.draft or given.version):
            reader = read_seat(request, game)
            return Effect(reply(describe_draft(reader.live_draft, given.phase)))
    saved = orders_actions.save_orders(
        **action,
        # Each by itself: as one text, the heading of a bad one would count for those below it.
        choices=given.orders or (),
        sheet="",
        draft=given.draft,
        version=given.version,
        ready=bool(given.ready),
        confirmed=given.confirmed,
        keep=True,
    )
    ready = saved.ready or is_still_ready(request, game, given.phase)
    answer = describe_saved(saved, given.phase, ready=ready)
    require_an_order(answer)
    return Effect(reply(answer), saved.due_game_id)


DraftName = Annotated[str, Field(min_length=1, max_length=60)]
PhaseQuery = Annotated[int, Query(ge=1, le=999_999)]
drafts_area = Area("seat", PLAY)


@drafts_area.writes("PUT /games/{game}/seat/drafts/{name}", SavedOrders)
def save_draft(request: HttpRequest, game: GameId, name: DraftName, given: DraftGiven) -> Effect:
    """Save orders in the draft with this name, creating it if needed; `live` makes it count."""
    action, name = act_in(request, game, given.phase), " ".join(name.split())
    reader = read_seat(request, game)
    lock_game(game)
    draft = next((draft for draft in reader.drafts if draft.name == name), None)
    if draft is None:
        with naming("name"):
            new_draft(**action, name=name, copy=given.copied)
    elif given.live and not draft.live and given.version not in ("", draft.version):
        # Saving checks only what it replaces, but all orders of a live draft are submitted.
        raise InputOutdated(
            f"The orders in “{name}” have changed since you read them. Nothing was saved."
        )
    if given.live:
        make_live(**action, name=name)
    saved = orders_actions.save_orders(
        **action,
        choices=given.orders or (),
        sheet="",
        draft=name,
        version=given.version,
        keep=True,
    )
    answer = describe_saved(saved, given.phase, ready=is_still_ready(request, game, given.phase))
    require_an_order(answer)
    return Effect(reply(answer))


@drafts_area.writes("POST /games/{game}/seat/drafts/{name}/rename", OwnSeat)
def rename_draft(request: HttpRequest, game: GameId, name: DraftName, given: RenameGiven) -> Effect:
    """Rename a draft."""
    action, name = act_in(request, game, given.phase), " ".join(name.split())
    with naming("new_name"):
        drafts_actions.rename_draft(**action, name=name, new_name=given.new_name)
    return show_seat(request, game)


@drafts_area.writes("DELETE /games/{game}/seat/drafts/{name}", OwnSeat)
def delete_draft(request: HttpRequest, game: GameId, name: DraftName, phase: PhaseQuery) -> Effect:
    """Delete a draft. The live draft cannot be deleted."""
    drop_draft(**act_in(request, game, phase), name=name)
    return show_seat(request, game)


@drafts_area.writes("PUT /games/{game}/seat/conditional-orders", OwnSeat)
def save_conditional_orders(
    request: HttpRequest, game: GameId, given: ConditionalOrdersGiven
) -> Effect:
    """Save conditional orders for retreats and builds, all or none. Blank text deletes them."""
    action = act_in(request, game, given.phase)
    with naming("text"):
        conditional_orders_actions.save_conditional_orders(
            **action, text=given.text, version=given.version
        )
    return show_seat(request, game)


hints_area = Area("seat", PLAY)


@hints_area.reads("/games/{game}/seat/hint", HintState, guard=READ)
def get_hint(request: HttpRequest, game: GameId) -> HttpResponse:
    """Return the orders a General suggests, in a game of one person against bots."""
    return reply(_read_hint(request, game))


@hints_area.writes("POST /games/{game}/seat/hint", HintState)
def ask_hint(request: HttpRequest, game: GameId, given: HintGiven) -> Effect:
    """Ask a General for orders. It thinks for several seconds; then read the hint with GET."""
    bots_actions.ask_hint(**act_in(request, game, given.phase))
    return Effect(reply(_read_hint(request, game)))


def _read_hint(request: HttpRequest, game: str) -> HintState:
    hint = present_hint(read_seat(request, game))
    if hint is None:
        return HintState(available=False, asked=False, orders=[], warnings=[])
    return HintState(
        available=True,
        asked=hint.asked,
        orders=list(hint.orders),
        warnings=list(hint.warnings),
    )


def require_an_order(answer: SavedOrders) -> None:
    """Raise `Problem` if all orders were refused, so that the transaction changes nothing."""
    if answer.refused and not answer.accepted:
        refused = [order.model_dump() for order in answer.refused]
        detail = "None of the orders is a legal order. Nothing was saved."
        raise ApiProblem(422, "orders", detail, more={"orders": refused})


def is_still_ready(request: HttpRequest, game: str, sequence: int) -> bool:
    """Return whether the caller's seat is ready in a phase, now or since an earlier request."""
    return is_seat_ready(game, bearer_of(request).user_id, sequence)
