"""The API object: its operations, body parser and exception handlers."""

from functools import lru_cache
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Router
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema

from diplomaccloud.api import (
    archive,
    boards,
    conference_maps,
    conversations,
    events,
    gallery,
    games,
    history,
    judging,
    lobby,
    master,
    messages,
    mutes,
    notices,
    orders,
    people,
    proposals,
    reports,
    seats,
    votes,
    webhooks,
)
from diplomaccloud.api.bodies import BodyParser
from diplomaccloud.api.openapi import ABOUT, EXAMPLES, complete
from diplomaccloud.api.operations import GUARDS
from diplomaccloud.api.problems import (
    Problem,
    answer_problem,
    describe_invalid,
    find_kind,
)
from diplomaccloud.api.repeats import answer_refusal
from diplomaccloud.schedule.timer import Refused

_AREAS: Final = (
    people.me_area,
    gallery.map_files_area,
    games.area,
    boards.area,
    archive.area,
    conference_maps.area,
    events.area,
    gallery.area,
    history.area,
    judging.area,
    lobby.area,
    master.area,
    notices.area,
    messages.area,
    mutes.area,
    reports.area,
    people.area,
    orders.drafts_area,
    votes.area,
    orders.hints_area,
    conversations.area,
    proposals.area,
    conversations.documents_area,
    lobby.waiting_room_area,
    seats.countries_area,
    lobby.solo_area,
    seats.area,
    orders.area,
    webhooks.area,
)
"""All operations, in the order of the OpenAPI description."""


class Service(NinjaAPI):
    """The API, with refusals described as problem documents."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Return the OpenAPI 3.1 description of the API."""
        return self._describe(options.get("path_prefix") or self.get_root_path({}))

    # Building this takes half a second, and anyone may request it.
    @lru_cache(maxsize=4)  # noqa: B019 there is one service
    def _describe(self, prefix: str) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=prefix)
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                complete(operation, method, path, GUARDS[operation["operationId"]])
        for name, example in EXAMPLES.items():
            schema["components"]["schemas"][name]["examples"] = [example]
        return schema


service = Service(
    title="Diplomaccloud",
    version="1",
    description=ABOUT,
    urls_namespace="api-v1",
    docs_url=None,
    parser=BodyParser(),
)
# One router for all: operations with the same path must share it.
_router = Router(by_alias=True)
for _area in _AREAS:
    _area.fill(_router)
service.add_router("", _router)


@service.exception_handler(Problem)
def answer_own(_request: HttpRequest, error: Problem) -> HttpResponse:
    """Return the answer to a refusal by the API itself."""
    return answer_problem(error)


@service.exception_handler(Refused)
def answer_refused(request: HttpRequest, error: Refused) -> HttpResponse:
    """Return the answer to a refused action."""
    return answer_refusal(request, error)


@service.exception_handler(ValidationError)
def answer_invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Return the answer to invalid fields."""
    return answer_problem(describe_invalid(error))


@service.exception_handler(HttpError)
def answer_http(_request: HttpRequest, error: HttpError) -> HttpResponse:
    """Return the answer to a request that the framework refuses."""
    return answer_problem(Problem(error.status_code, find_kind(error.status_code), str(error)))


@service.exception_handler(Http404)
def answer_missing(_request: HttpRequest, _error: Http404) -> HttpResponse:
    """Return the answer to an unknown address."""
    return answer_problem(Problem(404, "not-found", "There is nothing at this address."))
