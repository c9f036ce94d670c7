"""Reading: what everyone may see, the caller's own seat, and what stays hidden."""

from dataclasses import replace

import pytest
from django.core.cache import cache
from django.http import StreamingHttpResponse
from django.utils import timezone
from tests.api.calls import Program, problem_of, token_of
from tests.games.steps import HOUR, asked, due, over_budget, save

from diplomaccloud.api.middleware import ApiAnswers
from diplomaccloud.games.lobby.actions import cancel_game
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge import batch
from diplomaccloud.judge.phases import Phase as JudgePhase


def save_ready(table):
    save(table, "alice", "A VIE - GAL")
    set_ready(slug=table.slug, user_id=table.alice, sequence=1, now=timezone.now())


def game_of(program, table):
    answer = program.get(f"/games/{table.slug}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_description_has_stable_names_and_is_openapi_3_1(client):
    schema = client.get("/api/v1/openapi.json").json()
    assert schema["openapi"].startswith("3.1")
    names = [op["operationId"] for path in schema["paths"].values() for op in path.values()]
    assert len(names) == len(set(names))
    assert {"getMe", "getMap", "listGames", "getGame", "getPhase", "getSeat"} <= set(names)
    for path in schema["paths"].values():
        for operation in path.values():
            name = operation["responses"]["404"]["$ref"].rpartition("/")[2]
            refusal = schema["components"]["responses"][name]
            assert list(refusal["content"]) == ["application/problem+json"]


def test_a_person_reads_who_the_token_stands_for(program, table):
    me = program("alice").get("/me").json()
    assert (me["screen_name"], me["token"]) == ("Alice", "a bot")
    (game,) = me["games"]
    assert (game["id"], game["needs_you"], game["country"]) == (table.slug, True, "Austria")
    save_ready(table)
    assert not program("alice").get("/me").json()["games"][0]["needs_you"]


def test_a_map_is_read_once_and_kept_forever(program, table):
    state = game_of(program("nobody"), table)
    answer = program("nobody").get(f"/maps/{state['map']}")
    assert answer.json()["board"]["name"]
    assert "immutable" in answer.headers["Cache-Control"]
    problem_of(program("nobody").get(f"/maps/{'0' * 64}"), "not-found", 404)


def test_everyone_reads_the_same_public_state(program, table):
    save_ready(table)
    states = [game_of(program(name), table) for name in ("nobody", "alice", "bob", "charlie")]
    assert all(state == states[0] for state in states)
    state = states[0]
    assert (state["status"], state["phase"]["name"]) == ("running", "S1901M")
    assert {"power": "AUSTRIA", "unit": "A VIE"} in state["board"]["units"]
    ready = {seat["powers"][0]: seat["ready"] for seat in state["seats"]}
    assert (ready["AUSTRIA"], ready["TURKEY"]) == (True, False)


def test_an_anonymous_game_stays_anonymous_to_everyone(program, table, agree):
    agree(anonymous=True)
    states = [game_of(program(name), table) for name in ("nobody", "alice", "bob")]
    assert all(state == states[0] for state in states)
    names = {seat["holder"]["name"] for seat in states[0]["seats"]}
    assert names == {"", "hold"}
    text = program("alice").get(f"/games/{table.slug}").content.decode()
    assert "Alice" not in text


def test_a_version_counts_public_facts_only(program, table):
    alice, path = program("alice"), f"/games/{table.slug}"
    etag = alice.get(path).headers["ETag"]
    assert alice.get(path, **{"If-None-Match": etag}).status_code == 304
    save(table, "bob", "A CON - BUL")
    assert alice.get(path, **{"If-None-Match": etag}).status_code == 304
    due(table)
    answer = alice.get(path, **{"If-None-Match": etag})
    assert (answer.status_code, answer.headers["ETag"] != etag) == (200, True)


def test_a_phase_that_time_has_closed_has_another_tag(program, table):
    alice, path = program("alice"), f"/games/{table.slug}"
    before = alice.get(path)
    now = timezone.now()
    Phase.objects.update(opens_at=now - HOUR, due_at=now, adjudicate_at=now + HOUR)
    answer = alice.get(path, **{"If-None-Match": before.headers["ETag"]})
    assert answer.status_code == 200
    assert answer.json()["phase"]["closed"]
    assert answer.json()["version"] == before.json()["version"]
    assert alice.get(path, **{"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_head_answers_with_the_headers_of_get(program, table):
    alice = program("alice")
    for path in (f"/games/{table.slug}", "/me", "/nothing"):
        got, asked_for = alice.get(path), alice.call("HEAD", path)
        assert asked_for.status_code == got.status_code
        assert asked_for.content == b""
        assert int(asked_for.headers["Content-Length"]) == len(got.content)
        for name in ("Content-Type", "ETag", "Cache-Control"):
            assert asked_for.headers.get(name) == got.headers.get(name), name
    assert alice.call("HEAD", f"/games/{table.slug}/seat/orders").status_code == 405


def test_head_reads_no_line_of_a_file(rf):
    lines = iter(["a line"])
    answer = ApiAnswers(lambda _: StreamingHttpResponse(lines))(rf.head("/api/v1/me/export"))
    assert answer.getvalue() == b""
    assert list(lines) == ["a line"]


def test_games_are_listed_for_visitors(program, table):
    page = program("nobody").get("/games?status=running").json()
    assert [game["id"] for game in page["games"]] == [table.slug]
    Game.objects.update(private=True)
    assert program("nobody").get("/games").json()["games"] == []
    problem_of(program("nobody").get("/games?status=odd"), "invalid", 422)
    for before in ("no", "1", "0" * 32):
        document = problem_of(program("nobody").get(f"/games?before={before}"), "invalid", 422)
        assert [fault["field"] for fault in document["errors"]] == ["before"]


def test_a_processed_phase_has_reasons_and_no_names(program, table):
    save(table, "alice", "A VIE - GAL", "A BUD S A VIE - GAL")
    due(table)
    nobody = program("nobody")
    answer = nobody.get(f"/games/{table.slug}/phases/1")
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Cache-Control"].startswith("public")
    phase = answer.json()
    results = {result["order"]: result for result in phase["results"]}
    assert results["A VIE - GAL"]["outcome"] == "moved"
    assert results["A VIE - GAL"]["reason"]
    assert "Alice" not in answer.content.decode()
    assert nobody.get(f"/games/{table.slug}/phases").json()["phases"] == [
        {"sequence": 1, "name": "S1901M"}
    ]
    led = nobody.get(f"/games/{table.slug}/phases/S1901M")
    assert led.headers["Location"] == f"/api/v1/games/{table.slug}/phases/1"
    for missing in ("2", "F1901M", "S1902M"):
        problem_of(nobody.get(f"/games/{table.slug}/phases/{missing}"), "not-found", 404)
    for wrong in ("S1901X", "0", "-1", "1e3"):
        problem_of(nobody.get(f"/games/{table.slug}/phases/{wrong}"), "invalid", 422)


def test_a_private_game_is_not_found_by_strangers(program, table):
    Game.objects.update(private=True)
    for path in ("", "/phases", "/phases/1", "/seat", "/seat/legal"):
        unknown = f"/games/zzzzzzzzzz{path}"
        for name in ("nobody", "charlie"):
            if name == "charlie":
                Game.objects.update(master=None)
            elif path.startswith("/seat"):
                continue
            real = program(name).get(f"/games/{table.slug}{path}")
            invented = program(name).get(unknown)
            assert real.content == invented.content
            problem_of(real, "not-found", 404)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/seat/orders", {"phase": 1, "orders": ["A VIE H"]}),
        ("PUT", "/seat/orders", {"phase": 1, "ready": False}),
        ("PUT", "/seat/drafts/x", {"phase": 1}),
        ("DELETE", "/seat/drafts/x?phase=1", None),
        ("PUT", "/seat/conditional-orders", {"phase": 1, "text": ""}),
        ("PUT", "/seat/draw-vote", {"phase": 1, "vote": "draw"}),
        ("POST", "/seat/votes", {"phase": 1, "question": "draw"}),
        ("POST", f"/seat/votes/{'0' * 32}", {"phase": 1, "answer": "yes"}),
        ("GET", "/seat/conversations", None),
        ("GET", "/seat/messages?with=everyone", None),
        ("GET", "/seat/messages?with=TURKEY", None),
        ("POST", "/seat/messages", {"to": ["everyone"], "body": "Hi"}),
        ("POST", "/seat/messages", {"to": ["TURKEY"], "body": "Hi"}),
        ("POST", "/seat/messages/read", {"with": "everyone"}),
        ("POST", "/seat/proposals/answer", {"with": "TURKEY", "number": 1, "answer": "accept"}),
        ("POST", "/seats", {"code": "wrong"}),
        ("POST", "/seats", {"power": "AUSTRIA"}),
        ("DELETE", "/seats", None),
        ("POST", "/bots", {"bot": "hold"}),
        ("POST", "/start", {}),
        ("DELETE", "", None),
        ("POST", "/master/pause", {"phase": 1, "reason": "x"}),
        ("POST", "/previews", {"phase": 1, "reason": "x"}),
        ("POST", "/looks", {"powers": ["AUSTRIA", "TURKEY"], "reason": "x"}),
        ("POST", "/invitations", {"name": "Bob"}),
        ("DELETE", "/invitations?name=Bob", None),
        ("POST", "/dismissals", {"seat": "0" * 32}),
        ("PUT", "/seat/ready-to-start", {"ready": True}),
        ("PUT", "/seat/country", {"country": "X"}),
        ("PUT", "/seat/color", {"color": ""}),
        ("PUT", "/seat/talk", {"phase": 1, "done": True}),
        ("POST", "/seat/hint", {"phase": 1}),
        ("POST", "/seat/drafts/x/rename", {"phase": 1, "new_name": "y"}),
        ("POST", "/seat/what-if", {}),
        ("POST", "/seat/maps", {"board": "x"}),
        ("POST", "/seat/maps/adopt", {"number": 1}),
        ("POST", "/seat/mutes", {"power": "AUSTRIA", "muted": True}),
        ("POST", "/seat/messages/report", {"with": "TURKEY", "number": 1, "grounds": "other"}),
        ("POST", "/seat/documents/sign", {"with": "TURKEY", "number": 1, "digest": "x"}),
        ("POST", "/seat/documents/change", {"with": "TURKEY", "number": 1, "text": "x"}),
        ("POST", "/seat/opening", {"conversations": [{"with": "TURKEY", "number": 1}]}),
        ("DELETE", "/seat/opening?with=TURKEY", None),
        ("POST", "/master/reprimand", {"phase": 1, "reason": "x", "power": "AUSTRIA"}),
    ],
)
def test_a_stranger_who_writes_does_not_find_a_private_game(program, table, method, path, body):
    Game.objects.update(private=True, master=None)
    charlie = program("charlie")
    real = charlie.call(method, f"/games/{table.slug}{path}", body)
    invented = charlie.call(method, f"/games/zzzzzzzzzz{path}", body)
    assert real.content == invented.content
    problem_of(real, "not-found", 404)


def test_a_seat_says_what_it_owes_and_no_other_seat_does(program, table):
    save(table, "alice", "A VIE - GAL")
    seat = program("alice").get(f"/games/{table.slug}/seat").json()
    assert (seat["powers"], seat["orders"]) == (["AUSTRIA"], ["A VIE - GAL"])
    assert seat["missing"] == {"units": ["A BUD", "F TRI"], "adjustments": {}}
    assert (seat["ready"], seat["must_order"], len(seat["receipt"])) == (False, True, 64)
    assert "A VIE" not in program("bob").get(f"/games/{table.slug}/seat").content.decode()
    problem_of(program("charlie").get(f"/games/{table.slug}/seat"), "not-found", 404)
    problem_of(program("nobody").get(f"/games/{table.slug}/seat"), "no-token", 401)


def test_a_seat_reads_as_prose(program, table):
    save(table, "alice", "A VIE - GAL")
    due(table)
    answer = program("alice").get(f"/games/{table.slug}/seat?format=text")
    text = answer.content.decode()
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert "You play Austria." in text
    assert "Austria: A VIE - GAL: moved." in text
    assert "Without an order: A BUD, A GAL, F TRI." in text
    problem_of(program("alice").get(f"/games/{table.slug}/seat?format=xml"), "invalid", 422)


def test_legal_orders_are_those_that_the_judge_takes(program, table):
    alice = program("alice")
    units = alice.get(f"/games/{table.slug}/seat/legal").json()["units"]
    assert [unit["unit"] for unit in units] == ["A BUD", "A VIE", "F TRI"]
    (only,) = alice.get(f"/games/{table.slug}/seat/legal?unit=a+vie").json()["units"]
    assert "A VIE - GAL" in only["orders"]
    given = {"phase": 1, "orders": [unit["orders"][0] for unit in units]}
    assert alice.put(f"/games/{table.slug}/seat/orders", given).json()["refused"] == []


def test_legal_orders_as_rows_are_those_of_batches(program, table):
    legal = program("alice").get(f"/games/{table.slug}/seat/legal?format=rows").json()
    position = Phase.objects.get().position
    assert legal["state"] == list(batch.pack([position]))
    starts, numbers = batch.legal_orders(batch.pack([position]))
    listed = {tuple(numbers[4 * at : 4 * at + 4]) for at in range(starts[0], starts[1])}
    for unit in legal["units"]:
        assert len(unit["rows"]) == len(unit["orders"])
        assert listed.issuperset(map(tuple, unit["rows"]))


def test_a_call_asks_a_fixed_number_of_queries(program, table):
    save(table, "alice", "A VIE - GAL")
    due(table)
    alice = program("alice")
    calls = {"": 8, "/phases": 4, "/phases/1": 6, "/seat": 14, "/seat/legal": 6}
    counts = {}
    for path in calls:
        alice.get(f"/games/{table.slug}{path}")
        cache.clear()
        counts[path] = len(asked(lambda path=path: alice.get(f"/games/{table.slug}{path}")))
    assert not over_budget(calls, counts)


def test_eliminated_powers_owe_nothing(program, table):
    phase = Phase.objects.get()
    position = phase.position
    units = tuple(unit for unit in position.units if unit.power != "ITALY")
    centers = {code: owner for code, owner in position.centers.items() if owner != "ITALY"}
    phase.position = replace(position, units=units, centers=centers)
    phase.save()
    seats = {seat["powers"][0]: seat for seat in game_of(program("nobody"), table)["seats"]}
    italy = seats["ITALY"]
    assert (italy["eliminated"], italy["must_order"], italy["ready"]) == (True, False, None)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/games?state=forming", "state"),
        ("/games/{slug}?x=1", "x"),
        ("/games/{slug}/events?afer=1", "afer"),
        ("/games/{slug}/seat/messages?with=everyone&form=1", "form"),
        ("/me?%00=", "\x00"),
    ],
)
def test_a_parameter_that_does_not_exist_is_named(program, table, path, name):
    answer = program("alice").get(path.format(slug=table.slug))
    if name == "\x00":
        assert answer.status_code in (400, 422)
        return
    document = problem_of(answer, "invalid", 422)
    assert [fault["field"] for fault in document["errors"]] == [name]


