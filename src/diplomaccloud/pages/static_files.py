"""Static files under addresses that contain a digest, compressed once and cached for a year.

One digest covers all files: `/static/4f1c0a9be2d7/pages/css/base.css`. A relative address inside a
style sheet or a script therefore leads to the same release without a build step, and a page of an
older release still finds its files.

Scripts and style sheets of a release contain what they import, without comments and indentation.
The sources are modules that a browser can load as they are, as it does in debug mode. The manifest
storages of Django and WhiteNoise only rename files: the game page would load 28 scripts of 44 kB
instead of one of 24 kB. WhiteNoise's compressor takes three times as long, and saves 0.4 %.
"""

import gzip
import hashlib
import os
import posixpath
import re
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, cast

import brotli
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

_FORMAT: Final = 1
"""Increased when the same sources make different files: browsers never request a file again."""

_DIGITS: Final = 12
_READABLE: Final = 0o755
_LEVEL: Final = 9
"""Files are compressed once per release, so the best level costs nothing."""
_BROTLI_QUALITY: Final = 10
"""The second-best quality: 11 takes twice as long and saves 2 %."""
_SMALLEST: Final = 200
"""The size in bytes below which compression saves nothing."""
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_UNCOMPRESSED: Final = frozenset({".woff2", ".webp", ".png", ".ico"})
"""Formats that are compressed already."""
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


class ReleaseStorage(StaticFilesStorage):
    """Static files whose addresses change when any of them changes."""

    def url(self, name: str | None, force: bool = False) -> str:  # noqa: ARG002 Django's
        """Return the address of a file; in debug mode, one that shows every edit at once."""
        return super().url(f"{name}") if settings.DEBUG else self._find_url(f"{name}")

    @cache  # noqa: B019 - there is only one storage
    def _find_url(self, name: str) -> str:
        return super().url(f"{release_digest()}/{name}")


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serves static files, compressed, and lets browsers keep those of a release for a year."""

    def add_files_from_finders(self) -> None:
        """Add the files twice: under their plain addresses, and under those of this release."""
        release = release_digest()
        folder = str(prepare_release(release))
        self.add_files(folder, prefix=self.static_prefix)
        self.add_files(folder, prefix=f"{self.static_prefix}{release}/")
        self._other_release = re.compile(rf"{self.static_prefix}[0-9a-f]{{{_DIGITS}}}/(.+)")

    def immutable_file_test(self, path: str, url: str) -> bool:  # noqa: ARG002 WhiteNoise's
        """Return whether the file at `url` never changes."""
        return url.startswith(f"{self.static_prefix}{release_digest()}/")

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the file or the page; a page of an older release gets the files of this one."""
        path = request.path_info
        if not self.autorefresh and path not in self.files:
            match = self._other_release.fullmatch(path)
            file = match and self.files.get(f"{self.static_prefix}{match[1]}")
            if file:
                return cast("HttpResponseBase", self.serve(file, request))
        return cast("HttpResponseBase", super().__call__(request))


@cache
def release_digest() -> str:
    """Return a digest of the names and contents of all static files."""
    digest = hashlib.sha256(f"{_FORMAT}\0".encode())
    for name, path in _list_files():
        digest.update(f"{name}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:_DIGITS]


def _list_files() -> list[tuple[str, Path]]:
    """Return all static files, each with its name, sorted by name."""
    files: dict[str, Path] = {}
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            files.setdefault(name.replace("\\", "/"), Path(storage.path(name)))
    return sorted(files.items())


def prepare_release(release: str) -> Path:
    """Return a folder with all static files and their compressed versions; make it if missing."""
    folder: Path = settings.DATA_DIR / "static" / release
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    # A folder for each thread, because several start at the same time.
    unfinished = Path(tempfile.mkdtemp(prefix=f"{release}.", dir=folder.parent))
    unfinished.chmod(_READABLE)
    _write_files(unfinished)
    # Otherwise a power cut could leave empty files, which would be served until the next release.
    # One call takes less time than one for each file.
    os.sync()
    try:
        unfinished.rename(folder)
    except OSError:  # another thread or process was faster
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def _write_files(folder: Path) -> None:
    """Write all static files to `folder`: ours in bundles, and all with compressed versions."""
    files = _list_files()
    sources = {name: path.read_text("utf-8") for name, path in files if _is_ours(path)}
    for name, path in files:
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if name in sources:
            bundle = bundle_script if path.suffix == ".js" else bundle_style
            content = bundle(name, sources).encode()
        else:
            content = path.read_bytes()
        copy.write_bytes(content)
        if path.suffix in _UNCOMPRESSED or len(content) < _SMALLEST:
            continue
        copy.with_name(f"{copy.name}.gz").write_bytes(gzip.compress(content, _LEVEL, mtime=0))
        brotli_content = brotli.compress(content, quality=_BROTLI_QUALITY)
        copy.with_name(f"{copy.name}.br").write_bytes(brotli_content)


def _is_ours(path: Path) -> bool:
    """Return whether `path` is a script or a style sheet of this package, and not a vendor's."""
    is_text = path.suffix in (".js", ".css")
    return is_text and _PACKAGE in path.resolve().parents and path.parent.name != "vendor"


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
