"""The guides for players: documents from `docs` as pages of the site."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown import Markdown

GUIDES: Final = ("press", "press-guide", "notices", "http-api")
"""The names of the documents, without `.md`."""
_PACKAGED: Final = Path(__file__).parent / "texts"
"""The folder with the documents in a wheel; see `force-include` in `pyproject.toml`."""
_DOCS: Final = Path(__file__).parents[3] / "docs"
_SCROLLED: Final = '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">'
_LINK: Final = re.compile(r'href="([a-z-]+)\.md(?=["#])')


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide as HTML, its title, and the anchors and titles of its sections."""

    title: str
    html: SafeString
    sections: tuple[tuple[str, str], ...]


@require_safe
def show_guide(request: HttpRequest, name: str) -> HttpResponse:
    """Show a guide for players."""
    if name not in GUIDES:
        raise Http404
    return render(request, "learn/guide.html", {"guide": read_guide(name)})


@cache
def read_guide(name: str) -> Guide:
    """Return one of `GUIDES`; its links to other guides lead to their pages."""
    folder = _PACKAGED if _PACKAGED.is_dir() else _DOCS
    markdown = Markdown(extensions=["tables", "toc"], output_format="html")
    html = markdown.convert((folder / f"{name}.md").read_text("utf-8"))
    html = _LINK.sub(lambda link: f'href="{reverse("guide", args=[link[1]])}', html)
    html = html.replace("<table>", f'{_SCROLLED}<table class="table">')
    html = html.replace("</table>", "</table></div>").replace("<th>", '<th scope="col">')
    (top,) = markdown.toc_tokens  # type: ignore[attr-defined]
    sections = tuple((token["id"], token["name"]) for token in top["children"])
    return Guide(top["name"], mark_safe(html), sections)  # noqa: S308 our own text
