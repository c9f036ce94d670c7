"""The pages of notices: the list, the settings, and addresses with a secret.

Links in e-mail and the calendar work without logging in. The calendar is an iCalendar feed, which
calendar programs read regularly; it contains only worlds and times: no countries, people or orders.
"""

import datetime as dt
from collections.abc import Callable, Iterable
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
from icalendar import Calendar, Event

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.read import OwnDeadline, read_own_deadlines
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices.bell import is_prefetch, list_notices, mark_seen
from diplomaccloud.notices.destinations import (
    RefusedDestination,
    add_browser,
    add_email,
    add_webhook,
    ask_for_confirmation,
    confirm,
    ensure_push_key,
    find_destination,
    list_destinations,
    read_confirmation,
    remove_destination,
    renew_secret,
    send_test,
    switch_on,
)
from diplomaccloud.notices.forms import AddressForm, BrowserForm, QuietHoursForm, read_choices
from diplomaccloud.notices.kinds import Channel, Group
from diplomaccloud.notices.models import Destination
from diplomaccloud.notices.page import GROUP_LABELS, present_destinations, present_kinds
from diplomaccloud.notices.preferences import (
    end_calendar,
    find_calendar_owner,
    read_preferences,
    read_unsubscribe_token,
    renew_calendar_key,
    save_choices,
    save_quiet_hours,
    switch_off,
)
from diplomaccloud.notices.wording import SHORT_LABELS
from diplomaccloud.schedule import zone_names
from diplomaccloud.shared.addresses import find_origin
from diplomaccloud.shared.responses import page_number, see_other

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
def change_kinds(request: HttpRequest) -> HttpResponse:
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
def change_quiet_hours(request: HttpRequest) -> HttpResponse:
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
def change_calendar(request: HttpRequest) -> HttpResponse:
    """Create a new calendar address, or remove it."""
    if request.POST.get("act") == "end":
        end_calendar(user_id=member_id(request))
        messages.success(request, "Calendar address removed.")
    else:
        renew_calendar_key(user_id=member_id(request))
        messages.success(request, "The calendar has a new address. Older addresses no longer work.")
    return see_other(f"{reverse('notices:settings')}#calendar")


@require_POST
@member_required
def add_hook(request: HttpRequest) -> HttpResponse:
    """Add a Slack or Discord channel, or another webhook."""
    return _add_address(request, add_webhook, "hook", "Added. Send a test to check that it works.")


@require_POST
@member_required
def add_address(request: HttpRequest) -> HttpResponse:
    """Add an e-mail address, which has to be confirmed."""
    return _add_address(
        request,
        add_email,
        "email",
        "We sent an e-mail. Follow its link to confirm the address.",
    )


@require_POST
@member_required
def add_device(request: HttpRequest) -> HttpResponse:
    """Add the person's current browser."""
    form = BrowserForm(request.POST)
    if not form.is_valid():
        return show_settings(request, status=422, browser_error="The browser sent no address.")
    try:
        add_browser(
            user_id=member_id(request),
            **form.cleaned_data,
            session=request.session.session_key or "",
            origin=find_origin(request),
            now=timezone.now(),
        )
    except RefusedDestination as refusal:
        return show_settings(request, status=422, browser_error=str(refusal))
    messages.success(request, "This browser now shows notices, even while the site is closed.")
    return _back()


@require_POST
@member_required
def change_destination(request: HttpRequest, key: int) -> HttpResponse:
    """Run the action of a destination's button."""
    row = find_destination(user_id=member_id(request), key=key)
    if row is None:
        raise Http404
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        return show_settings(request, status=400)
    try:
        messages.success(request, act(row))
    except RefusedDestination as refusal:
        messages.error(request, str(refusal))
    return _back()


def _add_address(
    request: HttpRequest, add: Callable[..., Destination], name: str, done: str
) -> HttpResponse:
    """Add the address in the form, or show the settings with the input and the error."""
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
        except RefusedDestination as refusal:
            error = str(refusal)
    else:
        error = str(form.errors["address"][0])
    if error:
        given = {f"{name}_error": error, f"{name}_value": request.POST.get("address", "")}
        return show_settings(request, status=422, **given)
    messages.success(request, done)
    return _back()


