"""The API object: its operations, body parser, exception handlers and description.

The framework leaves scopes, refusals and headers out of the OpenAPI description; `complete` adds
them.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.http import require_safe
from ninja import NinjaAPI, Router
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema

from diplomaccloud.api import (
    announcements,
    archive,
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
    notices,
    orders,
    people,
    problems,
    reports,
    seats,
    votes,
)
from diplomaccloud.api.auth import NeedsScope
from diplomaccloud.api.bodies import BodyParser
from diplomaccloud.api.descriptions import add_examples, describe_all
from diplomaccloud.api.operations import GUARDS, HEADER, REPLAYED, answer_refusal, describe_header
from diplomaccloud.api.tokens import SCOPE_WORDS, Scope
from diplomaccloud.maps.library import QuotaError
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.addresses import find_origin

_AREAS: Final = (
    *(people.me_area, gallery.map_files_area, games.area, archive.area, conference_maps.area),
    *(events.area, gallery.area, history.area, judging.area, lobby.area, master.area),
    *(announcements.area, notices.area, messages.area, reports.area),
    *(people.area, orders.drafts_area, votes.area),
    *(orders.hints_area, conversations.area, lobby.waiting_room_area, seats.countries_area),
    *(lobby.solo_area, seats.area, orders.area, notices.webhooks_area),
)
"""All operations, in the order of the OpenAPI description."""
Json = dict[str, Any]
ABOUT: Final = (
    "Programs can do here what players can do on the pages, under the same rules. Every refusal is "
    "a problem document; a method that an address does not support gets 405."
)
SECURITY: Final[Mapping[str, Json]] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "dc_…",
        "description": "An API token. People create tokens at `/account/tokens/`, with the scopes "
        + ", ".join(f"`{scope.value}`" for scope in Scope)
        + ".",
    },
    "oauth2": {
        "type": "oauth2",
        "description": "An app that a person lets act for them, registered at `/account/apps/`. "
        "It must use PKCE with `S256`. Devices ask at `/oauth/device/code`.",
        "flows": {
            "authorizationCode": {
                "authorizationUrl": "/oauth/authorize",
                "tokenUrl": "/oauth/token",
                "refreshUrl": "/oauth/token",
                "scopes": {str(scope): words for scope, words in SCOPE_WORDS.items()},
            }
        },
    },
}
"""The ways to say who calls. Any one of them is enough, with the scope that an operation needs."""
SITE: Final = "This site."
_TAG: Final = {"description": "The version of the game.", "schema": {"type": "string"}}
_RETRY: Final = {"description": "How many seconds to wait.", "schema": {"type": "integer"}}
_LIMITS: Final = {
    "RateLimit-Policy": {
        "description": "The limit with the smallest part left: its name, the quota `q`, and its "
        "window `w` in seconds.",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "What is left of it (`r`), and in how many seconds it starts over (`t`).",
        "schema": {"type": "string"},
    },
}
"""The headers of every answer, unless the operator has turned limits off."""
_REPLAYED: Final = {
    "description": "`true` if an earlier request with the same key had this answer; otherwise the "
    "header is absent.",
    "schema": {"type": "string", "enum": ["true"]},
}
_OTHER_FORMS: Final = {"getSeat": "text/plain", "listEvents": "text/event-stream"}
"""Operations that can also answer with text, and the media type."""
_HEADERS: Final[Mapping[str, Json]] = {
    "getGame": describe_header(
        "If-None-Match",
        "The `ETag` of the response that you have. Returns 304 if it still matches.",
        200,
    ),
    "listEvents": describe_header(
        "Last-Event-ID", "For streams: the `id` of your last event. It replaces `after`.", 40
    ),
}
"""Headers of requests that only one operation reads."""


def complete(operation: Json, method: str, path: str, guard: NeedsScope) -> None:
    """Add what the framework leaves out of the description of an operation."""
    name = operation["operationId"]
    scope = guard.scope.value
    needed: list[Json] = [{named: [scope]} for named in SECURITY]
    sentence = f"Needs the scope `{scope}`."
    operation["security"] = needed
    if guard.visitors:
        operation["security"] = [{}, *needed]
        sentence = f"Needs no token for what visitors may see, and otherwise the scope `{scope}`."
    operation["description"] += f"\n\n{sentence}"
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None and "allOf" in content["schema"]:
        # An optional body refers to its schema as a required one does.
        content["schema"] = content["schema"]["allOf"][0]
    if name in _HEADERS:
        operation["parameters"] = [*operation.get("parameters", ()), _HEADERS[name]]
    answers = operation["responses"]
    answers.pop(422)
    if kind := _OTHER_FORMS.get(name):
        answers[200]["content"][kind] = {"schema": {"type": "string"}}
    if name == "getGame":
        answers[200]["headers"] = {"ETag": _TAG}
        answers[304] = {"description": "Nothing has changed.", "headers": {"ETag": _TAG}}
    if name == "getPhase":
        place = {"description": "The phase by its number.", "schema": {"type": "string"}}
        about = "The phase was given by its name."
        answers[307] = {"description": about, "headers": {"Location": place}}
    if any(one["name"] == HEADER for one in operation.get("parameters", ())):
        for status, answer in answers.items():
            if status < 300:
                answer["headers"] = {REPLAYED: _REPLAYED}
    for answer in answers.values():
        answer["headers"] = {**answer.get("headers", {}), **_LIMITS}
    for status in sorted(_list_refusals(operation, method, path)):
        answers[status] = {"$ref": f"#/components/responses/{problems.STATUSES[status][0]}"}


def describe_refusals() -> Json:
    """Return the description of each refusal, by the kind of problem that is usual for it."""
    schema = {"$ref": "#/components/schemas/ProblemDocument"}
    content = {problems.CONTENT_TYPE: {"schema": schema}}
    described: Json = {
        kind: {"description": about, "content": content}
        for kind, about in problems.STATUSES.values()
    }
    for answer in described.values():
        answer["headers"] = dict(_LIMITS)
    described[problems.find_kind(429)]["headers"]["Retry-After"] = _RETRY
    return described


def _list_refusals(operation: Json, method: str, path: str) -> set[int]:
    statuses = {400, 401, 403, 404, 422, 429, 500, 503}
    if "{game}" in path:
        statuses |= {409, 410}
    if any(one["name"] == HEADER for one in operation.get("parameters", ())):
        statuses |= {409, 412}
    elif method != "get":
        statuses.add(409)
    if "requestBody" in operation:
        statuses |= {408, 411, 413, 415}
    return statuses


_TERMS: Final = {
    "v": 1,
    "phase": "S1901M",
    "parties": ["ENGLAND", "FRANCE"],
    "alternatives": [[{"clause": "peace", "powers": ["ENGLAND", "FRANCE"]}]],
}
_HASH: Final = "6ca13d52ca70c883e0f0bb101e425a89e8624de51db2d2392593af6a84118090"
EXAMPLES: Final[Mapping[str, Mapping[str, object]]] = {
    "AcceptanceGiven": {"accepts_personal": True},
    "AnswerGiven": {"phase": 1, "answer": "yes"},
    "AppealGiven": {"text": "It was a quotation."},
    "BlockGiven": {"name": "Sam", "blocked": True},
    "BoardGiven": {"board": "AQIDBAUG"},
    "BotGiven": {"bot": "level:2"},
    "ColorGiven": {"power": "FRANCE", "color": "#246c6c"},
    "ConditionalOrdersGiven": {"phase": 1, "text": "A PAR R GAS"},
    "ConsentsGiven": {"conversations": [{"with": "FRANCE", "number": 12}]},
    "CountryGiven": {"country": "Ruritania"},
    "DestinationGiven": {"kind": "email", "address": "me@example.com"},
    "ConfirmationGiven": {"bots": False},
    "DismissalGiven": {"seat": "0" * 32},
    "DocumentChangeGiven": {"with": "FRANCE", "number": 1, "text": "We divide Holland."},
    "DraftGiven": {"phase": 1, "orders": ["F LON - NTH"], "live": False},
    "DrawVoteGiven": {"phase": 1, "vote": "draw"},
    "FollowersGiven": {"allowed": False},
    "RatingsGiven": {"hidden": True},
    "GameGiven": {"world": "Tea and treaties", "preset": "daily", "private": True},
    "HintGiven": {"phase": 1},
    "InvitationGiven": {"name": "Sam"},
    "JoinGiven": {"code": "letmein222"},
    "JudgeGiven": {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR"]},
        "orders": {"FRANCE": ["A PAR - BUR"]},
    },
    "KeptMapGiven": {"seed": "amber 1", "players": 5, "name": "Amber"},
    "LookGiven": {"powers": ["ENGLAND", "FRANCE"], "reason": "A report."},
    "MapPlaceGiven": {"with": "FRANCE", "number": 1},
    "MarkGiven": {"with": "FRANCE", "number": 1},
    "MasterGiven": {"phase": 1, "reason": "All players agreed.", "seconds": 86_400},
    "MessageGiven": {
        "to": ["FRANCE"],
        "subject": "The Channel",
        "body": "Do we keep it empty?",
        "proposal": {"terms": _TERMS},
    },
    "MuteGiven": {"power": "FRANCE", "muted": True},
    "NewMapGiven": {"seed": "amber 1", "players": 5},
    "NoticeSettingsGiven": {"kinds": {"message": {"chat": True}}, "zone": "Europe/Berlin"},
    "OrdersGiven": {"phase": 1, "orders": ["F LON - NTH", "A LVP - YOR"], "ready": True},
    "PersonalGiven": {"to": "Sam", "body": "Another game?"},
    "PreviewGiven": {"phase": 1, "reason": "A report."},
    "ProposalAnswerGiven": {"with": "FRANCE", "number": 1, "answer": "accept"},
    "QuestionGiven": {"phase": 1, "question": "draw"},
    "ReadinessGiven": {"ready": True},
    "RenameGiven": {"phase": 1, "new_name": "Plan B"},
    "PlayerReportGiven": {"power": "ITALY", "grounds": "accounts"},
    "ReportGiven": {"kind": "status", "of": "Sam", "grounds": "abuse"},
    "SeenGiven": {"up_to": "2026-11-23T18:00:00Z"},
    "SignatureGiven": {"with": "FRANCE", "number": 1, "digest": _HASH},
    "SoloGiven": {"bot": "level:2", "world": "Alone"},
    "StatusGiven": {"status": "On holiday until May."},
    "TalkGiven": {"phase": 1, "done": True},
    "WebhookGiven": {"address": "https://example.com/hook", "messages": True},
    "WhatIfGiven": {"orders": ["F LON - ENG", "F BRE - ENG"]},
}
"""Examples by schema name."""


class Service(NinjaAPI):
    """The API, with refusals described as problem documents."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Return the OpenAPI 3.1 description of the API."""
        return self._describe(options.get("path_prefix") or self.get_root_path({}))

    # Building this takes half a second, and anyone may request it.
    @lru_cache(maxsize=4)  # noqa: B019 there is one service
    def _describe(self, prefix: str) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=prefix)
        for place, operations in schema["paths"].items():
            for method, operation in operations.items():
                complete(operation, method, place, GUARDS[operation["operationId"]])
        describe_all(schema)
        add_examples(schema)
        schema["components"]["responses"] = describe_refusals()
        schema["components"]["securitySchemes"] = dict(SECURITY)
        # A path of the site itself; `show_description` says at which address that is.
        schema["servers"] = [{"url": "/", "description": SITE}]
        for name, example in EXAMPLES.items():
            schema["components"]["schemas"][name]["examples"] = [example]
        return schema


