"""Rate limits: how many calls a token or an IP address may make each minute.

The counts are in Redis if the site has it. Otherwise each process counts on its own: writing counts
to the database would cost more than most calls, and every process adds capacity anyway.
"""

import threading
import time
from typing import Final

from django.conf import settings

from diplomaccloud.api.problems import Problem
from diplomaccloud.shared.database_cache import count_in_redis

TOKEN_CALLS: Final = 600
"""Calls per minute with one token."""
ADDRESS_CALLS: Final = 1200
"""Calls per minute from one IP address, with any tokens."""
VISITOR_CALLS: Final = 120
"""Calls per minute from one IP address without a token."""
WRONG_TOKENS: Final = 30
"""Calls per minute from one IP address with tokens that do not work."""
JUDGE_MILLISECONDS: Final = 10_000
"""The CPU time per minute for one caller's judge requests, in milliseconds."""
_SECONDS: Final = 60


class Counters:
    """Counts of the current minute."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = -1
        self._counts: dict[str, int] = {}

    def add(self, key: str, limit: int) -> None:
        """Count a call; raise `Problem` if there are more than `limit` this minute."""
        if self.spend(key, 1) > limit:
            raise _refuse(f"You can send at most {limit} requests a minute.")

    def require_budget(self, key: str, limit: int) -> None:
        """Raise `Problem` if the budget of `limit` is used up for this minute."""
        if self.spend(key, 0) >= limit:
            raise _refuse("Your requests have used up their CPU time for this minute.")

    def spend(self, key: str, amount: int) -> int:
        """Add `amount` and return the total for this minute; always 0 without limits."""
        if not settings.API_LIMITS:
            return 0
        minute = int(time.time() // _SECONDS)
        shared = count_in_redis(f"api:{minute}:{key}", 2 * _SECONDS, amount)
        if shared is not None:
            return shared
        with self._lock:
            if minute != self._minute:
                self._minute, self._counts = minute, {}
            count = self._counts[key] = self._counts.get(key, 0) + amount
        return count

    def clear(self) -> None:
        """Clear the counts of this process."""
        with self._lock:
            self._counts = {}


def _refuse(why: str) -> Problem:
    now = time.time()
    wait = int((now // _SECONDS + 1) * _SECONDS - now) + 1
    return Problem(
        429,
        "too-many",
        f"{why} Try again in {wait} seconds.",
        headers={"Retry-After": str(wait)},
    )


counters = Counters()
"""The counters of this site."""
