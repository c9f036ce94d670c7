"""Compiles the judge's kernel while the package is built.

Without Cython or a C compiler the package is built anyway, and runs the kernel as Python, unless
the environment variable DIPLOMACCLOUD_KERNEL is `compiled`, as it is where wheels are published.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from kernel_compiler import JUDGE, add_to_wheel


class KernelHook(BuildHookInterface):
    """Adds the compiled kernel to wheels and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel and add it to the wheel; an editable install finds it in place."""
        add_to_wheel(self, version, build_data, JUDGE)
