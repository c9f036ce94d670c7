"""The settings of a cache, a mail server and a file store, each read from one URL.

Errors name the part at fault, and never show the password. `databases` reads the URL of the
database.
"""

import importlib.util
import re
import socket
from collections.abc import Collection
from email.utils import getaddresses
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project.environment import PREFIX, parse_folder

PORT_OR_SIGNS: Final = (
    "its port is not a number from 1 to 65535, or a / ? # [ in the password is not "
    "written as %2F %3F %23 %5B"
)
"""Why the standard library cannot split a URL; its own message may contain the password."""
CONSOLE: Final = "django.core.mail.backends.console.EmailBackend"
_CACHE, _MAIL, _STORAGE, _BROKER = "CACHE_URL", "EMAIL_URL", "STORAGE_URL", "BROKER_URL"
_BROKERS: Final = frozenset({"redis", "rediss", "amqp", "amqps", "sentinel", "memory"})
_CACHE_SCHEMES: Final = {
    "redis": "redis",
    "rediss": "rediss",
    "valkey": "redis",
    "valkeys": "rediss",
}
"""The schemes of a cache, and the library's names for them; the second s is for TLS."""
_TLS_OPTIONS: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_KEY_PREFIX: Final = "diplomaccloud"
_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"
_PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
_LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_TIMEOUT_SECONDS: Final = 10
"""How long to wait for a response from the mail server, since other mail has to wait too."""
_STORE_OPTIONS: Final = ("endpoint", "region")
_SENTRY_ADDRESS: Final = re.compile(r"https?://[^@/]+@[^@/]+/")
_MAX_IN_MEMORY: Final = 2 * 1024 * 1024
"""In bytes; a larger file of an S3 store is read through a temporary file."""


def parse_cache_url(url: str) -> str:
    """Return a URL such as `redis://:password@host:6379/0` in the library's form.

    It stays blank if it is blank. Raises `ImproperlyConfigured`.
    """
    if not url:
        return ""
    scheme, rest = _split_scheme(_CACHE, url, _CACHE_SCHEMES, "redis://, rediss:// or valkey://")
    known = _CACHE_SCHEMES[scheme]
    parts = _split(_CACHE, f"{known}://{rest}")
    if not parts.hostname:
        raise _url_error(_CACHE, "it does not name a host")
    number = parts.path.strip("/")
    if number and not (number.isascii() and number.isdigit()):
        raise _url_error(
            _CACHE, "what follows the host and a slash is not the number of a database"
        )
    for name, _ in parse_qsl(parts.query, keep_blank_values=True):
        if known != "rediss" or name not in _TLS_OPTIONS:
            names = ", ".join(_TLS_OPTIONS)
            reason = f"there is no option {name!r} (there are, for rediss: {names})"
            raise _url_error(_CACHE, reason)
    _require_libraries(_CACHE, "redis")
    return f"{known}://{rest}"


def build_caches(url: str) -> dict[str, dict[str, Any]]:
    """Return Django's setting for what `parse_cache_url` returned.

    Without a URL, the cache is a database table: see `shared/database_cache.py`.
    """
    if not url:
        return {"default": {"BACKEND": "diplomaccloud.shared.database_cache.DatabaseCache"}}
    return {
        "default": {
            "BACKEND": "diplomaccloud.shared.redis_cache.RedisCache",
            "LOCATION": url,
            "KEY_PREFIX": _KEY_PREFIX,
        }
    }


