"""How much tests try, how much work they find, and how long they wait."""

import cProfile

import hypothesis

PATIENCE = 180
"""Seconds. A test that waited this long fails, because even a very busy machine takes less."""


def examples(count, **options):
    """Return the settings of a property test that usually tries `count` examples.

    `examples.times` multiplies that: `--times` sets it before any test is collected. A busy machine
    must not make a test fail, so there is no deadline.
    """
    return hypothesis.settings(max_examples=count * examples.times, deadline=None, **options)


examples.times = 1


def count_calls(work):
    """Return what `work()` returns, and how many calls of Python functions it takes.

    Unlike its time, that is the same on every machine.
    """
    profile = cProfile.Profile(subcalls=False, builtins=False)
    answer = profile.runcall(work)
    return answer, sum(entry.callcount for entry in profile.getstats())
