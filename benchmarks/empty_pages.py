"""A site with two empty pages, in multiples of which measurements give the cost of others."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(_request: HttpRequest) -> HttpResponse:
    """Return an empty response to a visitor.

    The request passes through the site's middleware and URLs, like every page. It reads no session
    and makes no queries.
    """
    return HttpResponse()


def empty_for_person(request: HttpRequest) -> HttpResponse:
    """Return an empty response to a person who is logged in.

    In addition to what `empty` does, the request reads the session and the person's row from the
    database, like every page with a name in its header. A page for a person cannot cost less.
    """
    assert request.user.is_authenticated
    return HttpResponse()


urlpatterns = [
    path("empty/", empty),
    path("empty-for-person/", empty_for_person),
    path("", include("diplomaccloud.project.urls")),
]
