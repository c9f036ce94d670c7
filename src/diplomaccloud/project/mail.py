"""The mail settings, read from one URL such as `smtp+tls://name:password@host:587`.

Without a URL, the worker prints mail to its console: see `docs/operations.md`.
"""

from collections.abc import Collection
from email.utils import parseaddr
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

CONSOLE: Final = "django.core.mail.backends.console.EmailBackend"
_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"
_PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
_LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_TIMEOUT_SECONDS: Final = 10
"""How long to wait for a response from the mail server, since other mail has to wait too."""


def parse_mail_url(url: str, hosts: Collection[str] = ()) -> dict[str, Any]:
    """Return Django's settings for the mail server at `url`, or for the console if blank.

    `smtp` is plain text, `smtp+tls` switches to TLS (STARTTLS), and `smtps` uses TLS from the
    start. `hosts` are the host names that the site answers to, because links in mail start with the
    host name of the request. Raises `ImproperlyConfigured` with a message that names the part at
    fault, never the password.
    """
    if not url:
        return {"EMAIL_BACKEND": CONSOLE}
    scheme, separator, _ = url.partition("://")
    scheme = scheme.lower()
    if scheme not in _PORTS:
        # Without :// this may be the whole URL, including the password.
        start = f"it begins with {scheme[:12]!r}, not" if separator else "it does not begin"
        raise _url_error(f"{start} with smtp://, smtp+tls:// or smtps://")
    if "*" in hosts:
        raise _url_error(
            "the site answers to any host name, so anyone could make it send mail with links to "
            "another site; set DIPLOMACCLOUD_ALLOWED_HOSTS to the names of this site"
        )
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[scheme]
    except ValueError:
        # The standard library's message may contain the text it could not parse: the password.
        raise _url_error(
            "its port is not a number from 1 to 65535, or a / ? # [ in the password is not "
            "written as %2F %3F %23 %5B"
        ) from None
    if not parts.hostname:
        raise _url_error("it does not name a host")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise _url_error("nothing may follow the host and the port")
    if bool(parts.username) != bool(parts.password):
        raise _url_error("it has a name without a password, or a password without a name")
    if parts.password and scheme == "smtp" and parts.hostname not in _LOCAL_HOSTS:
        raise _url_error(
            "it would send the password over the network in plain text; use smtp+tls or smtps"
        )
    return {
        "EMAIL_BACKEND": _SMTP,
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
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
    _, address = parseaddr(text)
    if not text.isprintable() or not all(address.rpartition("@")):
        raise ImproperlyConfigured(
            f"Mail cannot be sent from {text!r}. DIPLOMACCLOUD_EMAIL_FROM must be one address, for "
            "example: Games <games@example.org>"
        )
    return text


def _url_error(reason: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"DIPLOMACCLOUD_EMAIL_URL cannot be used: {reason}.")
