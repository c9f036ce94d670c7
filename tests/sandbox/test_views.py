"""The pages of the sandbox: every control is a link or a form, and nothing is stored."""

import io
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from judge.tests.effort import count_calls
from judge.tests.shorthand import BOARD, orders, position, unit
from tests.sandbox.test_engine import NO_COUNTRY, NO_EDITION, NO_PROVINCE

from diplomaccloud.judge.board import Location, Terrain, UnitKind
from diplomaccloud.judge.drawing.styles import ENGRAVING
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.protocol import answer, only_standard, read_record, replay
from diplomaccloud.judge.units import Unit
from diplomaccloud.maps.library import standard_hash, store_standard
from diplomaccloud.maps.map_styles import COOKIE, MapStyle
from diplomaccloud.sandbox import engine
from diplomaccloud.sandbox import exports as limits
from diplomaccloud.sandbox.address import decode_state, encode_state
from diplomaccloud.sandbox.engine import SandboxState

pytestmark = pytest.mark.django_db
FULL = "ENGLAND: F NTH C A YOR - NWY, A YOR - NWY\nRUSSIA: F SKA - NWY\nGERMANY: A KIE H"


@pytest.fixture
def url():
    """The address of the sandbox of the standard map."""
    store_standard(now=timezone.now())
    cache.clear()
    return f"/maps/{standard_hash()}/sandbox/"


@pytest.fixture
def visitor():
    return Client(enforce_csrf_checks=True)


def encode(state):
    return encode_state(state, BOARD, standard_hash())


def decode(address):
    (text,) = parse_qs(urlsplit(address).query)["board"]
    return decode_state(text, BOARD, standard_hash())


def state_of(text):
    start = position(text)
    return SandboxState(start, orders=tuple(orders(text, start)))


def send(visitor, url, state, do, **fields):
    """Send a form; return the state after it."""
    response = visitor.post(url, {"board": encode(state), "do": do, **fields})
    assert response.status_code == 303, response.content.decode()[:600]
    return decode(response["Location"])


def body(response):
    return " ".join(response.content.decode().split())


def test_the_sandbox_opens_with_the_starting_position(url, visitor):
    response = visitor.get(url)
    assert response.status_code == 200
    assert "Army in Paris" in body(response)
    assert "csrftoken" not in response.cookies
    assert "sessionid" not in response.cookies


def test_search_engines_read_only_the_starting_position(url, visitor):
    assert "X-Robots-Tag" not in visitor.get(url)
    assert visitor.get(url, {"view": "setup"})["X-Robots-Tag"] == "noindex, nofollow"


def test_a_turn_can_be_played_with_links_and_forms(url, visitor):
    state = engine.start_state(BOARD)
    shown = body(visitor.get(url, {"board": encode(state), "line": "FRANCE A PAR"}))
    assert 'value="A PAR - BUR"' in shown
    assert shown.count('<select class="control"') == 1
    state = send(visitor, url, state, "order", line="FRANCE A PAR", order="A PAR - BUR")
    state = send(visitor, url, state, "orders", sheet="GERMANY: A MUN - BUR\nF KIE - HOL")
    assert sorted(map(str, state.orders)) == ["A MUN - BUR", "A PAR - BUR", "F KIE - HOL"]
    response = visitor.post(url, {"board": encode(state), "do": "adjudicate"})
    results = body(visitor.get(response["Location"]))
    assert "Results of Spring 1901, Movement" in results
    assert "Standoff in Burgundy." in results
    assert "Fall 1901, Movement</span>" in results
    after = decode(response["Location"])
    assert after.past == (state.orders,)
    assert decode(re.search(r'href="([^"]+)">Change orders', results)[1]) == state


def test_every_result_has_a_reason(url, visitor):
    state = engine.step(BOARD, state_of(FULL))
    address = {"board": encode(state)}
    whole = body(visitor.get(f"{url}why/1/", address))
    assert '<details class="why" id="why-1-1" open>' in whole
    part = body(visitor.get(f"{url}why/1/", address, headers={"HX-Request": "true"}))
    assert part.startswith(("{#", "<details"))
    assert "sandbox-table" not in part
    missing = visitor.get(f"{url}why/99/", address)
    assert missing.status_code == 404
    assert "There is no such order to explain." in body(missing)


