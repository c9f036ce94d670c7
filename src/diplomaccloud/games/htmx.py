"""Whether a request wants a page or a part of one."""

from django.http import HttpRequest


def wants_partial(request: HttpRequest) -> bool:
    """Return whether htmx asks and needs a part of the page only."""
    return request.headers.get("HX-Request") == "true"
