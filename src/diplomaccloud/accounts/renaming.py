"""Renaming a person whose name is hidden: to a neutral name first, then to one of their choice.

The stored name changes, so every page, mail and program shows the neutral one. The hidden name
still logs the person in, and nobody else can have it.
"""

import secrets
from typing import Final, cast

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.deletion import is_retired, release_name, retire_name
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import (
    NUMBERED_NAME,
    clean_screen_name,
    isolate,
    make_key,
    make_skeleton,
)

_NEUTRAL_NAMES: Final = 900_000
_FIRST: Final = 100_000
_KEPT: Final = "You can change your name only if a moderator has hidden it."


@transaction.atomic
def hide_name(user_id: int, name: str) -> bool:
    """Give a neutral name, such as `Player-123456`; return whether the person still had `name`."""
    user = User.objects.select_for_update().get(pk=user_id)
    if user.username != name:
        return False
    retire_name(user.username)
    user.hidden_name = make_key(user.username)
    _rename(user, _find_neutral_name())
    return True


@transaction.atomic
def restore_name(user_id: int, name: str) -> bool:
    """Restore the hidden name; return whether the person had not yet chosen another one."""
    user = User.objects.select_for_update().get(pk=user_id)
    if user.hidden_name != make_key(name):
        return False
    release_name(name)
    user.hidden_name = None
    _rename(user, name)
    return True


@transaction.atomic
def choose_name(*, user_id: int, name: str) -> None:
    """Give a person whose name is hidden the new name, which the adapter has checked.

    Raises `PermissionDenied` for a person whose name is not hidden, and the database's
    `IntegrityError` if someone has just taken the name.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    if user.hidden_name is None:
        raise PermissionDenied(_KEPT)
    user.hidden_name = None
    _rename(user, name)


def find_login(name: str) -> str:
    """Return the stored name of the person who logs in with `name`, which may be a hidden one."""
    key = make_key(clean_screen_name(name))
    # Nobody else can take a hidden name.
    rows = User.objects.filter(Q(folded_name=key) | Q(hidden_name=key))
    return rows.values_list("username", flat=True).first() or name


def _rename(user: User, name: str) -> None:
    skeleton = make_skeleton(name)
    others = User.objects.exclude(pk=user.pk).filter(name_skeleton=skeleton)
    user.username = name
    # People whose names already looked alike keep them: see `SkeletonField`.
    user.name_skeleton = None if others.exists() else skeleton
    user.save(update_fields=["username", "folded_name", "name_skeleton", "hidden_name"])


def _find_neutral_name() -> str:
    while True:
        name = NUMBERED_NAME.format(number=_FIRST + secrets.randbelow(_NEUTRAL_NAMES))
        taken = User.objects.filter(name_skeleton=make_skeleton(name)).exists()
        if not taken and not is_retired(name):
            return name


_NAME_FIELD = User._meta.get_field("username")


class NameForm(forms.Form):
    """The new screen name."""

    name = forms.CharField(
        label="New screen name",
        max_length=_NAME_FIELD.max_length,
        validators=_NAME_FIELD.validators,
        help_text=_NAME_FIELD.help_text,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def clean_name(self) -> str:
        """Return the name; raise `ValidationError` if it is not allowed."""
        name: str = get_adapter().clean_username(self.cleaned_data["name"])
        return name


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_name(request: HttpRequest) -> HttpResponse:
    """Ask for a new name, and change it."""
    user = cast("User", request.user)
    if user.hidden_name is None:
        raise PermissionDenied(_KEPT)
    form = NameForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        chosen = form.cleaned_data["name"]
        try:
            choose_name(user_id=user.pk, name=chosen)
        except IntegrityError:
            form.add_error("name", get_adapter().validation_error("username_taken"))
        else:
            shown = isolate(chosen)
            messages.success(request, f"You are now {shown}. Log in with this name from now on.")
            return HttpResponseRedirect(reverse("person", args=[chosen]), status=303)
    status = 422 if form.errors else 200
    return render(request, "accounts/name.html", {"form": form}, status=status)
