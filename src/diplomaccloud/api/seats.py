"""The caller's own seat: its orders, drafts and votes; its name and color."""

import datetime as dt
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import AliasPath, BeforeValidator, Field

from diplomaccloud.api.addresses import GameId, IdOf, make_id
from diplomaccloud.api.answers import ApiAnswer, Given, Text
from diplomaccloud.api.auth import PLAY, READ, caller_of
from diplomaccloud.api.operations import Area, Effect, act_on, read_seat
from diplomaccloud.api.problems import naming
from diplomaccloud.games.conditional_orders.plans import write_player_text
from diplomaccloud.games.conditional_orders.read import read_conditions
from diplomaccloud.games.deadlines.read import is_done_talking, read_clock
from diplomaccloud.games.orders.read import read_missing_orders
from diplomaccloud.games.results.read import read_ending, read_newest_name, read_processed
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.votes.read import read_draw_vote, read_votes
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Move, power_of
from diplomaccloud.press.inbox.read import count_unread

SortedOrders = Annotated[list[str], BeforeValidator(lambda orders: sorted(map(str, orders)))]


class DraftState(ApiAnswer):
    """A draft: a named set of orders. Only the live draft counts."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    version: str
    orders: SortedOrders


class MissingOrders(ApiAnswer):
    """Units without an order, and the number of missing builds or disbands for each power."""

    units: list[Text]
    adjustments: Annotated[Mapping[str, int], BeforeValidator(dict)]


class VoteState(ApiAnswer):
    """A question put to the players, about the country of `power` if not blank. Votes are secret.

    A vote on a removal has a `cause`: `missed turns`, `abuse` or `own wish`.
    """

    id: Annotated[str, BeforeValidator(partial(make_id, IdOf.VOTE))] = Field(validation_alias="key")
    question: str
    power: str = Field(validation_alias=AliasPath("terms", "power"))
    cause: str = Field(validation_alias=AliasPath("terms", "cause"))
    agreed: int
    against: int
    needed: int
    closes_at: dt.datetime
    own: bool | None
    may_vote: bool
    may_withdraw: bool
    outcome: str


class OwnSeat(ApiAnswer):
    """The caller's private view of their seat."""

    game: str
    powers: list[str]
    country: str
    phase: str | None
    sequence: int | None
    due_at: dt.datetime | None
    closed: bool = Field(
        description="Whether your orders can no longer change; in a grace period, that may be true "
        "only of the seats that had saved orders."
    )
    must_order: bool
    missing: MissingOrders
    ready: bool
    saved_at: dt.datetime | None
    orders: SortedOrders
    drafts: list[DraftState]
    conditional_orders: str
    conditional_orders_version: str
    draw_vote: str
    votes: list[VoteState]
    questions: list[str] = Field(
        description="The questions that the caller may put to the players now."
    )
    surrendered: bool
    done_talking: bool | None
    receipt: str | None = Field(
        description="The digest of the last signed receipt; null before the first."
    )
    unread_messages: int | None = Field(
        description="In this game, except muted conversations. Null without the scope `press`."
    )


class CountryGiven(Given):
    """The name of your country. Blank restores the printed name."""

    country: Annotated[str, Field(max_length=100)]


class ColorGiven(Given):
    """The color of one of your powers, as `#rrggbb`. Blank restores the printed color."""

    power: Annotated[str, Field(max_length=40)] = ""
    color: Annotated[str, Field(pattern="^(#[0-9a-f]{6})?$")]


def read_own_seat(request: HttpRequest, game: str) -> OwnSeat:
    """Return the caller's seat; raise `NoSuchGame` if the caller has none."""
    reader, caller = read_seat(request, game), caller_of(request)
    phase, submission = reader.phase, reader.own_submission
    votes, conditions, last = read_votes(reader), read_conditions(reader), reader.read_last_save()
    missing, clock = read_missing_orders(reader), read_clock(reader)
    return OwnSeat.of(
        game=reader.game.slug,
        powers=reader.own_powers,
        country=reader.own_country,
        phase=phase and str(phase.phase),
        sequence=phase and phase.sequence,
        due_at=phase and phase.due_at,
        closed=submission.locked or phase is None or phase.locked or clock is None or clock.closed,
        must_order=reader.must_order,
        missing=missing,
        ready=submission.ready,
        saved_at=submission.saved_at,
        orders=reader.live_draft.orders,
        drafts=reader.drafts,
        conditional_orders="\n".join(write_player_text(conditions.by_power, reader.board))
        if conditions
        else "",
        conditional_orders_version=conditions.version if conditions else "",
        draw_vote=read_draw_vote(reader),
        votes=votes.votes if votes else (),
        questions=votes.askable if votes else (),
        surrendered=reader.has_surrendered,
        done_talking=is_done_talking(reader),
        receipt=last and last.digest,
        unread_messages=count_unread(caller.viewer, game) if caller.reads_press else None,
    )


def show_seat(request: HttpRequest, game: str, due_game_id: int | None = None) -> object:
    """Return the caller's seat as it is now; a game that is due is processed afterward."""
    return Effect(read_own_seat(request, game), due_game_id)


