"""The judge's protocol: the fixed names and words, bad requests, streams."""

import io
import json
import math
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diplomaccloud.atlas.boards import BoardShelf
from diplomaccloud.atlas.chartfile import chart_to_json
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.judge.boardcodec import board_to_json
from diplomaccloud.judge.protocol import answer, serve_lines
from diplomaccloud.judge.protocol.stream import LONGEST_LINE
from diplomaccloud.judge.standard import standard_board

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "protocol.schema.json").read_text(encoding="utf-8")
)


def check(part: str, value: object) -> None:
    """Validate `value` against one part of the published schema."""
    schema = {"$ref": f"#/$defs/{part}", "$defs": SCHEMA["$defs"]}
    jsonschema.Draft202012Validator(schema).validate(value)


def ask(request: dict[str, object]) -> dict[str, object]:
    check("request", request)
    told = answer(request)
    check("answer", told)
    assert "error" not in told, told
    return told


WAR = {
    "id": "x1",
    "map": "standard",
    "rules": "2000",
    "phase": "S1901M",
    "units": {"AUSTRIA": ["A VIE", "A TRI"], "ITALY": ["A TYR"], "RUSSIA": ["F STP/SC"]},
    "centers": {"AUSTRIA": ["VIE", "TRI", "BUD"], "RUSSIA": ["STP"]},
    "orders": {
        "AUSTRIA": ["A VIE - TYR", "A TRI S A VIE - TYR"],
        "RUSSIA": ["F STP/SC - BOT"],
        "ITALY": ["A TYR - MUN"],
    },
}


def test_a_movement_phase_is_answered_with_the_fixed_names() -> None:
    blocked = {
        **WAR,
        "units": {**WAR["units"], "GERMANY": ["A MUN"]},
        "orders": {**WAR["orders"], "GERMANY": ["A MUN H"]},
    }
    told = ask(blocked)
    assert list(told) == ["id", "results", "dislodged", "next", "why", "errors"]
    assert told["id"] == "x1"
    assert told["results"] == {
        "A VIE": "moved",
        "A TRI": "given",
        "F STP/SC": "moved",
        "A TYR": "bounced",
        "A MUN": "hold",
    }
    assert told["dislodged"] == {
        "A TYR": {"power": "ITALY", "by": "A VIE", "retreats": ["BOH", "PIE", "VEN"]}
    }
    assert told["next"] == {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["A TRI", "A TYR"], "GERMANY": ["A MUN"], "RUSSIA": ["F BOT"]},
        "dislodged": {"ITALY": {"A TYR": ["BOH", "PIE", "VEN"]}},
        "centers": {"AUSTRIA": ["BUD", "TRI", "VIE"], "RUSSIA": ["STP"]},
    }
    assert set(told["why"]) == set(told["results"])
    assert told["errors"] == []


def test_the_answer_can_be_asked_again_with_retreats() -> None:
    told = ask(
        {
            "phase": "F1901R",
            "units": {"AUSTRIA": ["A TYR"]},
            "centers": {"AUSTRIA": ["VIE"]},
            "dislodged": {
                "ITALY": {"A TYR": ["BOH", "PIE"], "F TRI": []},
                "GERMANY": {"A MUN": []},
            },
            "orders": {"ITALY": ["A TYR R PIE"], "GERMANY": ["A MUN R BER"]},
        }
    )
    assert told["id"] is None
    assert told["results"] == {"A TYR": "retreated", "F TRI": "disbanded", "A MUN": "disbanded"}
    assert told["next"]["units"] == {"AUSTRIA": ["A TYR"], "ITALY": ["A PIE"]}
    (error,) = told["errors"]
    assert error["order"] == "A MUN R BER"
    assert error["message"].endswith("it can only disband.")


