"""When to send a call again, and after how long."""

import random
from dataclasses import dataclass
from typing import Final

import httpx

_PASSING: Final = frozenset({429, 502, 503, 504})
"""Refusals that pass by themselves."""


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a call is sent again, and the pauses in seconds, which double up to the longest.

    Every write has an idempotency key, so that sent again it has one effect.
    """

    most: int = 6
    first_pause: float = 0.5
    longest_pause: float = 60.0

    def find_pause(self, done: int, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Return after how long to send a call again that was sent again `done` times before.

        None if the outcome is final, or the site asks for more patience than there is.
        """
        is_final = isinstance(outcome, httpx.Response) and outcome.status_code not in _PASSING
        if is_final or done >= self.most:
            return None
        # Programs that met the same fault must not come back all at once.
        pause = min(self.first_pause * 2**done, self.longest_pause) * random.uniform(0.5, 1)
        if isinstance(outcome, httpx.Response):
            asked = outcome.headers.get("Retry-After", "")
            if asked.isdecimal():
                pause = max(pause, float(asked))
        return pause if pause <= self.longest_pause else None
