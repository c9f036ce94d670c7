"""The addresses of a request: who sent it, for limits, and where it reached the site.

A sender is an IPv4 address, or an IPv6 network, such as a household.
"""

import re
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

_NETWORK_BITS: Final = 64
"""The length of the IPv6 prefix that stands for one household or server."""
_MAX_LENGTH: Final = 100
_WITH_PORT: Final = re.compile(r"\[([^\]]*)\](?::\d+)?|([^:]*):\d+")
"""Matches `[::1]:443`, `[::1]` and `192.0.2.1:5678`, as some proxies write them."""


def find_origin(request: HttpRequest) -> str:
    """Return the scheme and host with which the person reached the site: `https://games.example`.

    Raises `DisallowedHost` for a host that the settings don't name.
    """
    return f"{request.scheme}://{request.get_host()}"


def require_own_form(request: HttpRequest) -> None:
    """Raise `PermissionDenied` if a form was on a page of another site.

    It is for forms without a token: on pages of visitors, a token would give each of them a cookie
    and make each page differ from the one before.
    """
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.get_host():
        raise PermissionDenied


def find_last_page(request: HttpRequest) -> str:
    """Return the address of the page that the form was on, or of the home page."""
    page = request.headers.get("Referer", "")
    return page if url_has_allowed_host_and_scheme(page, {request.get_host()}) else "/"


def find_sender(remote: str, forwarded: str) -> str:
    """Return the address that a request counts for: the peer's, or the one that proxies report.

    `forwarded` is the header `X-Forwarded-For`. If it lacks the entry of the first trusted proxy,
    or the entry is not an address, the request counts for the peer, which is a proxy.
    """
    count = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    added = forwarded.split(",") if count else []
    named = _parse(added[-count].strip()[:_MAX_LENGTH]) if len(added) >= count > 0 else None
    return clean_address(remote) if named is None else named


def clean_address(text: str) -> str:
    """Return an address in normal form: an IPv4 address, or the network of an IPv6 address.

    Anything else is returned unchanged.
    """
    return _parse(text) or text


@lru_cache(4096)
def _parse(text: str) -> str | None:
    """Return the normal form of an address, with or without a port, or None if it is invalid."""
    match = _WITH_PORT.fullmatch(text)
    plain = match[1] or match[2] if match else text
    try:
        address = ip_address(plain.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(ip_network((address, _NETWORK_BITS), strict=False))
        return str(address.ipv4_mapped)
    return str(address)
