"""The press of one game as one viewer may see it."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, Self

from django.db.models import Exists, Q
from django.utils import timezone

from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import TalkDone
from diplomaccloud.games.table.read import Reader as GameReader
from diplomaccloud.games.visibility.read import Viewer, find_game, is_canceled, sees
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.press.table.addresses import (
    EVERYONE,
    GAME_MASTER,
    GRAY,
    NOTES,
    TABLE,
    Address,
    AddressKind,
    AttachmentKind,
    seats_address,
)
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import Conversation, Membership, Message, WaitingMessage
from diplomaccloud.press.table.periods import Ranges, find_own_row
from diplomaccloud.press.table.read import (
    Addressees,
    AttachmentFacts,
    AuthorNames,
    ConversationFacts,
    ConversationRows,
    Flag,
    MessageFacts,
    Summary,
    WaitingFacts,
    list_changes,
    list_members,
    select_hidden,
    select_messages,
)
from diplomaccloud.press.table.rules import (
    WRITING_MOVES,
    Moment,
    PressState,
    PressVerdict,
    Why,
    decide,
    publication_time,
)
from diplomaccloud.press.table.state import (
    NewestPhase,
    PressTable,
    Target,
    address_of,
    find_past_seat,
    find_target,
    judge_target,
    load_holders,
    load_holders_of_seats,
    load_phase_of_game,
    may_look,
)
from diplomaccloud.schedule import move_from_json

Reader = Callable[[Sequence[Message], int | None, Sequence[Seat]], Mapping[int, AttachmentFacts]]
"""Returns the facts by message key, for messages that the viewer with this key can read.

