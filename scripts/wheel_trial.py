"""Test the judge's installed wheel in an environment with nothing else: `wheel_trial.py KERNEL`.

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
LINE = '{"phase":"S1901M","units":{"ITALY":["A ROM"]},"orders":{"ITALY":["A ROM - VEN"]}}\n'


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
    if not (resources.files("diplomaccloud.judge") / "py.typed").is_file():
        sys.exit("wheel: py.typed is missing")
    if '"A ROM":"moved"' not in run(["judge"], LINE):
        sys.exit("wheel: `judge` did not move A ROM to VEN")
    run(["schema", "position"])
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "game.jsonl")
        with open(record, "w") as file:
            file.write("S1901M\nFRANCE: A PAR - BUR\n")
        run(["convert", record, "--to", "record", "-o", record])
        if " 0 differences" not in run(["replay", record]):
            sys.exit("wheel: a game that was converted does not replay to itself")
    if ("not compiled" in run(["--version"])) != (kernel == "python"):
        sys.exit("wheel: `--version` does not say how fast the judge is")
    print("wheel: works alone, with the %s kernel" % kernel)


def run(command, given=""):
    """Return what one of the package's commands prints; exit if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", OWN, *command],
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit("wheel: %s: %s" % (" ".join(command), done.stdout))
    return done.stdout


main(*sys.argv[1:])
