"""Telling the people who follow a game, or people in it, what happens there.

A turn only writes its event, and the transaction that reads events only enqueues a task here, so
the number of followers costs neither anything. A task writes the notices of a batch of followers
and leaves the rest to another; if it runs twice, the keys of the notices keep them single.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django_tasks import task

from diplomaccloud.games.following.read import list_game_followers, list_player_followers
from diplomaccloud.games.table.log import WaitingEvent
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.notices.kinds import USEFUL_FOR, NoticeKind
from diplomaccloud.notices.models import Notice
from diplomaccloud.notices.outbox import write_notices
from diplomaccloud.shared.site_clock import site_clock

FOLLOWED_EVENTS: Final = frozenset({"started", "processed", "finished"})
"""Events of which followers of a game get notices; those of people get them at start and end."""
BATCH: Final = 500
"""How many follows a task reads."""


def plan_followers(event: WaitingEvent) -> None:
    """Enqueue the notices of an event for followers, in the caller's transaction."""
    phase, of_people = str(event.data.get("phase", "")), event.kind != "processed"
    tell_followers.enqueue(
        event.game, event.name, event.kind, phase, event.at.isoformat(), of_people=of_people
    )


@task(queue_name="notices")
def tell_followers(
    game: int, name: str, what: str, phase: str, at: str, *, of_people: bool, after: int = 0
) -> None:
    """Write the notices of a batch of followers, those of people first, and leave the rest.

    Who follows a game and people in it gets one notice, as does a player who follows others.
    """
    last = _write(game, name, what, phase, at, of_people=of_people, after=after)
    if last or of_people:
        tell_followers.enqueue(
            game, name, what, phase, at, of_people=of_people and last > 0, after=last
        )


@atomic_with_retries
def _write(
    game: int, name: str, what: str, phase: str, at: str, *, of_people: bool, after: int
) -> int:
    """Write the notices of a batch, and return the key of its last follower, or 0 without any."""
    told = list(_list_told(game, of_people=of_people, after=after))
    kind = NoticeKind.FOLLOWED_PERSON if of_people else NoticeKind.FOLLOWED_GAME
    facts: dict[str, object] = {"what": what, "phase": phase} if phase else {"what": what}
    notices = [
        Notice(
            user_id=user,
            kind=kind,
            key=f"{game} {name}",
            game_id=game,
            useful_until=dt.datetime.fromisoformat(at) + USEFUL_FOR,
            data={**facts, "people": list(people)} if people else facts,
        )
        for user, people in told
    ]
    write_notices(notices, now=site_clock.now())
    return told[-1][0] if told else 0


def _list_told(game: int, *, of_people: bool, after: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    if of_people:
        for each in list_player_followers(game, after=after, limit=BATCH):
            yield each.user, each.people
    else:
        for user in list_game_followers(game, after=after, limit=BATCH):
            yield user, ()
