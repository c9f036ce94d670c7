"""Browsers and networks in which people have logged in before, and what two people share.

Strangers cannot lock out a browser in which a person has logged in. A signed cookie names the
people who have logged in with a browser. It proves nothing else: they still need their passwords to
log in. It stops counting for a person whose password has changed.

Marks of log-ins show moderators whether two people share a browser or a network. A mark is a keyed
hash, so it leads to no address and no person without the site's secret, and a new secret makes all
marks useless. Each log-in writes one row, and rows are deleted after `KEEP_MARKS_FOR`.
"""

import datetime as dt
import ipaddress
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from diplomaccloud.accounts.models import MAX_MARK, LoginMark, User
from diplomaccloud.accounts.screen_names import make_skeleton

COOKIE: Final = "known_browser"
PATH: Final = "/accounts/"
"""The pages that get the cookie: people log in only there."""
KEEP_BROWSER_FOR: Final = dt.timedelta(days=365)
"""How long after its last log-in a browser stays known."""
MOST_PEOPLE: Final = 5
"""How many people one browser is known for; those whose last log-in is oldest are dropped first."""
_SALT: Final = "diplomaccloud.accounts.known_browsers"
_MARK_DIGITS: Final = 32
KEEP_MARKS_FOR: Final = dt.timedelta(days=60)
"""How long a mark is kept."""
MARKS_AT_ONCE: Final = 1000
"""How many old marks are deleted in one round, to keep transactions short."""
_MAX_READ: Final = 200
"""How many of a person's newest marks are compared."""
# The name of an older module, which the marks of running sites depend on.
_MARK_SALT: Final = "diplomaccloud.accounts.login_marks"
_PREFIXES: Final = {4: 24, 6: 48}
"""How many bits of an address make its network, by version."""


def find_known(request: HttpRequest, login: str) -> str | None:
    """Return a name for the account and this browser; None unless they have logged in together.

    Without the cookie, it does not query the database, so its duration reveals nothing about
    accounts.
    """
    name, marks = _read_cookie(request)
    skeleton = make_skeleton(login)
    for person in User.objects.filter(pk__in=marks, is_active=True) if marks else ():
        if person.name_skeleton == skeleton and constant_time_compare(
            marks[str(person.pk)], _make_password_mark(person)
        ):
            return f"{person.pk} {name}"
    return None


def remember_browser(request: HttpRequest, response: HttpResponseBase, person: User) -> str:
    """Add a cookie that says that the person has logged in with this browser; return its name.

    The name is random, and says nothing about the browser.
    """
    name, marks = _read_cookie(request)
    others = [(key, mark) for key, mark in marks.items() if key != str(person.pk)]
    marks = {**dict(others[-(MOST_PEOPLE - 1) :]), str(person.pk): _make_password_mark(person)}
    response.set_cookie(
        COOKIE,
        signing.dumps([name, marks], salt=_SALT),
        max_age=KEEP_BROWSER_FOR,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return name


def _read_cookie(request: HttpRequest) -> tuple[str, dict[str, str]]:
    """Return the name of the browser, a new one by default, and the marks by people's keys."""
    try:
        text = request.COOKIES.get(COOKIE, "")
        name, marks = signing.loads(text, salt=_SALT, max_age=KEEP_BROWSER_FOR)
    except signing.BadSignature:
        return secrets.token_urlsafe(9), {}
    return name, marks


def _make_password_mark(person: User) -> str:
    """Return a mark that changes with the person's password, and that only this site can make."""
    return salted_hmac(_SALT, person.password, algorithm="sha256").hexdigest()[:_MARK_DIGITS]


@dataclass(frozen=True, slots=True)
class SharedMarks:
    """What two people have in common: a browser, a network, the pattern of a mail address."""

    browser: bool = False
    network: bool = False
    mail: bool = False


def record_login_mark(person: User, *, browser: str, address: str, now: dt.datetime) -> None:
    """Save the marks of a log-in from `address` with a browser that has the random name `browser`.

    Guests have none.
    """
    if person.guest:
        return
    LoginMark.objects.create(
        user=person,
        browser=_make_login_mark("browser", browser),
        network=_make_login_mark("network", find_network(address)),
        mail=_make_login_mark("mail", find_pattern(person.email)),
        at=now,
    )


def compare_marks(person_id: int, others: Collection[int]) -> Mapping[int, SharedMarks]:
    """Return what each of the others shares with the person, by their keys."""
    mine = _read_marks(person_id)
    return {
        other_id: SharedMarks(
            *(bool(one & two) for one, two in zip(mine, _read_marks(other_id), strict=True))
        )
        for other_id in others
    }


def _read_marks(person_id: int) -> list[set[str]]:
    """Return the marks of a person's browsers, networks and mail addresses."""
    rows = list(LoginMark.objects.filter(user=person_id).order_by("-at")[:_MAX_READ])
    columns = ((getattr(row, kind) for row in rows) for kind in ("browser", "network", "mail"))
    return [set(filter(None, column)) for column in columns]


def prune_login_marks(*, now: dt.datetime) -> int:
    """Delete up to `MARKS_AT_ONCE` marks that are too old, and return how many were deleted."""
    old = LoginMark.objects.filter(at__lt=now - KEEP_MARKS_FOR).order_by("at")
    keys = list(old.values_list("pk", flat=True)[:MARKS_AT_ONCE])
    return LoginMark.objects.filter(pk__in=keys).delete()[0] if keys else 0


def find_network(address: str) -> str:
    """Return the network of an address, /24 or /48; blank if it is not an address."""
    try:
        parsed = ipaddress.ip_interface(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((parsed.ip, _PREFIXES[parsed.version]), strict=False))


def find_pattern(email: str) -> str:
    """Return a mail address without what makes aliases of one mailbox; blank without an address.

    People who sign up twice often add a number or a tag: `Joe.Doe+2@x.org` is `joedoe@x.org`.
    """
    local, _, domain = email.lower().rpartition("@")
    base = re.sub(r"[.\-_]|\d+$", "", local.partition("+")[0])
    return f"{base}@{domain}" if base and domain else ""


def _make_login_mark(kind: str, value: str) -> str:
    if not value:
        return ""
    digest = salted_hmac(f"{_MARK_SALT} {kind}", value, algorithm="sha256").hexdigest()
    return digest[:MAX_MARK]
