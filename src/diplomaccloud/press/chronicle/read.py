"""A finished game as a chronicle: the press that everyone who may see it can read, by phase.

It is the same for every viewer and does not exist before the end of the game.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.crypto import constant_time_compare, salted_hmac

from diplomaccloud.games.table.errors import NoSuchGame, WrongMoment
from diplomaccloud.games.table.models import Status
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.conversations.read import read_attachments
from diplomaccloud.press.maps.read import MapFacts, read_maps
from diplomaccloud.press.openings.read import select_open_messages
from diplomaccloud.press.table.addresses import AddressKind, AttachmentKind, numbers_of_key
from diplomaccloud.press.table.errors import NoSuchMap
from diplomaccloud.press.table.models import Membership, Message
from diplomaccloud.press.table.periods import Ranges
from diplomaccloud.press.table.read import AttachmentFacts, AuthorNames, MessageFacts
from diplomaccloud.press.table.state import Holders, load_holders

BEFORE: Final = "before"
AFTER: Final = "after"
"""The names of the chapters before the first phase and after the end."""
MESSAGES_PER_PAGE: Final = 100
_TOKEN_LENGTH: Final = 24
_OF_SEATS: Final = (AddressKind.SEATS.value, AddressKind.MASTER.value)
_BEFORE_START: Final = (AddressKind.PREGAME.value, AddressKind.NOTES.value)


@dataclass(frozen=True, slots=True)
class ChapterFacts:
    """A chapter of a chronicle; its name in addresses is `before`, `after` or a phase's sequence.

    `undone` says that the phase was rolled back, `processed` that it has results.
    """

    name: str
    phase: JudgePhase | None = None
    processed: bool = False
    undone: bool = False


@dataclass(frozen=True, slots=True)
class OpenMessage:
    """A message that everyone may read, and the first powers of all seats in its conversation.

    `token` identifies its map in a chapter's addresses without revealing the conversation.
    """

    kind: AddressKind
    powers: tuple[str, ...]
    message: MessageFacts
    token: str = ""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """Messages in chronological order, and whether the chapter has more."""

    messages: tuple[OpenMessage, ...]
    has_more: bool


class ChronicleReader:
    """The chronicle of a finished game; each part is loaded when first used.

    Raises `WrongMoment` if the game is not over.
    """

    def __init__(self, reader: Reader) -> None:
        self._game = reader.rows.game
        if self._game.status != Status.FINISHED:
            raise WrongMoment("The chronicle opens when the game is over.")

    @cached_property
    def chapters(self) -> tuple[ChapterFacts, ...]:
        """All chapters in order; those before and after all phases only if they have messages."""
        phases = self._game.phases.order_by("sequence")
        chapters = [
            ChapterFacts(str(sequence), JudgePhase.parse(name), at is not None, undone is not None)
            for sequence, name, at, undone in phases.values_list(
                "sequence", "name", "processed_at", "superseded_at"
            )
        ]
        if self._select(BEFORE).exists():
            chapters.insert(0, ChapterFacts(BEFORE))
        if self._select(AFTER).exists():
            chapters.append(ChapterFacts(AFTER))
        return tuple(chapters)

    def chapter(self, name: str) -> ChapterFacts:
        """Return a chapter; raise `NoSuchGame` if there is none."""
        chapter = next((part for part in self.chapters if part.name == name), None)
        if chapter is None:
            raise NoSuchGame
        return chapter

    def read_messages(
        self,
        name: str,
        *,
        country: str = "",
        page: int = 1,
        limit: int = MESSAGES_PER_PAGE,
        with_attachments: bool = False,
    ) -> OpenPage:
        """Return a page of a chapter's messages, filtered by country if one is given.

        `name` is the chapter's. A country's messages are those it wrote and those in its
        conversations. Attachments take more queries, for each kind on the page.
        """
        rows = self._select(name)
        seat = self._holders.find_power(country) if country else None
        if seat is not None:
            members = Membership.objects.filter(conversation=OuterRef("conversation"), seat=seat)
            rows = rows.filter(Q(seat=seat) | Q(Exists(members), conversation__kind__in=_OF_SEATS))
        rows = rows.select_related("conversation", "author").order_by("at", "pk")
        start = (max(page, 1) - 1) * limit
        batch = list(rows[start : start + limit + 1])
        carried = (
            read_attachments(batch[:limit], None, self._holders.seats) if with_attachments else {}
        )
        messages = tuple(self._present(row, carried.get(row.pk, ())) for row in batch[:limit])
        return OpenPage(messages, len(batch) > limit)

    def read_map(self, name: str, token: str) -> MapFacts:
        """Return the map of an open message of a chapter.

        Raises `NoSuchGame` or `NoSuchMap` if there is none.
        """
        rows = self._select(self.chapter(name).name).filter(attached=AttachmentKind.MAP)
        rows = rows.order_by().only("pk")
        row = next((row for row in rows if constant_time_compare(_token(row), token)), None)
        facts = read_maps([row], None).get(row.pk) if row else None
        if not isinstance(facts, MapFacts):
            raise NoSuchMap
        return facts

    @cached_property
    def _holders(self) -> Holders:
        return load_holders(self._game)

    def _select(self, name: str) -> QuerySet[Message]:
        rows = select_open_messages(self._game)
        if name == BEFORE:
            return rows.filter(phase=None, conversation__kind__in=_BEFORE_START)
        if name == AFTER:
            last = self._game.phases.filter(superseded_at=None).order_by("-sequence")
            phase = Subquery(last.values("pk")[:1])
            return rows.filter(phase=phase, at__gt=self._game.finished_at)
        phase = Subquery(self._game.phases.filter(sequence=int(name)).values("pk")[:1])
        return rows.filter(phase=phase, at__lte=self._game.finished_at)

    def _present(self, row: Message, carried: tuple[AttachmentFacts, ...]) -> OpenMessage:
        kind = AddressKind(row.conversation.kind)
        numbers = numbers_of_key(row.conversation.key) if kind.value in _OF_SEATS else frozenset()
        seats = [seat for seat in self._holders.seats if seat.number in numbers]
        names = AuthorNames(self._game, self._holders, None)
        # Numbered as in the whole conversation, since nothing before an open message is hidden.
        facts = names.present(row, kind, Ranges(((1, row.number),)))
        return OpenMessage(
            kind,
            tuple(seat.power for seat in seats if seat.power),
            replace(facts, attachments=carried),
            _token(row) if row.attached == AttachmentKind.MAP else "",
        )


def _token(row: Message) -> str:
    return salted_hmac("press.chronicle", str(row.pk)).hexdigest()[:_TOKEN_LENGTH]