def test_adjustments_have_their_words_and_the_edition_removes_what_is_owed() -> None:
    request = {
        "phase": "W1902A",
        "units": {"RUSSIA": ["A MOS"], "ITALY": ["A ROM", "F TUN", "A PAR"], "TURKEY": ["A CON"]},
        "centers": {"RUSSIA": ["MOS", "STP", "WAR", "SEV"], "ITALY": ["ROM"], "TURKEY": ["CON"]},
        "orders": {
            "RUSSIA": ["F STP/NC B", "A MOS B", "WAIVE", "F STP B"],
            "ITALY": ["A PAR D"],
            "TURKEY": ["A CON D"],
        },
    }
    told = ask(request)
    assert told["results"] == {
        "F TUN": "disbanded",
        "A PAR": "disbanded",
        "F STP/NC": "built",
        "WAIVE": "waived",
        "A MOS": "void",
        "A CON": "void",
        "F STP": "void",
    }
    assert told["next"]["phase"] == "S1903M"
    assert told["next"]["units"]["RUSSIA"] == ["A MOS", "F STP/NC"]
    assert told["why"]["F TUN"] == "Disbanded by the rule for civil disorder."
    assert told["why"]["WAIVE"] == "Builds not taken: Russia 2."
    refused = {(one["power"], one["order"]) for one in told["errors"]}
    assert refused == {("RUSSIA", "A MOS B"), ("RUSSIA", "F STP B"), ("TURKEY", "A CON D")}


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Build F Moscow", "F MOS"),
        ("F MOS B", "F MOS"),
        ("Build a fleet in St Petersburg", "F STP"),
        ("Remove F Gulf of Lyon", "F LYO"),
        ("Build F St Petersburg(ec)", "F STP"),
    ],
)
def test_an_adjustment_that_cannot_be_is_one_void_order(text: str, unit: str) -> None:
    told = ask(
        {
            "phase": "W1901A",
            "units": {"RUSSIA": ["A UKR"]},
            "centers": {"RUSSIA": ["MOS", "STP"]},
            "orders": {"RUSSIA": [text]},
        }
    )
    assert told["results"] == {unit: "void", "WAIVE": "waived"}
    assert [(one["power"], one["order"]) for one in told["errors"]] == [("RUSSIA", text)]


def test_one_build_too_many_is_void_and_told_of() -> None:
    told = ask(
        {
            "phase": "W1901A",
            "units": {"FRANCE": ["A BUR"]},
            "centers": {"FRANCE": ["PAR", "BRE"]},
            "orders": {"FRANCE": ["A PAR B", "F BRE B"]},
        }
    )
    assert told["results"] == {"A PAR": "built", "F BRE": "void"}
    assert [one["order"] for one in told["errors"]] == ["F BRE B"]


def test_a_game_that_is_won_says_so() -> None:
    centers = [province.code for province in standard_board().provinces if province.center]
    told = ask({"phase": "F1901M", "units": {}, "centers": {"ITALY": centers[:18]}})
    assert told["ending"]["winners"] == ["ITALY"]


NEEDLESS = {
    "ordered beside a route": ("A YOR - BEL VIA", "F ENG C A YOR - BEL", "F NTH - NWY", "nopath"),
    "ordered beside the route": (
        "A YOR - BEL VIA",
        "F ENG C A YOR - BEL",
        "F NTH C A YOR - BEL",
        "moved",
    ),
}


@pytest.mark.parametrize(("move", "convoy", "other", "word"), NEEDLESS.values(), ids=NEEDLESS)
def test_a_convoy_no_route_needs_has_the_word_of_one(
    move: str, convoy: str, other: str, word: str
) -> None:
    """So have six adjudicators of two real positions; by DATC 4.E.1 the order is illegal."""
    told = ask(
        {
            "phase": "F1901M",
            "units": {"ENGLAND": ["A YOR", "F ENG", "F NTH"], "TURKEY": ["F BLA"]},
            "orders": {"ENGLAND": [move, convoy, other], "TURKEY": ["F BLA C A YOR - BEL"]},
            "explain": True,
        }
    )
    assert (told["results"]["A YOR"], told["results"]["F ENG"]) == (word, "convoyed")
    assert told["results"]["F BLA"] == "void"
    assert told["why"]["F ENG"].startswith("Stood ready to convoy the army from Yorkshire")
    assert told["trees"]["F ENG"]["outcome"] == "convoyed"
    assert [one["order"] for one in told["errors"]] == [convoy, "F BLA C A YOR - BEL"]


