"""The page on which people request a file with their data, and the download of the file."""

from typing import Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.accounts.data_exports import (
    KEEP_FOR,
    find_export,
    find_next_request,
    open_export,
    request_export,
)
from diplomaccloud.accounts.models import DataExport
from diplomaccloud.shared.outages import Away

_AWAY: Final = "The file cannot be read right now. Try again in a minute."


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=lambda request: request.method == "POST")  # type: ignore[untyped-decorator]
def export(request: HttpRequest) -> HttpResponse:
    """Show the person's export, and request one once the password was entered again.

    A script that waits for it gets 204 until the page changes.
    """
    user_id, now = request.user.pk or 0, timezone.now()
    if request.method == "POST":
        request_export(user_id=user_id, now=now)
        return HttpResponseRedirect(reverse("account_export"), status=303)
    found = find_export(user_id, now=now)
    is_part = bool(HtmxDetails(request))
    if is_part and found is not None and found.state == DataExport.State.WAITING:
        return HttpResponse(status=204)
    next_at = find_next_request(found, now=now)
    content = {
        "export": found,
        "can_request": next_at == now,
        "next_at": next_at,
        "days": KEEP_FOR.days,
    }
    template = "accounts/_export.html" if is_part else "accounts/export.html"
    return render(request, template, content)


@never_cache
@login_required
@require_safe
@reauthentication_required  # type: ignore[untyped-decorator]
def export_file(request: HttpRequest) -> HttpResponseBase:
    """Send the file of the person's export; raise `Http404` if there is none.

    A person who has not entered the password recently is asked for it first.
    """
    now = timezone.now()
    found = find_export(request.user.pk or 0, now=now)
    if found is None or found.state != DataExport.State.READY:
        raise Http404
    try:
        file = open_export(found, now=now)
    except Away:
        messages.error(request, _AWAY)
        return HttpResponseRedirect(reverse("account_export"))
    if file is None:
        return HttpResponseRedirect(reverse("account_export"))
    name = f"diplomaccloud-{found.ready_at:%Y-%m-%d}.zip"
    return FileResponse(file, as_attachment=True, filename=name)
