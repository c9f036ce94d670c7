"""Draw maps as SVG and PNG: a base map for each chart and an overlay for each position."""

from diplomaccloud.atlas.render.base import render_base
from diplomaccloud.atlas.render.labels import Labels
from diplomaccloud.atlas.render.motions import trace_retreats, trace_routes
from diplomaccloud.atlas.render.overlay import (
    TERRITORY_PARTS,
    hash_territory,
    render_layer,
    render_map,
    render_orders,
    render_overlay,
    render_parts,
    render_picture,
    render_thumbnail,
    write_shapes,
)
from diplomaccloud.atlas.render.png import PictureError, render_png
from diplomaccloud.atlas.render.territory import find_territory
from diplomaccloud.atlas.render.theme import LIGHT, NIGHT, Theme, css_variables
from diplomaccloud.atlas.render.version import renderer_version

__all__ = [
    "LIGHT",
    "NIGHT",
    "TERRITORY_PARTS",
    "Labels",
    "PictureError",
    "Theme",
    "css_variables",
    "find_territory",
    "hash_territory",
    "render_base",
    "render_layer",
    "render_map",
    "render_orders",
    "render_overlay",
    "render_parts",
    "render_picture",
    "render_png",
    "render_thumbnail",
    "renderer_version",
    "trace_retreats",
    "trace_routes",
    "write_shapes",
]
