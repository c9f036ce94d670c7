"""The votes of a game as one of its players may see them: counts, never who voted how."""

import datetime as dt
from collections.abc import Sequence

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from diplomaccloud.games.actions.votes.vote_terms import Question, describe, votes_needed
from diplomaccloud.games.actions.votes.votes import EXPIRED, OUTCOMES
from diplomaccloud.games.models import Ballot, Motion, Seat, Status
from diplomaccloud.games.presenters.game_status import LengthChoice, MotionView, Movable, VotesView
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.judge.draw_votes import players_left
from diplomaccloud.schedule import format_duration

_SHOWN = 12
_HOUR = dt.timedelta(hours=1)
_LENGTHS = tuple(
    _HOUR * hours for hours in (0.25, 0.5, 1, 2, 6, 12, 24, 48, 72, 120, 168, 336, 720)
)
_LABELS = {
    Question.DRAW: "End the game in a draw",
    Question.CONCEDE: "Concede the game to one country",
    Question.CANCEL: "Cancel the game: nobody wins",
    Question.EXTEND: "More time for this phase",
    Question.PAUSE: "Pause the game",
    Question.RESUME: "End the pause",
}


def votes_of(table: Table, *, paused: bool) -> VotesView | None:
    """Return the votes of a running game; None for whoever does not play in it."""
    if table.mine is None or table.phase is None or table.game.status != Status.RUNNING:
        return None
    now, standing = timezone.now(), voters_at(table)
    rows = list(_rows(table, standing))
    mine = table.mine in standing
    is_open = mine and table.phase.locked_at is None and now < table.phase.due_at
    views = [_motion(table, row, standing, now, may=is_open) for row in rows]
    taken = {row.kind for row in rows if row.open and now < row.closes_at}
    return VotesView(
        open=tuple(view for view in views if not view.outcome),
        closed=tuple(view for view in views if view.outcome),
        movable=_movable(table, standing, taken, paused=paused) if is_open else (),
    )


def voters_at(table: Table) -> list[Seat]:
    """Return the seats of people whose countries are still in the game."""
    disorder = set(table.phase.disorder) if table.phase else set()
    left = set(players_left(table.position)) - disorder
    return [row for row in table.seat_rows if row.user and left & set(table.powers_at(row))]


def lengths_up_to(most: dt.timedelta) -> tuple[LengthChoice, ...]:
    """Return the lengths of time that a form offers, the longest last."""
    fitting = [length for length in _LENGTHS if length <= most] or [most]
    return tuple(LengthChoice(int(one.total_seconds()), format_duration(one)) for one in fitting)


def _rows(table: Table, standing: Sequence[Seat]) -> QuerySet[Motion]:
    asked = Q(ballots__seat__in=[seat.pk for seat in standing])
    mine = Ballot.objects.filter(motion=OuterRef("pk"), seat=table.mine).values("yes")[:1]
    return (
        table.game.motions.annotate(
            agreed=Count("ballots", filter=asked & Q(ballots__yes=True)),
            against=Count("ballots", filter=asked & Q(ballots__yes=False)),
            my_vote=Subquery(mine),
        )
    ).order_by(F("open").desc(nulls_last=True), "-pk")[:_SHOWN]


def _motion(
    table: Table, row: Motion, standing: Sequence[Seat], now: dt.datetime, *, may: bool
) -> MotionView:
    question = Question(row.kind)
    asked = [one for one in standing if question is not Question.CONCEDE or one.power != _to(row)]
    counts: dict[str, int | bool | None] = vars(row)
    my_vote = counts["my_vote"]
    # A read closes nothing: a vote whose time is over is shown as what it will be.
    outcome = row.outcome or (EXPIRED if row.closes_at <= now else "")
    may = may and not outcome
    return MotionView(
        pk=row.pk,
        text=describe(row, table.seat_name),
        agreed=int(counts["agreed"] or 0),
        against=int(counts["against"] or 0),
        asked=len(asked),
        needed=votes_needed(question, len(asked)),
        closes_at=row.closes_at,
        mine="" if my_vote is None else "yes" if my_vote else "no",
        may_vote=may and table.mine in asked,
        may_withdraw=may and table.mine is not None and row.seat_id == table.mine.pk,
        outcome=OUTCOMES.get(outcome, ""),
        closed_at=row.closed_at,
    )


def _to(row: Motion) -> str:
    return str(row.data["power"])


def _movable(
    table: Table, standing: Sequence[Seat], taken: set[str], *, paused: bool
) -> tuple[Movable, ...]:
    caps = table.options.schedule.caps
    powers = tuple((seat.power or "", table.seat_name(seat.power or "")) for seat in standing)
    lengths = {
        Question.EXTEND: lengths_up_to(caps.extension),
        Question.PAUSE: lengths_up_to(caps.pause),
    }
    barred = {Question.EXTEND, Question.PAUSE} if paused else {Question.RESUME}
    if len(standing) < 2:
        barred.add(Question.CONCEDE)
    return tuple(
        Movable(
            question.value,
            _LABELS[question],
            lengths.get(question, ()),
            powers if question is Question.CONCEDE else (),
        )
        for question in Question
        if question.value not in taken and question not in barred
    )
