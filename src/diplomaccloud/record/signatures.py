"""A site's signatures: deterministic Ed25519, with keys and signatures in hexadecimal.

The package `cryptography` is imported only to make or verify a signature; the rest of a record
can be checked without it.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diplomaccloud.judge.codec import Node
from diplomaccloud.judge.protocol.answers import read_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_ID_LENGTH = 16
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key of 32 bytes in hexadecimal, which only the site has."""

    private: str

    def __repr__(self) -> str:
        return f"SigningKey({self.key_id})"

    @property
    def public(self) -> str:
        """The public key."""
        return self._load().public_key().public_bytes_raw().hex()

    @property
    def key_id(self) -> str:
        """The id of the public key."""
        return find_key_id(self.public)

    def sign(self, message: str) -> str:
        """Return the signature of `message` encoded as UTF-8."""
        return self._load().sign(message.encode()).hex()

    def _load(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
            Ed25519PrivateKey,
        )

        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self.private))


def make_key() -> SigningKey:
    """Return a new key."""
    return SigningKey(secrets.token_hex(_KEY_BYTES))


def find_key_id(public: str) -> str:
    """Return the id of a public key: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:KEY_ID_LENGTH]


def can_verify() -> bool:
    """Return whether signatures can be verified, that is, whether `cryptography` is installed."""
    try:
        import cryptography  # noqa: F401, PLC0415
    except ImportError:
        return False
    return True


def verify(public: str, message: str, signature: str) -> bool:
    """Return whether `signature` signs `message` with the private key that belongs to `public`."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PublicKey,
    )

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), message.encode())
    except (ValueError, InvalidSignature):
        return False
    return True


def dump_keys(keys: Iterable[Mapping[str, object]]) -> str:
    """Return the public keys of a site as the text of its keys page.

    Each key has `public`, and other facts from the site, e.g. `retired_at`.
    """
    listed = [{**key, "key": find_key_id(str(key["public"]))} for key in keys]
    return json.dumps({"keys": listed}, sort_keys=True, indent=1) + "\n"


def read_keys(text: bytes) -> dict[str, str]:
    """Return the public keys on a site's keys page by id; raise `ValueError` for other text."""
    try:
        data = read_json(text)
    except ValueError as error:
        raise ValueError(f"the keys are not JSON: {error}") from error
    listed = Node(data)["keys"].items()
    public = [_read_public(node["public"]) for node in listed]
    return {find_key_id(key): key for key in public}


def _read_public(node: Node) -> str:
    text = node.text()
    if len(text) != 2 * _KEY_BYTES or not set(text) <= set("0123456789abcdef"):
        raise node.error("not a public key of 64 hexadecimal digits")
    return text
