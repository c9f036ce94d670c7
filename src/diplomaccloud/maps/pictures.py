"""Map pictures as files named by their content: drawn once, then read from disk.

If the site has a file store, one machine draws each picture for all of them; see `shared.files`.
The pictures of a map that is deleted are deleted too, so that nobody can fill the disk with maps.

A map that comes with the release has its small pictures with it (`add_drawn_pictures`).
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Final

import brotli
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.judge.codec import position_to_json
from diplomaccloud.judge.drawing.base import render_base
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.decoration import Decoration
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import (
    render_card,
    render_map,
    render_overlay,
    render_thumbnail,
    write_shapes,
)
from diplomaccloud.judge.drawing.styles import PARCHMENT, STYLES
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.maps import picture_worker
from diplomaccloud.maps.library import find_chart, find_text, is_being_drawn, make_neutral_name
from diplomaccloud.maps.map_worker import MAP_WORKER, BusyError
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.picture_files import (
    LOST_FILE,
    PLAIN_FILE,
    load_picture_file,
    picture_path,
    store_picture_file,
)
from diplomaccloud.maps.picture_worker import render_png
from diplomaccloud.maps.plain_charts import thin_out
from diplomaccloud.maps.thumbnails import CARD_WIDTH, LARGE_WIDTH, SMALL_WIDTH

THEMES = {"light": LIGHT, "dark": NIGHT}
BASE_THEMES: Final = THEMES | {
    f"{style}-{theme}": STYLES.get(f"{style}-night", drawn) if theme == "dark" else drawn
    for style, drawn in STYLES.items()
    if style != PARCHMENT and not style.endswith("-night")
    for theme in THEMES
}
"""The themes of base maps, also those of styles other than parchment: `modern-light` and so on."""
SHAPES = "shapes.json"
COMPRESSED = (*(f"{theme}.svg" for theme in THEMES), SHAPES)
"""A map's text files, without those of other styles."""
PNG_WIDTH = 2000
PREVIEW_WIDTH = 800
"""The width of the picture for link previews. Chats refuse large files."""
_DIGEST_DIGITS = 32


class ThumbnailSize(StrEnum):
    """The sizes of thumbnails, two of them for screens with one and with two pixels per point.

    Lists have many cards of games, so theirs is smaller, and it looks like later positions.
    """

    SMALL = "small"
    LARGE = "large"
    CARD = "card"


_PICTURES: Final = {
    *(f"{name}{end}" for name in COMPRESSED for end in ("", ".br")),
    *(f"{theme}-{size}.webp" for theme in THEMES for size in ThumbnailSize),
}
"""The files of a map whose pictures were drawn in advance."""
THUMBNAIL_WIDTHS = {ThumbnailSize.SMALL: SMALL_WIDTH, ThumbnailSize.LARGE: LARGE_WIDTH}
_QUALITIES = {ThumbnailSize.SMALL: 60, ThumbnailSize.LARGE: 45}
"""The WebP qualities. Small pixels hide artifacts, so a large thumbnail needs less."""


def find_drawn_chart(content_hash: str) -> Chart:
    """Return the chart that pictures of a map are drawn from; raise `UnknownMapError`.

    A heavy one is simplified by the map worker, once. Raises `BusyError` if that works on other
    maps.
    """
    if is_being_drawn(content_hash):
        simplify_map(content_hash)
    return find_chart(content_hash)


def find_chart_to_show(content_hash: str) -> Chart:
    """Return the chart that a page with a position is drawn from; raise `UnknownMapError`.

    While the map worker is busy with other maps, a heavy one loses more details.
    """
    try:
        return find_drawn_chart(content_hash)
    except BusyError:
        return thin_out(find_chart(content_hash))


def simplify_map(content_hash: str) -> None:
    """Let the map worker simplify a heavy map, which all processes read from then on.

    Raises `BusyError` if it works on other maps.
    """
    plain = MAP_WORKER.make_plain(find_text(content_hash))
    store_picture_file(content_hash, LOST_FILE, plain.lost.encode())
    store_picture_file(content_hash, PLAIN_FILE, plain.text.encode())


def describe_lost_details(content_hash: str) -> str:
    """Return why a map is not drawn exactly, for its owner; blank if it is."""
    return (load_picture_file(content_hash, LOST_FILE) or b"").decode()


def load_compressed(content_hash: str, name: str) -> bytes:
    """Return a text file of a map, compressed once with Brotli. Raises `UnknownMapError`."""
    return _load_or_draw(
        content_hash, f"{name}.br", lambda: brotli.compress(load_plain(content_hash, name))
    )


def load_plain(content_hash: str, name: str) -> bytes:
    """Return a text file of a map, uncompressed. Raises `UnknownMapError`."""
    if name != SHAPES:
        return load_base_svg(content_hash, name.removesuffix(".svg"))
    return _load_or_draw(
        content_hash, SHAPES, lambda: write_shapes(find_drawn_chart(content_hash)).encode()
    )


def load_base_svg(content_hash: str, theme: str) -> bytes:
    """Return the SVG of a map without names and units, in one of `BASE_THEMES`.

    Raises `UnknownMapError`.
    """
    return _load_or_draw(
        content_hash,
        f"{theme}.svg",
        lambda: render_base(find_drawn_chart(content_hash), BASE_THEMES[theme]).encode(),
    )


