"""Number the seats of games that have started, by their keys."""

from collections.abc import Iterator
from itertools import groupby

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_CHUNK = 5000
"""How many seats are numbered with one statement per number."""


def number_seats(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give the seats of each started game the numbers 1, 2, … in the order of their keys."""
    seats = apps.get_model("games", "Seat").objects
    numbered = _number(seats.exclude(power=None).order_by("game_id", "pk"))
    chunk: dict[int, list[int]] = {}
    for place, (key, number) in enumerate(numbered, start=1):
        chunk.setdefault(number, []).append(key)
        if place % _CHUNK == 0:
            _write(seats, chunk)
            chunk = {}
    _write(seats, chunk)


def _number(rows) -> Iterator[tuple[int, int]]:  # type: ignore[no-untyped-def]
    """Yield the key of each seat with its number."""
    keys = rows.values_list("game_id", "pk").iterator()
    for _, group in groupby(keys, key=lambda pair: pair[0]):
        for number, (_, key) in enumerate(group, start=1):
            yield key, number


def _write(seats, chunk: dict[int, list[int]]) -> None:  # type: ignore[no-untyped-def]
    for number, keys in chunk.items():
        seats.filter(pk__in=keys).update(number=number)


class Migration(migrations.Migration):
    """Seats that join a game later are numbered as it starts."""

    dependencies = [("games", "0012_record")]

    operations = [migrations.RunPython(number_seats, migrations.RunPython.noop, elidable=True)]
