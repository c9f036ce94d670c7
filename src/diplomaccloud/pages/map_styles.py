"""The style of maps on pages: a person chooses it beside a map, and the browser remembers it.

Templates are written for parchment. If a browser has another style, the middleware changes the few
places of a page that depend on it, as `color_scheme` does for light and dark colors: the root, from
which `map-styles.css` takes the colors of what is drawn over the base map, and the addresses of the
base map. `map-styles.js` does the same when a person chooses. Only pages in ink have the patterns
of badges, which `map-styles.js` takes from such a page.
"""

import re
from functools import cache
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.templatetags.static import static
from django.utils.deprecation import MiddlewareMixin

from diplomaccloud.judge.board import MAX_POWERS
from diplomaccloud.judge.drawing.patterns import write_badge_patterns
from diplomaccloud.maps.map_styles import MapStyle, find_map_style

_BASE: Final = re.compile(rb'<picture class="map__base">.*?</picture>', re.DOTALL)
_SHEET: Final = b'/pages/css/map.css"'
"""A page with this sheet of its own may get a map later, as the one that draws new worlds."""
_NAME: Final = re.compile(rb'/((?:light|dark)\.svg)(?=[?"])')
_DOWNLOAD: Final = re.compile(rb'( href="/[^/"][^"]*[?]style=)parchment"')
"""A link to a picture or sheet of this site to download."""
_ROOT: Final = b'<html lang="en"'


class MapStyles(MiddlewareMixin):
    """Gives the maps on each page the style that its reader has chosen."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response; pages without a map do not change."""
        style = find_map_style(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if style is not MapStyle.PARCHMENT and is_page and isinstance(response, HttpResponse):
            response.content = _paint(response.content, style)
            if "Content-Length" in response.headers:
                response.headers["Content-Length"] = str(len(response.content))
        return response


def _paint(page: bytes, style: MapStyle) -> bytes:
    """Return the page with maps in this style; text that people wrote has no unescaped quotes."""
    name = style.value.encode()
    page = _DOWNLOAD.sub(rb'\1%b"' % name, page)
    painted, maps = _BASE.subn(lambda base: _NAME.sub(rb"/%b-\1" % name, base[0]), page)
    if not maps and _SHEET not in page:
        return page
    sheet = f'<link rel="stylesheet" href="{static("pages/css/map-styles.css")}"></head>'
    painted = painted.replace(b"</head>", sheet.encode(), 1)
    if style is MapStyle.INK:
        painted = painted.replace(b"</body>", _write_patterns() + b"</body>", 1)
    # Before the choice of light or dark colors, after which the service worker looks.
    return painted.replace(_ROOT, b'%b data-map-style="%b"' % (_ROOT, name), 1)


@cache
def _write_patterns() -> bytes:
    """Return the patterns of the badges of all powers that a map may have, which take no room."""
    patterns = write_badge_patterns(MAX_POWERS)
    return f'<svg class="offscreen" aria-hidden="true"><defs>{patterns}</defs></svg>'.encode()
