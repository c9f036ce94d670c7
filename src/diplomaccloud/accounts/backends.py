"""Who a request comes from, with the numbers in the header of every page, in one query."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest
from django.utils.module_loading import import_string

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.renaming import find_login
from diplomaccloud.shared.prepared_queries import PreparedQuery

BACKEND = f"{__name__}.NumberingBackend"
"""The name of the backend, for those who log a person in."""


class NumberingBackend(AuthenticationBackend):  # type: ignore[misc]
    """Logs people in, and adds the numbers of `PERSON_COUNTERS` to a person who is read again.

    Each page needs them besides the person, so they cost no query more.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User:
        """Return the person; raise PermissionDenied if the password is wrong.

        Then Django does not ask the backend of older sessions, which would check the slow hash of
        the password a second time, and could only find the same.
        """
        if "username" in credentials:
            credentials["username"] = find_login(str(credentials["username"]))
        user = super().authenticate(request, **credentials)
        if not isinstance(user, User):
            raise PermissionDenied
        return user

    def get_user(self, user_id: Any) -> User | None:
        """Return the person with the key; None if the account is closed."""
        user = _query.find(user_id)
        return user if user is not None and self.user_can_authenticate(user) else None


def _build_query(user_id: int) -> QuerySet[User]:
    """Return a query for a person with the numbers."""
    numbers = {name: build(user_id) for name, build in _load_counters().items()}
    return User.objects.annotate(**numbers).filter(pk=user_id)


_query = PreparedQuery(_build_query, int)


@cache
def _load_counters() -> Mapping[str, Callable[[Any], Combinable]]:
    """Return functions that build expressions, which count something for the person with a key."""
    return {name: import_string(path) for name, path in settings.PERSON_COUNTERS.items()}
