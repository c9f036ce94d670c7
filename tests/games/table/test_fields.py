"""JSON columns that decode lazily: what is decoded when, and what the database holds."""

from dataclasses import replace

import pytest
from judge.tests.test_codec import NOT_WHOLE

from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Draft, OrderRow, Phase
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import order_to_json, position_to_json
from diplomaccloud.judge.notation import parse_order

NONSENSE = {"v": "nonsense"}


def stored(column="position"):
    return Phase.objects.values_list(column, flat=True).get()


def test_a_value_is_decoded_when_it_is_read_and_then_once(cast):
    Phase.objects.update(position=NONSENSE)
    row = Phase.objects.get()
    with pytest.raises(ValueError, match=f"v: {NOT_WHOLE}"):
        _ = row.position
    row = Game.objects.get()
    assert row.options is row.options


def test_a_row_is_saved_without_being_decoded(cast):
    Phase.objects.update(position=NONSENSE)
    row = Phase.objects.get()
    row.save()
    assert stored() == NONSENSE


def test_an_assigned_value_is_encoded(cast):
    row = Phase.objects.get()
    changed = replace(row.position, units=row.position.units[1:])
    row.position = changed
    assert row.position is changed
    row.save(update_fields=["position"])
    assert stored() == position_to_json(changed)
    Phase.objects.update(position=replace(changed, units=()))
    assert Phase.objects.get().position.units == ()


def test_plain_json_may_be_assigned_too(cast):
    row = Phase.objects.get()
    row.position = NONSENSE
    row.save()
    assert stored() == NONSENSE


def test_null_stays_null(cast):
    assert Phase.objects.get().results is None
    assert stored("results") is None


def test_a_deferred_value_is_fetched_when_it_is_read(cast, django_assert_num_queries):
    with django_assert_num_queries(1):
        row = Phase.objects.only("pk", "name").get()
    with django_assert_num_queries(1):
        assert row.position == row.position
    row = Phase.objects.defer("position").get()
    assert "position_json" in row.get_deferred_fields()
    row.save()
    assert row.position == Phase.objects.get().position


def test_an_assigned_value_is_saved_in_a_deferred_column_too(cast):
    row = Phase.objects.defer("position").get()
    row.position = changed = replace(Phase.objects.get().position, units=())
    row.save(update_fields=["position"])
    assert stored() == position_to_json(changed)


def test_reading_a_deferred_column_keeps_what_was_assigned_to_another(cast):
    row = Phase.objects.defer("civil_disorder").get()
    row.position = changed = replace(row.position, units=())
    assert row.civil_disorder == {}
    assert row.position is changed


def test_a_row_that_is_read_again_has_the_new_value(cast):
    row = Phase.objects.get()
    before = row.position
    Phase.objects.update(position=replace(before, units=()))
    row.refresh_from_db()
    assert row.position.units == ()


def test_rows_made_at_once_are_encoded(cast):
    draft = Draft.objects.create(
        phase=Phase.objects.get(),
        seat=Seat.objects.get(user=cast.alice),
        name="New",
        saved_at="2030-01-01T00:00Z",
    )
    row = Phase.objects.get()
    order = parse_order("A VIE H", row.board, row.position, Power("AUSTRIA"))
    OrderRow.objects.bulk_create(
        [
            OrderRow(
                draft=draft,
                unit="A VIE",
                written="A VIE H",
                canonical=order,
                saved_at="2030-01-01T00:00Z",
            )
        ]
    )
    rows = OrderRow.objects.filter(draft=draft)
    assert rows.values_list("canonical", flat=True).get() == order_to_json(order)
    assert rows.get().canonical == order


def test_lookups_reach_into_the_json(cast):
    assert Game.objects.filter(options__fill_with=Game.objects.get().options.fill_with).exists()


def test_migrations_see_a_plain_column():
    field = Phase._meta.get_field("position")
    assert field.deconstruct()[1] == "django.db.models.JSONField"
    assert field.clone().deconstruct()[1:] == field.deconstruct()[1:]
