"""The documentation site. `./check docs` builds it in `build/docs` and checks its links.

Sphinx, because it has docstrings, strict links and a search that works offline. Material for
MkDocs, the other candidate, has received only critical fixes since November 2025.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

SITE = Path(__file__).resolve().parent
sys.path[:0] = [str(SITE), str(SITE.parents[1])]

import link_checker  # noqa: E402
from docutils import nodes  # noqa: E402
from sphinx.errors import ExtensionError  # noqa: E402
from switch_page import FOLDER, SwitchPages  # noqa: E402

from diplomaccloud import judge  # noqa: E402
from diplomaccloud.version import __version__  # noqa: E402

if TYPE_CHECKING:
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

PAGES = SITE.parents[1] / "src" / "diplomaccloud" / "pages" / "static" / "pages"
project = "Diplomaccloud"
version = release = __version__
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["site", "examples", "images"]
# JSON and console examples leave parts out, so they are not always valid.
suppress_warnings = ["misc.highlighting_failure"]

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 4

default_role = "code"  # docstrings write `A PAR` as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Diplomaccloud"
html_favicon = html_logo = os.path.relpath(PAGES / "icon.svg", SITE)
html_static_path = [
    "static",
    *(os.path.relpath(PAGES / "css" / n, SITE) for n in ("tokens.css", "map.css")),
]
html_css_files = ["tokens.css", "map.css", "docs.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "xcode"
pygments_dark_style = "github-dark"

# The site's own colors, defined for both schemes; furo's variables use them in each.
_COLORS = {
    "color-brand-primary": "var(--action)",
    "color-brand-content": "var(--link)",
    "color-brand-visited": "var(--link)",
    "color-foreground-primary": "var(--ink)",
    "color-foreground-secondary": "var(--ink-soft)",
    "color-foreground-muted": "var(--ink-soft)",
    "color-foreground-border": "var(--rule-strong)",
    "color-background-primary": "var(--surface)",
    "color-background-secondary": "var(--paper)",
    "color-background-hover": "var(--sunken)",
    "color-background-border": "var(--rule)",
    "color-background-item": "var(--rule)",
    "color-code-background": "var(--raised)",
    "color-code-foreground": "var(--ink)",
    "color-inline-code-background": "var(--sunken)",
    "color-card-background": "var(--raised)",
    "color-card-border": "var(--rule)",
    "color-sidebar-background": "var(--paper)",
    "color-sidebar-background-border": "var(--rule)",
    "color-sidebar-link-text--top-level": "var(--ink)",
    "color-sidebar-search-background": "var(--surface)",
    "color-sidebar-search-background--focus": "var(--raised)",
    "color-api-name": "var(--ink)",
    "color-api-pre-name": "var(--ink-soft)",
    "color-api-background": "var(--paper)",
    "color-api-background-hover": "var(--sunken)",
    "color-table-header-background": "var(--paper)",
    "color-table-border": "var(--rule)",
    "color-highlight-on-target": "var(--warn-paper)",
    "font-stack": "var(--sans)",
    "font-stack--monospace": "var(--mono)",
    "font-stack--headings": "var(--serif)",
}
html_theme_options = {"light_css_variables": _COLORS, "dark_css_variables": _COLORS}

ORDERS = (
    "Hold",
    "Move",
    "SupportHold",
    "SupportMove",
    "Convoy",
    "Retreat",
    "Disband",
    "Build",
    "Waive",
)
_PUBLIC = {
    **{name: f"diplomaccloud.judge.{name}" for name in judge.__all__},  # type: ignore[attr-defined]
    **{name: f"diplomaccloud.judge.orders.{name}" for name in ORDERS},
    "Batch": "diplomaccloud.judge.batch.Batch",
}


def setup(app: "Sphinx") -> None:
    """Register this site's extensions with Sphinx."""
    switches = SwitchPages()

    def edit_page(_app: object, _name: str, content: list[str]) -> None:
        content[0] = switches.fill(content[0]).replace("(../CONTRIBUTING.md)", "(contributing.md)")

    def finish(app: "Sphinx", error: Exception | None) -> None:
        if error is None:
            switches.save_boards(app.outdir / FOLDER)
            shutil.copytree(PAGES / "fonts", app.outdir / "fonts", dirs_exist_ok=True)
            if faults := link_checker.find_faults(app.outdir):
                raise ExtensionError("links:\n  " + "\n  ".join(faults))

    app.connect("source-read", edit_page)
    app.connect("doctree-read", strip_examples)
    app.connect("build-finished", finish)
    app.connect("missing-reference", resolve_public_name)


def strip_examples(_app: "Sphinx", document: nodes.document) -> None:
    """Remove the blank line at the end of an example, which only `doctest` needs."""
    for block in document.findall(nodes.literal_block):
        text = block.astext().rstrip()
        if block.rawsource == block.astext():
            block.rawsource, block.children = text, [nodes.Text(text)]


def resolve_public_name(
    app: "Sphinx", env: "BuildEnvironment", node: "pending_xref", text: nodes.TextElement
) -> nodes.reference | None:
    """Return a link from a type in a signature to the public name that documents it."""
    name = _PUBLIC.get(str(node.get("reftarget", "")).rpartition(".")[2])
    objects = env.domains.python_domain.objects
    if node.get("refdomain") != "py" or name not in objects:
        return None
    address = app.builder.get_relative_uri(node["refdoc"], objects[name].docname)
    return nodes.reference("", "", text, refuri=f"{address}#{name}", internal=True)
