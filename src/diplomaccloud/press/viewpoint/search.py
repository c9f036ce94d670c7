"""Searching and exporting everything that a person can read, with names masked as on pages."""

import json
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import cast

from django.db.models import Exists, F, OuterRef, Q, QuerySet, prefetch_related_objects

from diplomaccloud.accounts.models import name_of
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.addresses import AttachmentKind, Kind
from diplomaccloud.press.models import Conversation, Membership, Message
from diplomaccloud.press.ranges import Ranges, merge_ranges
from diplomaccloud.press.viewpoint.attachments import read_attachments
from diplomaccloud.press.viewpoint.contexts import (
    Contexts,
    fetch_conversations,
    keep_readable,
    load_contexts,
    select_inherited_rows,
    with_games,
)
from diplomaccloud.press.viewpoint.facts import (
    AuthorKind,
    MemberFacts,
    MessageFacts,
    describe_attachments,
)
from diplomaccloud.press.viewpoint.messages import select_messages

MAX_HITS = 50
MAX_SEARCH = 100
"""The maximum length of a search text."""
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A matching message and its conversation; `slug` is blank for a personal one.

    `document` is the text of the message's document if that matches.
    """

    slug: str
    world: str
    kind: Kind
    address: str
    members: tuple[MemberFacts, ...]
    person: str
    message: MessageFacts
    document: str = ""


def search(viewer: Viewer, text: str, *, slug: str = "") -> tuple[SearchHit, ...]:
    """Return the newest messages with `text` that the person can read, in all games or in one.

    A message also has the text of the document that it shows. Returns at most `MAX_HITS`, and
    nothing for a blank or overlong text.
    """
    wanted = " ".join(text.split())
    if viewer.user_id is None or not wanted or len(wanted) > MAX_SEARCH:
        return ()
    inherited = keep_readable(select_inherited_rows(viewer.user_id))
    rows = _select_readable(viewer.user_id, inherited)
    rows = rows.prefetch_related(None)
    if slug:
        rows = rows.filter(conversation__game__slug=slug)
    found = _find_newest(rows, wanted)
    prefetch_related_objects(found, fetch_conversations())
    conversations = {row.conversation_id: row.conversation for row in found}
    library = _Library.load(viewer.user_id, list(conversations.values()), inherited)
    return tuple(library.present(row) for row in found)


def _find_newest(rows: QuerySet[Message], wanted: str) -> list[Message]:
    """Return the newest of the messages that have the text themselves or in a document."""
    # In one condition, the database would look for a document of every message.
    said = rows.filter(Q(body__icontains=wanted) | Q(subject__icontains=wanted))
    shown = rows.filter(
        attached=AttachmentKind.DOCUMENT, document__document__text__icontains=wanted
    ).annotate(document_text=F("document__document__text"))
    # The second query comes last, since its rows have more.
    found = {
        row.pk: row for part in (said, shown) for row in part.order_by("-at", "-pk")[:MAX_HITS]
    }
    return sorted(found.values(), key=lambda row: (row.at, row.pk), reverse=True)[:MAX_HITS]


def export(viewer: Viewer) -> Iterator[str]:
    """Yield a line of JSON for each message that the person can currently read, by conversation.

    Names are masked as on the pages, and deleted messages are left out.
    """
    if viewer.user_id is None:
        return
    inherited = keep_readable(select_inherited_rows(viewer.user_id))
    own = Conversation.objects.filter(memberships__user=viewer.user_id).values("pk")
    keys = {row.conversation_id for row in inherited}
    conversations = Conversation.objects.filter(Q(pk__in=own) | Q(pk__in=keys))
    for key in list(conversations.order_by("pk").values_list("pk", flat=True)):
        messages = _select_readable(viewer.user_id, inherited).filter(conversation=key)
        library: _Library | None = None
        with closing(_stream(messages.order_by("number"))) as rows:
            while chunk := list(islice(rows, _CHUNK)):
                game = chunk[0].conversation.game
                if library is None:
                    library = _Library.load(viewer.user_id, [chunk[0].conversation], inherited)
                carried = read_attachments(chunk, viewer.user_id)
                map_hash = game.chart.content_hash if game else ""
                for row in chunk:
                    text = describe_attachments(carried.get(row.pk, ()), map_hash)
                    yield json.dumps(_to_json(library.present(row), text), ensure_ascii=False)


def _stream(rows: QuerySet[Message]) -> Generator[Message]:
    """Return the rows one by one; close it, so that no open cursor keeps a snapshot."""
    return cast("Generator[Message]", rows.iterator(chunk_size=_CHUNK))


def _select_readable(user_id: int, inherited: list[Membership]) -> QuerySet[Message]:
    """Return the messages that the person can read and has not deleted."""
    own = Membership.objects.filter(user=user_id, first__lte=OuterRef("number"))
    own = own.filter(Q(last=None) | Q(last__gte=OuterRef("number")))
    readable = Q(Exists(own.filter(conversation=OuterRef("conversation"))))
    readable |= Q(conversation__in={row.conversation_id for row in inherited})
    mine = Membership.objects.filter(user=user_id).values("conversation")
    rows = select_messages(user_id).filter(
        Q(conversation__in=mine) | Q(conversation__in={row.conversation_id for row in inherited})
    )
    related = rows.filter(readable).exclude(hidden__user=user_id).select_related("author")
    return related.prefetch_related(fetch_conversations())


@dataclass(frozen=True, slots=True)
class _Library:
    """The viewer's readable ranges in some conversations, and the viewer's seats."""

    contexts: Contexts
    ranges: dict[int, Ranges]
    seats: dict[int, int | None]

    @classmethod
    def load(
        cls, user_id: int, conversations: list[Conversation], inherited: list[Membership]
    ) -> "_Library":
        keys = {row.pk for row in conversations}
        rows = list(with_games(Membership.objects.filter(user=user_id, conversation__in=keys)))
        parts: dict[int, list[tuple[int, int]]] = {}
        for row in rows:
            last = row.conversation.last if row.last is None else row.last
            parts.setdefault(row.conversation_id, []).append((row.first, last))
        for row in inherited:
            parts.setdefault(row.conversation_id, []).append((1, row.conversation.last))
        return cls(
            load_contexts(user_id, conversations),
            {key: merge_ranges(found) for key, found in parts.items()},
            {row.conversation_id: row.seat_id for row in (*inherited, *rows)},
        )

    def present(self, row: Message) -> SearchHit:
        """Return the message as the viewer sees it."""
        conversation, contexts = row.conversation, self.contexts
        game, kind = conversation.game, Kind(conversation.kind)
        seat = self.seats.get(row.conversation_id)
        names = contexts.names(conversation)
        return SearchHit(
            slug=game.slug if game else "",
            world=game.world if game else "",
            kind=kind,
            address=str(contexts.address(conversation, seat)) if game else "",
            members=contexts.members(conversation, seat),
            person=contexts.person(conversation),
            message=names.present(row, kind, self.ranges[row.conversation_id]),
            document=getattr(row, "document_text", ""),
        )


def _to_json(hit: SearchHit, attached_text: str) -> dict[str, object]:
    message, author = hit.message, hit.message.author
    signed = {
        AuthorKind.SEAT: author.power,
        AuthorKind.MASTER: "game master",
        AuthorKind.PERSON: author.name,
        AuthorKind.UNSIGNED: "unsigned",
    }
    return {
        "game": hit.slug,
        "world": hit.world,
        "conversation": hit.address or name_of(hit.person),
        "number": message.number,
        "at": message.at.isoformat(),
        "phase": str(message.phase) if message.phase else "",
        "author": signed[author.kind],
        "name": author.name,
        "subject": message.subject,
        "text": message.body,
        "attached": str(message.attached),
        "attached_text": attached_text,
    }
