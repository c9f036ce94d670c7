"""Colors: the two themes of the map, and the shades made from a power's color."""

import re
from collections.abc import Iterator
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache

_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_NO_COLOR = "#8a8a8a"
WASH = 0.54
"""The opacity of a country's tint."""

_DARK_MARK = "#1d150d"
_MARK_LUMINANCE = 0.24
"""The luminance above which a dark mark reads better than a white one."""

_MIN_CONTRAST = 4.5
"""The contrast that small text needs according to WCAG."""

_LIGHT_CASING_LUMINANCE = 0.18
"""The luminance below which a light casing differs more from a line than a dark one."""

_MIN_FRONTIER = 3.2
"""The contrast of a frontier with a country in one even color; shaded hills reduce it."""

_LIGHT_TEXT_LUMINANCE = 0.24
"""The luminance below which light text reads better than dark text."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a drawing looks besides its colors.

    `wash` is the opacity of a country's tint, and `edges` are those of the two strokes, a wide and
    a narrow one, that darken its edge. If `cased`, the narrow one is light instead, so that the
    frontier stands out from dark countries. `relief` is the opacity of the relief, `halo` the least
    one around names, and `weight` the width of borders, coasts and frontiers, relative to the usual
    one. If `engraved`, the water along coasts has fine horizontal lines, and if `contoured`, lines
    that follow the coast. `country_names` are the opacities of the names of powers on their
    countries, and of the halo around them. If `inked`, patterns tell powers apart, without colors,
    and if `sans`, the letters have no serifs.
    """

    wash: float = WASH
    edges: tuple[float, float] = (0.28, 0.28)
    cased: bool = False
    relief: float = 1.0
    halo: float = 0.0
    weight: float = 1.0
    country_names: tuple[float, float] = (0.8, 0.45)
    engraved: bool = False
    contoured: bool = False
    inked: bool = False
    sans: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """The colors of a drawing, as SVG writes them.

    `live` themes contain `var(--map-…, #rrggbb)`, so that a page's CSS can change the colors of a
    drawing inside the page; see `live_theme`.
    """

    sea: str
    sea_deep: str
    water_line: str
    sea_border: str
    river: str
    land: str
    land_edge: str
    relief_dark: str
    relief_light: str
    border: str
    coast: str
    scenery: str
    hatch: str
    frame: str
    frame_bar: str
    frame_line: str
    label: str
    label_halo: str
    dark_label: str
    dark_halo: str
    sea_label: str
    sea_halo: str
    star: str
    star_halo: str
    star_rim: str
    outline: str
    casing_light: str
    casing_dark: str
    failure: str
    retreat: str
    build: str
    forest: str
    desert: str
    marsh: str
    ice: str
    rock: str
    glacier: str
    look: Look = field(default=Look(), kw_only=True)
    live: bool = field(default=False, kw_only=True)


