"""Orders: which are legal, saving them, drafts, conditional orders and hints."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Annotated, Final, Literal

from django.http import HttpRequest
from ninja import Query
from pydantic import Field, StrictBool

from diplomaccloud.api.addresses import GameId
from diplomaccloud.api.answers import ApiAnswer, Given, OrderAnswer, PhaseNumber, Text
from diplomaccloud.api.auth import PLAY, READ
from diplomaccloud.api.operations import Area, Effect, act_in, read_seat
from diplomaccloud.api.problems import Problem as ApiProblem
from diplomaccloud.api.problems import naming, refuse_field
from diplomaccloud.api.seats import OwnSeat, show_seat
from diplomaccloud.games.bots import actions as bots_actions
from diplomaccloud.games.bots.page import HintView, present_hint
from diplomaccloud.games.conditional_orders import actions as conditional_orders_actions
from diplomaccloud.games.drafts import actions as drafts_actions
from diplomaccloud.games.orders import actions as orders_actions
from diplomaccloud.games.orders.actions import Saved, unset_ready
from diplomaccloud.games.orders.read import is_seat_ready
from diplomaccloud.games.table.errors import InputOutdated, WrongMoment
from diplomaccloud.games.table.forms import PhaseAction
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.read import Reader
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
        None,
        description="With `?format=rows`, each order as four numbers: province, code, target, "
        "goal; null otherwise.",
    )


class LegalOrders(ApiAnswer):
    """Every legal order of the caller's powers in the open phase."""

    phase: Text
    sequence: int
    units: list[LegalUnit]
    due: Mapping[str, int] = Field(
        description="In winter, how many builds each power has; a negative number counts disbands. "
        "More builds or disbands may be legal than are due: choose as many as are due."
    )
    state: list[int] | None = Field(
        None, description="With `?format=rows`, the position as a row of a batch; null otherwise."
    )


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
        "`undecided`; null if it is ready or you did not send `ready`."
    )
    receipt: str | None = Field(
        description="The digest of the signed receipt; null unless the live draft was saved."
    )


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


def _describe_legal(reader: Reader, power: Power, unit: str, form: str) -> Iterator[LegalUnit]:
    """Yield the legal orders of a power's units, or of one unit."""
    orders = [
        order
        for order in legal_orders(reader.board, reader.position, power, reader.game.rules)
        if power_of(order) == power
    ]
    # Waives come last: a program may take the first ones.
    orders.sort(key=lambda order: (isinstance(order, Waive), _name_unit(order)))
    for name, group in groupby(orders, _name_unit):
        if not unit or name == unit:
            unit_orders, rows = list(group), None
            if form == "rows":
                table = table_of(reader.board)
                # Waived builds have no row: in a batch, they are simply left out.
                rows = [
                    number_order(table, order)
                    for order in unit_orders
                    if not isinstance(order, Waive)
                ]
            yield LegalUnit.of(
                power=power, unit=name or None, orders=list(map(str, unit_orders)), rows=rows
            )


def _name_unit(order: Order) -> str:
    return "" if isinstance(order, Waive) else str(order.unit)


area = Area("seat", READ)


@area.reads("/games/{game}/seat/legal", LegalOrders)
def list_legal_orders(
    request: HttpRequest,
    game: GameId,
    unit: Annotated[str, Query(max_length=20)] = "",
    form: Annotated[Literal["texts", "rows"], Query(alias="format")] = "texts",
) -> object:
    """List the legal orders of your units in the open phase, or of one unit with `?unit=A PAR`.

    `?format=rows` adds the orders as numbers, as in the judge's batches.
    """
    reader, name = read_seat(request, game), " ".join(unit.upper().split())
    phase, powers, position = reader.phase, reader.own_powers, reader.position
    if phase is None or not reader.is_running:
        raise WrongMoment("The game is not accepting orders now.")
    units = [
        legal
        for power in (powers if reader.must_order else ())
        for legal in _describe_legal(reader, power, name, form)
    ]
    all_units = {str(unit) for unit in position.units if unit.power in powers}
    if name and not units and name not in all_units:
        raise refuse_field("unit", f"You have no unit {name!r} in this phase.")
    is_winter = phase.phase.stage is Stage.ADJUSTMENTS
    return LegalOrders.of(
        phase=phase.phase,
        sequence=phase.sequence,
        units=units,
        due={power: adjustments_owed(reader.board, position, power) for power in powers}
        if is_winter
        else {},
        state=pack_state(reader.board, position) if form == "rows" else None,
    )


@area.writes("PUT /games/{game}/seat/orders", SavedOrders, guard=PLAY)
def save_orders(request: HttpRequest, game: GameId, given: OrdersGiven) -> object:
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
            draft = read_seat(request, game).live_draft
            counts = tuple(sorted(map(str, draft.orders)))
            saved = Saved((), (), counts, draft.name, draft.live)
            return _describe_saved(saved, given.phase, is_ready=False)
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
    return Effect(_answer_saved(action, saved), saved.due_game_id)


