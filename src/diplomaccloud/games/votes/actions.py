"""Opening, answering, withdrawing and deciding votes, and draw votes written with the orders."""

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.bots.levels import STALE_YEARS, accepts_draw
from diplomaccloud.bots.seats import find_level
from diplomaccloud.entry.votes import Count, agreed_draw, count_votes, players_left
from diplomaccloud.entry.votes import Vote as DrawVote
from diplomaccloud.games.deadlines.actions import (
    apply_move,
    end_phase_early,
    find_move,
    run_guarded,
)
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import NoSuchGame, Refused, WrongMoment
from diplomaccloud.games.table.lock import (
    Now,
    lock_game,
    lock_game_by_id,
    require_current_phase,
    require_not_frozen,
    require_open_phase,
    require_seat,
    require_unlocked,
    time_of,
)
from diplomaccloud.games.table.log import write_log, written_together
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import Phase, Submission
from diplomaccloud.games.table.promises import read_promises
from diplomaccloud.games.table.record_lines import OPENED, add_vote
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.votes.models import Ballot, Vote
from diplomaccloud.games.votes.wording import (
    CARRIED,
    EXPIRED,
    FAILED,
    IMPOSSIBLE,
    MIN_REMOVERS,
    OUTCOMES,
    WITHDRAWN,
    Question,
    RemovalCause,
    Terms,
    describe_question,
    terms_to_json,
)
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending
from diplomaccloud.schedule.descriptions import join_words

OPEN_FOR = dt.timedelta(days=3)
"""How long a vote stays open; after that, it expires."""


@atomic_with_retries
def open_vote(
    *, slug: str, user_id: int, sequence: int, question: Question, terms: Terms, now: dt.datetime
) -> Vote:
    """Open a vote and return it.

    The player who opens it votes yes, which may decide it at once. Raises `WrongMoment` if a vote
    on this question is already open, `Refused` for terms that make no sense, and `DeadlinePassed`
    unless the phase `sequence` still accepts orders.
    """
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now, "The vote was not opened.")
    standing = phase.voters()
    if seat not in standing:
        raise WrongMoment("Your country has been eliminated, so you cannot vote.")
    close_expired(game, now)
    if game.votes.filter(kind=question.value, open=True).exists():
        raise WrongMoment("A vote on this question is already open.")
    _require_possible(question, terms, phase, standing, now)
    vote = create_vote(phase, question, terms, now, seat=seat, user_id=user_id)
    return _write_ballot(vote, seat, yes=True, now=now)


def create_vote(
    phase: Phase,
    question: Question,
    terms: Terms,
    now: dt.datetime,
    *,
    seat: Seat | None,
    user_id: int,
    by_master: bool = False,
) -> Vote:
    """Create and announce a vote in the caller's transaction, and return it.

    Raises `WrongMoment` if the game master asks the players, and none can vote.
    """
    vote = Vote(
        game=phase.game,
        phase=phase,
        seat=seat,
        asked_by_id=user_id,
        by_master=by_master,
        kind=question.value,
        data=terms_to_json(terms),
        open=True,
        opened_at=now,
        closes_at=now + OPEN_FOR,
    )
    if by_master and question is not Question.REMOVE and not find_voters(vote, phase):
        raise WrongMoment("No other player can vote on this.")
    vote.save()
    add_vote(vote, OPENED, now)
    _announce_vote(vote, now)
    return vote


@atomic_with_retries
def cast_ballot(
    *, slug: str, user_id: int, sequence: int, vote_id: int, yes: bool, now: dt.datetime
) -> Vote:
    """Save the person's yes or no, replacing an earlier one; return the vote.

    The request was for the phase `sequence`; raises `DeadlinePassed` once that no longer accepts
    orders, even if the vote itself is still open in the next phase.
    """
    consequence = "Your vote was not counted."
    game = lock_game(slug)
    vote = game.votes.filter(pk=vote_id).first()
    seat = require_seat(game, user_id)
    phase = _require_phase(game, vote, sequence, now, consequence)
    close_expired(game, now)
    if vote is None:
        raise NoSuchGame
    vote.refresh_from_db()
    if not vote.open:
        raise WrongMoment("This vote is closed.")
    if seat not in find_voters(vote, phase):
        raise WrongMoment("You cannot vote on this.")
    return _write_ballot(vote, seat, yes=yes, now=now)


