"""Conference maps: saving them, sending them with messages, and using their orders."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from django.db.models import Max

from diplomaccloud.games.drafts.actions import AdoptedOrders, adopt_orders
from diplomaccloud.games.orders.actions import Added, add_orders
from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.lock import lock_game, not_a_member_error
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.maps.library import find_chart
from diplomaccloud.press.maps.content import (
    count_orders,
    first_orders,
    is_same_position,
    load_content,
    read_content,
)
from diplomaccloud.press.maps.models import ConferenceMap, SentMap
from diplomaccloud.press.table.actions import (
    Letter,
    find_readable,
    require_account,
    require_visible,
)
from diplomaccloud.press.table.addresses import AttachmentKind, MapPlace
from diplomaccloud.press.table.errors import BadMap, NoSuchConversation, NoSuchMap, TooManyMessages
from diplomaccloud.press.table.models import Message, Send
from diplomaccloud.press.table.state import PressTable, Target, find_target, load_table
from diplomaccloud.sandbox.engine import SandboxState

MAX_MAPS: Final = 40
"""How many maps one person may save in one phase of a game."""

_ONLY_PLAYERS: Final = "Only the players and the game master can save maps here."


@atomic_with_retries
def make_map(
    *, slug: str, user_id: int, content: str, parent: MapPlace | None = None, now: dt.datetime
) -> int:
    """Store a map as drawn, and return its number among the author's maps.

    The same map as the author's newest one is not stored again. Raises `BadMap`, `NoSuchMap` for a
    parent that the author cannot see, or `TooManyMessages`.
    """
    game = lock_game(slug)
    table = load_table(game, user_id)
    if not table.is_master and not table.holders.has_held(table.user_id):
        raise not_a_member_error(table.game, _ONLY_PLAYERS)
    require_account(table)
    state = read_content(content, find_chart(game.chart.content_hash), game.chart.content_hash)
    changed = _find_map(table, parent) if parent is not None else None
    maps = ConferenceMap.objects.filter(game=game, author=user_id)
    newest = maps.order_by("-number").first()
    parent_key = changed.pk if changed else None
    if newest and newest.content == content and newest.parent_id == parent_key:
        return newest.number
    made_in = game.newest_phase()
    if maps.filter(made_in=made_in).count() >= MAX_MAPS:
        raise TooManyMessages(
            f"You can save {MAX_MAPS} maps in a phase. Nothing was saved, but the address of "
            "this page contains your drawing."
        )
    powers = dict.fromkeys(power_of(order) for order in first_orders(state))
    number = (maps.aggregate(last=Max("number"))["last"] or 0) + 1
    ConferenceMap.objects.create(
        game=game,
        author_id=user_id,
        number=number,
        parent=changed,
        phase=_find_phase(game, state),
        made_in=made_in,
        title=state.start.phase.title,
        powers=",".join(powers),
        orders=count_orders(state),
        marks=len(state.marks),
        steps=len(state.past),
        content=content,
        at=now,
    )
    return number


def _find_phase(game: Game, state: SandboxState) -> Phase | None:
    """Return the phase of the game that a map starts from, None for a free position.

    It depends on the position alone, so that a form cannot claim a different one.
    """
    rows = game.phases.filter(name=str(state.start.phase), superseded_at=None)
    phase = rows.order_by("-sequence").first()
    return phase if phase and is_same_position(phase.position, state.start) else None


def _find_map(table: PressTable, place: MapPlace) -> ConferenceMap:
    """Return a map of the person's own, or one in a message that the person can read.

    Raises `NoSuchMap` for any other place, whether or not the map exists.
    """
    if place.address is None:
        maps = ConferenceMap.objects.filter(game=table.game, author=table.user_id)
        row = maps.filter(number=place.number).first()
    else:
        try:
            message = find_readable(table, find_target(table, place.address), place.number)
        except NoSuchConversation as error:
            raise NoSuchMap from error
        if message is None:
            raise NoSuchMap
        sent = SentMap.objects.filter(message=message).exclude(message__hidden__user=table.user_id)
        attached = sent.select_related("map").first()
        row = attached.map if attached else None
    if row is None:
        raise NoSuchMap
    return row


@dataclass(slots=True)
class MapAttachment:
    """A map attached to a message, identified by its author's number."""

    kind: ClassVar = AttachmentKind.MAP
    number: int
    _map: ConferenceMap | None = None

    @property
    def digest_part(self) -> str:
        """The map's part of the digest that the composer's key stands for."""
        return f"map {self.number}"

    def require_sendable(self, table: PressTable, _target: Target, letter: Letter) -> None:
        """Raise `NoSuchMap` unless the map belongs to the sender."""
        maps = ConferenceMap.objects.filter(game=table.game, author=letter.user_id)
        self._map = self._map or maps.filter(number=self.number).first()
        if self._map is None:
            raise NoSuchMap

    def attach(self, _send: Send, messages: Sequence[Message]) -> None:
        """Attach the map to the messages."""
        if self._map is None:
            raise NoSuchMap
        SentMap.objects.bulk_create([SentMap(message=row, map=self._map) for row in messages])


@atomic_with_retries
def adopt_map(*, slug: str, user_id: int, place: MapPlace, now: dt.datetime) -> AdoptedOrders:
    """Copy the person's legal orders from a map to a new draft.

    The draft is not live, and nobody else sees it. Raises `NoSuchMap`, `WrongMoment` if the phase
    of the map is over, and what `adopt_orders` raises.
    """
    game = lock_game(slug)
    phase, orders = _find_orders(load_table(game, user_id), place)
    return adopt_orders(
        slug=slug,
        user_id=user_id,
        sequence=phase.sequence,
        name=f"Map, {phase.judge_phase}",
        orders=orders,
        now=now,
    )


@atomic_with_retries
def add_map_orders(
    *, slug: str, user_id: int, place: MapPlace, now: dt.datetime, confirmed: bool = False
) -> Added:
    """Add the person's orders on a map to the live ones, and return the outcome.

    Nobody else learns of it. Raises `NoSuchMap`, `WrongMoment` if the phase of the map is over or
    none of the orders are the person's, and what `add_orders` raises.
    """
    game = lock_game(slug)
    table = load_table(game, user_id)
    phase, orders = _find_orders(table, place)
    powers = phase.powers_of(table.seat) if table.seat else ()
    choices = [str(order) for order in orders if power_of(order) in powers]
    if not choices:
        raise WrongMoment("None of these orders are for your country.")
    return add_orders(
        slug=slug,
        user_id=user_id,
        sequence=phase.sequence,
        choices=choices,
        now=now,
        confirmed=confirmed,
    )


def _find_orders(table: PressTable, place: MapPlace) -> tuple[Phase, tuple[Order, ...]]:
    """Return the open phase and the orders for it on a map that the person may see.

    Raises `NoSuchMap`, `BadMap` without orders, or `WrongMoment` if they are for another position.
    """
    require_visible(table)
    row = _find_map(table, place)
    phase = table.game.newest_phase()
    if row.phase_id is None:
        raise WrongMoment("This map shows a free position, so its orders cannot be used.")
    if phase is None or row.phase_id != phase.pk:
        raise WrongMoment(f"{row.title} is over, so the orders on this map cannot be used.")
    orders = first_orders(load_content(row.content, table.game.chart.content_hash))
    if not orders:
        raise BadMap("There are no orders on this map.")
    return phase, orders
