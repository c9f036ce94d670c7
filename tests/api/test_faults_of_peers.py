"""Faults in other sites' bot APIs, which ours must not have.

The others are tested where they belong: bad orders, seven ready programs, who owes orders.
"""

import datetime as dt

import pytest
from tests.api.calls import Program, problem_of, token_of
from tests.games.steps import change_position
from tests.press.conftest import talking  # noqa: F401 - a fixture
from tests.press.deals import order, process

from diplomaccloud.bots import BOTS
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.units import Unit

pytestmark = pytest.mark.every_database
ARMIES = {"BUR": "FRANCE", "RUH": "FRANCE", "MUN": "GERMANY", "WAR": "RUSSIA", "BOH": "AUSTRIA"}


def test_programs_see_the_standoffs_that_close_a_retreat(talking):  # noqa: F811
    change_position(
        units=tuple(Unit(UnitKind.ARMY, place, power) for place, power in ARMIES.items())
    )
    order(talking, "FRANCE", "A BUR - MUN", "A RUH S A BUR - MUN")
    order(talking, "RUSSIA", "A WAR - SIL")
    order(talking, "AUSTRIA", "A BOH - SIL")
    process(talking)
    germany = Program(token_of(talking.user_id("GERMANY")))
    path = f"/games/{talking.slug}"
    game = Program().get(path).json()
    assert (game["phase"]["name"], game["standoffs"]) == ("S1901R", ["SIL"])
    (dislodged,) = game["board"]["dislodged"]
    assert dislodged["unit"] == "A MUN"
    assert set(dislodged["retreats"]) == {"BER", "KIE", "TYR"}
    (unit,) = germany.get(f"{path}/seat/legal").json()["units"]
    assert set(unit["orders"]) == {"A MUN R BER", "A MUN R KIE", "A MUN R TYR", "A MUN D"}
    sequence = game["phase"]["sequence"]
    body = {"phase": sequence, "orders": ["A MUN - SIL"]}
    refused = problem_of(germany.put(f"{path}/seat/orders", body), "orders", 422)
    assert refused["orders"][0]["text"] == "A MUN - SIL"
    body["orders"] = ["A MUN - TYR"]
    assert germany.put(f"{path}/seat/orders", body).json()["accepted"] == ["A MUN R TYR"]
    process(talking)
    # Processed phases keep what was true in each.
    moves = Program().get(f"{path}/phases/1").json()
    assert moves["standoffs"] == ["SIL"]
    retreats = Program().get(f"{path}/phases/{sequence}").json()
    assert [row["unit"] for row in retreats["before"]["dislodged"]] == ["A MUN"]
    assert [row["order"] for row in retreats["results"]] == ["A MUN R TYR"]
    assert {"power": "GERMANY", "unit": "A TYR"} in retreats["after"]["units"]


def pass_deadlines(game_id, number):
    """Let this many phases pass, including any extra time for missing players."""
    game = Game.objects.get(pk=game_id)
    first = game.newest_phase().sequence
    for _ in range(4 * number):
        row = game.newest_phase()
        if row.sequence >= first + number:
            break
        at = row.adjudicate_at + dt.timedelta(hours=1)
        advance(game_id=game_id, owner="test", now=at)
    return game.newest_phase().sequence - first


def test_programs_that_say_nothing_for_a_night_stop_no_game(talking):  # noqa: F811
    assert pass_deadlines(talking.game_id, 2) == 2
    game = Program().get(f"/games/{talking.slug}").json()
    assert (game["status"], game["suspended"]) == ("running", False)
    # A program that comes back finds an open phase, and plays on.
    who = Seat.objects.filter(vacated_at=None).exclude(user=None).first()
    if who is not None:
        seat = Program(token_of(who.user_id)).get(f"/games/{talking.slug}/seat").json()
        assert not seat["closed"]


def test_built_in_bots_that_fail_for_a_night_stop_no_game(talking, monkeypatch):  # noqa: F811
    def fail(*_args, **_more):
        raise RuntimeError("a fault of the bot")

    monkeypatch.setattr(type(BOTS["hold"]), "orders", fail, raising=False)
    seats = Seat.objects.exclude(power="FRANCE")
    seats.update(user=None, bot="hold")
    assert pass_deadlines(talking.game_id, 2) == 2
    assert Game.objects.get().status == "running"
