#!/usr/bin/env python3
"""Compare the vendored front-end files with the npm packages that they come from.

Usage: scripts/vendored.py [--write]    needs npm and its registry

npm checks each package against the registry's integrity hash; this script computes the hash again,
compares it with the one in vendor.toml (or writes it there), and compares the file.
"""

import base64
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

VENDOR = Path(__file__).resolve().parents[1] / "src/diplomaccloud/pages/static/pages/vendor"
MANIFEST = VENDOR / "vendor.toml"


def fetch(package: str, version: str, folder: str) -> tuple[Path, str]:
    """Return the package's archive and the integrity hash that npm's registry has for it."""
    command = ["npm", "pack", f"{package}@{version}", "--json", "--pack-destination", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    facts = json.loads(done.stdout)[0]
    name = facts["filename"].replace("@", "").replace("/", "-")
    return Path(folder, name), facts["integrity"]


def compare(name: str, entry: dict[str, str]) -> tuple[str, list[str]]:
    """Return the integrity hash of an entry's package, and a sentence for each difference."""
    with tempfile.TemporaryDirectory() as folder:
        archive, published = fetch(entry["package"], entry["version"], folder)
        digest = hashlib.sha512(archive.read_bytes()).digest()
        integrity = f"sha512-{base64.b64encode(digest).decode()}"
        with tarfile.open(archive) as members:
            member = members.extractfile(f"package/{entry['path']}")
            original = member.read() if member is not None else b""
    faults = []
    if integrity != published:
        faults.append(f"{name}: the archive does not have the registry's integrity hash")
    if original != (VENDOR / entry["file"]).read_bytes():
        faults.append(f"{name}: {entry['file']} differs from {entry['path']} in the package")
    return integrity, faults


def main() -> int:
    """Compare all entries; return the exit status."""
    faults = []
    for name, entry in tomllib.loads(MANIFEST.read_text(encoding="utf-8")).items():
        integrity, wrong = compare(name, entry)
        faults += wrong
        if integrity == entry.get("integrity"):
            continue
        if "--write" in sys.argv and not wrong:
            text = MANIFEST.read_text(encoding="utf-8")
            text = re.sub(r"^integrity = .*\n", "", text, flags=re.M)
            line = f'path = "{entry["path"]}"\n'
            text = text.replace(line, f'{line}integrity = "{integrity}"\n')
            MANIFEST.write_text(text, encoding="utf-8")
        else:
            faults.append(f"{name}: the integrity hash in vendor.toml should be {integrity}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
