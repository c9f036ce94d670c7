"""The client has every operation, value and problem of the API, as the API describes them."""

import copy
import inspect
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from diplomaccloud.api.problems import KINDS
from diplomaccloud.api.service import service
from diplomaccloud.client import AsyncClient, Client, Problem, problems, values
from diplomaccloud.client.call import operation

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import client_writer  # noqa: E402


@pytest.fixture(scope="module")
def schema():
    return service.get_openapi_schema(path_prefix="/api/v1/")


def test_the_committed_code_follows_from_the_description(schema):
    for name, text in client_writer.write_all(schema, KINDS).items():
        committed = (client_writer.FOLDER / name).read_text("utf-8")
        assert committed == text, f"{name}: run scripts/client"


def test_another_field_operation_or_problem_is_noticed(schema):
    changed = copy.deepcopy(schema)
    changed["components"]["schemas"]["Left"]["properties"]["why"] = {"type": "string"}
    path = changed["paths"]["/api/v1/games/{game}"]
    path["get"]["operationId"] = "readGame"
    files = client_writer.write_all(changed, {**KINDS, "new-one": "New"})
    assert "    why: str | None = None" in files["values.py"]
    assert "def read_game(" in files["operations/reading.py"]
    assert "class NewOneProblem(Problem)" in files["problems.py"]


def test_both_clients_have_a_method_for_every_operation(schema):
    ids = [found["operationId"] for path in schema["paths"].values() for found in path.values()]
    for client in (Client, AsyncClient):
        for name in ids:
            method = inspect.getattr_static(client, client_writer.name_method(name))
            assert isinstance(method, operation)
            assert method.__doc__


def test_every_answer_has_its_fields(schema):
    for name, found in schema["components"]["schemas"].items():
        if name.endswith("Given") or name in ("Landform", "ProblemDocument", "Scope"):
            continue
        known = {field.name for field in fields(getattr(values, name))}
        assert known == {client_writer.rename(n) for n in found["properties"]}, name


@pytest.mark.parametrize("kind", KINDS)
def test_every_problem_has_its_exception(kind):
    found = problems.PROBLEMS[kind]
    assert issubclass(found, Problem)
    assert found.kind == kind
