"""A tag that renders a block of the page once more: a head shows title and description twice."""

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.safestring import SafeString

register = template.Library()


class _BlockAgain(template.Node):
    def __init__(self, name: str) -> None:
        self._name = name

    def render(self, context: Context) -> SafeString:
        """Return what the block shows on this page, without the line breaks around it."""
        blocks = context.render_context[BLOCK_CONTEXT_KEY]
        text: SafeString = blocks.get_block(self._name).render(context)
        return type(text)(text.strip())


@register.tag
def block_again(_parser: Parser, token: Token) -> _BlockAgain:
    """Return a node that renders a block, given by its name in quotes, as it is on the page."""
    return _BlockAgain(token.split_contents()[1].strip("\"'"))
