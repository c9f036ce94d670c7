"""Each operation has an example that was exchanged with the site and still fits its schemas."""

import json
import re

import pytest
from jsonschema import Draft202012Validator
from tests.api import recorder
from tests.api.calls import Program, token_of
from tests.api.test_openapi import CALLS, SCHEMA
from tests.games.deadlines.test_talk import quiet  # noqa: F401 - a fixture
from tests.press.conftest import talking  # noqa: F401 - a fixture
from tests.press.deals import peace, propose, terms
from tests.press.moderation.test_reports import decide, judged, report  # noqa: F401

from diplomaccloud.api.descriptions import load_examples


def find_faults(schema, value):
    whole = {**schema, "components": SCHEMA["components"]}
    return [error.message for error in Draft202012Validator(whole).iter_errors(value)]


def find_content(parts):
    """Return the JSON content of a request or answer, or None."""
    return parts.get("content", {}).get("application/json")


@pytest.mark.parametrize(("path", "method", "operation"), CALLS)
def test_each_operation_has_an_example_that_fits(path, method, operation):
    example = load_examples()[operation["operationId"]]
    assert set(example["path"]) == set(re.findall(r"\{(\w+)\}", path))
    for one in operation.get("parameters", ()):
        if one["in"] in example and one["name"] in example[one["in"]]:
            assert str(one["example"]).lower() == example[one["in"]][one["name"]].lower()
        assert not (one.get("required") and "example" not in one)
    content = find_content(operation.get("requestBody", {}))
    if content is not None and "body" in example:
        assert content["example"] == example["body"]
        assert find_faults(content["schema"], example["body"]) == []
    elif operation.get("requestBody", {}).get("required"):
        pytest.fail("The body has no example.")
    (answer,) = (row for status, row in operation["responses"].items() if 200 <= int(status) < 300)
    content = find_content(answer)
    if content is not None:
        assert content["example"] == example["answer"]
        assert find_faults(content["schema"], example["answer"]) == []
    elif not {"image/png", "image/svg+xml"} & set(answer["content"]):
        (content,) = answer["content"].values()
        assert content["example"] == example["answer"]


def test_exchanges_about_seats_that_no_other_test_makes(table):
    alice, bob = (Program(token_of(who)) for who in (table.alice, table.bob))
    path = f"/games/{table.slug}"
    (well,) = table.client("alice").get(table.url("parts/powers/")).context["view"].color_choices
    color = well.choices[1][0]
    assert alice.put(f"{path}/seat/color", {"color": color}).status_code == 200
    alice.post("/me/destinations", {"kind": "email", "address": "me@example.com"})
    assert alice.get("/me/destinations").json()["destinations"]
    bob.call("DELETE", f"{path}/seats")
    assert Program().get("/vacancies").json()["offers"]


def test_talk_is_ended(quiet):  # noqa: F811
    alice, path = Program(token_of(quiet.alice)), f"/games/{quiet.slug}/seat"
    assert alice.put(f"{path}/talk", {"phase": 1, "done": True}).json()["done_talking"]


def test_deals_are_listed(talking):  # noqa: F811
    propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    england = Program(token_of(talking.user_id("ENGLAND")))
    assert england.get(f"/games/{talking.slug}/seat/deals").json()["deals"]


def test_a_decision_is_appealed(judged):  # noqa: F811
    decide(judged, "Morgan", report(judged, "FRANCE", "ITALY", 9), "warning")
    italy = Program(token_of(judged.user_id("ITALY")))
    (decision,) = italy.get("/me/reports").json()["decisions"]
    appeal = {"text": "I quoted a book."}
    answer = italy.post(f"/me/reports/{decision['key']}/appeal", appeal)
    assert answer.json()["decisions"][0]["appeal"] == appeal["text"]


def test_lists_and_long_texts_of_an_example_are_cut():
    value = {"orders": ["A PAR H", "A MAR H", "F BRE H"], "text": "x" * 1_000, "number": 1}
    short = recorder.shorten(value)
    assert short["orders"] == ["A PAR H", "A MAR H"]
    assert len(json.dumps(short)) < 500
    assert short["number"] == 1
