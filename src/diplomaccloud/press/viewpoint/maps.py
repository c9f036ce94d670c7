"""Conference maps as a viewer may see them: the viewer's own, and those in messages."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from diplomaccloud.games.table.models import Seat, Status
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.models import ConferenceMap, Membership, Message, SentMap
from diplomaccloud.press.viewpoint.facts import AttachmentFacts


@dataclass(frozen=True, slots=True)
class MapFacts(AttachmentFacts):
    """A conference map; `number` is its author's number, 0 for another person's map.

    `sequence` is the phase of the game that it starts from, None for a free position, and `is_open`
    says whether orders for that phase can still be given. `has_own` says whether it has orders for
    the viewer's country. `before` is the content of the map it is based on, blank if there is none
    or the viewer may not see it.
    """

    title: str
    powers: tuple[str, ...]
    orders: int
    marks: int
    steps: int
    content: str
    at: dt.datetime
    number: int = 0
    sequence: int | None = None
    is_open: bool = False
    has_own: bool = False
    before: str = ""


def read_maps(
    messages: Sequence[Message], user_id: int | None, _seats: Sequence[Seat] = ()
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
    ).filter(Q(conversation__kind=Kind.PUBLIC) | Exists(own_rows))
    rows = SentMap.objects.filter(message__in=[row.pk for row in messages])
    rows = rows.select_related("map__phase", "map__parent").annotate(
        may_compare=Exists(shown_before),
        own_power=_find_own_power("map__game", user_id),
        is_open=Exists(_find_open("map__phase")),
    )
    return {
        row.message_id: _present(
            row.map,
            user_id,
            may_compare=row.may_compare or row.map.author_id == user_id,
            own_power=row.own_power,
            is_open=row.is_open,
        )
        for row in rows
    }


def select_own_maps(game_id: int, user_id: int) -> QuerySet[ConferenceMap]:
    """Return a person's maps in a game, newest first."""
    rows = ConferenceMap.objects.filter(game=game_id, author=user_id).order_by("-number")
    return rows.select_related("phase", "parent").annotate(
        own_power=_find_own_power("game", user_id), is_open=Exists(_find_open("phase"))
    )


def present_own_map(row: ConferenceMap) -> MapFacts:
    """Return the facts of a row of `select_own_maps`."""
    return _present(
        row,
        row.author_id,
        may_compare=True,
        own_power=getattr(row, "own_power", None),
        is_open=bool(getattr(row, "is_open", False)),
    )


def _find_own_power(game: str, user_id: int | None) -> Subquery:
    return Subquery(Seat.objects.filter(game=OuterRef(game), user=user_id or 0).values("power")[:1])


def _find_open(phase: str) -> QuerySet[Phase]:
    rows = Phase.objects.filter(pk=OuterRef(phase), processed_at=None, locked_at=None)
    return rows.filter(superseded_at=None, game__status=Status.RUNNING)


def _present(
    row: ConferenceMap,
    user_id: int | None,
    *,
    may_compare: bool,
    own_power: str | None,
    is_open: bool,
) -> MapFacts:
    powers = tuple(row.powers.split(",")) if row.powers else ()
    is_own = row.author_id == user_id
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
        has_own=own_power is not None and own_power in powers,
        before=row.parent.content if row.parent and may_compare else "",
    )
