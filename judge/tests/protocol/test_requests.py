"""Invalid and hostile requests: each answer names the fault."""

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from judge.tests.effort import count_calls, examples
from judge.tests.protocol.asking import WAR, check
from judge.tests.test_codec import NOT_BOOLEAN

from diplomaccloud.judge.codec import board_to_json
from diplomaccloud.judge.protocol import answer
from diplomaccloud.judge.protocol.boards import BoardLoader
from diplomaccloud.judge.standard.europe import standard_board


@pytest.mark.parametrize(
    "value",
    [
        5,
        None,
        [],
        {},
        "nowhere.json",
        "/",
        "/dev/null",
        "a\0b",
        {"v": 1},
        {"board": 3},
        {"v": 1, "provinces": [0] * 3000},
    ],
    ids=lambda value: repr(value)[:20],
)
def test_an_invalid_map_is_an_error(value: object) -> None:
    reply = answer({**WAR, "map": value}, BoardLoader())
    assert list(reply) == ["id", "error"]
    assert reply["error"]


def test_a_map_has_as_many_provinces_as_a_board() -> None:
    sea = {"terrain": "sea", "coasts": [], "center": False, "home": None, "aliases": []}
    provinces = [{"code": f"P{i}", "name": f"P{i}", **sea} for i in range(513)]
    world = {**board_to_json(standard_board()), "provinces": provinces}
    for value in (world, {"board": world}):
        reply = answer({**WAR, "map": value}, BoardLoader())
        assert str(reply["error"]).endswith("a board has at most 512 provinces, not 513")


BAD: dict[str, tuple[object, str]] = {
    "no object": ([], "not an object"),
    "nothing": ({}, "phase: missing"),
    "no units": ({"phase": "S1901M"}, "units: missing"),
    "a phase that is none": ({**WAR, "phase": "S1901A"}, "phase: not a phase"),
    "a phase of another type": ({**WAR, "phase": 1901}, "phase: not a text"),
    "units in a list": ({**WAR, "units": ["A VIE"]}, "units: not an object"),
    "a unit that is none": ({**WAR, "units": {"ITALY": ["X ROM"]}}, "units.ITALY[0]: 'X' is not"),
    "an army at sea": ({**WAR, "units": {"ITALY": ["A ION"]}}, "units.ITALY[0]: No army can"),
    "a fleet on no coast": ({**WAR, "units": {"ITALY": ["F SPA"]}}, "SPA has several coasts"),
    "a number for a unit": ({**WAR, "units": {"ITALY": [5]}}, "units.ITALY[0]: not a text"),
    "two units in a province": (
        {**WAR, "units": {"ITALY": ["F SPA/NC"], "FRANCE": ["A SPA"]}},
        "units: two units in SPA",
    ),
    "a power that is none": ({**WAR, "units": {"Italy": ["A ROM"]}}, "there is no power 'Italy'"),
    "a center that is none": (
        {**WAR, "centers": {"ITALY": ["PIE"]}},
        "'PIE' is not a supply center",
    ),
    "a center with two owners": (
        {**WAR, "centers": {"ITALY": ["ROM"], "FRANCE": ["ROM"]}},
        "ROM has two owners",
    ),
    "winter without centers": ({"phase": "W1901A", "units": {}}, "centers: missing"),
    "retreats in spring": (
        {**WAR, "dislodged": {"ITALY": {"A ROM": []}}},
        "dislodged: there are no retreats in S1901M",
    ),
    "retreats in a list": (
        {**WAR, "phase": "S1901R", "dislodged": {"ITALY": ["A ROM"]}},
        "dislodged.ITALY: not an object",
    ),
    "a retreat to sea": (
        {**WAR, "phase": "S1901R", "dislodged": {"ITALY": {"A ROM": ["ION"]}}},
        "dislodged.ITALY.A ROM[0]: No army can stand in ION",
    ),
    "orders in a list": ({**WAR, "orders": ["A VIE H"]}, "orders: not an object"),
    "orders in a text": ({**WAR, "orders": {"ITALY": "A ROM H"}}, "orders.ITALY: not a list"),
    "a number for an order": ({**WAR, "orders": {"ITALY": [5]}}, "orders.ITALY[0]: not a text"),
    "too many orders": ({**WAR, "orders": {"ITALY": [""] * 2001}}, "2000 are allowed"),
    "an edition that is none": ({**WAR, "rules": "1999"}, "rules: there is no edition '1999'"),
    "a switch that is none": ({**WAR, "rules": {"speed": 1}}, "rules.speed: no such switch"),
    "a switch of another type": (
        {**WAR, "rules": {"any_route_disrupts": 1}},
        f"rules.any_route_disrupts: {NOT_BOOLEAN}",
    ),
    "rules in a number": ({**WAR, "rules": 2000}, "rules: not an object"),
    "explain that is no truth": ({**WAR, "explain": "yes"}, f"explain: {NOT_BOOLEAN}"),
}


