"""Small pictures of whole maps from drawings, without a site; `pictures` keeps them as files.

They are WebP, made by Pillow: relief makes PNG files large (200 kB), WebP takes 12 to 30 kB, and
AVIF takes seconds of processor time. Pillow reads only pictures that we have drawn, never uploads.
It is imported when it is needed, because processes that only send pictures don't need it.
"""

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Final

from diplomaccloud.atlas.png import render_png

if TYPE_CHECKING:
    from PIL.Image import Image

SMALL_WIDTH: Final = 360
LARGE_WIDTH: Final = 720
CARD_WIDTH: Final = 320
MAX_CARD_BYTES: Final = 5_400
_CARD_QUALITIES: Final = range(52, 0, -6)
"""The WebP qualities to try, until the picture is small enough."""
_OVERSAMPLING: Final = 2

_EFFORT: Final = 6
"""The encoder's maximum effort for small files, since it runs only once per map."""


def compress_thumbnails(svg: str, sizes: Iterable[tuple[int, int]]) -> list[bytes]:
    """Return a drawing as WebP pictures of widths and qualities, all from one `LARGE_WIDTH` wide.

    Raises `PictureError` for text that is not SVG.
    """
    picture = _draw(svg, LARGE_WIDTH)
    return [_compress(_resize(picture, width), quality) for width, quality in sizes]


def compress_card(svg: str, width: int = CARD_WIDTH) -> bytes:
    """Return the drawing as WebP of at most `MAX_CARD_BYTES`, or of the lowest quality.

    Raises `PictureError` for text that is not SVG.
    """
    # Pixels of a larger drawing are averaged: thin lines stay even.
    picture = _resize(_draw(svg, width * _OVERSAMPLING), width)
    content = b""
    for quality in _CARD_QUALITIES:
        content = _compress(picture, quality)
        if len(content) <= MAX_CARD_BYTES:
            break
    return content


def _draw(svg: str, width: int) -> "Image":
    from PIL import Image  # noqa: PLC0415

    with Image.open(BytesIO(render_png(svg, width))) as drawn:
        return drawn.convert("RGB")


def _resize(picture: "Image", width: int) -> "Image":
    from PIL import Image  # noqa: PLC0415

    height = round(picture.height * width / picture.width)
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def _compress(picture: "Image", quality: int) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, "WEBP", quality=quality, method=_EFFORT)
    return buffer.getvalue()
