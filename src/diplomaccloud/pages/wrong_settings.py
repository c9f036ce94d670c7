"""Settings that do not fit the proxy: each is named on the page, in the log and for the doctor.

A request shows them: its headers say how a browser reached the site, and the settings say how the
site believes it was reached. Visitors can forge headers, so they decide nothing here except a
sentence. A kind of fault is logged and noted at most once an hour, whatever is sent.

A note is a small file in the data directory: `wrong-settings/KIND.json`, an object with the texts
`setting` (the whole name of the variable), `value` (the setting at that time), `what`, `fix` and
`seen_at` (ISO 8601). `list_notes` returns those that are recent and about the present settings.
"""

import datetime as dt
import json
import math
import re
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone

from diplomaccloud.shared.addresses import clean_address
from diplomaccloud.shared.files import write_atomically

PAUSE: Final = dt.timedelta(hours=1)
"""The time in which a kind of fault is logged and noted once."""
RECENT: Final = dt.timedelta(days=1)
_MOST_NAME: Final = 253
_MOST_BYTES: Final = 4_000
_LOOP: Final = (5, 10.0)
"""How many redirects of one address by one browser make a loop, and within how many seconds."""
_MOST_WATCHED: Final = 1_000
_SETTINGS: Final = {
    "HTTPS": "SECURE_SSL_REDIRECT",
    "ALLOWED_HOSTS": "ALLOWED_HOSTS",
    "TRUSTED_ORIGINS": "CSRF_TRUSTED_ORIGINS",
    "PROXIES": "ALLAUTH_TRUSTED_PROXY_COUNT",
}
"""The names of our variables, each with Django's setting that has its value."""
_ORIGIN: Final = re.compile(r"https?://[a-z0-9.:\[\]-]{1,253}", re.IGNORECASE)
_log = structlog.get_logger(__name__)
_noted_at: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class Fault:
    """A setting that does not fit, as sentences: what a visitor notices, and the fix."""

    kind: str
    setting: str
    what: str
    fix: str

    @property
    def message(self) -> str:
        """The text for everybody's page."""
        return f"{self.what} If you are its host, {self.fix[0].lower()}{self.fix[1:]}"


@dataclass(frozen=True, slots=True)
class Note:
    """A fault that requests have shown; `seen_at` is when it was last noted."""

    setting: str
    value: str
    what: str
    fix: str
    seen_at: dt.datetime


def find_form_fault(request: HttpRequest) -> Fault | None:
    """Return why no form from the address that the browser shows can pass the CSRF check.

    Returns None if the form itself is the reason. Call it after the check has failed.
    """
    origin = _read_origin(request)
    with suppress(DisallowedHost):
        host = request.get_host()
        if origin and origin != f"{request.scheme}://{host}":
            return _compare_origins(request, origin, host)
    return None


def _compare_origins(request: HttpRequest, origin: str, host: str) -> Fault | None:
    """Return why the origin of the site's own form is not `host`; None for other sites' forms."""
    scheme, _, address = origin.partition("://")
    name = split_domain_port(address)[0]
    if name and name == split_domain_port(host)[0]:
        if scheme == "https" and not request.is_secure():
            return _missing_https(has_header=_says_https(request))
        # The reverse may be an attack by somebody who can change pages without HTTPS.
        return (
            None
            if scheme != request.scheme
            else Fault(
                "port",
                "TRUSTED_ORIGINS",
                "This site does not know its port, so no form is accepted.",
                f"Add {origin} to DIPLOMACCLOUD_TRUSTED_ORIGINS and restart the site, "
                "or let the proxy pass on the header Host with the port.",
            )
        )
    # Browsers send this header, which no page can forge, over HTTPS and to this machine.
    if name and request.headers.get("Sec-Fetch-Site") == "same-origin":
        return Fault(
            "host-header",
            "ALLOWED_HOSTS",
            "The proxy of this site hides the site’s name, so no form is accepted.",
            "Let the proxy pass on the header Host, "
            f"and set DIPLOMACCLOUD_ALLOWED_HOSTS to {name}.",
        )
    return None


def find_host_fault(request: HttpRequest) -> Fault | None:
    """Return the fault of a request to a host name that the settings lack, None for other faults.

    Returns None, too, if what was sent cannot be a name.
    """
    name, _ = split_domain_port(request.META.get("HTTP_HOST", "")[: _MOST_NAME + 6])
    if not name or len(name) > _MOST_NAME:
        return None
    with suppress(DisallowedHost):
        request.get_host()
        return None
    return Fault(
        "host",
        "ALLOWED_HOSTS",
        f"This site does not answer to the name {name}.",
        "Add the name to DIPLOMACCLOUD_ALLOWED_HOSTS and restart the site, "
        "or if only your proxy uses this name, let it pass on the header Host.",
    )


def find_redirect_fault(request: HttpRequest) -> Fault | None:
    """Return the fault of a site that redirects a page to itself forever, None without a sign."""
    if request.is_secure() or not settings.SECURE_SSL_REDIRECT:
        return None
    if not (_came_over_https(request) or _watch.is_loop(request)):
        return None
    return Fault(
        "redirects",
        "HTTPS",
        "This site redirects the page to itself forever.",
        "Let the proxy send the header X-Forwarded-Proto with the value https, because "
        "DIPLOMACCLOUD_HTTPS is on.",
    )