def parse_mail_url(url: str) -> dict[str, Any]:
    """Return Django's settings for a mail server such as `smtp+tls://name:password@host:587`.

    Without a URL, the worker prints mail to its console: see `docs/operations.md`. `smtp` is plain
    text, `smtp+tls` switches to TLS (STARTTLS), and `smtps` uses TLS from the start. Raises
    `ImproperlyConfigured`.
    """
    if not url:
        return {"EMAIL_BACKEND": CONSOLE}
    scheme, _ = _split_scheme(_MAIL, url, _PORTS, "smtp://, smtp+tls:// or smtps://")
    parts = _split(_MAIL, url)
    if not parts.hostname:
        raise _url_error(_MAIL, "it does not name a host")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise _url_error(_MAIL, "nothing may follow the host and the port")
    if bool(parts.username) != bool(parts.password):
        raise _url_error(_MAIL, "it has a name without a password, or a password without a name")
    if parts.password and scheme == "smtp" and parts.hostname not in _LOCAL_HOSTS:
        raise _url_error(
            _MAIL,
            "it would send the password over the network in plain text; use smtp+tls or smtps",
        )
    return {
        "EMAIL_BACKEND": _SMTP,
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or _PORTS[scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": scheme == "smtp+tls",
        "EMAIL_USE_SSL": scheme == "smtps",
        "EMAIL_TIMEOUT": _TIMEOUT_SECONDS,
    }


def parse_sender(text: str) -> str:
    """Return the sender of mail, one address with or without a name.

    Raises `ImproperlyConfigured` for anything else.
    """
    addresses = [address for _, address in getaddresses([text])]
    is_one = len(addresses) == 1 and all(addresses[0].rpartition("@"))
    if not text.isprintable() or not is_one:
        raise ImproperlyConfigured(
            f"Mail cannot be sent from {text!r}. DIPLOMACCLOUD_EMAIL_FROM must be one address."
        )
    return text


def parse_storage_url(url: str) -> dict[str, Any] | None:
    """Return Django's settings for the file store, or None if the URL is blank.

    Then each machine keeps the files it has created in its own data directory. The URL is the
    absolute path of a folder that all machines have mounted, or
    `s3://NAME:SECRET@BUCKET/FOLDER?endpoint=https://…&region=…`; without a name, the library looks
    for credentials in the same places as Amazon's tools. Raises `ImproperlyConfigured`.
    """
    if not url:
        return None
    if url.startswith("/"):
        return _build_folder(Path(url))
    scheme, _ = _split_scheme(_STORAGE, url, ("file", "s3"), "s3:// or a slash")
    try:
        parts = urlsplit(url)
    except ValueError:
        # The standard library's message may contain the text it could not parse: the secret.
        reason = "a / ? # [ in the secret is not written as %2F %3F %23 %5B"
        raise _url_error(_STORAGE, reason) from None
    if scheme == "s3":
        return _build_s3(parts)
    if parts.netloc or not parts.path.strip("/"):
        raise _url_error(_STORAGE, "write a folder as file:///absolute/path")
    return _build_folder(Path(unquote(parts.path)))


def check_broker_url(url: str) -> None:
    """Raise `ImproperlyConfigured` if this is not blank and not the URL of a broker."""
    if url:
        scheme, rest = _split_scheme(_BROKER, url, _BROKERS, "redis://, rediss:// or amqp://")
        parts = _split(_BROKER, f"{scheme}://{rest}")
        if not parts.hostname and scheme != "memory":
            raise _url_error(_BROKER, "it does not name a host")


def parse_address(text: str) -> tuple[str, int] | None:
    """Return the address and the port in `9100`, `10.0.0.1:9100` or `[::1]:9100`.

    Returns None if it is blank. Without an address, only this machine can connect. Raises
    `ValueError`.
    """
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError("must be a port, or an address and a port")
    address = host.strip("[]") or "127.0.0.1"
    try:
        family, kind, *_ = socket.getaddrinfo(address, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind((address, 0))
    except OSError:
        raise ValueError("must be a port, or an address of this machine and a port") from None
    return address, int(port)


def check_sentry_address(text: str) -> None:
    """Raise `ValueError` if this is not blank and not an address with a key."""
    if text and not _SENTRY_ADDRESS.match(text):
        raise ValueError("must begin with https:// and have a key in front of the @")


def _build_folder(folder: Path) -> dict[str, Any]:
    try:
        parse_folder(str(folder))
    except ValueError as error:
        raise _url_error(_STORAGE, f"it {error}") from None
    return {
        "BACKEND": "diplomaccloud.shared.files.FolderStorage",
        "OPTIONS": {"location": str(folder)},
    }


def _build_s3(parts: SplitResult) -> dict[str, Any]:
    """Return the settings of a store with an S3 interface: private files and short timeouts."""
    bucket = parts.netloc.rpartition("@")[2]
    if not bucket or ":" in bucket:
        raise _url_error(_STORAGE, "what follows s3:// (or the @) is not the name of a bucket")
    if bool(parts.username) != bool(parts.password):
        raise _url_error(_STORAGE, "it has a name without a secret, or a secret without a name")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in options:
        if name not in _STORE_OPTIONS:
            known = ", ".join(_STORE_OPTIONS)
            raise _url_error(_STORAGE, f"there is no option {name!r} (there are: {known})")
    endpoint = options.get("endpoint")
    if endpoint is not None and not endpoint.startswith(("https://", "http://")):
        raise _url_error(_STORAGE, "its option endpoint does not begin with https:// or http://")
    _require_libraries(_STORAGE, "storages", "boto3")
    from botocore.config import Config  # noqa: PLC0415 an extra

    chosen = {
        "bucket_name": bucket,
        "location": unquote(parts.path).strip("/"),
        "access_key": unquote(parts.username or "") or None,
        "secret_key": unquote(parts.password or "") or None,
        "endpoint_url": endpoint,
        "region_name": options.get("region"),
        "file_overwrite": True,
        "querystring_auth": True,
        "max_memory_size": _MAX_IN_MEMORY,
        # A store that does not answer delays a page for seconds, not minutes.
        "client_config": Config(
            connect_timeout=2, read_timeout=5, retries={"max_attempts": 2}, signature_version="s3v4"
        ),
    }
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {name: value for name, value in chosen.items() if value is not None}
        | {"default_acl": None},
    }


def _split_scheme(variable: str, url: str, known: Collection[str], allowed: str) -> tuple[str, str]:
    """Return the scheme of a URL in lowercase, and what follows it."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.lower() not in known:
        # Without :// this may be the whole URL, including the password.
        start = f"it begins with {scheme[:12]!r}, not" if separator else "it does not begin"
        raise _url_error(variable, f"{start} with {allowed}")
    return scheme.lower(), rest


def _split(variable: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise _url_error(variable, PORT_OR_SIGNS) from None
    return parts


def _require_libraries(variable: str, *names: str) -> None:
    if any(importlib.util.find_spec(name) is None for name in names):
        raise _url_error(variable, "the library is missing: install the extra `scale`")


def _url_error(variable: str, reason: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{PREFIX}{variable} cannot be used: {reason}.")
