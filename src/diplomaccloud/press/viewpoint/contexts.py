"""Who is who in several games, for a viewer's lists across all games."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Prefetch, Q, QuerySet

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.options import Successor
from diplomaccloud.games.visibility.read import is_masked, seat_holder
from diplomaccloud.press.addresses import Address, Kind, numbers_of_key, seats_address
from diplomaccloud.press.models import Conversation, Membership
from diplomaccloud.press.models.game_state import Holders, build_holders
from diplomaccloud.press.viewpoint.facts import MemberFacts
from diplomaccloud.press.viewpoint.messages import Names
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class Contexts:
    """The seats of games by game key, and the names of people by their keys."""

    user_id: int
    holders: Mapping[int, Holders]
    people: Mapping[int, str] = field(default_factory=dict)

    def names(self, conversation: Conversation) -> Names:
        """Return who is who in the conversation."""
        game = conversation.game
        return Names(game, self.holders.get(game.pk) if game else None, self.user_id)

    def address(self, conversation: Conversation, own_seat: int | None) -> Address:
        """Return the viewer's address for the conversation; `own_seat` is the key of the seat."""
        kind = Kind(conversation.kind)
        if kind not in (Kind.SEATS, Kind.MASTER) or (kind is Kind.MASTER and own_seat):
            return Address(kind)
        others = self._other_seats(conversation, own_seat)
        return seats_address(seat.power for seat in others if seat.power)

    def members(self, conversation: Conversation, own_seat: int | None) -> tuple[MemberFacts, ...]:
        """Return the other seats of a conversation."""
        game, kind = conversation.game, Kind(conversation.kind)
        if game is None or kind not in (Kind.SEATS, Kind.MASTER):
            return ()
        hidden, others = is_masked(game), self._other_seats(conversation, own_seat)
        holders = self.holders.get(game.pk)
        colors = game.power_colors(holders.seats if holders else ())
        return tuple(
            MemberFacts(
                power=seat.power or "",
                country=seat.country_name,
                holder=seat_holder(game, seat, hidden=hidden),
                vacant=seat.vacated_at is not None,
                since=None,
                color=colors.get(seat.power or "", ""),
            )
            for seat in others
        )

    def person(self, conversation: Conversation) -> str:
        """Return the stored name of the other person in a personal conversation, else blank."""
        if conversation.kind != Kind.PERSONAL:
            return ""
        (other,) = numbers_of_key(conversation.key) - {self.user_id}
        return self.people.get(other, "")

    def _other_seats(self, conversation: Conversation, own_seat: int | None) -> list[Seat]:
        numbers = numbers_of_key(conversation.key)
        holders = self.holders.get(conversation.game_id or 0)
        return [
            seat
            for seat in (holders.seats if holders else ())
            if seat.number in numbers and seat.pk != own_seat
        ]


def load_contexts(user_id: int, conversations: Collection[Conversation]) -> Contexts:
    """Return who is who in these conversations, in at most two queries."""
    games = {row.game.pk: row.game for row in conversations if row.game is not None}
    keys = {
        key for row in conversations if row.kind == Kind.PERSONAL for key in numbers_of_key(row.key)
    }
    people = _people.read(list(keys)) if keys else ()
    return Contexts(
        user_id,
        _load_holders(games) if games else {},
        {person.pk: person.username for person in people},
    )


def _load_holders(games: Mapping[int, Game]) -> dict[int, Holders]:
    tenures: dict[int, list[Tenure]] = {}
    for row in _tenures.read(list(games)):
        tenures.setdefault(row.seat.game_id, []).append(row)
    return {key: build_holders(games[key], found) for key, found in tenures.items()}


_people = PreparedQuery(lambda keys: User.objects.filter(pk__in=keys), list)
_tenures = PreparedQuery(
    lambda games: (
        Tenure.objects.filter(seat__game__in=games).select_related("seat", "user").order_by("pk")
    ),
    list,
)


def select_own_rows(user_id: int) -> QuerySet[Membership]:
    """Return the rows that represent conversations in a person's lists."""
    return with_games(Membership.objects.filter(user=user_id, active_at__isnull=False))


def select_inherited_rows(user_id: int) -> QuerySet[Membership]:
    """Return the rows of a person's seats written while the seat was vacant or had another player.

    No message was sent since, so the person has no row yet. `keep_readable` leaves out games in
    which successors read nothing.
    """
    rows = Membership.objects.filter(last=None, seat__user=user_id)
    # There are usually none, and then the query for the games is skipped.
    return rows.filter(~Q(user=user_id) | Q(user=None)).prefetch_related(fetch_conversations())


def with_games(rows: QuerySet[Membership]) -> QuerySet[Membership]:
    """Return the rows with their conversations and games, without the map texts."""
    related = rows.select_related("conversation__game__chart")
    return related.defer("conversation__game__chart__text")


def fetch_conversations() -> "Prefetch[str, QuerySet[Conversation], str]":
    """Return a prefetch for the conversations of messages, each loaded once with its game.

    Most messages in a list share a few conversations, which a join would build again and again.
    """
    rows = Conversation.objects.select_related("game__chart").defer("game__chart__text")
    return Prefetch("conversation", rows)


def keep_readable(rows: Iterable[Membership]) -> list[Membership]:
    """Return the inherited rows in games whose successors can read the seat's earlier messages.

    The previous player's marks are not passed on: those messages count as read. Each row gets a
    time of activity, since older rows of vacant seats may lack one.
    """
    kept = [
        row
        for row in rows
        if row.conversation.game is not None
        and row.conversation.kind != Kind.MASTER
        and row.conversation.game.options.talk.successor is Successor.ARCHIVE
    ]
    for row in kept:
        row.active_at = row.active_at or row.conversation.last_at
        if row.user_id is not None:
            row.read, row.unread, row.muted_at = row.conversation.last, 0, None
    return kept
