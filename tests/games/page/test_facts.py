"""Only values leave the modules called `read`: no rows of the database and no queries."""

import inspect
import pkgutil
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module

import pytest
from django.db.models import Model, QuerySet
from django.utils import timezone
from tests.games.steps import call_vote, due, save
from tests.scenes import scene

from diplomaccloud import games
from diplomaccloud.games.seats.read import SeatView
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.board import Power

ARGUMENTS = {
    "cut_part": (SeatView(), Power("AUSTRIA")),
    "find_seat": ("",),
    "list_giving": (timezone.now(),),
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


def list_reads():
    """Return each function of a module called `read` that takes a reader, and the module."""
    for module in pkgutil.walk_packages(games.__path__, f"{games.__name__}."):
        if module.name.endswith(".read"):
            for name, function in vars(import_module(module.name)).items():
                if inspect.isfunction(function) and function.__module__ == module.name:
                    kinds = [
                        each.annotation for each in inspect.signature(function).parameters.values()
                    ]
                    if kinds[:1] == [Reader] and not name.startswith("_"):
                        yield name, function


READS = dict(list_reads())


def find_leaks(reader, reads=READS):
    for name in {*dir(type(reader)), *vars(reader)} - {"of_known", "rows", "known"}:
        if not name.startswith("_"):
            value = getattr(reader, name)
            yield from find_rows(value() if callable(value) else value, name)
    for name, read in reads.items():
        value = read(reader, *ARGUMENTS.get(name, ()))
        yield from find_rows(tuple(value) if inspect.isgenerator(value) else value, name)


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
    reads = {**READS, "leak": lambda reader: {"seats": [reader.rows.game]}}
    leaks = list(find_leaks(Reader(played.slug, Viewer(None)), reads))
    assert leaks == ["leak['seats'][]"]


def test_all_reads_are_called():
    assert {"read_seats", "read_votes", "read_clock", "read_hint", "dump_record"} <= set(READS)
    assert set(ARGUMENTS) <= set(READS)
