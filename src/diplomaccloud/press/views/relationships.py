"""The page on which people declare that they know each other, and confirm what others declare."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.relationships import (
    KINDS,
    confirm_relationship,
    declare_relationship,
    end_relationship,
    list_relationships,
    refuse_relationship,
)
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.forms.messages import read_number
from diplomaccloud.press.viewpoint.mutes import list_blocked
from diplomaccloud.schedule.errors import Refused
from diplomaccloud.shared.responses import see_other

_CHANGES = {
    "confirm": (confirm_relationship, "Confirmed. Players of your games can now see it."),
    "refuse": (refuse_relationship, "Refused. The other person does not learn of it."),
    "end": (end_relationship, "The declaration has ended."),
}


class RelationshipForm(forms.Form):
    """The other person's name, and how the two know each other."""

    name = forms.CharField(
        label="Screen name of the other person",
        max_length=30,
        error_messages={"required": "Enter a screen name."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    kind = forms.ChoiceField(
        label="How you know each other",
        choices=KINDS,
        error_messages={
            "required": "Choose how you know each other.",
            "invalid_choice": "Choose how you know each other.",
        },
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest) -> HttpResponse:
    """List a person's declared relationships; declare, confirm, refuse or end one."""
    user_id, form, status = require_user_id(request), RelationshipForm(), 200
    if request.method == "POST":
        try:
            if "act" in request.POST:
                messages.success(request, _change(request, user_id))
                return see_other(reverse("press:relationships"))
            form = RelationshipForm(request.POST)
            if form.is_valid():
                messages.success(request, _declare(user_id, form))
                return see_other(reverse("press:relationships"))
            status = 422
        except Refused as error:
            status = error.status
            if form.is_bound:
                form.add_error("name", str(error))
            else:
                messages.error(request, str(error))
    listed = list_relationships(user_id, ignored=list_blocked(viewer_of(request.user)))
    context = {
        "form": form,
        "asked": [row for row in listed if not row.confirmed_at and not row.is_own],
        "confirmed": [row for row in listed if row.confirmed_at],
        "waiting": [row for row in listed if not row.confirmed_at and row.is_own],
    }
    return render(request, "press/relationships.html", context, status=status)


def _declare(user_id: int, form: RelationshipForm) -> str:
    name, kind = form.cleaned_data["name"], form.cleaned_data["kind"]
    if declare_relationship(user_id=user_id, name=name, kind=kind, now=timezone.now()):
        return f"You and {name} have declared the same, so it is confirmed."
    return f"Declared. It counts once {name} confirms it on this page. The site notifies nobody."


def _change(request: HttpRequest, user_id: int) -> str:
    change = _CHANGES.get(request.POST["act"])
    if change is None:
        raise Refused("Choose Confirm, Refuse or End.")
    act, said = change
    act(user_id=user_id, key=read_number(request.POST, "key") or 0, now=timezone.now())
    return said
