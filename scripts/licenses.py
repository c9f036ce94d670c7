#!/usr/bin/env python3
"""Print the license of every package in the lock files, as the installed packages say it.

Fails if one is unknown or not allowed. Run it with the Python of the checks:
`.venv/bin/python scripts/licenses.py`. `READ` has the licenses of packages that only other
platforms need.
"""

import re
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

Licenses = dict[str, dict[str, str]]
"""The licenses of packages by name, for `site` and for `checks`."""

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements"
ALLOWED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python", "ISC"),
        *("LGPL-3.0-only", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Unlicense"),
        *("ZPL-2.1", "Zlib"),
    }
)
"""Licenses that let anyone run a site and redistribute it with its dependencies."""
ALLOWED_IN_CHECKS = ALLOWED | {"Artistic-1.0-Perl", "GPL-3.0-or-later"}
"""The same for tools that check the code or build the documentation, and are not redistributed."""
CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
NAMED = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "MPL-2.0"}
READ = {
    "antlr4-python3-runtime": "BSD-3-Clause",
    "async-timeout": "Apache-2.0",
    "audioop-lts": "PSF-2.0",
    "axe-playwright-python": "MIT",
    "colorama": "BSD-3-Clause",
    "docutils": "BSD-2-Clause",
    "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
    "httpx2-jsfetch": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "pywin32": "PSF-2.0",
    "requests-oauthlib": "ISC",
    "resvg-py": "MIT",
    "text-unidecode": "Artistic-1.0-Perl OR GPL-2.0-or-later",
}
"""Licenses of packages for other platforms, and of packages with unclear metadata."""

DATA = {"GeoNames, in atlas/generator/place_names.bloom": "CC-BY-4.0"}
"""The licenses of what comes with the site and is not a package."""


def normalize(name: str) -> str:
    """Return the name of a package as the lock files write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock(name: str) -> set[str]:
    """Return the names of the packages in a lock file."""
    text = (REQUIREMENTS / name).read_text(encoding="utf-8")
    return {normalize(found) for found in re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?==", text, re.M)}


def find_license(distribution: Distribution) -> str:
    """Return the license of an installed package as an SPDX expression, or "" if it is unclear."""
    metadata = distribution.metadata
    name = normalize(metadata["Name"])
    if name in READ:
        return READ[name]
    if metadata["License-Expression"]:
        return metadata["License-Expression"]
    if (metadata["License"] or "") in NAMED:
        return metadata["License"]
    labels = [label.rpartition(" :: ")[2] for label in metadata.get_all("Classifier", [])]
    known = {CLASSIFIED[label] for label in labels if label in CLASSIFIED}
    if len(known) == 1:
        return known.pop()
    if "BSD License" in labels or (metadata["License"] or "").startswith("BSD"):
        return "BSD-3-Clause" if _has_third_clause(distribution) else "BSD-2-Clause"
    return "MIT" if (metadata["License"] or "") in ("MIT License", "The MIT License (MIT)") else ""


def _has_third_clause(distribution: Distribution) -> bool:
    for file in distribution.files or ():
        if re.search(r"licen[cs]e|copying", file.name, re.I) and file.suffix in (
            *("", ".txt", ".rst", ".md"),
        ):
            path = Path(str(file.locate()))
            text = path.read_text(encoding="utf-8", errors="replace")
            if re.search(
                r"neither\s+the|3.clause|may\s+not\s+be\s+used\s+to\s+endorse", text, re.I
            ):
                return True
    return False


def is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Return whether one choice in the expression consists only of allowed licenses."""
    choices = expression.strip("()").split(" OR ")
    return any(all(part in allowed for part in choice.split(" AND ")) for choice in choices)


def build_list() -> Licenses:
    """Return the licenses of the site's packages, and of those for checks; "" if unknown."""
    site = read_lock("play.lock") | read_lock("server.lock")
    checks = read_lock("check.lock") - site
    known = dict(READ)
    for distribution in distributions():
        known[normalize(distribution.metadata["Name"])] = find_license(distribution)
    parts = {"site": site, "checks": checks}
    return {
        part: {name: known.get(name, "") for name in sorted(names)} for part, names in parts.items()
    }


def list_faults(licenses: Licenses) -> list[str]:
    """Return a sentence for each package whose license is unknown or not allowed."""
    allowed = {"site": ALLOWED, "checks": ALLOWED_IN_CHECKS}
    return [
        f"{name}: {text or 'no license is known'}"
        for part, names in licenses.items()
        for name, text in names.items()
        if not text or not is_allowed(text, allowed[part])
    ]


def main() -> int:
    """Print the licenses and what is wrong with them, and return the exit status."""
    found = build_list()
    for part, names in (found | {"data": DATA}).items():
        print(f"{part}:", *(f"    {name}: {text}" for name, text in names.items()), sep="\n")
    faults = list_faults(found)
    print(*faults, sep="\n", file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
