"""Builds and disbands: a request costs no saved order unless it replaces it."""

from dataclasses import replace

import pytest
from tests.api.calls import problem_of
from tests.games.steps import phase

from diplomaccloud.games.table.phase_models import OrderRow
from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.units import Unit

AUSTRIA = Power("AUSTRIA")


def put_units(*texts):
    """Make the open phase a winter in which Austria has only these units, and its three centers."""
    row = phase()
    own = [Unit(UnitKind(text[0]), Location(text[2:]), AUSTRIA) for text in texts]
    others = [unit for unit in row.position.units if unit.power != AUSTRIA]
    winter = JudgePhase.parse("W1901A")
    row.name, row.position = str(winter), replace(row.position, phase=winter, units=(*own, *others))
    row.save(update_fields=["name", "position"])


@pytest.fixture
def alice(program):
    return program("alice")


@pytest.fixture
def save(alice, table):
    """A function that saves orders as Alice."""

    def put(*orders, **more):
        body = {"phase": 1, **({"orders": list(orders)} if orders else {}), **more}
        return alice.put(f"/games/{table.slug}/seat/orders", body).json()

    return put


@pytest.fixture
def seat(alice, table):
    """A function that reads Alice's seat."""
    return lambda: alice.get(f"/games/{table.slug}/seat").json()


def saved():
    """Return the orders of Austria in the first phase, even if it is over."""
    rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA", draft__phase__sequence=1)
    return sorted(str(row.canonical) for row in rows)


@pytest.mark.parametrize("body", [{}, {"orders": None}, {"orders": []}])
def test_a_request_without_orders_keeps_builds(save, body):
    put_units("A SER")
    save("A VIE B", "A BUD B")
    answer = save(**body, ready=True)
    assert (answer["orders"], answer["accepted"]) == (["A BUD B", "A VIE B"], [])
    assert (answer["ready"], answer["not_ready"]) == (True, None)
    assert saved() == ["A BUD B", "A VIE B"]


@pytest.mark.parametrize("body", [{}, {"orders": None}, {"orders": []}])
def test_a_request_without_orders_keeps_disbands(save, body):
    put_units("A SER", "A GAL", "A BOH", "A TYR", "F ALB")
    save("A GAL D", "F ALB D")
    assert save(**body, ready=True, confirmed=True)["orders"] == ["A GAL D", "F ALB D"]
    assert saved() == ["A GAL D", "F ALB D"]


@pytest.mark.parametrize("name", ["S1901R", "S1901M"])
def test_a_request_without_orders_keeps_moves_and_retreats(save, name):
    order = "A VIE - GAL"
    if name == "S1901R":
        row = phase()
        unit = Unit(UnitKind.ARMY, Location("BOH"), AUSTRIA)
        out = Dislodged(unit, Location("MUN"), (Location("GAL"), Location("TYR")))
        row.position = replace(row.position, phase=JudgePhase.parse(name), dislodged=(out,))
        row.name = name
        row.save(update_fields=["name", "position"])
        order = "A BOH R GAL"
    assert save(order)["orders"] == [order]
    assert save(ready=True, confirmed=True)["orders"] == [order]
    assert saved() == [order]


def test_a_draft_keeps_builds_too(alice, table, save):
    put_units("A SER")
    path = f"/games/{table.slug}/seat/drafts/B"
    alice.put(path, {"phase": 1, "orders": ["A VIE B", "A BUD B"]})
    answer = alice.put(path, {"phase": 1, "live": True}).json()
    assert answer["orders"] == ["A BUD B", "A VIE B"]


def test_a_list_of_builds_replaces_the_saved_ones(save):
    put_units("A SER")
    save("A VIE B", "A BUD B")
    assert save("F TRI B")["orders"] == ["F TRI B"]
    assert save("A VIE B", "WAIVE")["orders"] == ["A VIE B", "WAIVE"]
    assert save("WAIVE")["orders"] == ["WAIVE"]


def test_refused_builds_delete_none(alice, table, save, seat):
    put_units("A SER")
    save("A VIE B", "A BUD B")
    answer = save("A BUD B", "A PAR B", ready=True)
    assert (answer["orders"], answer["not_ready"]) == (["A BUD B", "A VIE B"], "refused")
    body = {"phase": 1, "orders": ["A PAR B"]}
    problem_of(alice.put(f"/games/{table.slug}/seat/orders", body), "orders", 422)
    assert seat()["orders"] == ["A BUD B", "A VIE B"]


def test_units_that_are_not_named_keep_their_disbands(save):
    put_units("A SER", "A GAL", "A BOH", "A TYR", "F ALB")
    assert save("A SER D")["orders"] == ["A SER D"]
    assert save("A GAL D")["orders"] == ["A GAL D", "A SER D"]
    # Two are due: a saved disband makes room for a new one, and both for two.
    assert save("A BOH D")["orders"] == ["A BOH D", "A SER D"]
    assert save("A TYR D", "F ALB D")["orders"] == ["A TYR D", "F ALB D"]


def test_legal_builds_come_before_waiving(alice, table):
    put_units("A SER")
    found = alice.get(f"/games/{table.slug}/seat/legal").json()
    assert found["due"] == {"AUSTRIA": 2}
    *builds, waive = found["units"]
    assert (waive["unit"], waive["orders"]) == (None, ["WAIVE"])
    assert {"A BUD", "A VIE", "F TRI"} <= {unit["unit"] for unit in builds}
    assert all(unit["orders"] == [f"{unit['unit']} B"] for unit in builds)


def test_the_answer_says_whether_the_seat_is_ready(save, seat):
    assert save("A VIE - GAL", ready=True)["ready"]
    answer = save("A VIE - BOH")
    assert (answer["ready"], answer["not_ready"]) == (True, None)
    assert seat()["ready"]
    assert not save("A VIE - GAL", ready=False)["ready"]
    assert not seat()["ready"]
    assert not save("A VIE - BOH")["ready"]
