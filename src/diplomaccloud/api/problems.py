"""Refusals as problem documents (RFC 9457), with types that never change.

Each type is a URN that ends with a word from `KINDS`; `docs/http-api.md` lists them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpResponse
from ninja.errors import ValidationError

from diplomaccloud.games.table import errors as refusals
from diplomaccloud.press.table.errors import KeyReused, PressClosed, TooManyMessages
from diplomaccloud.schedule.timer import Refused, WrongMoment

CONTENT_TYPE: Final = "application/problem+json"
URN: Final = "urn:diplomaccloud:problem:"
KINDS: Final[Mapping[str, str]] = {
    "not-understood": "The request could not be understood",
    "no-token": "A token is required",
    "bad-token": "The token does not work",
    "banned": "The account is banned",
    "scope": "The token lacks the scope for this",
    "other-seat": "The token is for another seat",
    "not-found": "Not found",
    "not-yours": "Not allowed for you",
    "players-decide": "The players decide this",
    "method": "Method not allowed",
    "refused": "Refused",
    "wrong-moment": "Not possible now",
    "similar": "A game like this one waits for players",
    "phase-over": "The phase is over",
    "outdated": "Based on an outdated version",
    "press-closed": "The conversation is closed now",
    "key-reused": "The key was used for another request",
    "key-expired": "The key was used long ago",
    "too-many-keys": "Too many keys in one day",
    "changed": "The game has changed",
    "canceled": "The game is canceled",
    "length": "The length of the body is missing",
    "too-slow": "The request came too slowly",
    "too-large": "The body is too large",
    "media-type": "The body is not JSON",
    "invalid": "A field is wrong",
    "orders": "No order was accepted",
    "too-many": "Too many requests",
    "fault": "Server error",
    "unavailable": "Not available now",
}
"""The last word of each type, and its title."""
STATUSES: Final[Mapping[int, tuple[str, str]]] = {
    400: ("not-understood", "The request could not be understood."),
    401: ("bad-token", "No token, or one that does not work."),
    403: ("not-yours", "The token, or the person, may not do this."),
    404: ("not-found", "It does not exist, or the caller may not know about it."),
    405: ("method", "The address does not support the method."),
    408: ("too-slow", "The body did not arrive in time."),
    409: ("wrong-moment", "Not possible now, or based on something outdated."),
    410: ("canceled", "The game was canceled."),
    411: ("length", "The body has no length."),
    412: ("changed", "The game has changed since the `ETag` in `If-Match`."),
    413: ("too-large", "The body is too large."),
    415: ("media-type", "The body is not JSON."),
    422: ("invalid", "A field is wrong, or the rules of the site refuse its value."),
    429: ("too-many", "Too many requests: see `Retry-After`."),
    500: ("fault", "A problem on the server."),
    503: ("unavailable", "The server cannot answer now."),
}
"""The usual kind for each HTTP status, and when it is returned."""
_BY_CLASS: Final[Sequence[tuple[type[Refused], str]]] = (
    (refusals.NoSuchGame, "not-found"),
    (refusals.GameCanceled, "canceled"),
    (refusals.PlayersDecide, "players-decide"),
    (refusals.NotYourSeat, "not-yours"),
    (refusals.DeadlinePassed, "phase-over"),
    (refusals.InputOutdated, "outdated"),
    (refusals.TooMuchText, "too-large"),
    (PressClosed, "press-closed"),
    (KeyReused, "key-reused"),
    (TooManyMessages, "too-many"),
    (WrongMoment, "wrong-moment"),
)
BODY: Final = "the body"
"""The field of a fault that is not about one field of the body."""
_OUTDATED: Final = "The orders have changed since this version. Read them again. Nothing was saved."
_RETRY_SECONDS: Final = 60
"""When to retry after a refusal that gives no time."""


class Problem(Exception):
    """A refusal by the API itself; `more` is added to the document, and `headers` to the answer."""

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        *,
        more: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail = status, kind, detail
        self.more, self.headers = more or {}, headers or {}


def refuse_field(name: str, why: str) -> Problem:
    """Return the problem for an invalid field."""
    return Problem(422, "invalid", why, more={"errors": [{"field": name, "message": why}]})


def refuse_value(name: str, error: Refused) -> Problem:
    """Return the problem for a field whose value the rules of the site refuse."""
    fault = {"field": name, "message": str(error)}
    return Problem(422, "refused", str(error), more={"errors": [fault]})


def no_such(detail: str) -> Problem:
    """Return the problem for something that does not exist, in words that reveal no game."""
    return Problem(404, "not-found", detail)


def no_such_map(field: str = "") -> Problem:
    """Return the problem for a map that is not on the site, naming the field if there is one."""
    detail = "There is no map with this hash on the site."
    errors = [{"field": field, "message": detail}]
    return Problem(404, "not-found", detail, more={"errors": errors} if field else {})


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Name the field whose value is refused, `field` unless the refusal itself knows it.

    Refusals about anything other than a value pass through.
    """
    try:
        yield
    except Refused as error:
        if error.status != HTTPStatus.BAD_REQUEST or isinstance(error, refusals.NoSuchDraft):
            raise
        raise refuse_value(
            error.name if isinstance(error, refusals.BadValue) else field, error
        ) from error


