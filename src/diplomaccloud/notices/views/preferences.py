"""The notice settings: kinds by channel, quiet hours, and the calendar address."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.notices.destinations import list_destinations
from diplomaccloud.notices.forms import QuietHoursForm, read_choices
from diplomaccloud.notices.preferences import (
    end_calendar,
    read_preferences,
    renew_calendar_key,
    save_choices,
    save_quiet_hours,
)
from diplomaccloud.notices.presenters import GROUP_LABELS, present_destinations, present_kinds
from diplomaccloud.notices.push_keys import ensure_push_key
from diplomaccloud.notices.views.members import member_id, member_required
from diplomaccloud.schedule import zone_names
from diplomaccloud.shared.responses import see_other


@require_safe
@member_required
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show the settings."""
    return show_settings(request)


def show_settings(request: HttpRequest, *, status: int = 200, **given: Any) -> HttpResponse:
    """Return the settings page; `given` has the contents of a refused form and the error."""
    user_id, now = member_id(request), timezone.now()
    preferences = read_preferences([user_id])[user_id]
    quiet = preferences.quiet
    initial = {
        "start": quiet.start if quiet else None,
        "end": quiet.end if quiet else None,
        "zone": preferences.zone,
        "last_reminder_passes": preferences.last_reminder_passes,
    }
    calendar = ""
    if preferences.calendar_key:
        path = reverse("notices:calendar", args=[preferences.calendar_key])
        calendar = request.build_absolute_uri(path)
    context = {
        "rows": present_kinds(preferences),
        "with_text": preferences.with_text,
        "groups": GROUP_LABELS.values(),
        "destinations": present_destinations(list_destinations(user_id)),
        "quiet_form": QuietHoursForm(initial=initial, auto_id="quiet_%s"),
        "has_quiet_hours": quiet is not None,
        "zones": zone_names(),
        "calendar": calendar,
        "has_slack": bool(settings.SLACK_SIGNING_SECRET),
        "push_key": ensure_push_key(now).public,
    }
    return render(request, "notices/settings.html", context | given, status=status)


@require_POST
@member_required
def kinds(request: HttpRequest) -> HttpResponse:
    """Save which kinds of notices the person wants through which channels."""
    save_choices(
        user_id=member_id(request),
        on=read_choices(request.POST.getlist("on")),
        with_text=request.POST.get("with_text") == "1",
    )
    messages.success(request, "Choices saved.")
    return see_other(reverse("notices:settings"))


@require_POST
@member_required
def quiet_hours(request: HttpRequest) -> HttpResponse:
    """Save the quiet hours."""
    form = QuietHoursForm(request.POST, auto_id="quiet_%s")
    if not form.is_valid():
        return show_settings(request, status=422, quiet_form=form)
    start, end = form.times()
    save_quiet_hours(
        user_id=member_id(request),
        start=start,
        end=end,
        zone=form.cleaned_data["zone"],
        last_reminder_passes=form.cleaned_data["last_reminder_passes"],
    )
    messages.success(request, "Quiet hours saved." if start else "Quiet hours are off.")
    return see_other(reverse("notices:settings"))


@require_POST
@member_required
def calendar_address(request: HttpRequest) -> HttpResponse:
    """Create a new calendar address, or remove it."""
    if request.POST.get("act") == "end":
        end_calendar(user_id=member_id(request))
        messages.success(request, "Calendar address removed.")
    else:
        renew_calendar_key(user_id=member_id(request))
        messages.success(request, "The calendar has a new address. Older addresses no longer work.")
    return see_other(f"{reverse('notices:settings')}#calendar")
