"""The description and the site agree about null, nothing and empty values of optional fields."""

import json
from functools import cache
from urllib.parse import urlencode

import pytest
from django.db import transaction
from jsonschema import Draft202012Validator, FormatChecker
from tests.api.calls import Program, token_of
from tests.api.test_operations import OPERATIONS, QUERY, SCHEMA, WITH_BODY, fill, schema_of_body

from diplomaccloud.api import judge_worker
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.previews import MAP_WORKER

INTERVAL = {"kind": "interval", "movement": 86_400, "retreats": 3_600, "adjustments": 3_600}
"""A schedule of the kind that has `days`; the usual preset has the other one."""
SLOW = ("actAsMaster", "createGame", "createSoloGame", "judge")
EMPTY = (None, "", [], {})
COMPONENTS = {"components": SCHEMA["components"]}


@pytest.fixture
def alice(table, monkeypatch):
    def fail(_):
        raise NoMapError("No map.")

    monkeypatch.setattr(MAP_WORKER, "make", fail)
    yield Program(token_of(table.alice))
    judge_worker.JUDGE.close()


@cache
def validator_of(schema):
    whole = {**json.loads(schema), **COMPONENTS}
    return Draft202012Validator(whole, format_checker=FormatChecker())


def is_valid(schema, value):
    return validator_of(json.dumps(schema, sort_keys=True)).is_valid(value)


def resolve(schema):
    while "$ref" in schema:
        schema = SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def make_sample(schema):
    """Return a value with only what the schema requires."""
    schema = resolve(schema)
    if variants := schema.get("anyOf") or schema.get("oneOf"):
        return make_sample(variants[0])
    if "examples" in schema:
        (example,) = schema["examples"]
        if not isinstance(example, dict):
            return example
        return {name: example[name] for name in schema.get("required", ())}
    if schema.get("type") == "object":
        members = schema.get("properties", {})
        return {name: make_sample(members[name]) for name in schema.get("required", ())}
    if "minItems" in schema:
        return [make_sample(schema["items"]) for _ in range(schema["minItems"])]
    kinds = {"integer": schema.get("minimum", 0), "array": [], "boolean": True}
    text = "FRANCE"[: schema.get("maxLength", 6)]
    usual = schema.get("const", kinds.get(schema.get("type"), text))
    return schema.get("enum", [usual])[0]


def list_optional(schema, wrap, name=""):
    """Yield each optional field below a schema, and a function that puts its value into a body."""
    schema = resolve(schema)
    for kind in schema.get("anyOf", ()):
        yield from list_optional(kind, wrap, name)
    if schema.get("type") == "array" and "properties" in resolve(schema["items"]):
        yield from list_optional(schema["items"], lambda value: wrap([value]), f"{name}[0]")
    sample = make_sample(schema)
    for field, part in schema.get("properties", {}).items():
        place = f"{name}.{field}".removeprefix(".")

        def put(value, field=field, place=place):
            others = INTERVAL if place == "options.schedule.days" else sample
            return wrap({**others, field: value})

        if field not in schema.get("required", ()):
            yield place, put
        yield from list_optional(part, put, place)


def list_faults(answer):
    """Return the fields that are wrong in their form."""
    if answer.status_code != 422 or not answer.json()["type"].endswith(":invalid"):
        return []
    return [fault["field"] for fault in answer.json()["errors"]]


def call(program, method, address, body=None):
    with transaction.atomic():
        answer = program.call(method, address, body)
        transaction.set_rollback(True)
    assert answer.status_code < 500, answer.content
    return answer


@pytest.mark.parametrize(
    ("name", "method", "path"),
    [
        pytest.param(*row, marks=[pytest.mark.long] if row[0] in SLOW else [], id=row[0])
        for row in WITH_BODY
    ],
)
def test_the_site_reads_optional_fields_of_a_body_as_described(alice, table, name, method, path):
    address, schema = fill(name, path, table.slug), schema_of_body(path, method)
    nothing = make_sample(schema)
    assert is_valid(schema, nothing)
    assert not any(
        "is required" in str(fault) for fault in list_faults(call(alice, method, address, nothing))
    )
    wrong = []
    for field, put in list_optional(schema, lambda value: value):
        for value in EMPTY:
            body = put(value)
            faults = list_faults(call(alice, method, address, body))
            refused = any(
                fault == field or fault.startswith((f"{field}.", f"{field}[")) for fault in faults
            )
            if is_valid(schema, body) == refused:
                wrong.append((field, value, "refused" if refused else "accepted", faults))
    assert wrong == []


WITH_QUERY = [
    row
    for row in OPERATIONS
    if any(
        one["in"] == "query" and not one.get("required")
        for one in SCHEMA["paths"][f"/api/v1{row[2]}"][row[1].lower()].get("parameters", ())
    )
]


@pytest.mark.parametrize(
    ("name", "method", "path"), [pytest.param(*row, id=row[0]) for row in WITH_QUERY]
)
def test_the_site_reads_optional_parameters_as_described(alice, table, name, method, path):
    address, wrong = fill(name, path, table.slug), []
    parameters = SCHEMA["paths"][f"/api/v1{path}"][method.lower()]["parameters"]
    needed = {
        one["name"]: QUERY.get(one["name"], "x")
        for one in parameters
        if one["in"] == "query" and one.get("required")
    }
    assert not list_faults(call(alice, method, f"{address}?{urlencode(needed)}"))
    for one in parameters:
        if one["in"] != "query" or one.get("required"):
            continue
        query = urlencode({**needed, one["name"]: ""})
        refused = one["name"] in list_faults(call(alice, method, f"{address}?{query}"))
        if is_valid(one["schema"], "") == refused:
            wrong.append((one["name"], "refused" if refused else "accepted"))
    assert wrong == []
