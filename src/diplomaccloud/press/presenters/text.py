"""The text of a message as safe HTML, with external links and marked provinces and orders.

A message is plain text. Addresses with `http` or `https` become links to a page that shows where
they lead. The map's province codes, and orders made of them, are marked so that a script can show
them on the map.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

_URL = re.compile(r"\bhttps?://[^\s<>\"]+", re.IGNORECASE)
_TAIL = ".,;:!?'*_~"
"""Punctuation after an address that belongs to the sentence."""
_PAIRS = {")": "(", "]": "[", "}": "{"}
MAX_URL_LENGTH = 2000
"""Longer addresses stay text, since browsers and servers cut them off."""


def render_text(text: str, codes: frozenset[str] = frozenset()) -> SafeString:
    """Return the text of a message as HTML; `codes` are the provinces of the map."""
    parts: list[str] = []
    end = 0
    for match in _URL.finditer(text):
        address = _trim_address(match[0])
        if not is_outside_link(address):
            continue
        parts += [_mark_places(text[end : match.start()], codes), _link(address)]
        end = match.start() + len(address)
    parts.append(_mark_places(text[end:], codes))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped


def is_outside_link(address: str) -> bool:
    """Return whether a message may link to the address."""
    if len(address) > MAX_URL_LENGTH or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return False
    # A user name before the host can look like another site: https://bank.example@other.example
    return parts.scheme in ("http", "https") and bool(host) and "@" not in parts.netloc


def _trim_address(address: str) -> str:
    """Return the address without the punctuation of the sentence around it."""
    while address:
        last = address[-1]
        unpaired = last in _PAIRS and address.count(last) > address.count(_PAIRS[last])
        if last not in _TAIL and not unpaired:
            break
        address = address[:-1]
    return address


def _link(address: str) -> str:
    return format_html(
        '<a href="{}" rel="noopener noreferrer nofollow" target="_blank">{}</a>',
        f"{reverse('press:leaving')}?{urlencode({'to': address})}",
        address,
    )


def _mark_places(text: str, codes: frozenset[str]) -> str:
    """Return escaped text with provinces and orders marked."""
    if not codes:
        return escape(text)
    pattern = _order_pattern(codes)
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        places = dict.fromkeys(_place_pattern(codes).findall(match[0]))
        parts.append(escape(text[end : match.start()]))
        parts.append(
            format_html(
                '<span class="place" data-places="{}">{}</span>', " ".join(places), match[0]
            )
        )
        end = match.end()
    parts.append(escape(text[end:]))
    return "".join(parts)


@lru_cache(maxsize=32)
def _place_pattern(codes: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b({_join(codes)})\b")


@lru_cache(maxsize=32)
def _order_pattern(codes: frozenset[str]) -> re.Pattern[str]:
    place = rf"(?:{_join(codes)})\b(?:/[NSEW]C\b)?"
    unit = rf"(?:[AF] )?{place}"
    step = rf" ?(?:->|→|–|-|—) ?{place}| [SC] {unit}| H\b"
    return re.compile(rf"(?<![\w/-])(?:{unit}(?:{step})*)(?!\w)")


def _join(codes: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, codes), key=lambda code: (-len(code), code)))
