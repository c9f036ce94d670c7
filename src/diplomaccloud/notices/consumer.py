"""Turning events of games and press into notices, exactly once even if a worker is killed."""

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Final

from diplomaccloud.games.news.read import (
    Audience,
    LoggedAct,
    SeatNews,
    VoteNews,
    read_acts,
    read_audiences,
    read_vote_news,
)
from diplomaccloud.games.table.transactions import (
    WaitingEvent,
    atomic_with_retries,
    mark_handled,
    take_events,
)
from diplomaccloud.notices.kinds import USEFUL_FOR, NoticeKind
from diplomaccloud.notices.outbox import NewNotice, write_notices
from diplomaccloud.notices.reminders import plan_reminders
from diplomaccloud.press.news.read import NewMessage, find_new_messages, find_places
from diplomaccloud.press.table.addresses import AddressKind as Talk
from diplomaccloud.press.table.events import PressEventKind, WaitingPressEvent, take_sends
from diplomaccloud.press.table.events import mark_handled as mark_press_handled
from diplomaccloud.press.table.events import take_events as take_press_events

BATCH: Final = 200
"""How many events one transaction handles."""
_NEWS: Final = frozenset({"opened", "started", "processed", "finished", "motion"})
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


@atomic_with_retries
def consume_events(*, now: dt.datetime) -> int:
    """Write the notices and reminders of waiting events; return the number of events handled.

    Everything is in one transaction, so if the worker is killed, the events keep waiting.
    """
    events = take_events(BATCH)
    if not events:
        return 0
    acts = read_acts([_entry_of(event) for event in events if event.kind == "log"])
    concerned = [event for event in events if _is_concern(event, acts)]
    audiences = read_audiences({event.game for event in concerned})
    votes = read_vote_news({vote for event in concerned if (vote := _vote_of(event))})
    notices = [
        notice
        for event in concerned
        if event.game in audiences
        for notice in _list_notices(event, audiences[event.game], acts, votes)
    ]
    write_notices(notices, now=now)
    armed = {event.game for event in concerned if _sets_deadline(event, acts)}
    plan_reminders({game: audiences[game] for game in armed if game in audiences}, now=now)
    mark_handled(events)
    return len(events)


def _is_concern(event: WaitingEvent, acts: Mapping[int, LoggedAct]) -> bool:
    """Return whether the event causes notices or reminders."""
    act = acts.get(_entry_of(event))
    if event.kind != "log":
        return event.kind in _NEWS
    if act is None:
        return False
    return act.sets_deadline or act.person is not None or act.seat is not None


def _sets_deadline(event: WaitingEvent, acts: Mapping[int, LoggedAct]) -> bool:
    """Return whether the event requires planning reminders."""
    return acts[_entry_of(event)].sets_deadline if event.kind == "log" else event.kind == "opened"


def _list_notices(
    event: WaitingEvent,
    audience: Audience,
    acts: Mapping[int, LoggedAct],
    votes: Mapping[int, VoteNews],
) -> Iterator[NewNotice]:
    """Yield the notices that one event causes."""
    until = audience.phase.due_at if audience.phase else event.at + USEFUL_FOR
    phase = audience.phase.name if audience.phase else ""
    match event.kind:
        case "started":
            yield from _to_all(event, audience, NoticeKind.STARTED, until, _due(audience))
        case "processed" if not audience.is_over:
            data = {"phase": event.data.get("phase", ""), "next": phase, **_due(audience)}
            yield from _to_all(event, audience, NoticeKind.RESULT, until, data)
        case "finished":
            yield from _to_all(event, audience, NoticeKind.FINISHED, event.at + USEFUL_FOR, {})
        case "motion" if (vote := votes.get(_vote_of(event))) is not None:
            yield from _list_vote_notices(event, vote)
        case "log":
            act = acts[_entry_of(event)]
            if act.person is not None:
                useful = event.at + USEFUL_FOR
                data = {"what": act.what}
                yield NewNotice(act.person, NoticeKind.SEAT, _key(event), event.game, useful, data)
            if act.seat is not None:
                yield from _list_seat_notices(event, audience, act.seat, but=act.person)
            elif act.is_announced and audience.phase:
                rolled = {"what": act.what, "next": phase} if act.what else {}
                data = {"phase": phase, **rolled, **_due(audience)}
                yield from _to_all(event, audience, NoticeKind.DEADLINE, until, data)


