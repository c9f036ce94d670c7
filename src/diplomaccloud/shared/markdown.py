"""Markdown of the host as HTML: HTML in it stays text, and links lead only to pages and mail."""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Final
from xml.etree.ElementTree import Element

from django.utils.safestring import SafeString, mark_safe
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE

_SAFE_LINK: Final = re.compile(r"(?:https?://|mailto:|tel:|/(?!/)|#)", re.IGNORECASE)
_SCROLLED: Final = '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">'
_LINE: Final = re.compile(r"<p>(.*)</p>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MarkdownText:
    """A text as HTML, and its first heading, blank if it has none."""

    title: str
    html: SafeString


@lru_cache(100)
def render_markdown(source: str) -> MarkdownText:
    """Return the text as HTML."""
    markdown = Markdown(extensions=["tables", "toc"], output_format="html")
    # Without these, HTML stays text, which the library escapes.
    markdown.preprocessors.deregister("html_block")
    markdown.inlinePatterns.deregister("html")
    markdown.treeprocessors.register(_Links(markdown), "links", 0)
    html = markdown.convert(source)
    html = html.replace("<table>", f'{_SCROLLED}<table class="table">')
    html = html.replace("</table>", "</table></div>").replace("<th>", '<th scope="col">')
    titles = [token["name"] for token in markdown.toc_tokens]  # type: ignore[attr-defined]
    return MarkdownText(titles[0] if titles else "", mark_safe(html))  # noqa: S308 see above


def render_line(source: str) -> SafeString:
    """Return one line as HTML without blocks: a heading or an item of a list is plain text."""
    html = render_markdown(source.lstrip("#>*-+ \t")).html
    line = _LINE.fullmatch(html)
    return mark_safe(line[1]) if line else html  # noqa: S308 see above


class _Links(Treeprocessor):
    """Removes the addresses of links to scripts, and of pictures, which no policy allows."""

    def run(self, root: Element) -> None:
        """Change the document tree."""
        for element in root.iter():
            for attribute in ("href", "src"):
                address = element.get(attribute)
                # The library writes mail addresses between <> as numeric character references.
                plain = unescape((address or "").replace(AMP_SUBSTITUTE, "&")).strip()
                if address is not None and not _SAFE_LINK.match(plain):
                    del element.attrib[attribute]
