"""Valid and damaged requests get the answers that the OpenAPI description promises.

`scripts/long-trials api` sends more than a thousand to each group of operations.
"""

from collections import Counter, defaultdict

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from judge.tests.effort import examples
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks
from tests.api.calls import token_of
from tests.press.conftest import talking  # noqa: F401 - a fixture

from diplomaccloud.api import judge_worker
from diplomaccloud.api.service import service
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.maps.previews import MAP_WORKER

CASES = 8
"""For each group and mode in the checks."""
TRIED = 52
"""The same in a long trial, for each of the `--times`."""
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
WITH = ("FRANCE", "everyone", "notes", "FRANCE,ITALY", "game-master", "Sam")
ALL_SCOPES = ("read", "play", "press", "create", "gm")


def list_groups():
    """Return the operations of the description by their tags."""
    schema = schemathesis.openapi.from_dict(service.get_openapi_schema(path_prefix="/api/v1/"))
    site = get_wsgi_application()

    def serve(environ, start_response):
        return site({**environ, "REMOTE_ADDR": "192.0.2.1"}, start_response)

    schema.app = serve
    groups = defaultdict(list)
    for result in schema.get_all_operations():
        operation = result.ok()
        groups[operation.tags[0]].append(operation)
    return groups


GROUPS = list_groups()


def prefer(draw, values, name, choices):
    """Give a field a useful value most of the time, so that requests get past the first checks."""
    if isinstance(values, dict) and name in values and draw(st.integers(0, 4)):
        values[name] = draw(st.sampled_from(choices))


@st.composite
def make_cases(draw, operations, mode, slug):
    """Draw a request to one of the operations, mostly about the game and its conversations."""
    operation = draw(st.sampled_from(operations))
    known = {"game": slug} if "{game}" in operation.path else {}
    if "{map_hash}" in operation.path:
        known["map_hash"] = standard_hash()
    case = draw(operation.as_strategy(mode, path_parameters=known or None))
    if mode is GenerationMode.POSITIVE:
        for values in (case.query, case.body):
            prefer(draw, values, "with", WITH)
            prefer(draw, values, "phase", ["S1901M"] if case.path.endswith("/judge") else [1])
            prefer(draw, values, "number", [1, 2])
        prefer(draw, case.body, "units", [{"FRANCE": ["A PAR"]}, {}])
        prefer(draw, case.body, "map", ["standard"])
        prefer(draw, case.body, "rules", ["2000", "1971"])
        prefer(draw, case.body, "reason", ["A test."])
        prefer(draw, case.body, "power", ["FRANCE", "ENGLAND"])
        prefer(draw, case.body, "to", [["FRANCE"], ["everyone"], ["FRANCE", "ITALY"]])
        prefer(draw, case.body, "orders", [["F LON - ENG", "A LVP - YOR"], ["A PAR - BUR"]])
    if case.query and "wait" in case.query:
        case.query["wait"] = 0
    return case


@pytest.fixture
def reachable(settings):
    """The site answers requests that do not come from Django's own client."""
    settings.ALLOWED_HOSTS = ["*"]
    # The test's transaction must outlive requests, as with Django's own client.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
    judge_worker.JUDGE.close()


@pytest.fixture
def tokens(talking, reachable, monkeypatch):  # noqa: F811
    """Tokens of a player, four times, of the game master, of a stranger, and none."""

    def fail(_):
        raise NoMapError("No map.")

    monkeypatch.setattr(MAP_WORKER, "make", fail)
    talking.send("ENGLAND", "FRANCE", "Hello.")
    talking.send("FRANCE", "everyone", "To all.")
    people = [token_of(talking.user_id(who), *ALL_SCOPES) for who in ("ENGLAND", "Morgan", "Sam")]
    return [*people[:1] * 3, *people, ""]


@pytest.mark.long
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("group", sorted(GROUPS))
def test_answers_follow_from_the_description(talking, tokens, group, mode):  # noqa: F811
    count = CASES if examples.times == 1 else TRIED * examples.times
    callers = [*tokens, *[tokens[4]] * 6] if group == "master" else tokens

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(make_cases(GROUPS[group], mode, talking.slug), st.sampled_from(callers))
    def send(case, token):
        headers = {"Accept-Encoding": "identity"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        with transaction.atomic():
            answer = case.call(headers=headers)
            transaction.set_rollback(True)
        counts[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    counts = Counter()
    send()
    if mode is GenerationMode.POSITIVE:
        assert examples.times == 1 or counts[200] + counts[201], counts
