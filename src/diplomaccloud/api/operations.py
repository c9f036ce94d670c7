"""How an operation is declared: one line with its address and answer, above its function.

An area is what the operations of one subject have in common: the tag in the description, and who
may call. The name of a function is the operation's stable id: `save_orders` is `saveOrders`.
"""

from collections.abc import Callable
from typing import Final, ParamSpec

from django.http import HttpResponse
from ninja import Router

from diplomaccloud.api.auth import NeedsScope
from diplomaccloud.api.repeats import Effect, write_once
from diplomaccloud.api.schemas.base import ProblemDocument

FAULTS: Final = {frozenset({400, 401, 403, 404, 409, 410, 413, 415, 422, 429}): ProblemDocument}
"""The refusals that every operation can answer with."""
router: Final = Router(by_alias=True)
"""All operations: those of one address must stand in one router."""
_P = ParamSpec("_P")
_Handler = Callable[_P, HttpResponse]


class Area:
    """The operations of one subject; `guard` lets their callers pass."""

    def __init__(self, tag: str, guard: NeedsScope) -> None:
        self._tag, self._guard = tag, guard

    def reads(
        self, path: str, answer: type, *, guard: NeedsScope | None = None
    ) -> Callable[[_Handler[_P]], _Handler[_P]]:
        """Return a decorator for a function that answers GET with `answer`."""

        def declare(function: _Handler[_P]) -> _Handler[_P]:
            self._add("GET", path, function, {200: answer}, guard)
            return function

        return declare

    def writes(
        self, call: str, answer: type, *, status: int = 200, guard: NeedsScope | None = None
    ) -> Callable[[Callable[_P, Effect]], _Handler[_P]]:
        """Return a decorator for a function whose effect is had once; `call` is `PUT /address`."""
        method, _, path = call.partition(" ")

        def declare(function: Callable[_P, Effect]) -> _Handler[_P]:
            handler = write_once(function)
            self._add(method, path, handler, {status: answer}, guard)
            return handler

        return declare

    def _add(
        self,
        method: str,
        path: str,
        handler: _Handler[_P],
        answers: dict[int, type],
        guard: NeedsScope | None,
    ) -> None:
        first, *others = handler.__name__.split("_")
        router.add_api_operation(
            path,
            [method],
            handler,
            auth=guard or self._guard,
            operation_id=first + "".join(map(str.title, others)),
            tags=[self._tag],
            response={**answers, **FAULTS},
        )
