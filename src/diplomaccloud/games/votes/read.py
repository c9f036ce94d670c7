"""The votes of a game as its players may see them: with counts, but never who voted how."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.deadlines.read import read_clock
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.read import GameRows, Reader
from diplomaccloud.games.votes.models import Ballot
from diplomaccloud.games.votes.models import Vote as VoteRow
from diplomaccloud.games.votes.wording import (
    EXPIRED,
    IMPOSSIBLE,
    OUTCOMES,
    Question,
    Terms,
    describe_unanswered,
)
from diplomaccloud.shared.prepared_queries import PreparedQuery

_NO_SEAT = 0
"""The key of no seat."""
_MAX_SHOWN = 12
"""The most votes that the game page shows: open ones first, then the newest."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A question put to the players, with its counts.

    `own` is the viewer's answer, or None before the viewer votes; `outcome` is blank while the vote
    is open. With `by_master`, a game master who plays asked the other players; with `about_you`,
    they decide on removing the viewer.
    """

    key: int
    question: Question
    terms: Terms
    agreed: int
    against: int
    asked: int
    needed: int
    closes_at: dt.datetime
    closed_at: dt.datetime | None
    outcome: str
    own: bool | None
    may_vote: bool
    may_withdraw: bool
    by_master: bool
    about_you: bool

    @property
    def ending(self) -> str:
        """How the vote ended, in words."""
        return OUTCOMES.get(self.outcome, "")


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes of a running game.

    `open` are the votes that are still open, of which `unanswered` wait for the viewer's answer;
    `about_you` says whether one of them is about removing the viewer. `askable` are the questions
    that the viewer may put to the players now, and `voters` the first power of each seat with a
    vote.
    """

    votes: tuple[Vote, ...]
    open: tuple[Vote, ...]
    unanswered: int
    about_you: bool
    askable: tuple[Question, ...]
    voters: tuple[str, ...]


def read_votes(reader: Reader) -> Votes | None:
    """Return the votes of a running game, or None if the viewer does not play in it.

    For a finished game, return only open questions of a game master, or None if there are none.
    """
    rows, clock = reader.rows, read_clock(reader)
    paused = clock is not None and clock.paused_until is not None
    if rows.own_seat is None or rows.phase is None:
        return None
    now, voters = timezone.now(), read_voters(rows)
    if rows.is_running:
        read = _newest.read(*_list_keys(rows, voters))
        votes = tuple(_read_vote(rows, row, voters, now) for row in read)
    elif not (votes := _read_some(rows, voters, open=True)):
        return None
    open_votes = tuple(vote for vote in votes if not vote.outcome)
    may_ask = rows.own_seat in voters and _accepts_orders(rows, now)
    open_kinds = {vote.question.value for vote in open_votes}
    return Votes(
        votes=votes,
        open=open_votes,
        unanswered=sum(vote.may_vote and vote.own is None for vote in open_votes),
        about_you=any(vote.about_you for vote in open_votes),
        askable=_find_askable(voters, open_kinds, paused=paused) if may_ask else (),
        voters=tuple(seat.power or "" for seat in voters) if rows.is_running else (),
    )


def read_requests(reader: Reader) -> tuple[Vote, ...]:
    """Return the open questions that the viewer asked the players as the game master."""
    rows = reader.rows
    voters = read_voters(rows)
    asked = {"by_master": True, "asked_by": rows.viewer.user_id, "open": True}
    return tuple(vote for vote in _read_some(rows, voters, **asked) if not vote.outcome)


def read_voters(rows: GameRows) -> list[Seat]:
    """Return the seats of people whose countries are still in the game."""
    disorder = set(rows.phase.civil_disorder) if rows.phase else set()
    standing = set(players_left(rows.position)) - disorder
    return [
        row
        for row in rows.seats
        if row.user and standing & set(rows.played_with.get(row.power, ()))
    ]


def is_last_player(reader: Reader) -> bool:
    """Return whether no other person is left to play; false if that is hidden."""
    others = [seat for seat in read_voters(reader.rows) if seat != reader.rows.own_seat]
    return reader.has_seat and not reader.masked and not others


def read_draw_vote(reader: Reader) -> str:
    """Return the viewer's draw vote with the orders, `none`, or blank if the viewer cannot vote."""
    rows = reader.rows
    if rows.own_seat is None or rows.phase is None or not rows.is_running:
        return ""
    if rows.own_seat not in read_voters(rows):
        return ""
    submission = rows.submissions.get(rows.own_seat.pk)
    return (submission.draw_vote if submission else "") or "none"


def _accepts_orders(rows: GameRows, now: dt.datetime) -> bool:
    phase = rows.phase
    return rows.is_running and phase is not None and not phase.locked_at and now < phase.due_at


def _read_some(
    rows: GameRows, voters: Sequence[Seat], **wanted: bool | int | None
) -> tuple[Vote, ...]:
    now = timezone.now()
    votes = _select_votes(*_list_keys(rows, voters)).filter(**wanted)[:_MAX_SHOWN]
    return tuple(_read_vote(rows, row, voters, now) for row in votes)


