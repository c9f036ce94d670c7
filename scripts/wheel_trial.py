"""Test an installed wheel in an environment without other packages: `wheel_trial.py KERNEL`.

Run it outside the checkout, with the Python that has the wheel. KERNEL is the kernel that the
judge must have: `compiled` or `python`. Standard library only.
"""

import os
import subprocess
import sys
import tempfile
from importlib import metadata, resources

OWN = "diplomaccloud"
INSTALLERS = {"pip", "setuptools", "wheel"}


def main(kernel):
    """Exit with one sentence if anything is missing, superfluous or wrong."""
    names = {distribution.metadata["Name"] for distribution in metadata.distributions()}
    if extra := names - INSTALLERS - {OWN}:
        sys.exit("wheel: the environment also has %s" % ", ".join(sorted(extra)))
    from diplomaccloud import judge
    from diplomaccloud.judge.kernel.selection import KERNEL

    if KERNEL.name != kernel:
        sys.exit("wheel: the kernel is %r, not %r" % (KERNEL.name, kernel))
    game = judge.Game()
    game.order("FRANCE", "A PAR - BUR; A MAR S A PAR - BUR")
    game.order("GERMANY", "A MUN - BUR")
    if game.adjudicate()["A PAR"].outcome != "moved":
        sys.exit("wheel: A PAR - BUR did not succeed")
    if not (resources.files(OWN) / "py.typed").is_file():
        sys.exit("wheel: py.typed is missing")
    run(["schema", "record"])
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "games.jsonl")
        printed = run(["arena", "--games", "1", "--until", "1902", "--record", record])
    if ("not compiled" in printed) != (kernel == "python"):
        sys.exit("wheel: the arena does not say how fast the judge is")
    print("wheel: works alone, with the %s kernel" % kernel)


def run(command):
    """Return the output of one of the package's commands; exit if it fails."""
    done = subprocess.run([sys.executable, "-m", OWN, *command], capture_output=True, text=True)
    if done.returncode:
        sys.exit("wheel: %s: %s" % (" ".join(command), done.stderr))
    return done.stdout


main(*sys.argv[1:])
