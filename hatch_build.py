"""Compiles the bots' kernel while the site's package is built, as `judge/hatch_build.py` does."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "judge"))

from kernel_compiler import BOTS, JUDGE, add_to_wheel


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled kernel to wheels and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel and add it to the wheel; an editable install finds it in place."""
        add_to_wheel(self, version, build_data, BOTS, JUDGE)
