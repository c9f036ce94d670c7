"""The locks of an action: their order, who takes them, and the checks made under them.

An action locks its game, requires that the person may act and that the phase still accepts it, and
reads the time. What an action chooses at random while it has the lock is here too: secrets, and
moments that tell nothing.

Every transaction on a game takes its locks in the same order, so that no two can deadlock:

1. the row of the game, alone: a query that joins other tables would lock their rows too, and
on MariaDB before the game's row;
2. the row of the phase that is being processed;
3. whatever rows it then writes;
4. at its end, people's statistics, in the order of their keys, since people play in several games:
see `log`, the only module that locks these.

No transaction locks two games. A worker claims a phase with one statement in its own transaction.
Besides these modules, only `purge_guests` takes locks, for the games of guests who are gone.
"""

import datetime as dt
import hashlib
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.utils.module_loading import import_string

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import (
    DeadlinePassed,
    GameCanceled,
    NoSuchGame,
    NotYourSeat,
    PlayersDecide,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.table.log_models import PlayerFigures
from diplomaccloud.games.table.models import Game, Seat, Status, must_ask_players
from diplomaccloud.games.table.options import Start, Watch
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Submission
from diplomaccloud.games.table.transactions import note_attempt
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.shared.prepared_queries import PreparedQuery

NOTHING_CHANGED = "Nothing was changed."
"""The consequence of a request that came too late, unless the action has its own sentence."""

Now = dt.datetime | Callable[[], dt.datetime]
"""The time of an action: an instant, or a clock to read once its game is locked."""


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A player's seat in a phase that accepts orders; the game is locked."""

    phase: Phase
    seat: Seat
    board: Board
    position: Position
    powers: tuple[Power, ...]
    rules: RuleSet


def lock_game(slug: str) -> Game:
    """Return the game, locked until the transaction ends; raise `NoSuchGame`."""
    game = _locked_game_of_slug.find(slug)
    if game is None:
        raise NoSuchGame
    if game.status == Status.CANCELED:
        raise GameCanceled
    return game


def lock_game_by_id(game_id: int) -> Game:
    """Return the game, locked until the transaction ends; raise `Game.DoesNotExist`."""
    game = _locked_game.find(game_id)
    if game is None:
        raise Game.DoesNotExist
    return game


_locked_game_of_slug = PreparedQuery(
    lambda slug: Game.objects.select_for_update().filter(slug=slug).order_by(), str
)
_locked_game = PreparedQuery(
    lambda game: Game.objects.select_for_update().filter(pk=game).order_by(), int
)


def lock_game_of_phase(phase_id: int) -> Game:
    """Return the game of the phase, locked until the transaction ends."""
    # Read this first: a locking query with the phase in it would lock its row too. A phase always
    # stays in the same game.
    return lock_game_by_id(Phase.objects.values_list("game_id", flat=True).get(pk=phase_id))


def lock_phase_row(game: Game, phase_id: int) -> Phase:
    """Return the phase of a locked game, and lock the phase too until the transaction ends."""
    # Select by the key alone: a condition on another table would lock that table's row too.
    phase = Phase.objects.select_for_update().get(pk=phase_id)
    phase.game = game
    return phase


def time_of(now: Now) -> dt.datetime:
    """Return the time of an action, read with the game locked.

    Whatever others did while the action waited for the lock came first, so a time read before the
    wait would be too early. The time of the request counts only if there is a deadline to meet.
    """
    return now if isinstance(now, dt.datetime) else now()


def find_seat(game: Game, user_id: int) -> Seat | None:
    """Return the person's seat, or None."""
    return game.seats.filter(user_id=user_id).first()


def require_account(user_id: int) -> None:
    """Raise `NotYourSeat` for a guest, who can play only against bots."""
    if User.objects.filter(pk=user_id, guest=True).exists():
        raise NotYourSeat("Sign up to play with other people. You keep your game.")


def require_outsider(game: Game, user_id: int) -> None:
    """Raise `NotYourSeat` for a person who knows too much about the game to play in it.

    The functions in the setting `SEAT_BARS` say why, or return a blank text.
    """
    for path in settings.SEAT_BARS:
        if why := import_string(path)(game.pk, user_id):
            raise NotYourSeat(why)


def follow_people(game: Game, now: dt.datetime, joined: Seat | None = None) -> None:
    """Do what follows in a locked waiting room from who has just `joined`, or from who has left.

    Only the next games do something; `settings.SEATS_FOLLOWER` names their function.
    """
    if game.options.start is Start.MUSTER:
        import_string(settings.SEATS_FOLLOWER)(game, now, joined)


def require_reliability(least: int, user_id: int) -> None:
    """Raise `NotYourSeat` if the person is less reliable than the options of a game ask.

    A person without a history may play, or nobody could begin one.
    """
    if not least:
        return
    figures = PlayerFigures.objects.filter(user=user_id).first()
    yours = figures.reliability if figures is not None else None
    if yours is not None and yours < least:
        raise NotYourSeat(
            f"This game is for players with a reliability of at least {least}%. Yours is {yours}%."
        )


def require_seat(game: Game, user_id: int) -> Seat:
    """Return the person's seat; raise `NotYourSeat`, or `NoSuchGame` if the game is private."""
    seat = _seat_of_person.find(game.pk, user_id)
    if seat is None:
        raise not_a_member_error(game, "You do not play in this game.")
    # The map comes with the seat: a lock on the game must not lock a map that other games use.
    game.chart = seat.game.chart
    seat.game = game
    return seat


_seat_of_person = PreparedQuery(
    lambda game, person: (
        Seat.objects.filter(game=game, user=person)
        .select_related("game__chart")
        .defer("game__chart__text")
    ),
    int,
    int,
)


def require_creator(game: Game, user_id: int, text: str) -> None:
    """Raise unless the person created the game; other members of the game see the error `text`."""
    if game.creator_id != user_id:
        raise NotYourSeat(text) if find_seat(game, user_id) else not_a_member_error(game, text)


def require_master(game: Game, user_id: int) -> None:
    """Raise `NotYourSeat` unless the person is the game master, `NoSuchGame` if it is hidden."""
    if game.master_id is None or game.master_id != user_id:
        text = "Only the game master can do this."
        raise NotYourSeat(text) if find_seat(game, user_id) else not_a_member_error(game, text)


def lock_game_for_master(slug: str, user_id: int) -> Game:
    """Return the game, locked, for a game master who can act without a vote.

    Raises the errors of `require_master` for anyone else, and `PlayersDecide` for a game master who
    plays or has played in the game, and `WrongMoment` while a moderator has stopped the game.
    """
    game = lock_game(slug)
    require_master(game, user_id)
    if must_ask_players(game, user_id):
        raise PlayersDecide
    require_not_frozen(game)
    return game


def require_running(game: Game) -> None:
    """Raise `WrongMoment` unless the game is in progress."""
    if game.status != Status.RUNNING:
        raise WrongMoment("The game must be in progress.")


def require_not_frozen(game: Game) -> None:
    """Raise `WrongMoment` if a moderator has stopped the game."""
    if game.is_frozen:
        raise WrongMoment("A moderator has stopped this game. It will continue later.")


def require_current_phase(game: Game, sequence: int, consequence: str = NOTHING_CHANGED) -> Phase:
    """Return the newest phase if it is the one that the request was for.

    Otherwise raise `DeadlinePassed`: the phase was processed while the request waited, so the
    request must not take effect in the next phase. `consequence` is the sentence that says what was
    not done. A game never reuses a sequence number, so the number also identifies the branch.
    """
    phase = game.newest_phase()
    if phase is None:
        raise WrongMoment("This game has not started yet.")
    if phase.sequence != sequence:
        raise DeadlinePassed(_describe_late_request(game, sequence, consequence))
    return phase


def require_open_phase(
    game: Game, sequence: int, now: dt.datetime, consequence: str = NOTHING_CHANGED
) -> Phase:
    """Return the phase `sequence` if it still accepts orders; raise `DeadlinePassed`."""
    phase = require_current_phase(game, sequence, consequence)
    if game.status != Status.RUNNING and not phase.processed_at:
        # A vote may have ended the game in the middle of a phase.
        raise WrongMoment("This game is over. Nothing was changed.")
    if phase.locked_at or phase.processed_at or phase.due_at <= now:
        raise DeadlinePassed(_describe_late_request(game, sequence, consequence))
    if game.suspended_reason:
        require_not_frozen(game)
        raise WrongMoment("This game is suspended while we fix a problem.")
    return phase


def require_open_seat(
    slug: str, user_id: int, sequence: int, now: dt.datetime, consequence: str
) -> OpenSeat:
    """Return the person's seat in the open phase, with the game locked.

    Raises if the person has nothing to order or the phase doesn't accept orders; `consequence` is
    for a request that comes too late. From here on, the person was present, even if the request is
    refused.
    """
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now, consequence)
    board, position = phase.board, phase.position
    powers = phase.played_with.get(seat.power, ())
    if not powers_to_order(board, position).intersection(powers):
        raise WrongMoment("You have nothing to order in this phase.")
    if any(power in phase.civil_disorder for power in powers):
        raise WrongMoment("Your country has surrendered and takes no more orders.")
    require_unlocked(phase, seat, consequence)
    note_attempt(partial(_save_attempt, game.pk, phase.pk, user_id, now))
    return OpenSeat(phase, seat, board, position, powers, game.rules)


