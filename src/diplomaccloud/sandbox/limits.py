"""Limits on pictures, the most expensive part of the sandbox."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from diplomaccloud.maps.quotas import PERIOD, QuotaError
from diplomaccloud.shared.database_cache import count

MAX_PICTURES = 40
"""How many pictures an IP address may export in a period."""

MAX_PNGS = 12
"""How many of them may be PNGs: each takes seconds."""

_PNG_SLOT = threading.BoundedSemaphore(1)


class PictureBusyError(RuntimeError):
    """Another PNG is being drawn; the message is for the visitor."""


def count_picture(address: str, *, png: bool) -> None:
    """Count a picture for an IP address; raise `QuotaError` if the limit is reached."""
    kind, limit = ("PNG pictures", MAX_PNGS) if png else ("pictures", MAX_PICTURES)
    if count(f"sandbox-{kind}-for-{address}".replace(" ", "-"), PERIOD) > limit:
        minutes = PERIOD // 60
        raise QuotaError(f"Limit reached: {limit} {kind} per {minutes} minutes. Try again later.")


@contextmanager
def take_png_slot() -> Iterator[None]:
    """Hold the process's only slot for PNGs; raise `PictureBusyError` if it is taken."""
    if not _PNG_SLOT.acquire(timeout=2):
        raise PictureBusyError(
            "The site is drawing another picture. Try again in a few seconds, or use the SVG."
        )
    try:
        yield
    finally:
        _PNG_SLOT.release()
