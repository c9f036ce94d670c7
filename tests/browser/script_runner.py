"""Runs scripts of the browser tests in forks of a process that has loaded the site once.

Reads the arguments of a Python call per line, as a JSON list such as `["script.py", "x"]` or
`["-m", "module", "x"]`, and prints the exit status, the output and the errors as one JSON list.
"""

import json
import os
import runpy
import sys
import tempfile
import traceback
from typing import IO

import django

django.setup()

from diplomaccloud.project import urls  # noqa: E402, F401 - loaded once for all scripts


def run_script(arguments: list[str], out: IO[bytes], errors: IO[bytes]) -> int:
    """Return the exit status of a script, which runs in this process."""
    os.dup2(out.fileno(), sys.stdout.fileno())
    os.dup2(errors.fileno(), sys.stderr.fileno())
    try:
        if arguments[0] == "-m":
            sys.argv = arguments[1:]
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = arguments
            runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def fork_script(arguments: list[str]) -> tuple[int, str, str]:
    """Return the exit status, the output and the errors of a script, which runs in a fork."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            status = run_script(arguments, out, errors)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        errors.seek(0)
        return status, out.read().decode(), errors.read().decode()


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(fork_script(json.loads(line))) + "\n")
        sys.stdout.flush()
