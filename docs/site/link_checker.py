"""Check the links of the finished site: each must lead to an existing file and anchor.

Nothing is loaded from another host, so the site works offline.
"""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LINK = re.compile(r"<(\w+)\b[^>]*?\s(?:href|src)=\"([^\"]*)\"")
_ID = re.compile(r"\sid=\"([^\"]+)\"")
_CSS_URL = re.compile(r"url\(\s*[\"']?([^\"')]+)")
_EMBEDDED = ("#", "data:")
REGISTRIES = ("pypi.org", "pythonhosted.org", "npmjs.com", "crates.io", "docker.io")
"""Package hosts, which pages must not name: they name only packages."""


def find_faults(folder: Path) -> list[str]:
    """Return a sentence for each broken link in the HTML and CSS files of `folder`."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.html"))}
    places = {path: set(_ID.findall(text)) for path, text in texts.items()}
    faults = []
    for path, text in texts.items():
        page = path.relative_to(folder)
        for tag, link in dict.fromkeys(_LINK.findall(text)):
            if fault := _find_fault(path, tag, link, places):
                faults.append(f"{page}: {link}: {fault}")
    for path in sorted(folder.rglob("*.css")):
        for link in dict.fromkeys(_CSS_URL.findall(path.read_text(encoding="utf-8"))):
            if not link.startswith(_EMBEDDED) and not (path.parent / urlsplit(link).path).exists():
                faults.append(f"{path.relative_to(folder)}: {link}: not there")
    return faults


def _find_fault(path: Path, tag: str, link: str, places: dict[Path, set[str]]) -> str:
    """Return what is wrong with a link on the page `path`, or an empty string."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        if tag != "a":
            return "" if parts.scheme == "data" else "loaded from another host"
        if parts.scheme not in {"https", "mailto"}:
            return "not https"
        return "a package registry" if parts.netloc.endswith(REGISTRIES) else ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "not there"
    if parts.fragment and target in places and unquote(parts.fragment) not in places[target]:
        return "no such place on the page"
    return ""
