"""Limits on pictures, which cost the site more than anything else in the sandbox."""

from diplomaccloud.maps.quotas import PERIOD, QuotaError, increment_counter

MAX_PICTURES = 40
"""How many pictures an IP address may export in a period."""


def count_picture(address: str) -> None:
    """Count a picture for an IP address; raise `QuotaError` if the limit is reached."""
    if increment_counter(f"sandbox-pictures-for-{address}") > MAX_PICTURES:
        raise QuotaError(
            f"Limit reached: {MAX_PICTURES} pictures per {PERIOD // 60} minutes. Wait a little."
        )
