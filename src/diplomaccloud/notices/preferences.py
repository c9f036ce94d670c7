"""A person's choices: kinds of notices by channel, quiet hours, and the calendar address.

Links in e-mail change them without logging in.
"""

import secrets
from collections.abc import Collection, Iterable
from typing import Final

from django.core import signing
from django.db import transaction

from diplomaccloud.accounts.models import User
from diplomaccloud.notices.kinds import (
    DEFAULTS,
    Default,
    Group,
    NoticeKind,
    find_row,
    is_offered,
)
from diplomaccloud.notices.models import NoticeSettings
from diplomaccloud.shared.prepared_queries import PreparedQuery

_CALENDAR_BYTES: Final = 24
_UNSUBSCRIBE_SALT: Final = "notices.unsubscribe"


_settings = PreparedQuery(lambda users: NoticeSettings.objects.filter(user__in=users), list)


def read_preferences(users: Collection[int]) -> dict[int, NoticeSettings]:
    """Return the choices of each person; a person without a row has the defaults."""
    rows = {row.pk: row for row in _settings.read(list(users))}
    return {user: rows.get(user) or NoticeSettings(user_id=user) for user in users}


def lock_preferences(user_id: int) -> NoticeSettings:
    """Return the person's choices, locked until the transaction ends."""
    # A row that does not exist could not be locked.
    NoticeSettings.objects.get_or_create(user_id=user_id)
    return NoticeSettings.objects.select_for_update().get(pk=user_id)


def save_choices(
    *, user_id: int, on: Iterable[tuple[NoticeKind, Group]], with_text: bool = False
) -> None:
    """Save which kinds the person wants through which channels, with all others off.

    `with_text` lets notices quote messages.
    """
    wanted = frozenset(on)
    choices: dict[str, dict[str, bool]] = {}
    for kind, row in DEFAULTS.items():
        for group, default in row.items():
            is_on = (kind, group) in wanted
            if is_offered(kind, group) and is_on != (default is Default.ON):
                choices.setdefault(kind, {})[group] = is_on
    save_settings(user_id, choices=choices, with_text=with_text)


@transaction.atomic
def switch(*, user_id: int, kinds: Iterable[NoticeKind], group: Group, is_on: bool) -> None:
    """Turn notices of the kinds through the channels of the group on or off."""
    choices = lock_preferences(user_id).choices
    for kind in map(find_row, kinds):
        if is_offered(kind, group):
            choices.setdefault(kind, {})[group] = is_on
    save_settings(user_id, choices=choices)


def renew_calendar_key(*, user_id: int) -> str:
    """Set and return a new secret for the person's calendar address, replacing the old one."""
    key = secrets.token_urlsafe(_CALENDAR_BYTES)
    save_settings(user_id, calendar_key=key)
    return key


def find_calendar_owner(key: str) -> int | None:
    """Return the person whose calendar has this key."""
    rows = NoticeSettings.objects.filter(calendar_key=key, user__is_active=True)
    return rows.values_list("pk", flat=True).first() if key else None


def save_settings(user_id: int, **values: object) -> None:
    """Save values of the person's `NoticeSettings`; the others stay."""
    NoticeSettings.objects.update_or_create(user_id=user_id, defaults=values)


def make_unsubscribe_token(user: int, kinds: Iterable[NoticeKind]) -> str:
    """Return the secret part of the unsubscribe address for these kinds. It never expires."""
    return signing.dumps([user, [kind.value for kind in kinds]], salt=_UNSUBSCRIBE_SALT)


def read_unsubscribe_token(token: str) -> tuple[int, list[NoticeKind]] | None:
    """Return the person and the kinds for a token; None if the site did not create it."""
    try:
        user, names = signing.loads(token, salt=_UNSUBSCRIBE_SALT)
        kinds = [NoticeKind(name) for name in names if is_offered(name, Group.EMAIL)]
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return (user, kinds) if User.objects.filter(pk=user).exists() else None
