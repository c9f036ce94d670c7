"""Which tests run: those of a tier, those of a database, in which order.

    fast      no test with the mark `long`, and of the browser's only those with the mark `guard`
    landing   no long test but those of chosen folders and files, and a third of the others, drawn
    all       every test

The tiers are what `./check`, `.ci/run` and `./check --all` run; `pytest` alone runs all.

A test is long if it needs more than a second of processor time, divided by the slowness of the
machine; a limit on wall time would make busy machines fail. A test that fails runs once more at the
end, alone, and is called flaky if it passes. More than three of these fail the run, because
retrying every test would hide races.
"""

import random
import zlib
from pathlib import Path, PurePosixPath

import pytest

HERE = Path(__file__).parent
TIERS = ("fast", "landing", "all")
SHARE = 3
"""A landing runs a long test that isn't chosen with a probability of one in SHARE."""
EVERY_DATABASE = (
    "games/table/test_fields.py",
    "project",
    "worker",
    "press/test_locks.py",
    "press/conversations/test_races.py",
)
"""Where the subject of tests is the database itself: each server runs them at every landing."""
DATABASE_MARKS = ("every_database", "real_database")
PURE_FOLDERS = ("atlas", "bots", "browser", "entry", "judge", "record", "schedule")
"""Folders of tests that ask no database of the tests."""
FIRST = ("worker", "client", "project", "maps", "atlas")
"""Folders whose files take longest: begun last, one of them would keep a processor waiting."""
LAST = "browser"
"""The event loop of browser tests would break database tests that run after them."""


def pytest_addoption(parser):
    parser.addoption("--tier", choices=TIERS, default="all", help="which tests run")
    parser.addoption("--digest", default="", help="what draws long tests, e.g. of a commit")
    parser.addoption(
        "--chosen", default="", help="folders and files whose long tests run, with commas between"
    )
    parser.addoption(
        "--need-database", action="store_true", help="only tests that ask a database, no browser"
    )
    parser.addoption(
        "--about-database", action="store_true", help="only tests whose subject is a database"
    )
    parser.addoption("--order", help="a seed that shuffles the files, and the tests in each")


def pytest_configure(config):
    for line in (
        "every_database: runs on all database servers, also if tests beside it do not",
        "guard: a test in the browser that also runs in the fast tier",
        "one_database: runs on SQLite alone, since its queries run on every database elsewhere",
        "real_database: starts processes of the site on a database of their own",
    ):
        config.addinivalue_line("markers", line)


def pytest_ignore_collect(collection_path, config):
    """Don't even load files without a test that the database can want."""
    about = config.getoption("--about-database")
    need = about or config.getoption("--need-database")
    if need and collection_path.parent == HERE and collection_path.name in PURE_FOLDERS:
        return True
    is_elsewhere = not any(collection_path.is_relative_to(HERE / place) for place in EVERY_DATABASE)
    if about and is_elsewhere and collection_path.name.startswith("test_"):
        text = collection_path.read_text("utf-8")
        return None if any(mark in text for mark in DATABASE_MARKS) else True
    return None


@pytest.hookimpl(trylast=True)  # after pytest has grouped tests by the fixtures they share
def pytest_collection_modifyitems(config, items):
    wanted = [item for item in items if _is_wanted(item, config)]
    left_out = set(items).difference(wanted)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    if hasattr(config, "workeroutput"):
        counts = config.workeroutput["left_out"] = {}
        for item in left_out:
            file = item.nodeid.partition("::")[0]
            counts[file] = counts.get(file, 0) + 1
    if seed := config.getoption("--order"):
        _shuffle(wanted, seed)
    items[:] = sorted(wanted, key=_rank_folder)


def _is_wanted(item, config):
    return _is_of_tier(item, config) and _is_of_database(item, config)


def _is_of_tier(item, config):
    tier = config.getoption("--tier")
    is_long = item.get_closest_marker("long") is not None
    if tier == "fast":
        guards = item.get_closest_marker("guard") or name_folder(item) != LAST
        return bool(guards) and not is_long
    if tier == "landing" and is_long:
        chosen = {name_folder(item), item.nodeid.partition("::")[0]}
        if chosen.isdisjoint(config.getoption("--chosen").split(",")):
            return _is_drawn(item, config.getoption("--digest"))
    return True


def _is_drawn(item, digest):
    return zlib.crc32(f"{digest} {item.nodeid}".encode()) % SHARE == 0


def _is_of_database(item, config):
    if config.getoption("--about-database"):
        if not is_about_database(item):
            return False
    elif not config.getoption("--need-database"):
        return True
    marked = item.get_closest_marker("django_db") or item.get_closest_marker("real_database")
    return bool(marked or {"db", "transactional_db"} & set(getattr(item, "fixturenames", ())))


def is_about_database(item):
    """Return whether the subject of a test is the database itself."""
    if item.get_closest_marker("one_database"):
        return False
    marked = any(map(item.get_closest_marker, DATABASE_MARKS))
    return marked or any(map(_find_place(item).is_relative_to, EVERY_DATABASE))


def name_folder(item):
    """Return the name of the folder in `tests` that a test is in."""
    return _find_place(item).parts[0]


def _find_place(item):
    """Return the path of a test's file in `tests`, or where it would be if all tests stood there.

    The judge's tests stand in `judge/tests`, and those of an extra in `extras/NAME/tests`.
    """
    path = item.nodeid.partition("::")[0].removeprefix("extras/")
    first, *rest = PurePosixPath(path).parts
    return PurePosixPath(*rest) if first == "tests" else PurePosixPath(first, *rest[1:])


def _rank_folder(item):
    folder = name_folder(item)
    if folder == LAST:
        return len(FIRST) + 1
    return FIRST.index(folder) if folder in FIRST else len(FIRST)


def _shuffle(items, seed):
    """Shuffle the files, and the tests in each, in the same way in every process."""
    rng = random.Random(seed)
    files = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    order = list(files)
    rng.shuffle(order)
    for path in order:
        rng.shuffle(files[path])
    items[:] = [item for path in order for item in files[path]]
