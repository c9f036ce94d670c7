"""After a game, agreeing to open a conversation to everyone who may see the game.

A conversation opens once everyone who could ever read it has agreed. Before that, nobody learns who
or how many have agreed, and consent can be withdrawn. It does not cover messages sent after it was
given.

A consent names the last message on the person's page and the game's end, so it is void after a
rollback without another write. An inactive account agrees to nothing, because its owner could not
withdraw. Nothing shows how many have yet to agree, which would identify them in a pair.
"""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.models import Game, Status
from diplomaccloud.games.table.options import Opening
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.openings.models import OpenConversation, OpeningConsent, find_end
from diplomaccloud.press.table.actions import (
    announce_to_readers,
    list_readers,
    open_table,
    raise_versions,
)
from diplomaccloud.press.table.addresses import Address
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.events import PressEventKind
from diplomaccloud.press.table.models import Conversation, Membership
from diplomaccloud.press.table.periods import Ranges, plan_conversation
from diplomaccloud.press.table.rules import OPENED_BY_CONSENT
from diplomaccloud.press.table.state import PressTable, find_target

MAX_CONVERSATIONS: Final = 500
"""More conversations than one form can name."""
NOT_OVER: Final = "Conversations can be opened when the game is over."
NEVER: Final = "The players of this game agreed that private conversations are never opened."
IS_OPEN: Final = "Everyone has agreed, so this conversation is open and stays open."


_Readable = tuple[Conversation, Mapping[int, Ranges]]
"""A conversation and the parts of it that each person could ever read."""


@atomic_with_retries
def agree_to_open(
    *, slug: str, user_id: int, to: Mapping[Address, int], now: dt.datetime
) -> tuple[Address, ...]:
    """Agree to open conversations, each up to a message by its number for the person.

    Returns the conversations that this consent opened. Raises `NoSuchConversation` if the person
    cannot read one of them, `WrongMoment` if the game is not over or no conversation may be opened.
    """
    game, known = _find(slug, user_id, to)
    agreed = []
    for address, (conversation, readers) in known.items():
        ranges = readers[user_id]
        if last := min(ranges.stored(to[address]), ranges.last):
            agreed.append((conversation, last))
    consents = OpeningConsent.objects.filter(user=user_id)
    consents.filter(conversation__in=[conversation for conversation, _ in agreed]).delete()
    OpeningConsent.objects.bulk_create(
        OpeningConsent(
            conversation=conversation, user_id=user_id, ended_at=find_end(game), last=last
        )
        for conversation, last in agreed
    )
    raise_versions([user_id], game.pk)
    opened = _open_agreed(game, list(known.values()), user_id, now)
    return tuple(address for address, (row, _) in known.items() if row.pk in opened)


@atomic_with_retries
def withdraw_consent(*, slug: str, user_id: int, to: Address) -> None:
    """Withdraw consent to open a conversation; raise `WrongMoment` if it is already open."""
    game, known = _find(slug, user_id, [to])
    (conversation, readers), end = known[to], find_end(game)
    rows = OpeningConsent.objects.filter(conversation=conversation, ended_at=end)
    consent = rows.filter(user=user_id).first()
    if consent is None:
        return
    row = OpenConversation.objects.filter(conversation=conversation, ended_at=end).first()
    if row is None:
        consent.delete()
    elif row.last >= consent.last or readers[user_id].last <= row.last:
        raise WrongMoment(IS_OPEN)
    else:
        consent.last = row.last
        consent.save(update_fields=["last"])
    raise_versions([user_id], game.pk)


def _find(
    slug: str, user_id: int, to: Collection[Address]
) -> tuple[Game, Mapping[Address, _Readable]]:
    """Return the game, locked and over, and conversations that the person can read."""
    table = open_table(slug, user_id, with_account=True)
    game = table.game
    known = _find_readable(table, to)
    if game.status != Status.FINISHED:
        raise WrongMoment(NOT_OVER)
    if game.options.talk.opening is Opening.NEVER:
        raise WrongMoment(NEVER)
    return game, known


def _find_readable(table: PressTable, to: Collection[Address]) -> Mapping[Address, _Readable]:
    if not to or len(to) > MAX_CONVERSATIONS:
        raise NoSuchConversation
    keys = {address: find_target(table, address).key for address in to}
    rows = Membership.objects.filter(
        conversation__key__in=keys.values(), conversation__game=table.game
    )
    by_key: dict[str, list[Membership]] = {}
    for row in rows.select_related("conversation").order_by("pk"):
        by_key.setdefault(row.conversation.key, []).append(row)
    known = {}
    for address, key in keys.items():
        if not (members := by_key.get(key)):
            raise NoSuchConversation
        conversation = members[0].conversation
        plan = plan_conversation(conversation, members, table.game, table.holders)
        readers = list_readers(conversation, plan.rows)
        if table.user_id not in readers or conversation.kind not in OPENED_BY_CONSENT:
            raise NoSuchConversation
        known[address] = (conversation, readers)
    return known


def _open_agreed(
    game: Game, conversations: Sequence[_Readable], user_id: int, now: dt.datetime
) -> set[int]:
    keys = [conversation.pk for conversation, _ in conversations]
    end = find_end(game)
    consents: dict[int, dict[int, int]] = {key: {} for key in keys}
    # Nobody can agree for a person who has deleted the account; earlier consent is void, too.
    rows = OpeningConsent.objects.filter(conversation__in=keys, ended_at=end, user__is_active=True)
    for key, person, last in rows.values_list("conversation", "user", "last"):
        consents[key][person] = last
    known = OpenConversation.objects.in_bulk(keys)
    opened = set()
    for conversation, readers in conversations:
        key = conversation.pk
        last = _find_agreed(conversation, readers, consents[key])
        row = known.get(key)
        if not last or (row and row.ended_at == end and row.last >= last):
            continue
        OpenConversation.objects.update_or_create(
            conversation=conversation, defaults={"ended_at": end, "last": last}
        )
        others = dict(readers)
        others.pop(user_id, None)
        raise_versions(set(others), game.pk)
        announce_to_readers(
            PressEventKind.OPENING,
            key=f"open {key} {last} {end.isoformat()}",
            conversation=conversation,
            readers=others,
            last=last,
            data={"opened": True},
            now=now,
        )
        opened.add(key)
    return opened


def _find_agreed(
    conversation: Conversation, readers: Mapping[int, Ranges], consents: Mapping[int, int]
) -> int:
    """Return the number of the last message that all readers agree to open, else 0.

    A person who could read only a part and agrees to all of it does not limit the rest.
    """
    if not set(readers) <= set(consents):
        return 0
    limits = [
        consents[person] for person, ranges in readers.items() if consents[person] < ranges.last
    ]
    return min(limits, default=conversation.last)
