"""Addresses of pages, each of which is made once: a game page has forty links."""

from functools import lru_cache

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse

_KEPT = 8192


def find_url(name: str, *arguments: object) -> str:
    """Return the address of a page, as Django's `reverse` makes it."""
    urls = get_urlconf() or settings.ROOT_URLCONF
    return _reverse(name, tuple(map(str, arguments)), urls, get_script_prefix())


@lru_cache(_KEPT)
def _reverse(name: str, arguments: tuple[str, ...], urls: str, _prefix: str) -> str:
    return reverse(name, urls, arguments)