def test_retreats_and_builds_follow(url, visitor):
    state = state_of("FRANCE: A PAR - BUR, A MAR S A PAR - BUR\nGERMANY: A BUR H")
    state = send(visitor, url, state, "adjudicate")
    assert "dislodged by an attack from Paris" in body(visitor.get(url, {"board": encode(state)}))
    state = send(visitor, url, state, "order", line="GERMANY A BUR", order="A BUR R MUN")
    state = send(visitor, url, state, "adjudicate")
    assert engine.replay(BOARD, state).position.unit_in("MUN").power == "GERMANY"


def test_units_centers_and_phase_can_be_set(url, visitor):
    state = engine.start_state(BOARD)
    france = {"power": "FRANCE", "place": "SPA"}
    for coast in ("SPA/NC", "SPA/SC"):
        state = send(visitor, url, state, "place", tool="fleet", **france)
        assert state.start.unit_in("SPA").location == coast
    state = send(visitor, url, state, "place", tool="fleet", **france)
    assert state.start.unit_in("SPA") is None
    state = send(visitor, url, state, "place", tool="army", **france)
    state = send(visitor, url, state, "place", tool="owner", **france)
    assert state.start.centers["SPA"] == "FRANCE"
    state = send(visitor, url, state, "place", tool="remove", **france)
    state = send(visitor, url, state, "phase", stage="WA", year="1905", edition="1971")
    assert (str(state.start.phase), state.edition) == ("W1905A", "1971")
    state = send(visitor, url, state, "clear-units")
    assert state.start.units == ()
    assert "There are no units yet." in body(visitor.get(url, {"board": encode(state)}))
    assert send(visitor, url, state, "start").start.units == starting_position(BOARD).units


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"do": "place", "tool": "army", "power": "FRANCE", "place": "NTH"}, "is at sea"),
        ({"do": "place", "tool": "fleet", "power": "FRANCE", "place": "MUN"}, "is inland"),
        ({"do": "place", "tool": "army", "power": "NARNIA", "place": "PAR"}, NO_COUNTRY),
        ({"do": "place", "tool": "army", "power": "none", "place": "PAR"}, "needs a country"),
        ({"do": "place", "tool": "army", "power": "FRANCE", "place": "ZZZ"}, NO_PROVINCE),
        ({"do": "place", "tool": "owner", "power": "FRANCE", "place": "BUR"}, "not a supply"),
        ({"do": "phase", "stage": "SM", "year": "soon"}, "must be a number"),
        ({"do": "phase", "stage": "SM", "year": "0"}, "from 1 to"),
        ({"do": "phase", "year": "1901", "edition": "1848"}, NO_EDITION),
        ({"do": "order", "line": "ENGLAND A YOR", "order": "A YOR - MOS"}, "not a legal order"),
        ({"do": "order", "line": "FRANCE A MOS", "order": "A MOS H"}, "cannot be ordered"),
        ({"do": "dance"}, "another version"),
        ({}, "another version"),
    ],
)
def test_bad_input_gets_a_sentence_and_the_same_board(url, visitor, fields, sentence):
    state = state_of(FULL)
    response = visitor.post(url, {"board": encode(state), **fields})
    assert response.status_code == 422
    shown = body(response)
    assert sentence in shown
    assert encode(state) in shown


@pytest.mark.parametrize(
    ("fields", "view"),
    [
        ({"do": "place", "place": "NTH", "tool": "army", "power": "FRANCE"}, "view=setup"),
        ({"do": "place", "place": "MOS", "tool": "fleet", "power": "FRANCE"}, "tool=fleet"),
        ({"do": "mark"}, "view=marks"),
        ({"do": "order", "line": "FRANCE A MOS", "order": "A MOS H"}, ""),
    ],
)
def test_after_a_refusal_the_visitor_goes_on_where_the_form_is(url, visitor, fields, view):
    text = encode(state_of(FULL))
    response = visitor.post(url, {"board": text, **fields}, headers={"HX-Request": "true"})
    assert response.status_code == 422
    address = response.headers["HX-Push-Url"]
    assert text in address
    assert view in address
    assert bool(view) == ("view=" in address)


