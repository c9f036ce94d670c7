"""The page on which a person whose name is hidden chooses a new one."""

from typing import cast

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.renaming import choose_name, require_hidden_name

_FIELD = User._meta.get_field("username")


class NameForm(forms.Form):
    """The new screen name."""

    name = forms.CharField(
        label="New screen name",
        max_length=_FIELD.max_length,
        validators=_FIELD.validators,
        help_text=_FIELD.help_text,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def clean_name(self) -> str:
        """Return the name; raise `ValidationError` if it is not allowed."""
        name: str = get_adapter().clean_username(self.cleaned_data["name"])
        return name


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def name(request: HttpRequest) -> HttpResponse:
    """Ask for a new name, and change it."""
    user = cast("User", request.user)
    require_hidden_name(user)
    form = NameForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and _take(user, form):
        chosen = form.cleaned_data["name"]
        messages.success(request, f"You are now {chosen}. Log in with this name from now on.")
        return HttpResponseRedirect(reverse("person", args=[chosen]), status=303)
    status = 422 if form.errors else 200
    return render(request, "accounts/name.html", {"form": form}, status=status)


def _take(user: User, form: NameForm) -> bool:
    try:
        choose_name(user_id=user.pk, name=form.cleaned_data["name"])
    except IntegrityError:
        taken: ValidationError = get_adapter().validation_error("username_taken")
        form.add_error("name", taken)
        return False
    return True
