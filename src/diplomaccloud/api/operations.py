"""Declaring operations: a decorator gives each function its path and answer.

An area holds what a group of operations shares: the tag in the OpenAPI description, and who may
call. The function name gives the operation's stable ID: `save_orders` becomes `saveOrders`. What a
function returns is a response, or a value that the schema of the answer is read from.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from functools import wraps
from operator import methodcaller
from typing import Final, TypedDict, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Router
from pydantic import BaseModel

from diplomaccloud.api.answers import File, ProblemDocument, reply
from diplomaccloud.api.auth import NeedsScope, bearer_of, caller_of
from diplomaccloud.api.problems import Problem, no_such
from diplomaccloud.api.repeats import HEADER, find_arrival, write_once
from diplomaccloud.games.table.forms import PhaseAction
from diplomaccloud.games.table.read import Reader
from diplomaccloud.press.conversations.read import PressReader

GUARDS: Final[dict[str, NeedsScope]] = {}
"""Who may call each operation, by its ID."""
_KEY_PARAMETER: Final = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A key of your own: 1 to 200 visible ASCII characters, without spaces. A "
    "request repeated with the same key within 24 hours has no further effect and returns the "
    "same response.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}
_MATCH_PARAMETER: Final = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "The `ETag` of the game. Returns 412 if anything public has changed.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
}
_Operation = TypeVar("_Operation", bound=Callable[..., object])


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
            work = write_once(function, answer, status) if headers else function
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
    """Raise `Problem` for unknown query parameters."""
    if unknown := sorted(set(request.GET) - known):
        names = ", ".join(name[:60] for name in unknown[:5])
        faults = [{"field": name[:60], "message": "Unknown parameter."} for name in unknown[:20]]
        raise Problem(422, "invalid", f"Check these fields: {names}.", more={"errors": faults})


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
    """Return the public names of the query parameters."""
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
        raise no_such("You have no seat in this game.")
    return reader


def read_press(request: HttpRequest, game: str) -> PressReader:
    """Return what the caller may read of a game's press; raise `NoSuchGame`."""
    return PressReader(game, caller_of(request).viewer, with_since=False)
