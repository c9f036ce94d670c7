"""The map pages: gallery, one map, pictures, drawing new worlds, and importing a map."""

import datetime as dt
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import cast
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import clean_line, clean_name
from diplomaccloud.atlas.chartfile import ChartError, check_chart
from diplomaccloud.atlas.printing.sheets import Content
from diplomaccloud.atlas.validation.schemas import Fault
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.scene import view_box
from diplomaccloud.judge.position import starting_position
from diplomaccloud.maps import library, pictures, previews
from diplomaccloud.maps.card_pictures import load_card_picture
from diplomaccloud.maps.certification import count_earlier_games, find_measurement
from diplomaccloud.maps.check_worker import CHECK_WORKER, NotCheckedError
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.fairness import describe
from diplomaccloud.maps.forms import (
    MAX_NAME_LENGTH,
    PROVINCES_PER_MANY,
    PROVINCES_PER_PLAYER,
    GalleryForm,
    MapNameField,
    SaveMapForm,
    SeedForm,
    load_tiles,
)
from diplomaccloud.maps.gallery import (
    build_center_groups,
    build_gallery_page,
    build_map_card,
    build_province_rows,
    find_landform_of,
    list_power_colors,
)
from diplomaccloud.maps.large_maps import NotReadyError
from diplomaccloud.maps.library import QuotaError, UnknownMapError, find_chart
from diplomaccloud.maps.map_worker import MAP_WORKER, BusyError, TooSlowError
from diplomaccloud.maps.measurement import load_scale
from diplomaccloud.maps.plain_charts import is_heavy
from diplomaccloud.maps.prints import Print, answer_print, read_style
from diplomaccloud.shared.outages import Away
from diplomaccloud.shared.responses import see_other

FOREVER = "public, max-age=31536000, immutable"
_UNTIL_HIDDEN = "private, max-age=300"
"""For pictures with the title of a map, which a moderator may hide."""
# A picture opened on its own may use only its own styles and embedded fonts.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
_CONTENT_TYPES = {"json": "application/json", "svg": "image/svg+xml", "png": "image/png"}


