"""The pages of notices: the list, the settings, and addresses with a secret.

Links in e-mail and the calendar work without logging in. The calendar is an iCalendar feed, which
calendar programs read regularly; it contains only worlds and times: no countries, people or orders.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import isolate
from diplomaccloud.games.deadlines.read import read_own_deadlines
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices import destinations, preferences
from diplomaccloud.notices.bell import is_prefetch, list_notices, mark_seen
from diplomaccloud.notices.forms import AddressForm, BrowserForm, QuietHoursForm, read_choices
from diplomaccloud.notices.kinds import Channel, Group
from diplomaccloud.notices.models import Destination
from diplomaccloud.notices.page import GROUP_LABELS, present_destinations, present_kinds
from diplomaccloud.notices.wording import SHORT_LABELS
from diplomaccloud.schedule import zone_names
from diplomaccloud.shared.addresses import find_origin
from diplomaccloud.shared.responses import page_number, see_other

_ADDRESSES: Final[Mapping[str, tuple[Callable[..., Destination], str]]] = {
    "hook": (destinations.add_webhook, "Added. Send a test to check that it works."),
    "email": (destinations.add_email, "We sent an e-mail. Follow its link to confirm the address."),
}
"""The function for each form with an address, and what it says if it is accepted."""
MemberView = Callable[..., HttpResponse]
_METHODS = ["GET", "HEAD", "POST"]
_REFRESH: Final = dt.timedelta(hours=1)
_LENGTH: Final = dt.timedelta(minutes=15)
"""The length of a deadline in a calendar. An event without a length is hard to see."""


def member_required(view: MemberView) -> MemberView:
    """Wrap a view to redirect visitors to the log-in page and guests to the sign-up page.

    The address of a form would be a dead end after that, so both return to the settings.
    """

    @wraps(view)
    def check_member(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if isinstance(request.user, User) and not request.user.guest:
            return view(request, *args, **kwargs)
        is_read = request.method in ("GET", "HEAD")
        page = request.path if is_read else reverse("notices:settings")
        if isinstance(request.user, User):
            signup = reverse("account_signup")
            return HttpResponseRedirect(f"{signup}?{urlencode({'next': page})}")
        return redirect_to_login(page)

    return check_member


def member_id(request: HttpRequest) -> int:
    """Return the key of the person; only for views behind `member_required`."""
    if not isinstance(request.user, User):
        raise TypeError("the view is not behind member_required")
    return request.user.pk


@require_safe
@member_required
def notice_list(request: HttpRequest) -> HttpResponse:
    """List the notices, newest first. Afterward, those on the page count as read."""
    user_id, now = member_id(request), timezone.now()
    listed = list_notices(user_id, page=page_number(request), now=now)
    response = render(request, "notices/list.html", {"list": listed})
    if any(line.is_new for line in listed.lines) and not is_prefetch(request):
        mark_seen(user_id=user_id, up_to=listed.newest, now=now)
    return response


@require_safe
@member_required
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show the settings."""
    return show_settings(request)


def show_settings(request: HttpRequest, *, status: int = 200, **given: Any) -> HttpResponse:
    """Return the settings page; `given` has the contents of a refused form and the error."""
    user_id, now = member_id(request), timezone.now()
    chosen = preferences.read_preferences([user_id])[user_id]
    quiet, calendar = chosen.quiet, ""
    initial = {
        "start": quiet and quiet.start,
        "end": quiet and quiet.end,
        "zone": chosen.zone,
        "last_reminder_passes": chosen.last_reminder_passes,
    }
    if chosen.calendar_key:
        path = reverse("notices:calendar", args=[chosen.calendar_key])
        calendar = request.build_absolute_uri(path)
    context = {
        "rows": present_kinds(chosen),
        "with_text": chosen.with_text,
        "groups": GROUP_LABELS.values(),
        "destinations": present_destinations(destinations.list_destinations(user_id)),
        "quiet_form": QuietHoursForm(initial=initial, auto_id="quiet_%s"),
        "has_quiet_hours": quiet is not None,
        "zones": zone_names(),
        "calendar": calendar,
        "has_slack": bool(getattr(settings, "SLACK_SIGNING_SECRET", "")),
        "push_key": destinations.ensure_push_key(now).public,
    }
    return render(request, "notices/settings.html", context | given, status=status)


@require_POST
@member_required
def change_kinds(request: HttpRequest) -> HttpResponse:
    """Save which kinds of notices the person wants through which channels."""
    preferences.save_choices(
        user_id=member_id(request),
        on=read_choices(request.POST.getlist("on")),
        with_text=request.POST.get("with_text") == "1",
    )
    messages.success(request, "Choices saved.")
    return see_other(reverse("notices:settings"))


@require_POST
@member_required
def change_quiet_hours(request: HttpRequest) -> HttpResponse:
    """Save the quiet hours."""
    form = QuietHoursForm(request.POST, auto_id="quiet_%s")
    if not form.is_valid():
        return show_settings(request, status=422, quiet_form=form)
    given = form.cleaned_data
    start, end = given.pop("start"), given.pop("end")
    preferences.save_settings(member_id(request), quiet_from=start, quiet_until=end, **given)
    messages.success(request, "Quiet hours saved." if start else "Quiet hours are off.")
    return see_other(reverse("notices:settings"))


@require_POST
@member_required
def change_calendar(request: HttpRequest) -> HttpResponse:
    """Create a new calendar address, or remove it."""
    if request.POST.get("act") == "end":
        preferences.save_settings(member_id(request), calendar_key=None)
        messages.success(request, "Calendar address removed.")
    else:
        preferences.renew_calendar_key(user_id=member_id(request))
        messages.success(request, "The calendar has a new address. Older addresses no longer work.")
    return see_other(f"{reverse('notices:settings')}#calendar")


