"""Create and find `.venv` for `./play` and `./check`. Standard library only.

Uses only Python 3.6 syntax, so that an old Python prints a sentence, not a traceback.

The locks are requirements files with hashes, which both uv and pip can read. `.venv` is stamped
with a fingerprint of the lock, the path and the Python, and made again when that changes.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
EXTRAS = tuple(sorted(path.parent for path in (ROOT / "extras").glob("*/pyproject.toml")))
TREES = (ROOT / "judge", ROOT, *EXTRAS)  # what `.venv` uses from here
OLDEST = (3, 11)


class Unready(Exception):
    """The machine lacks something; the message is one sentence for the user."""


def ensure(kind):
    """Return the path of the Python in `.venv`, after creating or updating `.venv` if necessary.

    `kind` names the lock: `play` has the packages of the extra `site`, `check` also has the
    tools. Raises `Unready`.
    """
    if sys.version_info < OLDEST:
        raise Unready(
            "Diplomaccloud needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2]
        )
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    fingerprints = {name: _fingerprint(name) for name in ("play", "check")}
    stamp = VENV / ".diplomaccloud"
    present = stamp.read_text().strip() if stamp.exists() and python.exists() else ""
    if present in (fingerprints["check"], fingerprints[kind]):
        return python
    if not os.access(str(ROOT), os.W_OK):
        raise Unready("Cannot write to %s, where the environment has to go." % ROOT)
    if stamp.exists():
        stamp.unlink()  # an interrupted installation must not look finished
    _make(kind, python, keep=present == fingerprints["play"])
    stamp.write_text(fingerprints[kind] + "\n")
    return python


def list_trees(kind):
    """Return the folders of the packages that `.venv` uses from here: for `check`, all of `TREES`.

    For `play`, they are the judge, the site, and what its extra `site` names of `extras`.
    """
    import tomllib  # missing in older Pythons, which `ensure` rejects first

    if kind == "check":
        return TREES
    text = (TREES[1] / "pyproject.toml").read_text(encoding="utf-8")
    needed = " ".join(tomllib.loads(text)["project"]["optional-dependencies"]["site"])
    return [
        tree for tree in TREES if tree not in EXTRAS or "diplomaccloud-%s " % tree.name in needed
    ]


def _fingerprint(kind):
    """Return a hash of everything that determines `.venv`: the lock, its path and the Python."""
    import tomllib

    lock = (ROOT / "requirements" / (kind + ".lock")).read_bytes()
    about = "%s %s %s" % (kind, ROOT, sys.version)
    for tree in list_trees(kind):
        text = (tree / "pyproject.toml").read_text(encoding="utf-8")
        about += " %s" % tomllib.loads(text)["project"]
    return hashlib.sha256(lock + about.encode()).hexdigest()


def _make(kind, python, keep):
    uv = shutil.which("uv")
    if not uv and importlib.util.find_spec("ensurepip") is None:
        raise Unready(
            "This Python cannot make virtual environments: "
            "install its venv module (on Debian or Ubuntu: apt install python3-venv)."
        )
    print("Setting up the environment (once, about a minute) ...", flush=True)
    lock = str(ROOT / "requirements" / (kind + ".lock"))
    # The Python of `.venv` itself cannot make it again, since it is deleted first.
    base = getattr(sys, "_base_executable", sys.executable)
    if not keep:
        shutil.rmtree(str(VENV), ignore_errors=True)
    if uv:
        if not keep:
            _run([uv, "venv", "--quiet", "--python", base, str(VENV)])
        install = [uv, "pip", "install", "--quiet", "--python", str(python)]
    else:
        if not keep:
            _run([base, "-m", "venv", str(VENV)])
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install.append("--no-compile")  # each module compiles when it is first imported
    _run([*install, "--require-hashes", "-r", lock])
    editable = [part for tree in list_trees(kind) for part in ("-e", str(tree))]
    _run([*install, "--no-deps", "--no-build-isolation", *editable])


def _run(command):
    if subprocess.run(command, cwd=str(ROOT)).returncode != 0:
        raise Unready(
            "Setting up the environment failed (see above). Is the network available? "
            "Nothing else was changed, so you can simply run the command again."
        )
