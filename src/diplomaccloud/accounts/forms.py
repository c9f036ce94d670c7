"""Sign-up, log-in and the way to a new password, where they differ from the library's.

A name is free until it is saved, even if another person takes it at the same instant; and people
choose whether to stay logged in. The mail with the link to a new password is rendered when it is
sent.
"""

from io import BytesIO
from typing import Final
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm, ResetPasswordForm, SignupForm
from allauth.account.views import SignupView
from allauth.core.context import request_context
from django import forms
from django.core.handlers.wsgi import WSGIRequest
from django.db import IntegrityError, OperationalError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from diplomaccloud.accounts.adapter import MESSAGE_ID
from diplomaccloud.accounts.mail_queue import build_message_id, queue_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.shared.addresses import find_origin

_TRIES: Final = 3


class UniqueSignup(SignupView):  # type: ignore[misc]
    """The library's page, which checks a name first and saves it a moment later.

    If the same or another person takes the name in between, the form shows an error, too.
    """

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Return a redirect, or the form again if the name is no longer free."""
        for attempt in range(1, _TRIES + 1):
            try:
                with transaction.atomic():
                    response: HttpResponse = super().form_valid(form)
            except IntegrityError:
                name = form.cleaned_data["username"]
                taken = User.objects.filter(folded_name=make_key(name)).exists()
                error = "username_taken" if taken else "username_alike"
                form.add_error("username", get_adapter().validation_error(error))
                refused: HttpResponse = self.form_invalid(form)
                return refused
            except OperationalError:
                # MariaDB ends one of two transactions that wait for each other's name.
                if attempt == _TRIES:
                    raise
            else:
                break
        return response


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


# A new password.


def find_accounts(request_mail: OutgoingMail) -> list[OutgoingMail]:
    """Return a mail for each account with the address, so that each is retried on its own."""
    email, origin = request_mail.recipient, request_mail.origin
    return [
        OutgoingMail(kind=OutgoingMail.Kind.RESET_LINK, recipient=email, user=user, origin=origin)
        for user in _look_up(email).users
    ]


def send_link(mail: OutgoingMail) -> None:
    """Send the link, unless the account no longer has the address.

    The link leads to the host name with which the person reached the site.
    """
    form = _look_up(mail.recipient)
    form.users = [user for user in form.users if user.pk == mail.user_id]
    request = _build_request(mail.origin)
    # The same each time: if a mail is sent twice, mail programs show it once.
    request.META[MESSAGE_ID] = build_message_id(mail)
    with request_context(request):
        form.save(request)


def _look_up(email: str) -> ResetPasswordForm:
    """Return the library's form after it has looked up the accounts with the address."""
    form = ResetPasswordForm({"email": email})
    form.full_clean()
    return form


def _build_request(origin: str) -> WSGIRequest:
    """Return a request to the site at `origin`, from which the library builds absolute links."""
    parts = urlsplit(origin)
    return WSGIRequest(
        {
            "REQUEST_METHOD": "GET",
            "HTTP_HOST": parts.netloc,
            "SERVER_NAME": parts.hostname or "",
            "SERVER_PORT": str(parts.port or (443 if parts.scheme == "https" else 80)),
            "wsgi.url_scheme": parts.scheme,
            "wsgi.input": BytesIO(),
        }
    )


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
        kind, origin = OutgoingMail.Kind.RESET_REQUEST, find_origin(request)
        queue_mail(OutgoingMail(kind=kind, recipient=email, origin=origin), now=timezone.now())
        return email