def find_proxy_fault(request: HttpRequest) -> Fault | None:
    """Return the fault that the headers of a proxy show; pages work in spite of it.

    Headers from public addresses are ignored while no proxy is trusted: visitors wrote them.
    """
    count: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    header = request.headers.get("X-Forwarded-For", "")
    scheme = request.headers.get("X-Forwarded-Proto", "")
    if not (header or scheme) or (not count and _is_public(request.META.get("REMOTE_ADDR", ""))):
        return None
    if scheme == "https" and not settings.SECURE_SSL_REDIRECT:
        return _missing_https(has_header=True)
    entries = [entry.strip() for entry in header.split(",")] if header else []
    if len(entries) < count:
        return Fault(
            "proxies",
            "PROXIES",
            "A request came through fewer proxies than the settings say, so visitors share limits.",
            f"DIPLOMACCLOUD_PROXIES is {count}, and X-Forwarded-For had {len(entries)} addresses: "
            "let each proxy add one, or change the number.",
        )
    is_ours = count and not _is_public(entries[-count])
    if entries and (not count or (is_ours and any(map(_is_public, entries[:-count])))):
        return Fault(
            "proxies",
            "PROXIES",
            "A request came through more proxies than the settings say, so visitors share limits.",
            f"DIPLOMACCLOUD_PROXIES is {count}: set it to the number of your proxies that add an "
            "address to X-Forwarded-For, usually 1.",
        )
    return None


def note_fault(fault: Fault) -> None:
    """Log the fault and store its note, unless a process here did so within the last hour."""
    now = time.monotonic()
    if now - _noted_at.get(fault.kind, -math.inf) < PAUSE.total_seconds():
        return
    _noted_at[fault.kind] = now
    path, setting = _folder() / f"{fault.kind}.json", f"DIPLOMACCLOUD_{fault.setting}"
    note = Note(setting, _read_value(setting), fault.what, fault.fix, timezone.now())
    last = _read_note(path)
    if last and last.value == note.value and abs(note.seen_at - last.seen_at) < PAUSE:
        return
    _log.warning("wrong setting", setting=setting, what=fault.what, fix=fault.fix)
    with suppress(OSError):
        write_atomically(path, json.dumps(asdict(note), default=str).encode())


def list_notes(now: dt.datetime) -> list[Note]:
    """Return the notes of the last day about settings that have not changed since.

    Files that cannot be read are left out.
    """
    notes = filter(None, map(_read_note, sorted(_folder().glob("*.json"))))
    is_same = [(note, _read_value(note.setting) == note.value) for note in notes]
    return [note for note, same in is_same if same and now - RECENT < note.seen_at]


def _read_note(path: Path) -> Note | None:
    with suppress(OSError, ValueError, TypeError, KeyError):
        read = json.loads(path.read_bytes()[:_MOST_BYTES])
        return Note(**read | {"seen_at": dt.datetime.fromisoformat(read["seen_at"])})
    return None


class _Watch:
    """Counts redirects of one address by one browser, for browsers that say nothing else."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str, ...], tuple[float, int]] = OrderedDict()

    def is_loop(self, request: HttpRequest) -> bool:
        """Count one more redirect; return whether there were too many of this one."""
        names = ("REMOTE_ADDR", "HTTP_X_FORWARDED_FOR", "HTTP_USER_AGENT", "HTTP_HOST")
        key = (*(str(request.META.get(name, ""))[:200] for name in names), request.path[:200])
        now, (most, seconds) = time.monotonic(), _LOOP
        since, count = self._seen.pop(key, (now, 0))
        if now - since > seconds:
            since, count = now, 0
        self._seen[key] = (since, count + 1)
        with suppress(KeyError):  # another thread has removed it
            while len(self._seen) > _MOST_WATCHED:
                self._seen.popitem(last=False)
        return count >= most


_watch: Final = _Watch()


def _missing_https(*, has_header: bool) -> Fault:
    header = "" if has_header else ", and let the proxy send the header X-Forwarded-Proto"
    return Fault(
        "https",
        "HTTPS",
        "This site does not know that it is reached over HTTPS, so no form is accepted.",
        f"Set DIPLOMACCLOUD_HTTPS=1 and restart the site{header}.",
    )


def _read_origin(request: HttpRequest) -> str:
    """Return the origin of the page with the form, blank if it is not sent or not valid."""
    sent = request.headers.get("Origin", "")
    if not sent:
        with suppress(ValueError):
            parts = urlsplit(request.headers.get("Referer", ""))
            sent = f"{parts.scheme}://{parts.netloc}"
    return sent.lower() if _ORIGIN.fullmatch(sent) else ""


def _says_https(request: HttpRequest) -> bool:
    return request.headers.get("X-Forwarded-Proto", "").strip().lower() == "https"


def _came_over_https(request: HttpRequest) -> bool:
    """Return whether the browser's own headers say that it used HTTPS."""
    name = split_domain_port(request.META.get("HTTP_HOST", "").lower())[0]
    if "Sec-Fetch-Mode" in request.headers and not _is_trusted_without(name):
        return True
    origin = _read_origin(request)
    is_own = bool(name) and split_domain_port(origin.partition("://")[2])[0] == name
    return is_own and origin.startswith("https://")


def _is_trusted_without(name: str) -> bool:
    """Return whether browsers treat the host as secure without HTTPS."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    with suppress(ValueError):
        return ip_address(name.strip("[]")).is_loopback
    return False


def _is_public(text: str) -> bool:
    """Return whether the text is an address that anybody on the internet may have."""
    with suppress(ValueError):
        return ip_address(clean_address(text[:100]).partition("/")[0]).is_global
    return False


def _read_value(setting: str) -> str:
    name = _SETTINGS.get(setting.removeprefix("DIPLOMACCLOUD_"), "")
    return repr(getattr(settings, name, None))[:200]


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "wrong-settings"
