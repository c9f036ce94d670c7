"""The style of maps that a person has chosen, which the browser remembers in a cookie."""

from enum import StrEnum
from typing import Final

from django.http import HttpRequest

from diplomaccloud.judge.drawing.styles import STYLES
from diplomaccloud.judge.drawing.theme import Theme

COOKIE: Final = "map_style"
"""Written by `map-styles.js`."""


class MapStyle(StrEnum):
    """How maps are drawn; parchment and modern have other colors for dark pages."""

    PARCHMENT = "parchment"
    MODERN = "modern"
    ENGRAVING = "engraving"
    HIGH_CONTRAST = "high-contrast"
    INK = "ink"


def find_map_style(request: HttpRequest) -> MapStyle:
    """Return the style that this browser remembers, or else parchment."""
    chosen = request.COOKIES.get(COOKIE)
    return MapStyle(chosen) if chosen in list(MapStyle) else MapStyle.PARCHMENT


def find_theme(request: HttpRequest, *, night: bool = False) -> Theme:
    """Return the colors of that style; if there are others for the `night`, those on request."""
    style = find_map_style(request)
    return STYLES.get(f"{style}-night", STYLES[style]) if night else STYLES[style]
