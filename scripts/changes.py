"""What a change touches: its files, the packages they are in, and the folders of their tests."""

import os
import re
import subprocess

import environment

ROOT = environment.ROOT
PACKAGE = "diplomaccloud"
EXTRAS = {tree.name: f"extras/{tree.name}" for tree in environment.EXTRAS}
"""The folders of the packages in `extras`, which have their own tests."""
SOURCES = tuple(str((tree / "src").relative_to(ROOT)) for tree in environment.TREES)
JUDGE_TESTS = "judge/tests"
SITE_TESTS = ("tests", *(f"{tree}/tests" for tree in EXTRAS.values()))
ALL_TESTS = (*SITE_TESTS, JUDGE_TESTS)
BASE = "DIPLOMACCLOUD_BASE"
"""The variable that names the commit that a change starts from."""
WIDE = 8
"""A change that touches more folders than these runs a share of their long tests at a landing."""
ALWAYS = {"project"}
"""The folders of tests about the checkout itself, which any change may concern."""
UNDER_EXTRAS = {"judge", "api", "client"}
"""The folders of what all extras work with: when that changes, the tests of all of them run."""


def list_folders() -> set[str]:
    """Return the names of the folders with tests."""
    tests = ROOT / "tests"
    return {"judge", *EXTRAS} | {
        one.name for one in tests.iterdir() if next(one.glob("**/test_*.py"), None)
    }


def find_path(folder: str) -> str:
    """Return where the tests are that go by the name of this folder."""
    trees = {"judge": "judge", **EXTRAS}
    return f"{trees[folder]}/tests" if folder in trees else f"tests/{folder}"


def name_folder(file: str) -> str:
    """Return the name of the folder of tests that a file is in, or "" if it is in none."""
    if match := re.match(r"(?:extras/)?(\w+)/tests/", file):
        return match[1]
    first, _, rest = file.partition("/")
    return rest.partition("/")[0] if first == "tests" and "/" in rest else ""


def find_base(named: str | None, *, clean: bool) -> str:
    """Return the commit that the change starts from.

    By default it is where `main` of the remote repository was left or, on that branch itself, the
    last commit if some files differ from it (unless `clean`), otherwise the one before. It is an
    empty string where there is no repository.
    """
    if named := named or os.environ.get(BASE):
        return _git("rev-parse", "--short", named)
    head = _git("rev-parse", "HEAD", may_fail=True)
    left = _git("merge-base", "HEAD", "origin/main", may_fail=True)
    if left and left != head:
        return left[:8]
    if not clean and _git("status", "--porcelain"):
        return head[:8]
    return _git("rev-parse", "HEAD~1", may_fail=True)[:8] or head[:8]


def read_digest() -> str:
    """Return the digest of the last commit, or "none" outside of a repository."""
    return _git("rev-parse", "HEAD", may_fail=True) or "none"


def list_changed_files(base: str) -> list[str]:
    """Return the paths of the files that differ from a commit, and of new ones."""
    if not base:
        return []
    changed = _git("diff", "--name-only", base).splitlines()
    return changed + _git("ls-files", "--others", "--exclude-standard").splitlines()


def find_touched_folders(files: list[str]) -> set[str]:
    """Return the folders of the tests of the packages that these files are in.

    A file that all tests share touches all of them.
    """
    folders = set()
    for file in files:
        parts = _cut_tree(file).split("/")
        if parts[:2] == ["src", PACKAGE] and len(parts) > 3:
            folders.add(_find_folder(parts[2]))
        elif folder := name_folder(file):
            folders.add(folder)
        elif parts[0] == "tests" or file == "conftest.py":
            return list_folders()
        elif parts[0] != "docs" and not file.endswith(".md"):
            folders |= {"project", re.sub(r"extras/(\w+)/.*", r"\1", file)}
    return folders & list_folders()


def choose_long_tests(files: list[str]) -> set[str]:
    """Return the folders, and the files, whose long tests a landing runs, for these changed files.

    The files are those with tests. Of a change that touches most of the site no folder is chosen,
    and never that of the project, which any change touches: a share of their tests is drawn.
    """
    folders = find_touched_folders(files) - ALWAYS
    tests = {file for file in files if name_folder(file) and "/test_" in file}
    return tests | (folders if len(folders) <= WIDE else set())


def is_chosen(test: str, chosen: set[str]) -> bool:
    """Return whether a test, named as pytest does, is in one of these folders or files."""
    return bool({name_folder(test), test.partition("::")[0]} & chosen)


def find_folders_of_extras(files: list[str]) -> set[str]:
    """Return the folders of tests of the extras that these files may make fail."""
    touched = find_touched_folders(files)
    return {name for name in EXTRAS if {name, *UNDER_EXTRAS} & touched}


def find_folders(files: list[str]) -> set[str]:
    """Return the folders of tests that these files may make fail.

    Those are the folders of their packages, of the packages that import what they define, and of
    the tests that import changed tests. A file that is no module, such as a template, counts as
    its whole package, and concerns all packages that name it.
    """
    import grimp

    graph = grimp.build_graph(PACKAGE, cache_dir=str(ROOT / "build" / "layers"))
    folders = find_touched_folders(files) | find_folders_of_extras(files)
    for file in files:
        parts = file.split("/")
        if folder := name_folder(file):
            folders |= _find_importing_tests(folder)
        elif file.startswith(SOURCES) and (module := _name_module(file)) in graph.modules:
            whole = not file.endswith(".py")
            if whole:
                folders |= _find_naming_packages(parts[-1])
            for importer in graph.find_downstream_modules(module, as_package=whole):
                if importer.count(".") > 1:
                    folders.add(_find_folder(importer.split(".")[1]))
    if any(map(_has_pages, folders)):
        folders.add("browser")
    return folders & list_folders()


def _find_naming_packages(name: str) -> set[str]:
    """Return the folders of tests of the packages in which a file names another."""
    endings = {".py", ".html", ".js", ".css", ".txt"}
    places = [ROOT / source / PACKAGE for source in SOURCES]
    return {
        _find_folder(file.relative_to(place).parts[0])
        for place in places
        for file in place.rglob("*.*")
        if file.suffix in endings and name in file.read_text("utf-8")
    }


def _find_importing_tests(folder: str) -> set[str]:
    """Return the folders of tests that import something from a folder of tests."""
    mark = f"from {find_path(folder).replace('/', '.')}"
    return {
        one
        for one in list_folders()
        if any(mark in file.read_text("utf-8") for file in (ROOT / find_path(one)).rglob("*.py"))
    }


def _has_pages(folder: str) -> bool:
    """Return whether a folder tests a package with pages, which browsers open, too."""
    return any((ROOT / source / PACKAGE / folder / "templates").is_dir() for source in SOURCES)


def _find_folder(package: str) -> str:
    return package if package in list_folders() else "project"


def _name_module(file: str) -> str:
    """Return the name of the module in a file of the source, or of the package it belongs to."""
    path = _cut_tree(file).removeprefix("src/")
    if path.endswith(".py"):
        return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return ".".join(path.split("/")[:2])


def _cut_tree(file: str) -> str:
    """Return the path of a file in the tree of its package."""
    return re.sub(r"^(judge|extras/\w+)/", "", file)


def _git(*arguments: str, may_fail: bool = False) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        status, problem = done.returncode, done.stderr.strip()
    except FileNotFoundError:
        status, problem = 1, "git is not installed"
    if status and not may_fail:
        raise SystemExit(f"check: {problem}")
    return "" if status else done.stdout.strip()
