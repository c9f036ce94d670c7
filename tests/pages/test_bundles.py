"""Scripts and style sheets of a release, which contain what they import."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from diplomaccloud import pages
from diplomaccloud.pages.static_files import (
    SHARED_SCRIPT,
    BundleError,
    bundle_script,
    bundle_style,
    strip_script,
)

SCRIPTS = {
    "app/main.js": (
        '/** About it. */\n\nimport "./first.js";\nimport { a, b as c } from "./sub/second.js";\n'
        'import { say } from "../pages/js/site.js";\n\n  // A reason.\n  say(a, c);\n'
        'const later = () => import("./first.js");\n'
    ),
    "app/first.js": 'import { a } from "./sub/second.js";\nwindow.first = a;\n',
    "app/sub/second.js": "export const a = 1;\nfunction b() {}\nexport { b };\n",
}


def test_a_script_contains_what_it_imports_and_runs_each_module_once():
    assert bundle_script("app/main.js", SCRIPTS) == (
        'import * as shared from "../pages/js/site.js";\n'
        "module2();\n"
        "const { a, b: c } = module1();\n"
        "const { say } = shared;\n"
        "say(a, c);\n"
        "const later = () => (async () => module2())();\n"
        "function module1() {\nreturn module1.exports ??= (() => {\n"
        "const a = 1;\nfunction b() {}\nreturn { a, b };\n})();\n}\n"
        "function module2() {\nreturn module2.exports ??= (() => {\n"
        "const { a } = module1();\nwindow.first = a;\nreturn {  };\n})();\n}\n"
    )


def test_a_script_that_imports_itself_is_refused():
    loop = {"a.js": 'import "./b.js";\n', "b.js": 'import "./a.js";\n'}
    with pytest.raises(BundleError):
        bundle_script("a.js", loop)


@pytest.mark.parametrize("line", ["export default 1;", 'import x from "./b.js";'])
def test_an_import_or_export_of_another_kind_is_refused(line):
    with pytest.raises(BundleError):
        bundle_script("a.js", {"a.js": 'import "./b.js";\n', "b.js": f"{line}\n"})


def test_scripts_of_one_page_define_no_element_twice():
    folder = Path(pages.__file__).parents[1]
    sources = {
        path.relative_to(static).as_posix(): path.read_text("utf-8")
        for static in folder.glob("*/static")
        for path in static.rglob("*.js")
        if path.parent.name != "vendor"
    }
    page = ["games/page/play.js", "press/page/press.js"]
    defined = [
        re.findall(r'customElements\.define\("([^"]+)"', bundle_script(name, sources))
        for name in page
    ]
    assert all(defined)
    assert not set(defined[0]) & set(defined[1])


def test_comments_in_code_and_texts_of_several_lines_stay():
    code = "f(); // why\n/* one */ g();\n"
    assert strip_script(f"/* two\n lines */\n{code}") == code
    text = "  const a = `\n  // not a comment\n`;\n"
    assert strip_script(text) == text


def test_a_style_sheet_contains_what_it_imports_with_addresses_of_its_own():
    sheets = {
        "app/all.css": '/* All. */\n@import "../site/base.css";\n@import "part.css";\n',
        "app/part.css": '@import "../site/base.css";\n.part {\n  color: red;\n}\n',
        "site/base.css": 'body { background: url("../fonts/a.woff2"); } /* paper */\n',
    }
    assert bundle_style("app/all.css", sheets) == (
        'body { background: url("../fonts/a.woff2"); } \n.part {\ncolor: red;\n}\n'
    )


def test_the_script_of_every_page_shares_its_state_with_all_others():
    """A module inside it would run a second time if another script imported it, too."""
    static = Path(str(finders.find(SHARED_SCRIPT))).parents[2]
    inside = {"count-down.js", "server-time.js"}
    for app in static.parents[1].iterdir():
        for script in app.glob("static/**/*.js"):
            if script.name not in {"site.js", *inside}:
                text = script.read_text("utf-8")
                assert not [name for name in inside if f'/{name}"' in text], script