def require_unlocked(phase: Phase, seat: Seat, consequence: str) -> None:
    """Raise `DeadlinePassed` if the seat's orders were locked when a grace period began."""
    if phase.grace_at is None:
        return
    rows = OrderRow.objects.filter(draft__phase=phase, draft__seat=seat, draft__live=True)
    submission = phase.submissions.filter(seat=seat).first()
    if phase.is_kept_in_grace(seat, submission, lambda: [row.canonical for row in rows]):
        raise DeadlinePassed(
            "Your orders are locked. The grace period is only for players who had orders to add. "
            f"{consequence}"
        )


def _save_attempt(game_id: int, phase_id: int, user_id: int, at: dt.datetime) -> None:
    """Save that the person tried to order, unless the phase has been locked in the meantime."""
    try:
        game = lock_game_by_id(game_id)
    except Game.DoesNotExist:
        return
    phase = game.phases.filter(pk=phase_id, locked_at=None, superseded_at=None).first()
    seat = find_seat(game, user_id)
    if phase and seat:
        Submission.objects.update_or_create(phase=phase, seat=seat, defaults={"tried_at": at})


def not_a_member_error(game: Game, text: str) -> Refused:
    """Return the refusal for a person outside the game, which does not reveal a hidden game."""
    hidden = game.private or (game.options.watch is Watch.PLAYERS and game.status != Status.FORMING)
    return NoSuchGame() if hidden else NotYourSeat(text)


