"""Run the checks. Without options: everything that is fast, on SQLite, in a few minutes.

    ./check               what everyone runs before a commit
    ./check --changed     the same, with the tests of what a change touches
    ./check --landing     what a change must pass to land: also databases, browsers, long tests
    ./check --all         every test on every database, before a release or after a large change
    ./check NAME ...      single checks, or all tests of a folder: `./check style press`
    ./check judge -- -k convoy      with options for the tools

The cheap checks come first: if one of them fails, nothing else runs. A test that fails is run once
more at the end, alone. If it passes then, it is called flaky, and `scripts/flaky` says more.

Database servers are temporary; without them installed, their checks are left out. Nothing of a
real site is used.
"""

import argparse
import fnmatch
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import browser_setup
import changes
import environment
import servers
import verdicts

ROOT = environment.ROOT
sys.path.append(str(ROOT / "judge"))

import kernel_compiler  # noqa: E402

BIN = Path(sys.executable).parent
CHEAP = {
    "style": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "layers": ["lint-imports", "--cache-dir", "build/layers"],
    "templates": ["djlint", "--check", "--lint", "src", "extras"],
    "migrations": ["diplomaccloud", "manage", "makemigrations", "--check", "--dry-run"],
}
OTHER = {
    "types": ["mypy"],
    "docs": [
        "sphinx-build",
        *("--quiet", "--fresh-env", "--fail-on-warning", "--keep-going"),
        *("--conf-dir", "docs/site", "--doctree-dir", "build/doctrees", "docs", "build/docs"),
    ],
    "fresh-machine": [str(ROOT / "scripts" / "fresh-machine")],
    "image": [str(ROOT / "scripts" / "fresh-machine"), "--image"],
    "guide": [str(ROOT / "scripts" / "fresh-machine"), "--guide"],
    "peers": ["python", "-m", "judge.tests.peer", "--seconds", "60"],
}
BARE = {
    "fresh-machine": "play check requirements/* scripts/* *pyproject.toml *_build.py *_compiler.py",
    "image": "deploy/container/* requirements/server.lock",
}
"""What a change must touch to be tried on a bare machine, besides the guide for hosts."""
SERVERS = ("postgresql", "mariadb")
TWIN = ("judge/tests/kernel", "judge/tests/test_datc.py", "judge/tests/test_properties.py")
"""What the judge's kernel is tested with when it runs as Python; the other tests take C."""
TESTS = ("tests", "twin", *SERVERS)
PROCESSOR_LIMIT = 2
"""How many seconds of processor time a test may need that isn't marked as long."""
TEST_MINUTES = 10
"""After how many minutes a test that hangs fails."""
LANDING_MINUTES = 75
"""After how many minutes a landing that hangs fails."""
WORKERS = min(os.cpu_count() or 1, 6)
PASSED, RETRIED, FAILED, MISSING = "passed", "some tests failed", "FAILED", "not checked"
OUTCOMES = {0: PASSED, servers.MISSING_STATUS: MISSING}
TESTS_FAILED = 1
"""The exit status of pytest if it ran all tests and some failed."""
DATABASES = ("DIPLOMACCLOUD_CHECKS_DATABASE", "DATABASE_URL", "DIPLOMACCLOUD_DATABASE_URL")


@dataclass
class Check:
    """A command that passes or fails; `processes` is how many processors it keeps busy.

    If it runs tests, `session` says which, in which order and in how many processes.
    """

    name: str
    command: list[str]
    session: list[str] = field(default_factory=list)
    processes: int = 1
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def report(self) -> Path:
        """Return the file in which the tests of this check are reported, if it runs tests."""
        return verdicts.REPORTS / f"{self.name}.jsonl"

    @property
    def runs_tests(self) -> bool:
        """Return whether this is a session of pytest."""
        return bool(self.session)

    def build_command(self, *options: str) -> list[str]:
        """Return the command with these options, run with a temporary server if it needs one."""
        program, *arguments = self.command
        command = [str(BIN / program), *arguments, *options]
        if self.name in SERVERS:
            return [sys.executable, str(ROOT / "scripts" / "servers.py"), self.name, *command]
        return command

    def build_environment(self) -> dict[str, str]:
        """Return the variables for the command, without the database of any real site.

        If Python must not write bytecode beside the sources, it writes it inside `.venv`; otherwise
        each of the many processes that the tests start would compile its imports again.
        """
        variables = os.environ | self.variables
        for variable in DATABASES:
            variables.pop(variable, None)
        if variables.pop("PYTHONDONTWRITEBYTECODE", ""):
            variables["PYTHONPYCACHEPREFIX"] = str(environment.VENV / "bytecode")
        return variables