def answer_problem(problem: Problem) -> HttpResponse:
    """Return the answer with the problem document."""
    document = {
        "type": URN + problem.kind,
        "title": KINDS[problem.kind],
        "status": problem.status,
        "detail": problem.detail,
        **problem.more,
    }
    body = json.dumps(document, ensure_ascii=False)
    answer = HttpResponse(body, status=problem.status, content_type=CONTENT_TYPE)
    for name, value in problem.headers.items():
        answer.headers[name] = value
    if problem.status == HTTPStatus.TOO_MANY_REQUESTS:
        answer.headers.setdefault("Retry-After", str(_RETRY_SECONDS))
    return answer


def describe_refusal(error: Refused) -> Problem:
    """Return the problem for a refused action."""
    status = 422 if error.status == HTTPStatus.BAD_REQUEST else error.status
    usual = "refused" if status == HTTPStatus.UNPROCESSABLE_ENTITY else find_kind(status)
    kind = next((kind for refusal, kind in _BY_CLASS if isinstance(error, refusal)), usual)
    if kind == "outdated":
        # The error's own text is about pages.
        errors = [{"field": "version", "message": _OUTDATED}]
        return Problem(status, kind, _OUTDATED, more={"errors": errors})
    return Problem(status, kind, str(error))


def describe_invalid(error: ValidationError) -> Problem:
    """Return the problem for wrong, missing or unknown fields, naming each of them."""
    faults = [
        {"field": name_field(_drop_source(fault["loc"])), "message": word_fault(fault)}
        for fault in error.errors
    ]
    names = ", ".join(fault["field"] for fault in faults[:5])
    return Problem(422, "invalid", f"Check these fields: {names}.", more={"errors": faults})


def _drop_source(place: Sequence[object]) -> Sequence[object]:
    """Return the path of a field without where it was and the function's parameter for a body.

    A field of a body may itself be called `body`.
    """
    return place[2:] if tuple(place[:2]) == ("body", "given") else place[1:]


def find_kind(status: int) -> str:
    """Return the problem kind for an HTTP status."""
    return STATUSES.get(status, STATUSES[500 if status >= 500 else 400])[0]


def name_field(place: Sequence[object]) -> str:
    """Return the name of a field, such as `orders[2]`, from the parts of its path."""
    name = ""
    for part in place:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else str(part)
    return name or BODY


