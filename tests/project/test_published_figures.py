"""`benchmarks/publish`: what it refuses, what it compares, and the page that it writes."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from benchmarks.figures import __main__ as command
from benchmarks.figures import document, history, machine
from benchmarks.figures.history import RATIO, Figure, Measured, Run
from benchmarks.figures.machine import ROOT, Refused
from benchmarks.figures.parts import PARTS

QUIET, BUSY = 0.01, 0.5
RUN = Run(
    at="2026-12-07T06:00:00Z",
    commit="a" * 40,
    is_clean=True,
    is_busy=False,
    processor="Abacus",
    cores=2,
    python="3.11.2",
    kernel="compiled",
    parts={},
)


def run_with(value, unit=RATIO, *, is_better_higher=False, **fields):
    figure = Figure("home", value, unit, is_better_higher)
    return replace(RUN, parts={"pages": Measured(60, (figure,))}, **fields)


def is_worse(run, *earlier):
    (change,) = history.list_changes(run, earlier)
    return change.is_worse


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with one commit; a machine that is looked at again at once."""
    monkeypatch.setattr(machine, "PAUSE", 0)
    names = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
    names |= {key.replace("AUTHOR", "COMMITTER"): value for key, value in names.items()}
    for name in ("benchmarks", "docs"):
        (tmp_path / name).mkdir()
    (tmp_path / "code.py").write_text("")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First."]):
        subprocess.run(["git", "-C", tmp_path, *words], check=True, env=os.environ | names)
    return tmp_path


def publish(checkout, *values, spreads=(QUIET,), meanwhile=lambda: None, **options):
    """Publish a part for each value; the last of the spreads is that of all further loops."""
    spreads, names = [*spreads], list(PARTS)[: len(values)]
    measured = dict(zip(names, values, strict=True))

    def measure(name):
        meanwhile()
        return Measured(60, (Figure("home", measured[name], RATIO),))

    return command.publish(
        checkout,
        command.Options(tuple(names), **options),
        measure=measure,
        spread=lambda: spreads.pop(0) if len(spreads) > 1 else spreads[0],
    )


def read_runs(checkout):
    return history.read_runs(checkout / command.HISTORY)


@pytest.mark.parametrize(
    ("before", "now", "unit", "higher", "expected"),
    [
        (10, 11, RATIO, False, True),
        (10, 10.9, RATIO, False, False),
        (10, 5, RATIO, False, False),
        (0.9, 1.0, RATIO, False, True),
        (1.0, 0.9, "a second", True, True),
        (100, 91, "a second", True, False),
        (100, 200, "a second", True, False),
        (20, 22, "ms", False, True),
    ],
)
def test_a_tenth_is_worse(before, now, unit, higher, expected):
    earlier = run_with(before, unit, is_better_higher=higher)
    assert is_worse(run_with(now, unit, is_better_higher=higher), earlier) is expected


@pytest.mark.parametrize(
    ("unit", "other", "expected"),
    [
        (RATIO, {"processor": "Slide rule"}, True),
        ("kB", {"processor": "Slide rule"}, True),
        ("ms", {"processor": "Slide rule"}, False),
        ("MB", {"cores": 16}, False),
        (RATIO, {"kernel": "python"}, False),
        (RATIO, {"is_busy": True}, False),
        (RATIO, {"is_clean": False}, False),
        (RATIO, {"python": "3.12.1"}, True),
    ],
)
def test_what_the_earlier_run_must_share(unit, other, expected):
    assert is_worse(run_with(20, unit), run_with(10, unit, **other)) is expected


def test_a_busy_run_is_not_compared_and_one_with_changes_is():
    assert not is_worse(run_with(20, is_busy=True), run_with(10))
    assert is_worse(run_with(20, is_clean=False), run_with(10))


def test_the_same_processor_goes_before_a_newer_run():
    ours, theirs = run_with(10), run_with(20, processor="Slide rule")
    assert is_worse(run_with(20), ours, theirs)
    assert not is_worse(run_with(20), theirs, run_with(20))


def test_a_part_is_compared_with_the_newest_run_that_has_it():
    assert is_worse(run_with(20), run_with(10), RUN)


def test_a_figure_of_another_unit_is_new():
    (change,) = history.list_changes(run_with(20, "ms"), [run_with(10, "s")])
    assert change.before is None
    assert change.share is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:-9],
        lambda line: "[]",
        lambda line: "",
        lambda line: line.replace('"commit"', '"comit"'),
        lambda line: line.replace('"is_clean": true', '"is_clean": 1'),
        lambda line: line.replace("10", "0"),
        lambda line: line.replace("10", "NaN"),
        lambda line: line.replace("10", '"many"'),
        lambda line: line.replace('"unit"', '"units"'),
    ],
)
def test_a_damaged_line_is_named_before_anything_is_measured(checkout, damage):
    file = checkout / command.HISTORY
    for _ in range(2):
        history.append_run(file, run_with(10))
    first, second = file.read_text("utf-8").splitlines()
    file.write_text(f"{first}\n{damage(second)}\n{first}\n", "utf-8")
    with pytest.raises(history.DamagedHistory, match=r"line 2 of figures\.jsonl"):
        publish(checkout, 10, meanwhile=pytest.fail)


def test_what_is_written_can_be_read(tmp_path):
    file, runs = tmp_path / "runs", [run_with(1.5), run_with(2, is_busy=True)]
    for run in runs:
        history.append_run(file, run)
    assert history.read_runs(file) == runs
    file.write_text(file.read_text("utf-8").rstrip("\n"), "utf-8")
    history.append_run(file, RUN)
    assert history.read_runs(file) == [*runs, RUN]


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "runs"
    file.write_text("before")
    with pytest.raises(UnicodeEncodeError):
        history.replace_file(file, "after \ud800")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"]


