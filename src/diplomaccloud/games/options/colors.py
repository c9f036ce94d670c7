"""The colors that players can choose for their countries."""

from collections.abc import Iterable

from diplomaccloud.atlas.palette import color_difference

COLORS = {
    "#9c2424": "brick red",
    "#e0503c": "scarlet",
    "#c86a30": "orange",
    "#9c543c": "terracotta",
    "#603030": "oxblood",
    "#e4b448": "gold",
    "#a87824": "ochre",
    "#d8d048": "lemon",
    "#90d860": "lime",
    "#48cc90": "mint",
    "#246c3c": "forest green",
    "#183c24": "pine",
    "#6b7a3a": "olive",
    "#246c6c": "teal",
    "#48b4a8": "turquoise",
    "#3c84f0": "azure",
    "#1848a8": "royal blue",
    "#183090": "navy",
    "#7878cc": "lavender",
    "#601878": "violet",
    "#c0489c": "magenta",
    "#e46084": "rose",
    "#483054": "aubergine",
    "#9a9a9a": "silver",
    "#3c3c3c": "charcoal",
    "#fafafa": "white",
}
"""Names of the colors by `#rrggbb`; all stand out from land and water."""

MIN_DIFFERENCE = 14.0
"""The smallest ΔE76 allowed between the colors of two countries, for any kind of color vision."""


def is_distinguishable(color: str, others: Iterable[str]) -> bool:
    """Return whether everyone can tell `color` from each of the `others`, color-blind or not."""
    return all(color_difference(color, other) >= MIN_DIFFERENCE for other in others)


def distinguishable_colors(others: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the colors, with their names, that are distinguishable from all the `others`."""
    taken = list(others)
    return tuple(
        (color, name) for color, name in COLORS.items() if is_distinguishable(color, taken)
    )
