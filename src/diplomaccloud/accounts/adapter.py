"""What signing up and logging in say when they refuse."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest

_WEAK = {
    "password_too_short": "Take at least 8 characters.",
    "password_too_common": "Too many people use this password: take another.",
    "password_entirely_numeric": "Digits alone are easy to guess: add some letters.",
    "password_too_similar": "This is too much like the screen name: take another.",
}


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """The library's adapter in the words of this site, which knows screen names only."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_taken": "This screen name is taken.",
        "username_password_mismatch": "This screen name and this password do not go together.",
        "too_many_login_attempts": "Too many wrong passwords. Wait some minutes, then try again.",
        "rate_limited": "Too many tries. Wait some minutes, then try again.",
    }

    def clean_password(self, password: str, user: AbstractBaseUser | None = None) -> str:
        """Return the password; a weak one raises the first reason alone, said plainly."""
        try:
            return str(super().clean_password(password, user))
        except ValidationError as error:
            first = error.error_list[0]
            code = str(first.code)
            raise ValidationError(_WEAK.get(code, first.messages[0]), code=code) from error

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: object, signup: bool
    ) -> None:
        """Send nothing: an address is only where a link to a new password is sent."""
