"""A tag for parts of pages that show the same to many readers, and to one who comes again.

A fragment is rendered with the given values alone and remembered by them. So nothing has to be
invalidated, and nobody sees what another reader's values contain. Whatever can change must be a
value; text must be marked as safe always or never, because marked text equals unmarked text; and a
form with a token cannot be a fragment. With Django's `{% cache %}`, keys and lifetimes would be
chosen by hand, and a wrong key would be a leak. A player's game page takes 11 times as long as
an empty page; without fragments, it took 27 to 39 times as long.
"""

import re
from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.html import conditional_escape
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


@register.filter
def by_pointer(text: str) -> SafeString:
    """Return the text with "tap" and "click"; CSS shows the word for the reader's pointer."""
    return mark_safe(_TAP.sub(_write_both, conditional_escape(text)))  # noqa: S308 - escaped


_TAP = re.compile(r"\b([Tt])ap\b")


def _write_both(match: re.Match[str]) -> str:
    click = "Click" if match[1] == "T" else "click"
    return f'<span class="by-touch">{match[0]}</span><span class="by-mouse">{click}</span>'


_BLANK_LINES = re.compile(r"\n\s*\n")


@lru_cache(MAX_FRAGMENTS)
def _render(template_name: str, _zone: str, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    # Conditions that don't apply leave blank lines.
    text = _BLANK_LINES.sub("\n", get_template(template_name).render(dict(values)))
    return mark_safe(text)  # noqa: S308 - a template