@pytest.mark.parametrize(("request_", "error"), BAD.values(), ids=BAD)
def test_a_bad_request_is_answered_with_its_fault(request_: object, error: str) -> None:
    reply = answer(request_)
    check("refused", reply)
    assert error in reply["error"]
    assert len(reply["error"]) < 600
    assert reply["id"] == (request_.get("id") if isinstance(request_, dict) else None)


@pytest.mark.parametrize("name", [None, "", "x", 7, 7.5, True, "é\ud800"])
def test_the_id_comes_back(name: object) -> None:
    assert answer({**WAR, "id": name})["id"] == name
    assert answer({"id": name})["id"] == name


@pytest.mark.parametrize("name", [[], {}, "x" * 10_000, math.inf, math.nan])
def test_an_invalid_id_is_left_out(name: object) -> None:
    assert answer({**WAR, "id": name})["id"] is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@examples(150)
@given(st.sampled_from([*WAR, "dislodged", "seed", "explain"]), JSON)
def test_any_value_in_any_place_is_answered(part: str, value: object) -> None:
    check("answer", answer({**WAR, part: value}))


@examples(100)
@example(["Ð("])  # a slash at the end, once it is spelled plainly
@example(["A/"])
@given(st.lists(st.text(max_size=30), max_size=4))
def test_any_texts_are_answered_as_orders(texts: list[str]) -> None:
    for phase, out in (("S1901M", {}), ("S1901R", {"ITALY": {"A TYR": ["PIE"]}}), ("W1901A", {})):
        request = {**WAR, "phase": phase, "dislodged": out, "orders": {"ITALY": texts}}
        reply = answer(request)
        check("judged", reply)
        json.dumps(reply)


HOSTILE = {
    "a megabyte of A": "A" * 1_000_000,
    "a megabyte of orders": "A TYR H " * 125_000,
    "a megabyte of commas": "," * 1_000_000,
    "a megabyte of control characters": "\x00\x1b" * 500_000,
    "look-alike letters": "А ТYR - MUN",
    "full-width letters": "Ａ ＴＹＲ － ＭＵＮ",
    "orders that never end": "A TYR - " * 7_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_orders_are_answered_quickly(text: str) -> None:
    reply, calls = count_calls(lambda: answer({**WAR, "orders": {"ITALY": [text]}}))
    assert calls < 20_000
    check("judged", reply)
    assert len(json.dumps(reply)) < 400_000
    if text.startswith("Ａ"):
        assert reply["results"]["A TYR"] == "moved"
    else:
        assert reply["errors"]


def test_a_board_with_empty_names_is_answered() -> None:
    board = board_to_json(standard_board())
    board["powers"] = [[key, "", "-"] for key, _, _ in board["powers"]]
    reply = answer({**WAR, "map": board}, BoardLoader())
    assert reply["results"]["A VIE"] == "moved"
    nothing = {**board, "provinces": [], "army_borders": [], "fleet_borders": [], "starts": []}
    empty = {"map": nothing, "phase": "S1901M", "units": {}, "orders": {"ITALY": ["A ROM H"]}}
    assert answer(empty, BoardLoader())["errors"][0]["order"] == "A ROM H"
