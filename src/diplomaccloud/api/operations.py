"""Declaring operations: a decorator gives each function its path and answer.

An area holds what a group of operations shares: the tag in the OpenAPI description, and who may
call. The function name gives the operation's stable ID: `save_orders` becomes `saveOrders`. What a
function returns is a response, or a value that the schema of the answer is read from.

Writing is idempotent: a request repeated with the same `Idempotency-Key` takes effect only once.
"""

import datetime as dt
import hashlib
import inspect
import re
from collections.abc import Callable, Sequence
from functools import wraps
from http import HTTPStatus
from math import ceil
from operator import methodcaller
from typing import Any, Final, NamedTuple, TypedDict, TypeVar

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Router
from pydantic import BaseModel

from diplomaccloud.api import problems
from diplomaccloud.api.answers import File, ProblemDocument, find_tag, reply
from diplomaccloud.api.auth import Caller, NeedsScope, bearer_of, caller_of
from diplomaccloud.api.models import KEEP_FOR, REMEMBER_FOR, KeptAnswer
from diplomaccloud.games.table.errors import GameCanceled, NoSuchDraft, NoSuchGame
from diplomaccloud.games.table.forms import PhaseAction
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.table.views import lease_owner
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.visibility.read import may_know
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.schedule.timer import Refused

MOST_KEYS: Final = 20_000
"""The maximum number of keys per person. Keys older than a day are dropped to make room."""
_FORGOTTEN_AT_ONCE: Final = 500
HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
"""The header that marks a replayed answer."""
_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")
_ARRIVAL: Final = "arrived_at"
"""The attribute of a request that holds the time when it arrived."""
_Done = tuple[HttpResponse, int | None]
"""The response of an operation, and the game whose phase may be due now."""
GUARDS: Final[dict[str, NeedsScope]] = {}
"""Who may call each operation, by its ID."""


def describe_header(name: str, about: str, longest: int, **schema: str) -> dict[str, object]:
    """Return the description of a header of requests, as in OpenAPI."""
    limits = {"type": "string", "minLength": 1, "maxLength": longest, **schema}
    place = {"name": name, "in": "header", "required": False}
    return {**place, "description": about, "schema": limits}


_KEY_PARAMETER: Final = describe_header(
    HEADER,
    "A key of your own: 1 to 200 visible ASCII characters, without spaces. A request repeated with "
    "the same key within 24 hours has no further effect and returns the same response.",
    200,
    pattern="^[!-~]+$",
)
_MATCH_PARAMETER: Final = describe_header(
    "If-Match", "The `ETag` of the game. Returns 412 if anything public has changed.", 200
)
_Operation = TypeVar("_Operation", bound=Callable[..., object])


class Effect(NamedTuple):
    """The answer of an operation, and the game whose phase may be due now."""

    answer: object
    due_game_id: int | None = None


