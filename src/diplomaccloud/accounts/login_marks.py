"""Marks of log-ins, which show moderators whether two people share a browser or a network.

A mark is a keyed hash, so it leads to no address and no person without the site's secret, and a new
secret makes all marks useless. Each log-in writes one row, and rows are deleted after `KEEP_FOR`.
"""

import datetime as dt
import ipaddress
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.models import MAX_MARK, LoginMark, User

KEEP_FOR: Final = dt.timedelta(days=60)
"""How long a mark is kept."""
MARKS_AT_ONCE: Final = 1000
"""How many old marks are deleted in one round, to keep transactions short."""
_MAX_READ: Final = 200
"""How many of a person's newest marks are compared."""
_SALT: Final = "diplomaccloud.accounts.login_marks"
_PREFIXES: Final = {4: 24, 6: 48}
"""How many bits of an address make its network, by version."""


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
        browser=_make_mark("browser", browser),
        network=_make_mark("network", find_network(address)),
        mail=_make_mark("mail", find_pattern(person.email)),
        at=now,
    )


def compare_marks(person_id: int, others: Collection[int]) -> Mapping[int, SharedMarks]:
    """Return what each of the others shares with the person, by their keys."""
    own = list(LoginMark.objects.filter(user=person_id).order_by("-at")[:_MAX_READ])
    found = {}
    for other in others:
        theirs = list(LoginMark.objects.filter(user=other).order_by("-at")[:_MAX_READ])
        found[other] = SharedMarks(
            browser=_have_common([row.browser for row in own], [row.browser for row in theirs]),
            network=_have_common([row.network for row in own], [row.network for row in theirs]),
            mail=_have_common([row.mail for row in own], [row.mail for row in theirs]),
        )
    return found


def prune_login_marks(*, now: dt.datetime) -> int:
    """Delete up to `MARKS_AT_ONCE` marks that are too old, and return how many were deleted."""
    old = LoginMark.objects.filter(at__lt=now - KEEP_FOR).order_by("at")
    keys = list(old.values_list("pk", flat=True)[:MARKS_AT_ONCE])
    return LoginMark.objects.filter(pk__in=keys).delete()[0] if keys else 0


def find_network(address: str) -> str:
    """Return the network of an address, /24 or /48; blank if it is not an address."""
    try:
        parsed = ipaddress.ip_interface(address)
    except ValueError:
        return ""
    network = ipaddress.ip_network((parsed.ip, _PREFIXES[parsed.version]), strict=False)
    return str(network)


def find_pattern(email: str) -> str:
    """Return a mail address without what makes aliases of one mailbox; blank without an address.

    People who sign up twice often add a number or a tag: `Joe.Doe+2@x.org` is `joedoe@x.org`.
    """
    local, _, domain = email.lower().rpartition("@")
    base = re.sub(r"[.\-_]|\d+$", "", local.partition("+")[0])
    return f"{base}@{domain}" if base and domain else ""


def _make_mark(kind: str, value: str) -> str:
    if not value:
        return ""
    digest = salted_hmac(f"{_SALT} {kind}", value, algorithm="sha256").hexdigest()
    return digest[:MAX_MARK]


def _have_common(one: Collection[str], other: Collection[str]) -> bool:
    return bool(set(filter(None, one)).intersection(other))
