"""Queries whose SQL is written once."""

import datetime as dt

import pytest
from django.db import transaction
from django.db.models import Q
from django.db.transaction import TransactionManagementError
from django.utils import timezone
from tests.games.steps import asked

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Seat
from diplomaccloud.shared.prepared_queries import PreparedQuery

by_name = PreparedQuery(lambda name: User.objects.filter(username=name), str)
by_key = PreparedQuery(lambda key: User.objects.filter(pk=key), int)
by_keys = PreparedQuery(
    lambda keys, name: User.objects.filter(Q(pk__in=keys) | Q(username=name)).order_by("pk"),
    list,
    str,
)
names_by_key = PreparedQuery(
    lambda key: User.objects.filter(pk=key).values_list("username", flat=True), int
)

joined_since = PreparedQuery(lambda at: User.objects.filter(date_joined__gte=at), dt.datetime)


def _select_two(one, other):
    rows = User.objects.order_by().values_list("id", "date_joined")
    return rows.filter(pk=one).union(rows.filter(pk=other)).order_by("id")


pairs = PreparedQuery(_select_two, int, int)


@pytest.mark.every_database
def test_it_finds_the_rows_of_each_value(people):
    for name, key in people.items():
        assert by_key.find(key) == User.objects.get(pk=key)
        assert [user.pk for user in by_name.read(name.capitalize())] == [key]
    assert by_key.find(0) is None
    assert by_name.read("value 1987654300") == []


@pytest.mark.every_database
def test_a_list_has_any_length(people):
    unknown, (alice, *_) = list(range(10**6, 10**6 + 600)), people.values()
    assert by_keys.read([], "nobody") == []
    assert by_keys.find([], "Alice").pk == alice
    for size in (0, 1, 2, 3, 4, 600):
        assert [user.pk for user in by_keys.read([alice, *unknown[:size]], "nobody")] == [alice]
        assert [user.pk for user in by_keys.read([*unknown[:size], alice], "nobody")] == [alice]


def test_the_query_of_a_list_is_written_once_for_each_power_of_two(people):
    alice, bob, charlie = people.values()
    (of_four,) = asked(lambda: by_keys.read([alice, bob, charlie, charlie], "nobody"))
    (of_three,) = asked(lambda: by_keys.read([alice, bob, charlie], "nobody"))
    assert of_three == of_four


@pytest.mark.every_database
def test_it_returns_columns_and_unions(people):
    alice, bob = (User.objects.get(username=name) for name in ("Alice", "Bob"))
    assert names_by_key.read(alice.pk) == ["Alice"]
    assert pairs.read(bob.pk, alice.pk) == sorted(
        (user.pk, user.date_joined) for user in (alice, bob)
    )


@pytest.mark.every_database
def test_a_time_is_a_value(people):
    alice = User.objects.get(username="Alice")
    moment = alice.date_joined + dt.timedelta(microseconds=1)
    assert alice in joined_since.read(alice.date_joined)
    assert alice not in joined_since.read(moment)


def test_it_asks_what_the_query_set_asks(people):
    key = people["alice"]
    written = asked(lambda: list(User.objects.filter(pk=key)))
    by_key.find(key)
    assert asked(lambda: by_key.find(key)) == written


def test_it_asks_again_each_time(people):
    key = people["alice"]
    assert by_key.find(key).status == ""
    User.objects.filter(pk=key).update(status="new")
    assert by_key.find(key).status == "new"


@pytest.mark.every_database
@pytest.mark.django_db(transaction=True)
def test_it_locks_rows_in_a_transaction_and_refuses_to_outside_of_one():
    key = User.objects.create(username="Alice").pk
    locked = PreparedQuery(lambda key: User.objects.select_for_update().filter(pk=key), int)
    for _ in range(2):
        with transaction.atomic():
            assert locked.find(key).pk == key
            (written,) = asked(lambda: locked.find(key))
            (wanted,) = asked(lambda: list(User.objects.select_for_update().filter(pk=key)))
        assert written == wanted
        with pytest.raises(TransactionManagementError):
            locked.find(key)


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    "build",
    [
        lambda _: User.objects.all(),
        lambda key: User.objects.extra(where=[f"id = {key}"]),  # noqa: S610
        lambda key: User.objects.filter(pk=key).values("pk"),
        lambda key: Seat.objects.filter(pk=key).prefetch_related("tenures"),
        lambda key: User.objects.filter(pk=key, date_joined__lt=timezone.now()),
    ],
    ids=["without its value", "value in the text", "dictionaries", "prefetch", "time"],
)
def test_other_queries_are_refused(build):
    with pytest.raises(ValueError, match="query"):
        PreparedQuery(build, int).find(1)
