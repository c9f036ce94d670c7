"""Connection faults: what is retried, how often, and that both clients behave alike."""

import asyncio
import contextlib
import itertools
import json

import httpx
import pytest

from diplomaccloud.client import AsyncClient, Client, Retries, StrangeAnswer, Unreachable, problems
from diplomaccloud.client.values import ProposalGiven

URL = "https://games.example"
GAME = "abcdefghjk"
LEFT = {"game": GAME, "unknown": "of a newer site"}


class Way:
    """Answers with each item in turn: a response, or an exception to raise."""

    def __init__(self, *outcomes):
        self.outcomes, self.requests = list(outcomes), []

    def __call__(self, request):
        self.requests.append(request)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def run_waiting(way, retries, name, *args, **kwargs):
    with Client(URL, "dc_x", retries=retries, transport=httpx.MockTransport(way)) as client:
        return getattr(client, name)(*args, **kwargs)


def run_awaited(way, retries, name, *args, **kwargs):
    async def run():
        transport = httpx.MockTransport(way)
        async with AsyncClient(URL, "dc_x", retries=retries, transport=transport) as client:
            return await getattr(client, name)(*args, **kwargs)

    return asyncio.run(run())


@pytest.fixture(params=[run_waiting, run_awaited], ids=["waiting", "awaited"])
def run(request):
    def call(way, *args, **kwargs):
        return request.param(way, Retries(most=3, first_pause=0.001), *args, **kwargs)

    return call


def problem(status, kind, **headers):
    document = {"type": f"urn:diplomaccloud:problem:{kind}", "status": status, "title": "No"}
    kinds = {"Content-Type": "application/problem+json", **headers}
    return httpx.Response(status, text=json.dumps(document), headers=kinds)


def test_a_write_is_sent_again_with_its_own_key(run):
    lost = (httpx.ReadTimeout("lost"), httpx.Response(502), problem(503, "unavailable"))
    way = Way(*lost, httpx.Response(200, json=LEFT))
    assert run(way, "cancel_game", GAME).game == GAME
    keys = {request.headers["Idempotency-Key"] for request in way.requests}
    assert len(way.requests) == 4
    assert len(keys) == 1
    assert way.requests[0].headers["Authorization"] == "Bearer dc_x"
    other = Way(httpx.Response(200, json=LEFT))
    run(other, "cancel_game", GAME)
    assert other.requests[0].headers["Idempotency-Key"] not in keys


def test_what_is_not_given_is_not_sent(run):
    terms = {"clauses": [{"end": None}]}
    way = Way(httpx.Response(200, json={"sent": [], "published_at": None}))
    run(way, "send_message", GAME, to=["TURKEY"], proposal=ProposalGiven(terms=terms))
    assert json.loads(way.requests[0].content) == {"to": ["TURKEY"], "proposal": {"terms": terms}}


def test_patience_ends(run):
    way = Way(*[httpx.ConnectError("refused")] * 4)
    with pytest.raises(Unreachable, match=r"games\.example/api/v1: refused"):
        run(way, "get_me")
    assert way.outcomes == []


def test_what_is_refused_for_good_is_sent_once(run):
    way = Way(problem(409, "phase-over"))
    with pytest.raises(problems.PhaseOverProblem):
        run(way, "save_orders", GAME, phase=1, orders=["A VIE - GAL"])
    assert json.loads(way.requests[0].content) == {"phase": 1, "orders": ["A VIE - GAL"]}


def test_a_busy_site_is_given_the_time_that_it_asks_for(run):
    way = Way(problem(429, "too-many", **{"Retry-After": "0"}), httpx.Response(200, json=LEFT))
    assert run(way, "cancel_game", GAME).game == GAME
    way = Way(problem(429, "too-many", **{"Retry-After": "3600"}))
    with pytest.raises(problems.TooManyProblem):
        run(way, "cancel_game", GAME)


def test_unknown_problems_and_strange_answers_are_told_apart(run):
    with pytest.raises(problems.Problem, match="No") as refused:
        run(Way(problem(418, "teapot")), "get_me")
    assert type(refused.value) is problems.Problem
    with pytest.raises(StrangeAnswer, match="404"):
        run(Way(httpx.Response(404, text="<h1>Nothing</h1>")), "get_me")
    with pytest.raises(StrangeAnswer, match="not an answer of the API"):
        run(Way(httpx.Response(200, text="<h1>Hello</h1>")), "get_me")
    with pytest.raises(StrangeAnswer, match="has no 'game'"):
        run(Way(httpx.Response(200, json={})), "cancel_game", GAME)
    with pytest.raises(StrangeAnswer, match=r"answer\.game is not of the type str"):
        run(Way(httpx.Response(200, json={"game": 7})), "cancel_game", GAME)


