"""Temporary folders that disappear even if their owner is killed: the next call removes them.

Standard library only. The owner holds a lock on a file in its folder; without its lock, a folder
is what a killed process has left.
"""

import atexit
import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
import time

VARIABLE = "DIPLOMACCLOUD_CHECKS_PLACE"
"""The variable that names the folder of a session of tests, to all processes that it starts."""
MAX_SECONDS = 10
"""How long killed processes may take to end."""
_PREFIX, _OWNER = "dc-", "owner"
"""Short, because the address of a socket has at most 107 characters."""


def make_folder(parent):
    """Return the path of a new folder in `parent` that this process owns, and the lock on it.

    What dead owners left in `parent` is removed.
    """
    for name in os.listdir(parent):
        if name.startswith(_PREFIX):
            _remove_dead(os.path.join(parent, name))
    # It gets its name with its lock: before, it would seem to have no owner.
    draft = tempfile.mkdtemp(prefix="." + _PREFIX, dir=parent)
    lock = open(os.path.join(draft, _OWNER), "w")  # noqa: SIM115 open as long as its owner lives
    fcntl.flock(lock, fcntl.LOCK_EX)
    place = os.path.join(parent, os.path.basename(draft)[1:])
    os.rename(draft, place)
    return place, lock


def enter_session():
    """Return the folder for all temporary files of a session of tests, its processes' included.

    The first process of a session makes it. On SIGTERM it ends as on Ctrl-C, and removes it.
    Without these handlers, a session that a shell started in the background would ignore Ctrl-C,
    and so would all processes that its tests start and interrupt.
    """
    place = os.environ.get(VARIABLE, "")
    if not os.path.isdir(place):
        place, lock = make_folder(tempfile.gettempdir())
        os.chmod(place, 0o711)  # servers of other users have folders in it
        atexit.register(_end_session, place, lock, os.getpid())
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        os.environ[VARIABLE] = place
    os.environ["TMPDIR"] = tempfile.tempdir = place
    return place


def _end_session(place, lock, owner):
    if os.getpid() == owner:
        remove(place, lock)


def remove(place, lock):
    """Remove a folder of this process, after the processes that a session started there."""
    end = time.monotonic() + MAX_SECONDS
    while _end_processes(place) and time.monotonic() < end:
        time.sleep(0.01)
    shutil.rmtree(place, ignore_errors=True)
    lock.close()


def _remove_dead(place):
    """Remove a folder if its owner is dead; only its user can."""
    with contextlib.suppress(OSError), open(os.path.join(place, _OWNER)) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(place, lock)


def _end_processes(place):
    """Kill what a session left running, on Linux; return whether any process named its folder."""
    found, mark = False, os.fsencode("%s=%s" % (VARIABLE, place))
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError), open("/proc/%s/environ" % name, "rb") as variables:
                if mark in variables.read().split(b"\0"):
                    os.kill(int(name), signal.SIGKILL)
                    found = True
    return found
