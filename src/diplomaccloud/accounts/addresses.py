"""Changing the e-mail address of an account, once its owner has confirmed the new one.

The link in the mail names the person, the old address and the new one, and is valid for a day.
Changing the address or the password makes the link useless, and so does logging out everywhere
else, because a thief may have requested it. The old address is notified. A site that does not send
mail cannot ask, so it changes the address at once and does not mark it as confirmed.
"""

from dataclasses import dataclass
from typing import Final, cast

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.mail_queue import build_message_id, queue_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.shared.addresses import find_origin

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


class AddressForm(forms.Form):
    """The new address."""

    email = forms.EmailField(
        label="New address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def show_email(request: HttpRequest) -> HttpResponse:
    """Show the address; change it, send the link that changes it, or remove it."""
    user, origin = cast("User", request.user), find_origin(request)
    form = AddressForm(request.POST if request.method == "POST" else None)
    if "remove" in request.POST:
        _change(user.pk, "", origin, confirmed=False)
        messages.success(request, "Your account no longer has an e-mail address.")
        return HttpResponseRedirect(reverse("account_email"), status=303)
    if form.is_bound and form.is_valid():
        if ratelimit.consume(request, action="address_change", user=user):
            new = form.cleaned_data["email"]
            if sends_mail():
                kind = OutgoingMail.Kind.ADDRESS_CONFIRMATION
                mail = OutgoingMail(kind=kind, recipient=new, user=user, origin=origin)
                queue_mail(mail, now=timezone.now())
                messages.success(request, f"We sent a link to {new}. Open it to use the address.")
            else:
                _change(user.pk, new, origin, confirmed=False)
                messages.success(request, f"Your address is {new} now.")
            return HttpResponseRedirect(reverse("account_email"), status=303)
        form.add_error(None, "Too many address changes. Wait an hour, then try again.")
    known = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    content = {"form": form, "confirmed": known.exists()}
    return render(request, "account/email.html", content, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask_to_confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to use the address that the link was sent to, and change it."""
    change = read_token(token)
    if change is None:
        return render(request, "accounts/confirm_address.html", status=404)
    if request.method == "POST":
        try:
            _change(
                change.user_id, change.new, find_origin(request), confirmed=True, mark=change.mark
            )
        except UsedLinkError:
            return render(request, "accounts/confirm_address.html", status=404)
        messages.success(request, f"Your address is {change.new} now.")
        return HttpResponseRedirect(reverse("home"), status=303)
    person = User.objects.get(pk=change.user_id)
    return render(request, "accounts/confirm_address.html", {"change": change, "person": person})


def _change(user_id: int, new: str, origin: str, *, confirmed: bool, mark: str = "") -> None:
    notice = change_address(user_id=user_id, new=new, confirmed=confirmed, origin=origin, mark=mark)
    if notice is not None:
        queue_mail(notice, now=timezone.now())
