"""How many connections one address or person may have open, and the answer beyond that."""

import asyncio
import json

import pytest

from diplomaccloud.project import admission
from diplomaccloud.project.admission import Crowd, Gate, Refusal


def make_scope(path="/", client="192.0.2.1", **headers):
    given = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return {
        "type": "http",
        "path": path,
        "method": "GET",
        "http_version": "1.1",
        "client": (client, 1),
        "headers": given,
    }


def refuse(scope, refusal):
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(Gate().refuse(refusal, scope, send))
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"].decode()


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1:a:b:c:d", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_an_address_is_one_machine_or_one_network(client, address):
    assert admission.find_address(make_scope(client=client)) == address


@pytest.mark.parametrize(
    ("proxies", "header", "address"),
    [
        (0, "198.51.100.7", "192.0.2.1"),
        (1, "198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (2, "198.51.100.7", "192.0.2.1"),
        (1, "198.51.100.7:5678", "198.51.100.7"),
        (1, "[2001:db8::1]:443", "2001:db8::/64"),
        (1, "[2001:db8::2]", "2001:db8::/64"),
        (1, "::ffff:198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.9, unknown", "192.0.2.1"),
        (1, "198.51.100.7:port", "192.0.2.1"),
        (1, "[198.51.100.7", "192.0.2.1"),
        (1, "198.51.100.7,", "192.0.2.1"),
        (1, "1" * 500, "192.0.2.1"),
    ],
)
def test_only_trusted_proxies_say_an_address(settings, proxies, header, address):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    assert admission.find_address(make_scope(x_forwarded_for=header)) == address


def test_a_connection_without_an_address_has_a_blank_one():
    assert admission.find_address(make_scope() | {"client": None}) == ""


def test_a_person_is_known_by_session_or_token():
    assert admission.find_people(make_scope()) == []
    (session,) = admission.find_people(make_scope(cookie="a=b; sessionid=secret; c=d"))
    (other,) = admission.find_people(make_scope(cookie="a=b; sessionid=other"))
    (token,) = admission.find_people(make_scope(authorization="Bearer dc_1"))
    assert len({session, other, token}) == 3
    assert "secret" not in session


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"cookie": "sessionid=x; sessionid=secret"}, id="another cookie before it"),
        pytest.param({"cookie": 'sessionid="\\163ecret"'}, id="a cookie in quotes"),
        pytest.param({"cookie": "sessionid=secret", "authorization": "a b"}, id="a token with it"),
        pytest.param({"authorization": "bearer   secret "}, id="a token with spaces"),
    ],
)
def test_nobody_counts_as_another_person_by_another_spelling(headers):
    (known,) = admission.find_people(make_scope(cookie="sessionid=secret"))
    assert known in admission.find_people(make_scope(**headers))


def test_several_cookie_headers_are_one_for_everyone():
    headers = [(b"cookie", b"sessionid=x; a=b"), (b"host", b"h"), (b"cookie", b"sessionid=secret")]
    joined = admission.join_cookies(headers)
    assert joined == [(b"host", b"h"), (b"cookie", b"sessionid=x; a=b; sessionid=secret")]
    (known,) = admission.find_people(make_scope(cookie="sessionid=secret"))
    assert admission.find_people(make_scope() | {"headers": joined}) == [known]
    assert admission.join_cookies(joined) == joined


def test_one_too_many_is_refused_until_another_ends():
    crowd = Crowd("two", 2, "Too many.", 7)
    with crowd.join("a"), crowd.join("b"):
        with crowd.join("a"), pytest.raises(Refusal, match="Too many") as refusal:
            crowd.join("a").__enter__()
        assert refusal.value.retry_seconds == 7
        with crowd.join("a"):
            pass
    assert not crowd._open


def test_zero_is_any_number():
    crowd = Crowd("any", 0, "", 0)
    with crowd.join("a"), crowd.join("a"):
        pass


def test_one_person_with_many_addresses_is_counted():
    gate = Gate()
    scopes = [
        make_scope(client=f"192.0.2.{number}", cookie="sessionid=secret")
        for number in range(admission.MOST_FOR_PERSON + 1)
    ]
    opened = [gate.admit(scope) for scope in scopes]
    for one in opened[:-1]:
        one.__enter__()
    with pytest.raises(Refusal, match="You have"):
        opened[-1].__enter__()


def test_monitors_are_counted_apart(settings):
    settings.REQUESTS_PER_ADDRESS = 1
    gate = Gate()
    page, probe, other = map(gate.admit, map(make_scope, ("/", "/health/live", "/healthy")))
    with page, probe, pytest.raises(Refusal):
        other.__enter__()


def test_a_refusal_is_a_sentence():
    status, headers, text = refuse(make_scope(), Refusal(429, "Too much.", 5))
    assert (status, text) == (429, "Too much.\n")
    assert (headers[b"retry-after"], headers[b"connection"]) == (b"5", b"close")
    assert b"hx-reswap" not in headers


def test_under_the_api_a_refusal_is_a_problem_document():
    status, headers, text = refuse(make_scope("/api/v1/me"), Refusal(408, "Too slow."))
    assert (status, json.loads(text)["detail"]) == (408, "Too slow.")
    assert json.loads(text)["type"].endswith(":too-slow")
    assert headers[b"content-type"] == b"application/problem+json"


def test_under_the_api_a_refusal_states_the_limit():
    gate, scope = Gate(), make_scope("/api/v1/me", authorization="Bearer dc_x")
    opened = [gate.admit(scope) for _ in range(admission.MOST_FOR_PERSON)]
    for one in opened:
        one.__enter__()
    with pytest.raises(Refusal) as refused, gate.admit(scope):
        pass
    status, headers, _ = refuse(scope, refused.value)
    most = admission.MOST_FOR_PERSON
    policy = f'"open-requests-of-token";q={most};qu="concurrent-requests"'
    assert (status, headers[b"ratelimit-policy"].decode()) == (429, policy)
    assert headers[b"ratelimit"] == b'"open-requests-of-token";r=0;t=2'
    assert headers[b"retry-after"] == b"2"


@pytest.mark.parametrize(("path", "stated"), [("/api/v1/me", True), ("/", False)])
def test_an_answer_without_a_limit_states_that_of_the_address(settings, path, stated):
    settings.REQUESTS_PER_ADDRESS = 3
    gate, scope, sent = Gate(), make_scope(path), []

    async def send(message):
        sent.append(message)

    start = {"type": "http.response.start", "status": 503, "headers": []}
    with gate.admit(scope):
        asyncio.run(gate.state_limits(scope, send)(start))
    limit = (b"ratelimit", b'"open-requests";r=2')
    assert (limit in sent[0]["headers"]) is stated
    counted = {**start, "headers": [(b"ratelimit", b'"token";r=1;t=1')]}
    asyncio.run(gate.state_limits(scope, send)(counted))
    assert sent[1] == counted


def test_a_part_of_a_page_stays_as_it_is():
    _, headers, _ = refuse(make_scope(hx_request="true"), Refusal(503, "Busy.", 5))
    assert headers[b"hx-reswap"] == b"none"
