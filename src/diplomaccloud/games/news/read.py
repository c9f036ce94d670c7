"""What happened in games: for the notices of the people in a game, and as public events.

Nothing here depends on orders that others have saved.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from diplomaccloud.games.table.log_models import (
    LEFT,
    ROLLED_BACK,
    ROLLED_FORWARD,
    TAKEN,
    Event,
    LogEntry,
)
from diplomaccloud.games.table.models import ABANDONED, REMOVED, Game, Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.visibility.read import Viewer, is_masked, visible_games
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import CARRIED, Question, describe_question
from diplomaccloud.schedule import MoveKind

_LOSSES = (REMOVED, ABANDONED)
_ENDS = (MoveKind.READY, MoveKind.FORCED)
"""Deadline moves that make a phase due now, so that it is processed."""
_ROLLED = frozenset({ROLLED_BACK, ROLLED_FORWARD})
_ANNOUNCED = {kind for kind in MoveKind if kind not in _ENDS} | _ROLLED
_DEADLINE_KINDS = _ANNOUNCED | {"released", TAKEN}


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """The open phase of a running game, while it accepts orders."""

    sequence: int
    name: str
    opens_at: dt.datetime
    due_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Audience:
    """A game, and the people who hold its seats or run it, except guests.

    `ready` are those who have confirmed in a muster, or are ready to start.
    """

    slug: str
    is_over: bool
    phase: OpenPhase | None
    holders: tuple[int, ...]
    ready: frozenset[int]
    master: int | None

    @property
    def people(self) -> tuple[int, ...]:
        """All of them, with the game master last."""
        is_watching = self.master is not None and self.master not in self.holders
        return (*self.holders, self.master) if is_watching and self.master else self.holders


@dataclass(frozen=True, slots=True)
class SeatNews:
    """A seat that changed hands: its power and country, in which phase, and what the log says.

    `holder` is who has it since: `nobody`, `player` or `bot`. `newcomer` is that player.
    """

    power: str
    country: str
    phase: str
    text: str
    holder: str
    newcomer: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """A log entry; `person` is the only person it is about, or None if it is for everyone.

    `what` says what happened to that person: removed, abandoned, reprimand; or to the game: rolled
    back, rolled forward.

    With `sets_deadline`, the open phase may have a new deadline, or a new player who may need a
    reminder of it. With `is_announced`, everyone should know, and of a changed `seat`, too.
    """

    sets_deadline: bool
    is_announced: bool
    person: int | None = None
    what: str = ""
    seat: SeatNews | None = None


@dataclass(frozen=True, slots=True)
class VoteNews:
    """A vote as it is now: the question in words, its outcome, blank while it is open, and counts.

    `voters` are the people who may vote, including the one who asked, so that notices don't show
    who that was. A game master who asked openly is among them once the vote is closed. `target` is
    the person whom the vote is about, if any.
    """

    text: str
    outcome: str
    agreed: int
    against: int
    closes_at: dt.datetime
    voters: tuple[int, ...]
    target: int | None


@dataclass(frozen=True, slots=True)
class GameName:
    """The name of a game, and the last part of its address."""

    slug: str
    world: str


def read_audiences(games: Collection[int]) -> dict[int, Audience]:
    """Return the audience of each game."""
    if not games:
        return {}
    phases = Phase.objects.in_play().filter(game__in=games, locked_at=None).order_by()
    opened = {
        game: OpenPhase(sequence, name, opens_at, due_at)
        for game, sequence, name, opens_at, due_at in phases.values_list(
            "game", "sequence", "name", "opens_at", "due_at"
        )
    }
    seats = Seat.objects.filter(game__in=games, user__guest=False).order_by("pk")
    holders: dict[int, list[int]] = {}
    ready: dict[int, set[int]] = {}
    for game, user, ready_at in seats.values_list("game", "user", "ready_at"):
        holders.setdefault(game, []).append(user)
        if ready_at is not None:
            ready.setdefault(game, set()).add(user)
    rows = Game.objects.filter(pk__in=games).order_by()
    return {
        key: Audience(
            slug,
            status in (Status.FINISHED, Status.CANCELED),
            opened.get(key),
            tuple(holders.get(key, ())),
            frozenset(ready.get(key, ())),
            master,
        )
        for key, slug, status, master in rows.values_list("pk", "slug", "status", "master")
    }


def read_acts(entries: Collection[int]) -> dict[int, LoggedAct]:
    """Return the log entries with these keys.

    `person` is the player who was removed, lost a seat by missing turns, or was reprimanded.
    """
    if not entries:
        return {}
    return {
        row.pk: LoggedAct(
            row.kind in _DEADLINE_KINDS,
            row.kind in _ANNOUNCED,
            *_find_person(row.kind, row.data, row.at),
            _read_seat_news(row),
        )
        for row in LogEntry.objects.filter(pk__in=entries).select_related("game", "phase")
    }


def read_vote_news(votes: Collection[int]) -> dict[int, VoteNews]:
    """Return the votes with these keys."""
    rows = Vote.objects.filter(pk__in=votes).select_related("game") if votes else ()
    return {row.pk: _read_vote_news(row) for row in rows}


def is_vote_open(vote: int, now: dt.datetime) -> bool:
    """Return whether people can still vote."""
    return Vote.objects.filter(pk=vote, open=True, closes_at__gt=now).exists()


def read_names(viewer: Viewer, games: Collection[int]) -> dict[int, GameName]:
    """Return the names of the games, as far as the viewer may see them."""
    if not games:
        return {}
    rows = visible_games(viewer).filter(pk__in=games).order_by()
    return {key: GameName(*name) for key, *name in rows.values_list("pk", "slug", "world")}


def _read_vote_news(vote: Vote) -> VoteNews:
    game, question, terms = vote.game, Question(vote.kind), vote.terms
    seats = list(game.seats.select_related("user"))
    for seat in seats:
        seat.game = game
    by_power = {seat.power: seat for seat in seats}
    text = describe_question(question, terms, lambda power: by_power[power].country_name)
    people = {seat.user_id for seat in seats if seat.user and not seat.user.guest}
    voters = [seat.user_id for seat in _list_voters(vote) if seat.user_id in people]
    if vote.outcome and vote.by_master and vote.asked_by_id is not None:
        voters.append(vote.asked_by_id)
    target = None
    if question is Question.CONCEDE:
        target = by_power[terms.power].user_id
    elif question is Question.REMOVE and vote.outcome != CARRIED:
        # Players who were removed get a notice of that.
        tenures = Tenure.objects.filter(pk=terms.tenure or 0)
        target = tenures.values_list("user", flat=True).first()
    return VoteNews(
        text=text,
        outcome=vote.outcome,
        agreed=vote.agreed or 0,
        against=vote.against or 0,
        closes_at=vote.closes_at,
        voters=tuple(voter for voter in dict.fromkeys(voters) if voter is not None),
        target=target,
    )


def _read_seat_news(entry: LogEntry) -> SeatNews | None:
    """Return how a seat changed hands; None for other entries.

    A bot that takes a seat at once is announced together with the departure.
    """
    if entry.kind not in (LEFT, TAKEN):
        return None
    seat = Seat.objects.get(pk=entry.data["seat"])
    seat.game = entry.game
    began = Tenure.objects.filter(seat=seat, since_at=entry.at).order_by("pk").last()
    if entry.kind == TAKEN and Tenure.objects.filter(seat=seat, until_at=entry.at).exists():
        return None
    return SeatNews(
        power=seat.power or "",
        country=seat.country_name,
        phase=entry.phase.name if entry.phase else "",
        text=entry.text,
        holder="nobody" if began is None else "bot" if began.bot else "player",
        newcomer=began.user_id if began else None,
    )


def _list_voters(vote: Vote) -> list[Seat]:
    """Return the seats whose holders may vote, or could when the vote ended the game."""
    game, phase = vote.game, vote.game.newest_phase()
    if phase is None:
        return []
    phase.game = game
    was_running = game.status == Status.RUNNING or Question(vote.kind).ends_game
    standing = phase.voters() if was_running else []
    return vote.voters(standing, list(game.seats.exclude(user=None)))


def _find_person(kind: str, data: Mapping[str, int], at: dt.datetime) -> tuple[int | None, str]:
    """Return the person a log entry is about, and what happened; None if it is about no one."""
    if kind == LEFT:
        lost = Tenure.objects.filter(seat=data.get("seat"), until_at=at, left__in=_LOSSES)
        row = lost.exclude(user=None).values_list("user", "left").first()
        return row or (None, "")
    if kind == "reprimand":
        rows = Seat.objects.filter(pk=data["seat"]).values_list("user", flat=True)
        return rows.first(), kind
    return None, kind if kind in _ROLLED else ""


# The public events of a game, in order.
#
# Events of one game are written under its lock, so their keys are in the order in which they became
# visible, and the position of an event in the list never changes.


_FACTS: Final = ("phase", "due_at", "power", "ready", "question", "outcome")
"""The facts of an event that are public; keys of rows are not."""
_JOINING: Final = frozenset({"joined", "left"})
"""Kinds of events whose times are hidden in an anonymous game once it runs."""
_NUMBERED: Final = frozenset({"opened", "locked", "processed"})
"""Kinds of events whose key ends with the number of their phase."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened; `facts` contains only what every viewer may know."""

    kind: str
    at: dt.datetime
    facts: Mapping[str, object]


def list_public_happenings(game_id: int, *, after: int, limit: int) -> list[Happening]:
    """Return at most `limit` public events of a game, oldest first, skipping the first `after`.

    The caller must know that the viewer may see the game. The number of public events is the
    version of the game.
    """
    events = Event.objects.filter(game=game_id, seat=None).order_by("pk")
    rows = list(events.only("kind", "key", "data", "created_at")[after : after + limit])
    started_at = None
    if any(row.kind in _JOINING for row in rows):
        game = Game.objects.only("status", "options", "started_at").get(pk=game_id)
        started_at = game.started_at if is_masked(game) else None
    return [
        Happening(
            row.kind,
            # Someone who knows when a friend joined must not find out which seat this was.
            started_at if started_at and row.kind in _JOINING else row.created_at,
            _list_facts(row),
        )
        for row in rows
    ]


def _list_facts(event: Event) -> dict[str, object]:
    facts = {name: event.data[name] for name in _FACTS if name in event.data}
    number = event.key.rpartition(" ")[2]
    if event.kind in _NUMBERED and number.isdecimal():
        facts["sequence"] = int(number)
    return facts