def _list_keys(rows: GameRows, voters: Sequence[Seat]) -> tuple[int, int, list[int], list[int]]:
    """Return the keys of the game, of the viewer's seat, of voters' seats and of people's."""
    people = [seat.pk for seat in rows.seats if seat.user]
    own_key = rows.own_seat.pk if rows.own_seat else _NO_SEAT
    return rows.game.pk, own_key, [seat.pk for seat in voters], people


def _select_votes(
    game: int, own_seat: int, voters: list[int], people: list[int]
) -> QuerySet[VoteRow]:
    """Return the votes, with the current ballots of the current voters.

    They are read in one query, since the page may show many votes.
    """
    voted = Q(by_master=False, ballots__seat__in=voters) | Q(
        by_master=True, ballots__seat__in=people
    )
    counted = voted & Q(ballots__tenure__isnull=False, ballots__tenure__until_at=None)
    own_ballots = Ballot.objects.standing().filter(vote=OuterRef("pk"), seat=own_seat)
    votes = VoteRow.objects.filter(game=game)
    return votes.annotate(
        yes=Count("ballots", filter=counted & Q(ballots__yes=True)),
        no=Count("ballots", filter=counted & Q(ballots__yes=False)),
        own_vote=Subquery(own_ballots.values("yes")[:1]),
    ).order_by(F("open").desc(nulls_last=True), "-pk")


_newest = PreparedQuery(lambda *keys: _select_votes(*keys)[:_MAX_SHOWN], int, int, list, list)


def _read_vote(rows: GameRows, row: VoteRow, voters: Sequence[Seat], now: dt.datetime) -> Vote:
    question = Question(row.kind)
    asked = row.voters(
        voters if rows.is_running else [], [seat for seat in rows.seats if seat.user]
    )
    counts: dict[str, int | bool | None] = vars(row)
    answer = counts["own_vote"]
    # Reading does not close votes, so an overdue vote is shown with the outcome it will get.
    outcome = row.outcome or (EXPIRED if row.closes_at <= now else "")
    if row.is_outdated and not outcome:
        outcome = IMPOSSIBLE
    own_powers = {rows.own_seat.power} if rows.own_seat else set()
    may_act = not outcome and (question.is_masters or _accepts_orders(rows, now))
    return Vote(
        key=row.pk,
        question=question,
        terms=row.terms,
        agreed=int(counts["yes"] or 0) if row.agreed is None else row.agreed,
        against=int(counts["no"] or 0) if row.against is None else row.against,
        asked=len(asked),
        needed=row.votes_needed(len(asked)),
        closes_at=row.closes_at,
        closed_at=row.closed_at,
        outcome=outcome,
        own=None if answer is None else bool(answer),
        may_vote=may_act and rows.own_seat in asked,
        may_withdraw=may_act and row.asked_by_id == rows.viewer.user_id,
        by_master=row.by_master,
        about_you=question is Question.REMOVE and row.terms.power in own_powers,
    )


def _find_askable(
    voters: Sequence[Seat], open_kinds: set[str], *, paused: bool
) -> tuple[Question, ...]:
    excluded = {Question.EXTEND, Question.PAUSE} if paused else {Question.RESUME}
    if len(voters) < 2:
        excluded.add(Question.CONCEDE)
    return tuple(
        question
        for question in Question
        if question.value not in open_kinds and question not in excluded and not question.is_masters
    )


# What waits for a person in all games.


def list_unanswered(user_id: int) -> list[tuple[str, str]]:
    """Return the slugs of the person's games with votes to answer, and how many in words.

    One query, and two more if votes are open.
    """
    rows = _unanswered.read(user_id)
    if not rows:
        return []
    keys, now = list({row.game_id for row in rows}), timezone.now()
    phases = {row.game_id: row for row in _open_phases.read(keys)}
    people: dict[int, list[Seat]] = {key: [] for key in keys}
    for seat in _seats_of_people.read(keys):
        people[seat.game_id].append(seat)
    counts: Counter[str] = Counter()
    for row in rows:
        phase, seats = phases.get(row.game_id), people[row.game_id]
        if phase is None or row.closes_at <= now or row.is_outdated:
            continue
        is_open = not phase.locked_at and now < phase.due_at
        left = set(players_left(phase.position)) - set(phase.civil_disorder)
        asked = row.voters(
            [seat for seat in seats if left.intersection(phase.powers_of(seat))], seats
        )
        is_asked = any(seat.user_id == user_id for seat in asked)
        counts[phase.game.slug] += is_asked and (is_open or Question(row.kind).is_masters)
    return [(slug, describe_unanswered(number)) for slug, number in counts.items() if number]


_unanswered = PreparedQuery(
    lambda user: VoteRow.objects.filter(
        ~Exists(Ballot.objects.standing().filter(vote=OuterRef("pk"), seat__user=user)),
        open=True,
        game__in=Seat.objects.filter(user=user, finished_at=None).values("game"),
    ).order_by("pk"),
    int,
)
_open_phases = PreparedQuery(
    lambda games: (
        Phase.objects.filter(game__in=games, open=True, superseded_at=None)
        .select_related("game__chart")
        .defer("game__chart__text", "results")
        .order_by()
    ),
    list,
)
_seats_of_people = PreparedQuery(
    lambda games: Seat.objects.filter(game__in=games).exclude(user=None).order_by("pk"), list
)
