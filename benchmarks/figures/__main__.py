"""Measure pages, saves, streams, a storm, memory, the judge, the arena and maps: weekly.

    benchmarks/publish                      # all parts, less than 45 minutes
    benchmarks/publish --only judge memory  # some of them

Appends a line to benchmarks/figures.jsonl, writes docs/figures.md, and names each figure that got
10% worse than in the run before. Exits with 1 if there is one, and with 2 if it refuses to measure;
then nothing is written. It refuses a machine that does other work, at the start and between two
parts, and a checkout in which tracked files differ from the commit.
"""

import argparse
import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import document, history, machine
from benchmarks.figures.history import Figure, Measured, Run
from benchmarks.figures.machine import ROOT, Refused
from benchmarks.figures.parts import PARTS

sys.path.append(str(ROOT / "scripts"))
import servers

HISTORY = Path("benchmarks", "figures.jsonl")
DOCUMENT = Path("docs", "figures.md")
OUTPUT = ROOT / "build" / "figures"
"""Where the output of each part is kept."""
WORSE, REFUSED = 1, 2
Measure = Callable[[str], Measured]


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure, and what not to refuse."""

    parts: tuple[str, ...]
    allows_dirty: bool = False
    allows_busy: bool = False


def main() -> int:
    """Measure, write and compare; return the exit status."""
    given = read_options()
    try:
        if given.document:
            write_page(ROOT)
            return 0
        options = Options(
            tuple(dict.fromkeys(given.only or PARTS)), given.dirty, given.even_if_busy
        )
        if any(PARTS[name].needs_postgresql for name in options.parts):
            servers.find_postgresql()
        return publish(ROOT, options, measure=measure_part, spread=machine.measure_spread)
    except (Refused, history.DamagedHistory, servers.Missing, OSError) as problem:
        print(f"publish: {problem}", file=sys.stderr)
        return REFUSED


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    times = ", ".join(f"{name} {part.minutes}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="benchmarks/publish",
        description=__doc__,
        epilog=f"Minutes: {times}; {sum(part.minutes for part in PARTS.values())} together.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help="only these parts")
    parser.add_argument(
        "--dirty",
        action="store_true",
        help="measure changes that are not committed; compare them, but don't publish the line",
    )
    parser.add_argument(
        "--even-if-busy",
        action="store_true",
        help="measure on a busy machine, too; such a line is neither compared nor published",
    )
    parser.add_argument(
        "--document", action="store_true", help="only write docs/figures.md from the history"
    )
    return parser.parse_args()


def publish(root: Path, options: Options, *, measure: Measure, spread: Callable[[], float]) -> int:
    """Measure the parts, write both files and print what got worse; return the exit status."""
    earlier = history.read_runs(root / HISTORY)
    commit, changed = read_tree(root)
    if changed and not options.allows_dirty:
        raise Refused(
            f"Files differ from the commit ({', '.join(changed[:3])}{', …' * (len(changed) > 3)})."
            " Commit or stash them, or measure with `--dirty`; such a line is not published."
        )
    parts, is_busy = measure_parts(options, measure, spread)
    if read_tree(root) != (commit, changed):
        raise Refused("The checkout changed while it was measured, so nothing was written.")
    run = Run(
        at=f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%SZ}",
        commit=commit,
        is_clean=not changed,
        is_busy=is_busy,
        processor=machine.name_processor(),
        cores=machine.count_cores(),
        python=platform.python_version(),
        kernel=machine.name_kernel(),
        parts=parts,
    )
    history.append_run(root / HISTORY, run)
    write_page(root)
    return report(run, earlier)


def read_tree(root: Path) -> tuple[str, list[str]]:
    """Return the commit, and the tracked files that differ from it."""
    own = (HISTORY.as_posix(), DOCUMENT.as_posix())
    return machine.read_commit(root), machine.list_changed(root, ignored=own)


def measure_parts(
    options: Options, measure: Measure, spread: Callable[[], float]
) -> tuple[dict[str, Measured], bool]:
    """Return what was measured, and whether the machine was busy before, between or after."""
    parts: dict[str, Measured] = {}
    is_busy = False
    for name in (*options.parts, ""):
        is_busy |= not machine.is_quiet(spread, tries=1 if options.allows_busy else machine.TRIES)
        if is_busy and not options.allows_busy:
            done = f" Nothing was written of {', '.join(parts)}." if parts else ""
            raise Refused(machine.describe_busy() + done)
        if name:
            print(f"{name}: about {PARTS[name].minutes} minutes …", flush=True)
            parts[name] = measure(name)
            print(f"{name}: {len(parts[name].figures)} figures in {parts[name].seconds} s")
    return parts, is_busy


def measure_part(name: str) -> Measured:
    """Measure a part in a process of its own, without settings of this shell."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    output, start = OUTPUT / f"{name}.txt", time.monotonic()
    kept = {key: value for key, value in os.environ.items() if "DIPLOMACCLOUD_" not in key}
    with tempfile.NamedTemporaryFile(suffix=".json") as file, output.open("w") as log:
        command = [sys.executable, "-m", "benchmarks.figures.parts", name, file.name]
        code = subprocess.run(command, cwd=ROOT, env=kept, stdout=log, stderr=log).returncode
        if code:
            said = output.read_text("utf-8", errors="replace").strip().rpartition("\n")[2]
            raise Refused(f"{name} failed, so nothing was written: {said} (more in {output})")
        figures = tuple(Figure(**each) for each in json.loads(Path(file.name).read_text("utf-8")))
    return Measured(round(time.monotonic() - start), figures)


def write_page(root: Path) -> None:
    """Write the document from the history."""
    text = document.write_document(history.read_runs(root / HISTORY), PARTS)
    history.replace_file(root / DOCUMENT, text)


def report(run: Run, earlier: Sequence[Run]) -> int:
    """Print each figure that got worse; return the exit status."""
    if run.is_busy:
        print("The machine was busy: the line is marked, and nothing was compared.")
    elif not run.is_clean:
        print("The checkout has changes: the line is marked, and later runs ignore it.")
    worse = [change for change in history.list_changes(run, earlier) if change.is_worse]
    for change in worse:
        print(f"worse: {document.describe_change(change)}")
    if not worse and not run.is_busy:
        print("No figure got 10% worse.")
    return WORSE if worse else 0


if __name__ == "__main__":
    sys.exit(main())
