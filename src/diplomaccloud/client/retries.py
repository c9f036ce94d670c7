"""When and how often to retry a call."""

import random
from dataclasses import dataclass
from typing import Final

import httpx

_PASSING: Final = frozenset({429, 502, 503, 504})
"""Statuses of temporary failures."""


@dataclass(frozen=True, slots=True)
class Retries:
    """The number of retries, and the pauses in seconds, which double up to the longest.

    Every write has an idempotency key, so a retry never repeats its effect.
    """

    most: int = 6
    first_pause: float = 0.5
    longest_pause: float = 60.0

    def find_pause(self, done: int, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Return the pause before the next retry of a call that was retried `done` times.

        None if the outcome is final, or the site asks for a longer pause than allowed.
        """
        is_final = isinstance(outcome, httpx.Response) and outcome.status_code not in _PASSING
        if is_final or done >= self.most:
            return None
        # Random pauses keep programs that failed together from retrying together.
        pause = min(self.first_pause * 2**done, self.longest_pause) * random.uniform(0.5, 1)
        if isinstance(outcome, httpx.Response):
            asked = outcome.headers.get("Retry-After", "")
            if asked.isdecimal():
                pause = max(pause, float(asked))
        return pause if pause <= self.longest_pause else None
