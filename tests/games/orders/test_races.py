"""Orders that are saved in the same instant by two pages, or as the phase is locked, by threads."""

from functools import partial

import pytest
from tests.games.racing import run_together
from tests.games.steps import due, phase, save

from diplomaccloud.games.orders.actions import Saved, save_orders
from diplomaccloud.games.table.errors import DeadlinePassed, InputOutdated
from diplomaccloud.games.table.log_models import SaveReceipt
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Receipt, version_of_lines

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_database]

OLD = ("A BUD H", "A VIE H", "F TRI H")
FIRST = ("A BUD - SER", "A VIE - GAL", "F TRI - ALB")
SECOND = ("A BUD - RUM", "A VIE - TYR", "F TRI - VEN")


def saving(cast, orders, **more):
    """Return a task: Alice's page saves these orders in time."""
    return partial(
        save_orders,
        slug=cast.slug,
        user_id=cast.alice,
        sequence=1,
        choices=orders,
        sheet="",
        now=phase().opens_at,
        automatic=True,
        **more,
    )


def check_saved(orders):
    """Require that these are Alice's orders, in one draft and in her last receipt."""
    rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA").order_by("unit")
    assert len({row.draft_id for row in rows}) == 1
    assert tuple(str(row.canonical) for row in rows) == orders
    receipt = SaveReceipt.objects.filter(seat__power="AUSTRIA").latest("pk")
    assert receipt.text.splitlines()[1:] == [f"AUSTRIA {order}" for order in orders]


@pytest.mark.parametrize("before", [(), OLD], ids=["no orders", "orders"])
def test_one_of_two_pages_that_show_the_same_orders_saves_and_the_other_is_refused(cast, before):
    if before:
        save(cast, "alice", *before)
    sets, shown = (FIRST, SECOND), version_of_lines(before)
    answers = run_together(
        *(saving(cast, orders, version=shown, page=orders[0], change=1) for orders in sets)
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["InputOutdated", "Saved"], (
        answers
    )
    check_saved(sets[isinstance(answers[0], InputOutdated)])


def test_the_newer_of_two_changes_of_one_page_stays(cast):
    newer, older = (
        saving(cast, orders, page="one", change=change)
        for orders, change in ((SECOND, 2), (FIRST, 1))
    )
    answers = run_together(newer, older)
    assert all(isinstance(answer, Saved) for answer in answers), answers
    check_saved(SECOND)


def test_a_save_as_the_phase_is_locked_counts_whole_or_is_refused(cast):
    save(cast, "alice", *OLD)
    save(cast, "bob", "A CON - BUL")
    answer, processed = run_together(saving(cast, FIRST), partial(due, cast))
    assert isinstance(answer, Saved | DeadlinePassed), answer
    assert processed == 1
    counted = FIRST if isinstance(answer, Saved) else OLD
    check_saved(counted)
    results = Phase.objects.get(sequence=1).resolution.results
    assert {str(result.order) for result in results}.issuperset(counted)
    last = SaveReceipt.objects.filter(seat__power="AUSTRIA").latest("pk")
    assert Receipt.objects.get(seat__power="AUSTRIA").digest == last.digest
