"""Licenses of all dependencies are known and allowed, and vendored files are those on npm."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import licenses  # noqa: E402

LOCKS = ["play.lock", "server.lock", "check.lock"]
VENDORED = ROOT / "src/diplomaccloud/pages/static/pages/vendor/vendor.toml"


def test_every_license_is_known_and_allowed():
    assert licenses.list_faults(licenses.build_list()) == []


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-or-later", False),
        ("GPL-3.0-or-later OR MIT", True),
        ("MIT AND GPL-3.0-or-later", False),
        ("BSD-3-Clause AND MIT OR AGPL-3.0-only", True),
        ("", False),
    ],
)
def test_a_license_is_allowed_if_one_choice_is(expression, allowed):
    assert licenses.is_allowed(expression, licenses.ALLOWED) is allowed


def test_a_package_with_an_unknown_license_is_a_fault():
    site = {"one": "MIT", "two": "", "three": "GPL-3.0-or-later"}
    checks = {"four": "GPL-3.0-or-later"}
    faults = licenses.list_faults({"site": site, "checks": checks})
    assert faults == ["two: no license is known", "three: GPL-3.0-or-later"]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_hashes(lock):
    text = (licenses.REQUIREMENTS / lock).read_text(encoding="utf-8")
    packages = re.split(r"\n(?=\S)", text.strip())
    assert len(packages) >= len(licenses.read_lock(lock)) > 30
    assert [entry for entry in packages if "--hash=sha256:" not in entry] == []


def test_vendored_files_have_the_integrity_hash_of_their_package():
    for entry in tomllib.loads(VENDORED.read_text(encoding="utf-8")).values():
        assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", entry["integrity"])
        assert entry["package"]
        assert entry["path"].endswith(entry["file"])


@pytest.mark.parametrize(("vulns", "looked_up"), [("[]", False), ('[{"fix_versions": []}]', True)])
def test_an_audit_without_advisories_fails_and_calls_nothing_safe(tmp_path, vulns, looked_up):
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/audit", tmp_path / "scripts/audit")
    answers = f'case "$*" in *json*) echo \'{{"vulns": {vulns}}}\';; *) echo "looked up $*";; esac'
    for name, line in (
        ("pip-audit", answers),
        ("python", "true"),
        ("cyclonedx-py", "true"),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    done = subprocess.run([tmp_path / "scripts/audit"], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is looked_up
    assert [lock in done.stdout for lock in LOCKS] == [looked_up] * len(LOCKS)
    assert ("were not looked up" in done.stderr) is not looked_up