_SENTENCES: Final[Mapping[str, str]] = {
    kind: sentence
    for kinds, sentence in (
        ("missing union_tag_not_found", "This field is required."),
        ("extra_forbidden", "There is no such field."),
        ("string_type", "This must be text."),
        ("string_too_long", "This must have at most {max_length} characters."),
        ("string_too_short", "This must have at least {min_length} characters."),
        ("too_long", "This must have at most {max_length} items."),
        ("too_short", "This must have at least {min_length} items."),
        ("int_type int_parsing int_parsing_size int_from_float", "This must be a whole number."),
        ("float_type float_parsing finite_number", "This must be a number."),
        ("bool_type bool_parsing", "This must be true or false."),
        ("list_type", "This must be a list."),
        ("dict_type mapping_type model_type model_attributes_type", "This must be an object."),
        ("greater_than_equal", "This must be {ge} or more."),
        ("less_than_equal", "This must be {le} or less."),
        ("literal_error enum", "This must be {expected}."),
        ("union_tag_invalid", "This must be one of {expected_tags}."),
        (
            "datetime_type datetime_parsing datetime_from_date_parsing datetime_object_invalid",
            "This must be a time such as 2026-11-23T18:00:00Z.",
        ),
        ("timezone_aware", "This time must have a time zone, such as Z."),
        (
            "date_type date_parsing date_from_datetime_parsing",
            "This must be a day such as 2026-11-23.",
        ),
    )
    for kind in kinds.split()
}
"""The sentence for each of pydantic's errors."""
_ID: Final = "This must be an ID from a response: 32 characters, 0 to 9 and a to f."
_MAP: Final = "the hash of a map: 64 characters, 0 to 9 and a to f"
_PATTERNS: Final[Mapping[str, str]] = {
    r"\S": "This must not be blank.",
    "^[a-z2-9]{10}$": "This must be the ID of a game: 10 characters, a to z and 2 to 9.",
    "^([a-z2-9]{10})?$": "This must be blank or the ID of a game.",
    "^[0-9a-f]{32}$": _ID,
    "^([0-9a-f]{32})?$": _ID,
    "^[0-9a-f]{64}$": f"This must be {_MAP}.",
    "^([0-9a-f]{64})?$": f"This must be blank or {_MAP}.",
    "^(standard|[0-9a-f]{64})$": f"This must be `standard` or {_MAP}.",
    "^([1-9][0-9]{0,5}|[SFW][0-9]{1,5}[MRA])$": "This must be the number of a phase, "
    "or a name such as S1901M.",
    "^[SFW][0-9]{1,5}$": "This must be a season of a year, such as F1903.",
    "^([SF][0-9]{1,5}[MR]|W[0-9]{1,5}A)$": "This must be the name of a phase, such as S1901M.",
    "^(before|after|[1-9][0-9]{0,5})$": "This must be `before`, `after` or the number of a phase.",
    "^(now|[0-9]{1,9}(-[0-9]{1,9}){0,2})$": "This must be `now` or the `id` of an event.",
    "^(#[0-9a-f]{6})?$": "This must be blank or a color such as #246c6c.",
    "^[A-Za-z0-9]{1,20}$": "This must be a code: 1 to 20 letters and digits.",
    "^[-a-zA-Z0-9_]{1,40}$": "This must be a key from a response: 1 to 40 letters, digits, - or _.",
}
"""What a text must be, by its pattern."""


def word_fault(fault: Mapping[str, Any]) -> str:
    """Return the sentence for one of pydantic's errors."""
    kind, facts = str(fault.get("type", "")), dict(fault.get("ctx") or {})
    if kind == "string_pattern_mismatch":
        pattern = str(facts.get("pattern", ""))
        return _PATTERNS.get(pattern, f"This must match {pattern}.")
    if kind == "value_error":
        # The text is our own.
        return str(fault["msg"]).removeprefix("Value error, ")
    if kind == "string_too_short" and facts.get("min_length") == 1:
        return "This must not be blank."
    if kind == "too_short" and facts.get("min_length") == 1:
        return "This must not be empty."
    if kind not in _SENTENCES:
        return f"{fault['msg']}."
    return _SENTENCES[kind].format(**facts)
