"""A tag for parts of pages that show the same to many readers, and to one who comes again."""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone_name

register = template.Library()

MAX_FRAGMENTS = 1000
"""How many rendered fragments a process remembers; one takes some 16 kB with its values."""


@register.simple_tag
def fragment(template_name: str, **values: Hashable) -> SafeString:
    """Return a template rendered with these values alone, not with the context of the page.

    A fragment is remembered by its template and values, so it is never out of date, and shows
    nothing that a reader's own values would not show. Values are compared as a whole: give frozen
    data classes, tuples and strings, or one object for all readers; and give a field markup either
    always or never, because marked text equals unmarked text.
    """
    if settings.DEBUG:  # a changed template shows at once
        return _render.__wrapped__(template_name, "", tuple(values.items()))
    return _render(template_name, get_current_timezone_name(), tuple(values.items()))


@lru_cache(MAX_FRAGMENTS)
def _render(template_name: str, _zone: str, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return mark_safe(get_template(template_name).render(dict(values)))  # noqa: S308 - a template
