"""The settings of a site: each is declared here once, and read with `read`.

The tables in `docs/operations.md` and the example files in `deploy` are written from here by
`scripts/settings`. Extras declare theirs in `Extra.settings`.
"""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project import service_urls
from diplomaccloud.project.databases import parse_database_url, parse_owner_url
from diplomaccloud.project.environment import (
    FLAG,
    FOLDER,
    HOSTS,
    LINK,
    NUMBER,
    ORIGINS,
    PREFIX,
    TEXT,
    Kind,
    Setting,
    checked_by,
    choose_from,
)
from diplomaccloud.project.extras import list_extras

_URL: Final = "URL"
_PER_ADDRESS: Final = "one address may have open per process, or 0 for no limit."

DATA: Final = Setting(
    "DATA",
    FOLDER,
    "The folder of all data: the SQLite file, drawn maps, the signing key.",
    example="/var/lib/diplomaccloud",
    default="data",
    section="files",
)
ALLOWED_HOSTS: Final = Setting(
    "ALLOWED_HOSTS",
    HOSTS,
    "The host names of the site, separated by commas or spaces.",
    example="games.example.org",
    default="localhost 127.0.0.1 [::1]",
)
TRUSTED_ORIGINS: Final = Setting(
    "TRUSTED_ORIGINS",
    ORIGINS,
    "The origins whose forms are accepted behind a proxy, separated by commas or spaces.",
    example="https://games.example.org",
)
HTTPS: Final = Setting(
    "HTTPS",
    FLAG,
    "1 behind a proxy that provides HTTPS: secure cookies, redirects, HSTS.",
    example="1",
    default="0",
)
PROXIES: Final = Setting(
    "PROXIES",
    NUMBER,
    "How many proxies in front of the site add an address to the header X-Forwarded-For.",
    example="1",
    default="0",
    section="proxies",
)
EMAIL_URL: Final = Setting(
    "EMAIL_URL",
    Kind(_URL, service_urls.parse_mail_url),
    "The mail server.",
    example="smtp+tls://NAME:PASSWORD@mail.example.org",
    is_secret=True,
    section="mail",
)
EMAIL_FROM: Final = Setting(
    "EMAIL_FROM",
    checked_by("e-mail address", service_urls.parse_sender),
    "The sender of mail.",
    example="Games <games@example.org>",
    default="diplomaccloud@localhost",
    section="mail",
)
DATABASE_URL: Final = Setting(
    "DATABASE_URL",
    checked_by(_URL, partial(parse_database_url, default=Path())),
    "The database, if it is not the SQLite file in the data directory.",
    example="postgresql://site:PASSWORD@127.0.0.1/games",
    is_secret=True,
    section="databases",
    alias="DATABASE_URL",
)
OWNER_DATABASE_URL: Final = Setting(
    "OWNER_DATABASE_URL",
    Kind(_URL, parse_owner_url),
    "The address of the same database for the owner of its tables, on a database server.",
    example="postgresql://games:PASSWORD@127.0.0.1/games",
    is_secret=True,
    section="databases",
)
SECRET_KEY: Final = Setting(
    "SECRET_KEY",
    TEXT,
    "The signing key, at least 32 random characters and the same for all processes, instead of the "
    "file secret-key.",
    example="50-RANDOM-CHARACTERS",
    is_secret=True,
    section="several-machines",
)
CACHE_URL: Final = Setting(
    "CACHE_URL",
    Kind(_URL, service_urls.parse_cache_url),
    "A Redis or Valkey server that all machines share.",
    example="redis://:PASSWORD@cache.example.org:6379/0",
    is_secret=True,
    section="several-machines",
)
STORAGE_URL: Final = Setting(
    "STORAGE_URL",
    Kind("folder or URL", service_urls.parse_storage_url),
    "Where all machines find drawn maps and data exports: a folder that each of them has mounted, "
    "or a bucket.",
    example="/mnt/diplomaccloud",
    is_secret=True,
    section="several-machines",
)
BROKER_URL: Final = Setting(
    "BROKER_URL",
    checked_by(_URL, service_urls.check_broker_url),
    "The broker of Celery's messages.",
    example="redis://:PASSWORD@broker.example.org:6379/1",
    is_secret=True,
    section="celery",
)
TEXTS: Final = Setting(
    "TEXTS",
    FOLDER,
    "The folder of your own texts, by default texts in the data directory.",
    example="/mnt/diplomaccloud/texts",
    section="your-own-texts",
)
CODE_URL: Final = Setting(
    "CODE_URL",
    LINK,
    "Where the code of this site is, for people who want to read it: pages link to it.",
    example="https://code.example.org/diplomaccloud",
)
PRIVATE_WEBHOOKS: Final = Setting(
    "PRIVATE_WEBHOOKS",
    FLAG,
    "1 lets anyone with an account make the site call hosts in your network; never on a "
    "public site.",
    example="1",
    default="0",
    section="notices",
)
BOTS_AT_ONCE: Final = Setting(
    "BOTS_AT_ONCE",
    NUMBER,
    "About how many of the site's bots may look ahead at a time, across all machines, or 0 for no "
    "limit.",
    example="16",
    default="16",
)
NEXT_GAMES: Final = Setting(
    "NEXT_GAMES",
    FLAG,
    "0 opens no next games.",
    example="0",
    default="1",
    section="next-games",
)
CONNECTIONS_PER_ADDRESS: Final = Setting(
    "CONNECTIONS_PER_ADDRESS",
    NUMBER,
    f"How many connections {_PER_ADDRESS}",
    example="256",
    default="256",
    section="under-attack",
)
REQUESTS_PER_ADDRESS: Final = Setting(
    "REQUESTS_PER_ADDRESS",
    NUMBER,
    f"How many requests {_PER_ADDRESS}",
    example="64",
    default="64",
    section="under-attack",
)
STREAMS_PER_ADDRESS: Final = Setting(
    "STREAMS_PER_ADDRESS",
    NUMBER,
    f"How many live streams {_PER_ADDRESS}",
    example="100",
    default="100",
    section="under-attack",
)
METRICS: Final = Setting(
    "METRICS",
    Kind("port, or address:port", service_urls.parse_address),
    "Where each process publishes its metrics.",
    example="9100",
    section="metrics",
)
SENTRY_DSN: Final = Setting(
    "SENTRY_DSN",
    checked_by(_URL, service_urls.check_sentry_address),
    "Where errors are reported, without any text that people wrote.",
    example="https://KEY@sentry.example.org/1",
    is_secret=True,
    section="metrics",
)
LOG_LEVEL: Final = Setting(
    "LOG_LEVEL",
    choose_from("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
    "The least serious lines in the log.",
    example="INFO",
    default="INFO",
    section="logs",
)
LOG_CONSOLE: Final = Setting(
    "LOG_CONSOLE",
    choose_from("text", "json"),
    "The form of log lines.",
    example="json",
    default="text",
    section="logs",
)
LOG_FILES: Final = Setting(
    "LOG_FILES",
    choose_from("folder", "none"),
    "Where play keeps log files: the folder logs in the data directory, or nowhere.",
    example="none",
    default="folder",
    section="logs",
)
LOG_MEGABYTES: Final = Setting(
    "LOG_MEGABYTES",
    NUMBER,
    "The maximum total size of each log's files of play, or 0 if something else removes old ones.",
    example="200",
    default="200",
    section="logs",
)
DEBUG: Final = Setting(
    "DEBUG",
    FLAG,
    "1 shows Django's debug pages, which must never happen on a public site.",
    example="1",
    default="0",
)
SETTINGS: Final[tuple[Setting[Any], ...]] = tuple(
    value for value in list(vars().values()) if isinstance(value, Setting)
)
"""All settings of the site, in the order in which the documentation lists them."""
MIN_KEY: Final = 32
"""How many characters a signing key needs, so that nobody can guess it."""
PLAY: Final = "PLAY"
"""The variable with which `play` marks its processes."""
NOT_SETTINGS: Final = frozenset({PLAY, "BASE", "DAIDE_TRACES", "KERNEL", "OLD", "TOKEN"})
"""Variables with our prefix that are not for hosts, or that other programs read: the judge, the
client, checks."""
_CHECKS: Final = "CHECKS_"
"""How the names of variables for checks begin."""
_LOOKALIKE: Final = "DIPLOMAC"
"""How names with a misspelled prefix may begin."""


def list_settings() -> list[Setting[Any]]:
    """Return the settings of the site and of the installed extras."""
    return [*SETTINGS, *(setting for extra in list_extras() for setting in extra.settings)]


def require_valid_settings() -> None:
    """Raise `ImproperlyConfigured` that names each wrong setting on a line of its own."""
    faults = []
    for setting in list_settings():
        try:
            setting.read()
        except ImproperlyConfigured as error:
            faults.append(str(error))
    if not faults and EMAIL_URL.is_set() and "*" in ALLOWED_HOSTS.read():
        # Links in mail start with the host name of the request.
        sentence = (
            "The site answers to any host name, so anyone could make it send mail with links to "
            f"another site. Set {ALLOWED_HOSTS.variable} to the names of this site."
        )
        faults.append(str(ALLOWED_HOSTS.build_error(sentence)))
    if faults:
        raise ImproperlyConfigured("\n".join(faults))


def belongs_to_play() -> bool:
    """Return whether `play` has started this process."""
    return PREFIX + PLAY in os.environ


def describe_doubts() -> Iterator[str]:
    """Yield a sentence for each variable that the site can start with, but that seems wrong."""
    yield from describe_unknown_names()
    if SECRET_KEY.is_set() and len(SECRET_KEY.read()) < MIN_KEY:
        yield (
            f"{SECRET_KEY.variable} is short enough to be guessed: it needs at least {MIN_KEY} "
            "random characters."
        )
    if (texts := TEXTS.read()) and not os.path.isdir(texts):  # noqa: PTH112 raises nothing
        yield f"There is no folder {texts!r}, which {TEXTS.variable} names."


def describe_unknown_names() -> Iterator[str]:
    """Yield a sentence for each variable that looks like a setting and is none."""
    import difflib  # noqa: PLC0415 rarely needed

    known = [setting.variable for setting in list_settings()]
    for name in sorted(os.environ):
        rest = name.removeprefix(PREFIX)
        if name in known or rest in NOT_SETTINGS or rest.startswith(_CHECKS):
            continue
        is_ours = rest != name
        nearest = difflib.get_close_matches(name, known, 1, 0.6 if is_ours else 0.9)
        if nearest and name.startswith(_LOOKALIKE):
            yield f"There is no setting {name}; the nearest name is {nearest[0]}."
        elif is_ours:
            yield f"There is no setting {name}."