def _answer_saved(action: PhaseAction, saved: Saved) -> object:
    """Return what was saved, and each refused text with its reason.

    Raises `Problem` if all orders were refused, so that the transaction changes nothing.
    """
    if saved.problems and not saved.orders:
        refused = [OrderAnswer.model_validate(problem).model_dump() for problem in saved.problems]
        detail = "None of the orders is a legal order. Nothing was saved."
        raise ApiProblem(422, "orders", detail, more={"orders": refused})
    # The seat may be ready since an earlier request.
    is_ready = saved.ready or is_seat_ready(action["slug"], action["user_id"], action["sequence"])
    return _describe_saved(saved, action["sequence"], is_ready=is_ready)


def _describe_saved(saved: Saved, sequence: int, *, is_ready: bool) -> object:
    return {
        "sequence": sequence,
        "draft": saved.draft,
        "live": saved.live,
        "accepted": saved.orders,
        "refused": saved.problems,
        "orders": saved.counts,
        "ready": is_ready,
        "not_ready": None if is_ready else saved.not_ready,
        "receipt": saved.receipt or None,
    }


DraftName = Annotated[str, Field(min_length=1, max_length=60)]
PhaseQuery = Annotated[int, Query(ge=1, le=999_999)]
drafts_area = Area("seat", PLAY)


@drafts_area.writes("PUT /games/{game}/seat/drafts/{name}", SavedOrders)
def save_draft(request: HttpRequest, game: GameId, name: DraftName, given: DraftGiven) -> object:
    """Save orders in the draft with this name, creating it if needed; `live` makes it count."""
    action, name = act_in(request, game, given.phase), " ".join(name.split())
    reader = read_seat(request, game)
    lock_game(game)
    draft = next((draft for draft in reader.drafts if draft.name == name), None)
    if draft is None:
        with naming("name"):
            drafts_actions.new_draft(**action, name=name, copy=given.copied)
    elif given.live and not draft.live and given.version not in ("", draft.version):
        # Saving checks only what it replaces, but all orders of a live draft are submitted.
        raise InputOutdated(
            f"The orders in “{name}” have changed since you read them. Nothing was saved."
        )
    if given.live:
        drafts_actions.make_live(**action, name=name)
    saved = orders_actions.save_orders(
        **action, choices=given.orders or (), sheet="", draft=name, version=given.version, keep=True
    )
    return _answer_saved(action, saved)


@drafts_area.writes("POST /games/{game}/seat/drafts/{name}/rename", OwnSeat)
def rename_draft(request: HttpRequest, game: GameId, name: DraftName, given: RenameGiven) -> object:
    """Rename a draft."""
    action, name = act_in(request, game, given.phase), " ".join(name.split())
    with naming("new_name"):
        drafts_actions.rename_draft(**action, name=name, new_name=given.new_name)
    return show_seat(request, game)


@drafts_area.writes("DELETE /games/{game}/seat/drafts/{name}", OwnSeat)
def delete_draft(request: HttpRequest, game: GameId, name: DraftName, phase: PhaseQuery) -> object:
    """Delete a draft. The live draft cannot be deleted."""
    drafts_actions.drop_draft(**act_in(request, game, phase), name=name)
    return show_seat(request, game)


@drafts_area.writes("PUT /games/{game}/seat/conditional-orders", OwnSeat)
def save_conditional_orders(
    request: HttpRequest, game: GameId, given: ConditionalOrdersGiven
) -> object:
    """Save conditional orders for retreats and builds, all or none. Blank text deletes them."""
    action = act_in(request, game, given.phase)
    with naming("text"):
        conditional_orders_actions.save_conditional_orders(
            **action, text=given.text, version=given.version
        )
    return show_seat(request, game)


hints_area = Area("seat", PLAY)


@hints_area.reads("/games/{game}/seat/hint", HintState, guard=READ)
def get_hint(request: HttpRequest, game: GameId) -> object:
    """Return the orders a General suggests, in a game of one person against bots."""
    return _read_hint(request, game)


@hints_area.writes("POST /games/{game}/seat/hint", HintState)
def ask_hint(request: HttpRequest, game: GameId, given: HintGiven) -> object:
    """Ask a General for orders. It thinks for several seconds; then read the hint with GET."""
    bots_actions.ask_hint(**act_in(request, game, given.phase))
    return _read_hint(request, game)


def _read_hint(request: HttpRequest, game: str) -> HintState:
    hint = present_hint(read_seat(request, game))
    shown = hint or HintView()
    return HintState.of(
        available=hint is not None, asked=shown.asked, orders=shown.orders, warnings=shown.warnings
    )
