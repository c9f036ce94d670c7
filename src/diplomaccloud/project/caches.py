"""The cache settings, read from one URL such as `redis://:password@host:6379/0`.

Without a URL, the cache is a database table: see `shared/database_cache.py`.
"""

import importlib.util
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from django.core.exceptions import ImproperlyConfigured

_SCHEMES: Final = {
    "redis": "redis",
    "rediss": "rediss",
    "valkey": "redis",
    "valkeys": "rediss",
}
"""The schemes of a URL, and the library's names for them; the second s is for TLS."""
_TLS_OPTIONS: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_KEY_PREFIX: Final = "diplomaccloud"


def parse_cache_url(url: str) -> str:
    """Return the URL in the library's form, or blank if it is blank.

    Raises `ImproperlyConfigured` with a message that names the part at fault, never the password.
    """
    if not url:
        return ""
    scheme, separator, rest = url.partition("://")
    known = _SCHEMES.get(scheme.lower())
    if not separator or known is None:
        # Without :// this may be the whole URL, including the password.
        start = f"it begins with {scheme[:12]!r}, not" if separator else "it does not begin"
        raise _url_error(f"{start} with redis://, rediss:// or valkey://")
    parts = _split(f"{known}://{rest}")
    if not parts.hostname:
        raise _url_error("it does not name a host")
    number = parts.path.strip("/")
    if number and not (number.isascii() and number.isdigit()):
        raise _url_error("what follows the host and a slash is not the number of a database")
    for name, _ in parse_qsl(parts.query, keep_blank_values=True):
        if known != "rediss" or name not in _TLS_OPTIONS:
            names = ", ".join(_TLS_OPTIONS)
            raise _url_error(f"there is no option {name!r} (there are, for rediss: {names})")
    if importlib.util.find_spec("redis") is None:
        raise _url_error("the library is missing: install the extra `scale`")
    return f"{known}://{rest}"


def build_caches(url: str) -> dict[str, dict[str, Any]]:
    """Return Django's setting for what `parse_cache_url` returned."""
    if not url:
        return {"default": {"BACKEND": "diplomaccloud.shared.database_cache.DatabaseCache"}}
    return {
        "default": {
            "BACKEND": "diplomaccloud.shared.redis_cache.RedisCache",
            "LOCATION": url,
            "KEY_PREFIX": _KEY_PREFIX,
        }
    }


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        # The standard library's message may contain the text it could not parse: the password.
        raise _url_error(
            "its port is not a number from 1 to 65535, or a / ? # [ in the password is not "
            "written as %2F %3F %23 %5B"
        ) from None
    return parts


def _url_error(reason: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"DIPLOMACCLOUD_CACHE_URL cannot be used: {reason}.")
