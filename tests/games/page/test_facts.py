"""Only values leave `viewpoint`: no rows of the database and no queries."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import pytest
from django.db.models import Model, QuerySet
from tests.games.steps import call_vote, due, save
from tests.scenes import scene

from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer

ARGUMENTS = {
    "find_seat": ("",),
    "read_newest_lines": (3,),
    "read_log": (1,),
    "read_receipts": (None,),
    "read_phase": (1, 0),
    "read_processed": (1,),
    "explain_order": (1, 0),
}


def find_rows(value, path):
    """Yield the path of every row and query inside a value."""
    if isinstance(value, Model | QuerySet):
        yield path
    elif is_dataclass(value):
        for field in fields(value):
            yield from find_rows(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from find_rows(key, f"{path} key")
            yield from find_rows(item, f"{path}[{key!r}]")
    elif isinstance(value, tuple | list | set | frozenset):
        for item in value:
            yield from find_rows(item, f"{path}[]")


def find_leaks(reader):
    for name in dir(type(reader)):
        if name.startswith("_"):
            continue
        value = getattr(reader, name)
        if callable(value):
            value = value(*ARGUMENTS.get(name, ()))
        yield from find_rows(value, name)


@pytest.fixture
@scene
def played(cast):
    """A game with a processed phase, saved orders and an open vote."""
    save(cast, "alice", "A VIE - GAL")
    due(cast)
    save(cast, "alice", "A GAL - UKR")
    call_vote(cast, "alice", "draw")
    return cast


@pytest.mark.parametrize("who", ["alice", "charlie"])
def test_a_reader_gives_out_no_rows(played, who):
    reader = Reader(played.slug, Viewer(played.user_id(who)))
    assert list(find_leaks(reader)) == []


def test_a_leak_would_be_found(played):
    class Leaky(Reader):
        @property
        def rows(self):
            return {"seats": [self._rows.game]}

    leaks = list(find_leaks(Leaky(played.slug, Viewer(None))))
    assert leaks == ["rows['seats'][]"]
