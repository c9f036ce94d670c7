"""The map test page, which makes a map from a seed, shows it, and can save it."""

import secrets
import time
from collections.abc import Mapping

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.render.scene import view_box
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.forms import DEFAULT_SEA_PERCENT, SaveMapForm, SeedForm
from diplomaccloud.maps.gallery import list_power_colors
from diplomaccloud.maps.library import UnknownMapError
from diplomaccloud.maps.map_worker import MAP_WORKER, BusyError, TooSlowError
from diplomaccloud.maps.pictures import draw_starting_overlay
from diplomaccloud.maps.previews import (
    Preview,
    find_preview,
    load_preview_svg,
    make_preview,
    name_owner,
)
from diplomaccloud.maps.quotas import QuotaError, count_new_map, save_map
from diplomaccloud.maps.views import picture_response

_SEED_WORDS = (
    "amber",
    "harbor",
    "lantern",
    "marten",
    "north",
    "orchard",
    "raven",
    "sable",
    "thistle",
)


@require_http_methods(["GET", "HEAD", "POST"])
def preview_page(request: HttpRequest) -> HttpResponse:
    """Make a map from a seed and show it; save it when a name is posted.

    Visitors may make maps, but saving one requires logging in.
    """
    if request.method == "POST":
        return _save_preview(request)
    if "seed" not in request.GET:
        MAP_WORKER.warm_up()
        return _render_page(request, SeedForm())
    values = request.GET.copy()
    values.setdefault("sea", str(DEFAULT_SEA_PERCENT))
    form = SeedForm(values)
    return _show_preview(request, form) if form.is_valid() else _render_page(request, form)


@require_safe
def preview_svg(_request: HttpRequest, key: str, theme: str) -> HttpResponse:
    """Send the base map of a preview; previews are deleted after a while."""
    try:
        svg = load_preview_svg(key, theme)
    except UnknownMapError as error:
        raise Http404(str(error)) from error
    return picture_response(svg, "image/svg+xml", "private, max-age=3600")


def _show_preview(request: HttpRequest, form: SeedForm) -> HttpResponse:
    started = time.perf_counter()
    try:
        preview = _find_or_make_preview(request, form)
    except _FormError as error:
        return _render_page(request, form, status=error.status)
    context = _build_preview_context(preview)
    seconds = round(time.perf_counter() - started, 1)
    return _render_page(request, form, {**context, "seconds": seconds})


@login_required
def _save_preview(request: HttpRequest) -> HttpResponse:
    form = SaveMapForm(request.POST)
    if not form.is_valid():
        return _render_page(request, form, status=422)
    try:
        preview = _find_or_make_preview(request, form)
    except _FormError as error:
        return _render_page(request, form, status=error.status)
    name = form.cleaned_data["name"]
    try:
        key = save_map(preview.chart, name, user_id=_require_user(request).pk, now=timezone.now())
    except QuotaError as error:
        form.add_error("name", str(error))
        return _render_page(request, form, status=422)
    messages.success(request, f"{name} was added to the gallery.")
    return redirect("maps:detail", key)


class _FormError(Exception):
    """No map could be made; the form has the reason, and `status` is the HTTP status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _find_or_make_preview(request: HttpRequest, form: SeedForm) -> Preview:
    """Return the preview for a valid form; raise `_FormError` if none can be made now."""
    map_request = form.read_request()
    try:
        preview = find_preview(map_request)
        if preview is None:
            address = get_adapter().get_client_ip(request)
            count_new_map(user_id=request.user.pk, address=address)
            owner = name_owner(user_id=request.user.pk, address=address)
            preview = make_preview(map_request, owner=owner, now=timezone.now())
    except QuotaError as error:
        form.add_error(None, str(error))
        raise _FormError(429) from error
    except (BusyError, TooSlowError) as error:
        form.add_error(None, str(error))
        raise _FormError(503) from error
    except NoMapError as error:
        form.add_error("seed", str(error))
        raise _FormError(422) from error
    return preview


def _build_preview_context(preview: Preview) -> dict[str, object]:
    """Return the template context that shows a map."""
    chart = preview.chart
    width, height = (float(side) for side in view_box(chart).split()[2:])
    return {
        "preview": chart,
        "overlay": draw_starting_overlay(chart),
        "powers": list_power_colors(chart),
        "centers": len(chart.board.centers),
        "picture": {
            "light_url": reverse("maps:preview-svg", args=[preview.key, "light"]),
            "dark_url": reverse("maps:preview-svg", args=[preview.key, "dark"]),
            "width": round(width),
            "height": round(height),
        },
    }


def _render_page(
    request: HttpRequest,
    form: SeedForm,
    preview_context: Mapping[str, object] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    surprise = f"{secrets.choice(_SEED_WORDS)} {secrets.randbelow(10_000)}"
    context = {"form": form, "surprise": surprise, **(preview_context or {})}
    return render(request, "maps/test.html", context, status=status)


def _require_user(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
