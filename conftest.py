"""What all tests share, those of the judge too, which run without the site's packages."""

import gc
from importlib.util import find_spec

from hypothesis import HealthCheck, settings
from judge.tests.effort import examples

pytest_plugins = ["tests.measurement", "tests.selection"]
if find_spec("django") is not None:
    pytest_plugins.append("tests.cast")

# No test fails because a machine is busy.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_addoption(parser):
    parser.addoption(
        "--times",
        type=int,
        default=1,
        help="how many times as many games and examples the fault and property tests take",
    )


def pytest_configure(config):
    examples.times = config.getoption("--times")


def pytest_collection_finish(session):
    """Collect garbage less often: what is loaded by now stays, and tests create lots of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 10)
