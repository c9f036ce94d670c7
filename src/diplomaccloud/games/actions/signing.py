"""The keys with which the site signs seals and receipts."""

import datetime as dt

from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import SigningKey
from diplomaccloud.record.signatures import make_key


def ensure_key(now: dt.datetime) -> SigningKey:
    """Return the site's signing key; create it if the site has none yet."""
    # Two transactions may create the first key at the same time. Both keys are published, and the
    # older one is used.
    return SigningKey.objects.current() or _create_key(now)


@atomic_with_retries
def rotate_key(*, now: dt.datetime) -> SigningKey:
    """Create and return a new signing key; signatures of older keys stay valid."""
    SigningKey.objects.filter(retired_at=None).update(retired_at=now)
    return _create_key(now)


def _create_key(now: dt.datetime) -> SigningKey:
    key = make_key()
    return SigningKey.objects.create(
        key_id=key.key_id, public=key.public, private=key.private, created_at=now
    )
