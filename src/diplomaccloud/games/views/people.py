"""What everybody may know of people, and what one says of oneself."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.status import StatusForm, set_status
from diplomaccloud.games import viewpoint
from diplomaccloud.games.viewpoint import Order, Sought
from diplomaccloud.games.views.responses import page_of, see_other, user_id_of


class PeopleForm(forms.Form):
    """Whom to show, and in which order; what makes no sense is left out."""

    name = forms.CharField(
        max_length=30,
        required=False,
        label="Screen name",
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    order = forms.ChoiceField(
        required=False,
        choices=[
            (Order.NAME, "by name"),
            (Order.NEWEST, "newest first"),
            (Order.LOGIN, "last login first"),
        ],
        label="Order",
    )

    def sought(self) -> Sought:
        """Return what is asked for, as far as it makes sense."""
        self.is_valid()
        given = self.cleaned_data
        return Sought(given.get("name") or "", Order(given.get("order") or Order.NAME))


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the players."""
    form = PeopleForm(request.GET)
    sought = form.sought()
    viewer = viewpoint.viewer_of(request.user)
    page = viewpoint.people_page(page_of(request), sought, viewer, now=timezone.now())
    context = {"page": page, "form": form, "sought": sought}
    return render(request, "games/people.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Show a person's public profile; a POST is that person's new status message."""
    shown = viewpoint.person_view(name, viewpoint.viewer_of(request.user), now=timezone.now())
    sent = request.method == "POST"
    form = StatusForm(request.POST if sent else None, initial={"status": shown.status})
    if sent:
        if not shown.is_you:
            raise PermissionDenied("Nobody writes another's status message.")
        if form.is_valid():
            return _say(request, form.cleaned_data["status"])
    status = 422 if form.errors else 200
    return render(request, "games/person.html", {"person": shown, "form": form}, status=status)


def _say(request: HttpRequest, text: str) -> HttpResponse:
    said = set_status(user_id=user_id_of(request), text=text)
    told = "Everybody can read your status message." if said else "You have no status message now."
    messages.success(request, told)
    return see_other(request.path)
