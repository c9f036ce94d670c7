"""Checks of the settings and of this machine, without the database."""

import os
import resource
import shutil
import stat
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.core import mail

from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.project import environment
from diplomaccloud.project.doctor.findings import Finding, attention, good, wrong

MIN_DESCRIPTORS: Final = 4096
MIN_FREE_BYTES: Final = 1_000_000_000
LAST_FREE_BYTES: Final = 200_000_000
_LOCAL: Final = {"localhost", "127.0.0.1", "[::1]"}
_MIN_KEY: Final = 32


def check_settings() -> Iterator[Finding]:
    """Check that the settings are safe and consistent."""
    part, found = "settings", False
    if settings.DEBUG:
        found = True
        yield wrong(part, "Error pages show secrets to everyone.", "Unset DIPLOMACCLOUD_DEBUG.")
    hosts = set(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        found = True
        yield attention(
            part,
            "The site answers to any host name, so others can change the links in notices.",
            "Set DIPLOMACCLOUD_ALLOWED_HOSTS to the names of the site.",
        )
    if not hosts <= _LOCAL and not environment.read_flag("HTTPS"):
        found = True
        yield attention(
            part,
            "Passwords and cookies are sent without encryption.",
            "Put a proxy with HTTPS in front of the site and set DIPLOMACCLOUD_HTTPS=1.",
        )
    if environment.read_flag("HTTPS") and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        found = True
        yield attention(
            part,
            "All visitors seem to have the proxy's address, so they share its limits.",
            "Set DIPLOMACCLOUD_PROXIES to the number of proxies, usually 1.",
        )
    if environment.read_flag("PRIVATE_WEBHOOKS"):
        found = True
        yield attention(
            part,
            "Anyone with an account can make the site connect to your private network.",
            "Unset DIPLOMACCLOUD_PRIVATE_WEBHOOKS on a public site.",
        )
    if len(str(settings.SECRET_KEY)) < _MIN_KEY:
        found = True
        yield wrong(
            part,
            "The signing key is short enough to be guessed.",
            f"Set DIPLOMACCLOUD_SECRET_KEY to at least {_MIN_KEY} random characters.",
        )
    if not found:
        yield good(part, "They are consistent.")


def check_files() -> Iterator[Finding]:
    """Check the data directory, the key in it, and the space on its disk."""
    part, directory = "files", settings.DATA_DIR
    if not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
        yield wrong(
            part,
            f"The site cannot read and write {directory}.",
            "Give the site's user access to it, or set DIPLOMACCLOUD_DATA.",
        )
        return
    key = directory / "secret-key"
    if key.exists() and key.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield wrong(part, f"Others can read {key} and log in as anyone.", f"Run chmod 600 {key}")
    free = shutil.disk_usage(directory).free
    space = f"{free / 1e9:.1f} GB are free in {directory}."
    if free < LAST_FREE_BYTES:
        yield wrong(part, space, "Free up space now; without it, orders cannot be saved.")
    elif free < MIN_FREE_BYTES:
        yield attention(part, space, "Free up space: delete old logs and backups.")
    else:
        yield good(part, space)


def check_limits() -> Iterator[Finding]:
    """Check how many connections a process may have, and that the judge is compiled."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    what = f"A process may open {'any number of' if most < 0 else most} files and connections."
    if 0 <= most < MIN_DESCRIPTORS:
        fix = f"Raise the limit to {MIN_DESCRIPTORS} or more (systemd: LimitNOFILE=65536)."
        yield attention("limits", what, fix)
    else:
        yield good("limits", what)
    if KERNEL.name == "python":
        fix = "Install a C compiler and run scripts/kernel, or install a wheel."
        yield attention("judge", "It is not compiled, so bots and adjudication are slow.", fix)
    else:
        yield good("judge", "It is compiled.")


def check_mail() -> Iterator[Finding]:
    """Log in to the mail server without sending anything."""
    if not environment.read_text("EMAIL_URL"):
        yield attention(
            "mail",
            "There is no mail server, so nobody can get e-mail or reset a password.",
            "Set DIPLOMACCLOUD_EMAIL_URL.",
        )
        return
    connection = mail.get_connection()
    try:
        connection.open()
    except (OSError, ValueError) as error:
        # The error's text could contain the password.
        yield wrong(
            "mail",
            f"Logging in to the mail server {settings.EMAIL_HOST} failed: {type(error).__name__}.",
            "Compare DIPLOMACCLOUD_EMAIL_URL with its settings, and look at its log.",
        )
    else:
        yield good("mail", f"{settings.EMAIL_HOST} answers.")
    finally:
        connection.close()
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        yield attention("mail", "Mail servers reject the sender.", "Set DIPLOMACCLOUD_EMAIL_FROM.")
