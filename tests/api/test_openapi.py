"""The OpenAPI description says which scope a call needs, what it refuses, and what it returns."""

import json
import re
from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests.api.test_operations import SCHEMA

from diplomaccloud.api.descriptions import load_sentences
from diplomaccloud.api.events import EVENT_TYPES, OTHER, TYPES
from diplomaccloud.api.gallery import MAP
from diplomaccloud.api.operations import GUARDS
from diplomaccloud.api.options import OPTIONS, OPTIONS_GIVEN
from diplomaccloud.api.service import SECURITY
from diplomaccloud.bots.seats import SEAT_CHOICES
from diplomaccloud.games.creation.presets import GAME_PRESETS
from diplomaccloud.games.table.models import Status
from diplomaccloud.maps.library import find_text

PAGE = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text("utf-8")
SCHEMAS = SCHEMA["components"]["schemas"]
CALLS = [
    pytest.param(path, method, operation, id=operation["operationId"])
    for path, operations in SCHEMA["paths"].items()
    for method, operation in operations.items()
]


def call_of(name):
    return next(call.values[2] for call in CALLS if call.id == name)


def answers_of(name):
    """Return the answers of an operation by status."""
    return {int(status): answer for status, answer in call_of(name)["responses"].items()}


@pytest.mark.long
def test_the_description_is_valid():
    sent = json.loads(json.dumps(SCHEMA))
    faults = [str(fault) for fault in OpenAPIV31SpecValidator(sent).iter_errors()]
    assert faults == []


def test_the_served_description_has_the_address_of_the_site(client):
    served = client.get("/api/v1/openapi.json", headers={"Host": "localhost"}).json()
    assert [server["url"] for server in served["servers"]] == ["http://localhost"]
    assert served["components"]["securitySchemes"] == SECURITY
    assert SECURITY["token"]["scheme"] == "bearer"


@pytest.mark.parametrize(("path", "method", "operation"), CALLS)
def test_each_operation_says_which_scope_it_needs(path, method, operation):
    guard = GUARDS[operation["operationId"]]
    needed = [{name: [guard.scope.value]} for name in SECURITY]
    assert operation["security"] == ([{}, *needed] if guard.visitors else needed)
    assert f"the scope `{guard.scope.value}`" in operation["description"]


@pytest.mark.parametrize(("path", "method", "operation"), CALLS)
def test_each_operation_lists_the_refusals_that_it_can_return(path, method, operation):
    statuses = set(map(int, operation["responses"]))
    assert statuses >= {400, 401, 403, 404, 422, 429, 500, 503}
    with_body = {408, 411, 413, 415}
    assert statuses & with_body == (with_body if "requestBody" in operation else set())
    if method == "get":
        assert 412 not in statuses
    assert (410 in statuses) == ("{game}" in path)


def test_a_problem_has_all_its_members():
    assert {"errors", "orders", "scope"} <= set(SCHEMAS["ProblemDocument"]["properties"])


def test_answers_besides_200_and_their_headers_are_described():
    game = call_of("getGame")
    assert "If-None-Match" in {one["name"] for one in game["parameters"]}
    assert "ETag" in answers_of("getGame")[200]["headers"]
    assert "content" not in answers_of("getGame")[304]
    assert "Location" in answers_of("getPhase")[307]["headers"]
    assert "Last-Event-ID" in {one["name"] for one in call_of("listEvents")["parameters"]}
    assert "405" in SCHEMA["info"]["description"]


def test_words_with_few_values_are_listed():
    assert set(EVENT_TYPES) == {*TYPES.values(), OTHER}
    assert SCHEMAS["EventState"]["properties"]["type"]["enum"] == list(EVENT_TYPES)
    for name in ("GameState", "ListedState", "OwnGame"):
        assert SCHEMAS[name]["properties"]["status"]["enum"] == list(Status.values)
    for kind in EVENT_TYPES:
        assert f"`{kind}`" in PAGE or kind == "game.canceled"


def test_a_map_is_described_as_it_is(standard):
    found = json.loads(find_text(standard))
    assert set(found) <= set(MAP["properties"])
    assert set(MAP["required"]) <= set(found)
    board = MAP["properties"]["board"]["properties"]
    assert set(board) <= set(found["board"])
    assert set(board["provinces"]["items"]["properties"]) == set(found["board"]["provinces"][0])