def test_a_needless_convoy_is_disrupted_with_its_fleet_and_void_beside_a_land_route() -> None:
    units = {"ENGLAND": ["A YOR", "F ENG", "F NTH"], "FRANCE": ["F BRE", "F MAO", "A MAR"]}
    orders = {
        "ENGLAND": ["A YOR - BEL", "F ENG C A YOR - BEL", "F NTH H"],
        "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG"],
    }
    told = ask({"phase": "F1901M", "units": units, "orders": orders})
    assert (told["results"]["A YOR"], told["results"]["F ENG"]) == ("nopath", "disrupted")
    assert "F ENG" in told["dislodged"]
    units = {"FRANCE": ["A MAR", "F WES"], "ITALY": ["F LYO", "A SPA"]}
    orders = {
        "FRANCE": ["A MAR - SPA", "F WES C A MAR - SPA"],
        "ITALY": ["F LYO C A MAR - SPA", "A SPA - MAR"],
    }
    told = ask({"phase": "F1901M", "units": units, "orders": orders})
    assert told["results"] == {
        "A MAR": "bounced",
        "F WES": "void",
        "F LYO": "void",
        "A SPA": "bounced",
    }


WORDS = {
    "an order that cannot be read": ("A PAR - XYZ", "void", "XYZ"),
    "an illegal order": ("A PAR - MUN", "void", "Munich"),
    "a support of another move": ("A PAR S A MUN - BUR", "void", None),
    "two different orders": ("A PAR - GAS; A PAR - PIC", "void", "different orders"),
    "the same order twice": ("A PAR - GAS, A PAR - Gascony", "moved", None),
    "a convoy by nobody": ("A PAR - BRE VIA", "void", "No fleets at sea"),
    "no order": ("", "hold", "empty"),
}


@pytest.mark.parametrize(("text", "word", "error"), WORDS.values(), ids=WORDS)
def test_every_unit_has_its_word(text: str, word: str, error: str | None) -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
    told = ask({"phase": "S1901M", "units": units, "orders": {"FRANCE": [text]}})
    assert told["results"] == {"A PAR": word, "A MUN": "hold"}
    assert bool(told["errors"]) is (error is not None)
    if error is not None:
        assert error in told["errors"][0]["message"]


def test_an_army_whose_fleet_is_sunk_has_no_path() -> None:
    told = ask(
        {
            "phase": "S1901M",
            "units": {"ENGLAND": ["A LON", "F NTH"], "RUSSIA": ["F NWG", "F SKA"]},
            "orders": {
                "ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"],
                "RUSSIA": ["F NWG - NTH", "F SKA S F NWG - NTH"],
            },
        }
    )
    assert told["results"] == {
        "A LON": "nopath",
        "F NTH": "disrupted",
        "F NWG": "moved",
        "F SKA": "given",
    }


def test_orders_of_others_and_of_nobody_are_refused_and_change_nothing() -> None:
    told = ask(
        {
            "phase": "S1901M",
            "units": {"FRANCE": ["A PAR"]},
            "orders": {"GERMANY": ["A PAR - BUR"], "ATLANTIS": ["A PAR - GAS"], "FRANCE": []},
        }
    )
    assert told["results"] == {"A PAR": "hold"}
    assert [one["power"] for one in told["errors"]] == ["GERMANY", "ATLANTIS"]


def test_a_printed_sheet_in_one_text_is_read_as_its_orders() -> None:
    told = ask(
        {
            "phase": "S1902M",
            "units": {"GERMANY": ["A HOL", "A RUH", "A MUN", "F DEN", "F KIE"]},
            "orders": {
                "GERMANY": [
                    "Germany: A Hol.—Bel. A Ruhr S Hol.—Bel A Mun.—Bur. F Den. Stands F Kiel—Hol."
                ]
            },
        }
    )
    assert told["errors"] == []
    assert set(told["results"].values()) == {"moved", "given", "hold"}


# Rules and maps.


def test_an_edition_and_switches_of_one_are_used() -> None:
    request: dict[str, object] = {
        "phase": "S1901M",
        "units": {
            "ENGLAND": ["A LON", "F NTH", "F ENG"],
            "FRANCE": ["F BRE", "F IRI"],
        },
        "orders": {
            "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG C A LON - BEL"],
            "FRANCE": ["F BRE - ENG", "F IRI S F BRE - ENG"],
        },
    }
    words = {}
    for name, rules in {
        "2000": "2000",
        "1971": "1971",
        "mixed": {"edition": "1971", "any_route_disrupts": False},
        "switch": {"any_route_disrupts": True},
    }.items():
        words[name] = ask({**request, "rules": rules})["results"]["A LON"]
    assert words == {"2000": "moved", "1971": "nopath", "mixed": "moved", "switch": "nopath"}


