"""Redis servers, or Valkey's, for tests. `scripts/install-servers` installs one."""

import contextlib
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
import servers

NEEDED = "DIPLOMACCLOUD_CHECKS_NEED"
"""The variable that names servers, without which tests fail instead of being skipped."""


@contextlib.contextmanager
def run_redis():
    """Run a server, and yield it with its `url`, `kill` and `start`.

    Without one installed, the test is skipped, or fails if the environment says that it is needed.
    """
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(servers.server("redis"))
        except servers.Missing as problem:
            end = pytest.fail if "redis" in os.environ.get(NEEDED, "").split() else pytest.skip
            end(str(problem))
        yield server
