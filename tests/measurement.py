"""Measures the processor time of each test, ends those that hang, and writes a line about each.

`./check` reads these lines: they say what failed, what was slow and what was left out. A test that
needs more processor time than `--processor-limit` fails unless it carries the mark `long`. Both the
test's own process and the children that it waited for count; fixtures that many tests share don't.
Processor time on a slow machine is divided by its slowness, which a short loop measures shortly
before. A test that has run for `--minutes` fails where it is, so that the others still run.
"""

import json
import os
import resource
import signal
import statistics
import time
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

REFERENCE = 0.0025
"""How many seconds the loop takes on the machine that the limit is meant for."""
MAX_AGE = 5
"""For how many seconds the machine counts as equally fast."""


def read_processor_time():
    """Return the seconds of processor time of this process and its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measure_slowness():
    """Return how many times as long as on the reference machine a short loop takes here."""
    times = []
    for _ in range(3):
        start = time.thread_time()  # steady: nothing fails by it
        total = 0
        for number in range(50_000):
            total += number * number % 7
        times.append(time.thread_time() - start)  # steady: as above
    return statistics.median(times) / REFERENCE


class Meter:
    """The processor time of the running test."""

    def __init__(self):
        self.start = self.shared = self.slowness = 0.0
        self._measured_at = float("-inf")

    def begin(self):
        """Start to measure a test."""
        if time.monotonic() - self._measured_at > MAX_AGE:
            self.slowness, self._measured_at = measure_slowness(), time.monotonic()
        self.shared, self.start = 0.0, read_processor_time()

    def read(self):
        """Return the seconds that the test has needed, as on the reference machine."""
        return (read_processor_time() - self.start - self.shared) / self.slowness


meter = Meter()


def pytest_addoption(parser):
    parser.addoption("--report", type=Path, help="the file that gets a line of JSON for each test")
    parser.addoption(
        "--processor-limit",
        type=float,
        help="how many seconds of processor time a test without the mark `long` may need",
    )
    parser.addoption(
        "--minutes", type=float, default=0, help="after how many minutes a test counts as hanging"
    )
    parser.addoption(
        "--warm-up",
        action="store_true",
        help="run each test twice and report the second time, when everything is loaded",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "long: needs more than a second of processor time")
    signal.signal(signal.SIGALRM, _end_hanging)
    file = config.getoption("--report")
    if file and not hasattr(config, "workerinput"):
        report = Report(file, config.getoption("--order"))
        config.pluginmanager.register(report, "report of the tests")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(fixturedef):
    start = read_processor_time()
    try:
        return (yield)
    finally:
        if fixturedef.scope != "function":
            meter.shared += read_processor_time() - start


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    """Don't count the end of what a test shared with those before it."""
    start = read_processor_time()
    try:
        return (yield)
    finally:
        if getattr(nextitem, "parent", None) is not item.parent:
            meter.shared += read_processor_time() - start


def _end_hanging(*_):
    pytest.fail("The test hangs.")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    seconds = 60 * item.config.getoption("--minutes")
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)  # again, if it also hangs at its end
    meter.begin()
    if item.config.getoption("--warm-up"):
        runtestprotocol(item, nextitem=item.parent, log=False)  # what it shares stays
        meter.begin()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "teardown":
        needed, limit = meter.read(), item.config.getoption("--processor-limit")
        is_long = item.get_closest_marker("long") is not None
        report.user_properties += [("processor", round(needed, 3)), ("long", is_long)]
        if limit and needed > limit and not is_long and report.passed:
            report.outcome = "failed"
            report.user_properties.append(("slow", True))
            report.longrepr = (
                f"{item.nodeid} needed {needed:.1f} s of processor time; without the mark `long`"
                f" the limit is {limit:g} s. Let it share what it can, or mark it."
            )
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logfinish():
    signal.setitimer(signal.ITIMER_REAL, 0)


class Report:
    """Writes the file: a line for each test, and a last one about what was left out."""

    def __init__(self, file, order):
        self._order = order
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file.open("w", encoding="utf-8")
        self._open, self._left_out = {}, {}

    def _write(self, **line):
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def pytest_runtest_logreport(self, report):
        reports = self._open.setdefault(report.nodeid, [])
        reports.append(report)
        if report.when != "teardown" and not (report.when == "???" and report.failed):
            return
        del self._open[report.nodeid]
        failed, known = [one for one in reports if one.failed], dict(report.user_properties)
        outcome = "skipped" if any(one.skipped for one in reports) else "passed"
        if failed:
            outcome = "slow" if failed == [report] and "slow" in known else "failed"
        self._write_line(report.nodeid, outcome, reports, known)

    def _write_line(self, test, outcome, reports, known=None):
        known = known or {}
        self._write(
            test=test,
            outcome=outcome,
            processor=known.get("processor", 0.0),
            long=known.get("long", False),
            wall=round(sum(getattr(one, "duration", 0) for one in reports), 3),
            worker=getattr(reports[-1], "worker_id", "main"),
            load=os.getloadavg()[0],
            order=self._order,
            text="\n".join(map(_describe, [one for one in reports if one.failed])),
        )

    def pytest_collectreport(self, report):
        """A file that cannot be loaded is a test that fails."""
        if report.failed:
            self._write_line(report.nodeid, "failed", [report])

    def pytest_deselected(self, items):
        for item in items:
            self.leave_out(item.nodeid.partition("::")[0], 1)

    def leave_out(self, file, count):
        """Count tests of a file that don't run."""
        self._left_out[file] = self._left_out.get(file, 0) + count

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        # Each worker leaves out the same tests.
        self._left_out = getattr(node, "workeroutput", {}).get("left_out", self._left_out)

    def pytest_sessionfinish(self):
        self._write(left_out=self._left_out)
        self._file.close()


def _describe(report):
    """Return the traceback of a failed phase, and what was logged and printed until then."""
    sections = [f"--- {title}\n{text}" for title, text in report.sections]
    return "\n".join([str(report.longreprtext), *sections])
