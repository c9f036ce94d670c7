"""Browsers in which a person has logged in before, which strangers cannot lock out.

A signed cookie names the people who have logged in with a browser. It proves nothing else: they
still need their passwords to log in. It stops counting for a person whose password has changed.
"""

import datetime as dt
import secrets
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_skeleton

COOKIE: Final = "known_browser"
PATH: Final = "/accounts/"
"""The pages that get the cookie: people log in only there."""
KEEP_FOR: Final = dt.timedelta(days=365)
"""How long after its last log-in a browser stays known."""
MOST_PEOPLE: Final = 5
"""How many people one browser is known for; those whose last log-in is oldest are dropped first."""
_SALT: Final = "diplomaccloud.accounts.known_browsers"
_MARK_DIGITS: Final = 32


@dataclass(frozen=True, slots=True)
class _Browser:
    """The name of a browser, and marks of people's passwords by their keys."""

    name: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    marks: dict[str, str] = field(default_factory=dict)


def find_known(request: HttpRequest, login: str) -> str | None:
    """Return a name for the account and this browser; None unless they have logged in together.

    Without the cookie, it does not query the database, so its duration reveals nothing about
    accounts.
    """
    browser = _read_cookie(request)
    if browser is None:
        return None
    skeleton = make_skeleton(login)
    for person in User.objects.filter(pk__in=browser.marks, is_active=True):
        mark = browser.marks[str(person.pk)]
        if person.name_skeleton == skeleton and constant_time_compare(mark, _make_mark(person)):
            return f"{person.pk} {browser.name}"
    return None


def remember_browser(request: HttpRequest, response: HttpResponseBase, person: User) -> str:
    """Add a cookie that says that the person has logged in with this browser; return its name.

    The name is random, and says nothing about the browser.
    """
    browser = _read_cookie(request) or _Browser()
    others = {key: mark for key, mark in browser.marks.items() if key != str(person.pk)}
    kept = list(others.items())[-(MOST_PEOPLE - 1) :]
    marks = {**dict(kept), str(person.pk): _make_mark(person)}
    response.set_cookie(
        COOKIE,
        signing.dumps([browser.name, marks], salt=_SALT),
        max_age=KEEP_FOR,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return browser.name


def _read_cookie(request: HttpRequest) -> _Browser | None:
    text = request.COOKIES.get(COOKIE)
    if not text:
        return None
    try:
        name, marks = signing.loads(text, salt=_SALT, max_age=KEEP_FOR)
    except signing.BadSignature:
        return None
    return _Browser(name, marks)


def _make_mark(person: User) -> str:
    """Return a mark that changes with the person's password, and that only this site can make."""
    return salted_hmac(_SALT, person.password, algorithm="sha256").hexdigest()[:_MARK_DIGITS]
