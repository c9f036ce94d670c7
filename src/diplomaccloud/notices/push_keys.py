"""The key of the site for push messages, made when it is first needed."""

import base64
import datetime as dt

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from diplomaccloud.notices.models import PushKey


def ensure_push_key(now: dt.datetime) -> PushKey:
    """Return the key of the site; make it if the site has none yet."""
    return find_push_key() or _create_key(now)


def find_push_key() -> PushKey | None:
    """Return the key of the site, the oldest if two processes made one at once."""
    return PushKey.objects.order_by("pk").first()


def _create_key(now: dt.datetime) -> PushKey:
    key = ec.generate_private_key(ec.SECP256R1())
    number = key.private_numbers().private_value.to_bytes(32, "big")
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    PushKey.objects.create(public=_encode(point), private=_encode(number), created_at=now)
    # The oldest wins, which another process may have made just now.
    return PushKey.objects.order_by("pk")[0]


def _encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")
