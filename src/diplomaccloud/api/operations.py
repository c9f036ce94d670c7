"""Declaring operations: a decorator gives each function its path and answer.

An area holds what a group of operations shares: the tag in the OpenAPI description, and who may
call. The function name gives the operation's stable ID: `save_orders` becomes `saveOrders`.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import wraps
from operator import methodcaller
from typing import Annotated, Final, ParamSpec, TypedDict, TypeVar, cast, get_args, get_origin

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Router
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from diplomaccloud.api.answers import File, ProblemDocument
from diplomaccloud.api.auth import NeedsScope, bearer_of, caller_of
from diplomaccloud.api.problems import Problem, no_such
from diplomaccloud.api.repeats import HEADER, Effect, find_arrival, write_once
from diplomaccloud.games.table.forms import PhaseAction
from diplomaccloud.games.table.read import Reader
from diplomaccloud.press.conversations.read import PressReader

_FAULTS: Final = {422: ProblemDocument}
"""A refusal that any operation can return; `openapi` adds the others."""
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
_P = ParamSpec("_P")
_Handler = Callable[_P, HttpResponseBase]


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
    ) -> Callable[[_Handler[_P]], _Handler[_P]]:
        """Return a decorator for a GET operation that returns `answer`."""
        return self._declare(f"GET {path}", answer, guard)

    def asks(
        self, path: str, answer: type, *, guard: NeedsScope | None = None
    ) -> Callable[[_Handler[_P]], _Handler[_P]]:
        """Return a decorator for a POST operation that changes nothing."""
        return self._declare(f"POST {path}", answer, guard)

    def writes(
        self, call: str, answer: type, *, status: int = 200, guard: NeedsScope | None = None
    ) -> Callable[[Callable[_P, Effect]], _Handler[_P]]:
        """Return a decorator for an idempotent operation; `call` is, for example, `PUT /path`."""
        extra = {"parameters": [_KEY_PARAMETER]}
        if "{game}" in call:
            extra["parameters"].append(_MATCH_PARAMETER)

        def declare(function: Callable[_P, Effect]) -> _Handler[_P]:
            handler = write_once(function)
            self._add(call, handler, {status: answer}, guard, extra)
            return handler

        return declare

    def _declare(
        self, call: str, answer: type | File, guard: NeedsScope | None
    ) -> Callable[[_Handler[_P]], _Handler[_P]]:
        extra: dict[str, object] = {}
        if isinstance(answer, File):
            content = {answer.media_type: {"schema": {"type": "string"}}}
            extra = {"responses": {200: {"content": content}}}

        def declare(function: _Handler[_P]) -> _Handler[_P]:
            kept = None if isinstance(answer, File) else answer
            self._add(call, function, {200: kept}, guard, extra)
            return function

        return declare

    def _add(
        self,
        call: str,
        handler: _Handler[_P],
        answers: dict[int, type | None],
        guard: NeedsScope | None,
        extra: Mapping[str, object],
    ) -> None:
        method, _, path = call.partition(" ")
        first, *others = handler.__name__.split("_")
        name = first + "".join(map(str.title, others))
        GUARDS[name] = guard or self._guard
        self._operations.append(
            methodcaller(
                "add_api_operation",
                path,
                [method],
                with_known_parameters(handler, path),
                auth=GUARDS[name],
                operation_id=name,
                tags=[self._tag],
                response={**answers, **_FAULTS},
                openapi_extra=dict(extra),
            )
        )


_R = TypeVar("_R")


def with_known_parameters(function: Callable[_P, _R], path: str) -> Callable[_P, _R]:
    """Return the operation at this path, made to refuse unknown query parameters."""
    known = _list_parameters(function, path)

    @wraps(function)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        unknown = sorted(set(cast("HttpRequest", args[0]).GET) - known)
        if unknown:
            names = ", ".join(name[:60] for name in unknown[:5])
            faults = [{"field": name[:60], "message": "Unknown parameter."} for name in unknown]
            raise Problem(
                422, "invalid", f"Check these fields: {names}.", more={"errors": faults[:20]}
            )
        return function(*args, **kwargs)

    # The framework reads the signature.
    vars(run)["__signature__"] = _with_optional_body(inspect.signature(function))
    return run


def _with_optional_body(signature: inspect.Signature) -> inspect.Signature:
    """Return the signature without the need for a body if none of its fields is required."""
    return signature.replace(
        parameters=[
            one.replace(default=one.annotation())
            if _is_body(one) and not any(map(_is_required, one.annotation.model_fields.values()))
            else one
            for one in signature.parameters.values()
        ]
    )


def _is_required(field: FieldInfo) -> bool:
    return field.is_required()


def _list_parameters(function: Callable[..., object], path: str) -> frozenset[str]:
    """Return the names of the query parameters."""
    in_path = set(re.findall(r"{(\w+)}", path))
    _, *others = inspect.signature(function).parameters.values()
    return frozenset(
        _find_name(one) for one in others if one.name not in in_path and not _is_body(one)
    )


def _is_body(parameter: inspect.Parameter) -> bool:
    kind = parameter.annotation
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return inspect.isclass(kind) and issubclass(kind, BaseModel)


def _find_name(parameter: inspect.Parameter) -> str:
    """Return the parameter's public name."""
    for mark in getattr(parameter.annotation, "__metadata__", ()):
        if alias := getattr(mark, "alias", None):
            return str(alias)
    return parameter.name


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
    """Return what the caller may know as a player; raise `NoSuchGame` if the caller has no seat."""
    return require_own_seat(read_game(request, game))


def require_own_seat(reader: Reader) -> Reader:
    """Return the reader of a game in which the viewer plays; raise a problem otherwise."""
    if not reader.has_seat:
        raise no_such("You have no seat in this game.")
    return reader


def read_press(request: HttpRequest, game: str) -> PressReader:
    """Return what the caller may read of a game's press; raise `NoSuchGame`."""
    return PressReader(game, caller_of(request).viewer, with_since=False)