def list_members(schema, value, path=""):
    """Yield the path of each option in a value, checking that the schema has it."""
    for name, part in value.items():
        if name == "v" and not path:
            continue
        assert name in schema["properties"], f"{path}{name}"
        yield f"{path}{name}"
        if isinstance(part, dict):
            found = schema["properties"][name]
            (kind,) = [kind for kind in found.get("anyOf", [found]) if "properties" in kind]
            yield from list_members(kind, part, f"{path}{name}.")


@pytest.mark.parametrize("preset", GAME_PRESETS)
def test_every_option_is_described_in_the_schema_and_in_the_guide(preset):
    options = GAME_PRESETS[preset].options.to_json()
    for schema in (OPTIONS, OPTIONS_GIVEN):
        for path in list_members(schema, options):
            name = path.rpartition(".")[2]
            assert name in PAGE, path
    assert f"`{preset}`" in PAGE


def test_the_guide_names_every_bot():
    body = SCHEMAS["SoloGiven"]["properties"]["bot"]["description"]
    for name, title in SEAT_CHOICES:
        assert f"`{name}`" in PAGE
        assert f"`{name}` ({title})" in body


def list_fields(schema, path):
    """Yield each field below a schema, by its path, and whether it may be missing."""
    for name, part in schema.get("properties", {}).items():
        yield f"{path}.{name}", name, part, name not in schema.get("required", ())
        yield from list_fields(part, f"{path}.{name}")
    inner = [schema[word] for word in ("items", "additionalProperties") if word in schema]
    for part in (*inner, *schema.get("anyOf", ())):
        if isinstance(part, dict):
            yield from list_fields(part, path)


def list_described():
    """Yield each field, parameter and header: its path, its name and its description."""
    for path, found in SCHEMAS.items():
        for place, name, part, _ in list_fields(found, path):
            yield place, name, part.get("description", "")
    for call in CALLS:
        for one in call.values[2].get("parameters", ()):
            yield f"{call.id}.{one['name']}", one["name"], one.get("description", "")
        for status, answer in answers_of(call.id).items():
            for name, header in answer.get("headers", {}).items():
                yield f"{call.id} {status} {name}", name, header.get("description", "")
    for kind, answer in SCHEMA["components"]["responses"].items():
        for name, header in answer.get("headers", {}).items():
            yield f"{kind} {name}", name, header.get("description", "")


def says_more(name, description):
    """Return whether a description says more than the name does."""
    words = set(re.findall(r"[a-z]+", description.lower()))
    return bool(words - set(re.findall(r"[a-z]+", name.lower())) - FILLERS)


FILLERS = {"the", "a", "an", "of", "its", "this", "is", "whether", "it"}


def test_every_field_parameter_and_header_is_described():
    assert [place for place, name, about in list_described() if not says_more(name, about)] == []
    for name, about in (("saved_at", ""), ("saved_at", "The saved at."), ("ready", "Is ready.")):
        assert not says_more(name, about)
    assert says_more("saved_at", "When it was saved.")


def test_the_absence_of_a_value_is_described():
    bodies = _list_given()
    unclear = []
    for path, found in SCHEMAS.items():
        for place, _, part, is_optional in list_fields(found, path):
            about = part["description"]
            may_be_null = any(kind.get("type") == "null" for kind in part.get("anyOf", ()))
            if may_be_null and not re.search("[Nn]ull|Leave it out", about):
                unclear.append(place)
            elif path in bodies and is_optional and place.count(".") == 1:
                unclear += [] if ABSENT.search(about) else [place]
    assert unclear == []


ABSENT = re.compile("[Bb]lank|[Nn]ull|[Ee]mpty|left out|[Ll]eave it out|[Ww]ithout|leave out")


def _list_given():
    names = set()
    for call in CALLS:
        for content in call.values[2].get("requestBody", {}).get("content", {}).values():
            names.add(content["schema"]["$ref"].rpartition("/")[2])
    return names


def test_every_sentence_about_a_field_is_used():
    shown = [row for path, found in SCHEMAS.items() for row in list_fields(found, path)]
    said = {(place, part["description"]) for place, _, part, _ in shown}
    for call in CALLS:
        for one in call.values[2].get("parameters", ()):
            said.add((f"parameters.{one['name']}", one["description"]))
            said.add((f"parameters.{call.id}.{one['name']}", one["description"]))
    unused = [
        f"{part}.{name}"
        for part, rows in load_sentences().items()
        for name, sentence in rows.items()
        if not any(
            about.startswith(sentence)
            and (place.endswith(f".{name}") if part in SHARED else place == f"{part}.{name}")
            for place, about in said
        )
    ]
    assert unused == []


SHARED = ("fields", "inline")
