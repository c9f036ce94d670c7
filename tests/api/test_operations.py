"""Every operation refuses what it must: bad tokens, scopes and bodies, and other games."""

from urllib.parse import urlencode

import pytest
from tests.api.calls import Program, problem_of, token_of

from diplomaccloud.api.service import service
from diplomaccloud.games.table.models import Game
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.previews import MAP_WORKER

SCHEMA = service.get_openapi_schema(path_prefix="/api/v1/")
OPERATIONS = sorted(
    (operation["operationId"], method.upper(), path.removeprefix("/api/v1"))
    for path, operations in SCHEMA["paths"].items()
    for method, operation in operations.items()
)
WITH_BODY = [
    row
    for row in OPERATIONS
    if "requestBody" in SCHEMA["paths"][f"/api/v1{row[2]}"][row[1].lower()]
]
SAMPLES = {
    "name": "x",
    "vote": "0" * 32,
    "webhook": "0" * 32,
    "phase": "1",
    "number": "0",
    "key": "0" * 32,
    "chapter": "before",
    "code": "letmein222",
    "theme": "light",
    "map_hash": "0" * 64,
    "act": "read",
    "kind": "full",
}
QUERY = {"with": "TURKEY", "number": "1"}
ACTS = {
    "actAsMaster": "pause",
    "changeDestination": "test",
}


def fill(name, path, game):
    """Return the path with something for each parameter."""
    path = path.replace("{game}", game).replace("{act}", ACTS.get(name, SAMPLES["act"]))
    for parameter, value in SAMPLES.items():
        path = path.replace(f"{{{parameter}}}", value)
    assert "{" not in path
    return path


@pytest.mark.parametrize(("name", "method", "path"), OPERATIONS)
def test_a_wrong_token_or_scope_is_refused(table, name, method, path):
    address = fill(name, path, table.slug)
    problem_of(Program("dc_wrong").call(method, address, {}), "bad-token", 401)
    scopes = ("read", "play") if "/master/" in path or name in ("previewResults",) else ("gm",)
    if name == "lookAtConversation":
        scopes = ("read",)
    without = Program(token_of(table.alice, *scopes))
    problem_of(without.call(method, address, {}), "scope", 403)


@pytest.mark.parametrize(("name", "method", "path"), WITH_BODY)
def test_a_bad_body_is_refused(table, name, method, path):
    alice, address = Program(token_of(table.alice)), fill(name, path, table.slug)
    problem_of(alice.call(method, address, raw="{"), "not-understood", 400)
    problem_of(alice.call(method, address, raw="[" * 50_000), "not-understood", 400)
    problem_of(alice.call(method, address, raw='"' + "x" * 1_000_000 + '"'), "too-large", 413)
    problem_of(alice.call(method, address, raw="[1]"), "invalid", 422)
    document = problem_of(alice.call(method, address, {"unknown": 1}), "invalid", 422)
    assert "unknown" in {fault["field"] for fault in document["errors"]}, document


def schema_of_body(path, method):
    operation = SCHEMA["paths"][f"/api/v1{path}"][method.lower()]
    named = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    return SCHEMA["components"]["schemas"][named.rpartition("/")[2]]


@pytest.mark.parametrize(("name", "method", "path"), WITH_BODY)
def test_the_example_of_a_body_is_read(table, monkeypatch, name, method, path):
    def fail(_):
        raise NoMapError("No map.")

    monkeypatch.setattr(MAP_WORKER, "make", fail)
    (example,) = schema_of_body(path, method)["examples"]
    answer = Program(token_of(table.alice)).call(method, fill(name, path, table.slug), example)
    assert answer.status_code < 500
    if answer.status_code == 422 and answer.json()["type"].endswith("invalid"):
        # A field may be wrong for this game, but not in its form.
        assert not any("is required" in fault["message"] for fault in answer.json()["errors"])
        assert name in {"saveMap", "makeMap", "invite", "whatIf"}, answer.json()


def query_of(method, path):
    """Return values for the query parameters."""
    operation = SCHEMA["paths"][f"/api/v1{path}"][method.lower()]
    known = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    return "?" + urlencode({name: QUERY[name] for name in sorted(known & QUERY.keys())})


READ_OF_GAME = [row for row in OPERATIONS if row[1] == "GET" and "{game}" in row[2]]


@pytest.mark.parametrize(("name", "method", "path"), READ_OF_GAME)
def test_a_stranger_reads_nothing_of_a_private_game(table, name, method, path):
    Game.objects.update(private=True, master=None)
    charlie = Program(token_of(table.charlie))
    query = query_of(method, path)
    real = charlie.call(method, fill(name, path, table.slug) + query)
    invented = charlie.call(method, fill(name, path, "zzzzzzzzzz") + query)
    assert (real.status_code, real.content) == (invented.status_code, invented.content)
    problem_of(real, "not-found", 404)
