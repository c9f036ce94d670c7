"""Conditional orders and receipts on the pages, and that nobody sees who wrote any."""

import re

import pytest
from django.utils import timezone
from tests.cast import Cast
from tests.games.browsing import Browser
from tests.games.conditions import ahead, to_fall
from tests.games.steps import HOUR, begun, due, phase, save

from diplomaccloud.games.table.models import Seat, Tenure
from diplomaccloud.games.table.phase_models import (
    Attendance,
    ConditionalOrders,
    OrderRow,
    Submission,
)
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit
from diplomaccloud.setups import setups

pytestmark = pytest.mark.every_database

HTMX = {"HX-Request": "true"}


PART = "parts/conditional-orders/"


def read_conditions(cast):
    """Return the form that the drawer of conditional orders shows Alice when it is opened."""
    return cast.client("alice").get(cast.url(PART)).context["conditions"]


class TestAhead:
    def test_choices_in_lists_are_saved_and_shown_back(self, cast):
        to_fall(cast)
        lists = {"if VIE is dislodged": ["TYR", "BOH", ""], "if one gained": ["A BUD", "F TRI"]}
        assert ahead(cast, **lists).status_code == 303
        view = read_conditions(cast)
        assert view.clauses == ("if VIE is dislodged: TYR, BOH", "if 1 gained: A BUD, F TRI")
        vienna = next(c for c in view.retreats if c.condition == "if VIE is dislodged")
        assert [one.chosen for one in vienna.lists] == ["TYR", "BOH", ""]

    def test_the_text_wins_over_the_lists_if_it_was_changed(self, cast):
        lists = {"if VIE is dislodged": ["TYR"]}
        ahead(cast, ahead="if VIE is dislodged: BOH\r\n", **lists)
        assert str(ConditionalOrders.objects.get().canonical["plans"]["AUSTRIA"]).endswith("BOH")
        kept = "if VIE is dislodged: BOH"
        ahead(cast, ahead=kept, was=kept, **lists)
        assert str(ConditionalOrders.objects.get().canonical["plans"]["AUSTRIA"]).endswith("TYR")

    @pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
    def test_a_refused_clause_is_named_and_nothing_is_lost(self, cast, headers):
        ahead(cast, ahead="if VIE is dislodged: BOH")
        bad = "if VIE is dislodged: TYR\nif BUD is dislodged: PAR"
        answer = ahead(cast, ahead=bad, headers=headers)
        body = answer.content.decode()
        assert answer.status_code == 422
        assert "if BUD is dislodged: PAR" in body
        assert "cannot go to Paris" in body
        assert ConditionalOrders.objects.get().written == "if VIE is dislodged: BOH"

    @pytest.mark.parametrize("place", ["PAR", "XYZ", "PRA"])
    def test_the_reason_of_a_refusal_ends_with_one_mark(self, cast, place):
        body = ahead(cast, ahead=f"if BUD is dislodged: {place}").content.decode()
        (line,) = (line for line in body.splitlines() if "is dislodged: " in line and ": &" in line)
        assert re.search(r"\w[.?]\s*(<|$)", line)

    def test_it_is_forgotten(self, cast):
        ahead(cast, ahead="if VIE is dislodged: BOH")
        ahead(cast, ahead="if VIE is dislodged: BOH", was="x", forget="1")
        assert ConditionalOrders.objects.get().written == ""
        form = cast.client("alice").get(cast.url()).context["view"].order_form
        assert form.conditions.clauses == ()

    def test_of_lists_and_text_what_was_changed_is_saved_as_a_browser_sends_it(self, cast):
        to_fall(cast)
        alice, kept = Browser(cast.client("alice", csrf=True)), []
        for change in (
            {"choose": ["TYR"]},
            {"ahead": "if VIE is dislodged: BOH\nif SER is dislodged: ALB"},
            {"if VIE is dislodged": "TYR"},
            {"button": ("forget", "1")},
        ):
            alice.open(cast.url(PART))
            alice.send("/conditional-orders/", **change)
            kept.append(alice.shown.context["view"].order_form.conditions.clauses)
        assert kept == [
            ("if VIE is dislodged: TYR",),
            ("if VIE is dislodged: BOH", "if SER is dislodged: ALB"),
            ("if SER is dislodged: ALB", "if VIE is dislodged: TYR"),
            (),
        ]

    def test_lists_that_were_refused_are_shown_as_chosen_and_mended_there(self, cast):
        to_fall(cast)
        alice = Browser(cast.client("alice"))
        alice.open(cast.url(PART))
        assert alice.send("/conditional-orders/", **{"if two gained": "A BUD"}) == 422
        (form,) = alice.forms("/conditional-orders/")
        two = [one for one in form.controls if one.name == "if two gained"]
        assert [one.value for one in two] == ["A BUD", "", ""]
        two[1].value = "waive"
        assert cast.client("alice").post(form.action, form.data(None)).status_code == 303
        assert ConditionalOrders.objects.get().written == "if two gained: A BUD, waive"

    def test_builds_are_asked_for_in_fall_alone(self, cast):
        assert read_conditions(cast).adjustments == ()
        to_fall(cast)
        titles = {one.title for one in read_conditions(cast).adjustments}
        assert {"One build", "Two builds", "One disband"} <= titles

    def test_who_wrote_ahead_is_told_and_may_order_otherwise(self, cast):
        to_fall(cast)
        ahead(cast, ahead="if one gained: A BUD")
        due(cast)
        assert phase().name == "W1901A"
        desk = cast.client("alice").get(cast.url()).context["view"].order_form
        assert (desk.submission.by_conditions, desk.submission.ready) == (True, True)
        assert desk.live_draft.text == "A BUD B"
        save(cast, "alice", "WAIVE")
        kept = Submission.objects.get(phase=phase(), seat__power="AUSTRIA")
        assert (kept.by_conditional_orders, kept.ready_at) == (False, None)

    def test_who_takes_a_seat_is_not_bound_by_what_another_wrote(self, cast):
        to_fall(cast)
        ahead(cast, ahead="if one gained: A BUD")
        later = timezone.now() + HOUR
        Seat.objects.filter(power="AUSTRIA").update(user=cast.charlie)
        Tenure.objects.filter(seat__power="AUSTRIA").update(until_at=later)
        Tenure.objects.create(
            seat=Seat.objects.get(power="AUSTRIA"), user_id=cast.charlie, since_at=later
        )
        due(cast)
        assert phase().name == "W1901A"
        assert not Submission.objects.filter(phase=phase(), by_conditional_orders=True).exists()


