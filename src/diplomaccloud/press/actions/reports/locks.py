"""Locking a case: as always, the game first and then the row."""

import datetime as dt

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.lock import lock_game_by_id
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.errors import CaseTaken, NoSuchCase
from diplomaccloud.press.judges import TAKEN_FOR, select_cases
from diplomaccloud.press.models import Case
from diplomaccloud.press.models.reports import Stage

WAITING = (Stage.OPEN, Stage.APPEALED)


def lock_case(key: str) -> Case:
    """Return the case with its message and game, locked; raise `NoSuchCase`."""
    place = Case.objects.filter(key=key).values_list("pk", "game_id").first()
    if place is None:
        raise NoSuchCase
    pk, game_id = place
    if game_id is not None:
        lock_game_by_id(game_id)
    Case.objects.select_for_update().get(pk=pk)
    rows = Case.objects.select_related(
        "message__send__author", "message__conversation", "game", "seat", "person"
    )
    return rows.get(pk=pk)


def release_cases(user_id: int) -> None:
    """Return all cases that the person has taken to the queue, one by one."""
    taken = Case.objects.filter(taken_by=user_id).order_by("pk")
    for key in list(taken.values_list("key", flat=True)):
        _release_case(user_id=user_id, key=key)


@atomic_with_retries
def _release_case(*, user_id: int, key: str) -> None:
    case = lock_case(key)
    if case.taken_by_id == user_id:
        case.taken_by, case.taken_at = None, None
        case.save(update_fields=["taken_by", "taken_at"])


def lock_case_for(user_id: int, key: str, now: dt.datetime) -> Case:
    """Return the case, locked, for a person who may judge it; raise `NoSuchCase`."""
    case = lock_case(key)
    user = User.objects.get(pk=user_id)
    if not select_cases(user, now).filter(pk=case.pk).exists():
        raise NoSuchCase
    if case.stage not in WAITING:
        raise CaseTaken("This case has already been decided.")
    return case


def require_taken(case: Case, user_id: int) -> None:
    """Raise `CaseTaken` unless the person has taken the case."""
    if case.taken_by_id is None:
        raise CaseTaken("Take this case first.")
    if case.taken_by_id != user_id:
        raise CaseTaken("Someone else is judging this case.")


def is_held(case: Case, now: dt.datetime) -> bool:
    """Return whether the person who took the case still has it."""
    return case.taken_at is not None and case.taken_at > now - TAKEN_FOR


def is_masters_case(case: Case, user_id: int) -> bool:
    """Return whether the person judges the case as the game master."""
    return case.stage == Stage.OPEN and case.game is not None and case.game.master_id == user_id
