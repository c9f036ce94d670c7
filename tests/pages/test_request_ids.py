import re

import pytest
import structlog
from django.http import HttpResponse
from django.test import RequestFactory

from diplomaccloud.pages.middleware import REQUEST_ID, RequestIds

OURS = re.compile("[0-9a-f]{32}")


def ask(given, seen):
    def answer(request):
        seen.append(structlog.contextvars.get_contextvars()["request_id"])
        return HttpResponse()

    headers = {} if given is None else {REQUEST_ID: given}
    return RequestIds(answer)(RequestFactory().get("/", headers=headers)).headers[REQUEST_ID]


def test_the_id_of_a_proxy_is_in_log_lines_and_in_the_answer(settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    seen = []
    assert ask("proxy-id.17", seen) == "proxy-id.17"
    assert seen == ["proxy-id.17"]
    assert "request_id" not in structlog.contextvars.get_contextvars()


@pytest.mark.parametrize(
    "given", [None, "short", "x" * 65, "a b c d e f", "evil\x1b[31m-id", "id\u0131idid"]
)
def test_an_id_that_is_none_is_replaced(settings, given):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert OURS.fullmatch(ask(given, []))


def test_visitors_do_not_choose_their_id():
    assert OURS.fullmatch(ask("proxy-id.17", []))


def test_every_answer_has_one(client, db):
    assert OURS.fullmatch(client.get("/health/live").headers[REQUEST_ID])
