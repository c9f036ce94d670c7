"""Compile the judge's kernel in place, if Cython and a C compiler are installed.

The sources in `judge/kernel/core` are copied to a temporary package `judge/kernel/compiled`, and
joined and compiled there. The finished package then replaces the one beside the sources. It
contains a digest of the sources, so that an outdated build is never used. Another package may add
sources of its own to these, and gets them compiled into one module: see `compile_kernel`.
"""

import importlib.util
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import kernel_joiner

SOURCE = Path(__file__).resolve().parent / "src"
KERNEL = SOURCE / "diplomaccloud" / "judge" / "kernel"
FACTS = runpy.run_path(str(KERNEL / "sources.py"))
SOURCES, BUILD = FACTS["SOURCES"], FACTS["BUILD"]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

# Their `.pxd` files have the C code; the compiled modules import the Python files for the names.
UNCOMPILED = ("__init__.py", "buffers.py", "codes.py", "flat.py", "native.py")

DIRECTIVES = {
    "language_level": "3",
    "annotation_typing": "False",
    "infer_types": "True",
    "boundscheck": "False",
    "wraparound": "False",
    "cdivision": "True",
    "initializedcheck": "False",
    "nonecheck": "False",
    "freethreading_compatible": "True",
}
# Rows are short, so vector code was slower in every measurement. Products are rounded before they
# are added, as in Python.
FLAGS = ("-O3", "-fno-tree-vectorize", "-ffp-contract=off", "-fPIC", "-w")


class Uncompiled(Exception):
    """The kernel cannot be compiled here; the message says why in one sentence."""


def has_cython():
    """Return whether this Python can import Cython."""
    return importlib.util.find_spec("Cython") is not None


def is_compiled(build=BUILD, folders=(SOURCES,)):
    """Return whether there is a build for this Python, made from the current sources."""
    try:
        known = (build / FACTS["DIGEST"]).read_text(encoding="utf-8")
    except OSError:
        return False
    current = " ".join(map(FACTS["compute_digest"], folders))
    return known == current and (build / (kernel_joiner.NAME + SUFFIX)).exists()


def find_problem():
    """Return one sentence about why C cannot be compiled here, or "" if it can."""
    if os.name != "posix":
        return "" if importlib.util.find_spec("setuptools") else "setuptools is not installed."
    if shutil.which(_linker()[0]) is None:
        return "There is no C compiler: %s is not installed." % _linker()[0]
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "Python's headers are not installed."
    return ""


def prepare(python):
    """Compile with the Python of `.venv` if possible and not done yet; never fail."""
    if is_compiled() or find_problem():
        return
    print("Compiling the judge (once, some seconds) ...", flush=True)
    script = SOURCE.parents[1] / "scripts" / "kernel"
    subprocess.run([str(python), str(script)], stdout=subprocess.DEVNULL)


def compile_kernel(build=BUILD, folders=(SOURCES,)):
    """Compile a kernel unless it is up to date, and return its folder; raise `Uncompiled`.

    `folders` have its sources, which are joined into one module, and `build` is the package that
    is made; its digest is those of the folders, in their order. No two folders may have a file of
    the same name, but for `__init__`: that of the first folder counts.
    """
    if is_compiled(build, folders):
        return build
    if problem := find_problem() or ("" if has_cython() else "Cython is not installed."):
        raise Uncompiled(problem)
    with tempfile.TemporaryDirectory() as place:
        digest = " ".join(map(FACTS["compute_digest"], folders))
        package = _copy_sources(Path(place), build, folders)
        modules = [path for path in package.glob("*.py") if path.name not in UNCOMPILED]
        joined = kernel_joiner.join_modules(package, sorted(path.stem for path in modules))
        options = [part for item in DIRECTIVES.items() for part in ("-X", "%s=%s" % item)]
        _run([sys.executable, "-m", "cython", *options, str(joined)])
        _compile_module(joined)
        (package / FACTS["DIGEST"]).write_text(digest, encoding="utf-8")
        for path in package.iterdir():
            if path.suffix in {".c", ".pxd"} or path in [*modules, joined]:
                path.unlink()
        _replace_build(package, build)
    return build


def _copy_sources(place, build, folders):
    """Copy the sources to a package with the name of the build."""
    package = place
    name = str(build).rpartition(os.sep + "src" + os.sep)[2]
    for part in Path(name).parts:
        package /= part
        package.mkdir()
        (package / "__init__.py").touch()
    for folder in reversed(folders):
        shutil.copytree(str(folder), str(package), ignore=_is_unneeded, dirs_exist_ok=True)
    return package


def _is_unneeded(_, names):
    return [name for name in names if not name.endswith((".py", ".pxd"))]


def _linker():
    return shlex.split(os.environ.get("LDSHARED") or sysconfig.get_config_var("LDSHARED"))


def _compile_module(module):
    if os.name != "posix":
        _compile_by_setuptools(module)
        return
    include = "-I" + sysconfig.get_paths()["include"]
    code, built = module.with_suffix(".c"), module.with_name(module.stem + SUFFIX)
    _run([*_linker(), *FLAGS, include, str(code), "-o", str(built)])


def _compile_by_setuptools(module):
    """Compile on Windows, where Python does not say which command linked it."""
    from setuptools import Distribution, Extension

    extension = Extension(module.stem, [str(module.with_suffix(".c"))])
    command = Distribution({"ext_modules": [extension]}).get_command_obj("build_ext")
    command.build_lib = str(module.parent)
    with tempfile.TemporaryDirectory() as objects:
        command.build_temp = objects
        try:
            command.ensure_finalized()
            command.run()
        except Exception as problem:  # these errors share no base class
            raise Uncompiled("The C compiler failed: %s" % problem)


def _replace_build(package, build):
    """Replace the old package with the finished one."""
    aside = Path(tempfile.mkdtemp(prefix=".compiled-", dir=str(build.parent)))
    fresh, old = aside / "fresh", aside / "old"
    try:
        shutil.copytree(str(package), str(fresh))
        if build.exists():
            build.rename(old)
        fresh.rename(build)
    finally:
        shutil.rmtree(str(aside), ignore_errors=True)


def _run(command):
    try:
        process = subprocess.run(command, capture_output=True, text=True)
    except OSError as problem:
        raise Uncompiled("%s cannot be run: %s." % (command[0], problem.strerror))
    if process.returncode:
        lines = (process.stderr or process.stdout).strip().splitlines() or ["no message"]
        raise Uncompiled("%s failed: %s" % (Path(command[0]).name, lines[-1]))
