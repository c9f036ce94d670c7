"""Views of the gallery, a map's page, pictures and downloads."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from diplomaccloud.judge.position import starting_position
from diplomaccloud.maps.certification import find_certificate
from diplomaccloud.maps.encodings import BROTLI, accepts_brotli
from diplomaccloud.maps.fairness import describe_fairness
from diplomaccloud.maps.forms import GalleryForm
from diplomaccloud.maps.gallery import build_gallery_page, build_map_card
from diplomaccloud.maps.library import (
    UnknownMapError,
    find_chart,
    find_text,
    is_name_chosen,
    standard_hash,
)
from diplomaccloud.maps.pictures import (
    SHAPES,
    ThumbnailSize,
    draw_starting_overlay,
    load_compressed,
    load_full_picture,
    load_plain,
    load_position_picture,
    load_thumbnail,
)
from diplomaccloud.maps.province_table import build_center_groups, build_province_rows

FOREVER = "public, max-age=31536000, immutable"
# A picture opened on its own may use only its own styles and embedded fonts.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
_CONTENT_TYPES = {"json": "application/json", "svg": "image/svg+xml", "png": "image/png"}


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """Show one page of the gallery."""
    for_game = request.GET.get("for") == "game"
    form = GalleryForm(request.GET)
    gallery_filter = form.read_filter(for_game=for_game)
    after, before = (request.GET.get(name, "") for name in ("after", "before"))
    page = build_gallery_page(gallery_filter, after=after, before=before)
    context = {"page": page, "for_game": for_game, "form": form}
    return render(request, "maps/gallery.html", context)


@require_safe
def detail(request: HttpRequest, content_hash: str) -> HttpResponse:
    """Show one map: its picture, fairness, provinces and centers."""
    try:
        card = build_map_card(content_hash)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    chart, certificate = find_chart(content_hash), find_certificate(content_hash)
    context = {
        "chart": card,
        "is_name_chosen": is_name_chosen(content_hash),
        "provinces": build_province_rows(chart),
        "groups": build_center_groups(chart),
        "fairness": None if certificate is None else describe_fairness(chart, certificate),
        "has_setups": content_hash == standard_hash(),
        "overlay": draw_starting_overlay(chart),
    }
    return render(request, "maps/detail.html", context)


@require_safe
def svg(request: HttpRequest, content_hash: str, theme: str) -> HttpResponse:
    """Send the base map, which is cacheable forever because its URL contains its hash."""
    return _text_response(request, content_hash, f"{theme}.svg", "image/svg+xml")


@require_safe
def shapes(request: HttpRequest, content_hash: str) -> HttpResponse:
    """Send the shapes of the provinces as JSON, cacheable forever like the base map."""
    return _text_response(request, content_hash, SHAPES, "application/json")


def _text_response(request: HttpRequest, content_hash: str, name: str, kind: str) -> HttpResponse:
    compressed = accepts_brotli(request)
    try:
        body = (load_compressed if compressed else load_plain)(content_hash, name)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    response = picture_response(body, kind)
    response.headers["Vary"] = "Accept-Encoding"
    if compressed:
        response.headers["Content-Encoding"] = BROTLI
    return response


@require_safe
def thumbnail(_request: HttpRequest, content_hash: str, theme: str, size: str) -> HttpResponse:
    """Send a thumbnail, cacheable forever like the base map."""
    try:
        body = load_thumbnail(content_hash, theme, ThumbnailSize(size))
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    return picture_response(body, "image/webp")


@require_safe
def preview(_request: HttpRequest, content_hash: str) -> HttpResponse:
    """Send the map with its starting position, for link previews."""
    try:
        chart = find_chart(content_hash)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    body = load_position_picture(content_hash, chart, starting_position(chart.board))
    return picture_response(body, "image/png")


@require_safe
def download(_request: HttpRequest, content_hash: str, kind: str) -> HttpResponse:
    """Send the map as a download: a JSON map file, or an SVG or PNG with names and units."""
    try:
        body = (
            find_text(content_hash).encode()
            if kind == "json"
            else load_full_picture(content_hash, kind)
        )
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    response = picture_response(body, _CONTENT_TYPES[kind])
    response.headers["Content-Disposition"] = f'attachment; filename="{content_hash[:12]}.{kind}"'
    return response


def picture_response(body: bytes, kind: str, cache: str = FOREVER) -> HttpResponse:
    """Return a response with a picture or another file as its body."""
    return HttpResponse(
        body,
        content_type=kind,
        headers={"Cache-Control": cache, "Content-Security-Policy": _PICTURE_POLICY},
    )
