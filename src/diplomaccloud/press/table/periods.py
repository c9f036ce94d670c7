"""The periods during which people can read a conversation, and the messages in them.

The messages of a conversation are numbered from 1 without gaps. A person who can read only some of
them also sees them numbered from 1, because a gap would reveal how much the others wrote.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.options import Successor
from diplomaccloud.press.table.addresses import AddressKind, numbers_of_key
from diplomaccloud.press.table.models import Conversation, Membership
from diplomaccloud.press.table.state import Holders


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of stored numbers, ascending, inclusive, and without overlap."""

    parts: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.parts)

    @property
    def last(self) -> int:
        """The highest number in the ranges, 0 if they are empty."""
        return self.parts[-1][1] if self.parts else 0

    @property
    def count(self) -> int:
        """How many numbers are in the ranges."""
        return sum(last - first + 1 for first, last in self.parts)

    def shown(self, number: int) -> int:
        """Return how many numbers in the ranges are at most `number`."""
        return sum(min(last, number) - first + 1 for first, last in self.parts if first <= number)

    def stored(self, shown: int) -> int:
        """Return the stored number that the person sees as `shown`.

        A number below the first gives 0, and a number above the last gives the last one.
        """
        if shown <= 0:
            return 0
        for first, last in self.parts:
            if shown <= last - first + 1:
                return first + shown - 1
            shown -= last - first + 1
        return self.last


def merge_ranges(parts: Iterable[tuple[int, int]]) -> Ranges:
    """Return the union of ranges. Those that end before they start are empty."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(part for part in parts if part[0] <= part[1]):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return Ranges(tuple(merged))


# The periods during which people can read a conversation, planned from the seats' holders.
#
# Each new message first updates the rows of its conversation, and a page reads them as the next
# message would leave them, without writing. Both use the plan made here.


@dataclass(frozen=True, slots=True)
class Plan:
    """The open rows of a conversation to end, the new rows to add, and all rows after that.

    Rows are changed in memory only. Those in `new` are unsaved, and `replaced` has rows of people
    who now have a newer one.
    """

    conversation: Conversation
    rows: list[Membership]
    ended: list[Membership] = field(default_factory=list)
    new: list[Membership] = field(default_factory=list)
    replaced: list[Membership] = field(default_factory=list)

    @property
    def open_rows(self) -> list[Membership]:
        """The rows of periods that have not ended."""
        return [row for row in self.rows if row.last is None]

    def ranges_of(self, user_id: int) -> Ranges:
        """Return what the person can read."""
        return find_ranges(self.conversation, self.rows, user_id)


def _plan_seat(plan: Plan, seat: Seat, tenures: Sequence[Tenure], *, blank: bool) -> None:
    """Plan the rows of a seat with these tenures, oldest first.

    With `blank`, a successor reads only messages sent from then on.
    """
    conversation, rows = plan.conversation, [row for row in plan.rows if row.seat_id == seat.pk]
    current = next((tenure for tenure in tenures if tenure.until_at is None), None)
    holder = current if current and current.user_id else None
    open_row = next((row for row in rows if row.last is None), None)
    newest = max((row.tenure_id or 0 for row in rows), default=None)
    if newest is not None and not blank:
        # They held the seat between two messages, and could read the messages so far.
        known = {row.tenure_id for row in rows if row.user_id}
        for tenure in tenures:
            passed = tenure.pk > newest and tenure.user_id and tenure.until_at is not None
            if passed and tenure.pk not in known:
                row = _make_row(conversation, seat, tenure, tenure.user_id, blank=False)
                row.last = conversation.last
                _add(plan, row)
    held_by = open_row.tenure_id if open_row and open_row.user_id else None
    is_current = open_row is not None and held_by == (holder.pk if holder else None)
    if is_current or not tenures:
        return
    row = _make_row(
        conversation, seat, holder or tenures[-1], holder.user_id if holder else None, blank=blank
    )
    if open_row is not None:
        open_row.last = conversation.last
        plan.ended.append(open_row)
        if open_row.user_id is None and not blank:
            # Messages sent while the seat was vacant are new to the successor.
            row.read, row.unread = open_row.since - 1, open_row.unread
    _add(plan, row)


def plan_people(
    conversation: Conversation, rows: Collection[Membership], people: Collection[int]
) -> Plan:
    """Return the plan for members without a seat, who read everything from the first message."""
    plan = Plan(conversation, list(rows))
    unseated = [row for row in rows if row.seat_id is None]
    for row in unseated:
        if row.last is None and row.user_id not in people:
            row.last = conversation.last
            plan.ended.append(row)
    present = {row.user_id for row in unseated if row.last is None}
    for user_id in sorted(set(people) - present):
        _add(plan, _make_row(conversation, None, None, user_id, blank=False))
    return plan


def _make_row(
    conversation: Conversation,
    seat: Seat | None,
    tenure: Tenure | None,
    user_id: int | None,
    *,
    blank: bool,
) -> Membership:
    last = conversation.last
    return Membership(
        conversation=conversation,
        seat=seat,
        tenure=tenure,
        user_id=user_id,
        first=last + 1 if blank else 1,
        since=last + 1,
        read=last,
        active_at=conversation.last_at,
    )


def _add(plan: Plan, row: Membership) -> None:
    """Add a new row, which replaces the person's older row in lists."""
    for older in plan.rows:
        if row.user_id and older.user_id == row.user_id and older.active_at is not None:
            older.active_at = None
            if older.pk is not None:
                plan.replaced.append(older)
    plan.new.append(row)
    plan.rows.append(row)


