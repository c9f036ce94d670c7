"""Opening a game's page marks its notices as read."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from diplomaccloud.notices.bell import mark_game_seen
from diplomaccloud.notices.context import COUNTED


class NoticesSeen:
    """Marks the notices about a game as read when its page has been sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response; without new notices in the header, this costs nothing."""
        response = self._get_response(request)
        match = request.resolver_match
        is_game = match is not None and match.view_name == "games:detail"
        if is_game and getattr(request, COUNTED, False) and not is_prefetch(request):
            user_id = request.user.pk
            if response.status_code == 200 and user_id is not None and match is not None:
                slug = match.kwargs["slug"]
                mark_game_seen(user_id=user_id, slug=slug, now=timezone.now())
        return response


def is_prefetch(request: HttpRequest) -> bool:
    """Return whether the request is a prefetch, which the person may never see."""
    return "prefetch" in request.headers.get("Sec-Purpose", request.headers.get("Purpose", ""))
