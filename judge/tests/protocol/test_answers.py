"""The judge's protocol: the fixed names and words, rules and maps."""

import json
from pathlib import Path

import pytest
from judge.tests.protocol.asking import WAR, ask

from diplomaccloud.judge.codec import board_to_json
from diplomaccloud.judge.protocol import answer
from diplomaccloud.judge.protocol.boards import BoardLoader
from diplomaccloud.judge.standard.europe import standard_board


def test_a_movement_phase_is_answered_with_the_fixed_names() -> None:
    blocked = {
        **WAR,
        "units": {**WAR["units"], "GERMANY": ["A MUN"]},
        "orders": {**WAR["orders"], "GERMANY": ["A MUN H"]},
    }
    reply = ask(blocked)
    assert list(reply) == ["id", "results", "dislodged", "next", "why", "errors"]
    assert reply["id"] == "x1"
    assert reply["results"] == {
        "A VIE": "moved",
        "A TRI": "given",
        "F STP/SC": "moved",
        "A TYR": "bounced",
        "A MUN": "hold",
    }
    assert reply["dislodged"] == {
        "A TYR": {"power": "ITALY", "by": "A VIE", "retreats": ["BOH", "PIE", "VEN"]}
    }
    assert reply["next"] == {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["A TRI", "A TYR"], "GERMANY": ["A MUN"], "RUSSIA": ["F BOT"]},
        "dislodged": {"ITALY": {"A TYR": ["BOH", "PIE", "VEN"]}},
        "centers": {"AUSTRIA": ["BUD", "TRI", "VIE"], "RUSSIA": ["STP"]},
    }
    assert set(reply["why"]) == set(reply["results"])
    assert reply["errors"] == []


