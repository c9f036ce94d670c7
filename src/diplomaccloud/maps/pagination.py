"""Pages of sorted map lists, addressed by an adjacent map instead of a number.

A page costs the same anywhere in the list and stays the same when maps are added.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from diplomaccloud.maps.models import StoredChart

PER_PAGE = 8


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list, and whether there are maps before and after it."""

    rows: tuple[StoredChart, ...]
    has_previous: bool
    has_next: bool


def find_page(
    rows: QuerySet[StoredChart], fields: Sequence[str], *, after: str = "", before: str = ""
) -> Page:
    """Return the page after or before the map with this hash; by default the first page.

    `fields` sort the rows, as in `order_by`; the last one is unique. If that map is not among
    `rows`, the result is also the first page.
    """
    edge = _find_edge(rows, fields, after or before)
    if edge is None:
        return _read_page(rows, fields)
    if after:
        return _read_page(rows.filter(_lie_beyond(fields, edge)), fields, follows=True)
    reverse = [_reverse(field) for field in fields]
    page = _read_page(rows.filter(_lie_beyond(reverse, edge)), reverse, follows=True)
    if len(page.rows) < PER_PAGE:
        return _read_page(rows, fields)  # the first page, filled up
    return Page(page.rows[::-1], page.has_next, page.has_previous)


def _read_page(
    rows: QuerySet[StoredChart], fields: Sequence[str], *, follows: bool = False
) -> Page:
    """Return the first page of `rows`; `follows` says whether another page precedes it."""
    return cut_page(list(select_first(rows, fields)), follows=follows)


def select_first(rows: QuerySet[StoredChart], fields: Sequence[str]) -> QuerySet[StoredChart]:
    """Return the first of `rows` for `cut_page`: one more than a page shows."""
    return rows.order_by(*fields)[: PER_PAGE + 1]


def cut_page(read: Sequence[StoredChart], *, follows: bool = False) -> Page:
    """Return a page of these rows; `follows` says whether another page precedes it."""
    return Page(tuple(read[:PER_PAGE]), follows, len(read) > PER_PAGE)


def _find_edge(
    rows: QuerySet[StoredChart], fields: Sequence[str], content_hash: str
) -> tuple[object, ...] | None:
    """Return a map's values for the sort `fields`; None if there is no such map."""
    if not content_hash:
        return None
    names = [field.removeprefix("-") for field in fields]
    return rows.filter(content_hash=content_hash).values_list(*names).first()


def _lie_beyond(fields: Sequence[str], edge: Sequence[object]) -> Q:
    """Return the condition for rows that `fields` sort after `edge`."""
    condition, same = Q(), Q()
    for field, value in zip(fields, edge, strict=True):
        name = field.removeprefix("-")
        comparison = "lt" if field.startswith("-") else "gt"
        condition |= same & Q((f"{name}__{comparison}", value))
        same &= Q((name, value))
    return condition


def _reverse(field: str) -> str:
    return field.removeprefix("-") if field.startswith("-") else f"-{field}"