def _test(row: Destination) -> str:
    if row.confirmed_at is None or row.off_at is not None:
        raise RefusedDestination("This destination is not active, so no test was sent.")
    send_test(row, now=timezone.now())
    return "The test is on its way. It arrives within a minute."


def _remove(row: Destination) -> str:
    remove_destination(user_id=row.user_id, key=row.pk)
    return "Removed. Nothing will be sent there."


def _switch_on(row: Destination) -> str:
    switch_on(user_id=row.user_id, key=row.pk)
    return "Switched on again."


def _ask_again(row: Destination) -> str:
    if row.confirmed_at is None:
        ask_for_confirmation(row, now=timezone.now())
    return "We sent another e-mail. Follow its link to confirm the address."


def _back() -> HttpResponse:
    return see_other(f"{reverse('notices:settings')}#destinations")


def _renew_secret(row: Destination) -> str:
    if row.channel == Channel.WEBHOOK:
        renew_secret(row, now=timezone.now())
    return "The webhook has a new secret. For one day, calls are also signed with the old one."


_ACTS = {
    "test": _test,
    "remove": _remove,
    "switch on": _switch_on,
    "ask again": _ask_again,
    "new secret": _renew_secret,
}


@csrf_exempt
@never_cache
@require_http_methods(_METHODS)
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to unsubscribe; a POST does it, including one from a mail program.

    The address itself is the authorization (RFC 8058), so the form doesn't need any other. A GET
    changes nothing, because programs that scan e-mail follow its links.
    """
    subscription = read_unsubscribe_token(token)
    if subscription is None:
        raise Http404
    done = request.method == "POST"
    if done:
        switch_off(user_id=subscription.user, kinds=subscription.kinds, group=Group.EMAIL)
    kinds = [SHORT_LABELS[kind] for kind in subscription.kinds]
    return render(request, "notices/unsubscribe.html", {"done": done, "kinds": kinds})


@never_cache
@require_http_methods(_METHODS)
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether notices may be sent to an address; a POST allows it."""
    row = read_confirmation(token)
    if row is None:
        return render(request, "notices/confirm.html", {"row": None}, status=404)
    done = request.method == "POST"
    if done:
        confirm(row, now=timezone.now())
    is_done = done or row.confirmed_at is not None
    return render(request, "notices/confirm.html", {"row": row, "done": is_done})


@never_cache
@require_safe
def send_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Send a person's deadlines to a calendar program."""
    user_id = find_calendar_owner(key)
    if user_id is None:
        raise Http404
    origin = find_origin(request)
    feed = build_calendar(
        read_own_deadlines(Viewer(user_id)),
        host=request.get_host().partition(":")[0],
        find_url=lambda slug: origin + reverse("games:detail", args=[slug]),
        now=timezone.now(),
    )
    return HttpResponse(feed, content_type="text/calendar; charset=utf-8")


def build_calendar(
    deadlines: Iterable[OwnDeadline],
    *,
    host: str,
    find_url: Callable[[str], str],
    now: dt.datetime,
) -> bytes:
    """Return the feed; `find_url` returns the address of a game.

    A deadline keeps its UID when it moves, and SEQUENCE counts the moves, so that programs move
    their entry.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Diplomaccloud//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Diplomaccloud deadlines")
    calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    for deadline in deadlines:
        event = Event()
        event.add("uid", f"{_make_uid(deadline)}@{host}")
        event.add("sequence", deadline.moves)
        event.add("dtstamp", now)
        event.add("dtstart", deadline.due_at - _LENGTH)
        event.add("dtend", deadline.due_at)
        event.add("summary", f"{deadline.world}: orders due")
        event.add("url", find_url(deadline.slug))
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    feed: bytes = calendar.to_ical()
    return feed


def _make_uid(deadline: OwnDeadline) -> str:
    value = f"{deadline.slug} {deadline.sequence}"
    return salted_hmac("notices.calendar", value, algorithm="sha256").hexdigest()[:32]
