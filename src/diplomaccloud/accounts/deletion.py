"""Deleting an account: the name and private data are erased; games and sent messages stay.

`settings.ACCOUNT_PARTS` names what each app does with a person's data. Erasing is one transaction.
Leaving the games follows, one by one, and a worker finishes it if it is interrupted.

There is no grace period: an account that lingered would keep its notes, hold seats and get notices.
The row stays without name, address and password, because games refer to it. The screen name is
retired, not released, because someone who took it could pose as that person; only a hash of its
skeleton is stored.
"""

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_tasks import task

from diplomaccloud.accounts.models import (
    DELETED_PREFIX,
    LoginMark,
    LoginSession,
    OutgoingMail,
    Relationship,
    RetiredName,
    User,
)
from diplomaccloud.accounts.screen_names import make_skeleton
from diplomaccloud.accounts.two_factor import remove_factors

_NAME_BYTES: Final = 8
_SESSIONS_AT_ONCE: Final = 500
"""How many sessions are deleted in one statement, to keep transactions short."""


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file of the download of a person's data; `lines` end without a line break."""

    name: str
    lines: Iterator[str]


@dataclass(frozen=True, slots=True)
class AccountPart:
    """What an app does with a person's data.

    `erase` is called within the transaction that deletes the account, `leave` after it, and
    `leave` may be called again. `export` returns files with everything that the person can read.
    """

    erase: Callable[[int, dt.datetime], None] | None = None
    leave: Callable[[int, dt.datetime], None] | None = None
    export: Callable[[int], Iterator[ExportFile]] | None = None


def list_parts() -> list[AccountPart]:
    """Return what each app does with a person's data."""
    return [cast("AccountPart", import_string(path)) for path in settings.ACCOUNT_PARTS]


def delete_account(*, user_id: int, now: dt.datetime) -> None:
    """Delete the account, then make the person leave all games."""
    parts = list_parts()
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if user.deleted_at is None:
            for part in parts:
                if part.erase is not None:
                    part.erase(user_id, now)
            _erase_person(user, now)
            erase_sessions.enqueue(user_id)
    for part in parts:
        if part.leave is not None:
            part.leave(user_id, now)


def is_retired(name: str) -> bool:
    """Return whether the name, or one that looks like it, was deleted or hidden."""
    return RetiredName.objects.filter(digest=_digest(name)).exists()


def retire_name(name: str) -> None:
    """Keep anyone from taking the name, or one that looks like it."""
    RetiredName.objects.get_or_create(digest=_digest(name))


def release_name(name: str) -> None:
    """Make a retired name available again."""
    RetiredName.objects.filter(digest=_digest(name)).delete()


@task()
def erase_sessions(user_id: int) -> None:
    """Delete the sessions of a deleted account: they no longer log anyone in."""
    # Read to the end first: SQLite refuses to write while a query is open and others write too.
    keys = [
        session.pk
        for session in Session.objects.iterator()
        if session.get_decoded().get(SESSION_KEY) == str(user_id)
    ]
    for start in range(0, len(keys), _SESSIONS_AT_ONCE):
        Session.objects.filter(pk__in=keys[start : start + _SESSIONS_AT_ONCE]).delete()


def _erase_person(user: User, now: dt.datetime) -> None:
    retire_name(user.username)
    mail = OutgoingMail.objects.filter(user=user)
    if user.email:
        mail = OutgoingMail.objects.filter(Q(user=user) | Q(recipient__iexact=user.email))
    mail.delete()
    EmailAddress.objects.filter(user=user).delete()
    remove_factors(user.pk)
    LoginSession.objects.filter(user=user).delete()
    LoginMark.objects.filter(user=user).delete()
    Relationship.objects.filter(Q(person=user) | Q(other=user)).delete()
    # Other people's conversations with the person have the name in their address.
    user.username, user.name_skeleton = f"{DELETED_PREFIX}{secrets.token_hex(_NAME_BYTES)}", None
    user.email = user.status = user.color_scheme = ""
    user.last_login = user.login_before = None
    user.hidden_name = None
    user.is_active = user.is_staff = user.is_superuser = user.moderator = False
    user.deleted_at = now
    user.set_unusable_password()
    user.save()


def _digest(name: str) -> str:
    return hashlib.sha256((make_skeleton(name) or name).encode()).hexdigest()


class DeletionForm(forms.Form):
    """The password again, and a checkbox."""

    agreed = forms.BooleanField(
        label="I have read what is deleted, and I know that it cannot be restored.",
        error_messages={"required": "Confirm that you have read what is deleted."},
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
def ask_to_delete(request: HttpRequest) -> HttpResponse:
    """Explain what is deleted, and delete the account once the password is entered again."""
    form = DeletionForm(request.POST if request.method == "POST" else None)
    user = request.user
    if form.is_valid() and isinstance(user, User):
        if not ratelimit.consume(request, action="reauthenticate", user=user):
            many = "Too many wrong passwords. Wait a few minutes, then try again."
            form.add_error("password", many)
        elif not user.check_password(form.cleaned_data["password"]):
            form.add_error("password", "The password is wrong.")
        else:
            logout(request)
            delete_account(user_id=user.pk, now=timezone.now())
            messages.success(request, "Your account is deleted. Thank you for playing.")
            return HttpResponseRedirect("/", status=303)
    status = 422 if form.errors else 200
    return render(request, "accounts/delete.html", {"form": form}, status=status)