def test_the_answer_can_be_asked_again_with_retreats() -> None:
    reply = ask(
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
    assert reply["id"] is None
    assert reply["results"] == {"A TYR": "retreated", "F TRI": "disbanded", "A MUN": "disbanded"}
    assert reply["next"]["units"] == {"AUSTRIA": ["A TYR"], "ITALY": ["A PIE"]}
    (error,) = reply["errors"]
    assert error["order"] == "A MUN R BER"
    assert "cannot retreat to Berlin" in error["message"]


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
    reply = ask(request)
    assert reply["results"] == {
        "F TUN": "disbanded",
        "A PAR": "disbanded",
        "F STP/NC": "built",
        "WAIVE": "waived",
        "A MOS": "void",
        "A CON": "void",
        "F STP": "void",
    }
    assert reply["next"]["phase"] == "S1903M"
    assert reply["next"]["units"]["RUSSIA"] == ["A MOS", "F STP/NC"]
    assert reply["why"]["F TUN"] == "Disbanded by the rule for civil disorder."
    assert reply["why"]["WAIVE"] == "These builds were not taken: Russia 2."
    refused = {(one["power"], one["order"]) for one in reply["errors"]}
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
    reply = ask(
        {
            "phase": "W1901A",
            "units": {"RUSSIA": ["A UKR"]},
            "centers": {"RUSSIA": ["MOS", "STP"]},
            "orders": {"RUSSIA": [text]},
        }
    )
    assert reply["results"] == {unit: "void", "WAIVE": "waived"}
    assert [(one["power"], one["order"]) for one in reply["errors"]] == [("RUSSIA", text)]


def test_one_build_too_many_is_void_and_reported() -> None:
    for explain in (False, True):
        reply = ask(
            {
                "phase": "W1901A",
                "units": {"FRANCE": ["A BUR"]},
                "centers": {"FRANCE": ["PAR", "BRE"]},
                "orders": {"FRANCE": ["A PAR B", "F BRE B"]},
                "explain": explain,
            }
        )
        assert reply["results"] == {"A PAR": "built", "F BRE": "void"}
        assert [one["order"] for one in reply["errors"]] == ["F BRE B"]


def test_several_orders_in_one_text_are_each_answered_as_they_were_sent() -> None:
    orders = ["A PAR to BUR; F BRE flies", " 1. A MAR walks ", "F PIC,  S F ENG - BRE"]
    units = {"FRANCE": ["A PAR", "F BRE", "A MAR", "F PIC", "F ENG"]}
    reply = ask({"phase": "S1901M", "units": units, "orders": {"FRANCE": orders}})
    assert [one["order"] for one in reply["errors"]] == ["F BRE flies", " 1. A MAR walks "]
    words = {"A PAR": "moved", "F BRE": "void", "A MAR": "void", "F PIC": "void", "F ENG": "hold"}
    assert reply["results"] == words


def test_a_game_that_is_won_says_so() -> None:
    centers = [province.code for province in standard_board().provinces if province.center]
    reply = ask({"phase": "F1901M", "units": {}, "centers": {"ITALY": centers[:18]}})
    assert reply["ending"]["winners"] == ["ITALY"]


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
def test_a_needless_convoy_has_the_word_of_a_convoy_and_is_not_an_error(
    move: str, convoy: str, other: str, word: str
) -> None:
    """Six adjudicators agree in two real positions; by DATC 4.E.1 the order is illegal."""
    reply = ask(
        {
            "phase": "F1901M",
            "units": {"ENGLAND": ["A YOR", "F ENG", "F NTH"], "TURKEY": ["F BLA"]},
            "orders": {"ENGLAND": [move, convoy, other], "TURKEY": ["F BLA C A YOR - BEL"]},
            "explain": True,
        }
    )
    assert (reply["results"]["A YOR"], reply["results"]["F ENG"]) == (word, "convoyed")
    assert reply["results"]["F BLA"] == "void"
    assert reply["why"]["F ENG"].startswith("Stood ready to convoy the army from Yorkshire")
    assert reply["trees"]["F ENG"]["outcome"] == "convoyed"
    assert reply["trees"]["F ENG"]["cause"]["sources"][0]["place"] == "4.E.1"
    assert [one["order"] for one in reply["errors"]] == ["F BLA C A YOR - BEL"]


def test_a_needless_convoy_is_disrupted_with_its_fleet_and_void_beside_a_land_route() -> None:
    units = {"ENGLAND": ["A YOR", "F ENG", "F NTH"], "FRANCE": ["F BRE", "F MAO", "A MAR"]}
    orders = {
        "ENGLAND": ["A YOR - BEL", "F ENG C A YOR - BEL", "F NTH H"],
        "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG"],
    }
    reply = ask({"phase": "F1901M", "units": units, "orders": orders})
    assert (reply["results"]["A YOR"], reply["results"]["F ENG"]) == ("nopath", "disrupted")
    assert "F ENG" in reply["dislodged"]
    units = {"FRANCE": ["A MAR", "F WES"], "ITALY": ["F LYO", "A SPA"]}
    orders = {
        "FRANCE": ["A MAR - SPA", "F WES C A MAR - SPA"],
        "ITALY": ["F LYO C A MAR - SPA", "A SPA - MAR"],
    }
    reply = ask({"phase": "F1901M", "units": units, "orders": orders})
    assert reply["results"] == {
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
    reply = ask({"phase": "S1901M", "units": units, "orders": {"FRANCE": [text]}})
    assert reply["results"] == {"A PAR": word, "A MUN": "hold"}
    assert bool(reply["errors"]) is (error is not None)
    if error is not None:
        assert error in reply["errors"][0]["message"]


def test_an_army_whose_fleet_is_sunk_has_no_path() -> None:
    reply = ask(
        {
            "phase": "S1901M",
            "units": {"ENGLAND": ["A LON", "F NTH"], "RUSSIA": ["F NWG", "F SKA"]},
            "orders": {
                "ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"],
                "RUSSIA": ["F NWG - NTH", "F SKA S F NWG - NTH"],
            },
        }
    )
    assert reply["results"] == {
        "A LON": "nopath",
        "F NTH": "disrupted",
        "F NWG": "moved",
        "F SKA": "given",
    }


def test_orders_of_others_and_of_nobody_are_refused_and_change_nothing() -> None:
    reply = ask(
        {
            "phase": "S1901M",
            "units": {"FRANCE": ["A PAR"]},
            "orders": {"GERMANY": ["A PAR - BUR"], "ATLANTIS": ["A PAR - GAS"], "FRANCE": []},
        }
    )
    assert reply["results"] == {"A PAR": "hold"}
    assert [one["power"] for one in reply["errors"]] == ["GERMANY", "ATLANTIS"]


def test_a_printed_sheet_in_one_text_is_read_as_its_orders() -> None:
    reply = ask(
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
    assert reply["errors"] == []
    assert set(reply["results"].values()) == {"moved", "given", "hold"}


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
    chart = {"v": 1, "world": "Europe", "board": board_to_json(standard_board())}
    path = tmp_path / "europe.json"
    path.write_text(json.dumps(chart), encoding="utf-8")
    shelf = BoardLoader(tmp_path)
    plain = answer(WAR, shelf)
    assert "error" not in plain
    for value in (str(path), "europe.json", chart, board_to_json(standard_board())):
        assert answer({**WAR, "map": value}, shelf) == plain
    assert shelf(str(path)) is shelf(str(path))
    assert "error" in answer({**WAR, "map": str(path)}, BoardLoader())


def test_a_map_outside_the_folder_is_refused_whether_it_exists_or_not(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    shelf = BoardLoader(folder)
    for name in ("../secret.json", "../missing.json", str(tmp_path / "secret.json"), "link.json"):
        reply = answer({**WAR, "map": name}, shelf)
        assert reply["error"] == f"map: {name[:80]!r} is not in the folder of maps"