def main() -> None:
    """Run the checks that the command line asks for; exit with 1 if any fails."""
    options = read_options()
    start = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    signal.alarm(LANDING_MINUTES * 60 if options.landing else 0)
    stages = plan_checks(options)
    if any(check.runs_tests for stage in stages for check in stage):
        kernel_compiler.prepare(sys.executable)
        browser_setup.prepare(Path(sys.executable))
    shutil.rmtree(verdicts.REPORTS, ignore_errors=True)
    verdicts.REPORTS.mkdir(parents=True)
    outcomes: dict[str, str] = {}
    for stage in stages:
        outcomes |= run_stage(stage, options.extra)
        if {FAILED, RETRIED} & set(outcomes.values()):
            break
    checks = {check.name: check for stage in stages for check in stage if check.runs_tests}
    retried = [checks[name] for name, outcome in outcomes.items() if outcome == RETRIED]
    lasting = verdicts.judge_tests(
        [check for name, check in checks.items() if outcomes.get(name, MISSING) != MISSING],
        retried,
        base=options.base,
        chosen=options.chosen,
    )
    failed = [name for name, outcome in outcomes.items() if outcome == FAILED] + lasting
    left_out = [name for name, outcome in outcomes.items() if outcome == MISSING]
    if left_out:
        print(f"check: not checked: {', '.join(left_out)}")
    print(f"check: {time.monotonic() - start:.0f} s in all")
    if failed:
        sys.exit(f"check: failed: {', '.join(failed)}")


