"""The calls on the API page, generated from the OpenAPI description."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from diplomaccloud.api.service import service

_AUTOMATIC = ("Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID")
"""Headers that the page sends automatically, or not at all."""


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter in the path, query or headers; `options` may be empty."""

    name: str
    place: str
    needed: bool
    about: str
    options: Sequence[str]


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A call; `body` is an example to start from, or blank if the call takes none.

    `short` is the path without the common prefix.
    """

    id: str
    method: str
    path: str
    short: str
    summary: str
    about: str
    fields: Sequence[Field]
    body: str


@dataclass(frozen=True, slots=True)
class Group:
    """The calls with one tag."""

    name: str
    calls: Sequence[ApiCall]


@cache
def describe_calls() -> Sequence[Group]:
    """Return all calls grouped by tag, in the order the API declares them."""
    schema = service.get_openapi_schema()
    groups: dict[str, list[ApiCall]] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            call = _describe(path, method, operation, schema["components"]["schemas"])
            groups.setdefault(operation["tags"][0], []).append(call)
    return [Group(name, calls) for name, calls in groups.items()]


def _describe(
    path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> ApiCall:
    about = str(operation.get("description", operation["summary"])).replace("`", "")
    first, _, rest = about.partition("\n")
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    body = "" if content is None else _write_example(content["schema"], schemas)
    return ApiCall(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        short=path.removeprefix("/api/v1"),
        summary=first,
        about=rest.strip(),
        fields=[
            _describe_field(found)
            for found in operation.get("parameters", ())
            if found["name"] not in _AUTOMATIC
        ],
        body=body,
    )


def _describe_field(found: Mapping[str, Any]) -> Field:
    schema = found["schema"]
    options = [str(option) for option in schema.get("enum", ())]
    return Field(
        name=found["name"],
        place=found["in"],
        needed=bool(found.get("required")),
        about=schema.get("description", ""),
        options=options,
    )


def _write_example(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return an example with the required fields of a body, or all fields if none is required."""
    found = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    fields = found.get("properties", {})
    names = found.get("required") or list(fields)
    example = {name: _choose_value(fields[name], schemas) for name in names}
    return json.dumps(example, indent=2, ensure_ascii=False)


def _choose_value(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> object:
    if "$ref" in schema:
        return _choose_value(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _choose_value(schema["anyOf"][0], schemas)
    kinds: dict[str, object] = {"integer": schema.get("minimum", 0), "boolean": True, "array": []}
    return kinds.get(schema.get("type", ""), {} if schema.get("type") == "object" else "")