def test_a_private_game_that_was_canceled_never_was_to_strangers(forming):
    creator, stranger = (Program(token_of(forming.user_id(who))) for who in ("alice", "charlie"))
    cancel_game(slug=forming.slug, user_id=forming.alice, now=timezone.now())
    calls = (("GET", ""), ("GET", "/events"), ("POST", "/seats"), ("DELETE", ""))
    for private, kind, status in ((False, "canceled", 410), (True, "not-found", 404)):
        Game.objects.update(private=private)
        for method, rest in calls:
            body = {} if method == "POST" else None
            for key in ("", f"{method}-{private}"):
                path = f"/games/{forming.slug}{rest}"
                problem_of(stranger.call(method, path, body, key=key), kind, status)
    problem_of(creator.get(f"/games/{forming.slug}"), "canceled", 410)


def test_an_invitation_that_was_withdrawn_tells_nothing_of_a_canceled_game(forming):
    creator, guest = (Program(token_of(forming.user_id(who))) for who in ("alice", "charlie"))
    Game.objects.update(private=True)
    path = f"/games/{forming.slug}"
    for call in ("POST", "DELETE"):
        body, query = ({"name": "charlie"}, "") if call == "POST" else (None, "?name=charlie")
        assert creator.call(call, f"{path}/invitations{query}", body).status_code == 200
    problem_of(guest.get(path), "not-found", 404)
    cancel_game(slug=forming.slug, user_id=forming.alice, now=timezone.now())
    problem_of(guest.get(path), "not-found", 404)


def test_legal_orders_say_how_many_builds_are_due(program, table):
    alice = program("alice")
    assert alice.get(f"/games/{table.slug}/seat/legal").json()["due"] == {}
    phase = Phase.objects.get()
    start = phase.position
    without = [unit for unit in start.units if str(unit) not in ("A VIE", "F TRI")]
    phase.position = replace(start, phase=JudgePhase.parse("W1901A"), units=tuple(without))
    phase.name = "W1901A"
    phase.save()
    found = alice.get(f"/games/{table.slug}/seat/legal").json()
    assert found["due"] == {"AUSTRIA": 2}
    assert len(found["units"]) > 2
