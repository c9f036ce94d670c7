"""Queries whose SQL is compiled only once.

Django takes longer to compile a large query than to run it. A prepared query always has the same
SQL, and only its values change. Use it for the few queries that every page or every save of orders
runs.
"""

import copy
import datetime as dt
import re
from collections.abc import Callable, Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any, Final, Generic, TypeVar

from django.db import connection, connections, models
from django.db.models.query import FlatValuesListIterable, ModelIterable, ValuesListIterable
from django.db.transaction import TransactionManagementError

_R = TypeVar("_R")
_Value = int | str | dt.datetime | list[int]
_Parameter = int | str | dt.datetime
_FIRST_NUMBER: Final = 1_987_654_300
"""Numbers from here on stand for values; they fit into every integer column."""
_MAX_LISTED: Final = 512
"""With a longer list, running the query takes longer than compiling it."""
_KEPT: Final = "kept_converters"
"""The attribute of a connection that holds the converters of prepared queries."""
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d ")
_ITERABLES: Final = (ModelIterable, ValuesListIterable, FlatValuesListIterable)


class PreparedQuery(Generic[_R]):
    """A query for rows; each parameter is an `int`, a `str`, a `datetime` or a `list` of `int`.

    `build` gets a stand-in for each value and returns the query set. It is called once for each
    kind of database, so it must not depend on the values, and neither may the SQL: values cannot be
    None. Nothing is prefetched. Like others, a query that locks rows must run in a transaction.

    Lists are compiled once for each power of two, and padded by repeating the last number. An
    empty or long list is not prepared.
    """

    def __init__(
        self,
        build: "Callable[..., models.QuerySet[Any, _R]]",
        *kinds: type[int] | type[str] | type[dt.datetime] | type[list[int]],
    ) -> None:
        self._build, self._kinds = build, kinds
        self._prepared: dict[tuple[str, tuple[int, ...]], _Prepared] = {}

    def read(self, *values: _Value) -> list[_R]:
        """Return the rows for these values."""
        sizes = tuple(len(each) if isinstance(each, list) else 1 for each in values)
        if not all(0 < size <= _MAX_LISTED for size in sizes):
            return list(self._build(*values))
        # From 3 to 4 and from 5 to 8.
        sizes = tuple(1 << (size - 1).bit_length() for size in sizes)
        prepared = self._prepared.get((connection.vendor, sizes))
        if prepared is None:
            stand_ins = self._stand_in(sizes)
            prepared = _Prepared(self._build(*stand_ins), _flatten(stand_ins, sizes))
            self._prepared[connection.vendor, sizes] = prepared
        return prepared.read(_flatten(values, sizes))

    def find(self, *values: _Value) -> _R | None:
        """Return the first row for these values, or None."""
        return next(iter(self.read(*values)), None)

    def _stand_in(self, sizes: Sequence[int]) -> list[_Value]:
        """Return stand-ins for the values, with the given number of items for each list."""
        numbers = count(_FIRST_NUMBER)
        return [
            [next(numbers) for _ in range(size)]
            if kind is list
            else next(numbers)
            if kind is int
            else dt.datetime.fromtimestamp(next(numbers), dt.UTC)
            if kind is dt.datetime
            else f"value {next(numbers)}"
            for kind, size in zip(self._kinds, sizes, strict=True)
        ]


def _flatten(values: Sequence[_Value], sizes: Sequence[int]) -> tuple[_Parameter, ...]:
    """Return all values as the database takes them, with each list padded to its size."""
    flat: list[_Parameter] = []
    for value, size in zip(values, sizes, strict=True):
        if isinstance(value, list):
            flat += [*value, *[value[-1]] * (size - len(value))]
        elif isinstance(value, dt.datetime):
            flat.append(connection.ops.adapt_datetimefield_value(value) or value)
        else:
            flat.append(value)
    return tuple(flat)


def _find_type(parameter: _Parameter) -> "Callable[[Any], _Parameter]":
    return type(parameter) if isinstance(parameter, int | str) else lambda value: value


class _Prepared:
    """The result of Django's compiler for one query and one kind of database."""

    def __init__(self, rows: Any, stand_ins: tuple[_Parameter, ...]) -> None:
        query = rows.query
        self._iterable = rows._iterable_class
        if rows._prefetch_related_lookups:
            raise ValueError("This query cannot be prepared.")
        if self._iterable not in _ITERABLES:
            raise ValueError("This query returns neither rows nor tuples.")
        self._alias, self._locks = rows.db, query.select_for_update
        self._compiler: Any = query.get_compiler(rows.db)
        self._sql, parameters = self._compiler.as_sql()
        # The connection belongs to one thread.
        self._compiler.connection = None
        self._parameters = tuple(parameters)
        fixed = [each for each in self._parameters if each not in stand_ins]
        if any(_TIME.match(str(parameter)) for parameter in fixed):
            raise ValueError("A time in this query would stay the same for every reader.")
        self._places = [
            # On PostgreSQL, Django wraps numbers in a class for the type of their column.
            (number, stand_ins.index(parameter), _find_type(parameter))
            for number, parameter in enumerate(self._parameters)
            if isinstance(parameter, _Parameter) and parameter in stand_ins
        ]
        used = {place for _, place, _ in self._places}
        if len(used) < len(stand_ins) or any(str(each) in self._sql for each in stand_ins):
            raise ValueError("A value is missing from this query, or is part of its SQL text.")

    def read(self, values: tuple[_Parameter, ...]) -> list[Any]:
        if self._locks and not connections[self._alias].in_atomic_block:
            raise TransactionManagementError("A query that locks rows must run in a transaction.")
        parameters = list(self._parameters)
        for number, place, kind in self._places:
            parameters[number] = kind(values[place])
        compiler = copy.copy(self._compiler)
        compiler.connection = connection
        compiler.as_sql = lambda: (self._sql, tuple(parameters))
        compiler.get_converters = lambda fields: self._find_converters(compiler, fields)
        query = SimpleNamespace(get_compiler=lambda using: compiler)  # noqa: ARG005
        rows: Any = SimpleNamespace(db=self._alias, query=query, _known_related_objects={})
        return list(self._iterable(rows))

    def _find_converters(self, compiler: Any, fields: Any) -> Any:
        """Return the converters of columns, which belong to a connection and are kept with it."""
        kept = vars(connections[self._alias]).setdefault(_KEPT, {})
        if self not in kept:
            kept[self] = type(compiler).get_converters(compiler, fields)
        return kept[self]
