"""Adding, testing and removing destinations."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from diplomaccloud.notices.destinations import (
    add_browser,
    add_email,
    add_webhook,
    ask_for_confirmation,
    find_destination,
    remove_destination,
    renew_secret,
    send_test,
    switch_on,
)
from diplomaccloud.notices.errors import RefusedDestination
from diplomaccloud.notices.forms import AddressForm, BrowserForm
from diplomaccloud.notices.kinds import Channel
from diplomaccloud.notices.models import Destination
from diplomaccloud.notices.views.members import member_id, member_required
from diplomaccloud.notices.views.preferences import show_settings
from diplomaccloud.shared.addresses import find_origin
from diplomaccloud.shared.responses import see_other


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
def change(request: HttpRequest, key: int) -> HttpResponse:
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
