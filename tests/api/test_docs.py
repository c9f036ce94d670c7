"""The public guide: its calls work in order, its bot plays, and its table is complete."""

import io
import json
import re
import shlex
import urllib.error
from pathlib import Path

from tests.api.calls import Program, token_of
from tests.games.steps import due

from diplomaccloud.api import problems
from diplomaccloud.games.models import Phase

PAGE = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text("utf-8")


def run_call(text, names):
    """Send what a line with curl would send; return the answer."""
    for name, value in names.items():
        text = text.replace(f"${name}", value)
    words, headers, method, body, path = iter(shlex.split(text)[1:]), {}, "GET", None, ""
    for word in words:
        match word:
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case "-X":
                method = next(words)
            case "-d":
                body = json.loads(next(words))
            case "-L":
                continue
            case _:
                path = word
    headers.pop("Content-Type", None)
    answer = Program().call(method, path.removeprefix("/api/v1"), body, **headers)
    if answer.status_code == 307:
        answer = Program().get(answer.headers["Location"].removeprefix("/api/v1"))
    return answer


def test_each_call_of_the_guide_works(table):
    names = {"TOKEN": token_of(table.alice, "read", "play"), "SITE": "", "GAME": table.slug}
    calls = re.findall(r"^ +(curl .*)$", PAGE, re.MULTILINE)
    assert len(calls) == 7
    for call in calls[:5]:
        assert run_call(call, names).status_code in (200, 304), call
    due(table)
    assert run_call(calls[5], names).json()["name"] == "S1901M"
    # Without a server that keeps it open, the stream is an answer like any other.
    assert run_call(calls[6], names).json()["events"] == []


def test_the_bot_of_the_guide_plays(table, monkeypatch):
    code = PAGE.partition("This is a whole bot")[2].partition("\n## ")[0].partition("\n")[2]
    code = "\n".join(line[4:] for line in code.splitlines())
    programs = [Program(token_of(table.user_id(name), "read", "play")) for name in ("alice", "bob")]

    def open_url(request):
        path = request.full_url.removeprefix("https://games.example/api/v1")
        text = request.headers["Authorization"].removeprefix("Bearer ")
        key = request.headers.get("Idempotency-key", "")
        answer = Program(text).call(request.method, path, raw=request.data, key=key)
        if answer.status_code >= 400:
            raise urllib.error.HTTPError(path, answer.status_code, answer.content, {}, None)
        return io.BytesIO(answer.content)

    monkeypatch.setattr("urllib.request.urlopen", open_url)
    for _ in range(4):
        for program in programs:
            monkeypatch.setenv("SITE", "https://games.example")
            monkeypatch.setenv("TOKEN", program.token)
            names = {"__name__": "bot"}
            exec(code, names)  # noqa: S102 our own text
            names["play_once"]()
    assert Phase.objects.exclude(processed_at=None).count() == 4


def test_the_guide_lists_every_problem_and_every_operation(client):
    for kind in problems.KINDS:
        assert f"`{kind}`" in PAGE
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path, operations in paths.items():
        short = path.removeprefix("/api/v1").partition("{")[0]
        for method in operations:
            assert re.search(rf"`([A-Z]+`, `)?{method.upper()}(`, `[A-Z]+)? {short}", PAGE), path