def _or_not_found(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view that answers 404 if there is no such map."""

    @wraps(view)
    def answer(request: HttpRequest, **options: str) -> HttpResponse:
        try:
            return view(request, **options)
        except UnknownMapError as error:
            raise Http404(str(error)) from error
        except BusyError as error:
            # The map worker simplifies heavy maps, one after another.
            return HttpResponse(str(error), status=503, headers={"Retry-After": "5"})

    return answer


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
@_or_not_found
def detail(request: HttpRequest, content_hash: str) -> HttpResponse:
    """Show one map: its picture, how even it is, its provinces and centers."""
    card = build_map_card(content_hash)
    chart, found = find_chart(content_hash), find_measurement(content_hash)
    is_europe, is_drawing = card.is_europe, library.is_being_drawn(content_hash)
    lost = "" if is_drawing else pictures.describe_lost_details(content_hash)
    context = {
        "chart": card,
        "is_name_chosen": library.is_name_chosen(content_hash),
        "provinces": build_province_rows(chart),
        "groups": build_center_groups(chart),
        "evenness": found and describe(chart, found, load_scale(), is_europe=is_europe),
        "earlier_games": 0 if found else count_earlier_games(content_hash),
        "has_setups": is_europe,
        "is_drawing": is_drawing,
        "lost_details": lost if lost and library.has_saved(content_hash, request.user.pk) else "",
        "overlay": "" if is_drawing else _draw_overlay(content_hash),
    }
    response = render(request, "maps/detail.html", context)
    if is_drawing:
        response.headers["Refresh"] = _REFRESH
    return response


def _draw_overlay(content_hash: str) -> SafeString:
    return pictures.draw_starting_overlay(pictures.find_chart_to_show(content_hash))


@require_safe
@_or_not_found
def send_text(request: HttpRequest, content_hash: str, theme: str = "") -> HttpResponse:
    """Send the base map as SVG, or without a theme, the shapes of the provinces as JSON.

    Both are cacheable forever, because the URL contains the hash of the map.
    """
    name = f"{theme}.svg" if theme else pictures.SHAPES
    compressed = pictures.accepts_brotli(request)
    body = (pictures.load_compressed if compressed else pictures.load_plain)(content_hash, name)
    response = picture_response(body, _CONTENT_TYPES[name.rpartition(".")[2]])
    response.headers["Vary"] = "Accept-Encoding"
    if compressed:
        response.headers["Content-Encoding"] = pictures.BROTLI
    return response


@require_safe
@_or_not_found
def thumbnail(_request: HttpRequest, content_hash: str, theme: str, size: str) -> HttpResponse:
    """Send a thumbnail, cacheable forever like the base map."""
    return picture_response(
        pictures.load_thumbnail(content_hash, theme, pictures.ThumbnailSize(size)), "image/webp"
    )


@require_safe
def card_picture(_request: HttpRequest, name: str) -> HttpResponse:
    """Send the picture of a position, cacheable forever. Nothing is drawn if there is none."""
    try:
        picture = load_card_picture(name)
    except Away:
        return HttpResponse(status=503, headers={"Retry-After": "10"})
    if picture is None:
        raise Http404("There is no picture of this name.")
    return picture_response(picture, "image/webp")


@require_safe
@_or_not_found
def preview(_request: HttpRequest, content_hash: str) -> HttpResponse:
    """Send the map with its starting position, for link previews."""
    chart = pictures.find_drawn_chart(content_hash)
    body = pictures.load_position_picture(content_hash, chart, starting_position(chart.board))
    return picture_response(body, "image/png")


@require_safe
@_or_not_found
def download(request: HttpRequest, content_hash: str, kind: str) -> HttpResponse:
    """Send the map as a download: a JSON map file, or an SVG or PNG with names and units."""
    if kind == "json":
        body, cache = library.find_text(content_hash).encode(), FOREVER
    else:
        body = pictures.load_full_picture(content_hash, kind, read_style(request))
        cache = _UNTIL_HIDDEN
    response = picture_response(body, _CONTENT_TYPES[kind], cache)
    response.headers["Content-Disposition"] = f'attachment; filename="{content_hash[:12]}.{kind}"'
    return response


@require_safe
@_or_not_found
def print_map(request: HttpRequest, content_hash: str, kind: str) -> HttpResponse:
    """Send a poster, tiles that make one, or a large PNG, or a page to wait for it."""
    name = build_map_card(content_hash).name
    chart = replace(library.find_whole_chart(content_hash), world=name)
    # The address of the page is too long for a poster.
    place = request.get_host()
    # The title, unless the map was saved under another name.
    title = chart.title if name in chart.title else name
    content = Content(
        chart,
        starting_position(chart.board),
        title=title,
        imprint=place,
        style=read_style(request),
    )
    return answer_print(request, Print(kind, content), f"{name} {kind}")


def picture_response(body: bytes, kind: str, cache: str = FOREVER) -> HttpResponse:
    """Return a response with a picture or another file as its body."""
    return HttpResponse(
        body,
        content_type=kind,
        headers={"Cache-Control": cache, "Content-Security-Policy": _PICTURE_POLICY},
    )


# The page that draws a new world from options and a seed, shows it, and can save it.

_SEED_WORDS = (
    "amber", "harbor", "lantern", "marten", "north", "orchard", "raven", "sable", "thistle"
)  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def new_world(request: HttpRequest) -> HttpResponse:
    """Draw a map from options and a seed and show it; save it when a name is posted.

    Visitors may draw maps, but saving one requires logging in. The address has the seed, so that
    it can be shared: without a seed, or for another map, it gets a new one first.
    """
    if request.method == "POST":
        return _save_preview(request)
    options = {name: request.GET[name] for name in request.GET if name in SeedForm.base_fields}
    if not options:
        MAP_WORKER.warm_up()
        return _render_page(request, SeedForm())
    if "another" in request.GET or not options.get("seed", "").strip():
        kept = {name: value for name, value in options.items() if value}
        return see_other(f"{request.path}?{urlencode(kept | {'seed': _draw_seed()})}")
    form = SeedForm(options)
    if not form.is_valid():
        return _render_page(request, form)
    preview, status = _find_or_make_preview(request, form)
    return _render_page(request, form, preview, status=status)


_WAITING, _REFRESH = 202, "3"
"""The status of a page that waits for a large world, and after how many seconds it asks again."""


def _draw_seed() -> str:
    return f"{secrets.choice(_SEED_WORDS)} {secrets.randbelow(10_000)}"


@require_safe
@_or_not_found
def preview_svg(_request: HttpRequest, key: str, theme: str) -> HttpResponse:
    """Send the base map of a preview; previews are deleted after a while."""
    picture = previews.load_preview_svg(key, theme)
    return picture_response(picture, "image/svg+xml", "private, max-age=3600")


def _describe_preview(preview: previews.Preview) -> dict[str, object]:
    """Return what the page shows of a map that was drawn."""
    chart = preview.chart
    width, height = (round(float(side)) for side in view_box(chart).split()[2:])
    urls = {
        f"{theme}_url": reverse("maps:preview-svg", args=[preview.key, theme])
        for theme in pictures.THEMES
    }
    return {
        "preview": chart,
        "key": preview.key,
        "landform": find_landform_of(chart.maker),
        "overlay": pictures.draw_starting_overlay(chart),
        "powers": list_power_colors(chart),
        "centers": len(chart.board.centers),
        "picture": {**urls, "width": width, "height": height},
    }


@login_required
def _save_preview(request: HttpRequest) -> HttpResponse:
    form = SaveMapForm(request.POST)
    if not form.is_valid() and list(form.errors) != ["name"]:
        return _render_page(request, form, status=422)
    # The map stays on the page while its name is corrected.
    preview, status = _find_or_make_preview(request, form)
    if preview is None:
        return _render_page(request, form, status=status)
    if form.errors:
        return _render_page(request, form, preview, status=422)
    name, user = form.cleaned_data["name"], cast("User", request.user)
    try:
        key = library.save_map(preview.chart, name, user_id=user.pk, now=timezone.now())
    except QuotaError as error:
        form.add_error("name", str(error))
        return _render_page(request, form, preview, status=422)
    messages.success(request, f"{name} was added to the gallery.")
    return redirect("maps:detail", key)


def _find_or_make_preview(
    request: HttpRequest, form: SeedForm
) -> tuple[previews.Preview | None, int]:
    """Return the preview for a valid form, and the HTTP status.

    If none can be made now, the form has the reason.
    """
    map_request = form.read_request()
    try:
        address = get_adapter().get_client_ip(request)
        preview = previews.make_preview(
            map_request, user_id=request.user.pk, address=address, now=timezone.now()
        )
    except QuotaError as error:
        form.add_error(None, str(error))
        return None, 429
    except (BusyError, TooSlowError) as error:
        form.add_error(None, str(error))
        return None, 503
    except NoMapError as error:
        form.add_error(error.option or "seed", str(error))
        return None, 422
    except NotReadyError:
        return None, _WAITING
    return preview, 200


def _render_page(
    request: HttpRequest,
    form: SeedForm,
    preview: previews.Preview | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    waiting_url = _build_address(form) if status == _WAITING else ""
    context = {
        "form": form,
        "tiles": load_tiles(),
        "per_player": PROVINCES_PER_PLAYER,
        "per_many": PROVINCES_PER_MANY,
        "waiting_url": waiting_url,
        **({} if preview is None else _describe_preview(preview)),
    }
    response = render(request, "maps/new.html", context, status=status)
    if waiting_url and "HX-Request" not in request.headers:
        # Works without scripts; htmx asks again by itself.
        response.headers["Refresh"] = f"{_REFRESH}; url={waiting_url}"
    return response


def _build_address(form: SeedForm) -> str:
    """Return the address of the page with the map of a valid form, also if it was posted."""
    options = {name: form.cleaned_data[name] for name in SeedForm.base_fields}
    given = {name: value for name, value in options.items() if value not in {None, ""}}
    return f"{reverse('maps:new')}?{urlencode(given)}"


# The import page, which validates a map file and adds it to the gallery.

MAX_UPLOAD = 4_000_000
"""In bytes, four times the size of the largest generated maps."""

MIN_POWERS, MAX_LISTED_FAULTS = 2, 200


class ImportForm(forms.Form):
    """A map file, and optionally a name to replace its own."""

    file = forms.FileField(
        label="Map file", widget=forms.ClearableFileInput(attrs={"accept": ".json"})
    )
    name = MapNameField(
        max_length=MAX_NAME_LENGTH,
        required=False,
        label="Map name",
        help_text="Leave blank to use the name in the file.",
    )

    def clean_file(self) -> object:
        """Return the file; reject one that is too large to validate."""
        file: object = self.cleaned_data["file"]
        if getattr(file, "size", 0) > MAX_UPLOAD:
            megabytes = MAX_UPLOAD // 1_000_000
            raise ValidationError(f"Map files are limited to {megabytes} MB.")
        return file


def read_map(
    content: bytes, name: str = "", check: Callable[[bytes], Chart] = check_chart
) -> Chart:
    """Return the map in `content`, renamed to `name` unless that is empty.

    Raises `ChartError` with every fault, including an unsupported number of powers, and what
    `check` raises, which reads the file.
    """
    chart = check(content)
    powers = len(chart.board.powers)
    if powers < MIN_POWERS:
        message = f"has {powers} power; a game needs at least {MIN_POWERS}"
        raise ChartError([Fault("board.powers", message)])
    try:
        world = clean_name(name or chart.world)[:60]
    except ValueError as error:
        raise ChartError([Fault("world", str(error))]) from error
    if not world:
        raise ChartError([Fault("world", "is empty; give the map a name")])
    try:
        title = clean_line(chart.title, "A title")
    except ValueError as error:
        raise ChartError([Fault("title", str(error))]) from error
    return replace(chart, world=world, title=title)


def import_map(content: bytes, *, name: str = "", now: dt.datetime) -> str:
    """Store the map in `content` and return its hash.

    Raises `ChartError` without storing anything.
    """
    return library.store_chart(read_map(content, name), now=now)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Add an uploaded map file to the gallery, or list all its faults."""
    if request.method != "POST":
        return render(request, "maps/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "maps/import.html", {"form": form}, status=422)
    user = cast("User", request.user)
    try:
        library.count_new_map(user_id=user.pk, address=get_adapter().get_client_ip(request))
        content, name = form.cleaned_data["file"].read(), form.cleaned_data["name"]
        chart = read_map(content, name, CHECK_WORKER.check)
        key = library.save_map(chart, chart.world, user_id=user.pk, now=timezone.now())
        if is_heavy(chart):
            # Otherwise, the first page to show it would read all its points.
            with suppress(BusyError):
                pictures.simplify_map(key)
    except QuotaError as error:
        form.add_error(None, str(error))
        return render(request, "maps/import.html", {"form": form}, status=429)
    except NotCheckedError as error:
        form.add_error(None, str(error))
        return render(request, "maps/import.html", {"form": form}, status=503)
    except ChartError as error:
        count = len(error.faults) + error.unlisted
        context = {
            "form": form,
            "faults": error.faults[:MAX_LISTED_FAULTS],
            "count": count,
            "more": max(0, count - MAX_LISTED_FAULTS),
        }
        return render(request, "maps/import.html", context, status=422)
    messages.success(request, f"{chart.world} was added to the gallery.")
    return redirect("maps:detail", key)
