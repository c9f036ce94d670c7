"""The page of all calls is complete, and its example bodies are JSON with the required fields."""

import json
import re

from django.urls import reverse
from tests.api.calls import Program, token_of

from diplomaccloud.api.service import service
from diplomaccloud.api.views import describe_calls


def test_the_page_has_every_call_with_a_form(client):
    page = client.get(reverse("api:calls")).content.decode()
    for path, operations in service.get_openapi_schema(path_prefix="/api/v1/")["paths"].items():
        for method, operation in operations.items():
            assert f'id="{operation["operationId"]}"' in page
            assert f'data-method="{method.upper()}" data-path="{path}"' in re.sub(r"\s+", " ", page)
    assert "credentials" not in page
    assert "`" not in page


def test_a_call_as_the_form_sends_it_works(table):
    (call,) = [
        call for calls in describe_calls().values() for call in calls if call["id"] == "saveOrders"
    ]
    assert [field["name"] for field in call["fields"]] == ["game"]
    body = json.loads(call["body"])
    assert body == {"phase": 1}
    path = call["short"].replace("{game}", table.slug)
    answer = Program(token_of(table.alice)).call(call["method"], path, body)
    assert answer.status_code == 200


def test_every_example_of_a_body_is_an_object():
    for calls in describe_calls().values():
        for call in calls:
            if call["body"]:
                assert isinstance(json.loads(call["body"]), dict), call["id"]
