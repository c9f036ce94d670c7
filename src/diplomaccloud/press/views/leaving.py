"""The page between a link in a message and the external site."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from diplomaccloud.press.presenters.text import is_outside_link


@require_safe
def leaving(request: HttpRequest) -> HttpResponse:
    """Show where a link leads, without following it automatically or sending a referrer."""
    address = request.GET.get("to", "")
    known = is_outside_link(address)
    host = urlsplit(address).hostname if known else ""
    context = {"address": address if known else "", "host": host}
    response = render(request, "press/leaving.html", context, status=200 if known else 400)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
