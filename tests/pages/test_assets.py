"""Vendored files are what their manifest says; inks are the renderer's; nothing is inline."""

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
WRITTEN = sorted(path for path in SOURCE.glob("*/templates/**/*") if path.is_file())
SCRIPTS = sorted(p for p in SOURCE.glob("*/static/**/*.js") if "vendor" not in p.parts)


@pytest.mark.parametrize("name", MANIFEST)
def test_a_vendored_file_has_the_digest_of_the_manifest(name):
    entry = MANIFEST[name]
    digest = hashlib.sha256((VENDOR / entry["file"]).read_bytes()).hexdigest()
    assert digest == entry["sha256"]
    assert (VENDOR / entry["licence_file"]).read_text(encoding="utf-8").strip()


def test_the_manifest_lists_every_vendored_script():
    assert {entry["file"] for entry in MANIFEST.values()} == {p.name for p in VENDOR.glob("*.js")}


def declared(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--map-[a-z-]+):\s*([^;]+);", css))


def test_the_page_gives_the_map_the_renderers_inks():
    light, night = declared(css_variables(LIGHT)), declared(css_variables(NIGHT))
    page = declared((STATIC / "css" / "map.css").read_text(encoding="utf-8"))
    assert page == {name: f"light-dark({light[name]}, {night[name]})" for name in light}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_has_nothing_that_the_security_policy_forbids(template):
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"""\sstyle\s*=\s*["']|<style|\son[a-z]+\s*=\s*["']|javascript:""", text)
    inline = re.findall(r"<script(?![^>]*\ssrc=)(?![^>]*application/json)[^>]*>", text)
    assert inline == []


@pytest.mark.parametrize("template", WRITTEN, ids=lambda path: path.name)
def test_no_tag_of_a_template_is_left_to_be_shown_as_it_is(template):
    """A tag broken over two lines is none for Django: the page would show its source."""
    text = template.read_text(encoding="utf-8")
    left = [one.contents for one in Lexer(text).tokenize() if one.token_type is TokenType.TEXT]
    assert not re.search(r"\{[{%#]|[}%#]\}", "".join(left))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_every_form_that_writes_carries_its_token(template):
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
    drawn = set(re.findall(r'id="(i-[a-z]+)"', icons()))
    used = set(re.findall(r'#(i-[a-z]+)"', template.read_text(encoding="utf-8")))
    assert used <= drawn


def icons() -> str:
    return (SOURCE / "pages" / "templates" / "pages" / "_icons.html").read_text(encoding="utf-8")
