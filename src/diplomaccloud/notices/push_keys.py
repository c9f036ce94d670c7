"""The site's key for push messages, created when first needed."""

import base64
import datetime as dt

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from diplomaccloud.notices.models import PushKey


def ensure_push_key(now: dt.datetime) -> PushKey:
    """Return the site's key, creating it if necessary."""
    return find_push_key() or _create_key(now)


def find_push_key() -> PushKey | None:
    """Return the site's key: the oldest one, if two processes created one at the same time."""
    return PushKey.objects.order_by("pk").first()


def _create_key(now: dt.datetime) -> PushKey:
    key = ec.generate_private_key(ec.SECP256R1())
    number = key.private_numbers().private_value.to_bytes(32, "big")
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    PushKey.objects.create(public=_encode(point), private=_encode(number), created_at=now)
    # The oldest key wins, which another process may just have created.
    return PushKey.objects.order_by("pk")[0]


def _encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")
