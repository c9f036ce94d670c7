"""Which mail server: one address such as `smtp+tls://name:password@host:587`, or none.

Without one, mail is printed where the web server prints: see `docs/operations.md`.
"""

from collections.abc import Collection
from email.utils import parseaddr
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

CONSOLE: Final = "django.core.mail.backends.console.EmailBackend"
_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"
_PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_WAIT_SECONDS: Final = 10
"""How long a letter waits for the mail server, and those behind it."""


def parse_mail_url(url: str, hosts: Collection[str] = ()) -> dict[str, Any]:
    """Return Django's settings of the mail server at `url`; if blank, of the console.

    `smtp` is plain, `smtp+tls` turns to TLS (STARTTLS) and `smtps` speaks it from the start.
    `hosts` are the names that the site answers to: a link in mail has the one it was asked by.
    Raises `ImproperlyConfigured`, whose message names the part at fault, never the password.
    """
    if not url:
        return {"EMAIL_BACKEND": CONSOLE}
    scheme, mark, _ = url.partition("://")
    scheme = scheme.lower()
    if scheme not in _PORTS:
        # Without the mark this may be all of the address, and the password in it.
        found = f"it begins with {scheme[:12]!r}, not" if mark else "it does not begin"
        raise _fault(f"{found} with smtp://, smtp+tls:// or smtps://")
    if "*" in hosts:
        raise _fault(
            "the site answers to any name, so that anybody could have links mailed that lead "
            "elsewhere: set DIPLOMACCLOUD_ALLOWED_HOSTS to the site's own names"
        )
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[scheme]
    except ValueError:
        # The standard library's message may repeat what it could not read: the password.
        raise _fault(
            "its port is not a number from 1 to 65535, or a / ? # [ in the password is not "
            "written as %2F %3F %23 %5B"
        ) from None
    if not parts.hostname:
        raise _fault("it names no host")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise _fault("there is something behind the host and the port")
    if bool(parts.username) != bool(parts.password):
        raise _fault("it has a name without a password, or a password without a name")
    if parts.password and scheme == "smtp" and parts.hostname not in _HERE:
        raise _fault("its password would cross the network in plain text: write smtp+tls or smtps")
    return {
        "EMAIL_BACKEND": _SMTP,
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": scheme == "smtp+tls",
        "EMAIL_USE_SSL": scheme == "smtps",
        "EMAIL_TIMEOUT": _WAIT_SECONDS,
    }


def parse_sender(text: str) -> str:
    """Return who mail is from if it is one address, with or without a name.

    Raises `ImproperlyConfigured`.
    """
    _, address = parseaddr(text)
    if not text.isprintable() or not all(address.rpartition("@")):
        raise ImproperlyConfigured(
            f"Mail cannot be from {text!r}: DIPLOMACCLOUD_EMAIL_FROM is one address, such as "
            "Games <games@example.org>."
        )
    return text


def _fault(why: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"The address of the mail server cannot be used: {why}.")
