"""The wish for a new password, which takes the same way whether there is an account or not."""

from functools import partial

from allauth.account.adapter import get_adapter
from allauth.account.forms import ResetPasswordForm
from allauth.core.context import request_context
from django.http import HttpRequest

from diplomaccloud.accounts.postman import POSTMAN

KIND = "account/email/password_reset_key"


class ResetForm(ResetPasswordForm):  # type: ignore[misc]
    """Asks for an address; who has it is looked up beside the request."""

    def clean_email(self) -> str:
        """Return the address as it was typed."""
        email: str = self.cleaned_data["email"]
        get_adapter().clean_email(email.lower())
        return email

    def save(self, request: HttpRequest, **_: object) -> str:
        """Return the address; mail to whoever has it is on its way."""
        email: str = self.cleaned_data["email"]
        POSTMAN.post(KIND, partial(_look_up, request, email))
        return email


def _look_up(request: HttpRequest, email: str) -> None:
    """Post a letter to each account with the address, so that each is tried again by itself."""
    for person in _found(email).users:
        POSTMAN.post(KIND, partial(_send, request, email, person.pk))


def _send(request: HttpRequest, email: str, user_id: int) -> None:
    """Send the link to a new password; it leads to the site by the name that `request` used."""
    form = _found(email)
    form.users = [person for person in form.users if person.pk == user_id]
    with request_context(request):
        form.save(request)


def _found(email: str) -> ResetPasswordForm:
    """Return the library's form, which has looked up the accounts with the address."""
    form = ResetPasswordForm({"email": email})
    form.full_clean()
    return form
