"""Pages that the administrator of a site can write: privacy, terms, contact and trademark.

A file `NAME.md` in `settings.OPERATOR_TEXTS` replaces the text that comes with the software. HTML
in it is shown as text, and links lead only to pages, other sites and mail.
"""

import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE

TITLES: Final = {
    "privacy": "Privacy",
    "terms": "Terms",
    "contact": "Contact",
    "trademark": "Trademark",
}
"""The names of the pages, and their titles in the footer."""
MAX_LENGTH: Final = 200_000
"""In characters; the rest of a file is left out."""
_DEFAULTS: Final = Path(__file__).parent / "texts"
_SAFE_LINK: Final = re.compile(r"(?:https?://|mailto:|tel:|/(?!/)|#)", re.IGNORECASE)
_SCROLLED: Final = '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">'


@dataclass(frozen=True, slots=True)
class OperatorText:
    """A page as HTML, and its title."""

    title: str
    html: SafeString


@require_safe
def show_text(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the pages."""
    if name not in TITLES:
        raise Http404
    return render(request, "pages/operator_text.html", {"text": read_text(name)})


def read_text(name: str) -> OperatorText:
    """Return the administrator's text, or the one that comes with the software."""
    for folder in (Path(settings.OPERATOR_TEXTS), _DEFAULTS):
        path = folder / f"{name}.md"
        try:
            return _render(name, path, path.stat().st_mtime_ns)
        except FileNotFoundError:
            continue
    raise Http404


@cache
def _render(name: str, path: Path, _changed_at: int) -> OperatorText:
    source = path.read_text(encoding="utf-8", errors="replace")[:MAX_LENGTH]
    markdown = Markdown(extensions=["tables", "toc"], output_format="html")
    # Without these, HTML stays text, which the library escapes.
    markdown.preprocessors.deregister("html_block")
    markdown.inlinePatterns.deregister("html")
    markdown.treeprocessors.register(_Links(markdown), "links", 0)
    html = markdown.convert(source)
    html = html.replace("<table>", f'{_SCROLLED}<table class="table">')
    html = html.replace("</table>", "</table></div>").replace("<th>", '<th scope="col">')
    titles = [token["name"] for token in markdown.toc_tokens]  # type: ignore[attr-defined]
    return OperatorText(titles[0] if titles else TITLES[name], mark_safe(html))  # noqa: S308 see above


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