@atomic_with_retries
def withdraw_vote(
    *, slug: str, user_id: int, sequence: int, vote_id: int, now: dt.datetime
) -> None:
    """Withdraw a vote that the person opened; a successor in the seat cannot."""
    game = lock_game(slug)
    vote = game.votes.filter(pk=vote_id).first()
    if vote is None or not vote.by_master or vote.asked_by_id != user_id:
        require_seat(game, user_id)
    _require_phase(game, vote, sequence, now, "The vote was not withdrawn.")
    if vote is None or not vote.open or vote.asked_by_id != user_id:
        raise WrongMoment("You have no open vote to withdraw.")
    close_vote(vote, WITHDRAWN, now)


def close_expired_votes(*, now: Now) -> int:
    """Close all expired votes; return the number of games that had any. Called by the worker."""
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    late = Vote.objects.filter(
        open__in=[True], closes_at__lte=time_of(now), game__suspended_reason=""
    )
    games = list(late.order_by().values_list("game_id", flat=True).distinct())
    return sum(run_guarded(partial(_expire, key, now), game_id=key, now=now) for key in games)


@atomic_with_retries
def _expire(game_id: int, now: Now) -> bool:
    # One game per transaction: two workers that each lock several games could deadlock.
    game = lock_game_by_id(game_id)
    close_expired(game, time_of(now))
    return True


def _require_phase(
    game: Game, vote: Vote | None, sequence: int, now: dt.datetime, consequence: str
) -> Phase:
    """Return the newest phase if the vote can be answered in it; else raise `DeadlinePassed`.

    A game master's questions may be about a locked phase, a suspended game or a finished one. All
    others must be answered while orders are accepted.
    """
    require_not_frozen(game)
    if vote is not None and Question(vote.kind).is_masters:
        return require_current_phase(game, sequence, consequence)
    return require_open_phase(game, sequence, now, consequence)


def _require_possible(
    question: Question, terms: Terms, phase: Phase, standing: list[Seat], now: dt.datetime
) -> None:
    if question is Question.CONCEDE:
        powers = {seat.power for seat in standing}
        if terms.power not in powers:
            raise Refused("Choose a country that is still in the game.")
        if powers == {terms.power}:
            raise Refused("No other player is left to concede the game.")
    if question.is_masters:
        raise Refused("Only the game master can ask this.")
    if question.changes_deadline:
        # Called only for the errors it raises: the change itself is made after the vote.
        find_move(question, terms, phase, key="asked", decided_by=Label.VOTE, now=now)
    if question is Question.DRAW and not find_draw(phase).winners:
        raise Refused("No country is left to share a draw.")


def _write_ballot(vote: Vote, seat: Seat, *, yes: bool, now: dt.datetime) -> Vote:
    """Save the ballot, which may decide the vote; return the vote."""
    tenure = seat.tenures.filter(until_at=None).latest("pk")
    Ballot.objects.update_or_create(
        vote=vote, tenure=tenure, defaults={"seat": seat, "yes": yes, "cast_at": now}
    )
    decide_votes(seat.game, now)
    vote.refresh_from_db()
    return vote


# Draw votes: DRAW and SURRENDER, written with the orders.