def test_a_run_is_written_and_what_got_worse_is_named(checkout, capsys):
    assert publish(checkout, 10, 4) == 0
    assert publish(checkout, 10.5, 4.6) == command.WORSE
    assert capsys.readouterr().out.splitlines()[-1] == "worse: saves, home: 4.00 → 4.60 × (+15%)"
    first, second = read_runs(checkout)
    assert (first.commit, first.is_published) == (machine.read_commit(checkout), True)
    assert second.parts["saves"].figures[0].value == 4.6
    page = (checkout / command.DOCUMENT).read_text("utf-8")
    assert "| home | × | 10.5 | 10.0 | +5% |" in page
    assert "| home | × | 4.60 | 4.00 | **+15%, worse** |" in page


@pytest.mark.parametrize(
    ("spreads", "measured"),
    [((BUSY,), 0), ((QUIET, BUSY), 1), ((QUIET, QUIET, BUSY), 2), ((BUSY, QUIET, BUSY), 1)],
)
def test_a_busy_machine_is_refused_and_nothing_is_written(checkout, spreads, measured):
    parts = []
    with pytest.raises(Refused, match=r"(?s)busy.*Stop other programs.*--even-if-busy"):
        publish(checkout, 10, 4, spreads=spreads, meanwhile=lambda: parts.append(1))
    assert len(parts) == measured
    assert not (checkout / command.HISTORY).exists()
    assert not (checkout / command.DOCUMENT).exists()


@pytest.mark.parametrize("spreads", [(BUSY,), (QUIET, BUSY), (BUSY, QUIET)])
def test_a_busy_machine_may_measure_and_is_marked(checkout, spreads, capsys):
    publish(checkout, 10)
    assert publish(checkout, 20, spreads=spreads, allows_busy=True) == 0
    assert [run.is_busy for run in read_runs(checkout)] == [False, True]
    assert publish(checkout, 10) == 0
    assert "20.0" not in (checkout / command.DOCUMENT).read_text("utf-8")


def test_a_machine_that_is_quiet_after_a_moment_measures(checkout):
    assert publish(checkout, 10, spreads=(BUSY, BUSY, QUIET)) == 0
    assert not read_runs(checkout)[0].is_busy


@pytest.mark.parametrize(("times", "spread"), [([2, 2, 2], 0), ([2, 3, 2.5], 0.5), ([4, 2], 1)])
def test_the_spread_of_a_loop(times, spread):
    assert machine.compute_spread(times) == spread


def test_changes_are_refused_unless_allowed(checkout, capsys):
    publish(checkout, 10)
    (checkout / "code.py").write_text("1")
    with pytest.raises(Refused, match=r"code\.py.*--dirty"):
        publish(checkout, 10, meanwhile=pytest.fail)
    assert publish(checkout, 20, allows_dirty=True) == command.WORSE
    assert [run.is_clean for run in read_runs(checkout)] == [True, False]
    assert "20.0" not in (checkout / command.DOCUMENT).read_text("utf-8")


def test_changes_while_it_measures_are_refused(checkout):
    with pytest.raises(Refused, match="changed"):
        publish(checkout, 10, meanwhile=lambda: (checkout / "code.py").write_text("1"))
    assert not (checkout / command.HISTORY).exists()


def test_a_folder_without_git_is_refused(tmp_path):
    with pytest.raises(Refused, match="commit"):
        publish(tmp_path, 10)


def test_a_part_that_fails_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "OUTPUT", tmp_path)
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(Refused, match=r"judge failed.*judge\.txt"):
        command.measure_part("judge")


def test_all_parts_together_take_less_than_45_minutes():
    assert sum(part.minutes for part in PARTS.values()) < 45


def test_an_unknown_part_is_refused():
    program = [sys.executable, "-m", "benchmarks.figures", "--only", "weather"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == command.REFUSED
    assert "'judge'" in done.stderr


def test_the_name_of_the_processor(tmp_path):
    file = tmp_path / "cpuinfo"
    file.write_text("processor\t: 0\nmodel name\t: Abacus 9\n\nmodel name\t: Abacus 9\n")
    assert machine.name_processor(file) == "Abacus 9"
    assert machine.name_processor(tmp_path / "none")


def test_the_page_before_the_first_run():
    page = document.write_document([run_with(10, is_busy=True)], PARTS)
    assert "`benchmarks/publish`" in page.partition("Nothing has been measured yet")[2]
    assert "##" not in page


def test_the_page_says_on_what_each_part_was_measured():
    other = run_with(10, "ms", processor="Slide rule", cores=1, commit="b" * 40)
    page = document.write_document([other, run_with(2345, "ms")], PARTS)
    assert page.count("\n## ") == len(PARTS)
    assert "This run: 2026-12-07, commit `aaaaaaaaaa`, Abacus with 2 cores" in page
    assert "The run before: 2026-12-07, commit `bbbbbbbbbb`, Slide rule with 1 core," in page
    assert "| home | ms | 2,345 | 10.0 |  |" in page
    assert page.count("not been measured yet") == len(PARTS) - 1


def test_the_page_is_what_the_history_makes():
    runs = history.read_runs(ROOT / command.HISTORY)
    page = (ROOT / command.DOCUMENT).read_text("utf-8")
    assert page == document.write_document(runs, PARTS), "run benchmarks/publish --document"
