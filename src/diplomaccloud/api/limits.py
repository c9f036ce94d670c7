"""The limits on what a program may send in a minute, and the headers that state them.

The counts are in Redis if the site has it. Otherwise each process counts on its own: writing counts
to the database would cost more than most calls, and every process adds capacity anyway. The headers
are those of the IETF draft `RateLimit header fields for HTTP`.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from diplomaccloud.api.problems import Problem
from diplomaccloud.shared.database_cache import this_minute

MINUTE: Final = 60
_NOTED: Final = "_limits"
"""The attribute of a request that holds the limits that apply to it."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit: its name in headers, its quota, and what it counts if not requests.

    With a `window` of 0 seconds, it is about what is open at the same time.
    """

    name: str
    quota: int
    unit: str = ""
    window: int = MINUTE


TOKEN: Final = Limit("token", 600)
"""Calls with one token."""
ADDRESS: Final = Limit("address", 1200)
"""Calls from one IP address, with any tokens."""
VISITOR: Final = Limit("visitor", 120)
"""Calls from one IP address without a token."""
WRONG_TOKENS: Final = Limit("wrong-tokens", 30)
"""Calls from one IP address with tokens that do not work."""
JUDGE: Final = Limit("judge", 10_000, "milliseconds")
"""The processor time for one caller's judge requests."""
AT_ONCE: Final = "concurrent-requests"
"""The unit of limits on what is open at the same time."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How much is left of a limit, and in how many seconds there is more, 0 if nobody knows."""

    limit: Limit
    left: int
    seconds: int = 0

    def list_headers(self) -> Mapping[str, str]:
        """Return the headers that state it."""
        limit = self.limit
        policy = f'"{limit.name}";q={limit.quota}'
        policy += f";w={limit.window}" if limit.window else ""
        policy += f';qu="{limit.unit}"' if limit.unit else ""
        state = f'"{limit.name}";r={self.left}'
        state += f";t={self.seconds}" if self.seconds else ""
        return {"RateLimit-Policy": policy, "RateLimit": state}


def count(limit: Limit, who: object, amount: int = 1) -> int:
    """Add `amount` to what was used of a limit this minute; return the total, 0 without limits."""
    return this_minute.count(f"api:{limit.name} {who}", amount) if settings.API_LIMITS else 0


def spend(request: HttpRequest, limit: Limit, who: object, amount: int) -> int:
    """Do the same, and note the limit for the headers of the answer."""
    used = count(limit, who, amount)
    if settings.API_LIMITS:
        standing = Standing(limit, max(0, limit.quota - used), _count_seconds())
        vars(request).setdefault(_NOTED, {})[limit.name] = standing
    return used


def count_request(request: HttpRequest, limit: Limit, who: object) -> None:
    """Count a request; raise `Problem` if there are too many this minute."""
    if spend(request, limit, who, 1) > limit.quota:
        raise _refuse(f"You can send at most {limit.quota} requests a minute.")


def require_budget(request: HttpRequest, limit: Limit, who: object) -> None:
    """Raise `Problem` if a budget is used up for this minute."""
    if spend(request, limit, who, 0) >= limit.quota:
        raise _refuse("Your requests have used up their processor time for this minute.")


def list_headers(request: HttpRequest, address: str) -> Mapping[str, str]:
    """Return the headers about the limit with the smallest part left, none without limits.

    A request that was answered before its caller was known falls under the limit of `address`.
    """
    if _NOTED not in vars(request):
        spend(request, ADDRESS if "Authorization" in request.headers else VISITOR, address, 0)
    noted: Iterable[Standing] = vars(request).get(_NOTED, {}).values()
    nearest = min(noted, key=lambda one: one.left / one.limit.quota, default=None)
    return {} if nearest is None else nearest.list_headers()


def _count_seconds() -> int:
    now = time.time()
    return ceil((now // MINUTE + 1) * MINUTE - now)


def _refuse(why: str) -> Problem:
    wait = _count_seconds()
    detail = f"{why} Try again in {wait} seconds."
    return Problem(429, "too-many", detail, headers={"Retry-After": str(wait)})