@atomic_with_retries
def vote_with_orders(
    *, slug: str, user_id: int, sequence: int, vote: str, now: dt.datetime
) -> None:
    """Save the person's draw vote, `draw` or `surrender`, with the orders; a blank deletes it.

    The vote is secret until the phase is processed. Like an order, it counts as a submission.
    """
    if vote not in ("", *DrawVote):
        raise Refused("A draw vote must be DRAW or SURRENDER.")
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now, "Your vote was not counted.")
    if seat not in phase.voters():
        raise WrongMoment("Your country has been eliminated, so you cannot vote.")
    require_unlocked(phase, seat, "Your vote was not counted.")
    changes = {"draw_vote": vote, "tried_at": now}
    Submission.objects.update_or_create(phase=phase, seat=seat, defaults=changes)
    events.record(game=game, kind="saved", now=now, seat=seat)


def count_phase_votes(phase: Phase, after: Position) -> Count:
    """Count the draw votes of a phase; `after` is the position that it led to.

    Source: the errata of document 2, "Ending the game in a draw" and "… in surrender".
    """
    remaining, out = players_left(after), phase.unplayed_powers()
    votes = _find_votes(phase, frozenset(remaining) - out)
    return count_votes(remaining, votes, out, together=phase.players)


def _find_votes(phase: Phase, standing: frozenset[Power]) -> dict[Power, DrawVote]:
    """Return the draw votes of a phase by power, including the votes of bots.

    Bots vote DRAW once all people who are still in the game and do not surrender have done so; bots
    with a level do that only if it pays. Bots also vote DRAW if they promised it to the people who
    have.
    """
    written = {seat: DrawVote(vote) for seat, vote in phase.draw_votes.items()}
    if not written:
        return {}
    seats = [(seat, phase.played_with.get(seat.power, ())) for seat in phase.game.seat_list]
    votes = {
        power: written[seat.pk] for seat, powers in seats if seat.pk in written for power in powers
    }
    people = {
        seat.pk
        for seat, powers in seats
        if seat.user_id
        and standing.intersection(powers)
        and written.get(seat.pk) != DrawVote.SURRENDER
    }
    if _bots_agree(people, {key for key, vote in written.items() if vote is DrawVote.DRAW}):
        unwilling = find_unwilling(phase)
        joining = [
            power
            for seat, powers in seats
            if seat.bot and not unwilling.intersection(powers)
            for power in powers
        ]
        return dict.fromkeys(joining, DrawVote.DRAW) | votes
    return votes | _find_promised_votes(phase, votes, standing)


def _find_promised_votes(
    phase: Phase, votes: Mapping[Power, DrawVote], standing: frozenset[Power]
) -> dict[Power, DrawVote]:
    """Return the votes for a draw that bots promised to others who vote for a draw."""
    voters = {power for power, vote in votes.items() if vote is DrawVote.DRAW}
    if not voters:
        return {}
    promises = read_promises(phase.pk)
    promised: dict[Power, DrawVote] = {}
    while joining := [
        power
        for power, given in promises.items()
        if power in standing - voters and given.asks_for_draw(voters, standing)
    ]:  # one bot may wait for another
        voters.update(joining)
        promised |= dict.fromkeys(joining, DrawVote.DRAW)
    return promised


def log_draw_votes(phase: Phase, count: Count, now: dt.datetime) -> None:
    """Log who voted for a draw and who surrendered, which is now public.

    Source: the errata: "Any votes for a draw will be reported to all players when orders are
    executed."
    """
    lines = []
    if count.draws:
        lines.append(_describe_draws(phase, count))
    if count.surrendered:
        are = "is" if len(count.surrendered) == 1 else "are"
        countries = _names(phase, count.surrendered)
        lines.append(f"{countries} surrendered and {are} now in civil disorder.")
    if lines:
        write_log(
            game=phase.game,
            phase=phase,
            kind="votes",
            key=f"votes {phase.sequence}",
            text=" ".join(lines),
            now=now,
            data={"draws": list(count.draws), "surrendered": list(count.surrendered)},
        )