def read_options() -> argparse.Namespace:
    """Return the options of the command line; exit at an unknown name."""
    parser = argparse.ArgumentParser(
        prog="check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a check, or a folder of tests")
    tier = parser.add_mutually_exclusive_group()
    tier.add_argument("--changed", action="store_true", help="the tests of what a change touches")
    tier.add_argument("--landing", action="store_true", help="what a change must pass to land")
    tier.add_argument("--all", action="store_true", help="every test on every database")
    parser.add_argument("--base", help="the commit that a change starts from")
    parser.add_argument(
        "--order", help="a seed: files and tests in another order; `random` draws one"
    )
    parser.epilog = f"Checks: {', '.join([*CHEAP, *OTHER, *TESTS])}."
    own, extra = split_arguments(sys.argv[1:])
    options = parser.parse_args(own)
    options.extra, options.chosen = extra, set()
    if options.order == "random":
        options.order = secrets.token_hex(4)
        print(f"check: --order {options.order}")
    known = {*CHEAP, *OTHER, *TESTS, *changes.list_folders()}
    for name in options.names:
        if name not in known:
            listed = ", ".join(sorted(known))
            sys.exit(f"check: there is no check named {name!r} (there are: {listed})")
    if options.changed or options.landing:
        options.base = changes.find_base(options.base, clean=options.landing)
        if options.changed and not options.base:
            sys.exit("check: --changed needs a git repository")
    return options


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments before and after `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:end], arguments[end + 1 :]


def plan_checks(options: argparse.Namespace) -> list[list[Check]]:
    """Return the checks in stages; one stage begins when all checks of the one before passed."""
    order = ["--order", options.order] if options.order else []
    if options.names:
        return [[plan_one(name, order) for name in dict.fromkeys(options.names)]]
    cheap = [Check(name, command) for name, command in CHEAP.items()]
    rest = [Check("types", OTHER["types"])]
    if options.landing:
        files = changes.list_changed_files(options.base)
        options.chosen = changes.choose_long_tests(files)
        tier = ["--tier=landing", f"--digest={changes.read_digest()}", *order]
        tier.append(f"--chosen={','.join(sorted(options.chosen))}")
        bare = ["guide"]
        for name, kinds in BARE.items():
            if any(fnmatch.filter(files, kind) for kind in kinds.split()):
                bare.append(name)
        rest = [
            run_pytest("tests", *changes.ALL_TESTS, *tier, limited=True),
            *rest,
            *(run_pytest(name, *changes.SITE_TESTS, "--about-database", *tier) for name in SERVERS),
            run_pytest("twin", *TWIN, *tier),
            *(Check(name, OTHER[name]) for name in ("docs", *bare, "peers")),
        ]
    elif options.all:
        main_tests = run_pytest("tests", *changes.ALL_TESTS, *order, limited=True)
        others = (*SERVERS, "twin", "docs", "fresh-machine", "image", "guide", "peers")
        rest = [main_tests, *rest, *(plan_one(name, order) for name in others)]
    else:
        paths = map(changes.find_path, sorted(choose_folders(options)))
        rest.insert(0, run_pytest("tests", *paths, "--tier=fast", *order, limited=True))
    return [cheap, rest]


def choose_folders(options: argparse.Namespace) -> set[str]:
    """Return the folders whose fast tests run, and print which of them do not.

    Without `--changed`, they are all but those of the extras that a change cannot break.
    """
    base = options.base or changes.find_base(None, clean=False)
    files = changes.list_changed_files(base)
    everything = changes.list_folders()
    if options.changed:
        folders = changes.find_folders(files) | changes.ALWAYS
        print(f"check: the change since {base} touches {', '.join(sorted(folders))}")
    elif base:
        folders = everything.difference(changes.EXTRAS) | changes.find_folders_of_extras(files)
    else:
        folders = everything
    left_out = sorted(everything - folders)
    print(f"check: left out: {', '.join(left_out) or 'nothing'}", flush=True)
    return folders


def plan_one(name: str, order: list[str]) -> Check:
    """Return one check with all its tests."""
    if name in CHEAP or name in OTHER:
        return Check(name, (CHEAP | OTHER)[name])
    if name in SERVERS:
        return run_pytest(name, *changes.SITE_TESTS, "--need-database", *order)
    paths = {"twin": (changes.JUDGE_TESTS,), "tests": changes.ALL_TESTS}
    return run_pytest(name, *paths.get(name, (changes.find_path(name),)), *order)


def run_pytest(name: str, *arguments: str, limited: bool = False) -> Check:
    """Return a check that runs tests, those of the whole site in several processes."""
    seed = f"--hypothesis-seed={changes.read_digest()}"  # the same commit draws the same examples
    check = Check(name, ["pytest", "-rs", seed], list(arguments))
    check.command.append(f"--minutes={TEST_MINUTES}")
    check.session.append(f"--report={check.report}")
    if limited:
        check.command.append(f"--processor-limit={PROCESSOR_LIMIT}")
    if name == "tests":
        check.processes = WORKERS
        check.session += ["-n", str(WORKERS), "--dist=loadfile", "--no-loadscope-reorder"]
    if name == "twin":
        check.variables = {"DIPLOMACCLOUD_KERNEL": "python"}
    return check


class Running:
    """A check that runs. Its output goes to the terminal, or to a file that is shown later."""

    def __init__(self, check: Check, options: list[str], *, is_alone: bool) -> None:
        self.check, self._start = check, time.monotonic()
        self._output = None if is_alone else tempfile.TemporaryFile("w+")  # noqa: SIM115 kept
        print(f"== {check.name} ...", flush=True)
        self.process = subprocess.Popen(
            check.build_command(*check.session, *options),
            cwd=ROOT,
            env=check.build_environment(),
            stdout=self._output,
            stderr=self._output and subprocess.STDOUT,
            preexec_fn=servers.end_with_parent,  # noqa: PLW1509 no thread runs
        )

    def finish(self, status: int, used: float) -> str:
        """Print what matters of the output after the process has ended; return the outcome."""
        code = os.waitstatus_to_exitcode(status)
        self.process.returncode = code
        outcome = OUTCOMES.get(code, FAILED)
        if self.check.runs_tests and code == TESTS_FAILED:
            outcome = RETRIED
        if self._output is not None:
            self._output.seek(0)
            lines = self._output.read().splitlines()
            if outcome == PASSED:  # all that matters then is what was skipped, and why
                lines = [line for line in lines if line.startswith("SKIPPED")]
            print("".join(f"{line}\n" for line in lines), end="")
        took = time.monotonic() - self._start
        print(f"== {self.check.name}: {outcome} ({took:.0f} s, processor {used:.0f} s)", flush=True)
        return outcome


def run_stage(stage: list[Check], options: list[str]) -> dict[str, str]:
    """Run checks, as many at a time as there are processors and one more; return the outcomes.

    One more, because tests often wait for a browser or a server. An alarm ends those that run.
    """
    waiting, running, outcomes = list(stage), {}, {}
    free = (os.cpu_count() or 1) + 1
    endings = [signal.SIGKILL, signal.SIGTERM]

    def end_all(*_: object) -> None:
        for one in running.values():
            print(f"check: still running, so stopped: {one.check.name}", flush=True)
        number = endings.pop() if len(endings) > 1 else endings[0]
        waiting.clear()
        for one in running.values():
            one.process.send_signal(number)
        signal.alarm(60)

    signal.signal(signal.SIGALRM, end_all)
    try:
        while waiting or running:
            while waiting and (waiting[0].processes <= free or not running):
                check = waiting.pop(0)
                started = Running(check, options, is_alone=len(stage) == 1)
                running[started.process.pid] = started
                free -= check.processes
            pid, status, usage = os.wait4(-1, 0)
            if pid in running:
                ended = running.pop(pid)
                free += ended.check.processes
                used = usage.ru_utime + usage.ru_stime
                outcomes[ended.check.name] = ended.finish(status, used)
    finally:
        for left in running.values():
            left.process.terminate()
        for left in running.values():
            left.process.wait()
    return outcomes


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
