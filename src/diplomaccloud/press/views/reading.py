"""Reading and showing press for a request: full pages, or the part that a script requests."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.page.page import present_frame
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.presenters.page import PressView
from diplomaccloud.press.presenters.press_page import Desk
from diplomaccloud.press.viewpoint import PressReader
from diplomaccloud.shared.responses import RefusedResponse

PAGE_TARGET = "mail"
"""What a script on a full page requests, which includes the list of conversations."""


def read_desk(request: HttpRequest, slug: str, *, is_brief: bool = False) -> Desk:
    """Return a game's press as the person may see it; raise `NoSuchGame`.

    `is_brief` loads less, for a partial page that does not list the conversations.
    """
    is_listed = not is_part(request) or HtmxDetails(request).target == PAGE_TARGET
    press = PressReader(slug, viewer_of(request.user))
    return Desk(press, is_brief=is_brief and not is_listed)


def is_part(request: HttpRequest) -> bool:
    """Return whether a script requests part of the page."""
    return bool(HtmxDetails(request))


def show_press(
    request: HttpRequest, desk: Desk, press: PressView, *, status: int = 200, refused: str = ""
) -> HttpResponse:
    """Return the page of a game's press, or the part that a script requested."""
    context: dict[str, object] = {"press": press}
    if is_part(request) and status == 200:
        context["with_list"] = HtmxDetails(request).target == PAGE_TARGET
        content = render_to_string("press/partial.html", context, request)
    else:
        context["view"] = present_frame(desk.reader)
        content = render_to_string("press/page.html", context, request)
    if refused:
        return RefusedResponse(content, status=status, refused=refused)
    return HttpResponse(content, status=status)
