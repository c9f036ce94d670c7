"""Conference maps as a viewer may see them: the viewer's own, and those in messages."""

import datetime as dt
import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet

from diplomaccloud.games.table.models import Seat, Status
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.orders import power_of
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.maps.content import first_orders, load_content
from diplomaccloud.press.maps.models import ConferenceMap, SentMap
from diplomaccloud.press.table.addresses import AddressKind, MapPlace
from diplomaccloud.press.table.errors import NoSuchConversation, NoSuchMap
from diplomaccloud.press.table.models import Membership, Message
from diplomaccloud.press.table.read import AttachmentFacts

MAPS_PER_PAGE = 60
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class MapFacts(AttachmentFacts):
    """A conference map; `number` is its author's number, 0 for another person's map.

    `sequence` is the phase of the game that it starts from, None for a free position, and `is_open`
    says whether orders for that phase can still be given. If so, `own` are the orders for the
    viewer's country. `before` is the content of the map it is based on, blank if there is none
    or the viewer may not see it.
    """

    title: str
    powers: tuple[str, ...]
    orders: int
    marks: int
    steps: int
    content: str
    at: dt.datetime
    number: int
    sequence: int | None
    is_open: bool
    own: tuple[str, ...]
    before: str

    @property
    def has_own(self) -> bool:
        """Whether the viewer can use orders on it."""
        return bool(self.own)

    def list_lines(self, map_hash: str) -> Iterator[str]:
        """Return the title, the orders of the first phase, and the marks."""
        yield describe_map(self.title, self.content, map_hash)


def read_maps(
    messages: Sequence[Message], user_id: int | None, seats: Sequence[Seat] = ()
) -> Mapping[int, AttachmentFacts]:
    """Return the maps in messages, by message key, in one query.

    The changes to the previous map are shown to the author, and to those who can read a message
    with the previous map in the same conversation.
    """
    own_rows = Membership.objects.filter(
        Q(last=None) | Q(last__gte=OuterRef("number")),
        user=user_id or 0,
        conversation=OuterRef("conversation"),
        first__lte=OuterRef("number"),
    )
    shown_before = Message.objects.filter(
        sent_map__map=OuterRef("map__parent"), conversation=OuterRef("message__conversation")
    ).filter(Q(conversation__kind=AddressKind.PUBLIC) | Exists(own_rows))
    rows = SentMap.objects.filter(message__in=[row.pk for row in messages])
    rows = rows.select_related("map__phase", "map__parent").annotate(
        may_compare=Exists(shown_before),
        is_open=Exists(_find_open("map__phase")),
    )
    seat = next((seat for seat in seats if user_id and seat.user_id == user_id), None)
    return {
        row.message_id: _present(
            row.map, user_id, seat, is_open=row.is_open, may_compare=row.may_compare
        )
        for row in rows
    }


def describe_map(title: str, content: str, map_hash: str) -> str:
    """Return a conference map in words: the orders of its first phase, and its marks."""
    state = load_content(content, map_hash)
    orders = [f"{power_of(order)} {order}" for order in first_orders(state)]
    marks = [
        " ".join(filter(None, (mark.kind, mark.province, mark.to, mark.text)))
        for mark in state.marks
    ]
    return "\n".join((title, *orders, *marks))


def read_map(press: PressReader, place: MapPlace) -> MapFacts:
    """Return a map: one of the viewer's own, or one in a message that the viewer can read.

    Raises `NoSuchMap` or, for a message, `NoSuchConversation`.
    """
    if place.address is not None:
        attachments = press.message(place.address, place.number).attachments
        facts = next((part for part in attachments if isinstance(part, MapFacts)), None)
        if facts is None:
            raise NoSuchConversation
        return facts
    maps = list_own_maps(press, place.number)
    if not maps:
        raise NoSuchMap
    return maps[0]


def list_own_maps(press: PressReader, number: int | None = None) -> tuple[MapFacts, ...]:
    """Return the viewer's newest maps of the game, newest first, or only the one with a number."""
    user_id = press.user_id or 0
    rows = ConferenceMap.objects.filter(game=press.game_id, author=user_id).order_by("-number")
    if number is not None:
        rows = rows.filter(number=number)
    related = rows.select_related("phase", "parent").annotate(is_open=Exists(_find_open("phase")))
    return tuple(
        _present(row, user_id, press.table.seat, is_open=row.is_open)
        for row in related[:MAPS_PER_PAGE]
    )


def _find_open(phase: str) -> QuerySet[Phase]:
    rows = Phase.objects.filter(pk=OuterRef(phase), processed_at=None, locked_at=None)
    return rows.filter(superseded_at=None, game__status=Status.RUNNING)


def _present(
    row: ConferenceMap,
    user_id: int | None,
    seat: Seat | None,
    *,
    is_open: bool,
    may_compare: bool = False,
) -> MapFacts:
    powers = tuple(row.powers.split(",")) if row.powers else ()
    is_own = row.author_id == user_id
    own: tuple[str, ...] = ()
    if is_open and row.phase and seat:
        row.phase.game = seat.game
        yours = set(row.phase.powers_of(seat))
        if yours.intersection(powers):
            orders = first_orders(load_content(row.content, seat.game.chart.content_hash))
            own = tuple(str(order) for order in orders if power_of(order) in yours)
    return MapFacts(
        title=row.title,
        powers=powers,
        orders=row.orders,
        marks=row.marks,
        steps=row.steps,
        content=row.content,
        at=row.at,
        number=row.number if is_own else 0,
        sequence=row.phase.sequence if row.phase else None,
        is_open=is_open,
        own=own,
        before=row.parent.content if row.parent and (is_own or may_compare) else "",
    )


def export_maps(viewer: Viewer) -> Iterator[str]:
    """Yield a line of JSON for each map that the person has drawn, sent or not, by game."""
    rows = ConferenceMap.objects.filter(author=viewer.user_id or 0).order_by("game", "number")
    related = rows.select_related("game__chart", "phase").defer("game__chart__text")
    with closing(cast("Generator[ConferenceMap]", related.iterator(chunk_size=_CHUNK))) as drawn:
        for row in drawn:
            map_hash = row.game.chart.content_hash
            line = {
                "game": row.game.slug,
                "world": row.game.world,
                "number": row.number,
                "at": row.at.isoformat(),
                "text": describe_map(row.title, row.content, map_hash),
                "board": f"/maps/{map_hash}/sandbox/?{urlencode({'board': row.content})}",
            }
            yield json.dumps(line, ensure_ascii=False)