def _describe_draws(phase: Phase, count: Count) -> str:
    """Return who voted for a draw, and how many of the countries that could did not."""
    draws, total = count.draws, len(count.draws) + count.against
    seats = phase.game.seats.exclude(bot="")
    bots = {power for seat in seats for power in phase.powers_of(seat)}
    joined = [power for power in draws if power in bots]
    lines = [f"Votes for a draw: {_names(phase, [p for p in draws if p not in bots])}."]
    if joined:
        lines.append(f"The bots agreed: {_names(phase, joined)}.")
    if count.against:
        lines.append(f"No draw: {count.against} of {total} countries did not vote for one.")
    return " ".join(lines)


def _names(phase: Phase, powers: Sequence[Power]) -> str:
    """Return the names of the powers; a player with a single power may have renamed it."""
    named = {}
    for seat in phase.game.seats.all():
        played = phase.powers_of(seat)
        if len(played) == 1:
            named[played[0]] = seat.country_name
    info = phase.board.power_info
    return join_words([named.get(power, info[power].name) for power in powers])


# Deciding votes: counting the ballots of the current seat holders, and carrying out the result.
#
# A vote is decided as soon as its outcome is certain, under the same lock as orders and processing,
# so a vote can never race with the adjudication.


@dataclass(frozen=True, slots=True)
class Decision:
    """A vote that was carried in the newest phase of a game, which is locked.

    `decided_by` is like `a vote of 3 of 5`, and `key` is the key for the log entry.
    """

    game: Game
    vote: Vote
    phase: Phase
    decided_by: str
    key: str
    now: dt.datetime


Act = Callable[[Decision], None]
_ACTS: dict[Question, Act] = {}


def carries_out(*questions: Question) -> Callable[[Act], Act]:
    """Return a decorator for the function that carries out these questions.

    Votes know neither the game master's acts nor rollbacks, so the functions in `master.actions`
    register themselves here.
    """

    def register(act: Act) -> Act:
        _ACTS.update(dict.fromkeys(questions, act))
        return act

    return register


def decide_votes(game: Game, now: dt.datetime) -> None:
    """Close the votes that have expired or are certain, in the caller's transaction.

    Called after every ballot, and whenever the voters may have changed: a player left or joined, or
    a phase was processed. A vote is carried if the last voter who had not agreed leaves. While no
    orders are accepted, votes wait for the next phase; while a moderator has stopped the game, they
    wait for the next call.
    """
    if game.is_frozen:
        return
    # Carrying one vote may change the phase and the voters of the others.
    while any(_close_if_over(vote, game, now) for vote in game.votes.filter(open=True)):
        pass


def close_expired(game: Game, now: dt.datetime) -> None:
    """Close the game's expired and outdated votes, in the caller's transaction."""
    for vote in game.votes.filter(open=True):
        _close_if_late(vote, now)


def _close_if_late(vote: Vote, now: dt.datetime) -> bool:
    """Close the vote if it has expired or is outdated; return whether it was closed."""
    if vote.is_outdated:
        close_vote(vote, IMPOSSIBLE, now, why="A vote to remove a player needs a cause.")
    elif _is_expired(vote, now):
        close_vote(vote, EXPIRED, now)
    return vote.open is None


def close_vote(vote: Vote, outcome: str, now: dt.datetime, *, why: str = "") -> None:
    """Close the vote and log its outcome and the sentence `why`; a carried vote logs its act."""
    vote.close(outcome, now)
    add_vote(vote, outcome, now)
    if outcome != CARRIED:
        counts = f"{vote.agreed} for, {vote.against} against"
        text = f"A vote {OUTCOMES[outcome]}: {describe_vote(vote)} ({counts}). {why}".strip()
        phase = vote.game.newest_phase() or vote.phase
        write_log(
            game=vote.game,
            phase=phase,
            kind="vote",
            key=f"vote {vote.pk}",
            text=text,
            now=now,
            data={"question": vote.kind, "sequence": phase.sequence},
        )
    _announce_vote(vote, now)


