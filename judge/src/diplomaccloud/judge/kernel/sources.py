"""The sources of a compiled kernel, and a check that a build is current.

`kernel_compiler.py` also runs this file, so it must not import anything from the package.
"""

import zlib
from pathlib import Path

KERNEL = Path(__file__).resolve().parent
CORE, BUILD, DIGEST = "core", "compiled", "digest.txt"
"""The folders of a kernel with its sources and with its build, and the file in the build with the
digest of all sources that it was made from."""

_IS_CHECKOUT = (KERNEL.parents[4] / "scripts" / "kernel").exists()


def tell_slowness(problem: str, package: str) -> str:
    """Return a sentence about what is not compiled, and how to compile the installed `package`."""
    again = f"in a checkout: pip install --force-reinstall --no-deps {package}"
    return (
        f"{problem} much slower: install a C compiler and Python's headers (on Debian: "
        f"apt install gcc python3-dev), then {'run scripts/kernel' if _IS_CHECKOUT else again}."
    )


SLOW_KERNEL = tell_slowness("The judge is not compiled, so bots and map tests are", "./judge")
"""What to say if the judge's kernel is not compiled."""


def compute_digest(*sources: Path) -> str:
    """Return a digest of folders of sources: the names and checksums of their files."""
    paths = [path for folder in sources for path in sorted(folder.iterdir())]
    paths = [path for path in paths if path.suffix in {".py", ".pxd"}]
    return " ".join(f"{path.name}:{zlib.crc32(path.read_bytes()):08x}" for path in paths)


def is_current(kernel: Path = KERNEL, *others: Path) -> bool:
    """Return whether a kernel has a build that was made from its sources and those of `others`.

    An installed wheel lacks the `.pxd` files and the digest: its build is of its sources.
    """
    if not any((kernel / CORE).glob("*.pxd")):
        return (kernel / BUILD).exists()
    try:
        digest = (kernel / BUILD / DIGEST).read_text(encoding="utf-8")
        return digest == compute_digest(*(each / CORE for each in (kernel, *others)))
    except OSError:
        return False
