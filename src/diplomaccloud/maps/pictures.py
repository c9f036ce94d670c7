"""Drawn maps as files, named by what they show: drawn once, then read from the disk."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render import (
    LIGHT,
    NIGHT,
    Labels,
    render_base,
    render_map,
    render_overlay,
    render_png,
    render_thumbnail,
    renderer_version,
)
from diplomaccloud.judge.position import starting_position
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.models import StoredChart

THEMES = {"light": LIGHT, "dark": NIGHT}
THUMBNAIL_WIDTH = 480
PNG_WIDTH = 2000


def base_picture(content_hash: str, theme: str) -> bytes:
    """Return the SVG of the bare map, `light` or `dark`; raise `UnknownMapError` if unknown."""

    def draw() -> bytes:
        return render_base(find_chart(content_hash), THEMES[theme]).encode()

    return _kept(content_hash, f"{theme}.svg", draw)


def thumbnail(content_hash: str, theme: str) -> bytes:
    """Return a small PNG of the map with its countries and centers, `light` or `dark`."""

    def draw() -> bytes:
        svg = render_thumbnail(find_chart(content_hash), THUMBNAIL_WIDTH, THEMES[theme])
        return render_png(svg, THUMBNAIL_WIDTH)

    return _kept(content_hash, f"{theme}-thumb.png", draw)


def draw_all(content_hash: str) -> None:
    """Draw every picture of a map ahead of time, so that nobody waits for one."""
    for theme in THEMES:
        thumbnail(content_hash, theme)
        base_picture(content_hash, theme)


def undrawn() -> list[str]:
    """Return the hashes of stored maps of which a picture is missing, the newest first.

    All are missing once the renderer has changed.
    """
    hashes = StoredChart.objects.values_list("content_hash", flat=True)
    names = [f"{theme}{rest}" for theme in THEMES for rest in ("-thumb.png", ".svg")]
    return [one for one in hashes if not all(_place(one, name).exists() for name in names)]


def _kept(content_hash: str, name: str, draw: Callable[[], bytes]) -> bytes:
    path = _place(content_hash, name)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        made = draw()
    write_whole(path, made)
    return made


def _place(content_hash: str, name: str) -> Path:
    """Return where a picture is kept; another renderer looks elsewhere, and draws anew."""
    folder: Path = settings.DATA_DIR / "maps" / renderer_version()
    return folder / content_hash / name


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    draft.write_bytes(content)
    draft.replace(path)


def map_picture(content_hash: str, kind: str) -> bytes:
    """Return the whole map at the start of a game, as `svg` or `png`, to be used elsewhere."""

    def draw() -> bytes:
        drawn = render_map(find_chart(content_hash))
        return drawn.encode() if kind == "svg" else render_png(drawn, PNG_WIDTH)

    return _kept(content_hash, f"map.{kind}", draw)


def starting_overlay(chart: Chart) -> SafeString:
    """Return the starting position of a map, to be laid over its picture in a page.

    It has names and codes; the page's CSS shows the codes where names would be too small.
    """
    position = starting_position(chart.board)
    drawn = render_overlay(chart, position, labels=Labels.BOTH, title=chart.world)
    return mark_safe(drawn)  # noqa: S308 - drawn by us, names escaped there
