"""How often a token and an address may call in each minute.

The counts are in Redis, where a site has it. Without it each process counts for itself: writing
them to the database would cost more than most calls, and each process adds what it can answer.
"""

import threading
import time
from typing import Final

from django.conf import settings

from diplomaccloud.api.problems import Problem
from diplomaccloud.shared.counters import count_in_redis

TOKEN_CALLS: Final = 600
"""Calls in a minute with one token."""
ADDRESS_CALLS: Final = 1200
"""Calls in a minute from one address, with any tokens."""
VISITOR_CALLS: Final = 120
"""Calls in a minute from one address without a token."""
WRONG_TOKENS: Final = 30
"""Calls in a minute from one address with tokens that do not work."""
JUDGE_MILLISECONDS: Final = 10_000
"""Milliseconds of the processor in a minute for what one caller asks the judge."""
_SECONDS: Final = 60


class Counters:
    """Counts of the current minute."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = -1
        self._counts: dict[str, int] = {}

    def add(self, key: str, limit: int) -> None:
        """Count a call; raise `Problem` if that is more than `limit` in this minute."""
        if self.spend(key, 1) > limit:
            raise _refuse(f"At most {limit} requests a minute.")

    def require_budget(self, key: str, limit: int) -> None:
        """Raise `Problem` if at least `limit` is spent in this minute."""
        if self.spend(key, 0) >= limit:
            raise _refuse("Your requests have taken too long in this minute.")

    def spend(self, key: str, amount: int) -> int:
        """Return what is spent in this minute, with `amount`; always 0 without limits."""
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
        """Forget the counts of this process."""
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
"""Those of this site."""
