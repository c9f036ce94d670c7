"""The versions of people's press: none is lost, and personal messages are locked through them."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from diplomaccloud.press.table.actions import lock_people, raise_versions
from diplomaccloud.press.table.models import EVERYWHERE, PressVersion


def read_versions(user_id):
    return dict(PressVersion.objects.filter(user=user_id).values_list("place", "number"))


def test_a_version_that_another_transaction_inserts_first_grows_too(talking, monkeypatch):
    sam, game = talking.user_id("Sam"), talking.game_id
    insert = PressVersion.objects.bulk_create

    def overtake(rows, **options):
        PressVersion.objects.create(user_id=sam, place=game, game_id=game, number=5)
        return insert(rows, **options)

    monkeypatch.setattr(PressVersion.objects, "bulk_create", overtake)
    raise_versions([sam], game)
    assert read_versions(sam) == {game: 6, EVERYWHERE: 1}
    raise_versions([sam], game)
    assert read_versions(sam) == {game: 7, EVERYWHERE: 2}


def test_people_with_versions_are_locked_without_inserting(talking):
    sam, morgan = talking.user_id("Sam"), talking.user_id("Morgan")
    lock_people(morgan, sam)
    assert read_versions(sam) == read_versions(morgan) == {EVERYWHERE: 0}
    with CaptureQueriesContext(connection) as captured:
        lock_people(sam, morgan)
    (statement,) = [query["sql"] for query in captured]
    assert statement.startswith("SELECT")