def _announce_vote(vote: Vote, now: dt.datetime) -> None:
    """Write the event of a vote that was opened or closed, in the caller's transaction.

    Everyone who may vote, and the person whom the vote is about, get a notice of it.
    """
    data: dict[str, object] = {"vote": vote.pk, "question": vote.kind}
    key = ""
    if vote.outcome:
        data["outcome"], key = vote.outcome, f"motion {vote.pk} {vote.outcome}"
    events.record(game=vote.game, kind="motion", key=key, now=now, data=data)


def describe_vote(vote: Vote) -> str:
    """Return the question in plain words, for the log."""
    seats = vote.game.seats
    return describe_question(
        Question(vote.kind), vote.terms, lambda power: seats.get(power=power).country_name
    )


def find_voters(vote: Vote, phase: Phase) -> list[Seat]:
    """Return the seats whose holders may vote; in a finished game, nobody counts as eliminated."""
    game = phase.game
    standing = phase.voters() if game.status == Status.RUNNING else []
    return vote.voters(standing, list(game.seats.exclude(user=None)))


def find_draw(phase: Phase) -> Ending:
    """Return the draw that the players would share now, without winners if nobody is left."""
    return agreed_draw(phase.position, phase.unplayed_powers())


def _bots_agree(people: Collection[int], agreed: Collection[int]) -> bool:
    """Return whether the bots agree to end a game, which they do once all people with a vote agree.

    Both arguments are keys of seats. Bots never block the end of a game, and never end a game on
    their own.
    """
    return bool(people) and set(people) <= set(agreed)


def _close_if_over(vote: Vote, game: Game, now: dt.datetime) -> bool:
    """Close the vote if it has expired or its outcome is certain; return whether it was closed."""
    if _close_if_late(vote, now):
        return True
    phase = game.newest_phase()
    if phase is None:
        return False
    closed = phase.locked_at or phase.processed_at or phase.due_at <= now
    if (closed or game.status != Status.RUNNING) and not Question(vote.kind).is_masters:
        return False
    _decide(vote, phase, now)
    return vote.open is None


def _is_expired(vote: Vote, now: dt.datetime) -> bool:
    """Return whether the vote's time is up; a vote on ending a phase expires with the phase."""
    if vote.closes_at <= now:
        return True
    if vote.kind == Question.EXTEND:
        return vote.phase.locked_at is not None
    return vote.kind == Question.END_PHASE and vote.phase.processed_at is not None


def _decide(vote: Vote, phase: Phase, now: dt.datetime) -> None:
    question = Question(vote.kind)
    if why := _find_obstacle(question, vote, phase):
        close_vote(vote, IMPOSSIBLE, now, why=why)
        return
    voters = find_voters(vote, phase)
    ballots = vote.ballots.standing().filter(seat__in=voters)
    cast = dict(ballots.values_list("seat_id", "yes"))
    agreed, needed = sum(cast.values()), vote.votes_needed(len(voters))
    if question.ends_game:
        carried = _bots_agree({seat.pk for seat in voters}, {pk for pk in cast if cast[pk]})
        if carried and question is Question.DRAW and find_unwilling(phase):
            close_vote(vote, FAILED, now, why="Not all bots agree to a draw yet.")
            return
    else:
        carried = bool(voters) and agreed >= needed
    if vote.terms.cause == RemovalCause.WISH:
        wishes = {cast.get(seat.pk) for seat in voters if seat.power == vote.terms.power}
        if wishes == {False}:
            close_vote(vote, FAILED, now, why="The player does not want to be removed.")
            return
        carried = carried and wishes == {True}
    if carried:
        by = f"a vote of {agreed} of {len(voters)}"
        _carry(Decision(vote.game, vote, phase, by, f"motion {vote.pk}", now))
    elif not voters or len(cast) - agreed > len(voters) - needed:
        close_vote(vote, FAILED, now)


