"""Opening a game's page marks its notices as read."""

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from diplomaccloud.notices.bell import mark_game_seen
from diplomaccloud.notices.context import COUNTED


class NoticesSeen(MiddlewareMixin):
    """Marks the notices about a game as read when its page has been sent."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response; without new notices in the header, this costs nothing."""
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
