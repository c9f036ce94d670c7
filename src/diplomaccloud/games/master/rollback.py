"""Rolling a game back to an earlier phase, and forward again; the history keeps both branches.

Nothing is deleted: the phases that a rollback leaves behind are marked, the game continues on a
new branch, and everything that belongs to a phase (orders, receipts, votes, attendance) stays
with it.
"""

import datetime as dt

from django.db.models import Max

from diplomaccloud.games.hall.actions import request_picture
from diplomaccloud.games.results.actions import counted_again, reopen_game, withdraw_votes
from diplomaccloud.games.seats.actions import end_restored_tenures, restore_tenures
from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.fields import ending_from_json, ending_to_json
from diplomaccloud.games.table.lock import (
    NewSecret,
    lock_game_for_master,
    make_secret,
    require_current_phase,
)
from diplomaccloud.games.table.log import require_reason, write_log
from diplomaccloud.games.table.log_models import ROLLED_BACK, ROLLED_FORWARD, LogEntry
from diplomaccloud.games.table.models import Game, Status
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.record_lines import add_rollback
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.turn import choose_coin, open_phase, reopen_phase
from diplomaccloud.judge.phases import Phase as JudgePhase


@atomic_with_retries
def roll_back(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    to: int,
    reason: str,
    now: dt.datetime,
    new_secret: NewSecret = make_secret,
) -> Phase:
    """Reopen phase `to` in its original position, without orders, and return the new phase.

    The game master must give a reason. Raises `DeadlinePassed` if `sequence` is no longer the
    newest phase. A finished game continues. Players who lost their seats for missing turns that no
    longer count get them back, unless the seats are taken.
    """
    game = lock_game_for_master(slug, user_id)
    require_current_phase(game, sequence)
    why = require_reason(reason)
    target = find_processed_phase(game, to)
    return go_back(game, target, now, by=user_id, reason=why, new_secret=new_secret)


def find_processed_phase(game: Game, sequence: int) -> Phase:
    """Return the phase to roll back to; raise `WrongMoment` if that is not allowed."""
    target = game.phases.filter(superseded_at=None, sequence=sequence).first()
    if target is None or target.processed_at is None:
        raise WrongMoment("Choose a phase that has already been processed.")
    return target


def go_back(
    game: Game,
    target: Phase,
    now: dt.datetime,
    *,
    by: int | None = None,
    reason: str = "",
    decided_by: str = "",
    new_secret: NewSecret = make_secret,
) -> Phase:
    """Roll back to `target` in the caller's transaction, and return the new phase.

    The log entry names the person `by`, or says how the players decided.
    """
    phases = game.phases.filter(superseded_at=None, sequence__gte=target.sequence)
    keys = list(phases.order_by("sequence").values_list("pk", flat=True))
    data: dict[str, object] = {
        "phases": keys,
        "ending": game.ending and ending_to_json(game.ending),
    }
    coin = game.coin
    with counted_again(game, with_turns=True):
        data["tenures"] = restore_tenures(game, phases, now)
        # A worker that holds a lease sees that its phase is superseded, and skips it.
        superseded = Phase.objects.filter(pk__in=keys)
        superseded.update(superseded_at=now, open=None, lease_owner="", lease_until=None)
        game.branch = 1 + (game.phases.aggregate(most=Max("branch"))["most"] or 0)
        reopen_game(game, now)
    new_coin = choose_coin(game, JudgePhase.parse(target.name), coin=coin, new_secret=new_secret)
    add_rollback(game, to=target.sequence, now=now, coin=new_coin)
    opened = open_phase(
        game=game,
        position=target.position,
        sequence=game.next_sequence(),
        now=now,
        civil_disorder=target.civil_disorder,
        new_secret=new_secret,
    )
    title = JudgePhase.parse(target.name).title
    write_log(
        game=game,
        phase=opened,
        kind=ROLLED_BACK,
        key=f"line {game.branch}",
        text=_with_decision(f"Rolled back to {title}", decided_by),
        now=now,
        by=by,
        reason=reason,
        data=data,
    )
    return opened


@atomic_with_retries
def roll_forward(*, slug: str, user_id: int, sequence: int, reason: str, now: dt.datetime) -> Phase:
    """Undo the last rollback and return the newest phase, which is open again.

    This is possible only before a phase of the new branch is processed and before the game ends.
    The phase that was open before the rollback gets its full length again.
    """
    game = lock_game_for_master(slug, user_id)
    require_current_phase(game, sequence)
    why = require_reason(reason)
    return go_forward(game, find_rollback(game), now, by=user_id, reason=why)


def go_forward(
    game: Game,
    entry: LogEntry,
    now: dt.datetime,
    *,
    by: int | None = None,
    reason: str = "",
    decided_by: str = "",
) -> Phase:
    """Undo the rollback of the log entry, in the caller's transaction; see `roll_forward`."""
    new = game.phases.filter(superseded_at=None, branch=game.branch)
    withdraw_votes(game, now)
    with counted_again(game, with_turns=True):
        new.update(superseded_at=now, open=None, lease_owner="", lease_until=None)
        Phase.objects.filter(pk__in=entry.data["phases"]).update(superseded_at=None)
        end_restored_tenures(game, entry.data["tenures"], now)
        last = game.phases.get(pk=entry.data["phases"][-1])
        game.branch = last.branch
        game.save(update_fields=["branch"])
        add_rollback(game, to=last.sequence, now=now, forward=True)
        if entry.data["ending"] is not None:
            game.status, game.finished_at, game.ending = (
                Status.FINISHED,
                now,
                ending_from_json(entry.data["ending"]),
            )
            game.save(update_fields=["status", "finished_at", "ending"])
            game.seats.update(finished_at=now)
    request_picture(game)
    if last.processed_at is None and game.status == Status.RUNNING:
        reopen_phase(last, now)
    write_log(
        game=game,
        phase=last,
        kind=ROLLED_FORWARD,
        key=f"undone {entry.pk}",
        text=_with_decision("Rolled forward: the rollback was undone", decided_by),
        now=now,
        by=by,
        reason=reason,
    )
    return last


def find_rollback(game: Game) -> LogEntry:
    """Return the log entry of the rollback that can be undone; raise `WrongMoment` if none can."""
    entry = game.log.filter(kind=ROLLED_BACK, key=f"line {game.branch}").first()
    if entry is None or game.log.filter(key=f"undone {entry.pk}").exists():
        raise WrongMoment("There is no rollback to undo.")
    new = game.phases.filter(superseded_at=None, branch=game.branch)
    if new.exclude(processed_at=None).exists():
        raise WrongMoment("A phase has been processed since then. Roll back instead.")
    if game.status == Status.FINISHED:
        raise WrongMoment("The game has ended since then. Roll back instead.")
    return entry


def _with_decision(sentence: str, decided_by: str) -> str:
    return f"{sentence}, by {decided_by}." if decided_by else f"{sentence}."
