"""Mail with the link to a new password, rendered by allauth when it is sent."""

from io import BytesIO
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.account.forms import ResetPasswordForm
from allauth.core.context import request_context
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.accounts.adapter import MESSAGE_ID
from diplomaccloud.accounts.mail_queue import build_message_id, queue_mail
from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.shared.addresses import find_origin


def find_accounts(request_mail: OutgoingMail) -> list[OutgoingMail]:
    """Return a mail for each account with the address, so that each is retried on its own."""
    return [
        OutgoingMail(
            kind=OutgoingMail.Kind.RESET_LINK,
            recipient=request_mail.recipient,
            user=user,
            origin=request_mail.origin,
        )
        for user in _look_up(request_mail.recipient).users
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
        mail = OutgoingMail(
            kind=OutgoingMail.Kind.RESET_REQUEST,
            recipient=email,
            origin=find_origin(request),
        )
        queue_mail(mail, now=timezone.now())
        return email
