"""`./check` runs the right tests, tells slow and flaky ones apart, and names what failed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from judge.tests.effort import PATIENCE
from tests import selection

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import changes  # noqa: E402
import checks  # noqa: E402
import verdicts  # noqa: E402

SUITE = """
    import sys
    import time
    from pathlib import Path
    import pytest

    def burn(seconds):
        measured = sys.modules.get("tests.measurement")  # unknown to an older commit
        slowness = measured.meter.slowness if measured else 1
        end = time.process_time() + seconds * slowness
        while time.process_time() < end:
            pass

    @pytest.fixture(scope="module")
    def shared():
        burn(0.2)
        yield
        burn(0.2)

    @pytest.fixture
    def own():
        return "own"

    def test_quick(shared):
        pass

    def test_slow():
        burn(0.2)

    def test_slow_at_first(own):
        burn(0 if Path("warm").exists() else 0.2)
        Path("warm").touch()

    @pytest.mark.long
    def test_long():
        burn(0.2)

    def test_flaky():
        print("what it printed")
        known = Path("flaky").exists()
        Path("flaky").touch()
        assert known
        burn(0.2)  # alone, it also loads what others loaded before it

    def test_bad():
        assert False
"""
LIMIT = 0.1


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """A check that runs a small suite of its own."""
    file = tmp_path / "tests" / "small" / "test_suite.py"
    file.parent.mkdir(parents=True)
    lines = SUITE.splitlines()
    file.write_text("\n".join(line[4:] for line in lines))
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    monkeypatch.setattr(verdicts, "ROOT", tmp_path)
    monkeypatch.setattr(verdicts, "REPORTS", tmp_path / "reports")
    monkeypatch.setattr(verdicts, "FLAKY", tmp_path / "reports" / "flaky.json")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    plugins = ("-p", "_hypothesis_pytestplugin", "-p", "tests.measurement", "-p", "tests.selection")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "pytest.ini").write_text("[pytest]")
    check = checks.run_pytest("small", "tests/")
    check.command += [*plugins, f"--processor-limit={LIMIT}"]
    return check


def judge(check, *, retried=True, base=None, chosen=frozenset()):
    """Return what of the check failed for good, with its failed tests run again if `retried`."""
    return verdicts.judge_tests([check], [check] * retried, base=base, chosen=chosen)


def run(check, *options):
    """Run the check of the small suite, and return the outcome of each test."""
    done = subprocess.run(
        check.build_command(*check.session, *options),
        cwd=verdicts.ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    lines = verdicts.read_report(check.report)
    assert lines, done.stdout + done.stderr
    return {line["test"].partition("::")[2]: line["outcome"] for line in lines if "test" in line}


@pytest.mark.long
def test_tests_are_run_again_alone_before_anything_fails(suite, capsys):
    assert run(suite) == {
        "test_quick": "passed",
        "test_slow": "slow",
        "test_slow_at_first": "slow",
        "test_long": "passed",
        "test_flaky": "failed",
        "test_bad": "failed",
    }
    failed = judge(suite)
    out = capsys.readouterr().out
    assert failed == ["small"]
    assert "failed twice: tests/small/test_suite.py::test_bad\n" in out
    assert "failed twice: tests/small/test_suite.py::test_slow\n" in out
    assert out.count("failed twice") == 2
    assert [line for line in out.splitlines() if line.startswith("flaky")] == [
        "flaky: tests/small/test_suite.py::test_flaky"
    ]
    verdicts.print_flaky([])
    shown = capsys.readouterr().out
    assert "what it printed" in shown
    assert "load when it failed" in shown
    assert shown.index("::test_long") < shown.index("::test_slow_at_first")


@pytest.mark.long
def test_a_run_whose_failed_tests_pass_alone_passes(suite):
    run(suite, "-k", "quick or flaky or at_first")
    assert judge(suite) == []


def test_a_check_that_fails_without_a_failed_test_fails(suite):
    run(suite, "-k", "quick")
    assert judge(suite) == ["small"]


@pytest.mark.long
def test_a_long_test_that_also_fails_without_the_change_does_not_stop_it(suite, capsys):
    file = verdicts.ROOT / "tests" / "small" / "test_suite.py"
    bad = file.read_text().replace("def test_bad", "@pytest.mark.long\ndef test_bad")
    file.write_text(bad.replace("assert False", "pass"))
    commit()
    file.write_text(bad)
    run(suite, "-k", "bad")
    assert judge(suite, base="HEAD") == ["small"]
    commit()
    assert judge(suite, base="HEAD", chosen={"small"}) == ["small"]
    assert judge(suite, base="HEAD") == []
    assert "fails on HEAD, too, so it does not stop the change" in capsys.readouterr().out


def commit():
    """Commit the small suite as it is."""
    person = ("-c", "user.name=x", "-c", "user.email=x@x")
    for command in (("init", "-q"), ("add", "."), (*person, "commit", "-qm", "x")):
        subprocess.run(["git", *command], cwd=verdicts.ROOT, check=True)


def test_more_than_three_flaky_tests_fail(suite, monkeypatch):
    monkeypatch.setattr(verdicts, "MAX_FLAKY", 0)
    run(suite, "-k", "flaky")
    assert judge(suite) == ["flaky tests"]


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [("assert False", checks.RETRIED), ("os._exit(3)", checks.FAILED), ("", checks.PASSED)],
)
def test_only_tests_that_failed_are_run_again(suite, fault, outcome, capsys):
    """If pytest ends for another reason, even a flaky test before excuses nothing."""
    file = verdicts.ROOT / "tests" / "small" / "test_suite.py"
    file.write_text(f"import os\n\ndef test_one():\n    {fault or 'pass'}\n")
    running = checks.Running(suite, ["-p", "no:cacheprovider"], is_alone=False)
    _, status, _ = os.wait4(running.process.pid, 0)
    assert running.finish(status, 0) == outcome


def test_a_run_that_ended_early_fails(suite):
    file = verdicts.ROOT / "tests" / "small" / "test_suite.py"
    text = "\n\ndef test_end():\n    import os\n    os._exit(1)\n"
    file.write_text(file.read_text() + text)
    assert run(suite, "-k", "flaky or end") == {"test_flaky": "failed"}
    assert judge(suite) == ["small"]


def test_a_test_that_hangs_fails_and_the_others_run(suite):
    file = verdicts.ROOT / "tests" / "small" / "test_suite.py"
    hang = "try:\n        time.sleep(600)\n    except Exception:\n        time.sleep(600)"
    file.write_text(f"import time\n\ndef test_one():\n    {hang}\n\ndef test_two():\n    pass\n")
    assert run(suite, "--minutes=0.05") == {"test_one": "failed", "test_two": "passed"}


def test_checks_that_hang_are_ended_and_none_is_begun():
    program = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(os.getppid(), signal.SIGALRM)
time.sleep(600)
"""
    stage = f"""
import signal, checks
hangs = checks.Check("hangs", ["python", "-c", {program!r}])
later = checks.Check("later", ["python", "-c", ""], processes=99)
alarm = signal.alarm
signal.alarm = lambda _: alarm(1)
print(checks.run_stage([hangs, later], []))
"""
    done = subprocess.run(
        [sys.executable, "-c", stage],
        cwd=ROOT / "scripts",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.splitlines()[-1] == str({"hangs": checks.FAILED}), done.stderr
    assert "still running, so stopped: hangs\n" in done.stdout


def test_a_file_that_cannot_be_loaded_fails(suite):
    file = verdicts.ROOT / "tests" / "small" / "test_other.py"
    file.write_text("import nothing_of_that_name")
    assert run(suite, "-k", "quick", "--continue-on-collection-errors").popitem()[1] == "passed"
    assert judge(suite) == ["small"]


@pytest.mark.long
def test_many_failed_tests_are_not_run_again(suite, monkeypatch, capsys):
    monkeypatch.setattr(verdicts, "MAX_RETRIES", 1)
    run(suite)
    assert judge(suite) == ["small"]
    assert "none was run again" in capsys.readouterr().out


def test_what_the_fast_tier_leaves_out_is_reported(suite):
    assert "test_long" not in run(suite, "--tier=fast")
    (last,) = [line for line in verdicts.read_report(suite.report) if "left_out" in line]
    assert last["left_out"] == {"tests/small/test_suite.py": 1}


@pytest.mark.long
def test_a_seed_shuffles_the_tests_always_in_the_same_way(suite):
    orders = [list(run(suite, "--order", seed, "-k", "not slow")) for seed in ("1", "2", "1")]
    assert orders[0] == orders[2]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])


