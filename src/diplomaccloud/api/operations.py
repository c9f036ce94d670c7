"""Declaring operations: a decorator gives each function its path and answer.

An area holds what a group of operations shares: the tag in the OpenAPI description, and who may
call. The function name gives the operation's stable ID: `save_orders` becomes `saveOrders`.
"""

from collections.abc import Callable, Mapping
from operator import methodcaller
from typing import Final, ParamSpec

from django.http.response import HttpResponseBase
from ninja import Router

from diplomaccloud.api.auth import NeedsScope
from diplomaccloud.api.parameters import with_known_parameters
from diplomaccloud.api.repeats import HEADER, Effect, write_once
from diplomaccloud.api.replies import File
from diplomaccloud.api.schemas.base import ProblemDocument

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