def _list_seat_notices(
    event: WaitingEvent, audience: Audience, seat: SeatNews, *, but: int | None
) -> Iterator[NewNotice]:
    """Yield a notice for everyone but the player who lost the seat or got it."""
    until = event.at + USEFUL_FOR
    data: dict[str, object] = {
        "power": seat.power,
        "country": seat.country,
        "phase": seat.phase,
        "holder": seat.holder,
        "text": seat.text,
    }
    for notice in _to_all(event, audience, NoticeKind.PLAYERS, until, data):
        if notice.user not in (but, seat.newcomer):
            yield notice


def _list_vote_notices(event: WaitingEvent, vote: VoteNews) -> Iterator[NewNotice]:
    """Yield a notice for each person who may vote, and for the one whom the vote is about."""
    outcome = event.data.get("outcome", "")
    if vote.outcome != outcome:
        return  # It was closed in the meantime, and that event has its own notices.
    data = {"vote": _vote_of(event), "question": event.data["question"], "text": vote.text}
    if outcome:
        data |= {"outcome": outcome, "agreed": vote.agreed, "against": vote.against}
        until = event.at + USEFUL_FOR
    else:
        data["closes_at"], until = vote.closes_at.isoformat(), vote.closes_at
    kinds = dict.fromkeys(vote.voters, NoticeKind.VOTE)
    if vote.target is not None:
        kinds[vote.target] = NoticeKind.VOTE_ABOUT_YOU
    for user, kind in kinds.items():
        yield NewNotice(user, kind, _key(event), event.game, until, data)


def _to_all(
    event: WaitingEvent,
    audience: Audience,
    kind: NoticeKind,
    until: dt.datetime,
    data: dict[str, object],
) -> Iterator[NewNotice]:
    for user in audience.people:
        yield NewNotice(user, kind, _key(event), event.game, until, data)


def _key(event: WaitingEvent) -> str:
    """Return the key of a notice, unique for a person because an event concerns one game."""
    return f"{event.game} {event.name}"


def _due(audience: Audience) -> dict[str, object]:
    return {"due_at": audience.phase.due_at.isoformat()} if audience.phase else {}


def _entry_of(event: WaitingEvent) -> int:
    return _find_number(event, "entry")


def _vote_of(event: WaitingEvent) -> int:
    return _find_number(event, "vote")


def _find_number(event: WaitingEvent, name: str) -> int:
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


def _announce(message: NewMessage) -> NewNotice:
    """Return the notice of a message. Further ones share its key until the person has read them."""
    match message.kind:
        case Talk.PUBLIC | Talk.GRAY:
            kind = NoticeKind.PUBLIC
        case Talk.PERSONAL:
            kind = NoticeKind.PERSONAL
        case _:
            kind = NoticeKind.MESSAGE
    return NewNotice(
        user=message.user,
        kind=kind,
        key=f"talk {message.conversation} {message.seen + 1}",
        game=message.game,
        useful_until=message.at + USEFUL_FOR,
        membership=message.membership,
        number=message.number,
    )


def _list_press_notices(events: list[WaitingPressEvent]) -> Iterator[NewNotice]:
    about = {event.message for event in events if event.message is not None}
    places = find_places({event.user for event in events}, about)
    for event in events:
        place = places.get((event.user, event.message)) if event.message is not None else None
        if event.message is not None and place is None:
            # The person can no longer read the conversation.
            continue
        data = dict(event.data)
        if place is not None:
            data["message"] = place.number
        yield NewNotice(
            user=event.user,
            kind=_PRESS_KINDS[event.kind],
            key=f"press {event.name}",
            game=event.game,
            useful_until=event.at + USEFUL_FOR,
            data=data,
            membership=place.membership if place else None,
        )
