"""How a response may be compressed."""

import re
from typing import Final

from django.http import HttpRequest

BROTLI: Final = "br"
_ACCEPTS_BROTLI: Final = re.compile(r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


def accepts_brotli(request: HttpRequest) -> bool:
    """Return whether the browser accepts Brotli, which it offers only on secure connections."""
    return _ACCEPTS_BROTLI.search(request.headers.get("Accept-Encoding", "")) is not None
