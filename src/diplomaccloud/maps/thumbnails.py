"""Small pictures of whole maps, drawn without a site; `pictures` keeps them as files.

They are WebP, made by Pillow: relief makes PNG files large (200 kB), WebP takes 12 to 30 kB, and
AVIF takes seconds of processor time. Pillow reads only pictures that we have drawn, never uploads.
"""

from io import BytesIO
from typing import TYPE_CHECKING, Final

from diplomaccloud.atlas.png import render_png
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.overlay import render_thumbnail
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT, Theme

if TYPE_CHECKING:
    from PIL.Image import Image

SMALL_WIDTH: Final = 360
LARGE_WIDTH: Final = 720

WEBP_EFFORT: Final = 6
"""The encoder's maximum effort for small files, since it runs only once per map."""

_SHIPPED_QUALITY: Final = 30
"""The quality of pictures that come with a release: half the size of what the site draws."""


def draw_thumbnail(chart: Chart, theme: Theme) -> "Image":
    """Return the picture of the map with its countries and centers, `LARGE_WIDTH` wide."""
    # Imported when needed, because processes that only send pictures don't need it.
    from PIL import Image  # noqa: PLC0415

    svg = render_thumbnail(chart, LARGE_WIDTH, theme)
    with Image.open(BytesIO(render_png(svg, LARGE_WIDTH))) as drawn:
        return drawn.convert("RGB")


def compress_thumbnail(picture: "Image", width: int, quality: int) -> bytes:
    """Return the picture as WebP of this width and quality."""
    from PIL import Image  # noqa: PLC0415

    height = round(picture.height * width / picture.width)
    buffer = BytesIO()
    picture.resize((width, height), Image.Resampling.LANCZOS).save(
        buffer, "WEBP", quality=quality, method=WEBP_EFFORT
    )
    return buffer.getvalue()


def draw_shipped_pictures(chart: Chart) -> dict[str, bytes]:
    """Return the pictures that a map comes with, by the names that `pictures` gives them."""
    return {
        f"{name}-small": compress_thumbnail(
            draw_thumbnail(chart, theme), SMALL_WIDTH, _SHIPPED_QUALITY
        )
        for name, theme in (("light", LIGHT), ("dark", NIGHT))
    }
