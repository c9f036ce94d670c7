"""Linking a person to a member of a Slack workspace with a one-time code, and unlinking."""

import datetime as dt
import hashlib
import secrets
from typing import Final

from django.db import transaction

from diplomaccloud.accounts.deletion import AccountPart
from diplomaccloud.accounts.models import User
from diplomaccloud.slack.models import SlackCode, SlackLink

CODE_LIFE: Final = dt.timedelta(minutes=15)
CODE_LENGTH: Final = 12
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
MAX_NAME: Final = 32
"""The maximum length of Slack's ids for workspaces and members."""


def make_code(user_id: int, now: dt.datetime) -> str:
    """Return a new code for the person; an older one no longer works."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(CODE_LENGTH))
    SlackCode.objects.update_or_create(
        user_id=user_id, defaults={"digest": _hash(code), "expires_at": now + CODE_LIFE}
    )
    return code


def link_member(*, code: str, team: str, member: str, now: dt.datetime) -> bool:
    """Link the member to the code's person only; return whether the code was valid."""
    digest = _hash(code.strip().lower())
    with transaction.atomic():
        codes = SlackCode.objects.filter(digest=digest, expires_at__gt=now)
        codes = codes.filter(user__is_active=True, user__banned_at=None, user__guest=False)
        user_id = codes.values_list("user", flat=True).first()
        # Of two requests with the same code, only one can delete it.
        if user_id is None or not SlackCode.objects.filter(digest=digest).delete()[0]:
            return False
        SlackLink.objects.filter(user=user_id).delete()
        SlackLink.objects.filter(team=team, member=member).delete()
        SlackLink.objects.create(user_id=user_id, team=team, member=member, linked_at=now)
    return True


def find_person(team: str, member: str) -> int | None:
    """Return the key of the person linked to the member, or None."""
    links = SlackLink.objects.filter(team=team, member=member)
    links = links.filter(user__is_active=True, user__banned_at=None)
    return links.values_list("user", flat=True).first()


def is_linked(user_id: int) -> bool:
    """Return whether the person is linked to a member."""
    return SlackLink.objects.filter(user=user_id).exists()


def end_link(user_id: int) -> None:
    """Unlink the person, and invalidate any code."""
    SlackLink.objects.filter(user=user_id).delete()
    SlackCode.objects.filter(user=user_id).delete()


def forget_person(user: User | None, **_more: object) -> None:
    """Unlink a person who logs out; a receiver for Django's signal."""
    if user is not None and user.pk:
        end_link(user.pk)


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


PART = AccountPart(erase=lambda user_id, _now: end_link(user_id))
"""Listed in `settings.ACCOUNT_PARTS`."""
