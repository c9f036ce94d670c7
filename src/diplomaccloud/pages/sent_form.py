"""The input of a request that failed, to be shown and sent again.

Passwords and tokens are left out. Nothing here uses the database.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException
from django.middleware.csrf import get_token
from django.utils.http import escape_leading_slashes

from diplomaccloud.games.table.views import FIELD_LABELS

NUL: Final = "\x00"
LOGIN_PATH: Final = "/accounts/"
_PASSWORD: Final = re.compile(r"passw", re.IGNORECASE)
_TOKEN: Final = re.compile(r"token|secret", re.IGNORECASE)
_LOGIN_CODE: Final = re.compile(r"code|key|otp", re.IGNORECASE)
"""Fields of the pages under `LOGIN_PATH` that prove who someone is."""
_UNREADABLE: Final = (
    MultiPartParserError,
    RawPostDataException,
    RequestDataTooBig,
    SuspiciousOperation,
    UnreadablePostError,
)
_MACHINE_VALUE: Final = re.compile(r"[\w.:-]{0,64}")
"""A value that buttons and hidden fields send; everything else is shown as text."""


@dataclass(frozen=True, slots=True)
class SentField:
    """One value that was sent; without a `label` it is sent again but not shown."""

    name: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class SentForm:
    """Everything that a request sent.

    `passwords` and `files` are the names of fields that must be filled in again. `token` is blank
    if the form cannot be sent again from the page that shows it.
    """

    url: str
    method: str
    fields: tuple[SentField, ...]
    passwords: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    token: str = ""

    @property
    def texts(self) -> tuple[SentField, ...]:
        """The values to show."""
        return tuple(field for field in self.fields if field.label)

    @property
    def can_send(self) -> bool:
        """Whether the same request can be sent again with a button."""
        return self.method == "get" or bool(self.token)


def read_sent_form(request: HttpRequest) -> SentForm:
    """Return what the request sent, without NUL characters.

    A form that has not passed the CSRF check is left out, since another site may have forged it:
    the page would show its text and add a valid token.
    """
    url = escape_leading_slashes(request.get_full_path().replace("%00", "").replace(NUL, ""))
    if request.method in ("GET", "HEAD"):
        path, _, query = url.partition("?")
        return SentForm(path, "get", _read_fields(QueryDict(query), path))
    if request.method != "POST" or not getattr(request, "csrf_processing_done", False):
        return SentForm(url, "", ())
    try:
        sent, files = request.POST, tuple(map(clean_text, request.FILES))
    except _UNREADABLE:
        return SentForm(url, "", ())
    passwords = tuple(name for name in map(clean_text, sent) if _PASSWORD.search(name))
    return SentForm(
        url, "post", _read_fields(sent, request.path), passwords, files, get_token(request)
    )


def clean_text(text: str) -> str:
    """Return the text without NUL characters."""
    return text.replace(NUL, "")


def _read_fields(sent: QueryDict, path: str) -> tuple[SentField, ...]:
    return tuple(
        SentField(name, value, _find_label(name, value))
        for name, value in _clean_values(sent)
        if not _is_secret(name, path)
    )


def _clean_values(sent: QueryDict) -> Iterable[tuple[str, str]]:
    for name, values in sent.lists():
        for value in values:
            yield clean_text(name), clean_text(str(value))


def _is_secret(name: str, path: str) -> bool:
    secret = _PASSWORD.search(name) or _TOKEN.search(name)
    return bool(secret or (path.startswith(LOGIN_PATH) and _LOGIN_CODE.search(name)))


def _find_label(name: str, value: str) -> str:
    """Return the label of a value that a person wrote or chose, blank for any other."""
    if name in FIELD_LABELS and value.strip():
        return FIELD_LABELS[name]
    if _MACHINE_VALUE.fullmatch(value):
        return ""
    return name.replace("_", " ").replace("-", " ").strip().capitalize() or "Text"
