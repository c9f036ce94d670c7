"""Compile the judge's kernel in place, if Cython and a C compiler are installed."""

import hashlib
import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "src" / "diplomaccloud" / "judge" / "kernel"
SOURCE = HOME / "compiled.pyx"


class Uncompiled(Exception):
    """The kernel cannot be compiled here; the message says why in one sentence."""


def has_cython():
    """Return whether this Python can import Cython."""
    return importlib.util.find_spec("Cython") is not None


def get_target():
    """Return the path of the extension for this Python."""
    return HOME / ("compiled" + sysconfig.get_config_var("EXT_SUFFIX"))


def compute_stamp():
    """Return the stamp of an extension compiled from the current source."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest() + "\n"


def is_compiled():
    """Return whether the extension exists and was compiled from the current source."""
    stamp = get_target().with_suffix(".stamp")
    return get_target().exists() and stamp.exists() and stamp.read_text() == compute_stamp()


def compile_kernel():
    """Compile the kernel unless it is up to date, and return its path; raise `Uncompiled`."""
    built = get_target()
    if is_compiled():
        return built
    if not has_cython():
        raise Uncompiled("Cython is not installed.")
    if os.name != "posix":
        raise Uncompiled("It is compiled on Unix systems only.")
    with tempfile.TemporaryDirectory() as place:
        code, made = Path(place) / "compiled.c", Path(place) / built.name
        _run([sys.executable, "-m", "cython", "-3", str(SOURCE), "-o", str(code)])
        linker = shlex.split(os.environ.get("LDSHARED") or sysconfig.get_config_var("LDSHARED"))
        include = "-I" + sysconfig.get_paths()["include"]
        _run([*linker, "-O3", "-fPIC", "-w", include, str(code), "-o", str(made)])
        fresh = built.with_suffix(".new")
        fresh.write_bytes(made.read_bytes())
        fresh.chmod(0o755)
        fresh.replace(built)
    built.with_suffix(".stamp").write_text(compute_stamp())
    return built


def _run(command):
    try:
        process = subprocess.run(command, capture_output=True, text=True)
    except OSError as problem:
        raise Uncompiled("%s cannot be run: %s." % (command[0], problem.strerror))
    if process.returncode:
        lines = (process.stderr or process.stdout).strip().splitlines() or ["no message"]
        raise Uncompiled("%s failed: %s" % (Path(command[0]).name, lines[-1]))