class Area:
    """A group of operations; `guard` decides who may call them."""

    def __init__(self, tag: str, guard: NeedsScope) -> None:
        self._tag, self._guard = tag, guard
        self._operations: list[Callable[[Router], None]] = []

    def fill(self, router: Router) -> None:
        """Add the operations to the router."""
        for add in self._operations:
            add(router)

    def reads(
        self, path: str, answer: type | File, *, guard: NeedsScope | None = None
    ) -> Callable[[_Operation], _Operation]:
        """Return a decorator for a GET operation that returns `answer`."""
        return self._declare(f"GET {path}", answer, guard)

    def asks(
        self, path: str, answer: type, *, guard: NeedsScope | None = None
    ) -> Callable[[_Operation], _Operation]:
        """Return a decorator for a POST operation that changes nothing."""
        return self._declare(f"POST {path}", answer, guard)

    def writes(
        self, call: str, answer: type, *, status: int = 200, guard: NeedsScope | None = None
    ) -> Callable[[_Operation], _Operation]:
        """Return a decorator for an idempotent operation; `call` is, for example, `PUT /path`."""
        headers = [_KEY_PARAMETER, _MATCH_PARAMETER] if "{game}" in call else [_KEY_PARAMETER]
        return self._declare(call, answer, guard, status=status, headers=headers)

    def _declare(
        self,
        call: str,
        answer: type | File,
        guard: NeedsScope | None,
        *,
        status: int = 200,
        headers: Sequence[object] = (),
    ) -> Callable[[_Operation], _Operation]:
        method, _, path = call.partition(" ")
        extra: dict[str, object] = {"parameters": headers} if headers else {}
        schema: type | None = None
        if isinstance(answer, File):
            content = {answer.media_type: {"schema": {"type": "string"}}}
            extra = {"responses": {200: {"content": content}}}
        else:
            schema = answer

        def declare(function: _Operation) -> _Operation:
            first, *others = function.__name__.split("_")
            name = first + "".join(map(str.title, others))
            GUARDS[name] = guard or self._guard
            work = _write_once(function, answer, status) if headers else function
            signature = inspect.signature(function)
            known = _list_parameters(signature, path)

            @wraps(function)
            def run(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
                _require_known(request, known)
                made = work(request, *args, **kwargs)
                return made if isinstance(made, HttpResponseBase) else reply(made, answer)

            # The framework reads the signature.
            vars(run)["__signature__"] = _with_optional_body(signature)
            self._operations.append(
                methodcaller(
                    "add_api_operation",
                    path,
                    [method],
                    run,
                    auth=GUARDS[name],
                    operation_id=name,
                    tags=[self._tag],
                    # Any operation can refuse a field; `service` adds the other refusals.
                    response={status: schema, 422: ProblemDocument},
                    openapi_extra=extra,
                )
            )
            return function

        return declare


def _require_known(request: HttpRequest, known: frozenset[str]) -> None:
    if unknown := sorted(set(request.GET) - known):
        names = ", ".join(name[:60] for name in unknown[:5])
        faults = [{"field": name[:60], "message": "Unknown parameter."} for name in unknown[:20]]
        raise problems.Problem(
            422, "invalid", f"Check these fields: {names}.", more={"errors": faults}
        )


def _with_optional_body(signature: inspect.Signature) -> inspect.Signature:
    """Return the signature without the need for a body if none of its fields is required."""
    return signature.replace(
        parameters=[
            one.replace(default=one.annotation())
            if _is_body(one)
            and not any(field.is_required() for field in one.annotation.model_fields.values())
            else one
            for one in signature.parameters.values()
        ]
    )


def _list_parameters(signature: inspect.Signature, path: str) -> frozenset[str]:
    in_path = {"request", *re.findall(r"{(\w+)}", path)}
    return frozenset(
        _find_name(one)
        for one in signature.parameters.values()
        if one.name not in in_path and not _is_body(one)
    )


def _find_name(parameter: inspect.Parameter) -> str:
    marks = getattr(parameter.annotation, "__metadata__", ())
    return next((mark.alias for mark in marks if getattr(mark, "alias", "")), parameter.name)


def _is_body(parameter: inspect.Parameter) -> bool:
    kind = parameter.annotation
    return inspect.isclass(kind) and issubclass(kind, BaseModel)


def _write_once(operation: Callable[..., object], kind: Any, status: int) -> Callable[..., object]:
    """Return the operation, run in one transaction with saving the answer for its key.

    `find_arrival` returns the time before the transaction, which may wait for a lock or be retried.

    If the process is killed, either both are saved or neither is. If two requests arrive at the
    same time, the second waits for the first and gets its answer.
    """

    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        setattr(request, _ARRIVAL, timezone.now())
        key = request.headers.get(HEADER)

        @atomic_with_retries
        def work() -> _Done:
            _require_match(request, str(kwargs.get("game", "")))
            result = operation(request, *args, **kwargs)
            made, due_game_id = result if isinstance(result, Effect) else (result, None)
            return reply(made, kind, status), due_game_id

        if key is None:
            response, due_game_id = work()
        else:
            if not _KEY.fullmatch(key):
                detail = f"{HEADER} must have 1 to 200 visible ASCII characters."
                raise problems.Problem(400, "not-understood", detail)
            response, due_game_id = _run_once(request, key, work)
        if due_game_id is not None:
            advance(game_id=due_game_id, owner=lease_owner(), now=timezone.now)
        return response

    return answer


@atomic_with_retries
def _run_once(request: HttpRequest, key: str, work: Callable[[], _Done]) -> _Done:
    user_id, now = bearer_of(request).user_id, timezone.now()
    key_digest, request_digest = (
        _hash(key.encode()),
        _hash(f"{request.method} {request.get_full_path()}\n".encode() + request.body),
    )
    answers = KeptAnswer.objects.filter(user=user_id, key_digest=key_digest)
    answers.filter(at__lt=now - REMEMBER_FOR).delete()
    if not answers.exists():
        _require_room(user_id, now)
    try:
        with transaction.atomic():
            row = KeptAnswer.objects.create(
                user_id=user_id, key_digest=key_digest, request_digest=request_digest, at=now
            )
    except IntegrityError:
        return _repeat(answers.get(), request_digest, now), None
    try:
        # In its own transaction: a refused request must also discard its events and record lines.
        response, due_game_id = work()
    except Refused as error:
        if error.status == HTTPStatus.TOO_MANY_REQUESTS:
            # The limit is temporary: a later retry with this key must still take effect.
            raise
        response, due_game_id = answer_refusal(request, error), None
    row.status, row.body = response.status_code, response.content.decode()
    row.save(update_fields=["status", "body"])
    return response, due_game_id


def _require_room(user_id: int, now: dt.datetime) -> None:
    """Drop some old keys of a person who has too many; raise `Problem` if none is old enough."""
    answers = KeptAnswer.objects.filter(user=user_id)
    if answers.count() < MOST_KEYS:
        return
    oldest = answers.filter(at__lt=now - KEEP_FOR).order_by("at").values_list("pk", flat=True)
    keys = list(oldest[:_FORGOTTEN_AT_ONCE])
    if not keys:
        detail = f"You used {MOST_KEYS} keys today. Wait, or send requests without keys."
        free_at = answers.order_by("at").values_list("at", flat=True)[0] + KEEP_FOR
        seconds = max(1, ceil((free_at - now).total_seconds()))
        raise problems.Problem(429, "too-many-keys", detail, headers={"Retry-After": str(seconds)})
    KeptAnswer.objects.filter(pk__in=keys).delete()


def answer_refusal(request: HttpRequest, error: Refused) -> HttpResponse:
    """Return the answer to a refused action, hiding private games from strangers."""
    match = request.resolver_match
    slug = str(match.kwargs.get("game", "")) if match else ""
    caller = getattr(request, "auth", None)
    if isinstance(error, GameCanceled) and isinstance(caller, Caller):
        error = error if may_know(slug, caller.viewer) else NoSuchGame()
    if isinstance(error, NoSuchDraft):
        # In some operations, the draft is in the path.
        field = "name" if match and "name" in match.kwargs else "draft"
        return problems.answer_problem(problems.refuse_value(field, error))
    return problems.answer_problem(problems.describe_refusal(error))


def _require_match(request: HttpRequest, slug: str) -> None:
    """Raise `Problem` if the game has changed; lock it until the end of the transaction."""
    wanted = request.headers.get("If-Match")
    if wanted is None:
        return
    if not slug:
        raise problems.Problem(412, "changed", "This address has no ETag.")
    lock_game(slug)
    tag = find_tag(Reader(slug, caller_of(request).viewer))
    known = [part.strip() for part in wanted.split(",")]
    if "*" not in known and tag not in known:
        detail = "The game has changed since you read it. Read it again, then retry."
        raise problems.Problem(412, "changed", detail, headers={"ETag": tag})


def _repeat(row: KeptAnswer, request_digest: str, now: dt.datetime) -> HttpResponse:
    if row.at < now - KEEP_FOR or not row.status:
        detail = (
            f"This {HEADER} was used more than 24 hours ago, and its answer is gone. Nothing has "
            "changed now. Use a new key for each request."
        )
        raise problems.Problem(409, "key-expired", detail)
    if row.request_digest != request_digest:
        detail = f"This {HEADER} was used for another request. Use a new key for each request."
        raise problems.Problem(409, "key-reused", detail)
    kind = problems.CONTENT_TYPE if row.status >= 400 else "application/json"
    return HttpResponse(row.body, status=row.status, content_type=kind, headers={REPLAYED: "true"})


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def find_arrival(request: HttpRequest) -> dt.datetime:
    """Return when the request of a writing operation arrived: the time that decides."""
    arrival = getattr(request, _ARRIVAL)
    assert isinstance(arrival, dt.datetime)  # noqa: S101
    return arrival


class GameAction(TypedDict):
    """The arguments of an action that works in any phase of a game."""

    slug: str
    user_id: int


def act_on(request: HttpRequest, game: str) -> GameAction:
    """Return the arguments of an action that the caller takes in a game."""
    return {"slug": game, "user_id": bearer_of(request).user_id}


def act_in(request: HttpRequest, game: str, sequence: int) -> PhaseAction:
    """Return the arguments of an action that the caller takes in a phase."""
    return {**act_on(request, game), "sequence": sequence, "now": find_arrival(request)}


def read_game(request: HttpRequest, game: str) -> Reader:
    """Return what the caller may know of a game; raise `NoSuchGame`."""
    return Reader(game, caller_of(request).viewer)


def read_seat(request: HttpRequest, game: str) -> Reader:
    """Return what the caller may know as a player; raise `Problem` if the caller has no seat."""
    reader = read_game(request, game)
    if not reader.has_seat:
        raise problems.no_such("You have no seat in this game.")
    return reader


def read_press(request: HttpRequest, game: str) -> PressReader:
    """Return what the caller may read of a game's press; raise `NoSuchGame`."""
    return PressReader(game, caller_of(request).viewer, with_since=False)
