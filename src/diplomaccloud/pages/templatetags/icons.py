"""Tags for symbols, colors and links, which every template may use without loading them.

The symbols are one file that browsers keep: drawn on each page, they were 80 of its elements.
"""

from functools import cache
from typing import Any

from django import template
from django.template import defaulttags
from django.template.base import Parser, Token
from django.template.context import Context
from django.templatetags.static import static
from django.urls import NoReverseMatch
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.judge.drawing.theme import power_inks
from diplomaccloud.shared.links import find_url

register = template.Library()

_HIDDEN = mark_safe('aria-hidden="true"')


@register.simple_tag
@cache
def icon(name: str, classes: str = "", *, label: str = "") -> SafeString:
    """Return a symbol of `pages/icons.svg`; screen readers say its `label`, or skip it."""
    return format_html(
        '<svg class="icon{}" {}><use href="{}#{}" /></svg>',
        classes and f" {classes}",
        format_html('role="img" aria-label="{}"', label) if label else _HIDDEN,
        static("pages/icons.svg"),
        name,
    )


@register.simple_tag
def swatch(color: str, letters: str = "") -> SafeString:
    """Return a dot in the color of a country, which stands beside its name.

    With the `letters` that a badge has among many powers, it is a field with them.
    """
    if not letters:
        return format_html('<svg class="swatch" color="{}" aria-hidden="true"></svg>', color)
    return format_html(
        '<svg class="swatch swatch--letters" color="{}" viewBox="0 0 30 19" aria-hidden="true">'
        '<text x="15" y="14.5" fill="{}">{}</text></svg>',
        color,
        power_inks(color).mark,
        letters,
    )


@register.filter
def unit_icon(unit: str) -> str:
    """Return the name of the symbol of a unit such as "A PAR", or of a center without one."""
    return {"A": "army", "F": "fleet"}.get(unit[:1], "star")


class _Link(defaulttags.URLNode):
    """Django's tag, with addresses that were made before."""

    def render(self, context: Context) -> str:
        name = self.view_name.resolve(context)
        if self.kwargs:
            return super().render(context)
        try:
            url = find_url(name, *(argument.resolve(context) for argument in self.args))
        except NoReverseMatch:
            return super().render(context)
        if self.asvar:
            context[self.asvar] = url
            return ""
        return conditional_escape(url) if context.autoescape else url


@register.tag
def url(parser: Parser, token: Token) -> _Link:
    """Return a node for `{% url %}`, as Django's own tag is written."""
    node: Any = defaulttags.url(parser, token)
    return _Link(node.view_name, node.args, node.kwargs, node.asvar)
