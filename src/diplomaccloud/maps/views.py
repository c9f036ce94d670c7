"""The gallery, the page of one map, and their pictures."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from diplomaccloud.maps import gallery as shown
from diplomaccloud.maps.certifying import certificate_of
from diplomaccloud.maps.fairness import fairness_of
from diplomaccloud.maps.forms import GalleryForm
from diplomaccloud.maps.library import UnknownMapError, find_chart, find_text, standard_hash
from diplomaccloud.maps.pictures import base_picture, map_picture, starting_overlay, thumbnail
from diplomaccloud.maps.provinces import center_groups, province_rows

FOREVER = "public, max-age=31536000, immutable"
# A picture opened by itself may carry its own style, and nothing else.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
_KINDS = {"json": "application/json", "svg": "image/svg+xml", "png": "image/png"}


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """Show one page of the gallery."""
    number = request.GET.get("page", "1")
    for_game = request.GET.get("for") == "game"
    form = GalleryForm(request.GET)
    wanted = form.wanted(for_game=for_game)
    page = shown.gallery_page(int(number) if number.isdecimal() and len(number) < 6 else 1, wanted)
    context = {"page": page, "for_game": for_game, "form": form, "wanted": wanted}
    return render(request, "maps/gallery.html", context)


@require_safe
def detail(request: HttpRequest, content_hash: str) -> HttpResponse:
    """Show one map: its picture, provinces, centers, and how fair it is."""
    try:
        card = shown.map_card(content_hash)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    chart, found = find_chart(content_hash), certificate_of(content_hash)
    context = {
        "chart": card,
        "provinces": province_rows(chart),
        "groups": center_groups(chart),
        "fairness": None if found is None else fairness_of(chart, found),
        "has_setups": content_hash == standard_hash(),
        "overlay": starting_overlay(chart),
    }
    return render(request, "maps/detail.html", context)


@require_safe
def svg(_request: HttpRequest, content_hash: str, theme: str) -> HttpResponse:
    """Send the bare map, cached for ever: the address names its content."""
    try:
        body = base_picture(content_hash, theme)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    return picture(body, "image/svg+xml")


@require_safe
def thumb(_request: HttpRequest, content_hash: str, theme: str) -> HttpResponse:
    """Send the thumbnail."""
    try:
        body = thumbnail(content_hash, theme)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    return picture(body, "image/png")


@require_safe
def download(_request: HttpRequest, content_hash: str, kind: str) -> HttpResponse:
    """Send the whole map as a file: JSON in the map format, SVG or PNG with names and units."""
    try:
        body = (
            find_text(content_hash).encode() if kind == "json" else map_picture(content_hash, kind)
        )
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    response = picture(body, _KINDS[kind])
    response.headers["Content-Disposition"] = f'attachment; filename="{content_hash[:12]}.{kind}"'
    return response


def picture(body: bytes, kind: str, cache: str = FOREVER) -> HttpResponse:
    """Return a response that holds a picture."""
    return HttpResponse(
        body,
        content_type=kind,
        headers={"Cache-Control": cache, "Content-Security-Policy": _PICTURE_POLICY},
    )
