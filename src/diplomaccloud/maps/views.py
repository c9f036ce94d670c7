"""Pages and pictures of maps."""

import time
from dataclasses import replace
from functools import lru_cache

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render import render_map
from diplomaccloud.maps import gallery as shown
from diplomaccloud.maps.forms import KeepForm, SeedForm
from diplomaccloud.maps.library import UnknownMapError, store
from diplomaccloud.maps.pictures import base_picture, starting_overlay, thumbnail
from diplomaccloud.maps.workshop import NoMapError, make_map

_FOREVER = "public, max-age=31536000, immutable"
# A picture opened by itself may carry its own style, and nothing else.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """Show one page of the gallery."""
    number = request.GET.get("page", "1")
    for_game = request.GET.get("for") == "game"
    page = shown.gallery_page(
        int(number) if number.isdecimal() and len(number) < 6 else 1, for_game=for_game
    )
    return render(request, "maps/gallery.html", {"page": page, "for_game": for_game})


@require_safe
def detail(request: HttpRequest, content_hash: str) -> HttpResponse:
    """Show one map with its provinces."""
    try:
        card = shown.map_card(content_hash)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    context = {
        "chart": card,
        "provinces": shown.province_rows(content_hash),
        "powers": card.powers,
        "overlay": starting_overlay(content_hash),
    }
    return render(request, "maps/detail.html", context)


@require_safe
def svg(_request: HttpRequest, content_hash: str, theme: str) -> HttpResponse:
    """Send the bare map, cached for ever: the address names its content."""
    try:
        body = base_picture(content_hash, theme)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    return _picture(body, "image/svg+xml")


@require_safe
def thumb(_request: HttpRequest, content_hash: str) -> HttpResponse:
    """Send the thumbnail."""
    try:
        body = thumbnail(content_hash)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    return _picture(body, "image/png")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def test(request: HttpRequest) -> HttpResponse:
    """Make a map from a typed seed and show it at once; keep it when a name is posted."""
    if request.method == "POST":
        return _keep(request)
    form = SeedForm(request.GET) if "seed" in request.GET else SeedForm()
    context: dict[str, object] = {"form": form}
    if form.is_bound and form.is_valid():
        context |= _made(form)
    return render(request, "maps/test.html", context)


def _keep(request: HttpRequest) -> HttpResponse:
    form = KeepForm(request.POST)
    chart = _chart(form) if form.is_valid() else None
    if chart is None:
        return render(request, "maps/test.html", {"form": form}, status=422)
    key = store(replace(chart, world=form.cleaned_data["name"]), now=timezone.now())
    messages.success(request, f"{form.cleaned_data['name']} is in the gallery.")
    return redirect("maps:detail", key)


def _made(form: SeedForm) -> dict[str, object]:
    began = time.perf_counter()
    chart = _chart(form)
    if chart is None:
        return {}
    drawn = render_map(chart)
    return {
        "made": chart,
        "svg_light": mark_safe(drawn),  # noqa: S308 - drawn by us, names escaped there
        "seconds": round(time.perf_counter() - began, 2),
    }


def _chart(form: SeedForm) -> Chart | None:
    try:
        return _make(form.cleaned_data["seed"], form.cleaned_data["players"])
    except NoMapError as error:
        form.add_error("seed", str(error))
        return None


@lru_cache(maxsize=8)
def _make(seed: str, players: int) -> Chart:
    return make_map(seed, players)


def _picture(body: bytes, kind: str) -> HttpResponse:
    return HttpResponse(
        body,
        content_type=kind,
        headers={"Cache-Control": _FOREVER, "Content-Security-Policy": _PICTURE_POLICY},
    )