def test_good_parts_of_a_bad_sheet_are_read(url, visitor):
    state = engine.start_state(BOARD)
    sheet = "FRANCE: A PAR - BUR\nA PAR - MOS\nnonsense"
    response = visitor.post(url, {"board": encode(state), "do": "orders", "sheet": sheet})
    shown = body(response)
    assert response.status_code == 422
    assert "1 order read. The rest was left out:" in shown
    assert "nonsense</textarea>" in shown
    assert "Move to Burgundy" in shown


def test_good_parts_of_a_bad_position_are_read(url, visitor):
    text = "France: A PAR, A PAR, A NTH, F BRE"
    fields = {"board": encode(engine.start_state(BOARD)), "do": "position", "position": text}
    response = visitor.post(url, fields)
    shown = body(response)
    assert "2 units placed. The rest was left out:" in shown
    assert "Only one unit fits in Paris" in shown
    assert text in shown


@pytest.mark.parametrize("text", ["nonsense", "A" * 10_000, "%00", "é", "AQAAAA"])
def test_a_bad_address_shows_the_start_and_says_so(url, visitor, text):
    response = visitor.get(url, {"board": text})
    assert response.status_code == 200
    assert "The board shows the starting position instead." in body(response)
    assert "Army in Paris" in body(response)


def test_a_cut_address_shows_what_is_left(url, visitor):
    text = encode(engine.step(BOARD, state_of(FULL)))
    shown = body(visitor.get(url, {"board": text[:-6]}))
    assert "The board shows what could be read." in shown
    assert "Army in Yorkshire" in shown


def test_an_unknown_map_is_a_page_with_a_way_on(url, visitor):
    for path in ("", "why/0/", "board.svg", "record.jsonl"):
        response = visitor.get(f"/maps/{'0' * 64}/sandbox/{path}")
        assert response.status_code == 404
        assert "Choose a map" in body(response)


def test_exports_can_be_read_by_the_judge(url, visitor, monkeypatch):
    monkeypatch.setattr(limits, "PNG_WIDTH", 200)  # a large one takes a second
    state = state_of(FULL)
    address = {"board": encode(state)}
    assert b"<svg" in visitor.get(f"{url}board.svg", address).content
    assert visitor.get(f"{url}board.png", address).content.startswith(b"\x89PNG")
    visitor.cookies[COOKIE] = MapStyle.ENGRAVING
    engraved = visitor.get(f"{url}board.svg", address)
    assert ENGRAVING.sea in engraved.content.decode()
    assert "Cookie" in engraved.headers["Vary"]
    sheet = visitor.get(f"{url}orders.txt", address).content.decode()
    assert "A YOR - NWY" in sheet
    read = send(visitor, url, state.with_orders(()), "orders", sheet=sheet)
    assert set(read.orders) == set(state.orders)
    text = visitor.get(f"{url}position.txt", address).content.decode()
    empty = SandboxState(Position(Phase.parse("S1901M"), (), {}))
    assert send(visitor, url, empty, "position", position=text).start == state.start
    request = json.loads(visitor.get(f"{url}request.json", address).content)
    assert "results" in answer(request, only_standard)
    stepped = {"board": encode(engine.step(BOARD, state))}
    record = visitor.get(f"{url}record.jsonl", stepped).content
    replayed = replay(read_record(io.BytesIO(record)), only_standard)
    assert not replayed.differences