def test_only_reads_follow_to_another_address(run):
    away = httpx.Response(301, headers={"Location": "https://other.example/api/v1/games"})
    page = httpx.Response(200, json={"games": [], "older": None})
    assert run(Way(away, page), "list_games").games == ()
    away = httpx.Response(301, headers={"Location": "https://other.example/api/v1/"})
    with pytest.raises(StrangeAnswer, match=r"it is at https://other\.example"):
        run(Way(away), "cancel_game", GAME)


def test_names_in_paths_may_hold_anything(run):
    way = Way(httpx.Response(200, json=LEFT))
    with pytest.raises(StrangeAnswer):
        run(way, "delete_draft", GAME, "a/b ?ä", phase=1)
    assert way.requests[0].url.raw_path.endswith(b"/drafts/a%2Fb%20%3F%C3%A4?phase=1")


def test_iterators_are_awaited_part_by_part():
    page = {"older": "7", "games": []}
    game = {"id": GAME, "world": "W", "map": "", "map_name": "", "status": "running", "phase": None}
    game |= {"due_at": None, "people": 1, "bots": 6, "seats": 7, "private": False, "reliability": 0}
    last = {"older": None, "games": [{**game, "suspended": False}]}
    way = Way(httpx.Response(200, json=page), httpx.Response(200, json=last))

    async def run():
        async with AsyncClient(URL, transport=httpx.MockTransport(way)) as client:
            return [found.id async for found in client.iterate_games()]

    assert asyncio.run(run()) == [GAME]
    assert way.requests[1].url.params["before"] == "7"


def test_a_write_can_be_bound_to_what_was_read(run):
    way = Way(*[httpx.Response(200, json=LEFT)] * 2)
    run(way, "leave_seat", GAME, if_match='"7"')
    run(way, "leave_seat", GAME)
    assert [request.headers.get("If-Match") for request in way.requests] == ['"7"', None]


def write_stream(*ids, rest=""):
    events = [
        json.dumps({"id": one, "type": "seat.ready", "at": "2026-11-23T18:00:00Z", "data": {}})
        for one in ids
    ]
    text = "retry: 1\n: ping\n\n" + "".join(
        f"id: {one}\nevent: seat.ready\ndata: {event}\n\n"
        for one, event in zip(ids, events, strict=True)
    )
    return httpx.Response(200, text=text + rest, headers={"Content-Type": "text/event-stream"})


def follow_waiting(way, retries, count):
    with Client(URL, "dc_x", retries=retries, transport=httpx.MockTransport(way)) as client:
        return [event.id for event in itertools.islice(client.follow_events(GAME), count)]


def follow_awaited(way, retries, count):
    async def run():
        transport = httpx.MockTransport(way)
        async with (
            AsyncClient(URL, "dc_x", retries=retries, transport=transport) as client,
            contextlib.aclosing(client.follow_events(GAME)) as events,
        ):
            return [(await anext(events)).id for _ in range(count)]

    return asyncio.run(run())


@pytest.mark.parametrize("follow", [follow_waiting, follow_awaited])
def test_a_stream_that_breaks_goes_on_behind_the_last_event(follow):
    begun = httpx.Response(200, json={"events": [], "next": "4", "more": False})
    # The fourth answer ends within an event, which therefore has not come yet.
    way = Way(
        *(begun, write_stream("5", "6"), httpx.ReadTimeout("lost"), httpx.Response(502)),
        *(write_stream("7", rest='id: 8\ndata: {"id": "8"'), write_stream("8")),
    )
    retries = Retries(most=2, first_pause=0.001)
    assert follow(way, retries, 4) == ["5", "6", "7", "8"]
    asked = [request.url.params["after"] for request in way.requests]
    assert asked == ["now", "4", "6", "6", "6", "7"]
    assert {request.headers["Accept"] for request in way.requests[1:]} == {"text/event-stream"}
    way = Way(begun, *[httpx.ReadTimeout("lost")] * 3)
    with pytest.raises(Unreachable):
        follow(way, retries, 1)
    for status, kind, refusal in (
        (401, "bad-token", problems.BadTokenProblem),
        (404, "not-found", problems.NotFoundProblem),
    ):
        with pytest.raises(refusal):
            follow(Way(begun, problem(status, kind)), retries, 1)
