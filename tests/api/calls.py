"""Calling the API as a program does, with only a token and JSON."""

import datetime as dt
import json

from django.test import Client
from django.utils import timezone
from tests.api import recorder

from diplomaccloud.api.tokens import Scope, make_token

ALL = tuple(Scope)


def token_of(user_id, *scopes, slug="", name="a bot"):
    """Return a new token of a person, with all scopes unless some are given."""
    return make_token(
        user_id=user_id,
        name=name,
        scopes=scopes or ALL,
        life=dt.timedelta(days=7),
        now=timezone.now(),
        slug=slug,
    )


class Program:
    """A program with a token, or without one."""

    def __init__(self, token=""):
        self.token, self.client = token, Client(enforce_csrf_checks=True)

    def call(self, method, path, body=None, *, key="", raw=None, **headers):
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        content = {} if body is None else {"data": json.dumps(body)}
        if raw is not None:
            content = {"data": raw}
        if content:
            content["content_type"] = headers.pop("kind", "application/json")
        answer = self.client.generic(method, f"/api/v1{path}", headers=headers, **content)
        recorder.record(method, path, body, answer)
        return answer

    def get(self, path, **headers):
        return self.call("GET", path, **headers)

    def put(self, path, body=None, **more):
        return self.call("PUT", path, body, **more)

    def post(self, path, body=None, **more):
        return self.call("POST", path, body, **more)


def problem_of(answer, kind, status):
    """Return the problem document of an answer, which must be of this kind."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content
    document = answer.json()
    assert document["type"] == f"urn:diplomaccloud:problem:{kind}", document
    assert (answer.status_code, document["status"]) == (status, status), document
    assert document["detail"]
    assert document["title"]
    return document
