"""The moving pictures of the featured game's last turn."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from diplomaccloud.games.featured.read import read_turn
from diplomaccloud.maps.views import picture_response


@require_safe
def turn(_request: HttpRequest, key: str, theme: str) -> HttpResponse:
    """Send a moving picture, cacheable forever: its name is a hash of it."""
    picture = read_turn(key, theme)
    if picture is None:
        raise Http404("There is no picture of this name.")
    return picture_response(picture.encode(), "image/svg+xml")
