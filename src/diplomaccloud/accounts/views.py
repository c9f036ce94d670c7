"""Sessions and account deletion."""

from typing import cast

from allauth.core import ratelimit
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.login_sessions import (
    USE_STEP,
    end_other_sessions,
    end_session,
    list_grants,
    list_sessions,
)
from diplomaccloud.accounts.models import User

_MAX_DIGITS = 18
_DELETED = "Your account is deleted. Thank you for playing."
_WRONG = "The password is wrong."
_TOO_MANY = "Too many wrong passwords. Wait a few minutes, then try again."
_AGREE = "Confirm that you have read what is deleted."


class DeletionForm(forms.Form):
    """The password again, and a checkbox."""

    agreed = forms.BooleanField(
        label="I have read what is deleted, and I know that it cannot be restored.",
        error_messages={"required": _AGREE},
    )
    password = forms.CharField(
        label="Password",
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


@never_cache
@login_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Explain what is deleted, and delete the account once the password is entered again."""
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if form.is_bound and _is_confirmed(request, form) and isinstance(request.user, User):
        user_id = request.user.pk
        logout(request)
        delete_account(user_id=user_id, now=timezone.now())
        messages.success(request, _DELETED)
        return HttpResponseRedirect("/", status=303)
    status = 422 if form.errors else 200
    return render(request, "accounts/delete.html", {"form": form}, status=status)


def _is_confirmed(request: HttpRequest, form: DeletionForm) -> bool:
    if not form.is_valid() or not isinstance(request.user, User):
        return False
    if not ratelimit.consume(request, action="reauthenticate", user=request.user):
        form.add_error("password", _TOO_MANY)
    elif not request.user.check_password(form.cleaned_data["password"]):
        form.add_error("password", _WRONG)
    return form.is_valid()


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """List where the person is logged in, and end one session or all others."""
    user = cast("User", request.user)
    if request.method == "POST":
        wanted = request.POST.get("end", "")
        if wanted == "others":
            end_other_sessions(request, user)
            messages.success(request, "You are logged out everywhere else.")
        elif wanted.isdecimal() and len(wanted) <= _MAX_DIGITS:
            end_session(user_id=user.pk, key=int(wanted))
            messages.success(request, "The device is logged out.")
        return HttpResponseRedirect(request.path, status=303)
    now = timezone.now()
    content = {
        "sessions": list_sessions(request, user),
        "grants": list_grants(user.pk, now=now),
        "hour_ago": now - USE_STEP,
    }
    return render(request, "accounts/sessions.html", content)