def test_a_map_may_be_a_name_a_file_a_chart_or_a_board(tmp_path: Path) -> None:
    chart = chart_to_json(standard_chart())
    path = tmp_path / "europe.json"
    path.write_text(json.dumps(chart), encoding="utf-8")
    shelf = BoardShelf()
    plain = answer(WAR, shelf)
    assert "error" not in plain
    for value in (str(path), chart, board_to_json(standard_board())):
        assert answer({**WAR, "map": value}, shelf) == plain
    assert shelf(str(path)) is shelf(str(path))
    assert "error" in answer({**WAR, "map": str(path)}, BoardShelf(files=False))


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
def test_a_map_that_is_none_is_an_error(value: object) -> None:
    told = answer({**WAR, "map": value}, BoardShelf())
    assert list(told) == ["id", "error"]
    assert told["error"]


# Requests that are none.

BAD: dict[str, tuple[object, str]] = {
    "no object": ([], "not an object"),
    "nothing": ({}, "phase: missing"),
    "no units": ({"phase": "S1901M"}, "units: missing"),
    "a phase that is none": ({**WAR, "phase": "S1901A"}, "phase: not a phase"),
    "a phase of another type": ({**WAR, "phase": 1901}, "phase: not a text"),
    "units in a list": ({**WAR, "units": ["A VIE"]}, "units: not an object"),
    "a unit that is none": ({**WAR, "units": {"ITALY": ["X ROM"]}}, "units.ITALY[0]: not a unit"),
    "an army at sea": ({**WAR, "units": {"ITALY": ["A ION"]}}, "units.ITALY[0]: not a unit"),
    "a fleet on no coast": ({**WAR, "units": {"ITALY": ["F SPA"]}}, "which coast of SPA"),
    "a number for a unit": ({**WAR, "units": {"ITALY": [5]}}, "units.ITALY[0]: not a text"),
    "two units in a province": (
        {**WAR, "units": {"ITALY": ["F SPA/NC"], "FRANCE": ["A SPA"]}},
        "units: two units in SPA",
    ),
    "a power that is none": ({**WAR, "units": {"Italy": ["A ROM"]}}, "there is no power 'Italy'"),
    "a center that is none": ({**WAR, "centers": {"ITALY": ["PIE"]}}, "'PIE' is no supply center"),
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
        "dislodged.ITALY.A ROM[0]: not a unit",
    ),
    "orders in a list": ({**WAR, "orders": ["A VIE H"]}, "orders: not an object"),
    "orders in a text": ({**WAR, "orders": {"ITALY": "A ROM H"}}, "orders.ITALY: not a list"),
    "a number for an order": ({**WAR, "orders": {"ITALY": [5]}}, "orders.ITALY[0]: not a text"),
    "too many orders": ({**WAR, "orders": {"ITALY": [""] * 2001}}, "2000 are allowed"),
    "an edition that is none": ({**WAR, "rules": "1999"}, "rules: no edition '1999'"),
    "a switch that is none": ({**WAR, "rules": {"speed": 1}}, "rules.speed: no such switch"),
    "a switch of another type": (
        {**WAR, "rules": {"any_route_disrupts": 1}},
        "rules.any_route_disrupts: neither true nor false",
    ),
    "rules in a number": ({**WAR, "rules": 2000}, "rules: not an object"),
    "explain that is no truth": ({**WAR, "explain": "yes"}, "explain: neither true nor false"),
}


@pytest.mark.parametrize(("request_", "error"), BAD.values(), ids=BAD)
def test_a_bad_request_is_answered_with_its_fault(request_: object, error: str) -> None:
    told = answer(request_)
    check("refused", told)
    assert error in told["error"]
    assert len(told["error"]) < 600
    assert told["id"] == (request_.get("id") if isinstance(request_, dict) else None)


