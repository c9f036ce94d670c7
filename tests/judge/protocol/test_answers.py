"""The judge's protocol: the fixed names and words, rules and maps."""

import json
from pathlib import Path

import pytest
from tests.judge.protocol.asking import WAR, ask

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.atlas.chartfile import chart_to_json
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.judge.codec.boards import board_to_json
from diplomaccloud.judge.protocol import answer
from diplomaccloud.judge.standard.europe import standard_board


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
    shelf = BoardLoader()
    plain = answer(WAR, shelf)
    assert "error" not in plain
    for value in (str(path), chart, board_to_json(standard_board())):
        assert answer({**WAR, "map": value}, shelf) == plain
    assert shelf(str(path)) is shelf(str(path))
    assert "error" in answer({**WAR, "map": str(path)}, BoardLoader(files=False))
