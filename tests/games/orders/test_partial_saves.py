"""Orders, some of which are refused: the good ones are saved, and no saved order is lost."""

import pytest
from django.utils import timezone
from tests.games.steps import phase

from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.phase_models import OrderRow
from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit

AUSTRIA = Power("AUSTRIA")


def put(name, *units):
    """Make the open phase the one called `name`, with these units for Austria."""
    row = phase()
    own = [Unit(UnitKind(text[0]), Location(text[2:]), AUSTRIA) for text in units]
    others = [unit for unit in row.position.units if unit.power != AUSTRIA]
    row.name = name
    row.position = Position(JudgePhase.parse(name), (*own, *others), row.position.centers)
    row.save(update_fields=["name", "position"])


def save(cast, *choices, sheet="", **more):
    return save_orders(
        slug=cast.slug,
        user_id=cast.alice,
        sequence=phase().sequence,
        choices=choices,
        sheet=sheet,
        now=timezone.now(),
        **more,
    )


def saved():
    rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA")
    return sorted(str(row.canonical) for row in rows)


class TestBuilds:
    """Austria owns three centers at home and has one unit elsewhere, so it may build two."""

    @pytest.fixture(autouse=True)
    def winter(self, cast):
        put("W1901A", "A SER")
        return cast

    def test_a_whole_set_replaces_the_saved_one(self, cast):
        save(cast, "A VIE B", "A BUD B")
        save(cast, "F TRI B")
        assert saved() == ["F TRI B"]

    def test_a_refused_line_deletes_no_build(self, cast):
        save(cast, "A VIE B", "A BUD B")
        answer = save(cast, sheet="A BUD B\nA PAR B")
        assert [problem.text for problem in answer.problems] == ["A PAR B"]
        assert saved() == ["A BUD B", "A VIE B"]
        assert answer.counts == ("A BUD B", "A VIE B")

    def test_what_is_good_is_added(self, cast):
        save(cast, "A VIE B")
        answer = save(cast, sheet="F TRI B\nA PAR B")
        assert [str(order) for order in answer.orders] == ["F TRI B"]
        assert saved() == ["A VIE B", "F TRI B"]

    def test_another_unit_in_the_same_center_replaces_the_saved_one(self, cast):
        save(cast, "A VIE B", "A TRI B")
        save(cast, sheet="F TRI B\nA PAR B")
        assert saved() == ["A VIE B", "F TRI B"]

    def test_no_more_is_added_than_is_owed(self, cast):
        save(cast, "A VIE B", "A BUD B")
        answer = save(cast, sheet="F TRI B\nA VIE B\nA PAR B")
        reasons = {problem.text: problem.message for problem in answer.problems}
        assert reasons["F TRI B"] == (
            "Only 2 can be ordered in this phase, and your 2 saved orders stay because an order "
            "was refused."
        )
        assert [str(order) for order in answer.orders] == ["A VIE B"]
        assert saved() == ["A BUD B", "A VIE B"]

    def test_a_saved_waive_makes_room(self, cast):
        save(cast, sheet="WAIVE\nWAIVE")
        save(cast, sheet="A VIE B\nA PAR B")
        assert len(saved()) == 2
        assert "A VIE B" in saved()

    def test_a_waive_sent_again_is_not_doubled(self, cast):
        save(cast, sheet="WAIVE")
        save(cast, sheet="WAIVE\nA PAR B")
        assert len(saved()) == 1

    def test_nothing_good_changes_nothing(self, cast):
        save(cast, "A VIE B")
        answer = save(cast, sheet="A PAR B")
        assert (answer.orders, saved()) == ((), ["A VIE B"])


class TestKeeping:
    """With `keep`, saving deletes an order only to make room for another."""

    def test_no_orders_delete_none(self, cast):
        put("W1901A", "A SER")
        save(cast, "A VIE B", "A BUD B")
        save(cast, keep=True)
        assert saved() == ["A BUD B", "A VIE B"]
        save(cast)
        assert saved() == []

    def test_builds_replace_builds_and_waives(self, cast):
        put("W1901A", "A SER")
        save(cast, "A VIE B", "WAIVE")
        save(cast, "A BUD B", keep=True)
        assert saved() == ["A BUD B"]

    def test_disbands_add_up_until_all_are_ordered(self, cast):
        put("W1901A", "A SER", "A GAL", "A BOH", "A TYR", "F ALB")
        save(cast, "A SER D", keep=True)
        save(cast, "A GAL D", keep=True)
        assert saved() == ["A GAL D", "A SER D"]
        save(cast, "A GAL D", "A BOH D", keep=True)
        assert saved() == ["A BOH D", "A GAL D"]


def test_a_refused_disband_deletes_no_disband(cast):
    put("W1901A", "A SER", "A GAL", "A BOH", "A TYR", "F ALB")
    save(cast, "A SER D", "A GAL D")
    save(cast, sheet="A GAL D\nA VIE D")
    assert saved() == ["A GAL D", "A SER D"]


class TestMovement:
    @pytest.mark.parametrize("refused", ["A VIE - PAR", "A VIE - PRA", "a vie nach Galizien"])
    def test_a_unit_keeps_its_saved_order_whatever_the_list_has(self, cast, refused):
        save(cast, "A VIE - GAL", "A BUD H")
        answer = save(cast, "A VIE H", "A BUD - SER", sheet=refused)
        assert len(answer.problems) == 1
        assert saved() == ["A BUD - SER", "A VIE - GAL"]

    def test_a_unit_without_a_saved_order_gets_none(self, cast):
        save(cast, "A VIE H", "A BUD - SER", sheet="A VIE - PAR")
        assert saved() == ["A BUD - SER"]

    def test_a_refused_choice_keeps_the_saved_order(self, cast):
        save(cast, "A VIE - GAL")
        save(cast, "A VIE - PAR", "A BUD H")
        rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA", unit="A VIE")
        assert isinstance(rows.get().canonical, Move)


def test_the_page_shows_what_was_refused_and_what_stays(cast):
    page = cast.client("alice")
    put("W1901A", "A SER")
    page.post(cast.url("orders/"), {"phase": 1, "order": ["A VIE B", "A BUD B"]})
    answer = page.post(cast.url("orders/"), {"phase": 1, "order": ["A BUD B"], "sheet": "A PAR B"})
    text = answer.content.decode()
    assert "its earlier saved order stays" in text
    assert "A BUD B\nA VIE B</pre>" in text