class TestTiers:
    class Item:
        """A test as the selection sees it."""

        def __init__(self, nodeid, *marks):
            self.nodeid, self._marks = nodeid, marks

        def get_closest_marker(self, name):
            return True if name in self._marks else None

    class Config:
        def __init__(self, **options):
            self._options = options

        def getoption(self, name):
            return self._options[name.removeprefix("--").replace("-", "_")]

    def wanted(self, item, **options):
        given = {"tier": "all", "digest": "", "chosen": "", **options}
        return selection._is_of_tier(item, self.Config(**given))

    @pytest.mark.parametrize(
        ("place", "marks", "tiers"),
        [
            ("press", (), {"fast", "landing", "all"}),
            ("press", ("long",), {"all"}),
            ("browser", (), {"landing", "all"}),
            ("browser", ("guard",), {"fast", "landing", "all"}),
        ],
    )
    def test_a_test_belongs_to_its_tiers(self, place, marks, tiers):
        item = self.Item(f"tests/{place}/test_x.py::test_not_drawn", *marks)
        assert {tier for tier in selection.TIERS if self.wanted(item, tier=tier)} == tiers

    def test_a_landing_draws_about_a_third_of_the_long_tests_and_others_each_time(self):
        items = [self.Item(f"tests/maps/test_x.py::test_{n}", "long") for n in range(500)]
        drawn = [
            {item for item in items if self.wanted(item, tier="landing", digest=digest)}
            for digest in "abcdefghijklmnopqrst"
        ]
        assert all(120 < len(one) < 220 for one in drawn)
        assert len(set.union(*drawn)) > 480

    @pytest.mark.parametrize("chosen", ["judge,maps", "tests/maps/test_x.py,judge"])
    def test_a_landing_runs_the_long_tests_of_chosen_folders_and_files(self, chosen):
        items = [self.Item(f"tests/maps/test_x.py::test_{n}", "long") for n in range(20)]
        assert all(self.wanted(item, tier="landing", chosen=chosen) for item in items)
        assert not all(self.wanted(item, tier="landing", chosen="judge") for item in items)