def _find_obstacle(question: Question, vote: Vote, phase: Phase) -> str:
    """Return why the vote has become pointless since it was opened, or blank if it has not."""
    match question:
        case Question.CONCEDE:
            if vote.terms.power not in {seat.power for seat in phase.voters()}:
                return "The country no longer has a player in the game."
        case Question.REMOVE:
            standing = Tenure.objects.filter(seat__game=vote.game, until_at=None)
            if vote.terms.tenure not in standing.values_list("pk", flat=True):
                return "The player has left the game."
            others = [seat for seat in find_voters(vote, phase) if seat.power != vote.terms.power]
            if len(others) < MIN_REMOVERS:
                return "Too few of the players who were asked are left in the game."
        case Question.SEAT_BOT:
            if vote.game.seats.filter(power=vote.terms.power, vacated_at=None).exists():
                return "The seat is taken."
        case _:
            pass
    return ""


def _carry(decision: Decision) -> None:
    """Close the vote as carried and carry out the decision, or close it as impossible."""
    vote, now = decision.vote, decision.now
    try:
        with transaction.atomic(), written_together():
            # Close it first: ending a game withdraws all votes that are still open.
            close_vote(vote, CARRIED, now)
            _ACTS[Question(vote.kind)](decision)
    except Refused as error:
        # No one made a mistake here, and a phase that is being processed must not fail.
        vote.refresh_from_db(fields=["open", "closed_at", "outcome", "agreed", "against"])
        close_vote(vote, IMPOSSIBLE, now, why=str(error))


@carries_out(Question.EXTEND, Question.PAUSE, Question.RESUME)
def _change_deadline(decision: Decision) -> None:
    vote, phase, now = decision.vote, decision.phase, decision.now
    question = Question(vote.kind)
    move = find_move(
        question, vote.terms, phase, key=decision.key, decided_by=decision.decided_by, now=now
    )
    apply_move(phase, move)
    if question is Question.RESUME:
        # Everyone may have become ready during the pause.
        end_phase_early(phase, now)


@carries_out(Question.DRAW, Question.CONCEDE, Question.CANCEL)
def _end_game(decision: Decision) -> None:
    vote, phase, game = decision.vote, decision.phase, decision.game
    match Question(vote.kind):
        case Question.DRAW:
            ending = find_draw(phase)
            if not ending.winners:
                raise Refused("No country is left to share a draw.")
        case Question.CONCEDE:
            seat = game.seats.get(power=vote.terms.power)
            ending = Ending.of(phase.powers_of(seat), "conceded", country=seat.country_name)
        case _:
            ending = Ending.of((), "canceled")
    text = f"{ending.reason.rstrip('.')}, by {decision.decided_by}."
    write_log(game=game, phase=phase, kind="ended", key=decision.key, text=text, now=decision.now)
    finish_game(game, ending, decision.now)


# Whether bots agree to a draw: bots with a level decide, bots without one always agree.


def find_unwilling(phase: Phase) -> frozenset[Power]:
    """Return the powers of bots that do not agree to a draw in the phase."""
    position = phase.position
    remaining = set(players_left(position)) - phase.unplayed_powers()
    levels = [seat for seat in phase.game.seat_list if find_level(seat.bot)]
    asked = [power for seat in levels for power in phase.powers_of(seat) if power in remaining]
    if not asked:
        return frozenset()
    sharing = sum(bool(remaining.intersection(powers)) for powers in phase.players)
    # Whether no center has changed hands for years.
    names = [f"S{phase.judge_phase.year - ago}M" for ago in range(1, STALE_YEARS + 1)]
    springs = phase.game.phases.filter(superseded_at=None, name__in=names)
    before = [row.position.centers for row in springs]
    is_stale = before == [position.centers] * STALE_YEARS
    return frozenset(
        power
        for power in asked
        if not accepts_draw(phase.board, position, power, sharing=sharing, is_stale=is_stale)
    )
