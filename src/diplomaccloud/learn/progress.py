"""The steps that a learner has solved, in a signed cookie that needs no account."""

from collections.abc import Set
from typing import TypeAlias

from django.http import HttpRequest, HttpResponse

Solved: TypeAlias = frozenset[str]
"""The solved steps, each as `lesson:number`."""

COOKIE = "learn"
_MAX_AGE = 365 * 24 * 60 * 60
_MAX_STEPS = 100
"""More steps than there are; a cookie with more is not ours."""


def read_progress(request: HttpRequest) -> Solved:
    """Return the solved steps; an empty set if the cookie is missing or was changed by hand."""
    text = request.get_signed_cookie(COOKIE, "", salt=COOKIE)
    return frozenset((text or "").split()[:_MAX_STEPS])


def save_progress(response: HttpResponse, solved: Set[str]) -> None:
    """Store the solved steps in the browser."""
    response.set_signed_cookie(
        COOKIE,
        " ".join(sorted(solved)[:_MAX_STEPS]),
        salt=COOKIE,
        max_age=_MAX_AGE,
        path="/learn/",
        httponly=True,
        samesite="Lax",
    )


def step_key(slug: str, number: int) -> str:
    """Return how a solved step is written in the cookie."""
    return f"{slug}:{number}"