The seats are those of the game.
"""

READERS: Final[dict[AttachmentKind, Reader]] = {}
"""The reader of each kind, which `PressConfig` enters."""


def read_attachments(
    messages: Sequence[Message], user_id: int | None, seats: Sequence[Seat] | None = None
) -> dict[int, tuple[AttachmentFacts, ...]]:
    """Return the attachments by message key; messages with only text cause no query.

    All messages are from one game. Passing its seats saves a query.
    """
    facts: dict[int, tuple[AttachmentFacts, ...]] = {}
    for kind, reader in READERS.items():
        carrying = [message for message in messages if message.attached == kind]
        if not carrying:
            continue
        if seats is None:
            # Those of the messages' game.
            key = carrying[0].conversation_id
            games = Conversation.objects.filter(pk=key).values("game")
            rows = Seat.objects.filter(game__in=games).select_related("game__chart")
            seats = list(rows.defer("game__chart__text"))
            for seat in seats:
                seat.game = seats[0].game
        facts |= {key: (part,) for key, part in reader(carrying, user_id, seats).items()}
    return facts


Page = tuple[tuple[MessageFacts, ...], bool, bool]
"""Messages in order, and whether there are readable ones before and after them."""


def read_page(
    names: AuthorNames,
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
        rows = rows.exclude(Exists(select_hidden(names.user_id)))
    readable = Q()
    for first, last in ranges.parts:
        readable |= Q(number__gte=first, number__lte=last)
    rows = rows.filter(readable) if ranges else rows.none()
    if after is not None:
        rows = rows.filter(number__gt=ranges.stored(after)).order_by("number")
    elif before is not None and before <= ranges.count:
        rows = rows.filter(number__lt=ranges.stored(max(before, 1))).order_by("-number")
    else:
        rows = rows.order_by("-number")
    page = list(rows[: limit + 1])
    has_more, page = len(page) > limit, page[:limit]
    kind, seats = AddressKind(conversation.kind), names.holders.seats if names.holders else ()
    carried = read_attachments(page, names.user_id, seats)
    messages = tuple(
        replace(names.present(row, kind, ranges), attachments=carried.get(row.pk, ()))
        for row in page
    )
    if after is not None:
        return messages, after > 0, has_more
    has_later = before is not None and before <= ranges.count
    return messages[::-1], has_more, has_later


MESSAGES_PER_PAGE = 50
_ALWAYS_LISTED = (EVERYONE, GRAY, TABLE, GAME_MASTER, NOTES)
"""Conversations that are listed without messages, if the game has them for the viewer."""
_NOBODY = 0
"""The user key of visitors, who are not members of any conversation."""


class PressReader:
    """The conversations of one game for one viewer; each part is loaded when first used.

    Without `with_since`, the members of conversations have no `since`, and less is loaded. Raises
    `NoSuchGame` if the viewer may not see the game. All public
    attributes except `table` and `rows` are plain values.
    """

    def __init__(
        self, slug: str, viewer: Viewer, *, now: dt.datetime | None = None, with_since: bool = True
    ) -> None:
        self._with_since = with_since
        newest = load_phase_of_game(slug)
        if newest.phase is not None and sees(viewer, newest.phase.game):
            self._set(newest.phase.game, viewer, newest, now)
            return
        game = find_game(slug, viewer)
        if game is None:
            raise GameCanceled if is_canceled(slug) else NoSuchGame
        self._set(game, viewer, NewestPhase(None), now)

    _seats: Sequence[Seat] | None = None

    @classmethod
    def on_page(cls, reader: GameReader, *, now: dt.datetime | None = None) -> Self:
        """Return the press of a game whose page is being shown, reusing the loaded rows.

        The members of conversations have no `since` or `muted`, because the page doesn't show them.
        """
        rows, entries = reader.rows, reader.rows.newest_entries
        kinds = {kind.value for kind in WRITING_MOVES}
        moves = tuple(
            move_from_json(entry.data["moved"])
            for entry in reversed(entries)
            if rows.phase and entry.phase_id == rows.phase.pk and entry.kind in kinds
        )
        press = cls.__new__(cls)
        press._set(rows.game, rows.viewer, NewestPhase(rows.phase, moves), now)
        press.game = reader
        press._seats = rows.seats
        return press

    def _set(
        self, game: Game, viewer: Viewer, newest: NewestPhase, now: dt.datetime | None
    ) -> None:
        self._game, self.user_id = game, viewer.user_id
        self._newest, self._now = newest, now or timezone.now()

    @cached_property
    def game(self) -> GameReader:
        """The game, reusing what was loaded for its press."""
        viewer, seats = Viewer(self.user_id), self.table.holders.seats
        return GameReader.of_known(self._game, viewer, self._newest.phase, seats)

    @cached_property
    def state(self) -> PressState:
        """What the game allows now, why it allows no more, and when quiet time starts."""
        return self._newest.state_at(self._game, self._now)

    @cached_property
    def may_write(self) -> bool:
        """Whether the viewer has or ever had a part in the game other than watching."""
        return self.user_id is not None and (
            self.table.is_master or self.table.holders.has_held(self.user_id)
        )

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.state.moment is Moment.OVER

    @property
    def is_master(self) -> bool:
        """Whether the viewer is the game master without a seat."""
        return self.user_id is not None and self.table.is_master

    @property
    def may_look(self) -> bool:
        """Whether the viewer is a game master who may read private conversations in this game."""
        return self.is_master and may_look(self.table) and self.table.has_neutral_master()

    @property
    def may_be_looked_at(self) -> bool:
        """Whether the game master can read the players' conversations."""
        return self._game.options.talk.master_reads and self.table.has_neutral_master()

    @cached_property
    def unread(self) -> int:
        """The viewer's number of unread messages, without muted conversations."""
        return sum(row.unread for row in self.outline if not row.muted)

    @property
    def version(self) -> int:
        """How often the viewer's press in this game has changed, as in `count_changes`."""
        return self.rows.version

    @cached_property
    def conversations(self) -> tuple[Summary, ...]:
        """The conversations with messages that the viewer can read, newest first.

        Those that are always listed come last while they have no messages.
        """
        newest = self.rows.find_newest()
        return self._list([(*row, newest.get(row[0].pk)) for row in self.rows.readable])

    @cached_property
    def outline(self) -> tuple[Summary, ...]:
        """The same conversations without their newest messages, with one query fewer."""
        return self._list([(*row, None) for row in self.rows.readable])

    @cached_property
    def pairs(self) -> tuple[Summary, ...]:
        """The conversations with one other seat that the viewer may write in, now or later.

        They come without messages, in the order of the board.
        """
        targets = [self._find(seats_address(group[:1])) for group in self.groups]
        summaries = [self._summarize(target) for target in targets if target is not None]
        return tuple(row for row in summaries if self._is_offered(row))

    def _list(
        self, rows: Iterable[tuple[Conversation, list[Membership], Ranges, Message | None]]
    ) -> tuple[Summary, ...]:
        summaries = [self._present(*row) for row in rows]
        summaries.sort(key=lambda row: row.active_at or self._now, reverse=True)
        known = {row.address for row in summaries}
        for address in _ALWAYS_LISTED:
            if address not in known and (target := self._find(address)) is not None:
                summary = self._summarize(target)
                summaries += [summary] if self._is_offered(summary) else []
        return tuple(summaries)

    def summary(self, address: Address) -> Summary:
        """Return a conversation without its messages; raise `NoSuchConversation`."""
        target = find_target(self.table, address)
        conversation, rows, ranges = self.rows.find(target)
        summary = self._summarize(target, rows)
        if not ranges and not self._is_offered(summary):
            raise NoSuchConversation
        return replace(summary, active_at=conversation.last_at if conversation and ranges else None)

    def conversation(
        self,
        address: Address,
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = MESSAGES_PER_PAGE,
    ) -> ConversationFacts:
        """Return part of a conversation, as in `read_page`; raise `NoSuchConversation`."""
        summary = self.summary(address)
        target = find_target(self.table, address)
        conversation, rows, ranges = self.rows.find(target)
        viewer_row = find_own_row(rows, self.user_id or _NOBODY)
        page: Page = (), False, False
        if conversation is not None and ranges:
            page = read_page(
                self._names, conversation, ranges, after=after, before=before, limit=limit
            )
        messages, has_earlier, has_later = page
        changes = list_changes(self.table, summary.members)
        if changes and conversation is not None:
            first = messages[0].number - 1 if messages else after or 0
            number = ranges.stored(first)
            sent = Message.objects.filter(conversation=conversation, number=number)
            start = next((row.at for row in sent), None) if number else None
            end = messages[-1].at if has_later and messages else None
            changes = [
                change
                for change in changes
                if (start is None or change.at > start) and (end is None or change.at <= end)
            ]
        return ConversationFacts(
            summary=summary,
            messages=messages,
            count=ranges.count,
            read=ranges.shown(viewer_row.read) if viewer_row else 0,
            has_earlier=has_earlier,
            has_later=has_later,
            waiting=self._waiting if target.kind is AddressKind.GRAY else (),
            changes=tuple(changes),
        )

    def message(self, address: Address, number: int) -> MessageFacts:
        """Return one message; raise `NoSuchConversation` if the viewer has no such message."""
        messages = self.conversation(address, after=number - 1, limit=1).messages
        if number < 1 or not messages or messages[0].number != number:
            raise NoSuchConversation
        return messages[0]

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The powers of each seat, in board order; none before the draw."""
        phase = self._newest.phase
        groups = [phase.powers_of(seat) for seat in self.table.holders.seats] if phase else []
        ranks = {info.power: rank for rank, info in enumerate(self._game.board.powers)}
        return tuple(sorted(filter(None, groups), key=lambda group: ranks[group[0]]))

    @cached_property
    def countries(self) -> Mapping[str, tuple[Flag, ...]]:
        """The countries of each seat, by its first power; none before the draw."""
        seats, phase = self.table.holders.seats, self._newest.phase
        if phase is None:
            return {}
        colors, info = self._game.power_colors(seats), phase.board.power_info
        letters = find_badge_letters(phase.board)
        countries: dict[str, tuple[Flag, ...]] = {}
        for seat in seats:
            powers = phase.powers_of(seat)
            if seat.power and len(powers) > 1:
                countries[seat.power] = tuple(
                    Flag(info[power].name, colors[power], letters.get(power, ""))
                    for power in powers
                )
            elif seat.power:
                power = Power(seat.power)
                flag = Flag(seat.country_name, colors[power], letters.get(power, ""))
                countries[seat.power] = (flag,)
        return countries

    @property
    def game_id(self) -> int:
        """The key of the game."""
        return self._game.pk

    @cached_property
    def slug(self) -> str:
        """The last part of the game's address."""
        return self._game.slug

    @cached_property
    def provinces(self) -> frozenset[str]:
        """The codes of the map's provinces."""
        return frozenset(map(str, self._game.board.by_code))

    @cached_property
    def sequence(self) -> int:
        """The number of the newest phase, 0 before the start."""
        return self._newest.phase.sequence if self._newest.phase else 0

    @cached_property
    def is_done_talking(self) -> bool | None:
        """Whether the viewer is done talking; None if there is no talk to end."""
        phase, seat = self._newest.phase, self.table.seat
        if phase is None or seat is None or self.state.quiet_from is None:
            return None
        if self.state.moment is not Moment.OPEN:
            return None
        return TalkDone.objects.filter(phase=phase, seat=seat).exists()

    @cached_property
    def addressees(self) -> Addressees:
        """The recipients that the viewer may write to now."""
        table, seat = self.table, find_past_seat(self.table)
        others = [row for row in table.holders.seats if row.power and row != seat]
        seats = [row for row in others if self._may_write_to(seats_address([row.power or ""]))]
        return Addressees(
            list_members(self.table, AddressKind.SEATS, seats),
            tuple(address for address in _ALWAYS_LISTED if self._may_write_to(address)),
        )

    @cached_property
    def table(self) -> PressTable:
        """The game's press for the viewer, for `read` modules only."""
        viewer = self.user_id or _NOBODY
        if self._seats is None:
            holders = load_holders(self._game, viewer=viewer, with_since=self._with_since)
        else:
            holders = load_holders_of_seats(self._game, self._seats, viewer=viewer)
        return PressTable(self._game, self.user_id or _NOBODY, holders, self._newest)

    @cached_property
    def rows(self) -> ConversationRows:
        """The rows of the viewer's conversations, for `read` modules only."""
        return ConversationRows(self.table)

    @cached_property
    def _names(self) -> AuthorNames:
        return AuthorNames(self._game, self.table.holders, self.user_id)

    def _find(self, address: Address) -> Target | None:
        try:
            return find_target(self.table, address)
        except NoSuchConversation:
            return None

    def _may_write_to(self, address: Address) -> bool:
        target = self._find(address)
        return target is not None and self._judge(target)[0] is PressVerdict.ALLOWED

    def _judge(self, target: Target) -> tuple[PressVerdict, Why]:
        return judge_target(self.table, target, self.state, self._now)

    def _is_offered(self, summary: Summary) -> bool:
        """Return whether the viewer has the conversation even without messages."""
        kind, game = summary.kind, self._game
        if kind is AddressKind.GRAY and not game.options.talk.gray:
            return False
        if kind.is_for_all:
            return decide(game.options.press, kind, self.state)[0] is not PressVerdict.ABSENT
        if kind is AddressKind.PREGAME and summary.verdict is PressVerdict.CLOSED:
            return False
        return summary.verdict is not PressVerdict.ABSENT and self.may_write

    def _summarize(self, target: Target, rows: Sequence[Membership] = ()) -> Summary:
        verdict, why = self._judge(target)
        viewer_row = find_own_row(rows, self.user_id or _NOBODY)
        return Summary(
            address=target.address,
            kind=target.kind,
            members=list_members(self.table, target.kind, target.seats),
            unread=viewer_row.unread if viewer_row else 0,
            muted=viewer_row is not None and viewer_row.muted_at is not None,
            verdict=verdict,
            why=why,
        )

    def _present(
        self,
        conversation: Conversation,
        rows: Sequence[Membership],
        ranges: Ranges,
        newest: Message | None,
    ) -> Summary:
        """Return a conversation with its newest message, and when that was sent."""
        address = address_of(self.table, conversation.kind, conversation.key)
        summary = self._summarize(find_target(self.table, address), rows)
        last, active_at = None, conversation.last_at
        if newest is not None:
            active_at = newest.at
            if not getattr(newest, "is_hidden", False):
                last = self._names.present(newest, summary.kind, ranges)
        elif ranges.last < conversation.last and (
            viewer_row := find_own_row(rows, self.user_id or _NOBODY)
        ):
            return replace(summary, active_at=viewer_row.active_at)
        return replace(summary, last=last, active_at=active_at)

    @cached_property
    def _waiting(self) -> tuple[WaitingFacts, ...]:
        if self.user_id is None:
            return ()
        rows = WaitingMessage.objects.filter(game=self._game, send__author=self.user_id)
        return tuple(
            WaitingFacts(row.send.subject, row.send.body, publication_time(row.at))
            for row in rows.select_related("send").order_by("pk")
        )
