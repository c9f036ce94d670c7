"""Queries whose SQL is compiled only once.

Django takes longer to compile a large query than to run it. A prepared query always has the same
SQL, and only its values change. Use it for the few queries that every page or every save of orders
runs.
"""

import copy
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final, Generic, TypeVar

from django.db import connection, models
from django.db.models.query import ModelIterable

_M = TypeVar("_M", bound=models.Model)
_FIRST_NUMBER: Final = 1_987_654_300
"""Numbers from here on stand for values; they fit into every integer column."""


class PreparedQuery(Generic[_M]):
    """A query for rows of a model, with parameters that are each an `int` or a `str`.

    `build` gets a stand-in for each value and returns the query set. It is called once for each
    kind of database, so it must not depend on the values, and neither may the SQL: values cannot be
    None or in a list. Rows are not locked, and nothing is prefetched.
    """

    def __init__(
        self, build: Callable[..., "models.QuerySet[_M]"], *kinds: type[int] | type[str]
    ) -> None:
        self._build = build
        self._stand_ins = tuple(
            _FIRST_NUMBER + place if kind is int else f"value {_FIRST_NUMBER + place}"
            for place, kind in enumerate(kinds)
        )
        self._prepared: dict[str, _Prepared] = {}

    def read(self, *values: int | str) -> list[_M]:
        """Return the rows for these values."""
        prepared = self._prepared.get(connection.vendor)
        if prepared is None:
            built = self._build(*self._stand_ins)
            prepared = self._prepared[connection.vendor] = _Prepared(built, self._stand_ins)
        return prepared.read(values)

    def find(self, *values: int | str) -> _M | None:
        """Return the first row for these values, or None."""
        return next(iter(self.read(*values)), None)


class _Prepared:
    """The result of Django's compiler for one query and one kind of database."""

    def __init__(self, rows: Any, stand_ins: tuple[int | str, ...]) -> None:
        query = rows.query
        if query.select_for_update or rows._prefetch_related_lookups or query.values_select:
            raise ValueError("This query cannot be prepared.")
        self._alias = rows.db
        self._compiler: Any = query.get_compiler(rows.db)
        self._sql, parameters = self._compiler.as_sql()
        # The connection belongs to one thread.
        self._compiler.connection = None
        self._parameters = tuple(parameters)
        self._places = [
            # On PostgreSQL, Django wraps numbers in a class for the type of their column.
            (number, stand_ins.index(parameter), type(parameter))
            for number, parameter in enumerate(self._parameters)
            if isinstance(parameter, int | str) and parameter in stand_ins
        ]
        used = {place for _, place, _ in self._places}
        if len(used) < len(stand_ins) or any(str(each) in self._sql for each in stand_ins):
            raise ValueError("A value is missing from this query, or is part of its SQL text.")

    def read(self, values: tuple[int | str, ...]) -> list[Any]:
        parameters = list(self._parameters)
        for number, place, kind in self._places:
            parameters[number] = kind(values[place])
        compiler = copy.copy(self._compiler)
        compiler.connection = connection
        compiler.as_sql = lambda: (self._sql, tuple(parameters))
        query = SimpleNamespace(get_compiler=lambda using: compiler)  # noqa: ARG005
        rows: Any = SimpleNamespace(db=self._alias, query=query, _known_related_objects={})
        return list(ModelIterable(rows))
