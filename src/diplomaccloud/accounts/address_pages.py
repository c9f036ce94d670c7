"""The pages of the e-mail address: changing it, and the link in the mail."""

from typing import Final, cast

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.addresses import UsedLinkError, change_address, read_token, sends_mail
from diplomaccloud.accounts.mail_queue import queue_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.shared.addresses import find_origin

_TOO_MANY: Final = "Too many address changes. Wait an hour, then try again."


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
def email(request: HttpRequest) -> HttpResponse:
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
        form.add_error(None, _TOO_MANY)
    known = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    content = {"form": form, "confirmed": known.exists()}
    return render(request, "account/email.html", content, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
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
    name = User.objects.get(pk=change.user_id).screen_name
    return render(request, "accounts/confirm_address.html", {"change": change, "name": name})


def _change(user_id: int, new: str, origin: str, *, confirmed: bool, mark: str = "") -> None:
    notice = change_address(user_id=user_id, new=new, confirmed=confirmed, origin=origin, mark=mark)
    if notice is not None:
        queue_mail(notice, now=timezone.now())
