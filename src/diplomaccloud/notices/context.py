"""The number of new notices, for the header of every page."""

from collections.abc import Mapping
from typing import Final

from django.http import HttpRequest

from diplomaccloud.accounts.models import User
from diplomaccloud.notices.bell import MAX_COUNTED, count_new

COUNTED: Final = "new_notices"
"""The request attribute that says that the page shows the number."""


def notices_context(request: HttpRequest) -> Mapping[str, object]:
    """Return the number as a function, so that pages that don't show it cause no query."""
    return {"new_notices": lambda: _show_number(request)}


def _show_number(request: HttpRequest) -> str:
    """Return the number of new notices; blank if there are none."""
    user = request.user
    if not isinstance(user, User) or user.guest:
        return ""
    number = getattr(user, "new_notices", None)
    if number is None:
        # A person who has just logged in was loaded without the counts.
        number = count_new(user.pk)
    setattr(request, COUNTED, number)
    if not number:
        return ""
    return str(number) if number <= MAX_COUNTED else f"{MAX_COUNTED}+"
