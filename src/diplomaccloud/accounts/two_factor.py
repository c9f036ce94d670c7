"""Two-factor log-in: passkeys, authenticator apps and recovery codes, which the library checks.

The keys of apps and of recovery codes are encrypted with a key derived from `SECRET_KEY`, so that a
copy of the database alone is not enough to make codes.
"""

import base64
from functools import cache
from typing import Any, Final

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django import forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

MAX_NAME: Final = 60
"""The maximum length of the name of a passkey, in characters."""
_PURPOSE: Final = b"diplomaccloud two-factor log-in"


class TwoFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """The library's adapter with the messages of this site and encrypted keys."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "This code is wrong or has already been used. Try again.",
        "cannot_generate_recovery_codes": "Add a passkey or an app first.",
    }

    def get_totp_issuer(self) -> str:
        """Return the name that the app shows for the site."""
        return f"Diplomaccloud ({self._get_site_name()})"

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        """Return the screen name: the app need not show an e-mail address."""
        return user.get_username()

    _get_user_identifier = get_totp_label

    def generate_authenticator_name(self, user: AbstractBaseUser, type: str) -> str:  # noqa: A002
        """Return a name for a new passkey, which its owner can change."""
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return f"Passkey {count + 1}" if count else "My passkey"

    def encrypt(self, text: str) -> str:
        """Return the text as it is stored."""
        return _load_cipher(str(settings.SECRET_KEY)).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the text; raise `InvalidToken` if it was encrypted with another key."""
        return _load_cipher(str(settings.SECRET_KEY)).decrypt(encrypted_text.encode()).decode()


class NewPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """The name of a new passkey, and whether it logs in without the password."""

    name = forms.CharField(label="Name", max_length=MAX_NAME, required=False)
    passwordless = forms.BooleanField(
        label="Log in with this passkey alone",
        required=False,
        initial=True,
        help_text="If unchecked, the passkey is requested after the password.",
    )


class PasskeyNameForm(EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    name = forms.CharField(label="Name", max_length=MAX_NAME)


def can_use_passkeys(request: HttpRequest) -> bool:
    """Return whether browsers allow passkeys at the address where the site was reached."""
    try:
        host = request.get_host().rpartition(":")[0] or request.get_host()
    except DisallowedHost:
        return False
    if host.startswith("[") or host.replace(".", "").isdecimal():
        return False  # browsers allow names only
    return request.is_secure() or host == "localhost" or host.endswith(".localhost")


def remove_factors(user_id: int) -> int:
    """Remove the person's passkeys, apps and sets of recovery codes; return how many."""
    removed: int = Authenticator.objects.filter(user_id=user_id).delete()[0]
    return removed


def describe_factors(user_id: int) -> list[dict[str, Any]]:
    """Return the person's factors without their keys, for the download of the person's data."""
    rows = Authenticator.objects.filter(user_id=user_id).order_by("pk")
    return [
        {
            "kind": row.type,
            "name": row.data.get("name", ""),
            "added": row.created_at.isoformat(),
            "last_used": row.last_used_at.isoformat() if row.last_used_at else None,
        }
        for row in rows
    ]


@cache
def _load_cipher(secret: str) -> Fernet:
    derived = HKDF(SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
