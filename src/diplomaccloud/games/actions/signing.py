"""The keys that the site signs seals and receipts with."""

import datetime as dt

from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import SigningKey
from diplomaccloud.record.signatures import make_key


def ensure_key(now: dt.datetime) -> SigningKey:
    """Return the key that the site signs with; make it if the site has none yet."""
    # Two first transactions at once may make two keys: both are published, and the older is used.
    return SigningKey.objects.current() or _create_key(now)


@atomic_with_retries
def rotate_key(*, now: dt.datetime) -> SigningKey:
    """Return a new key, which the site signs with from now on; what older keys signed is valid."""
    SigningKey.objects.filter(retired_at=None).update(retired_at=now)
    return _create_key(now)


def _create_key(now: dt.datetime) -> SigningKey:
    key = make_key()
    return SigningKey.objects.create(
        key_id=key.key_id, public=key.public, private=key.private, created_at=now
    )
