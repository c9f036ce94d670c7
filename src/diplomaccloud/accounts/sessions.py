"""The people behind sessions, read for many sessions at once."""

from collections.abc import Collection, Mapping

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from diplomaccloud.accounts.models import User


def find_people(keys: Collection[str]) -> dict[str, int]:
    """Return the key of the person behind each session, by session key, in two queries.

    Sessions that have ended, for example by a password change, and those of closed accounts are
    left out.
    """
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    contents = {row.session_key: row.get_decoded() for row in rows}
    claims = {key: claimed for key, data in contents.items() if (claimed := _read_person(data))}
    people = User.objects.filter(is_active=True).in_bulk(set(claims.values()))
    return {
        key: user_id
        for key, user_id in claims.items()
        if (person := people.get(user_id)) is not None
        and constant_time_compare(
            str(contents[key].get(HASH_SESSION_KEY)), person.get_session_auth_hash()
        )
    }


def _read_person(data: Mapping[str, object]) -> int | None:
    """Return the key of the person named in a session; None if nobody has logged in."""
    if data.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    number = str(data.get(SESSION_KEY, ""))
    return int(number) if number.isdecimal() else None
