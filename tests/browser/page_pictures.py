"""Takes pictures of pages for comparison, and measures how much two pictures differ.

Fonts, clocks and the text cursor differ between machines and moments: the site's own font stands
in for all fonts, and the rest is hidden.
"""

import base64
import io

import numpy as np
from PIL import Image

SIZES = {"phone": (390, 844), "desk": (1440, 900)}
BLOCK = 8
"""The width of the squares, in pixels, whose mean colors are compared."""
VISIBLE = 24
"""The difference of a color channel, of 255, from which a square counts as different."""
QUALITY = 60
STYLE = """
  :root { --sans: "Pagella Web", serif !important; --mono: "Pagella Web", serif !important; }
  *, *::before, *::after { caret-color: transparent !important; animation: none !important;
    transition: none !important; }
  html { scrollbar-width: none; }
  time, game-clock, count-down, local-time, .clock, .footer { visibility: hidden !important; }
"""


def open_context(browser, base_url: str, size: str, scheme: str):
    """Return a browser context of that size in that color scheme, in which pictures are taken."""
    width, height = SIZES[size]
    return browser.new_context(
        base_url=base_url,
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        bypass_csp=True,
        service_workers="block",
        locale="en-US",
        timezone_id="UTC",
    )


def take_picture(page) -> bytes:
    """Return the visible part of the open page as a WebP."""
    page.add_style_tag(content=STYLE)
    page.evaluate("document.activeElement?.blur()")
    page.evaluate(
        """async () => {
          const isSeen = (image) => {
            const { top, bottom, width } = image.getBoundingClientRect();
            return width > 0 && top < innerHeight && bottom > 0;
          };
          const seen = [...document.images].filter(isSeen);
          await Promise.allSettled(seen.map((image) => image.decode()));
          await document.fonts.ready;
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        }"""
    )
    session = page.context.new_cdp_session(page)
    shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    return base64.b64decode(shot["data"])


def measure_difference(first: bytes, second: bytes) -> float:
    """Return the share of the squares of two pictures that differ visibly, 1 for other sizes."""
    one, two = (_shrink(picture) for picture in (first, second))
    if one.shape != two.shape:
        return 1.0
    return float((np.abs(one - two).max(axis=2) > VISIBLE).mean())


def _shrink(picture: bytes) -> np.ndarray:
    image = Image.open(io.BytesIO(picture)).convert("RGB").reduce(BLOCK)
    return np.asarray(image, dtype=np.int16)
