"""Reading messages: turning rows into facts, with the author's name unless it is hidden."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.visibility.read import person_name
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.addresses import AttachmentKind, Kind
from diplomaccloud.press.models import Conversation, HiddenMessage, Message, SeatMute
from diplomaccloud.press.models.game_state import Holders
from diplomaccloud.press.ranges import Ranges
from diplomaccloud.press.viewpoint.attachments import read_attachments
from diplomaccloud.press.viewpoint.facts import Author, AuthorKind, MessageFacts


@dataclass(frozen=True, slots=True)
class Page:
    """Messages in order, and whether there are readable ones before and after them."""

    messages: tuple[MessageFacts, ...]
    has_earlier: bool
    has_later: bool


@dataclass(frozen=True, slots=True)
class Names:
    """Who is who for one viewer; `holders` is None outside games."""

    game: Game | None
    holders: Holders | None
    user_id: int | None

    def author_of(self, message: Message, kind: Kind) -> Author:
        """Return how the message is signed for the viewer."""
        person = message.author
        is_you = person is not None and message.author_id == self.user_id
        if person is None and message.tenure_id is None:
            return Author(AuthorKind.UNSIGNED)
        if self.game is None:
            name = person.screen_name if person else ""
            return Author(AuthorKind.PERSON, name=name, is_you=is_you)
        name = person_name(self.game, person)
        if message.seat_id is None:
            if kind in (Kind.PREGAME, Kind.NOTES):
                return Author(AuthorKind.PERSON, name=name, is_you=is_you)
            return Author(AuthorKind.MASTER, is_you=is_you)
        if kind is Kind.PREGAME:
            return Author(AuthorKind.PERSON, name=name, is_you=is_you)
        seat = self._find_seat(message.seat_id)
        current = self.holders.current(seat) if self.holders and seat else None
        return Author(
            AuthorKind.SEAT,
            power=(seat.power or "") if seat else "",
            country=seat.country_name if seat else "",
            name=name,
            former=current is None or current.pk != message.tenure_id,
            is_you=is_you,
        )

    def _find_seat(self, key: int) -> Seat | None:
        seats = self.holders.seats if self.holders else ()
        return next((seat for seat in seats if seat.pk == key), None)

    def present(self, message: Message, kind: Kind, ranges: Ranges) -> MessageFacts:
        """Return the facts of a row that `select_messages` returned."""
        phase = getattr(message, "phase_name", None)
        return MessageFacts(
            number=ranges.shown(message.number),
            at=message.at,
            phase=JudgePhase.parse(phase) if phase else None,
            author=self.author_of(message, kind),
            subject=message.subject,
            body=message.body,
            muted=bool(getattr(message, "is_muted", False)),
            attached=AttachmentKind(message.attached),
        )


def select_messages(user_id: int | None) -> QuerySet[Message]:
    """Return all messages with one person's `is_hidden` and `is_muted`."""
    rows = select_unsigned(user_id).select_related("author").annotate(phase_name=F("phase__name"))
    if user_id is None:
        return rows
    muted = SeatMute.objects.filter(user=user_id, seat=OuterRef("seat"), tenure=OuterRef("tenure"))
    return rows.annotate(is_muted=Exists(muted))


def select_unsigned(user_id: int | None) -> QuerySet[Message]:
    """Return all messages with `is_hidden`, without their authors and phases."""
    if user_id is None:
        return Message.objects.all()
    return Message.objects.annotate(is_hidden=Exists(_find_hidden(user_id)))


def _find_hidden(user_id: int) -> QuerySet[HiddenMessage]:
    return HiddenMessage.objects.filter(user=user_id, message=OuterRef("pk"))


def read_page(
    names: Names,
    conversation: Conversation,
    ranges: Ranges,
    *,
    after: int | None,
    before: int | None,
    limit: int,
) -> Page:
    """Return up to `limit` messages, in one query.

    They are the first ones after number `after`, else the last ones before `before`, else the
    newest. Deleted messages are left out.
    """
    rows = select_messages(names.user_id).filter(conversation=conversation)
    if names.user_id is not None:
        rows = rows.exclude(Exists(_find_hidden(names.user_id)))
    readable = Q()
    for first, last in ranges.parts:
        readable |= Q(number__gte=first, number__lte=last)
    rows = rows.filter(readable) if ranges else rows.none()
    if after is not None:
        found = list(rows.filter(number__gt=ranges.stored(after)).order_by("number")[: limit + 1])
        more, found = len(found) > limit, found[:limit]
        return Page(_present(names, conversation, ranges, found), after > 0, more)
    if before is not None and before <= ranges.count:
        rows = rows.filter(number__lt=ranges.stored(max(before, 1)))
    found = list(rows.order_by("-number")[: limit + 1])
    more, found = len(found) > limit, found[:limit][::-1]
    is_newest = before is None or before > ranges.count
    return Page(_present(names, conversation, ranges, found), more, not is_newest)


def read_time(conversation: Conversation, ranges: Ranges, shown: int) -> dt.datetime | None:
    """Return when the message with a shown number was sent; None for 0 and less."""
    number = ranges.stored(shown)
    rows = Message.objects.filter(conversation=conversation, number=number) if number else ()
    return next((row.at for row in rows), None)


def _present(
    names: Names, conversation: Conversation, ranges: Ranges, rows: Sequence[Message]
) -> tuple[MessageFacts, ...]:
    kind, seats = Kind(conversation.kind), names.holders.seats if names.holders else ()
    carried = read_attachments(rows, names.user_id, seats)
    return tuple(
        replace(names.present(row, kind, ranges), attachments=carried.get(row.pk, ()))
        for row in rows
    )
