"""Behavior that every database must share; each test runs on SQLite, PostgreSQL and MariaDB."""

import datetime as dt

import pytest
from django.core import checks
from django.db import DataError, IntegrityError, connection, transaction

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game
from diplomaccloud.maps.models import StoredChart

AT = dt.datetime(2030, 3, 31, 0, 59, 59, 123456, tzinfo=dt.UTC)


def keep(seed, **changes):
    row = {
        "content_hash": f"{abs(hash(seed)):064x}"[:64],
        "name": "X",
        "players": 7,
        "provinces": 9,
        "centers": 9,
        "seed": seed,
        "maker": "test",
        "text": "{}",
        "created_at": AT,
    }
    return StoredChart.objects.create(**row | changes)


@pytest.mark.parametrize("other", ["POOL 1", "pool 1 ", "p\u00f6ol 1", "pool\u00a01"])
def test_texts_are_equal_only_if_every_character_is(db, other):
    keep("pool 1")
    assert not StoredChart.objects.filter(seed=other).exists()
    assert StoredChart.objects.filter(seed="pool 1").exists()


def test_a_lookup_that_ignores_case_does_so(db):
    keep("Pool 1")
    for lookup in ("iexact", "icontains", "istartswith", "iendswith"):
        assert StoredChart.objects.filter(**{f"seed__{lookup}": "pOOL 1"}).count() == 1, lookup


def test_two_people_may_not_differ_in_case_alone(db):
    User.objects.create(username="Alice")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="aLICE")
    assert User.objects.count() == 1


def test_a_refused_row_leaves_the_transaction_usable(cast):
    with transaction.atomic():
        with pytest.raises(IntegrityError), transaction.atomic():
            Event.objects.create(game_id=cast.game_id, kind="x", key="started", created_at=AT)
        Event.objects.create(game_id=cast.game_id, kind="x", key="another", created_at=AT)
    assert Event.objects.filter(kind="x").count() == 1


def test_an_instant_keeps_its_microseconds_and_its_zone(db):
    key = keep("a").pk
    assert StoredChart.objects.get(pk=key).created_at == AT
    assert StoredChart.objects.filter(created_at__gt=AT - dt.timedelta(microseconds=1)).exists()
    assert not StoredChart.objects.filter(created_at__gt=AT).exists()


def test_a_text_may_be_longer_than_64_kilobytes(db):
    long = "\u00e9\U0001f409" * 100_000
    assert StoredChart.objects.get(pk=keep("a", text=long).pk).text == long


def test_json_comes_back_as_it_went(cast):
    data = {"b": [1, None, True, "\u00e9\U0001f409"], "a": {"10": 0.1, "9": -1}, "": "x" * 70_000}
    event = Event.objects.create(
        game_id=cast.game_id, kind="x", key="json", data=data, created_at=AT
    )
    assert Event.objects.get(pk=event.pk).data == data


def test_a_text_that_is_too_long_is_not_cut_off(db):
    """SQLite keeps all of it; it must never be cut off silently."""
    try:
        with transaction.atomic():
            key = keep("s" * 101).pk
    except DataError:
        return
    assert len(StoredChart.objects.get(pk=key).seed) == 101


def test_a_check_constraint_is_enforced(cast):
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=cast.game_id).update(status="lost")


def test_no_constraint_of_ours_is_ignored(db):
    """A conditional unique constraint, say, which MariaDB does not keep."""
    found = {(str(one.obj), one.id) for one in checks.run_checks(databases=["default"])}
    known = {
        # allauth's own, which it also asserts in its forms.
        ("<class 'allauth.account.models.EmailAddress'>", "models.W036"),
        ("<class 'allauth.mfa.models.Authenticator'>", "models.W036"),
        # Django asks a generated field for a length that its output field has.
        ("accounts.User.folded_name", "mysql.W003"),
    }
    assert found <= (known if connection.vendor == "mysql" else set())


def test_every_table_of_mariadb_compares_bytes(db):
    if connection.vendor != "mysql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, table_collation FROM information_schema.tables"
            " WHERE table_schema = DATABASE()"
        )
        tables = dict(cursor.fetchall())
    assert len(tables) > 10
    assert {name: coll for name, coll in tables.items() if not coll.endswith("_bin")} == {}
