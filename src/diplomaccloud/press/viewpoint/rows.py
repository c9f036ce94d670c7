"""The rows that decide which conversations of a game, and which parts, a viewer can read."""

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Final

from django.db.models import Q, QuerySet, Subquery

from diplomaccloud.accounts.models import User
from diplomaccloud.press.addresses import Kind, key_of_game
from diplomaccloud.press.models import Conversation, Membership, Message, PressVersion
from diplomaccloud.press.models.periods import find_ranges, plan_conversation
from diplomaccloud.press.ranges import Ranges, merge_ranges
from diplomaccloud.press.table import Table, Target
from diplomaccloud.press.viewpoint.messages import select_unsigned
from diplomaccloud.shared.prepared_queries import PreparedQuery

_NO_SEAT: Final = 0
"""The key of no seat: the query for an empty list would not be prepared."""


class ConversationRows:
    """The conversations of a game with one viewer's rows, loaded when first used.

    `user_id` of the table is 0 for visitors, who are not members of any conversation.
    """

    def __init__(self, table: Table) -> None:
        self._table, self._game, self._user_id = table, table.game, table.user_id
        self._version = 0

    @property
    def version(self) -> int:
        """How often the viewer's press in this game has changed, as in `count_changes`."""
        _ = self._rows
        return self._version

    @cached_property
    def readable(self) -> list[tuple[Conversation, list[Membership], Ranges]]:
        """The conversations that the viewer can read, with the viewer's rows."""
        readable = []
        for found in self._rows.values():
            rows, ranges = self._plan(found[0].conversation, found)
            if ranges:
                readable.append((found[0].conversation, rows, ranges))
        return readable

    def find(self, target: Target) -> tuple[Conversation | None, Sequence[Membership], Ranges]:
        """Return a conversation with the viewer's rows and readable ranges."""
        rows = self._rows.get(target.key)
        if not rows:
            return None, [], Ranges()
        return rows[0].conversation, *self._plan(rows[0].conversation, rows)

    def find_newest(self) -> dict[int, Message]:
        """Return the newest message that the viewer can read in each conversation, by its key."""
        if not self.readable:
            return {}
        keys = [conversation.pk for conversation, *_ in self.readable]
        numbers = [ranges.last for *_, ranges in self.readable]
        rows = _messages.read(self._user_id, keys, numbers)
        self._sign(rows)
        return {row.conversation_id: row for row in rows}

    def _sign(self, messages: Sequence[Message]) -> None:
        """Set the authors and `is_muted` of the messages, from the holders' rows."""
        holders = self._table.holders
        people = {seat.user_id: seat.user for seat in holders.seats}
        tenures = [row for rows in holders.tenures.values() for row in rows]
        muted = {row.pk for row in tenures if getattr(row, "is_muted", False)}
        others = {row.author_id for row in messages} - people.keys() - {None}
        if others:
            people |= User.objects.in_bulk(others)
        for message in messages:
            message.author = people.get(message.author_id)
            vars(message)["is_muted"] = message.tenure_id in muted

    @cached_property
    def _rows(self) -> dict[str, list[Membership]]:
        """The viewer's rows by conversation key, in one query.

        The query is the same for any conversation, whether or not it exists.
        """
        conversations: dict[str, Conversation] = {}
        grouped: dict[str, list[Membership]] = {}
        for row in self._read():
            self._version = getattr(row, "version", None) or 0
            row.conversation = conversations.setdefault(row.conversation.key, row.conversation)
            grouped.setdefault(row.conversation.key, []).append(row)
        return grouped

    def _read(self) -> list[Membership]:
        """Return the rows of the viewer, of seats the viewer held, and of public conversations."""
        kinds = (Kind.PUBLIC, Kind.GRAY, Kind.PREGAME)
        common = (key_of_game(self._game.pk, kind) for kind in kinds)
        tenures = self._table.holders.tenures.items()
        held = [seat for seat, rows in tenures if any(row.user_id == self._user_id for row in rows)]
        return _members.read(self._game.pk, self._user_id, held or [_NO_SEAT], *common)

    def _plan(
        self, conversation: Conversation, rows: Sequence[Membership]
    ) -> tuple[list[Membership], Ranges]:
        """Return the viewer's rows as the next message would leave them, and readable ranges."""
        plan = plan_conversation(conversation, rows, self._game, self._table.holders)
        own = [row for row in plan.rows if row.user_id == self._user_id]
        if Kind(conversation.kind).is_for_all:
            return own, merge_ranges([(1, conversation.last)])
        return own, find_ranges(conversation, own, self._user_id)


def _select_members(
    game: int, user_id: int, seats: Sequence[int], *common: str
) -> QuerySet[Membership]:
    versions = PressVersion.objects.filter(user=user_id, place=game)
    readable = Q(user=user_id) | Q(seat__in=seats) | Q(conversation__key__in=common)
    rows = Membership.objects.filter(readable, conversation__game=game)
    version = Subquery(versions.values("number"))
    return rows.select_related("conversation").annotate(version=version)


def _select_messages(
    user_id: int, conversations: Sequence[int], numbers: Sequence[int]
) -> QuerySet[Message]:
    """Return one message of each conversation, by its number there."""
    places = zip(conversations, numbers, strict=True)
    wanted = (Q(conversation=conversation, number=number) for conversation, number in places)
    return select_unsigned(user_id).filter(reduce(or_, wanted))


_members = PreparedQuery(_select_members, int, int, list, str, str, str)
_messages = PreparedQuery(_select_messages, int, list, list)