def find_ranges(conversation: Conversation, rows: Iterable[Membership], user_id: int) -> Ranges:
    """Return what the person can read, from all planned rows of a conversation."""
    return merge_ranges(
        (row.first, conversation.last if row.last is None else row.last)
        for row in rows
        if row.user_id == user_id
    )


def find_own_row(rows: Iterable[Membership], user_id: int) -> Membership | None:
    """Return the row that represents the conversation in the person's lists."""
    own_rows = [row for row in rows if row.user_id == user_id]
    return next(
        (row for row in own_rows if row.active_at is not None), own_rows[-1] if own_rows else None
    )


def plan_conversation(
    conversation: Conversation, rows: Collection[Membership], game: Game, holders: Holders
) -> Plan:
    """Return the plan for all members of a conversation of a game."""
    kind = AddressKind(conversation.kind)
    if kind is AddressKind.NOTES:
        return plan_people(conversation, rows, numbers_of_key(conversation.key))
    if kind is AddressKind.PREGAME:
        return plan_people(conversation, rows, _list_table(game, holders))
    seats = holders.seats
    if not kind.is_for_all:
        numbers = numbers_of_key(conversation.key)
        seats = [seat for seat in seats if seat.number in numbers]
    is_blank = game.options.talk.successor is Successor.BLANK and not kind.is_for_all
    plan = Plan(conversation, list(rows))
    for seat in seats:
        # Successors never read on in conversations with the game master.
        blank = is_blank or kind is AddressKind.MASTER
        _plan_seat(plan, seat, holders.tenures[seat.pk], blank=blank)
    master = None if kind is AddressKind.SEATS else game.master_id
    is_unseated = master is not None and holders.find_seat(master) is None
    people = plan_people(conversation, rows, {master} if master and is_unseated else set())
    plan.ended.extend(people.ended)
    plan.new.extend(people.new)
    plan.replaced.extend(people.replaced)
    known = set(map(id, plan.rows))
    plan.rows.extend(row for row in people.rows if id(row) not in known)
    return plan


def _list_table(game: Game, holders: Holders) -> set[int]:
    """Return the people at the table before countries are assigned, or when they were."""
    if game.started_at is None:
        people = {seat.user_id for seat in holders.seats}
    else:
        people = {tenures[0].user_id for tenures in holders.tenures.values()}
    return {user_id for user_id in (*people, game.master_id) if user_id is not None}