@require_POST
@member_required
def add_address(request: HttpRequest, name: str) -> HttpResponse:
    """Add the address in the form, or show the settings with the input and the error."""
    add, done = _ADDRESSES[name]
    form = AddressForm(request.POST)
    error = ""
    if form.is_valid():
        try:
            add(
                user_id=member_id(request),
                address=form.cleaned_data["address"],
                origin=find_origin(request),
                now=timezone.now(),
            )
        except destinations.RefusedDestination as refusal:
            error = str(refusal)
    else:
        error = str(form.errors["address"][0])
    if error:
        given = {f"{name}_error": error, f"{name}_value": request.POST.get("address", "")}
        return show_settings(request, status=422, **given)
    messages.success(request, done)
    return _back()


@require_POST
@member_required
def add_device(request: HttpRequest) -> HttpResponse:
    """Add the person's current browser."""
    form = BrowserForm(request.POST)
    if not form.is_valid():
        return show_settings(request, status=422, browser_error="The browser sent no address.")
    try:
        destinations.add_browser(
            user_id=member_id(request),
            **form.cleaned_data,
            session=request.session.session_key or "",
            origin=find_origin(request),
            now=timezone.now(),
        )
    except destinations.RefusedDestination as refusal:
        return show_settings(request, status=422, browser_error=str(refusal))
    messages.success(request, "This browser now shows notices, even while the site is closed.")
    return _back()


@require_POST
@member_required
def change_destination(request: HttpRequest, key: int) -> HttpResponse:
    """Run the action of a destination's button."""
    row = destinations.find_destination(user_id=member_id(request), key=key)
    if row is None:
        raise Http404
    try:
        done = _act(row, request.POST.get("act", ""), timezone.now())
    except destinations.RefusedDestination as refusal:
        messages.error(request, str(refusal))
        return _back()
    if not done:
        return show_settings(request, status=400)
    messages.success(request, done)
    return _back()


def _act(row: Destination, act: str, now: dt.datetime) -> str:
    """Do what a destination's button says, and return a sentence; blank for another act."""
    match act:
        case "test":
            if row.confirmed_at is None or row.off_at is not None:
                raise destinations.RefusedDestination(
                    "This destination is not active, so no test was sent."
                )
            destinations.send_test(row, now=now)
            return "The test is on its way. It arrives within a minute."
        case "remove":
            destinations.remove_destination(user_id=row.user_id, key=row.pk)
            return "Removed. Nothing will be sent there."
        case "switch on":
            destinations.switch_on(user_id=row.user_id, key=row.pk)
            return "Switched on again."
        case "ask again":
            if row.confirmed_at is None:
                destinations.ask_for_confirmation(row, now=now)
            return "We sent another e-mail. Follow its link to confirm the address."
        case "new secret":
            if row.channel == Channel.WEBHOOK:
                destinations.renew_secret(row, now=now)
            return (
                "The webhook has a new secret. For one day, calls are also signed with the old one."
            )
    return ""


def _back() -> HttpResponse:
    return see_other(f"{reverse('notices:settings')}#destinations")


@csrf_exempt
@never_cache
@require_http_methods(_METHODS)
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to unsubscribe; a POST does it, including one from a mail program.

    The address itself is the authorization (RFC 8058), so the form doesn't need any other. A GET
    changes nothing, because programs that scan e-mail follow its links.
    """
    subscription = preferences.read_unsubscribe_token(token)
    if subscription is None:
        raise Http404
    (user_id, kinds), done = subscription, request.method == "POST"
    if done:
        preferences.switch(user_id=user_id, kinds=kinds, group=Group.EMAIL, is_on=False)
    context = {"done": done, "kinds": [SHORT_LABELS[kind] for kind in kinds]}
    return render(request, "notices/unsubscribe.html", context)


@never_cache
@require_http_methods(_METHODS)
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether notices may be sent to an address; a POST allows it."""
    row = destinations.read_confirmation(token)
    if row is None:
        return render(request, "notices/confirm.html", {"row": None}, status=404)
    is_done = request.method == "POST" or row.confirmed_at is not None
    if request.method == "POST":
        destinations.confirm(row, now=timezone.now())
    return render(request, "notices/confirm.html", {"row": row, "done": is_done})


@never_cache
@require_safe
def send_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Send a person's deadlines to a calendar program."""
    user_id = preferences.find_calendar_owner(key)
    if user_id is None:
        raise Http404
    origin, host = find_origin(request), request.get_host().partition(":")[0]
    from icalendar import Calendar, Event  # noqa: PLC0415 large, and few people use it

    calendar, now = Calendar(), timezone.now()
    calendar.add("prodid", "-//Diplomaccloud//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Diplomaccloud deadlines")
    calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    for deadline in read_own_deadlines(Viewer(user_id)):
        value = f"{deadline.slug} {deadline.sequence}"
        uid = salted_hmac("notices.calendar", value, algorithm="sha256").hexdigest()[:32]
        event = Event()
        # A deadline keeps its UID when it moves, and SEQUENCE counts the moves, so that programs
        # move their entry.
        event.add("uid", f"{uid}@{host}")
        event.add("sequence", deadline.moves)
        event.add("dtstamp", now)
        event.add("dtstart", deadline.due_at - _LENGTH)
        event.add("dtend", deadline.due_at)
        event.add("summary", f"{isolate(deadline.world)}: orders due")
        event.add("url", origin + reverse("games:detail", args=[deadline.slug]))
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