service = Service(
    title="Diplomaccloud",
    version="1",
    description=ABOUT,
    urls_namespace="api-v1",
    docs_url=None,
    openapi_url="",
    parser=BodyParser(),
)
# One router for all: operations with the same path must share it.
_router = Router(by_alias=True)
for _area in _AREAS:
    _area.fill(_router)
service.add_router("", _router)


_ANSWERS: Final[Mapping[type[Exception], Callable[[HttpRequest, Any], HttpResponse]]] = {
    problems.Problem: lambda _, error: problems.answer_problem(error),
    Refused: answer_refusal,
    ValidationError: lambda _, error: problems.answer_problem(problems.describe_invalid(error)),
    HttpError: lambda _, error: problems.answer_problem(
        problems.Problem(error.status_code, problems.find_kind(error.status_code), str(error))
    ),
    Http404: lambda *_: problems.answer_problem(
        problems.no_such("There is nothing at this address.")
    ),
    QuotaError: lambda _, error: problems.answer_problem(
        problems.Problem(429, "too-many", str(error))
    ),
}
for _kind, _answer in _ANSWERS.items():
    service.add_exception_handler(_kind, _answer)


@require_safe
def show_description(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI description, with the address at which the caller reached the site."""
    servers = [{"url": find_origin(request), "description": SITE}]
    return JsonResponse({**service.get_openapi_schema(), "servers": servers})


urlpatterns = [path("openapi.json", show_description, name="openapi-json"), *service.urls[0]]