def test_pictures_are_limited_per_address(url, visitor, monkeypatch):
    monkeypatch.setattr(limits, "MAX_PICTURES", 2)
    monkeypatch.setattr(limits, "MAX_PNGS", 0)
    statuses = [visitor.get(f"{url}board.svg").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    refused = visitor.get(f"{url}board.png")
    assert refused.status_code == 429
    assert "0 PNG pictures per 10 minutes" in body(refused)
    assert visitor.get(url).status_code == 200


def test_one_png_is_drawn_at_a_time(url, visitor):
    with limits.take_png_slot():
        busy = visitor.get(f"{url}board.png")
    assert busy.status_code == 503
    assert "Try again in a few seconds" in body(busy)


def test_a_page_needs_few_queries(url, visitor, django_assert_max_num_queries):
    visitor.get(url)
    with django_assert_max_num_queries(2):
        visitor.get(url, {"board": encode(engine.step(BOARD, state_of(FULL)))})


def test_a_unit_in_every_province_is_answered_in_time(url, visitor):
    units = tuple(
        Unit(UnitKind.FLEET, p.fleet_locations[0], "FRANCE")
        if p.terrain is Terrain.SEA
        else Unit(UnitKind.ARMY, Location(p.code), "GERMANY")
        for p in BOARD.provinces
    )
    state = SandboxState(Position(Phase.parse("S1901M"), units, {}))
    visitor.get(url)
    asked = {"board": encode(state), "line": "FRANCE F NTH"}
    response, calls = count_calls(lambda: visitor.get(url, asked))
    assert calls < 450_000
    assert response.status_code == 200


def test_a_form_sent_by_htmx_is_answered_with_the_board_and_its_address(url, visitor):
    state = engine.start_state(BOARD)
    fields = {"board": encode(state), "do": "order", "line": "FRANCE A PAR", "order": "A PAR H"}
    response = visitor.post(url, fields, headers={"HX-Request": "true"})
    assert response.status_code == 200
    assert [str(order) for order in decode(response["HX-Push-Url"]).orders] == ["A PAR H"]


def test_the_page_repeats_nothing_that_was_not_checked(url, visitor):
    evil = "<script>alert(1)</script>"
    query = {"board": evil, "line": evil, "tool": evil, "power": evil, "view": evil}
    assert evil not in visitor.get(url, query).content.decode()
    fields = {"do": "place", "place": evil, "power": evil, "sheet": evil}
    assert evil not in visitor.post(url, fields).content.decode()
    fields = {"do": "orders", "sheet": evil}
    assert evil not in visitor.post(url, fields).content.decode()


def test_the_same_orders_can_be_decided_by_another_edition(url, visitor):
    state = engine.step(BOARD, state_of(FULL))
    fields = {"board": encode(state), "do": "edition", "edition": "1971", "phase": "0"}
    response = visitor.post(url, fields)
    assert decode(response["Location"]).edition == "1971"
    assert "Results of" in body(visitor.get(response["Location"]))


def test_every_adjudicated_phase_can_be_seen_again(url, visitor):
    state = engine.step(BOARD, engine.step(BOARD, state_of(FULL)))
    shown = body(visitor.get(url, {"board": encode(state), "view": "results", "phase": "0"}))
    assert "Results of Spring 1901, Movement" in shown
    last = body(visitor.get(url, {"board": encode(state), "view": "results", "phase": "999"}))
    assert "Results of Fall 1901, Movement" in last


def test_units_of_the_same_name_are_told_apart(url, visitor):
    dislodging = state_of("FRANCE: A PAR - BUR, A MAR S A PAR - BUR\nGERMANY: A BUR H")
    state = engine.step(BOARD, dislodging)
    (line,) = engine.list_lines(BOARD, engine.replay(BOARD, state).position, ())
    assert line.unit == unit("A BUR", "GERMANY")


def test_failed_orders_are_underlined_and_a_dislodged_unit_has_failed(url, visitor):
    fought = state_of("FRANCE: A PAR - BUR, A MAR S A PAR - BUR, A GAS - PAR\nGERMANY: A BUR H")
    sent = visitor.post(url, {"board": encode(fought), "do": "adjudicate"})
    page = body(visitor.get(sent["Location"]))
    lines = re.findall(r'class="result (result--\w+)">.*?<code>(.*?)</code>', page, re.DOTALL)
    assert {text: mark for mark, text in lines} == {
        "A PAR - BUR": "result--good",
        "A MAR S A PAR - BUR": "result--good",
        "A GAS - PAR": "result--good",
        "A BUR H": "result--bad",
    }
