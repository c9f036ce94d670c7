"""Files `history.json` of webDiplomacy are read, and what is wrong in them is named."""

import copy
import json

import pytest
from judge.tests.test_codec import NOT_WHOLE
from judge.tests.test_exchange import ELSEWHERE, NO_PHASES, find_error, read_one

from diplomaccloud import judge

COUNTRIES = {1: "ENGLAND", 2: "FRANCE", 4: "GERMANY"}
LONDON, SPAIN, BELGIUM, BREST, PARIS, BURGUNDY, MARSEILLES = 6, 8, 44, 46, 47, 48, 49
NORTH_SEA, CHANNEL, SPAIN_SOUTH = 53, 60, 77


def unit(country, kind, place, *, retreating=False):
    return {"countryID": country, "type": kind, "terrID": place, "retreating": retreating}


def order(country, place, word, to=None, start=None, *, by_convoy=False):
    return {
        "countryID": country,
        "terrID": place,
        "unitType": None,
        "type": word,
        "toTerrID": to,
        "fromTerrID": start,
        "viaConvoy": by_convoy,
        "success": True,
        "dislodged": False,
    }


def phase(turn, name, units, centers, orders=()):
    return {
        "turn": turn,
        "phase": name,
        "turnText": "",
        "units": list(units),
        "centers": [{"countryID": c, "terrID": t} for c, t in centers],
        "orders": list(orders),
    }


HOMES = [(1, LONDON), (2, PARIS), (2, BREST), (2, MARSEILLES), (2, BURGUNDY), (0, BELGIUM)]
HISTORY = {
    "schema": 1,
    "gameID": 77,
    "file": "history",
    "version": "1",
    "generated": 0,
    "phases": [
        phase(
            0,
            "Diplomacy",
            [
                unit(1, "Army", LONDON),
                unit(1, "Fleet", NORTH_SEA),
                unit(2, "Army", PARIS),
                unit(2, "Army", MARSEILLES),
                unit(4, "Army", BURGUNDY),
            ],
            HOMES,
            [
                order(1, LONDON, "Move", BELGIUM, by_convoy=True),
                order(1, NORTH_SEA, "Convoy", BELGIUM, LONDON),
                order(2, PARIS, "Move", BURGUNDY),
                order(2, MARSEILLES, "Support move", BURGUNDY, PARIS),
                order(4, BURGUNDY, "Hold"),
            ],
        ),
        phase(
            0,
            "Retreats",
            [
                unit(1, "Army", BELGIUM),
                unit(1, "Fleet", NORTH_SEA),
                unit(2, "Army", BURGUNDY),
                unit(2, "Army", MARSEILLES),
                unit(4, "Army", BURGUNDY, retreating=True),
            ],
            HOMES,
            [order(4, BURGUNDY, "Disband")],
        ),
        phase(
            1,
            "Diplomacy",
            [
                unit(1, "Army", BELGIUM),
                unit(1, "Fleet", NORTH_SEA),
                unit(2, "Army", BURGUNDY),
                unit(2, "Army", MARSEILLES),
            ],
            HOMES,
            [
                order(1, BELGIUM, "Hold"),
                order(1, NORTH_SEA, "Support hold", BELGIUM),
                order(2, BURGUNDY, "Hold"),
                order(2, MARSEILLES, "Move", SPAIN),
            ],
        ),
        # The builds of Winter 1901, all waived, are not in the file.
        phase(
            2,
            "Diplomacy",
            [
                unit(1, "Army", BELGIUM),
                unit(1, "Fleet", NORTH_SEA),
                unit(2, "Army", BURGUNDY),
                unit(2, "Army", SPAIN),
            ],
            [*HOMES[:-1], (1, BELGIUM), (2, SPAIN)],
        ),
    ],
}


def read(history):
    saved = read_one(json.dumps(history).encode())
    assert saved.format == "webDiplomacy"
    return saved.name, saved.game


def test_a_history_is_read():
    name, game = read(HISTORY)
    assert name == "webDiplomacy 77"
    assert game.rules.name == "webDiplomacy"
    assert [turn.phase for turn in game.turns] == ["S1901M", "S1901R", "F1901M", "W1901A"]
    assert game.phase == "S1902M"
    assert str(game.unit_in("BEL")) == "A BEL"
    text = judge.write_game(game, "text", name)
    assert "ENGLAND: A LON - BEL VIA, F NTH C A LON - BEL" in text.splitlines()


def test_builds_and_the_end_are_read():
    history = copy.deepcopy(HISTORY)
    last = history["phases"][-1]
    history["phases"].insert(3, {**copy.deepcopy(last), "turn": 1, "phase": "Builds", "orders": []})
    history["phases"][3]["orders"] = [order(2, BREST, "Build Fleet")]
    last["units"].append(unit(2, "Fleet", BREST))
    last["orders"] = [order(2, BREST, "Move", CHANNEL), order(2, SPAIN, "Hold")]
    end = copy.deepcopy(last) | {"phase": "Finished", "orders": []}
    end["units"][-1] = unit(2, "Fleet", CHANNEL)
    history["phases"].append(end)
    _, game = read(history)
    assert game.phase == "F1902M"
    assert str(game.unit_in("ENG")) == "F ENG"


def test_a_retreat_phase_for_units_without_a_retreat_is_left_out():
    history = copy.deepcopy(HISTORY)
    first, retreats = history["phases"][:2]
    del history["phases"][2:]
    first["units"] = [unit(2, "Fleet", BREST), unit(1, "Fleet", CHANNEL), unit(4, "Army", PARIS)]
    first["orders"] = []
    retreats["units"] = [*first["units"], unit(1, "Army", BREST, retreating=True)]
    retreats["orders"] = [order(1, BREST, "Disband")]
    assert read(history)[1].phase == "F1901M"


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        (["schema"], 2, "schema: only schema 1 is supported"),
        (["phases"], [], f"phases: {NO_PHASES}"),
        (["phases", 0, "turn"], "0", f"phases[0].turn: {NOT_WHOLE}"),
        (["phases", 0, "phase"], "Pre-game", "phases[0].phase: not one of Diplomacy"),
        (["phases", 0, "units", 0, "terrID"], 82, "phases[0].units[0].terrID: not from 1"),
        (["phases", 0, "units", 0, "countryID"], 8, "units[0].countryID: not from 1 to 7"),
        (["phases", 0, "units", 0, "type"], "Wing", "units[0].type: not one of Army, Fleet"),
        (["phases", 0, "units", 0, "terrID"], 53, "phases[0]: not a position of the Classic"),
        (["phases", 0, "orders", 0, "terrID"], 1, "terrID: ENGLAND has no unit in CLY to order"),
        (["phases", 0, "orders", 0, "type"], "Fly", "type: not an order of webDiplomacy: 'Fly'"),
        (["phases", 0, "orders", 1, "fromTerrID"], 2, "fromTerrID: there is no unit in EDI"),
        (
            ["phases", 1, "units", 0, "terrID"],
            5,
            f"S1901M: {ELSEWHERE}: units of ENGLAND",
        ),
        (
            ["phases", 2, "centers", 0, "countryID"],
            4,
            f"S1901R: {ELSEWHERE}: centers of ENGLAND",
        ),
        (["phases", 3, "turn"], 4, "W1901A: the game has come to W1901A, not S1903M"),
    ],
)
def test_the_part_at_fault_is_named(path, value, error):
    history = copy.deepcopy(HISTORY)
    *parents, last = path
    part = history
    for key in parents:
        part = part[key]
    part[last] = value
    assert error in find_error(json.dumps(history).encode())
