"""Turning events of games and press into notices, exactly once even if a worker is killed."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from diplomaccloud.games.following.read import find_followed_games
from diplomaccloud.games.news import read as news
from diplomaccloud.games.table.log import (
    WaitingEvent,
    mark_handled,
    take_events,
)
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.notices.followers import FOLLOWED_EVENTS, plan_followers
from diplomaccloud.notices.kinds import USEFUL_FOR, NoticeKind
from diplomaccloud.notices.models import Notice
from diplomaccloud.notices.outbox import write_notices
from diplomaccloud.notices.reminders import plan_reminders
from diplomaccloud.press.news.read import NewMessage, find_new_messages, find_places
from diplomaccloud.press.table.addresses import AddressKind as Talk
from diplomaccloud.press.table.events import PressEventKind, WaitingPressEvent, take_sends
from diplomaccloud.press.table.events import mark_handled as mark_press_handled
from diplomaccloud.press.table.events import take_events as take_press_events

BATCH: Final = 200
"""How many events one transaction handles."""
_NEWS: Final = frozenset({"opened", "started", "processed", "finished", "motion", "muster"})
"""Events that cause notices or reminders, besides log entries."""
PRESS_BATCH: Final = 100
"""How many events, and how many sends, one transaction handles."""
_PRESS_KINDS: Final[Mapping[str, NoticeKind]] = {
    PressEventKind.PROPOSAL_ANSWERED: NoticeKind.ANSWER,
    PressEventKind.OPENING: NoticeKind.OPENING,
    PressEventKind.LOOKED_AT: NoticeKind.LOOKED_AT,
    PressEventKind.REPORT_WAITING: NoticeKind.REPORT,
    PressEventKind.REPORT_DECIDED: NoticeKind.DECIDED,
    PressEventKind.JUDGED: NoticeKind.JUDGED,
}
_TALK_KINDS: Final = {
    Talk.PUBLIC: NoticeKind.PUBLIC,
    Talk.GRAY: NoticeKind.PUBLIC,
    Talk.PERSONAL: NoticeKind.PERSONAL,
}
"""The kinds of notices about messages; the rest are `MESSAGE`."""


@atomic_with_retries
def consume_events(*, now: dt.datetime) -> int:
    """Write the notices and reminders of waiting events; return the number of events handled.

    Everything is in one transaction, so if the worker is killed, the events keep waiting.
    """
    events = take_events(BATCH)
    if not events:
        return 0
    acts = news.read_acts([_find_number(event, "entry") for event in events if event.kind == "log"])
    concerned = [event for event in events if _is_concern(event, acts)]
    audiences = news.read_audiences({event.game for event in concerned})
    votes = news.read_vote_news(
        {vote for event in concerned if (vote := _find_number(event, "vote"))}
    )
    notices = [
        notice
        for event in concerned
        if event.game in audiences
        for notice in _list_notices(event, audiences[event.game], acts, votes)
    ]
    write_notices(notices, now=now)
    armed = {
        event.game
        for event in concerned
        if event.kind == "opened"
        or (event.kind == "log" and acts[_find_number(event, "entry")].sets_deadline)
    }
    told = [event for event in concerned if event.kind in FOLLOWED_EVENTS]
    followed = find_followed_games({event.game for event in told})
    for event in told:
        audience = audiences.get(event.game)
        is_last = event.kind == "processed" and audience is not None and audience.is_over
        if event.game in followed and not is_last:
            plan_followers(event)
    plan_reminders({game: audiences[game] for game in armed if game in audiences}, now=now)
    mark_handled(events)
    return len(events)


def _is_concern(event: WaitingEvent, acts: Mapping[int, news.LoggedAct]) -> bool:
    if event.kind != "log":
        return event.kind in _NEWS
    act = acts.get(_find_number(event, "entry"))
    return act is not None and (act.sets_deadline or act.person is not None or act.seat is not None)


def _list_notices(
    event: WaitingEvent,
    audience: news.Audience,
    acts: Mapping[int, news.LoggedAct],
    votes: Mapping[int, news.VoteNews],
) -> Iterator[Notice]:
    until, phase, due = event.at + USEFUL_FOR, "", dict[str, object]()
    if audience.phase:
        until, phase = audience.phase.due_at, audience.phase.name
        due["due_at"] = until.isoformat()
    match event.kind:
        case "started":
            yield from _tell(event, audience.people, NoticeKind.STARTED, until, due)
        case "muster":
            yield from _list_muster_notices(event, audience)
        case "processed" if not audience.is_over:
            data = {"phase": event.data.get("phase", ""), "next": phase, **due}
            yield from _tell(event, audience.people, NoticeKind.RESULT, until, data)
        case "finished":
            yield from _tell(event, audience.people, NoticeKind.FINISHED, event.at + USEFUL_FOR, {})
        case "motion" if (vote := votes.get(_find_number(event, "vote"))) is not None:
            yield from _list_vote_notices(event, vote)
        case "log":
            act, useful = acts[_find_number(event, "entry")], event.at + USEFUL_FOR
            if act.person is not None:
                data = {"what": act.what}
                yield from _tell(event, [act.person], NoticeKind.SEAT, useful, data)
            if (seat := act.seat) is not None:
                # Everyone but the player who lost the seat or got it.
                involved = (act.person, seat.newcomer)
                people = [user for user in audience.people if user not in involved]
                names = ("power", "country", "phase", "holder", "text")
                data = {name: getattr(seat, name) for name in names}
                yield from _tell(event, people, NoticeKind.PLAYERS, useful, data)
            elif act.is_announced and audience.phase:
                rolled = {"what": act.what, "next": phase} if act.what else {}
                data = {"phase": phase, **rolled, **due}
                yield from _tell(event, audience.people, NoticeKind.DEADLINE, until, data)


def _list_muster_notices(event: WaitingEvent, audience: news.Audience) -> Iterator[Notice]:
    """Yield a notice for all who joined, or for those who lost their seats in a muster.

    Nobody is asked to confirm who has already done so.
    """
    data, until, people = dict(event.data), event.at + USEFUL_FOR, audience.people
    if isinstance(dropped := data.pop("people", None), list):
        people = tuple(dropped)
    if isinstance(closes_at := data.get("closes_at"), str):
        people = tuple(person for person in people if person not in audience.ready)
        until = dt.datetime.fromisoformat(closes_at)
    yield from _tell(event, people, NoticeKind.MUSTER, until, data)


def _list_vote_notices(event: WaitingEvent, vote: news.VoteNews) -> Iterator[Notice]:
    """Yield a notice for each person who may vote, and for the one whom the vote is about."""
    outcome = event.data.get("outcome", "")
    if vote.outcome != outcome:
        return  # It was closed in the meantime, and that event has its own notices.
    number = _find_number(event, "vote")
    data = {"vote": number, "question": event.data["question"], "text": vote.text}
    if outcome:
        data |= {"outcome": outcome, "agreed": vote.agreed, "against": vote.against}
        until = event.at + USEFUL_FOR
    else:
        data["closes_at"], until = vote.closes_at.isoformat(), vote.closes_at
    kinds = dict.fromkeys(vote.voters, NoticeKind.VOTE)
    if vote.target is not None:
        kinds[vote.target] = NoticeKind.VOTE_ABOUT_YOU
    for user, kind in kinds.items():
        yield from _tell(event, [user], kind, until, data)


def _tell(
    event: WaitingEvent,
    people: Iterable[int],
    kind: NoticeKind,
    until: dt.datetime,
    data: dict[str, object],
) -> Iterator[Notice]:
    # The key is unique for a person, because an event concerns one game.
    facts = {"key": f"{event.game} {event.name}", "game_id": event.game, "data": data}
    return (Notice(user_id=user, kind=kind, useful_until=until, **facts) for user in people)


def _find_number(event: WaitingEvent, name: str) -> int:
    """Return the key of a log entry or vote; 0, which no row has, if there is none."""
    number = event.data.get(name)
    return number if isinstance(number, int) else 0


@atomic_with_retries
def consume_press(*, now: dt.datetime) -> int:
    """Write the notices of waiting sends and press events; return how many were handled.

    Everything is in one transaction, so if the worker is killed, they keep waiting.
    """
    sends, events = take_sends(PRESS_BATCH), take_press_events(PRESS_BATCH)
    if not sends and not events:
        return 0
    notices = [_announce(message) for message in find_new_messages(sends)]
    notices.extend(_list_press_notices(events))
    write_notices(notices, now=now)
    mark_press_handled(events, sends)
    return len(sends) + len(events)


def _announce(message: NewMessage) -> Notice:
    """Return the notice of a message. Further ones share its key until the person has read them."""
    kind = _TALK_KINDS.get(message.kind, NoticeKind.MESSAGE)
    return Notice(
        user_id=message.user,
        kind=kind,
        key=f"talk {message.conversation} {message.seen + 1}",
        game_id=message.game,
        useful_until=message.at + USEFUL_FOR,
        membership_id=message.membership,
        number=message.number,
    )


def _list_press_notices(events: list[WaitingPressEvent]) -> Iterator[Notice]:
    about = {event.message for event in events if event.message is not None}
    places = find_places({event.user for event in events}, about)
    for event in events:
        place = places.get((event.user, event.message)) if event.message is not None else None
        if event.message is not None and place is None:
            # The person can no longer read the conversation.
            continue
        yield Notice(
            user_id=event.user,
            kind=_PRESS_KINDS[event.kind],
            key=f"press {event.name}",
            game_id=event.game,
            useful_until=event.at + USEFUL_FOR,
            data={**event.data, "message": place.number} if place else dict(event.data),
            membership_id=place.membership if place else None,
        )