@pytest.mark.parametrize("name", [None, "", "x", 7, 7.5, True, "é\ud800"])
def test_the_id_comes_back(name: object) -> None:
    assert answer({**WAR, "id": name})["id"] == name
    assert answer({"id": name})["id"] == name


@pytest.mark.parametrize("name", [[], {}, "x" * 10_000, math.inf, math.nan])
def test_an_id_that_is_none_is_left_out(name: object) -> None:
    assert answer({**WAR, "id": name})["id"] is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*WAR, "dislodged", "seed", "explain"]), JSON)
def test_any_value_in_any_place_is_answered(part: str, value: object) -> None:
    check("answer", answer({**WAR, part: value}))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=4))
def test_any_texts_are_answered_as_orders(texts: list[str]) -> None:
    for phase, out in (("S1901M", {}), ("S1901R", {"ITALY": {"A TYR": ["PIE"]}}), ("W1901A", {})):
        request = {**WAR, "phase": phase, "dislodged": out, "orders": {"ITALY": texts}}
        told = answer(request)
        check("judged", told)
        json.dumps(told)


# Streams.


def lines(*sent: bytes | dict[str, object]) -> list[dict[str, object]]:
    source = io.BytesIO(b"".join(one if isinstance(one, bytes) else dump(one) for one in sent))
    sink = io.BytesIO()
    serve_lines(source, sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def dump(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


BAD_LINES = {
    "no JSON": b"nonsense\n",
    "half an object": b'{"id": "x"\n',
    "an empty line": b"\n",
    "a line of blanks": b"   \n",
    "not UTF-8": b'{"id": "\xff"}\n',
    "no number": b'{"id": NaN}\n',
    "a key twice": b'{"id": 1, "id": 2}\n',
    "a number beyond bounds": b'{"id": ' + b"9" * 5000 + b"}\n",
    "brackets without end": b"[" * 100_000 + b"\n",
    "nested objects": b'{"a":' * 50_000 + b"\n",
    "a huge line": b'{"id": "' + b"x" * (LONGEST_LINE + 5) + b'"}\n',
    "zeroes": b"\0\0\0\n",
    "a byte order mark alone": b"\xef\xbb\xbf\n",
}


@pytest.mark.parametrize("bad", BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_answered_and_the_next_too(bad: bytes) -> None:
    first, second, third = lines(dump(WAR), bad, {**WAR, "id": "after"})
    assert first["id"] == "x1"
    check("refused", second)
    assert third["id"] == "after"
    assert third["results"] == first["results"]


def test_lines_may_end_as_on_other_systems_or_not_at_all() -> None:
    told = lines(b"\xef\xbb\xbf" + dump(WAR).rstrip() + b"\r\n", dump(WAR).rstrip())
    assert [one["results"] for one in told] == [answer(WAR)["results"]] * 2


def test_a_defect_of_the_map_finder_does_not_stop_the_stream() -> None:
    def broken(name: object) -> object:
        raise ZeroDivisionError

    told: list[Exception] = []
    sink = io.BytesIO()
    serve_lines(io.BytesIO(dump(WAR) * 2), sink, broken, report=told.append)
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [one["error"] for one in answers] == ["internal error: ZeroDivisionError"] * 2
    assert [type(one) for one in told] == [ZeroDivisionError] * 2


def test_the_command_answers_each_line_at_once() -> None:
    command = [sys.executable, "-m", "diplomaccloud", "judge", "--explain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        for sent in (dump(WAR), b"?\n", dump({**WAR, "id": 3})):
            judge.stdin.write(sent)
            judge.stdin.flush()
            told = json.loads(judge.stdout.readline())
            check("answer", told)
            assert ("trees" in told) is ("error" not in told)
        judge.stdin.close()
        assert judge.wait(10) == 0


def test_trees_are_given_only_if_asked_for() -> None:
    assert "trees" not in ask(WAR)
    trees = ask({**WAR, "explain": True})["trees"]
    assert set(trees) == {"A VIE", "A TRI", "A TYR", "F STP/SC"}
    assert trees["A VIE"]["sentence"] == ask(WAR)["why"]["A VIE"]


TOLD = {
    "a movement phase": {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR", "A MAR", "A BRE", "A GAS"], "GERMANY": ["A BUR", "F LYO"]},
        "orders": {
            "FRANCE": ["A PAR flies to the moon", "A MAR - MUN", "A BRE - GAS", "A BRE - PIC"],
            "GERMANY": ["A BUR - PAR", "F LYO C A MAR - SPA"],
        },
    },
    "retreats": {
        "phase": "F1901R",
        "units": {"AUSTRIA": ["A TYR"]},
        "dislodged": {"ITALY": {"A TYR": ["BOH", "PIE"], "F TRI": ["ALB"]}},
        "orders": {"ITALY": ["A TYR R MUN", "F TRI flies to the moon"]},
    },
    "adjustments": {
        "phase": "W1901A",
        "units": {"RUSSIA": ["A MOS"], "ITALY": ["A ROM", "A NAP"]},
        "centers": {"RUSSIA": ["MOS", "STP", "WAR"], "ITALY": ["ROM"]},
        "orders": {"RUSSIA": ["A WAR flies", "F STP B"], "ITALY": ["A ROM B"]},
    },
}


@pytest.mark.parametrize("request_", TOLD.values(), ids=TOLD)
def test_trees_say_the_words_of_the_results(request_: dict[str, object]) -> None:
    told = ask({**request_, "explain": True})
    assert {"RUSSIA WAIVE"} >= set(told["trees"]) - set(told["results"]) - {"RUSSIA WAIVE 2"}
    for unit in set(told["results"]) - {"WAIVE"}:
        tree, word = told["trees"][unit], told["results"][unit]
        assert (tree["outcome"], tree["sentence"]) == (word, told["why"][unit])
        assert tree["cause"]["sentence"] == told["why"][unit]
        assert tree["paragraph"].startswith(told["why"][unit])
    assert any(tree["order"].endswith(("moon", "flies")) for tree in told["trees"].values())


def test_a_convoy_of_hundreds_of_fleets_is_explained() -> None:
    """Each tree tells of a dozen fleets: in all they must not grow with the square."""
    seas = [f"S{number:03}" for number in range(240)]
    plain = {"coasts": [], "center": False, "home": None, "aliases": []}
    board = {
        **board_to_json(standard_board()),
        "name": "strait",
        "provinces": [
            {"code": code, "name": code, "terrain": "sea" if code in seas else "coastal", **plain}
            for code in ("AAA", *seas, "BBB")
        ],
        "army_borders": [],
        "fleet_borders": [list(pair) for pair in pairwise(("AAA", *seas, "BBB"))],
        "starts": [],
        "impassable": [],
    }
    fleets = [f"F {sea}" for sea in seas]
    request = {
        "map": board,
        "phase": "S1901M",
        "units": {"ITALY": ["A AAA", *fleets]},
        "orders": {"ITALY": ["A AAA - BBB", *(f"{fleet} C A AAA - BBB" for fleet in fleets)]},
        "explain": True,
    }
    told = answer(request, BoardShelf())
    assert set(told["results"].values()) == {"moved", "convoyed"}
    trees = told["trees"]
    assert set(trees) == {"A AAA", *fleets}
    assert "and 228 more were ordered to convoy" in trees["A AAA"]["paragraph"]
    assert len(json.dumps(trees)) < 5_000 * len(trees)


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
    began = time.process_time()
    told = answer({**WAR, "orders": {"ITALY": [text]}})
    assert time.process_time() - began < 3
    check("judged", told)
    assert len(json.dumps(told)) < 400_000
    if text.startswith("Ａ"):
        assert told["results"]["A TYR"] == "moved"
    else:
        assert told["errors"]


def test_a_board_with_names_that_say_nothing_is_answered() -> None:
    board = board_to_json(standard_board())
    board["powers"] = [[key, "", "-"] for key, _, _ in board["powers"]]
    told = answer({**WAR, "map": board}, BoardShelf())
    assert told["results"]["A VIE"] == "moved"
    nothing = {**board, "provinces": [], "army_borders": [], "fleet_borders": [], "starts": []}
    empty = {"map": nothing, "phase": "S1901M", "units": {}, "orders": {"ITALY": ["A ROM H"]}}
    assert answer(empty, BoardShelf())["errors"][0]["order"] == "A ROM H"
