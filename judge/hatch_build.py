"""Compiles the judge's kernel while the package is built.

Without Cython or a C compiler the package is built anyway, and runs the kernel as Python, unless
the environment variable DIPLOMACCLOUD_KERNEL is `compiled`, as it is where wheels are published.
"""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from kernel_compiler import SOURCE, Uncompiled, compile_kernel


class KernelHook(BuildHookInterface):
    """Adds the compiled kernel to wheels and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel and add it to the wheel; an editable install finds it in place."""
        if self.target_name != "wheel":
            return
        try:
            built = compile_kernel()
        except (Uncompiled, OSError) as problem:
            if os.environ.get("DIPLOMACCLOUD_KERNEL") == "compiled":
                raise
            self.app.display_info(f"The kernel is not compiled: {problem}")
            return
        if version != "editable":
            inside = built.relative_to(SOURCE).as_posix()
            build_data["force_include"][str(built)] = inside
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
