"""The forms of logging in, signing up and resetting a password."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm, ResetPasswordForm, SignupForm
from django import forms
from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.accounts.mail_queue import queue_mail
from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.shared.addresses import find_origin


def _build_checkbox() -> forms.BooleanField:
    return forms.BooleanField(
        label="Keep me logged in",
        required=False,
        initial=True,
        help_text="On your own device. Otherwise, you are logged out when you close the browser.",
    )


class KeptLoginForm(LoginForm):  # type: ignore[misc]
    """The screen name, the password, and whether to stay logged in, which the library reads."""

    remember = _build_checkbox()


class KeptSignupForm(SignupForm):  # type: ignore[misc]
    """The new account, and whether to stay logged in, which the adapter reads."""

    remember = _build_checkbox()


class ResetForm(ResetPasswordForm):  # type: ignore[misc]
    """Takes an address and queues the request; a worker looks up who has the address.

    So the response, and the time it takes, are the same whether or not the address has an account.
    """

    def clean_email(self) -> str:
        """Return the address as it was typed."""
        email: str = self.cleaned_data["email"]
        get_adapter().clean_email(email.lower())
        return email

    def save(self, request: HttpRequest, **_: object) -> str:
        """Return the address; mail to the accounts with this address is on its way."""
        email: str = self.cleaned_data["email"]
        mail = OutgoingMail(
            kind=OutgoingMail.Kind.RESET_REQUEST,
            recipient=email,
            origin=find_origin(request),
        )
        queue_mail(mail, now=timezone.now())
        return email
