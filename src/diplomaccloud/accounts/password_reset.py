"""Mail with the link to a new password, rendered by allauth when it is sent."""

from io import BytesIO
from urllib.parse import urlsplit

from allauth.account.forms import ResetPasswordForm
from allauth.core.context import request_context
from django.core.handlers.wsgi import WSGIRequest
from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.adapter import MESSAGE_ID
from diplomaccloud.accounts.models import OutgoingMail


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


def build_message_id(mail: OutgoingMail) -> str:
    """Return the Message-ID of the mail, which does not depend on when it is sent."""
    number = f"{mail.pk} {mail.created_at.isoformat()}"
    name = salted_hmac("accounts.message-id", number, algorithm="sha256").hexdigest()[:32]
    return f"<{name}@{urlsplit(mail.origin).hostname}>"


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
