"""Changing the e-mail address of an account, once its owner has confirmed the new one.

The link in the mail names the person, the old address and the new one, and is valid for a day.
Changing the address or the password makes the link useless, and so does logging out everywhere
else, because a thief may have requested it. The old address is notified. A site that does not send
mail cannot ask, so it changes the address at once and does not mark it as confirmed.
"""

from dataclasses import dataclass
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.accounts.password_reset import build_message_id

_SALT: Final = "accounts.addresses"
_FIELDS: Final = 3


@dataclass(frozen=True, slots=True)
class Change:
    """The change that the link in a mail stands for."""

    user_id: int
    mark: str
    """Changes with the address, the password and the sessions of the person."""
    new: str


def make_change(user: User, new: str) -> Change:
    """Return the change of the person's address to `new`."""
    return Change(user.pk, _make_mark(user), new)


def sends_mail() -> bool:
    """Return whether the site has a mail server."""
    return not settings.EMAIL_BACKEND.endswith(".console.EmailBackend")


def make_token(change: Change) -> str:
    """Return the last part of the link."""
    return signing.dumps([change.user_id, change.mark, change.new], salt=_SALT)


def read_token(token: str) -> Change | None:
    """Return what the link says; None if it is too old, was altered, or has been used."""
    try:
        values = signing.loads(token, salt=_SALT, max_age=settings.PASSWORD_RESET_TIMEOUT)
    except signing.BadSignature:
        return None
    if not isinstance(values, list) or len(values) != _FIELDS:
        return None
    change = Change(*values)
    person = User.objects.filter(pk=change.user_id, is_active=True).first()
    if person is None or not constant_time_compare(change.mark, _make_mark(person)):
        return None
    return change


class UsedLinkError(ValueError):
    """Another link has changed the address at the same time."""


def change_address(
    *, user_id: int, new: str, confirmed: bool, origin: str, mark: str = ""
) -> OutgoingMail | None:
    """Set the address of an account; a blank one removes it.

    Return the mail that notifies the old address; None if there was none, or if the account already
    has the new one, as on the second of two clicks. `mark` comes from a link; raises
    `UsedLinkError` if it no longer matches.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        same = EmailAddress.objects.filter(user=user, email=new, verified=confirmed)
        if new and user.email == new and same.exists():
            return None
        if mark and not constant_time_compare(mark, _make_mark(user)):
            raise UsedLinkError
        old, user.email = user.email, new
        user.save(update_fields=["email"])
        EmailAddress.objects.filter(user=user).delete()
        if new:
            if confirmed:
                # Several people may have entered an address; only one of them owns it.
                EmailAddress.objects.filter(email__iexact=new).update(verified=False)
            EmailAddress.objects.create(user=user, email=new, primary=True, verified=confirmed)
    if not old or old.lower() == new.lower():
        return None
    kind = OutgoingMail.Kind.ADDRESS_CHANGED
    return OutgoingMail(kind=kind, recipient=old, user=user, origin=origin)


def send_confirmation(mail: OutgoingMail) -> None:
    """Send the link that changes the account's address to the recipient's."""
    user = mail.user
    if user is None or not user.is_active:
        return
    path = reverse("account_confirm_address", args=[make_token(make_change(user, mail.recipient))])
    context = {"name": user.screen_name, "url": mail.origin + path}
    _send(mail, "Confirm your e-mail address", "accounts/mail/address_confirmation.txt", context)


def send_change(mail: OutgoingMail) -> None:
    """Notify the old address that the account now has another one."""
    if mail.user is None:
        return
    context = {"name": mail.user.screen_name, "url": mail.origin}
    _send(mail, "Your e-mail address was changed", "accounts/mail/address_changed.txt", context)


def _make_mark(user: User) -> str:
    """Return a mark that differs even if the person returns to an earlier address."""
    row = EmailAddress.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)
    state = f"{user.get_session_auth_hash()} {row.first() or 0} {user.email}"
    return salted_hmac(_SALT, state, algorithm="sha256").hexdigest()


def _send(mail: OutgoingMail, subject: str, template: str, context: dict[str, str]) -> None:
    headers = {"Message-ID": build_message_id(mail), "Auto-Submitted": "auto-generated"}
    body = render_to_string(template, context)
    EmailMessage(subject, body, to=[mail.recipient], headers=headers).send()