class TestChanges:
    @pytest.mark.parametrize(
        ("file", "folders"),
        [
            ("src/diplomaccloud/press/table/text.py", {"press"}),
            ("src/diplomaccloud/press/templates/press/page/page.html", {"press"}),
            ("extras/mcp/src/diplomaccloud/mcp/tools.py", {"mcp"}),
            ("src/diplomaccloud/metrics.py", {"project"}),
            ("judge/tests/test_datc.py", {"judge"}),
            ("judge/src/diplomaccloud/judge/units.py", {"judge"}),
            ("judge/kernel_compiler.py", {"project"}),
            ("extras/environments/src/diplomaccloud/environments/vector.py", {"environments"}),
            ("extras/environments/tests/test_vector.py", {"environments"}),
            ("extras/environments/pyproject.toml", {"environments", "project"}),
            ("conftest.py", changes.list_folders()),
            ("tests/conftest.py", changes.list_folders()),
            ("deploy/container/build", {"project"}),
            ("docs/rules.md", set()),
        ],
    )
    def test_a_file_touches_the_tests_of_its_package(self, file, folders):
        assert changes.find_touched_folders([file]) == folders

    def test_a_small_change_chooses_its_folders_and_a_wide_one_its_files(self):
        small = ["src/diplomaccloud/press/table/text.py", "tests/project/test_wheel.py", "play"]
        assert changes.choose_long_tests(small) == {"press", "tests/project/test_wheel.py"}
        assert changes.is_chosen("tests/press/test_x.py::test_a", {"press"})
        assert not changes.is_chosen("tests/project/test_scripts.py::test_a", {"press"})
        wide = ["tests/cast.py", "judge/tests/test_datc.py"]
        assert changes.choose_long_tests(wide) == {"judge/tests/test_datc.py"}
        assert changes.is_chosen("judge/tests/test_datc.py::test_a", {"judge/tests/test_datc.py"})

    @pytest.mark.parametrize(
        "path", ["judge/src/diplomaccloud/judge/units.py", "src/diplomaccloud/api/views.py"]
    )
    def test_the_extras_are_tested_when_what_they_work_with_changed(self, path):
        assert changes.find_folders_of_extras([path]) == set(changes.EXTRAS)
        assert set(changes.EXTRAS) <= changes.find_folders([path])

    def test_an_extra_is_tested_when_it_changed_and_not_with_all_else(self):
        path = "extras/environments/src/diplomaccloud/environments/vector.py"
        assert changes.find_folders_of_extras([path]) == {"environments"}
        assert changes.find_folders_of_extras(["src/diplomaccloud/learn/page.py"]) == set()

    def test_what_imports_a_changed_module_is_tested_too(self):
        judge = changes.find_folders(["judge/src/diplomaccloud/judge/units.py"])
        assert {"judge", "games", "press", "bots", "browser"} <= judge
        lessons = changes.find_folders(["src/diplomaccloud/learn/page.py"])
        assert {"learn", "browser"} <= lessons
        assert "judge" not in lessons
        assert "press" not in lessons

    def test_what_names_a_changed_template_is_tested_too(self):
        base = changes.find_folders(["src/diplomaccloud/pages/templates/pages/base.html"])
        assert {"pages", "games", "press", "learn", "browser"} <= base
        assert "judge" not in base

    def test_what_imports_changed_tests_is_tested_too(self):
        assert "api" in changes.find_folders(["tests/press/people.py"])

    def test_every_package_has_tests(self):
        packages = [ROOT / source / changes.PACKAGE for source in changes.SOURCES]
        for package in (one for folder in packages for one in folder.glob("*/__init__.py")):
            assert changes._find_folder(package.parent.name) in changes.list_folders()


def test_the_tests_about_databases_are_few_and_there(request):
    """A folder or file that was renamed would no longer run on every database."""
    for place in selection.EVERY_DATABASE:
        assert (ROOT / "tests" / place).exists()
    assert {*selection.PURE_FOLDERS, *selection.FIRST, selection.LAST} <= changes.list_folders()