def load_thumbnail(content_hash: str, theme: str, size: ThumbnailSize) -> bytes:
    """Return a WebP picture of the map with its countries and centers, `light` or `dark`.

    Raises `UnknownMapError`.
    """
    stored = load_picture_file(content_hash, f"{theme}-{size}.webp")
    if stored is not None:
        return stored
    thumbnails = _draw_thumbnails(content_hash, theme)
    for each, thumbnail in thumbnails.items():
        store_picture_file(content_hash, f"{theme}-{each}.webp", thumbnail)
    return thumbnails[size]


def draw_pictures(content_hash: str) -> None:
    """Draw all pictures of a map in advance, so that requests don't have to wait for them."""
    for name in COMPRESSED:
        load_compressed(content_hash, name)
    for theme in THEMES:
        for size in ThumbnailSize:
            load_thumbnail(content_hash, theme, size)


def add_drawn_pictures(content_hash: str, renderer: str, drawn: Mapping[str, bytes]) -> None:
    """Store pictures of a map by their names without ending, if the site would draw the same.

    Those of another version of the renderer are left out, and so are those that exist.
    """
    missing = drawn.items() if renderer == renderer_version() else ()
    for name, content in missing:
        if load_picture_file(content_hash, f"{name}.webp") is None:
            store_picture_file(content_hash, f"{name}.webp", content)


def _draw_thumbnails(content_hash: str, theme: str) -> dict[ThumbnailSize, bytes]:
    """Return the thumbnails of a map in all sizes; those not for cards are one drawing."""
    chart = find_drawn_chart(content_hash)
    sizes = [(width, _QUALITIES[size]) for size, width in THUMBNAIL_WIDTHS.items()]
    large = render_thumbnail(chart, LARGE_WIDTH, THEMES[theme])
    drawn = picture_worker.compress_thumbnails(large, sizes)
    thumbnails = dict(zip(THUMBNAIL_WIDTHS, drawn, strict=True))
    svg = render_card(chart, starting_position(chart.board), THEMES[theme], width=CARD_WIDTH)
    return thumbnails | {ThumbnailSize.CARD: compress_card(svg)}


def compress_card(svg: str) -> bytes:
    """Return the drawing as WebP of limited size; see `thumbnails.compress_card`."""
    return picture_worker.compress_card(svg, CARD_WIDTH)


_complete: dict[Path, set[str]] = {}
"""The maps that have all their pictures, by the folder of their pictures' folders."""


def list_undrawn_maps() -> list[str]:
    """Return the hashes of the stored maps with missing pictures, newest first.

    When the renderer changes, the pictures of all maps are missing. Those of a map that is not in
    the gallery are drawn once there is a game on it. This process looks at the pictures of a map
    until it has seen all of them; later, it only asks whether their folder is still there.
    """
    needed = StoredChart.objects.exclude(listed=False, game=None)
    folder = picture_path("")
    complete = _complete.setdefault(folder, set())
    complete.intersection_update(_list_names(folder))
    undrawn = []
    for key in needed.values_list("content_hash", flat=True):
        if key in complete:
            continue
        if _list_names(folder / key) >= _PICTURES:
            complete.add(key)
        else:
            undrawn.append(key)
    return undrawn


def _list_names(folder: Path) -> set[str]:
    """Return the names of what is in a folder; none if it does not exist."""
    try:
        return set(os.listdir(folder))  # noqa: PTH208 paths of a thousand names take longer
    except FileNotFoundError:
        return set()


def _load_or_draw(content_hash: str, name: str, draw: Callable[[], bytes]) -> bytes:
    stored = load_picture_file(content_hash, name)
    if stored is not None:
        return stored
    content = draw()
    store_picture_file(content_hash, name, content)
    return content


def load_full_picture(content_hash: str, kind: str, style: str = PARCHMENT) -> bytes:
    """Return the map with its starting position, as an `svg` or `png` file for download.

    The file has a neutral name. If a moderator hides the map's name, the title is hidden with it;
    the picture without a title is stored under another name.
    """
    chart = replace(find_drawn_chart(content_hash), world=make_neutral_name(content_hash))

    def draw() -> bytes:
        svg = render_map(chart, theme=STYLES[style])
        return svg.encode() if kind == "svg" else render_png(svg, PNG_WIDTH)

    name = "titled" if chart.title else "map"
    ending = kind if style == PARCHMENT else f"{style}.{kind}"
    return _load_or_draw(content_hash, f"{name}.{ending}", draw)


def load_position_picture(content_hash: str, chart: Chart, position: Position) -> bytes:
    """Return a PNG of a position on the map, small enough for link previews.

    It is stored under a digest of the position, so that each position is drawn only once.
    """
    text = json.dumps(position_to_json(position), sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return _load_or_draw(
        content_hash,
        f"position-{digest[:_DIGEST_DIGITS]}.png",
        lambda: render_png(render_map(chart, position, decoration=Decoration.PLAIN), PREVIEW_WIDTH),
    )


def draw_starting_overlay(chart: Chart) -> SafeString:
    """Return the SVG of a map's starting position, which pages lay over the base map.

    It contains names and codes; the page's CSS shows codes where names would be too small.
    """
    position = starting_position(chart.board)
    svg = render_overlay(chart, position, labels=Labels.BOTH, title=chart.world)
    return mark_safe(svg)  # noqa: S308 - drawn by us; the renderer escapes names


BROTLI: Final = "br"
_ACCEPTS_BROTLI: Final = re.compile(r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


def accepts_brotli(request: HttpRequest) -> bool:
    """Return whether the browser accepts Brotli, which it offers only on secure connections."""
    return _ACCEPTS_BROTLI.search(request.headers.get("Accept-Encoding", "")) is not None
