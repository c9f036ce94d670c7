"""Install the packages that the browser tests need on Debian: Chromium and a Playwright library.

Headless Chromium (`chromium-headless-shell`) needs only two thirds of the processor time.
"""

import os
import shutil
import subprocess

PACKAGE = "chromium-headless-shell"
BROWSERS = (PACKAGE, "chromium", "chromium-browser", "google-chrome")


def find_browser():
    """Return the path of the browser for tests and screenshots, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def prepare(python):
    """Install missing packages if possible; otherwise print a sentence that names them.

    `python` is the Python of the checks' environment.
    """
    packages = find_missing(python)
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing %s for the browser tests ..." % " and ".join(packages), flush=True)
        quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *command], env=quiet, stdout=subprocess.DEVNULL)
        packages = find_missing(python)
    if packages:
        print(
            "Browser tests will be skipped: install %s (on Debian: apt install %s)."
            % (" and ".join(packages), " ".join(packages))
        )


def find_missing(python):
    """Return the Debian packages that the browser tests still need."""
    packages = [] if find_browser() else [PACKAGE]
    return packages if starts_driver(python) else [*packages, "libatomic1"]


def starts_driver(python):
    """Return whether Playwright's Node starts; it is linked against libatomic."""
    command = (
        "from playwright._impl._driver import compute_driver_executable as find; print(find()[0])"
    )
    process = subprocess.run([str(python), "-c", command], stdout=subprocess.PIPE)
    node = process.stdout.decode().strip()
    try:
        version = subprocess.run(
            [node, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        return False
    return version.returncode == 0
