"""The public judge: its answers match the judge's, and no caller can overload it."""

import json

import pytest
from django.utils import timezone
from tests.api.calls import Program, problem_of

from diplomaccloud.api import judge_worker, judging
from diplomaccloud.api.judge_worker import JudgeFailed, JudgeHungry
from diplomaccloud.judge.protocol import answer
from diplomaccloud.maps.library import store_standard
from diplomaccloud.maps.line_worker import LineWorker, WorkerBusy, WorkerSlow
from diplomaccloud.shared.database_cache import this_minute

PARIS = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
SLOW = """
import sys
from diplomaccloud.api import judge_worker
judge_worker.MAX_CPU = 0
def loop(*_):
    while True: pass
import diplomaccloud.judge.protocol as protocol
protocol.answer = loop
judge_worker.serve()
"""
BROKEN = """
from diplomaccloud.api import judge_worker
def answer(request, boards):
    if request["break"]:
        {line}
    return {{"good": True}}
import diplomaccloud.judge.protocol as protocol
protocol.answer = answer
judge_worker.serve()
"""


@pytest.fixture(scope="module", autouse=True)
def _end_worker():
    yield
    judge_worker.JUDGE.close()


@pytest.fixture
def nobody(db):
    return Program()


def test_it_answers_as_the_judge_does(nobody):
    asked = {**PARIS, "explain": True, "orders": {"FRANCE": ["A PAR - BUR", "A ROM - VEN"]}}
    got = nobody.post("/judge", asked)
    assert got.status_code == 200, got.content
    assert got.json() == json.loads(json.dumps(answer(asked)))


def test_it_knows_the_maps_of_the_site(nobody):
    key = store_standard(now=timezone.now())
    assert nobody.post("/judge", {**PARIS, "map": key}).json()["results"] == {"A PAR": "moved"}
    unknown = problem_of(nobody.post("/judge", {**PARIS, "map": "0" * 64}), "invalid", 422)
    assert unknown["errors"][0]["field"] == "map"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"phase": "S1901X"}, "phase"),
        ({"units": {"FRANCE": ["A MOO"]}}, "units.FRANCE[0]"),
        ({"map": "/etc/passwd"}, "map"),
        ({"rules": "3000"}, "rules"),
        ({"units": {"FRANCE": "A PAR"}}, "units.FRANCE"),
        ({"extra": 1}, "extra"),
        ({"id": 1}, "id"),
    ],
)
def test_a_wrong_field_is_named(nobody, change, field):
    document = problem_of(nobody.post("/judge", {**PARIS, **change}), "invalid", 422)
    assert document["errors"][0]["field"].startswith(field), document


def test_a_large_or_deep_body_is_refused(nobody):
    problem_of(nobody.post("/judge", raw="[" * 50_000), "not-understood", 400)
    huge = {**PARIS, "orders": {"FRANCE": ["A PAR H" * 40] * 5_000}}
    problem_of(nobody.post("/judge", huge), "too-large", 413)


def test_a_process_that_takes_too_long_is_ended_by_the_system(tmp_path, monkeypatch):
    (tmp_path / "endless_judge.py").write_text(SLOW, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = LineWorker("endless_judge", 60)
    with pytest.raises(WorkerSlow):
        worker.ask("{}")
    worker.close()


@pytest.mark.parametrize(
    ("line", "error"),
    [("raise MemoryError", JudgeHungry), ("raise RuntimeError('broken')", JudgeFailed)],
)
def test_a_judge_that_fails_says_why_and_answers_again(tmp_path, monkeypatch, line, error):
    (tmp_path / "broken_judge.py").write_text(BROKEN.format(line=line), "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = LineWorker("broken_judge", 60)
    monkeypatch.setattr(judge_worker, "JUDGE", worker)
    with pytest.raises(error):
        judge_worker.ask_judge({"break": True})
    assert judge_worker.ask_judge({"break": False}).text == '{"good":true}'
    worker.close()


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        (WorkerSlow, "invalid", 422),
        (JudgeHungry, "invalid", 422),
        (JudgeFailed, "fault", 500),
        (OSError, "fault", 500),
        (WorkerBusy, "unavailable", 503),
    ],
)
def test_a_failed_request_is_a_problem(nobody, monkeypatch, error, kind, status):
    def fail(_):
        raise error

    monkeypatch.setattr(judging, "ask_judge", fail)
    problem_of(nobody.post("/judge", PARIS), kind, status)


def test_time_is_a_budget_of_each_caller(nobody, settings, monkeypatch):
    settings.API_LIMITS = True
    this_minute.clear()
    spent = judge_worker.Answered(6_000, True, "{}")
    monkeypatch.setattr(judging, "ask_judge", lambda _: spent)
    answered = [nobody.post("/judge", PARIS) for _ in range(2)]
    assert [answer.status_code for answer in answered] == [200, 200]
    assert answered[0].headers["RateLimit-Policy"] == '"judge";q=10000;w=60;qu="milliseconds"'
    assert answered[0].headers["RateLimit"].startswith('"judge";r=4000;')
    assert answered[1].headers["RateLimit"].startswith('"judge";r=0;')
    refused = nobody.post("/judge", PARIS)
    problem_of(refused, "too-many", 429)
    assert int(refused.headers["Retry-After"]) <= 61
    this_minute.clear()
