"""Vendored files match their manifest, colors match the renderer, and nothing is inline."""

import hashlib
import re
import tomllib
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

from diplomaccloud.judge.drawing.styles import STYLES
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT, list_colors, live_theme
from diplomaccloud.pages.map_styles import MapStyle

SOURCE = Path(__file__).parents[2] / "src" / "diplomaccloud"
STATIC = SOURCE / "pages" / "static" / "pages"
VENDOR = STATIC / "vendor"
MANIFEST = tomllib.loads((VENDOR / "vendor.toml").read_text(encoding="utf-8"))
TEMPLATES = sorted(SOURCE.glob("*/templates/**/*.html"))
ALL_TEMPLATES = sorted(path for path in SOURCE.glob("*/templates/**/*") if path.is_file())
SCRIPTS = sorted(p for p in SOURCE.glob("*/static/**/*.js") if "vendor" not in p.parts)


def test_every_vendored_file_has_the_digest_of_the_manifest_and_a_license():
    for name, entry in MANIFEST.items():
        digest = hashlib.sha256((VENDOR / entry["file"]).read_bytes()).hexdigest()
        assert digest == entry["sha256"], name
        assert (VENDOR / entry["license_file"]).read_text(encoding="utf-8").strip(), name


def test_the_manifest_lists_every_vendored_script():
    assert {entry["file"] for entry in MANIFEST.values()} == {p.name for p in VENDOR.glob("*.js")}


def read_variables(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--map-[a-z-]+):\s*([^;]+);", css))


def test_the_map_on_a_page_has_the_renderer_s_colors():
    light, night = (
        dict(re.findall(r"var\((--map-[a-z-]+),([^)]+)\)", repr(live_theme(theme))))
        for theme in (LIGHT, NIGHT)
    )
    page = read_variables((STATIC / "css" / "map.css").read_text(encoding="utf-8"))
    assert page == {name: f"light-dark({light[name]}, {night[name]})" for name in light}


@pytest.mark.parametrize("style", [one for one in MapStyle if one is not MapStyle.PARCHMENT])
def test_a_map_in_another_style_has_the_renderer_s_colors(style):
    day, night = (
        dict(list_colors(STYLES[name if name in STYLES else style]))
        for name in (style, f"{style}-night")
    )
    sheet = (STATIC / "css" / "map-styles.css").read_text(encoding="utf-8")
    rule = re.search(rf':root\[data-map-style="{style}"\] {{(.*?)}}', sheet, re.DOTALL)
    assert read_variables(rule[1]) == {
        name: day[name] if day[name] == night[name] else f"light-dark({day[name]}, {night[name]})"
        for name in day
    }
    wash = f'[data-map-style="{style}"] .country > defs + use {{ fill-opacity: '
    assert style is MapStyle.INK or f"{wash}{STYLES[style].look.wash}; }}" in sheet


def find_faults(paths, find):
    """Return what `find` finds in the text of each file at fault, by the file's path."""
    found = {str(path.relative_to(SOURCE)): find(path) for path in paths}
    assert found
    return {path: faults for path, faults in found.items() if faults}


def test_no_template_breaks_the_security_policy():
    def find_inline(template):
        text = template.read_text(encoding="utf-8")
        attributes = r"""\sstyle\s*=\s*["']|<style|\son[a-z]+\s*=\s*["']|javascript:"""
        script = r"<script(?![^>]*\ssrc=)(?![^>]*application/json)[^>]*>"
        return re.findall(f"{attributes}|{script}", text)

    assert find_faults(TEMPLATES, find_inline) == {}


def test_no_template_tag_is_shown_as_text():
    """Django does not recognize a tag broken over two lines: the page would show its source."""

    def find_tags(template):
        tokens = Lexer(template.read_text(encoding="utf-8")).tokenize()
        texts = [token.contents for token in tokens if token.token_type is TokenType.TEXT]
        return re.findall(r"\{[{%#]|[}%#]\}", "".join(texts))

    assert find_faults(ALL_TEMPLATES, find_tags) == {}


def test_every_post_form_has_a_csrf_token():
    def find_forms(template):
        text = template.read_text(encoding="utf-8")
        forms = re.findall(r"<form[^>]*method=.post.*?</form>", text, re.DOTALL)
        return [form for form in forms if "{% csrf_token %}" not in form]

    # The forms of the sandbox change nothing on the site, and need no cookie. The views of the
    # others require that the form is the site's own, since pages without a cookie have them.
    without = {"_color_scheme.html", "announcements/_dismiss.html"}
    templates = [
        path
        for path in TEMPLATES
        if "sandbox" not in path.parts and not any(str(path).endswith(end) for end in without)
    ]
    assert find_faults(templates, find_forms) == {}


def test_every_script_imports_only_files_that_exist():
    served = {path.name for path in SCRIPTS}

    def find_lost(script):
        names = re.findall(r'^import .*?"(.+?)";', script.read_text(encoding="utf-8"), re.M)
        return [n for n in names if Path(n).name not in served or not n.startswith((".", "/"))]

    assert find_faults(SCRIPTS, find_lost) == {}


def test_every_icon_used_is_drawn():
    drawn = set(re.findall(r'<symbol id="([a-z]+)"', (STATIC / "icons.svg").read_text("utf-8")))

    def find_undrawn(template):
        names = re.findall(r'\{% icon "([^"]+)"', template.read_text(encoding="utf-8"))
        return set(names) - drawn

    assert find_faults(TEMPLATES, find_undrawn) == {}
