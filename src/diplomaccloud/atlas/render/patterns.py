"""A pattern for each power, for people who cannot distinguish the countries' colors."""

from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import Scene
from diplomaccloud.judge.board import Power

_TILE = 18

# One tile of each, in plain units. The most different ones come first, because most boards have
# few powers.
_PATTERNS = (
    "M-3 3 3-3M-3 21 21-3M15 21l6-6",
    "M4.5 4.5h.01M13.5 13.5h.01",
    "M0 4.5h18M0 13.5h18",
    "M4.5 1v7M1 4.5h7M13.5 10v7M10 13.5h7",
    "M-3 15l6 6M-3-3 21 21M15-3l6 6",
    "M4.5 0v18M13.5 0v18",
    "M0 5q4.5-6 9 0t9 0M0 14q4.5-6 9 0t9 0",
    "M0 0 18 18M18 0 0 18",
    "M4.5 1.5a3 3 0 010 6 3 3 0 010-6M13.5 10.5a3 3 0 010 6 3 3 0 010-6",
    "M0 0h18M0 9h18M0 0v9M9 9v9",
)


def draw_pattern(scene: Scene, number: int, power: Power, *, shown: bool) -> str:
    """Return the pattern of `power` over the country whose outline has the id `o-c{number}`.

    Unless `shown`, it is hidden (`display="none"`); the CSS of a page can show it.
    """
    powers = [info.power for info in scene.chart.board.powers]
    kind = powers.index(power) if power in powers else len(powers)
    drawn = _PATTERNS[kind % len(_PATTERNS)]
    scale = "" if num(scene.unit) == "1" else f' patternTransform="scale({scene.unit:.2f})"'
    hidden = "" if shown else ' display="none"'
    return (
        f'<g class="pattern"{hidden}><pattern id="o-p{number}" width="{_TILE}" height="{_TILE}"'
        f' patternUnits="userSpaceOnUse"{scale}><path d="{drawn}" fill="none"'
        f' stroke="{scene.inks_of(power).mark}" stroke-width="{_stroke_width(drawn)}"'
        ' stroke-linecap="round"/></pattern>'
        f'<use href="#o-c{number}" fill="url(#o-p{number})" fill-opacity=".4"/></g>'
    )


def _stroke_width(drawn: str) -> str:
    """Return the stroke width; dots are strokes without length and need a larger one."""
    return "5" if drawn.endswith(".01") else "1.7"
