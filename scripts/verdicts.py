"""Reads the reports of the tests: what failed for good, what was flaky, slow or left out."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import changes
import environment

if TYPE_CHECKING:
    from checks import Check

ROOT = environment.ROOT
REPORTS = ROOT / "build" / "checks"
FLAKY = REPORTS / "flaky.json"
"""What `scripts/flaky` shows."""
MAX_FLAKY = 3
MAX_RETRIES = 12
"""How many failed tests are run again: more of them fail for a reason."""
SLOWEST = 20
BEFORE = 40
"""How many tests before a flaky one are kept, in the order in which its process ran them."""
Line = dict  # a line of a report, as `tests/measurement.py` writes it


def judge_tests(
    ran: "list[Check]", retried: "list[Check]", *, base: str | None, chosen: set[str]
) -> list[str]:
    """Run the failed tests of the checks `retried` once more; return what failed for good.

    Of the checks `ran`, prints which tests were slow, left out or flaky. A long test that was
    only drawn and fails twice also runs on the commit `base`, if there is one: where it fails
    there too, the change is not at fault.
    """
    reports = {check.name: read_report(check.report) for check in ran}
    print_slowest(reports)
    print_left_out(reports)
    lost = {check.name: list_lost(reports[check.name]) for check in retried}
    if sum(line["outcome"] == "failed" for lines in lost.values() for line in lines) > MAX_RETRIES:
        print(f"check: more than {MAX_RETRIES} tests failed, so none was run again")
        return list(lost)
    # Without a last line, the tests ended early; without a failed test, for another reason.
    failed = [
        name for name, lines in lost.items() if not (lines and "left_out" in reports[name][-1])
    ]
    flaky = []
    for check in retried:
        again = run_again(check, lost[check.name])
        passed = {line["test"] for line in again if line.get("outcome") == "passed"}
        for line in lost[check.name]:
            if line["test"] not in passed:
                excused = base and is_long_and_drawn(line, chosen)
                if not (excused and fails_before(check, line, base)):
                    print(f"check: failed twice: {line['test']}")
                    failed.append(check.name)
            elif line["outcome"] != "slow":
                before = list_before(reports[check.name], line)
                flaky.append({**line, "check": check.name, "before": before})
    FLAKY.write_text(json.dumps(flaky, indent=1))
    for line in flaky:
        print(f"flaky: {line['test']}")
    if len(flaky) > MAX_FLAKY:
        print(f"check: more than {MAX_FLAKY} tests are flaky")
        failed.append("flaky tests")
    return list(dict.fromkeys(failed))


def read_report(file: Path) -> list[Line]:
    """Return the lines of a report; none if its check ended before any test."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def list_lost(lines: list[Line]) -> list[Line]:
    """Return the lines of the tests that failed, or that needed too much processor time."""
    return [line for line in lines if line.get("outcome") in ("failed", "slow")]


def list_before(lines: list[Line], lost: Line) -> list[str]:
    """Return the last tests that the process of a test ran before it."""
    same = [line["test"] for line in lines if line.get("worker") == lost["worker"]]
    return same[: same.index(lost["test"])][-BEFORE:]


def run_again(check: "Check", lost: list[Line]) -> list[Line]:
    """Run failed tests of a check once more, one after another, and return their report.

    Here a test also loads what others loaded before it. So one that failed may be slow, and one
    that was slow runs twice.
    """
    lines = []
    for outcome, options in (("failed", ["--processor-limit=0"]), ("slow", ["--warm-up"])):
        tests = [line["test"] for line in lost if line["outcome"] == outcome]
        if tests:
            print(f"== {check.name}: {len(tests)} again, alone ...", flush=True)
            report = REPORTS / f"{check.name}-{outcome}.jsonl"
            done = subprocess.run(
                check.build_command(f"--report={report}", *options, *tests),
                cwd=ROOT,
                env=check.build_environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if done.returncode:
                print(done.stdout)
            lines += read_report(report)
    return lines


def is_long_and_drawn(line: Line, chosen: set[str]) -> bool:
    """Return whether a test is long, and not in what the change made a landing run."""
    return line["long"] and not changes.is_chosen(line["test"], chosen)


def fails_before(check: "Check", line: Line, base: str) -> bool:
    """Return whether a test also fails on the commit `base`."""
    place = REPORTS / "base"
    subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
    add = ["git", "worktree", "add", "--quiet", "--detach", "--force", str(place), base]
    if subprocess.run(add, cwd=ROOT).returncode:
        return False
    try:
        for build in ROOT.glob("**/diplomaccloud/*/kernel/compiled"):
            shutil.copytree(build, place / build.relative_to(ROOT))
        path = ":".join(str(place / source) for source in (*changes.SOURCES, ""))
        alone = replace(check, command=["pytest", line["test"]])  # it may not know our options
        variables = alone.build_environment() | {"PYTHONPATH": path}
        there = subprocess.run(
            alone.build_command(), cwd=place, env=variables, stdout=subprocess.DEVNULL
        )
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(place)], cwd=ROOT)
    if there.returncode == 1:
        print(f"check: fails on {base}, too, so it does not stop the change: {line['test']}")
    return there.returncode == 1


def print_slowest(reports: dict[str, list[Line]]) -> None:
    """Print the tests that needed most processor time, and their share of all of it."""
    lines = [line for report in reports.values() for line in report if "test" in line]
    if len(lines) < SLOWEST:
        return
    slowest = sorted(lines, key=lambda line: -line["processor"])
    total = sum(line["processor"] for line in lines) or 1
    print(f"check: the {SLOWEST} slowest of {len(lines)} tests (processor and wall seconds):")
    for line in slowest[:SLOWEST]:
        print(f"  {line['processor']:7.2f} {line['wall']:7.2f}  {line['test']}")
    shares = (
        f"{share} % of the tests take {_share_of(slowest, share) / total:.0%}" for share in (1, 5)
    )
    print(f"check: {', '.join(shares)} of {total:.0f} s")


def _share_of(slowest, percent):
    return sum(line["processor"] for line in slowest[: len(slowest) * percent // 100])


def print_left_out(reports: dict[str, list[Line]]) -> None:
    """Print how many tests each check left out, by folder."""
    for name, lines in reports.items():
        counts: Counter[str] = Counter()
        for line in lines:
            for file, count in line.get("left_out", {}).items():
                counts[changes.name_folder(file)] += count
        if counts:
            listed = ", ".join(f"{folder} {count}" for folder, count in counts.most_common())
            print(f"check: {name} left out {counts.total()} tests: {listed}")


def print_flaky(names: list[str]) -> None:
    """Print what is known about the flaky tests of the last run, or about those named."""
    flaky = json.loads(FLAKY.read_text()) if FLAKY.exists() else []
    for line in flaky:
        if names and not any(name in line["test"] for name in names):
            continue
        print(f"{line['test']}\n  check: {line['check']}, process {line['worker']}")
        print(f"  load when it failed: {line['load']:.1f}, after {line['wall']:.1f} s")
        print(f"  order: {line['order'] or 'as collected'}; before it ran, last first:")
        print("".join(f"    {test}\n" for test in reversed(line["before"])), end="")
        print("  " + line["text"].replace("\n", "\n  ") + "\n")
    if not flaky:
        print("flaky: no test of the last run was flaky")


if __name__ == "__main__":
    print_flaky(sys.argv[1:])
