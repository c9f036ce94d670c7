"""Renaming a person whose name is hidden: to a neutral name first, then to one of their choice.

The stored name changes, so every page, mail and program shows the neutral one. The hidden name
still logs the person in, and nobody else can have it.
"""

import secrets
from typing import Final

from django.core.exceptions import PermissionDenied
from django.db import transaction

from diplomaccloud.accounts.deletion import is_retired, release_name, retire_name
from diplomaccloud.accounts.labels import NUMBERED_NAME
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_skeleton

_NEUTRAL_NAMES: Final = 900_000
_FIRST: Final = 100_000
_KEPT: Final = "You can change your name only if a moderator has hidden it."


def hide_name(user_id: int, name: str) -> bool:
    """Give a neutral name, such as `Player-123456`; return whether the person still had `name`."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if user.username != name:
            return False
        retire_name(user.username)
        user.hidden_name = user.username.lower()
        _rename(user, _find_neutral_name())
    return True


def restore_name(user_id: int, name: str) -> bool:
    """Restore the hidden name; return whether the person had not yet chosen another one."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if user.hidden_name is None or user.hidden_name != name.lower():
            return False
        release_name(name)
        user.hidden_name = None
        _rename(user, name)
    return True


def choose_name(*, user_id: int, name: str) -> None:
    """Give a person whose name is hidden the new name, which the adapter has checked.

    Raises `PermissionDenied` for a person whose name is not hidden, and the database's
    `IntegrityError` if someone has just taken the name.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if user.hidden_name is None:
            raise PermissionDenied(_KEPT)
        user.hidden_name = None
        _rename(user, name)


def require_hidden_name(user: User) -> None:
    """Raise `PermissionDenied` for a person whose name is not hidden."""
    if user.hidden_name is None:
        raise PermissionDenied(_KEPT)


def find_login(name: str) -> str:
    """Return the stored name of the person who logs in with `name`, which may be a hidden one."""
    rows = User.objects.filter(hidden_name=name.lower()).values_list("username", flat=True)
    return rows.first() or name


def _rename(user: User, name: str) -> None:
    skeleton = make_skeleton(name)
    others = User.objects.exclude(pk=user.pk).filter(name_skeleton=skeleton)
    user.username = name
    # People whose names already looked alike keep them: see `SkeletonField`.
    user.name_skeleton = None if others.exists() else skeleton
    user.save(update_fields=["username", "name_skeleton", "hidden_name"])


def _find_neutral_name() -> str:
    while True:
        name = NUMBERED_NAME.format(number=_FIRST + secrets.randbelow(_NEUTRAL_NAMES))
        taken = User.objects.filter(name_skeleton=make_skeleton(name)).exists()
        if not taken and not is_retired(name):
            return name
