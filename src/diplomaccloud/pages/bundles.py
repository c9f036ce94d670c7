"""Write the scripts and style sheets of a release, each with the files that it imports.

The sources are modules that a browser can load as they are, as it does in debug mode. In a release,
a page loads one file instead of twenty, without comments and indentation.
"""

import posixpath
import re
from collections.abc import Mapping
from typing import Final

SHARED_SCRIPT: Final = "pages/js/site.js"
"""The script of every page. It stays a separate file, because other scripts share its state."""

_STYLE_IMPORT: Final = re.compile(r'^@import "([^"]+)";\n?', re.MULTILINE)
_STYLE_ADDRESS: Final = re.compile(r'url\("(?!data:|/|#)([^"]+)"\)')
_STYLE_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";\n?', re.MULTILINE)
_LATER_IMPORT: Final = re.compile(r'\bimport\("([^"]+)"\)')
_EXPORT: Final = re.compile(r"^export ((?:async )?(?:const|class|function) (\w+))", re.MULTILINE)
_EXPORT_LIST: Final = re.compile(r"^export \{([^}]*)\};\n?", re.MULTILINE)
_SCRIPT_COMMENT: Final = re.compile(
    r"^\s*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.DOTALL | re.MULTILINE
)
_INDENT: Final = re.compile(r"^[ \t]+|\n(?=\n)", re.MULTILINE)


class BundleError(Exception):
    """A source that cannot be bundled."""


def bundle_style(name: str, sources: Mapping[str, str]) -> str:
    """Return the style sheet `name` of `sources`, after the rules of those that it imports."""
    texts = [_move_style(part, sources[part], name) for part in _list_styles(name, sources)]
    return "".join(texts)


def _list_styles(name: str, sources: Mapping[str, str]) -> list[str]:
    """Return the names of a style sheet and all its imports, without duplicates, imports first."""
    names: dict[str, None] = {}
    for path in _STYLE_IMPORT.findall(sources[name]):
        names |= dict.fromkeys(_list_styles(_resolve(name, path), sources))
    return [*names, name]


def _move_style(name: str, text: str, target: str) -> str:
    """Return the rules of a style sheet, with addresses that are relative to `target`."""
    folder = posixpath.dirname(target)
    text = _STYLE_COMMENT.sub("", _STYLE_IMPORT.sub("", text))
    text = _STYLE_ADDRESS.sub(
        lambda match: f'url("{posixpath.relpath(_resolve(name, match[1]), folder)}")', text
    )
    return _INDENT.sub("", text).lstrip("\n")


def bundle_script(name: str, sources: Mapping[str, str]) -> str:
    """Return the script `name` of `sources` with those that it imports.

    Each imported module becomes a function that runs once, when it is first imported.
    """
    return _ScriptBundle(name, sources).write()


class _ScriptBundle:
    """The modules of one script."""

    def __init__(self, name: str, sources: Mapping[str, str]) -> None:
        self._name, self._sources = name, sources
        self._numbers: dict[str, int] = {}
        self._functions: list[str] = []
        self._uses_shared = False

    def write(self) -> str:
        """Return the text of the bundle."""
        body = self._link(self._name, (self._name,))
        shared = posixpath.relpath(SHARED_SCRIPT, posixpath.dirname(self._name))
        if not shared.startswith("."):
            shared = f"./{shared}"
        head = f'import * as shared from "{shared}";\n' if self._uses_shared else ""
        return f"{head}{body}{''.join(self._functions)}"

    def _link(self, name: str, path: tuple[str, ...]) -> str:
        """Return the text of a module with calls instead of imports."""

        def link(match: re.Match[str]) -> str:
            module = self._refer(_resolve(name, match[2]), path)
            names = (match[1] or "").replace(" as ", ": ").strip()
            return f"const {{ {names} }} = {module};\n" if names else f"{module};\n"

        def link_later(match: re.Match[str]) -> str:
            return f"(async () => {self._refer(_resolve(name, match[1]), path)})()"

        text = _IMPORT.sub(link, strip_script(self._sources[name]))
        return _LATER_IMPORT.sub(link_later, text)

    def _refer(self, name: str, path: tuple[str, ...]) -> str:
        """Return an expression for the exports of the module `name`, and add it if it is new."""
        if name in path:
            raise BundleError(f"{name} imports itself: {' > '.join(path)}")
        if name == SHARED_SCRIPT:
            self._uses_shared = True
            return "shared"
        if name not in self._numbers:
            body = self._link(name, (*path, name))
            self._numbers[name] = len(self._numbers) + 1
            self._functions.append(_write_module(f"module{self._numbers[name]}", body))
        return f"module{self._numbers[name]}()"


def _write_module(function: str, body: str) -> str:
    """Return the function that runs a module once and returns what it exports."""
    names = [match[2] for match in _EXPORT.finditer(body)]
    for match in _EXPORT_LIST.finditer(body):
        names += [name.strip() for name in match[1].split(",")]
    body = _EXPORT_LIST.sub("", _EXPORT.sub(r"\1", body))
    if re.search(r"^(?:export|import)\b", body, re.MULTILINE):
        raise BundleError(f"an import or export that is not understood in: {body[:200]}")
    run = f"(() => {{\n{body}return {{ {', '.join(names)} }};\n}})()"
    return f"function {function}() {{\nreturn {function}.exports ??= {run};\n}}\n"


def strip_script(text: str) -> str:
    """Return a script without indentation and without comments on lines of their own."""
    stripped = _SCRIPT_COMMENT.sub("", text)
    if any(line.count("`") % 2 for line in stripped.splitlines()):
        return text  # a string of several lines, in which spaces count
    return _INDENT.sub("", stripped).lstrip("\n")


def _resolve(name: str, path: str) -> str:
    """Return the name of the file at the relative `path` in the file `name`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