def _describe_late_request(game: Game, sequence: int, consequence: str) -> str:
    phase, newest = game.phases.filter(sequence=sequence).first(), game.newest_phase()
    if phase is None:
        over = " The game is over." if game.status == Status.FINISHED else ""
        return f"This game has no such phase. {consequence}{over}"
    change, at = "closed", phase.locked_at or phase.due_at
    if phase.superseded_at:
        change, at = "rolled back", phase.superseded_at
    elif phase.processed_at:
        change, at = "resolved", phase.processed_at
    title = phase.judge_phase.title
    text = f"{title} was {change} on {at:%b} {at.day} at {at:%H:%M} UTC. {consequence}"
    if game.status == Status.FINISHED:
        return f"{text} The game is over."
    if newest and newest != phase:
        return f"{text} It is now {newest.judge_phase.title}."
    return text


# Random moments for changes to anonymous games that follow from something about a person.
#
# If the same change reached a person's other games at the same time, it would tell who plays here.


def draw_moment(
    game: Game, within: dt.timedelta, now: dt.datetime, rng: random.Random | None = None
) -> dt.datetime:
    """Return a random moment in the time `within`, but before the orders of the open phase are due.

    If they are already due, the whole time counts. Nobody can foresee the moment without `rng`.
    """
    phase = game.newest_phase()
    end = now + within
    if phase is not None and now < phase.due_at < end:
        end = phase.due_at
    return now + (end - now) * (rng or random.SystemRandom()).random()


# The secrets of a game; the game's record commits to each before it is used.


NewSecret = Callable[[], str]
"""A function that returns a new secret, like `make_secret`."""


def make_secret() -> str:
    """Return 32 random bytes as hexadecimal digits."""
    return secrets.token_hex(32)


def derive_secret(seed: str, purpose: str) -> str:
    """Return a secret for one purpose, derived from a secret seed.

    Revealing it says nothing about the secrets for other purposes.
    """
    return hashlib.sha256(f"{purpose}\n{seed}".encode()).hexdigest()
