"""Queries whose SQL is written once."""

import pytest
from tests.games.steps import asked

from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import Seat
from diplomaccloud.shared.prepared_queries import PreparedQuery

by_name = PreparedQuery(lambda name: User.objects.filter(username=name), str)
by_key = PreparedQuery(lambda key: User.objects.filter(pk=key), int)


@pytest.mark.every_database
def test_it_finds_the_rows_of_each_value(people):
    for name, key in people.items():
        assert by_key.find(key) == User.objects.get(pk=key)
        assert [user.pk for user in by_name.read(name.capitalize())] == [key]
    assert by_key.find(0) is None
    assert by_name.read("value 1987654300") == []


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


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    "build",
    [
        lambda _: User.objects.all(),
        lambda key: User.objects.extra(where=[f"id = {key}"]),  # noqa: S610
        lambda key: User.objects.filter(pk=key).select_for_update(),
        lambda key: User.objects.filter(pk=key).values_list("pk"),
        lambda key: Seat.objects.filter(pk=key).prefetch_related("tenures"),
    ],
    ids=["without its value", "value in the text", "lock", "columns", "prefetch"],
)
def test_other_queries_are_refused(build):
    with pytest.raises(ValueError, match="query"):
        PreparedQuery(build, int).find(1)
