"""The sources of the compiled kernel, and a check that a build is current.

`kernel_compiler.py` also runs this file, so it must not import anything from the package.
"""

import zlib
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "core"
BUILD = SOURCES.with_name("compiled")
DIGEST = "digest.txt"
"""The file in a build with the digest of its sources."""

_IS_CHECKOUT = (SOURCES.parents[5] / "scripts" / "kernel").exists()
_REMEDY = (
    "run scripts/kernel"
    if _IS_CHECKOUT
    else "in a checkout: pip install --force-reinstall --no-deps ./judge"
)
SLOW_KERNEL = (
    "The judge is not compiled, so bots and map tests are much slower: install a C compiler and "
    f"Python's headers (on Debian: apt install gcc python3-dev), then {_REMEDY}."
)


def compute_digest(sources: Path = SOURCES) -> str:
    """Return a digest of the sources: their names and checksums."""
    paths = sorted(path for path in sources.iterdir() if path.suffix in {".py", ".pxd"})
    return " ".join(f"{path.name}:{zlib.crc32(path.read_bytes()):08x}" for path in paths)


def is_current(build: Path = BUILD, sources: Path = SOURCES) -> bool:
    """Return whether there is a build that was made from the current sources."""
    try:
        return (build / DIGEST).read_text(encoding="utf-8") == compute_digest(sources)
    except OSError:
        return False
