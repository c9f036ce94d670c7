"""Colours: the two themes of the map and the shades made from a power's own colour."""

import re
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache

_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_NO_COLOUR = "#8a8a8a"
WASH = 0.54
"""The opacity of the tint of a country."""

_DARK = "#1d150d"
_MIDDLING = 0.24
"""The luminance above which a dark mark reads better than a white one."""

_READ = 4.5
"""The contrast that small letters need, as WCAG has it."""

_DUSKY = 0.2
"""The luminance of ground below which light letters read better than dark ones."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The inks of one drawing, each a colour as SVG writes it.

    `live` themes hold `var(--map-…, #rrggbb)` instead, so that a page's CSS can change a
    drawing that stands inside the page; see `live_theme`.
    """

    sea: str
    sea_deep: str
    water_line: str
    sea_border: str
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
    arrow_halo: str
    failure: str
    retreat: str
    build: str
    live: bool = False


LIGHT = Theme(
    sea="#aacbd8",
    sea_deep="#8db4c7",
    water_line="#d8ecef",
    sea_border="#5b8aa3",
    land="#f2e6c9",
    land_edge="#b3925a",
    relief_dark="#5a4023",
    relief_light="#fffaea",
    border="#6d5a41",
    coast="#33291d",
    scenery="#dccba6",
    hatch="#b29c70",
    frame="#f0e4c8",
    frame_bar="#b99b5f",
    frame_line="#3d3021",
    label="#2b2118",
    label_halo="#fdf6e3",
    dark_label="#fff7e4",
    dark_halo="#1b140e",
    sea_label="#2c5872",
    sea_halo="#c4dde5",
    star="#241c14",
    star_halo="#fff9e8",
    star_rim="#fff9e8",
    outline="#241b12",
    arrow_halo="#1d1610",
    failure="#d4281e",
    retreat="#d626a8",
    build="#23913c",
)

NIGHT = Theme(
    sea="#1d3247",
    sea_deep="#132336",
    water_line="#3f6380",
    sea_border="#5f88a6",
    land="#81775f",
    land_edge="#2b2114",
    relief_dark="#120c06",
    relief_light="#e9dcb4",
    border="#2f271b",
    coast="#0d0a07",
    scenery="#635b4a",
    hatch="#3b3429",
    frame="#2a241b",
    frame_bar="#77633c",
    frame_line="#8f7b53",
    label="#fbf1d9",
    label_halo="#1e1811",
    dark_label="#fbf1d9",
    dark_halo="#1e1811",
    sea_label="#a9cbe0",
    sea_halo="#14263a",
    star="#efe2bd",
    star_halo="#17110b",
    star_rim="#fff3d3",
    outline="#0d0a07",
    arrow_halo="#050403",
    failure="#ff3322",
    retreat="#ff5fd0",
    build="#4fd06a",
)


@dataclass(frozen=True, slots=True)
class PowerInks:
    """Shades of one power's colour.

    `tint` washes its country, `deep` darkens the country's edge, `badge` fills its units and
    `mark` is drawn on the badge; `bright` is for its arrows.
    """

    tint: str
    deep: str
    badge: str
    mark: str
    bright: str


@cache
def live_theme(theme: Theme) -> Theme:
    """Return `theme` with every colour as a CSS custom property that falls back to it."""
    inks = {ink: f"var({_variable(ink)},{value})" for ink, value in _colours(theme).items()}
    return replace(theme, live=True, **inks)


def css_variables(theme: Theme) -> str:
    """Return CSS declarations (`--map-label:#2b2118;…`) that give a live drawing `theme`."""
    return "".join(f"{_variable(ink)}:{value};" for ink, value in _colours(theme).items())


@lru_cache(maxsize=256)
def power_inks(colour: str, *, live: bool = False) -> PowerInks:
    """Return the shades of `colour` (`#rrggbb`; grey for any other text).

    When `live`, each is a custom property (`--power-tint` …) that falls back to the shade.
    """
    plain = colour if _HEX.match(colour) else _NO_COLOUR
    badge, mark = _badge(plain)
    inks = PowerInks(_muted(plain), _deep(plain), badge, mark, _bright(plain))
    if not live:
        return inks
    names = ("tint", "deep", "badge", "mark", "bright")
    return PowerInks(*(f"var(--power-{name},{getattr(inks, name)})" for name in names))


@lru_cache(maxsize=256)
def is_dark(colour: str) -> bool:
    """Return whether light letters read better than dark ones on a country washed in `colour`."""
    tint, land = _rgb(power_inks(colour).tint), _rgb(LIGHT.land)
    red, green, blue = (t * WASH + g * (1 - WASH) for t, g in zip(tint, land, strict=True))
    return luminance(_hex((red, green, blue))) < _DUSKY


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, 0 to 1, as WCAG defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _colours(theme: Theme) -> dict[str, str]:
    return {one.name: getattr(theme, one.name) for one in fields(theme) if one.name != "live"}


def _variable(ink: str) -> str:
    return f"--map-{ink.replace('_', '-')}"


def _badge(colour: str) -> tuple[str, str]:
    """Return fill and mark: the colour as it is, told apart best, and the mark that reads on it."""
    return colour, _DARK if luminance(colour) > _MIDDLING else "#ffffff"


def _deep(colour: str) -> str:
    """Return a darker shade on which the rim of a star, and the letter in it, can be read."""
    golden, light = _golden(colour), luminance(LIGHT.star_rim) + 0.05
    factors = (0.62, 0.57, 0.52, 0.47, 0.42)
    shades = (_scaled(golden, factor) for factor in factors)
    read = (shade for shade in shades if light / (luminance(shade) + 0.05) >= _READ)
    return next(read, _scaled(golden, factors[-1]))


def _golden(colour: str) -> str:
    """Return `colour`, a yellow one turned towards gold: darkened yellow would look green."""
    hue, lightness, saturation = rgb_to_hls(*_rgb(colour))
    if not 0.105 < hue < 0.185:
        return colour
    return _hex(hls_to_rgb(0.105 + (hue - 0.105) * 0.2, lightness, saturation))


def _muted(colour: str) -> str:
    """Return a shade like a wash of paint, for a whole country.

    A thin wash, through which the relief shows, and so a strong one: it is as far beyond the
    shade that the country shall have as the parchment under it will take it back.
    """
    hue, lightness, saturation = rgb_to_hls(*_rgb(colour))
    wanted = hls_to_rgb(hue, lightness, saturation * 0.85)
    red, green, blue = (
        (want * 0.62 + land * 0.38 - land * (1 - WASH)) / WASH
        for want, land in zip(wanted, _rgb(LIGHT.land), strict=True)
    )
    return _hex((red, green, blue))


def _bright(colour: str) -> str:
    """Return a shade that stands out from a dark halo, and a red one from a failure's red."""
    hue, lightness, saturation = rgb_to_hls(*_rgb(colour))
    vivid = min(1.0, saturation * 1.25)
    return _hex(hls_to_rgb(hue, max(0.7, min(0.9, lightness * 1.15)), vivid))


def _scaled(colour: str, factor: float) -> str:
    red, green, blue = _rgb(colour)
    return _hex((red * factor, green * factor, blue * factor))


def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _hex(rgb: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * max(0.0, min(1.0, part))):02x}" for part in rgb)
