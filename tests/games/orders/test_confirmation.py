"""Ready with something left to order: the page asks for confirmation, and the orders are saved."""

import pytest
from tests.games.browsing import Browser, read_page
from tests.games.steps import phase

from diplomaccloud.games.table.phase_models import OrderRow, Submission
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

HTMX = {"HX-Request": "true"}
AUSTRIA = Power("AUSTRIA")
HOLDS = ["A VIE H", "A BUD H", "F TRI H"]


def put(name, *units, dislodged=()):
    """Make the open phase the one called `name`, with these units for Austria."""
    row = phase()
    own = [unit(text) for text in units]
    others = [other for other in row.position.units if other.power != AUSTRIA]
    row.name = name
    row.position = Position(
        JudgePhase.parse(name), (*own, *others), row.position.centers, tuple(dislodged)
    )
    row.save(update_fields=["name", "position"])


def unit(text):
    return Unit(UnitKind(text[0]), Location(text[2:]), AUSTRIA)


def beaten(text, *retreats):
    return Dislodged(unit(text), ProvinceCode("BUL"), tuple(map(Location, retreats)))


def send(cast, *orders, headers=None, **values):
    data = {"phase": phase().sequence, "order": orders} | ({"ready": "1"} | values)
    return cast.client("alice").post(cast.url("orders/"), data, headers=headers or {})


def is_ready():
    return Submission.objects.filter(seat__power="AUSTRIA").exclude(ready_at=None).exists()


def saved():
    rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA")
    return sorted(str(row.canonical) for row in rows)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
@pytest.mark.parametrize("orders", [HOLDS, []], ids=["only holds", "nothing"])
def test_without_any_order_it_asks(cast, headers, orders):
    answer = send(cast, *orders, headers=headers)
    assert answer.status_code == 200
    assert (is_ready(), saved()) == (False, sorted(orders))
    text = answer.content.decode()
    assert "Your orders are saved, but you are not marked as ready yet." in text
    assert "All your units hold." in text
    assert 'form="orders" name="anyway" value="1"' in text
    send(cast, *orders, headers=headers, ready="", anyway="1")
    assert is_ready()


def test_one_order_is_enough(cast):
    send(cast, "A VIE - GAL", "A BUD H")
    assert is_ready()


def test_orders_saved_before_count(cast):
    send(cast, "A VIE - GAL", ready="0")
    send(cast, "A BUD H")
    assert is_ready()


def test_typed_orders_count(cast):
    send(cast, *HOLDS, sheet="A VIE - GAL")
    assert is_ready()


def test_the_page_without_scripts_asks_and_keeps_what_was_chosen(cast):
    alice = Browser(cast.client("alice"))
    alice.open(cast.url())
    alice.send("/orders/", button=("ready", "1"))
    assert not is_ready()
    (form,) = alice.forms("/orders/")
    assert sorted(form.data(None)["order"]) == sorted(HOLDS)
    alice.send("/orders/", button=("anyway", "1"))
    assert is_ready()


class TestBuilds:
    """Austria may build two units."""

    @pytest.fixture(autouse=True)
    def winter(self, cast):
        put("W1901A", "A SER")

    @pytest.mark.parametrize(
        ("orders", "sentence"),
        [
            (["", ""], "You can build 2 more units."),
            (["A VIE B", ""], "You can build one more unit."),
            (["A VIE B", "WAIVE"], ""),
            (["WAIVE", "WAIVE"], ""),
            (["A VIE B", "A BUD B"], ""),
        ],
        ids=["none", "one", "one waived", "both waived", "both"],
    )
    def test_builds_that_are_left(self, cast, orders, sentence):
        text = send(cast, *orders).content.decode()
        assert sentence in text
        assert is_ready() == (sentence == "")
        assert saved() == sorted(filter(None, orders))

    def test_a_waive_is_chosen_from_the_list(self, cast):
        alice = Browser(cast.client("alice"))
        alice.open(cast.url())
        alice.send("/orders/", choose=["A VIE B", "WAIVE"])
        assert saved() == ["A VIE B", "WAIVE"]
        slots = alice.follow().context["view"].order_form.slots
        assert [slot.selected for slot in slots] == ["A VIE B", "WAIVE"]
        alice.send("/orders/", button=("ready", "1"))
        assert is_ready()

    @pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
    def test_an_empty_set_is_saved_in_words(self, cast, headers):
        send(cast, "A VIE B", "", ready="0")
        data = {"phase": 1, "order": ["", ""]}
        client = cast.client("alice")
        answer = client.post(cast.url("orders/"), data, headers=headers, follow=True)
        assert saved() == []
        assert "no unit has an order" in read_page(answer)


@pytest.mark.parametrize(
    ("orders", "sentence"),
    [
        ([], "You must disband 2 more units. If you choose none, the rules decide."),
        (["A SER D"], "You must disband one more unit."),
        (["A SER D", "A GAL D"], ""),
    ],
    ids=["none", "one", "both"],
)
def test_disbands_that_are_left(cast, orders, sentence):
    put("W1901A", "A SER", "A GAL", "A BOH", "A TYR", "F ALB")
    assert sentence in send(cast, *orders).content.decode()
    assert is_ready() == (sentence == "")


@pytest.mark.parametrize(
    ("retreats", "order", "sentence"),
    [
        (("GRE", "ALB"), "A SER D", "One unit that can retreat will be disbanded."),
        (("GRE", "ALB"), "A SER R ALB", ""),
        ((), "A SER D", ""),
    ],
    ids=["disbanded", "retreats", "cannot retreat"],
)
def test_a_unit_that_could_retreat(cast, retreats, order, sentence):
    put("S1901R", "A VIE", dislodged=[beaten("A SER", *retreats)])
    assert sentence in send(cast, order).content.decode()
    assert is_ready() == (sentence == "")


def test_a_draft_that_does_not_count_is_saved_as_such(cast):
    """Before any orders of the live draft are saved, too."""
    data = {"phase": 1, "act": "new", "name": "Attack"}
    cast.client("alice").post(cast.url("drafts/"), data)
    answer = send(cast, "A VIE - GAL", draft="Attack", ready="0", headers=HTMX)
    text = answer.content.decode()
    assert "Draft “Attack” saved. It does not count" in text
    assert "have been processed" not in text