area = Area("seat", READ)


@area.reads("/games/{game}/seat", OwnSeat)
def get_seat(
    request: HttpRequest,
    game: GameId,
    form: Annotated[Literal["json", "text"], Query(alias="format")] = "json",
) -> object:
    """Return your private view of your seat: missing orders, drafts, votes and receipt.

    `?format=text` returns a page of prose about the game from your seat's point of view.
    """
    if form == "text":
        text = write_prose(read_seat(request, game))
        return HttpResponse(text, content_type="text/plain; charset=utf-8")
    return read_own_seat(request, game)


countries_area = Area("lobby", PLAY)


@countries_area.writes("PUT /games/{game}/seat/country", OwnSeat)
def name_country(request: HttpRequest, game: GameId, given: CountryGiven) -> object:
    """Name your country; a blank name restores the printed one."""
    with naming("country"):
        seats_actions.name_country(
            **act_on(request, game), country=given.country, now=timezone.now()
        )
    return show_seat(request, game)


@countries_area.writes("PUT /games/{game}/seat/color", OwnSeat)
def color_country(request: HttpRequest, game: GameId, given: ColorGiven) -> object:
    """Choose the color of one of your powers."""
    with naming("color"):
        seats_actions.color_country(
            **act_on(request, game), power=given.power, color=given.color, now=timezone.now()
        )
    return show_seat(request, game)


def write_prose(reader: Reader) -> str:
    """Return the page: what is due, the board, nearby units, and the last results."""
    parts = [
        _describe_moment(reader),
        _describe_orders(reader),
        *(_describe_power(reader, info.power) for info in reader.board.powers),
        _describe_threats(reader),
        _describe_results(reader),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _describe_moment(reader: Reader) -> str:
    phase, powers = reader.phase, _list(_name(reader, power) for power in reader.own_powers)
    if phase is None:
        return f"The game {reader.game.world} has not started."
    text = f"{reader.game.world}, {reader.position.phase.title}. You play {powers}."
    ending = read_ending(reader)
    if ending is not None:
        return f"{text} The game is over. {ending.reason}"
    text += f" The phase has the number {phase.sequence}."
    return f"{text} Orders are due at {phase.due_at:%Y-%m-%d %H:%M} UTC."


def _describe_orders(reader: Reader) -> str:
    if not reader.is_running:
        return ""
    if not reader.must_order:
        return "You have nothing to order now."
    orders, missing = sorted(map(str, reader.live_draft.orders)), read_missing_orders(reader)
    text = f"Your orders: {_list(orders)}." if orders else "You have saved no orders."
    if missing.units:
        text += f" Without an order: {_list(map(str, missing.units))}."
    for power, number in missing.adjustments.items():
        act = "build" if number > 0 else "disband"
        text += f" {_name(reader, power)} may still {act} {abs(number)}."
    return text + (" You are ready." if reader.own_submission.ready else " You are not ready.")


def _describe_power(reader: Reader, power: Power) -> str:
    position = reader.position
    units, centers = position.units_of(power), position.centers_of(power)
    gone = [entry for entry in position.dislodged if entry.unit.power == power]
    if not (units or centers or gone):
        return f"{_name(reader, power)} is eliminated."
    text = (
        f"{_name(reader, power)} has {len(centers)} centers ({_list(sorted(centers))}) and "
        f"{len(units)} units ({_list(map(str, units))})."
    )
    for entry in gone:
        text += f" {entry.unit} is dislodged and may go to {_list(entry.retreats)}."
    return text


def _describe_threats(reader: Reader) -> str:
    """Return, in a movement phase, the other powers' units that can enter the player's places."""
    own_powers = set(reader.own_powers)
    if not (reader.is_running and reader.must_order):
        return ""
    position = reader.position
    places = {unit.province for power in own_powers for unit in position.units_of(power)}
    places |= {code for power in own_powers for code in position.centers_of(power)}
    near: dict[str, set[str]] = {}
    for order in legal_orders(reader.board, position, rules=reader.game.rules):
        if isinstance(order, Move) and power_of(order) not in own_powers:
            target = order.to.partition("/")[0]
            if target in places:
                name = f"{order.unit} of {_name(reader, power_of(order))}"
                near.setdefault(target, set()).add(name)
    lines = [f"Able to enter {place}: {_list(sorted(near[place]))}." for place in sorted(near)]
    return " ".join(lines)


def _describe_results(reader: Reader) -> str:
    newest = read_newest_name(reader)
    if newest is None:
        return ""
    processed = read_processed(reader, newest.sequence)
    lines = [f"Results of {processed.name.phase.title}:"]
    lines += [
        f"{_name(reader, power_of(result.order))}: {result.order}: {result.outcome.value}. "
        f"{result.why}"
        for result in processed.resolution.results
    ]
    return "\n".join(lines)


def _name(reader: Reader, power: Power) -> str:
    return reader.board.power_info[power].name


def _list(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"
