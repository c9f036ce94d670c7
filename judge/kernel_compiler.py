"""Compile the kernels in place, if Cython and a C compiler are installed.

A kernel is a package with sources in `core`. The judge's comes with no other; that of the bots is
compiled together with those sources of the judge that it imports. The sources are copied to a
temporary package `compiled`, and joined and compiled there. The finished package then replaces the
one beside the sources. It contains a digest of the sources, so that an outdated build is never
used.
"""

import importlib.util
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kernel_joiner

HERE = Path(__file__).resolve().parent
JUDGE = HERE / "src" / "diplomaccloud" / "judge" / "kernel"
BOTS = HERE.parent / "src" / "diplomaccloud" / "bots" / "kernel"
FACTS = runpy.run_path(str(JUDGE / "sources.py"))
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

# Their `.pxd` files have the C code; the compiled modules import the Python files for the names.
# Files without a `.pxd` also stay Python.
UNCOMPILED = ("__init__", "codes", "doubles", "native")

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
    """A kernel cannot be compiled here; the message says why in one sentence."""


def has_cython():
    """Return whether this Python can import Cython."""
    return importlib.util.find_spec("Cython") is not None


def list_kernels():
    """Return the kernels of this checkout, each with those whose sources it needs."""
    return [(JUDGE,), (BOTS, JUDGE)] if BOTS.exists() else [(JUDGE,)]


def is_compiled(kernel, *others):
    """Return whether a kernel has a build for this Python, made from the current sources."""
    build = kernel / FACTS["BUILD"]
    current = FACTS["is_current"](kernel, *others)
    return current and (build / (kernel_joiner.NAME + SUFFIX)).exists()


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
    if all(is_compiled(*kernels) for kernels in list_kernels()) or find_problem():
        return
    print("Compiling the judge (once, some seconds) ...", flush=True)
    script = HERE.parent / "scripts" / "kernel"
    subprocess.run([str(python), str(script)], stdout=subprocess.DEVNULL)


def add_to_wheel(hook, version, build_data, *kernels):
    """Compile a kernel for one of hatchling's build hooks and add it to the wheel.

    Editable installs compile all kernels of a checkout at once, and find them in place.
    """
    if hook.target_name != "wheel":
        return
    try:
        if version == "editable":
            compile_kernels()
            return
        built = compile_kernel(*kernels)
    except (Uncompiled, OSError) as problem:
        if os.environ.get("DIPLOMACCLOUD_KERNEL") == "compiled":
            raise
        hook.app.display_info("The kernel is not compiled: %s" % problem)
        return
    for path in built.iterdir():
        if path.is_file() and path.name != FACTS["DIGEST"]:  # nobody changes an installed source
            inside = "/".join((*_name_package(built), path.name))
            build_data["force_include"][str(path)] = inside
    build_data["pure_python"] = False
    build_data["infer_tag"] = True


def compile_kernels():
    """Compile all kernels of this checkout, side by side, and return their builds."""
    with ThreadPoolExecutor() as threads:
        return list(threads.map(lambda kernels: compile_kernel(*kernels), list_kernels()))


def compile_kernel(kernel, *others):
    """Compile a kernel unless it is up to date, and return its build; raise `Uncompiled`.

    `others` are the kernels whose sources it needs.
    """
    build = kernel / FACTS["BUILD"]
    if is_compiled(kernel, *others):
        return build
    if problem := find_problem() or ("" if has_cython() else "Cython is not installed."):
        raise Uncompiled(problem)
    with tempfile.TemporaryDirectory() as place:
        copies = [_copy_sources(each, place) for each in (kernel, *others)]
        package = _make_package(build, copies, Path(place))
        modules = _find_modules(package, copies[0])
        joined = kernel_joiner.join_modules(package, modules)
        options = [part for item in DIRECTIVES.items() for part in ("-X", "%s=%s" % item)]
        _run([sys.executable, "-m", "cython", *options, str(joined)])
        _compile_module(joined)
        for path in [path for path in package.iterdir() if _is_spent(path)]:
            path.unlink()
        digest = FACTS["compute_digest"](*copies)
        (package / FACTS["DIGEST"]).write_text(digest, encoding="utf-8")
        _replace_build(package, build)
    return build


def _copy_sources(kernel, place):
    """Copy the sources of a kernel into a temporary folder, and return the copy."""
    copy = Path(place, *_name_package(kernel / FACTS["CORE"]))
    shutil.copytree(str(kernel / FACTS["CORE"]), str(copy), ignore=_is_unneeded)
    return copy


def _is_unneeded(_, names):
    return [name for name in names if not name.endswith((".py", ".pxd"))]


def _name_package(folder):
    """Return the names of a package and of those around it."""
    return folder.relative_to(folder.parents[3]).parts


def _make_package(build, copies, place):
    """Make one package of all sources, with the name of the build, and return it."""
    package = place / "joined"
    for name in _name_package(build):
        package /= name
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    elsewhere = "|".join(".".join(copy.relative_to(place).parts) for copy in copies[1:])
    for copy in reversed(copies):
        for path in copy.iterdir():
            text = path.read_text(encoding="utf-8")
            if elsewhere:
                text = re.sub(r"(?m)^from (?:%s)(?=[. ])\.?" % elsewhere, "from .", text)
            (package / path.name).write_text(text, encoding="utf-8")
    return package


def _find_modules(package, core):
    """Return the names of the modules to join: those in `core`, and those that they need."""
    needed = [path.stem for path in core.glob("*.py") if _has_code(path)]
    for name in needed:
        imported = kernel_joiner.find_imports(package, name)
        needed += sorted(each for each in imported - set(needed) if _has_code(package / each))
    return sorted(needed)


def _has_code(path):
    """Return whether a module is compiled: others stay Python, or have their code in `.pxd`."""
    return path.stem not in UNCOMPILED and path.with_suffix(".pxd").exists()


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


def _is_spent(path):
    """Return whether a file was needed for the compilation only."""
    return path.suffix in {".c", ".pxd"} or (path.suffix == ".py" and _has_code(path))


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
