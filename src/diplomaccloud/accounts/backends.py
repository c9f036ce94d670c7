"""The person a request comes from, with the numbers in every page's header, in one query."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.module_loading import import_string

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.renaming import find_login
from diplomaccloud.shared.prepared_queries import PreparedQuery

BACKEND = f"{__name__}.NumberingBackend"
"""The name of the backend, for code that logs a person in."""


class NumberingBackend(AuthenticationBackend):  # type: ignore[misc]
    """Logs people in, and adds the numbers of `PERSON_COUNTERS` to a person who is read.

    Every page needs both, so the numbers cost no extra query.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User:
        """Return the person; raise PermissionDenied if the password is wrong.

        The exception keeps Django from trying the backend of older sessions, which would check the
        slow password hash a second time with the same result.
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
    # Each path names a function that builds an expression for a person's key.
    counters = settings.PERSON_COUNTERS.items()
    numbers = {name: import_string(path)(user_id) for name, path in counters}
    return User.objects.annotate(**numbers).filter(pk=user_id)


_query = PreparedQuery(_build_query, int)