class TestHolds:
    def test_a_submitted_all_hold_is_a_submission(self, cast):
        data = {"phase": 1, "order": ["A VIE H", "A BUD H", "F TRI H"]}
        assert cast.client("alice").post(cast.url("orders/"), data).status_code == 303
        due(cast)
        assert dict(Attendance.objects.values_list("seat__power", "ordered")) == {
            "AUSTRIA": True,
            "TURKEY": False,
        }

    def test_every_unit_is_listed_and_those_without_an_order_are_marked(self, cast):
        save(cast, "alice", "A VIE H")
        due(cast)
        report = cast.client("nobody").get(cast.url("phases/1/")).context["report"]
        lines = {line.text: line.implicit for power in report.powers for line in power.lines}
        assert len(lines) == 22
        assert (lines["A VIE H"], lines["A BUD H"], lines["A CON H"]) == (False, True, True)

    def test_a_dislodged_unit_without_an_order_is_said_to_be_disbanded(self, cast):
        army = Unit(UnitKind.ARMY, Location("VIE"), Power("AUSTRIA"))
        driven_out = Dislodged(army, ProvinceCode("BOH"), (Location("TYR"),))
        russian = Unit(UnitKind.ARMY, Location("VIE"), Power("RUSSIA"))
        put(Position(JudgePhase.parse("S1901R"), (russian,), {}, (driven_out,)))
        due(cast)
        page = cast.client("nobody").get(cast.url("phases/1/"))
        lines = [line for power in page.context["report"].powers for line in power.lines]
        assert [(line.text, line.word) for line in lines] == [
            ("A VIE D", "disbanded: no retreat ordered")
        ]
        assert "disbanded: no retreat ordered" in page.content.decode()


def put(position):
    """Let the open phase begin with `position`, nothing being ordered yet."""
    Submission.objects.all().delete()
    OrderRow.objects.all().delete()
    row = phase()
    row.name, row.position = str(position.phase), position
    row.save(update_fields=["name", "position"])


def test_each_of_a_player_s_powers_follows_what_was_written_for_it(plan, people):
    now = timezone.now()
    setup = next(one for one in setups().values() if len(one.players[0]) > 1)
    made = begun(plan, people["alice"], seed="several", now=now, setup=setup.name)
    cast = Cast(made.slug, made.pk, **people)
    powers = phase().powers_of(Seat.objects.get(user=people["alice"]))
    board = made.board
    homes = {power: board.home_centers[power][:2] for power in powers}
    units = tuple(
        Unit(UnitKind.ARMY, Location(places[0]), power) for power, places in homes.items()
    )
    centers = {place: power for power, places in homes.items() for place in places}
    put(Position(JudgePhase.parse(f"F{board.first_year}M"), units, centers))
    text = "\n".join(
        f"{board.power_info[power].name}: if one gained: A {places[1]}"
        for power, places in homes.items()
    )
    assert ahead(cast, ahead=text).status_code == 303
    shown = cast.client("alice").get(cast.url()).context["view"].order_form.conditions
    assert len(shown.clauses) == len(powers) > 1
    due(cast)
    assert phase().name == f"S{board.first_year + 1}M"
    assert {unit.province for unit in phase().position.units} == set(centers)