_COLORS = {
    "sea": ("#aacbd8", "#1d3247"),
    "sea_deep": ("#8db4c7", "#132336"),
    "water_line": ("#d8ecef", "#3f6380"),
    "sea_border": ("#5b8aa3", "#5f88a6"),
    "river": ("#5b8aa3", "#5f88a6"),
    "land": ("#f2e6c9", "#81775f"),
    "land_edge": ("#b3925a", "#2b2114"),
    "relief_dark": ("#5a4023", "#120c06"),
    "relief_light": ("#fffaea", "#e9dcb4"),
    "border": ("#6d5a41", "#2f271b"),
    "coast": ("#33291d", "#0d0a07"),
    "scenery": ("#dccba6", "#635b4a"),
    "hatch": ("#b29c70", "#3b3429"),
    "frame": ("#f0e4c8", "#2a241b"),
    "frame_bar": ("#b99b5f", "#77633c"),
    "frame_line": ("#3d3021", "#8f7b53"),
    "label": ("#2b2118", "#fbf1d9"),
    "label_halo": ("#fdf6e3", "#1e1811"),
    "dark_label": ("#fff7e4", "#fbf1d9"),
    "dark_halo": ("#1b140e", "#1e1811"),
    "sea_label": ("#2c5872", "#a9cbe0"),
    "sea_halo": ("#c4dde5", "#14263a"),
    "star": ("#241c14", "#efe2bd"),
    "star_halo": ("#fff9e8", "#17110b"),
    "star_rim": ("#fff9e8", "#fff3d3"),
    "outline": ("#241b12", "#0d0a07"),
    "casing_light": ("#fff9e8", "#fff3d3"),
    "casing_dark": ("#1d1610", "#050403"),
    "failure": ("#d4281e", "#d4281e"),
    "retreat": ("#d626a8", "#d626a8"),
    "build": ("#23913c", "#23913c"),
    "forest": ("#6f7f4a", "#4d5836"),
    "desert": ("#b98f4e", "#4f4128"),
    "marsh": ("#5f8380", "#41565a"),
    "ice": ("#8aa0ab", "#c3ccd0"),
    "rock": ("#c0a97c", "#575040"),
    "glacier": ("#f3f6f4", "#54666f"),
}
"""The color of each field of `Theme`, in their order: by day, and at night."""
LIGHT, NIGHT = (
    Theme(*colors, look=look)
    for colors, look in zip(
        zip(*_COLORS.values(), strict=True),
        # At night, most countries are too dark for a dark frontier.
        (Look(halo=0.95), Look(halo=0.95, edges=(0.28, 0.68), cased=True)),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class PowerInks:
    """The shades of a power's color.

    `tint` covers its country, `deep` darkens the country's edge and fills its stars, `badge` is
    the color of its units and arrows, and `mark` is drawn on its units.
    """

    tint: str
    deep: str
    badge: str
    mark: str


INKED = PowerInks("#ffffff", "#000000", "#000000", "#ffffff")
"""The shades of every power in a drawing without colors; badges have patterns."""


@cache
def live_theme(theme: Theme) -> Theme:
    """Return `theme` with every color as a CSS custom property and the color as its fallback."""
    inks = [f"var({name},{color})" for name, color in list_colors(theme)]
    return Theme(*inks, look=theme.look, live=True)


@lru_cache(maxsize=256)
def power_inks(color: str, *, live: bool = False) -> PowerInks:
    """Return the shades of `color` (`#rrggbb`; any other text means gray).

    If `live`, each is a custom property (`--power-tint` …) with the shade as its fallback.
    """
    plain = color if _HEX.match(color) else _NO_COLOR
    mark = _DARK_MARK if luminance(plain) > _MARK_LUMINANCE else "#ffffff"
    # The unchanged color is the easiest to distinguish.
    inks = PowerInks(_make_tint(plain), _make_deep(plain), plain, mark)
    if not live:
        return inks
    return PowerInks(*(f"var(--power-{f.name},{getattr(inks, f.name)})" for f in fields(inks)))


@lru_cache(maxsize=256)
def needs_light_casing(color: str) -> bool:
    """Return whether a line of `color` is cased in light ink, with a dark edge around it."""
    return luminance(color if _HEX.match(color) else _NO_COLOR) < _LIGHT_CASING_LUMINANCE


@lru_cache(maxsize=256)
def is_dark(color: str) -> bool:
    """Return whether light text reads better than dark text on a country tinted with `color`."""
    ground = mix(power_inks(color).tint, LIGHT.land, WASH)
    return luminance(ground) < _LIGHT_TEXT_LUMINANCE


@lru_cache(maxsize=1024)
def needs_frontier_casing(color: str, theme: Theme) -> bool:
    """Return whether a frontier hardly differs from the edge of a country with this color."""
    if theme.live:
        theme = LIGHT
    inks, look = power_inks(color), theme.look
    ground = mix(inks.tint, theme.land, look.wash)
    for opacity in look.edges:
        ground = mix(inks.deep, ground, opacity)
    dark, light = sorted(map(luminance, (ground, theme.coast)))
    return (light + 0.05) / (dark + 0.05) < _MIN_FRONTIER


def luminance(color: str) -> float:
    """Return the relative luminance of `#rrggbb`, 0 to 1, as WCAG defines it."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _parse_rgb(color)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def list_colors(theme: Theme) -> Iterator[tuple[str, str]]:
    """Yield the CSS variable and the value of each color."""
    for ink in fields(theme):
        if ink.name not in {"look", "live"}:
            yield f"--map-{ink.name.replace('_', '-')}", getattr(theme, ink.name)


def _make_deep(color: str) -> str:
    """Return a darker shade on which a star's rim and letter are readable."""
    hue, lightness, saturation = rgb_to_hls(*_parse_rgb(color))
    # Yellow is shifted toward gold, because dark yellow looks green.
    if 0.105 < hue < 0.185:
        color = _format_hex(hls_to_rgb(0.105 + (hue - 0.105) * 0.2, lightness, saturation))
    red, green, blue = _parse_rgb(color)
    for factor in (0.62, 0.57, 0.52, 0.47, 0.42):
        shade = _format_hex((red * factor, green * factor, blue * factor))
        if (luminance(LIGHT.star_rim) + 0.05) / (luminance(shade) + 0.05) >= _MIN_CONTRAST:
            break
    return shade


def _make_tint(color: str) -> str:
    """Return the tint for a whole country.

    The tint is translucent, so that the relief is visible through it. It is therefore stronger
    than the intended shade, by as much as the land's color weakens it.
    """
    hue, lightness, saturation = rgb_to_hls(*_parse_rgb(color))
    intended = hls_to_rgb(hue, lightness, saturation * 0.85)
    red, green, blue = (
        (part * 0.62 + land * 0.38 - land * (1 - WASH)) / WASH
        for part, land in zip(intended, _parse_rgb(LIGHT.land), strict=True)
    )
    return _format_hex((red, green, blue))


def mix(over: str, under: str, opacity: float) -> str:
    """Return the color `over` with this opacity on the color `under`, both `#rrggbb`."""
    pairs = zip(_parse_rgb(over), _parse_rgb(under), strict=True)
    red, green, blue = (a * opacity + b * (1 - opacity) for a, b in pairs)
    return _format_hex((red, green, blue))


def _parse_rgb(color: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(color[1:])
    return red / 255, green / 255, blue / 255


def _format_hex(rgb: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * max(0.0, min(1.0, part))):02x}" for part in rgb)
