"""Vendored files match their manifest, colors match the renderer, and nothing is inline."""

import hashlib
import re
import tomllib
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

from diplomaccloud.atlas.render import LIGHT, NIGHT, css_variables

SOURCE = Path(__file__).parents[2] / "src" / "diplomaccloud"
STATIC = SOURCE / "pages" / "static" / "pages"
VENDOR = STATIC / "vendor"
MANIFEST = tomllib.loads((VENDOR / "vendor.toml").read_text(encoding="utf-8"))
TEMPLATES = sorted(SOURCE.glob("*/templates/**/*.html"))
ALL_TEMPLATES = sorted(path for path in SOURCE.glob("*/templates/**/*") if path.is_file())
SCRIPTS = sorted(p for p in SOURCE.glob("*/static/**/*.js") if "vendor" not in p.parts)


@pytest.mark.parametrize("name", MANIFEST)
def test_a_vendored_file_has_the_digest_of_the_manifest(name):
    entry = MANIFEST[name]
    digest = hashlib.sha256((VENDOR / entry["file"]).read_bytes()).hexdigest()
    assert digest == entry["sha256"]
    assert (VENDOR / entry["license_file"]).read_text(encoding="utf-8").strip()


def test_the_manifest_lists_every_vendored_script():
    assert {entry["file"] for entry in MANIFEST.values()} == {p.name for p in VENDOR.glob("*.js")}


def read_variables(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--map-[a-z-]+):\s*([^;]+);", css))


def test_the_map_on_a_page_has_the_renderer_s_colors():
    light, night = read_variables(css_variables(LIGHT)), read_variables(css_variables(NIGHT))
    page = read_variables((STATIC / "css" / "map.css").read_text(encoding="utf-8"))
    assert page == {name: f"light-dark({light[name]}, {night[name]})" for name in light}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_breaks_the_security_policy(template):
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"""\sstyle\s*=\s*["']|<style|\son[a-z]+\s*=\s*["']|javascript:""", text)
    inline = re.findall(r"<script(?![^>]*\ssrc=)(?![^>]*application/json)[^>]*>", text)
    assert inline == []


@pytest.mark.parametrize("template", ALL_TEMPLATES, ids=lambda path: path.name)
def test_no_template_tag_is_shown_as_text(template):
    """Django does not recognize a tag broken over two lines: the page would show its source."""
    text = template.read_text(encoding="utf-8")
    texts = [
        token.contents for token in Lexer(text).tokenize() if token.token_type is TokenType.TEXT
    ]
    assert not re.search(r"\{[{%#]|[}%#]\}", "".join(texts))


@pytest.mark.parametrize(
    # The forms of the sandbox change nothing on the site, and need no cookie.
    "template",
    [path for path in TEMPLATES if "sandbox" not in path.parts],
    ids=lambda path: path.name,
)
def test_every_post_form_has_a_csrf_token(template):
    text = template.read_text(encoding="utf-8")
    for form in re.findall(r"<form[^>]*method=.post.*?</form>", text, re.DOTALL):
        assert "{% csrf_token %}" in form


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_imports_only_files_that_exist(script):
    for name in re.findall(r'^import .*?"(.+?)";', script.read_text(encoding="utf-8"), re.M):
        served = {path.name: path for path in SCRIPTS}
        assert Path(name).name in served
        assert name.startswith((".", "/"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_every_icon_used_is_drawn(template):
    drawn = set(re.findall(r'id="(i-[a-z]+)"', read_icons(template)))
    used = set(re.findall(r'#(i-[a-z]+)"', template.read_text(encoding="utf-8")))
    assert used <= drawn


def read_icons(template: Path) -> str:
    """Return the templates that draw icons: the site's, those beside `template`, or its board."""
    site = SOURCE / "pages" / "templates" / "pages" / "_icons.html"
    paths = [site, *template.parent.glob("*.html")]
    if template.match("press/maps/_bar.html"):  # a bar for the sandbox's board
        paths.append(SOURCE / "sandbox" / "templates" / "sandbox" / "_board.html")
    return "".join(path.read_text(encoding="utf-8") for path in paths)
