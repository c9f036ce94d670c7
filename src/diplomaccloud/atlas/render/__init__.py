"""Maps as pictures: a base drawn once per chart, an overlay per position, and PNGs of both."""

from diplomaccloud.atlas.render.base import render_base
from diplomaccloud.atlas.render.labels import Labels
from diplomaccloud.atlas.render.overlay import (
    render_map,
    render_orders,
    render_overlay,
    render_thumbnail,
)
from diplomaccloud.atlas.render.png import PictureError, render_png
from diplomaccloud.atlas.render.territory import territory
from diplomaccloud.atlas.render.theme import LIGHT, NIGHT, Theme, css_variables
from diplomaccloud.atlas.render.version import renderer_version

__all__ = [
    "LIGHT",
    "NIGHT",
    "Labels",
    "PictureError",
    "Theme",
    "css_variables",
    "render_base",
    "render_map",
    "render_orders",
    "render_overlay",
    "render_png",
    "render_thumbnail",
    "renderer_version",
    "territory",
]
