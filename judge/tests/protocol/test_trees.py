"""Trees of causes, which an answer contains on request."""

import json

import pytest
from judge.tests.grids import strait_board, strait_seas
from judge.tests.protocol.asking import WAR, ask

from diplomaccloud.judge.protocol import answer
from diplomaccloud.judge.protocol.boards import BoardLoader


def test_trees_are_in_the_answer_only_on_request() -> None:
    assert "trees" not in ask(WAR)
    trees = ask({**WAR, "explain": True})["trees"]
    assert set(trees) == {"A VIE", "A TRI", "A TYR", "F STP/SC"}
    assert trees["A VIE"]["sentence"] == ask(WAR)["why"]["A VIE"]


REQUESTS = {
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


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_trees_have_the_outcomes_and_reasons_of_the_results(request_: dict[str, object]) -> None:
    answered = ask({**request_, "explain": True})
    assert {"RUSSIA WAIVE"} >= set(answered["trees"]) - set(answered["results"]) - {
        "RUSSIA WAIVE 2"
    }
    for unit in set(answered["results"]) - {"WAIVE"}:
        tree, word = answered["trees"][unit], answered["results"][unit]
        assert (tree["outcome"], tree["sentence"]) == (word, answered["why"][unit])
        assert tree["cause"]["sentence"] == answered["why"][unit]
        assert tree["paragraph"].startswith(answered["why"][unit])
    assert any(tree["order"].endswith(("moon", "flies")) for tree in answered["trees"].values())


def test_a_convoy_of_hundreds_of_fleets_is_explained() -> None:
    """Each tree names a dozen fleets: together they must not grow with the square."""
    seas = strait_seas(240)
    fleets = [f"F {sea}" for sea in seas]
    request = {
        "map": strait_board(240),
        "phase": "S1901M",
        "units": {"ITALY": ["A AAA", *fleets]},
        "orders": {"ITALY": ["A AAA - BBB", *(f"{fleet} C A AAA - BBB" for fleet in fleets)]},
        "explain": True,
    }
    answered = answer(request, BoardLoader())
    assert set(answered["results"].values()) == {"moved", "convoyed"}
    trees = answered["trees"]
    assert set(trees) == {"A AAA", *fleets}
    assert any(
        "Another 228 fleets were ordered to convoy" in text
        for text in (trees["A AAA"]["paragraph"], *trees["A AAA"]["details"])
    )
    assert len(json.dumps(trees)) < 5_000 * len(trees)


def test_an_order_refused_in_winter_is_one_error() -> None:
    reply = answer(
        {
            "phase": "W1901A",
            "units": {"FRANCE": ["A RUH"]},
            "centers": {"FRANCE": ["PAR", "BRE"]},
            "orders": {"FRANCE": ["A PAR B", "F BRE B", "A BRE B"]},
        },
        explain=True,
    )
    assert [error["order"] for error in reply["errors"]] == ["F BRE B", "A BRE B"]
    assert {unit: tree["sentence"] for unit, tree in reply["trees"].items()} == reply["why"]
